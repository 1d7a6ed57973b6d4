/**
 * Inline completion as a person meets it, in a real browser with a real CodeMirror: typing, pausing, Tab, Esc, undo, input methods,
 * late answers. The daemon is real, its model scripted; BENCH_PYTHON empties the budget between the tests, which has tests of its own.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { promises as fs } from "node:fs";
import test from "node:test";
import { call, command, opened, runtime, served, shots, until } from "./stage.mjs";

const EMPTY = `import pathlib, sqlite3, sys
for path in pathlib.Path(sys.argv[1]).rglob("complete.db"):
    found = sqlite3.connect(path, timeout=20)
    found.execute("DELETE FROM calls")
    found.commit()`;
const GHOST = "#note .deepseedian-ghost";
const SAID = " with a little milk";

const now = {}; // the settings as they were set last

/** Settings as a test wants them, and a budget that nothing was taken from. */
async function wanted(page, settings) {
	execFileSync(process.env.BENCH_PYTHON, ["-S", "-c", EMPTY, process.env.DEEPSEEDIAN_STATE_DIR]);
	const changed = Object.entries({ complete: "on", "complete.chat": "off", "complete.pause_ms": "0", ...settings }).filter(([name, value]) => now[name] !== value);
	for (const [name, value] of changed) {
		await call(page, "PUT", `/v1/settings/${name}`, { value });
		now[name] = value;
	}
	const { notes, pause, chat } = { notes: settings.complete !== "off", pause: Number(settings["complete.pause_ms"] ?? 0), chat: settings["complete.chat"] === "on" };
	await page.waitForFunction((here) => {
		const { completion } = window.bench.plugin;
		return completion.notes === here.notes && completion.pause === here.pause && completion.chat === here.chat;
	}, { notes, pause, chat });
}

async function note(t, settings = {}, options) {
	const page = await opened(t, options);
	await page.waitForFunction(() => window.bench.plugin.link.presence === "here");
	await wanted(page, settings);
	return page;
}

/** The note with this text, and the cursor at the mark ‸ in it. */
const write = (page, text) => page.evaluate((marked) => {
	const { cm } = window.bench;
	const at = marked.indexOf("‸");
	cm.dispatch({ changes: { from: 0, to: cm.state.doc.length, insert: marked.slice(0, at) + marked.slice(at + 1) }, selection: { anchor: at }, userEvent: "set" });
	cm.focus();
}, text);
const text = (page) => page.evaluate(() => window.bench.cm.state.doc.toString());
const ghost = (page, said = SAID) => page.waitForFunction(([selector, words]) => document.querySelector(selector)?.textContent === words, [GHOST, said]);
const asked = () => served.counts.asked.filter((line) => line === "POST /v1/complete").length;
const none = (page) => page.waitForFunction((selector) => !document.querySelector(selector), GHOST);
const taken = (page) => page.evaluate(() => window.bench.taken.splice(0));
const idle = (page) => until(async () => served.counts.open.size <= 1 && !(await page.evaluate(() => [...window.bench.plugin.completion.live].some((one) => one.call))));

async function pictures(page, name) {
	for (const theme of ["light", "dark"]) {
		await page.evaluate((name) => (document.body.className = `theme-${name}`), theme);
		await page.screenshot({ path: `${shots}/${name}-${theme}.png` });
	}
	await page.evaluate(() => (document.body.className = "theme-light"));
}

test("by command: grey text that is no text; Tab is one step of undo, Esc takes it away, without it both keys are the editor's", async (t) => {
	const page = await note(t);
	await write(page, "# Tea\n\nIn the morning I drink tea‸\n\nMore text.");
	const before = await text(page);
	await command(page, "complete");
	await ghost(page);
	assert.equal(await text(page), before);
	assert.equal(await page.evaluate(() => window.bench.cm.contentDOM.querySelector(".cm-line:nth-child(3)").textContent), `In the morning I drink tea${SAID}`);
	await pictures(page, "complete");
	await page.keyboard.press("Tab");
	const whole = before.replace("drink tea", `drink tea${SAID}`);
	assert.equal(await text(page), whole);
	await none(page);
	await page.keyboard.type("!"); // at once, which would join the two if they were typed alike
	await page.keyboard.press("Control+z");
	assert.equal(await text(page), whole);
	await page.keyboard.press("Control+z");
	assert.equal(await text(page), before);
	await page.keyboard.press("Control+y");
	assert.equal(await text(page), whole);
	assert.deepEqual(await taken(page), []);

	const sofar = asked();
	await command(page, "complete"); // too soon after the first: it waits for its two seconds by itself
	await ghost(page);
	assert.equal(asked(), sofar + 2);

	await wanted(page, {});
	await write(page, "I drink tea‸");
	await command(page, "complete");
	await ghost(page);
	await page.keyboard.press("Escape");
	await none(page);
	assert.deepEqual([await text(page), await taken(page)], ["I drink tea", []]);
	await page.keyboard.press("Escape");
	await page.keyboard.press("Tab");
	assert.deepEqual(await taken(page), ["Escape", "Tab"]);
});

test("in lists and quotes Tab puts the text in, though the application has a key for it", async (t) => {
	const page = await note(t);
	for (const marked of ["- green tea\n  - black tea‸\n- more", "> I drink tea‸", "- [ ] buy tea‸"]) {
		await wanted(page, {});
		await write(page, marked);
		await command(page, "complete");
		await ghost(page);
		await page.keyboard.press("Tab");
		assert.equal(await text(page), marked.replace("‸", SAID));
	}
	assert.deepEqual(await taken(page), []);
	await page.keyboard.press("Tab");
	assert.deepEqual(await taken(page), ["Tab"]);
});

test("after a pause: asked once, gone with the next key, asked again; nothing in the middle of a line", async (t) => {
	const page = await note(t, { "complete.pause_ms": "300" });
	const sofar = asked();
	await write(page, "Notes\n\n‸");
	await page.keyboard.type("In the morning I drink tea", { delay: 15 });
	await ghost(page);
	assert.equal(asked(), sofar + 1);
	await page.keyboard.type(" now");
	await none(page);
	await wanted(page, { "complete.pause_ms": "300" });
	await page.keyboard.type(", tea");
	await ghost(page);
	await page.keyboard.press("ArrowLeft");
	await none(page);
	const before = asked();
	await write(page, "I drink ‸ in the morning");
	await page.keyboard.type("tea ");
	await page.waitForTimeout(400);
	assert.equal(asked(), before);
	await wanted(page, { complete: "off", "complete.pause_ms": "300" });
	await write(page, "I drink‸");
	await page.keyboard.type(" tea");
	await page.waitForTimeout(400);
	assert.equal(asked(), before, "switched off, nothing is asked");
	assert.equal(await page.locator(".notice").count(), 0, "who did not ask is told nothing");
});

test("refused places are told of and never asked about", async (t) => {
	const page = await note(t);
	const sofar = asked();
	for (const [marked, why] of [["```js\nlet a‸\n```", "code"], ["Use `ls‸` here", "code"], ["$$\nx‸\n$$", "math"], ["Let $x‸$ be", "math"], ["---\ntags: a‸\n---\n", "properties"],
		["a | b\n--|--\n1 ‸", "tables"], ["# A head‸", "headings"], ["see [[No‸", "links"], ["see [a](b‸)", "links"], ["about #ta‸", "tags"],
		["<div>x‸</div>", "HTML"], ["%% c‸", "comments"], ["in a wo‸rd", "inside a word"], ["Text\n‸", "beginning of the line"], ["https://a.exam‸", "links"]]) {
		await page.evaluate(() => document.querySelector(".notice-container").replaceChildren());
		await write(page, marked);
		await command(page, "complete");
		await page.waitForSelector(`.notice:has-text("No completion: "):has-text("${why}")`);
	}
	await write(page, "One ‸ two");
	await page.evaluate(() => window.bench.cm.dispatch({ selection: { anchor: 0, head: 3 } }));
	await command(page, "complete");
	await page.waitForSelector('.notice:has-text("one cursor")');
	assert.equal(asked(), sofar);
	await wanted(page, { "complete.excluded": "Start here.md" });
	await write(page, "I drink tea‸");
	await command(page, "complete");
	await page.waitForSelector('.notice:has-text("excluded")');
	await wanted(page, { "complete.excluded": "" });
	await write(page, "I add nothing to tea‸");
	await command(page, "complete");
	await page.waitForSelector('.notice:has-text("nothing to add")');
	await none(page);
});

test("an input method: nothing while it composes, no key of it is taken, and what was shown is gone", async (t) => {
	const page = await note(t, { "complete.pause_ms": "300" });
	const ime = await page.context().newCDPSession(page);
	await write(page, "早上我‸");
	const sofar = asked();
	for (const pinyin of ["h", "he", "hel", "helv", "helvcha"]) {
		await ime.send("Input.imeSetComposition", { text: pinyin, selectionStart: pinyin.length, selectionEnd: pinyin.length });
	}
	assert.equal(await page.evaluate(() => window.bench.cm.composing), true);
	await page.waitForTimeout(450);
	await command(page, "complete");
	await page.waitForSelector('.notice:has-text("input method")');
	assert.equal(asked(), sofar, "nothing is asked while it composes");
	await page.evaluate(() => window.bench.cm.focus());
	await ime.send("Input.insertText", { text: "喝绿茶" });
	await ghost(page, "，也喝红茶");
	assert.equal(await text(page), "早上我喝绿茶");
	await ime.send("Input.imeSetComposition", { text: "d", selectionStart: 1, selectionEnd: 1 });
	await none(page);
	await page.evaluate(() => ["Tab", "Escape"].forEach((key) => window.bench.cm.contentDOM.dispatchEvent(new KeyboardEvent("keydown", { key, isComposing: true, bubbles: true, cancelable: true }))));
	await ime.send("Input.insertText", { text: "的" });
	assert.equal(await text(page), "早上我喝绿茶的");
	await write(page, "早上我喝绿茶的‸"); // a call that a pause after the composition may have begun is dropped
	await idle(page);
	await wanted(page, { "complete.pause_ms": "300" });
	await page.keyboard.type("绿茶");
	await ghost(page, "，也喝红茶");
	await page.evaluate(() => window.bench.cm.contentDOM.dispatchEvent(new KeyboardEvent("keydown", { key: "Process", keyCode: 229, bubbles: true, cancelable: true })));
	await none(page);
});

test("late answers are dropped: after an edit, a move, loss of focus; Esc stops the call; one editor asks at a time", async (t) => {
	const page = await note(t);
	const acts = {
		edit: () => page.keyboard.type("x"),
		move: () => page.keyboard.press("ArrowLeft"),
		blur: () => page.evaluate(() => document.activeElement.blur()),
		escape: () => page.keyboard.press("Escape"),
	};
	for (const name of ["edit", "move", "blur", "escape"]) {
		await wanted(page, {});
		await write(page, "A slow tea‸");
		const sofar = asked();
		await command(page, "complete");
		await ghost(page, " …");
		await until(() => asked() === sofar + 1);
		await acts[name]();
		await none(page);
		await idle(page);
		await page.waitForTimeout(name === "blur" ? 900 : 50); // the answer would have come by now
		await none(page);
	}
	assert.deepEqual(await taken(page), []);
	assert.deepEqual(await page.locator(".notice").allTextContents(), []);
	await wanted(page, {});
	await write(page, "A hang of tea‸");
	await command(page, "complete");
	await ghost(page, " …");
	const close = await page.evaluateHandle(() => window.bench.openNote());
	await page.evaluate((end) => end(), close);
	await none(page);
	await idle(page);

	await page.evaluate(() => { // answers that come although the call was given up
		const { client } = window.bench.plugin;
		window.bench.real = client.call;
		client.call = () => new Promise((give) => (window.bench.give = () => give({ text: " with a little milk" })));
	});
	for (const name of ["edit", "move", "blur", "escape", "stay"]) {
		await write(page, "A slow tea‸");
		await command(page, "complete");
		await ghost(page, " …");
		await acts[name]?.();
		await page.evaluate(() => window.bench.give());
		await (name === "stay" ? ghost(page) : none(page));
	}
	assert.equal(await page.locator(GHOST).count(), 1);
	await page.evaluate(() => (window.bench.plugin.client.call = window.bench.real));

	await wanted(page, {}); // another editor's request ends the first
	await write(page, "A hang of tea‸");
	await command(page, "complete");
	await ghost(page, " …");
	await page.evaluate(() => {
		window.bench.other = window.bench.openNote();
		const [first, second] = window.bench.plugin.completion.live;
		first.view.hasFocus || second.view.dispatch({ selection: { anchor: second.view.state.doc.length } });
		void second.ask(true);
	});
	await page.waitForSelector("#main .deepseedian-ghost");
	await none(page);
	await page.evaluate(() => window.bench.other());
	await idle(page);
});

test("where a question is written: after a pause, Tab with its own undo, Esc, no command, no input method", async (t) => {
	const page = await note(t, { complete: "off", "complete.chat": "on", "complete.pause_ms": "300" });
	await command(page, "chat");
	const field = ".deepseedian-composer textarea";
	const grey = ".deepseedian-copy .deepseedian-ghost";
	await page.waitForSelector(field);
	await page.focus(field);
	await page.keyboard.type("What goes well with tea", { delay: 10 });
	await page.waitForSelector(grey);
	assert.equal(await page.textContent(grey), SAID);
	const [copy, box] = await page.evaluate((selector) => [document.querySelector(".deepseedian-copy"), document.querySelector(selector)].map((el) => {
		const { x, y, width } = el.getBoundingClientRect();
		return [x, y, width, window.getComputedStyle(el).font, window.getComputedStyle(el).padding];
	}), field);
	assert.deepEqual(copy, box, "the grey text lies where the field's own would");
	await pictures(page, "complete-chat");
	await page.keyboard.press("Tab");
	assert.equal(await page.inputValue(field), `What goes well with tea${SAID}`);
	assert.equal(await page.evaluate((selector) => document.activeElement === document.querySelector(selector), field), true);
	await page.keyboard.press("Control+z");
	assert.equal(await page.inputValue(field), "What goes well with tea");
	await wanted(page, { complete: "off", "complete.chat": "on", "complete.pause_ms": "300" });
	await page.keyboard.type("?");
	await page.waitForSelector(grey);
	await page.keyboard.press("Escape");
	await page.waitForSelector(grey, { state: "detached" });
	assert.equal(await page.inputValue(field), "What goes well with tea?");
	const sofar = asked();
	await page.fill(field, "/remember tea");
	await page.waitForTimeout(400);
	await page.fill(field, "");
	const ime = await page.context().newCDPSession(page);
	await ime.send("Input.imeSetComposition", { text: "lvcha", selectionStart: 5, selectionEnd: 5 });
	await page.waitForTimeout(400);
	assert.equal(asked(), sofar);
	await ime.send("Input.insertText", { text: "绿茶" });
	await page.waitForSelector(grey);
	assert.equal(await page.textContent(grey), "，也喝红茶");
	await page.keyboard.press("Enter");
	await page.waitForSelector('.deepseedian-turn[data-state="done"] .deepseedian-question:text-is("绿茶")');
	assert.equal(await page.locator(grey).count(), 0);
});

test("settings are rows like all others, and in force at once; it speaks Chinese", async (t) => {
	const page = await note(t, { complete: "off" }, { language: "zh" });
	await write(page, "早上我喝绿茶‸");
	await command(page, "complete");
	await page.waitForSelector('.notice:has-text("没有补全：已关闭")');
	await page.evaluate(() => window.bench.settings());
	const row = page.locator('[data-setting="complete"]');
	await row.waitFor();
	assert.match(await row.textContent(), /笔记中的行内补全/);
	await row.locator(".checkbox-container").click();
	now.complete = "on";
	await page.waitForFunction(() => window.bench.plugin.completion.notes);
	for (const name of ["complete.memory", "complete.chat", "complete.pause_ms", "complete.excluded"]) {
		assert.match(await page.locator(`[data-setting="${name}"]`).textContent(), /[\u4e00-\u9fff]/);
	}
	await write(page, "早上我喝绿茶‸");
	await command(page, "complete");
	await ghost(page, "，也喝红茶");
	await pictures(page, "complete-zh");
});

test("fifty notes opened and closed, fifty chats: nothing is left; unloading takes it out of every editor", async (t) => {
	const page = await note(t, { "complete.pause_ms": "300", "complete.chat": "on" });
	const cycle = () => page.evaluate(async () => {
		const close = window.bench.openNote();
		const one = [...window.bench.plugin.completion.live].at(-1);
		one.view.dispatch({ changes: { from: 13, insert: "tea" }, selection: { anchor: 16 }, userEvent: "input.type" });
		close();
		await window.bench.command("chat");
		const field = document.querySelector(".deepseedian-composer textarea");
		field.value = "tea";
		field.dispatchEvent(new Event("input"));
		for (const leaf of [...window.bench.leaves]) {
			await leaf.detach();
		}
		const { listeners, intervals, plugin } = window.bench;
		return [listeners.count, intervals.size, plugin.link.listeners.size, plugin.completion.live.size];
	});
	const sofar = asked();
	await cycle();
	const after = await cycle();
	for (let round = 0; round < 48; round++) {
		await cycle();
	}
	assert.deepEqual(await cycle(), after);
	assert.equal(after[3], 1);
	await page.waitForTimeout(400);
	assert.equal(asked(), sofar, "what is closed asks for nothing any more");
	await write(page, "I drink tea‸");
	await command(page, "complete");
	await ghost(page);
	await page.evaluate(() => window.bench.plugin.unload());
	await none(page);
	assert.equal(await page.evaluate(() => window.bench.plugin.completion.live.size), 0);
	await page.evaluate(() => window.bench.cm.focus());
	await page.keyboard.press("Tab");
	assert.deepEqual([await text(page), await taken(page)], ["I drink tea", ["Tab"]]);
	await until(() => served.counts.open.size === 0);
});

test("the daemon is killed while it is asked: told in a sentence, and the note is as it was", async (t) => {
	const page = await note(t);
	await write(page, "A hang of tea‸");
	const sofar = asked();
	await command(page, "complete");
	await ghost(page, " …");
	await until(() => asked() === sofar + 1);
	const names = await fs.readdir(runtime);
	process.kill(JSON.parse(await fs.readFile(`${runtime}/${names.find((name) => name.endsWith(".json"))}`, "utf8")).pid, "SIGKILL");
	await page.waitForSelector('.notice:has-text("The connection broke")');
	await none(page);
	await page.keyboard.type(" and more");
	assert.equal(await text(page), "A hang of tea and more");
	await command(page, "complete");
	await page.waitForSelector('.notice:has-text("Deepseedian is not running.")');
	await none(page);
});
