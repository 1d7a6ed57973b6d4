/**
 * The plugin as a person uses it, in a real browser, against a running daemon with a scripted model. BENCH_SHOTS keeps the
 * pictures that were taken.
 */
import assert from "node:assert/strict";
import { promises as fs } from "node:fs";
import test from "node:test";
import { call, command, opened, runtime, served, shots, until } from "./stage.mjs";

const PAYLOADS = JSON.parse(await fs.readFile(new URL("payloads.json", import.meta.url), "utf8"));

async function chat(t, options) {
	const page = await opened(t, options);
	await command(page, "chat");
	await page.waitForSelector(".deepseedian-composer textarea");
	return page;
}

const field = ".deepseedian-composer textarea";
async function ask(page, question) {
	await page.fill(field, question);
	await page.press(field, "Enter");
}

const ended = (page, state = "done") => page.waitForSelector(`.deepseedian-turn:last-child[data-state="${state}"]`);

/** The same view in light and dark, wide and narrow. */
async function pictures(page, name, where = "side") {
	for (const theme of ["light", "dark"]) {
		for (const [size, width] of [["wide", 1280], ["narrow", 340]]) {
			await page.setViewportSize({ width, height: 760 });
			await page.evaluate(([t, s, w]) => (document.body.className = `theme-${t} ${s} ${w}`), [theme, size, where]);
			await page.screenshot({ path: `${shots}/${name}-${theme}-${size}.png` });
		}
	}
	await page.setViewportSize({ width: 1280, height: 760 });
	await page.evaluate(() => (document.body.className = "theme-light"));
	assert.ok(await page.evaluate(() => [...document.querySelectorAll(".view-content")].every((el) => el.scrollWidth <= el.clientWidth + 1)), "nothing sticks out");
}

const dialog = (page, button) => page.click(`.modal-container:last-child .modal button:text-is("${button}")`);

test("a question is answered, with reasoning, memory and cost, and nothing goes along that was taken out", async (t) => {
	const page = await chat(t);
	await call(page, "POST", "/v1/entries", { text: "I drink green tea in the morning." });
	assert.match(await page.textContent(".deepseedian-chips"), /Start here\.md/);
	await page.evaluate(() => window.bench.cm.dispatch({ selection: { anchor: 14, head: 36 } }));
	await page.waitForSelector('[data-kind="text-select"]');
	await ask(page, "plain: what do I drink, green tea?");
	await ended(page);
	const turn = page.locator(".deepseedian-turn:last-child");
	assert.match(await turn.locator(".deepseedian-answer").innerText(), /A plain answer 你好/);
	assert.equal(await turn.locator(".deepseedian-reasoning").getAttribute("open"), null, "reasoning is folded");
	assert.match(await turn.locator(".deepseedian-reasoning").textContent(), /first I think/);
	assert.match(await turn.locator(".deepseedian-usage").innerText(), /10 in, 5 out/);
	assert.match(await turn.locator(".deepseedian-used summary").innerText(), /Memory used: 1/);
	const manifest = async () => (await call(page, "GET", `/v1/traces/${await page.getAttribute(".deepseedian-turn:last-child", "data-turn")}`)).manifest;
	const sent = await manifest();
	assert.deepEqual([sent.items[0].label, sent.note.selection], ["Start here.md", "First line\nSecond line"]);
	await pictures(page, "chat");

	await page.click('[data-kind="text-select"] button');
	await page.click('[data-kind="file-text"] button');
	await page.setInputFiles('input[type="file"]', [{ name: "table.csv", mimeType: "text/csv", buffer: Buffer.from("a,b") }, { name: "x.exe", mimeType: "", buffer: Buffer.from("x") }]);
	await page.waitForSelector('[data-kind="paperclip"]');
	assert.match(await page.textContent(".notice-container"), /x\.exe: this kind of file is not taken/);
	await ask(page, "plain again");
	await page.waitForFunction(() => document.querySelectorAll('.deepseedian-turn[data-state="done"]').length === 2);
	assert.deepEqual((await manifest()).items.map((item) => item.label), ["table.csv"]);

	await command(page, "pin-selection");
	await page.waitForSelector('[data-kind="pin"]:has-text("Start here.md, lines 3–4")');
	for (const [kind, text] of [["text/plain", "obsidian://open?vault=x&file=tea"], ["application/x-deepseedian-entry", '{"id":"12345678-9","text":"a memory"}']]) {
		await page.evaluate(([type, dragged]) => {
			const data = new DataTransfer();
			data.setData(type, dragged);
			document.querySelector(".deepseedian-composer").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
		}, [kind, text]);
	}
	await page.waitForSelector('[data-kind="paperclip"]:has-text("memory-12345678.md")');
	assert.equal(await page.locator('[data-kind="paperclip"]:has-text("tea.md")').count(), 1);
	await page.click(".deepseedian-used summary");
	await page.click('.deepseedian-used button:text("Why these?")');
	await page.waitForSelector(".modal .deepseedian-card");
	assert.match(await page.textContent(".modal"), /I drink green tea.*words: .*tea/s);
	await page.click('.modal button:text-is("Useful")');
	await page.waitForSelector('.modal :text("Noted.")');
	await page.click(".modal .deepseedian-card a");
	await page.waitForSelector('.deepseedian-memory .deepseedian-whole:text("I drink green tea")');
});

test("Markdown is drawn, links lead into the vault, and no payload runs", async (t) => {
	const page = await chat(t);
	await ask(page, "markdown please");
	await ended(page);
	const answer = page.locator(".deepseedian-answer");
	assert.deepEqual(await answer.evaluate((el) => ["h2", "li strong", "td", "pre code", ".math", "img"].map((found) => el.querySelectorAll(found).length)), [1, 1, 2, 1, 1, 0]);
	await answer.locator("a.internal-link").click();
	assert.deepEqual(await page.evaluate(() => window.bench.links), ["Start here"]);
	await pictures(page, "markdown");

	assert.ok(PAYLOADS.length >= 60);
	await ask(page, "payload");
	await page.waitForFunction(() => document.querySelectorAll('.deepseedian-turn[data-state="done"]').length === 2);
	const evil = page.locator(".deepseedian-turn:last-child .deepseedian-answer");
	const found = await evil.evaluate((el) => ({
		tags: [...new Set([...el.querySelectorAll("*")].map((one) => one.localName))].sort(),
		handlers: [...el.querySelectorAll("*")].flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith("on")),
		links: [...el.querySelectorAll("a[href]")].map((one) => one.href).filter((href) => !/^https?:/.test(href)),
	}));
	assert.deepEqual(found.handlers, []);
	assert.deepEqual(found.links, []);
	for (const tag of ["script", "img", "svg", "iframe", "style", "link", "object", "form", "input", "template", "base", "meta"]) {
		assert.ok(!found.tags.includes(tag), tag);
	}
	await evil.evaluate((el) => el.querySelectorAll("a:not(.internal-link):not(.external-link)").forEach((link) => link.click()));
	for (const payload of PAYLOADS) { // as memory, as a proposal, as a title: text everywhere
		const text = payload.replaceAll("\0", "").trim();
		await call(page, "POST", "/v1/proposals", { text, reason: text, topic: "xss", evidence: [] }).catch(() => undefined);
	}
	await command(page, "review");
	await page.waitForSelector(".deepseedian-review .deepseedian-card");
	assert.ok(await page.locator(".deepseedian-review .deepseedian-card").count() > 20);
	assert.equal(await page.locator(".deepseedian-review :is(script, img, svg, iframe, style, object)").count(), 0);
	await page.click('.deepseedian-bar button:text("Choose all")');
	await page.click('.deepseedian-bar button:text("Approve chosen")');
	await page.waitForSelector(".deepseedian-review .deepseedian-empty", { timeout: 60_000 });
	await command(page, "memory");
	await page.waitForFunction(() => document.querySelectorAll(".deepseedian-memory .deepseedian-card").length > 20);
	assert.equal(await page.locator(".deepseedian-memory :is(script, img, svg, iframe, style, object)").count(), 0);
});

test("tools are folded; the trace shows every step", async (t) => {
	const page = await chat(t);
	await ask(page, "answer with tools");
	await ended(page);
	assert.match(await page.innerText(".deepseedian-answer"), /You drink green tea/);
	assert.equal(await page.getAttribute(".deepseedian-tool", "data-state"), "done");
	assert.equal(await page.getAttribute(".deepseedian-tool", "open"), null);
	await page.click('.deepseedian-turn [aria-label="What happened in this turn"]');
	await page.waitForSelector('.deepseedian-step[data-kind="tool_result"]');
	assert.match(await page.innerText(".deepseedian-trace .deepseedian-usage"), /20 in, 10 out.*done/);
	await page.click('.deepseedian-step[data-kind="tool_call"] summary');
	await page.waitForSelector('.deepseedian-step[open] pre:text("memory_search")');
	await pictures(page, "trace", "main");
	const all = await page.locator(".deepseedian-step").count();
	await page.check(".deepseedian-trace input[type=checkbox]");
	assert.equal(await page.locator(".deepseedian-step").count(), 2);
	await page.uncheck(".deepseedian-trace input[type=checkbox]");
	await page.fill(".deepseedian-trace input[type=search]", "no such words");
	assert.equal(await page.locator(".deepseedian-step").count(), 0);
	await page.fill(".deepseedian-trace input[type=search]", "");
	assert.equal(await page.locator(".deepseedian-step").count(), all);
	await page.click('.deepseedian-trace button:text("All turns")');
	await page.waitForSelector('.deepseedian-trace .deepseedian-title:text("answer with tools")');
});

test("stopping keeps what was answered", async (t) => {
	const page = await chat(t);
	await ask(page, "slow please");
	await page.waitForSelector('.deepseedian-answer:has-text("It begins")');
	await page.click('.deepseedian-composer button:text("Stop")');
	await ended(page, "stopped");
	assert.match(await page.innerText(".deepseedian-turn"), /It begins[\s\S]*Stopped/);
	await ask(page, "plain after stopping");
	await page.waitForSelector('.deepseedian-turn:last-child[data-state="done"]');
});

test("commands are carried out here and never reach the model", async (t) => {
	const page = await chat(t);
	const asked = () => served.counts.asked.filter((line) => line === "POST /v1/ask").length;
	const sofar = asked();
	await page.fill(field, "/");
	await page.waitForSelector('.deepseedian-hints button:has-text("/remember")');
	await ask(page, "/remember Deploys happen on Tuesdays");
	await page.waitForSelector('.notice:text("Remembered.")');
	assert.equal(await page.locator(".deepseedian-hints button").count(), 0, "no hint stays behind");
	await ask(page, "/goal a plan for the move");
	await page.waitForSelector('.deepseedian-goal:text("a plan for the move")');
	await ask(page, "/nonsense");
	await page.waitForSelector('.notice:text("There is no command /nonsense")');
	assert.equal(await page.inputValue(field), "/nonsense");
	await ask(page, "/remember");
	await page.waitForSelector('.notice:text("/remember needs text")');
	await ask(page, "/help");
	await page.waitForSelector(".modal .deepseedian-help");
	await page.evaluate(() => document.querySelector(".modal-container").remove());
	await ask(page, "/memory Tuesdays");
	await page.waitForSelector('.deepseedian-memory .deepseedian-short:text("Deploys happen on Tuesdays")');
	await ask(page, "/review");
	await page.waitForSelector(".deepseedian-review");
	await ask(page, "/organize");
	await page.waitForSelector('.notice:has-text("propos")');
	await ask(page, "/new");
	await page.waitForSelector('.deepseedian-head .deepseedian-title:text("New chat")');
	assert.equal(asked(), sofar);
	await page.fill(field, "明天");
	await page.dispatchEvent(field, "keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true });
	assert.equal(asked(), sofar, "the Enter that takes a word of an input method sends nothing");
	assert.equal(await page.inputValue(field), "明天");
});

test("conversations are found, taken up, forked, renamed, switched and deleted; drafts are kept", async (t) => {
	const page = await chat(t);
	await ask(page, "plain: about the hippopotamus");
	await ended(page);
	await page.fill(field, "not sent yet");
	await page.waitForFunction(() => localStorage.getItem("deepseedian-drafts")?.includes("not sent yet"));
	await page.click('.deepseedian-turn [aria-label="Go on from here in a new chat"]');
	await page.waitForSelector('.deepseedian-head .deepseedian-title:has-text("（1）")');
	assert.equal(await page.inputValue(field), "");
	assert.match(await page.innerText(".deepseedian-body"), /hippopotamus[\s\S]*A plain answer/);
	await page.click('.deepseedian-head [aria-label="Goal and memory of this chat"]');
	await page.fill(".modal textarea", "write it down");
	await page.click(".modal .checkbox-container >> nth=0");
	await page.evaluate(() => window.bench.plugin.app && document.querySelectorAll(".modal-container").forEach((el) => el.dispatchEvent(new Event("x"))));
	const id = await page.evaluate(() => JSON.parse(localStorage.getItem("deepseedian-session")));
	await until(async () => !(await call(page, "GET", `/v1/sessions/${id}`)).reads);
	await page.evaluate(() => document.querySelector(".modal-container").remove());
	await page.click('.deepseedian-head [aria-label="Chats"]');
	await page.fill(".modal input[type=search]", "hippopotamus");
	await page.waitForFunction(() => document.querySelectorAll(".modal .deepseedian-row").length === 2);
	await pictures(page, "sessions");
	await page.click('.modal .deepseedian-row:not(.is-active) [aria-label="Rename"]');
	await page.fill(".modal-container:last-child input", "The river horse");
	await dialog(page, "Save");
	await page.waitForSelector('.modal .deepseedian-title:text-is("The river horse")');
	await page.click('.modal .deepseedian-row.is-active [aria-label="Delete"]');
	await dialog(page, "Delete");
	await page.waitForFunction(() => document.querySelectorAll(".modal .deepseedian-row").length === 1);
	await page.click('.modal .deepseedian-open');
	await page.waitForSelector('.deepseedian-head .deepseedian-title:text-is("The river horse")');
	assert.equal(await page.inputValue(field), "not sent yet");
});

test("the link in a review note leads to its conversation, and a link from elsewhere to nothing", async (t) => {
	const page = await opened(t);
	const follow = (link) => page.evaluate((said) => window.bench.plugin.obsidianProtocolHandlers__.get("deepseedian")(said), { action: "deepseedian", ...link });
	await call(page, "POST", "/v1/observe", { session: "linked-1", messages: [{ role: "user", text: "please remember: the walrus sleeps" }, { role: "assistant", text: "Noted." }] });
	const found = (await call(page, "GET", "/v1/proposals")).proposals.find((one) => /walrus/.test(one.text));
	const note = await fs.readFile(`${process.env.BENCH_VAULT}/${found.note}`, "utf8");
	const [, session] = /\(obsidian:\/\/deepseedian\?session=([^)]+)\)/.exec(note);
	for (const link of [{}, { session: "" }, { session: "../linked-1" }, { session: "a b" }]) {
		await follow(link);
	}
	assert.equal(await page.locator(".deepseedian-composer").count(), 0);
	await follow({ session });
	await page.waitForSelector('.deepseedian-question:text("the walrus sleeps")');
	await call(page, "POST", `/v1/proposals/${found.id}/decision`, { decision: "dismiss" });
});

test("after a restart the conversation is there again; what was found while the owner was away is told once", async (t) => {
	const page = await chat(t);
	await ask(page, "plain: before the restart");
	await ended(page);
	await page.reload();
	await page.waitForSelector("body[data-ready]");
	await command(page, "chat");
	await page.waitForSelector('.deepseedian-turn[data-state="done"] .deepseedian-question:text("before the restart")');
	assert.match(await page.innerText(".deepseedian-turn"), /A plain answer[\s\S]*10 in, 5 out/);
	const found = (proposals) => page.evaluate((ids) => window.bench.plugin.link.tell("idle.finished", { proposals: ids }), proposals);
	await found([]);
	assert.equal(await page.locator(".deepseedian-idle:visible").count(), 0);
	await found(["a", "b"]);
	await page.waitForSelector('.deepseedian-idle:has-text("While you were away: 2 proposals")');
	await page.click('.deepseedian-idle [aria-label="Dismiss"]');
	assert.equal(await page.locator(".deepseedian-idle:visible").count(), 0);
});

test("proposals: difference, quotes, approve, edit, dismiss, in bulk, by keyboard, counted in the status bar", async (t) => {
	const page = await opened(t);
	const made = await call(page, "POST", "/v1/entries", { text: "The meeting is on Wednesday at ten." });
	const propose = (text, more = {}) => call(page, "POST", "/v1/proposals", { text, reason: `because of ${text.slice(0, 12)}`, ...more });
	await propose("The meeting is on Thursday at ten.", { operation: "edit", entries: [made.id] });
	for (const text of ["Cats like boxes", "Dogs like walks", "Fish like water", "Birds like wind", "Owls like night"]) {
		await propose(text);
	}
	await page.waitForSelector('#status:has-text("6 to review")');
	await page.click("#status > div");
	await page.waitForFunction(() => document.querySelectorAll(".deepseedian-review .deepseedian-card").length === 6);
	const correct = page.locator('.deepseedian-card:has-text("Thursday")');
	assert.deepEqual([await correct.locator("del").innerText(), await correct.locator("ins").innerText()], ["Wednesday", "Thursday"]);
	await pictures(page, "review", "main");
	await correct.locator('button:text-is("Approve")').click();
	await page.waitForFunction(() => document.querySelectorAll(".deepseedian-review .deepseedian-card").length === 5);
	assert.equal((await call(page, "GET", `/v1/entries/${made.id}`)).text, "The meeting is on Thursday at ten.");

	const cats = page.locator('.deepseedian-card:has-text("Cats like boxes")');
	await cats.locator('button:text-is("Edit")').click();
	await page.fill(".deepseedian-card textarea", "Cats love boxes");
	await page.press(".deepseedian-card textarea", "Control+Enter");
	await page.waitForFunction(() => document.querySelectorAll(".deepseedian-review .deepseedian-card").length === 4);
	const texts = async () => (await call(page, "GET", "/v1/entries")).entries.map((entry) => entry.text);
	assert.ok((await texts()).includes("Cats love boxes"));

	await page.focus(".deepseedian-review .deepseedian-list");
	const first = await page.innerText(".deepseedian-card.is-active .deepseedian-diff");
	await page.keyboard.press("j");
	const second = await page.innerText(".deepseedian-card.is-active .deepseedian-diff");
	assert.notEqual(first, second);
	await page.keyboard.press("a");
	await page.waitForFunction(() => document.querySelectorAll(".deepseedian-review .deepseedian-card").length === 3);
	assert.ok((await texts()).includes(second));
	await page.keyboard.press("k");
	await page.keyboard.press("d");
	await page.waitForFunction(() => document.querySelectorAll(".deepseedian-review .deepseedian-card").length === 2);
	await page.focus('.deepseedian-bar button:text("Choose all")');
	await page.keyboard.press("Enter");
	await page.waitForSelector('.deepseedian-bar button:text("Choose none"):focus');
	await page.click('.deepseedian-bar button:text("Dismiss chosen")');
	await page.waitForSelector('.deepseedian-empty:text("Nothing waits for you.")');
	assert.equal((await texts()).filter((text) => /like/.test(text)).length, 1);
});

test("memory: search, filters, edit, move, pin, forget, undo, erase, timeline, archive, an earlier date", async (t) => {
	const page = await opened(t);
	const add = (text, more = {}) => call(page, "POST", "/v1/entries", { text, ...more });
	await add("The zebra lives in Basel", { topic: "animals", kind: "fact" });
	await add("The giraffe lives in Bern", { topic: "animals", trust: "external" });
	await command(page, "memory");
	const cards = page.locator(".deepseedian-memory .deepseedian-card");
	await page.selectOption('[aria-label="Topic"]', "animals");
	await page.waitForFunction(() => document.querySelectorAll(".deepseedian-memory .deepseedian-card").length === 2);
	await page.selectOption('[aria-label="Trust"]', "external");
	await page.waitForFunction(() => document.querySelectorAll(".deepseedian-memory .deepseedian-card").length === 1);
	await page.selectOption('[aria-label="Trust"]', "");
	await page.selectOption('[aria-label="Kind"]', "fact");
	await page.waitForFunction(() => document.querySelectorAll(".deepseedian-memory .deepseedian-card").length === 1);
	await page.selectOption('[aria-label="Kind"]', "");
	await page.waitForFunction(() => document.querySelectorAll(".deepseedian-memory .deepseedian-card").length === 2);
	await page.fill('[aria-label="Search memory"]', "zebra");
	await page.waitForFunction(() => document.querySelectorAll(".deepseedian-memory .deepseedian-card").length === 1);
	await cards.first().locator(".deepseedian-open").click();
	await cards.first().locator('button:text-is("Edit")').click();
	await page.fill(".modal textarea", "The zebra lives in Zurich");
	await dialog(page, "Save");
	await page.waitForSelector('.deepseedian-whole:text("Zurich")');
	await page.click('.deepseedian-card button:text-is("Move")');
	await page.fill(".modal input", "zoo");
	await dialog(page, "Move");
	await page.waitForFunction(() => [...document.querySelectorAll('[aria-label="Topic"] option')].some((option) => option.value === "zoo"));
	await page.selectOption('[aria-label="Topic"]', "");
	await page.waitForSelector('.deepseedian-card .deepseedian-meta:has-text("zoo")');
	await page.click('.deepseedian-card button:text-is("Pin")');
	await page.waitForSelector('.deepseedian-card .deepseedian-meta:has-text("pinned")');
	await page.focus(".deepseedian-card .deepseedian-open");
	for (const open of ["false", "true"]) { // the keyboard stays with the entry that it opens and closes
		await page.keyboard.press("Enter");
		await page.waitForSelector(`.deepseedian-open[aria-expanded="${open}"]:focus`);
	}
	await page.click('.deepseedian-card button:text-is("Timeline")');
	await page.waitForSelector('.modal del:text("Basel")');
	assert.match(await page.innerText(".modal"), /Pinned[\s\S]*Moved[\s\S]*animals → zoo[\s\S]*Edited[\s\S]*Written/);
	await pictures(page, "memory", "main");
	await page.evaluate(() => document.querySelector(".modal-container").remove());
	await page.click('.deepseedian-card button:text-is("Forget")');
	await page.waitForSelector(".deepseedian-memory .deepseedian-empty");
	await page.selectOption('[aria-label="Which memory"]', "archive");
	await page.waitForFunction(() => document.querySelectorAll(".deepseedian-memory .deepseedian-card").length === 2);
	await page.click('[aria-label="Undo the last change"]');
	await page.waitForSelector('.notice:text("Undone")');
	await page.selectOption('[aria-label="Which memory"]', "now");
	await page.waitForSelector('.deepseedian-card:has-text("Zurich")');
	await page.click('[aria-label="Redo"]');
	await page.waitForSelector(".deepseedian-memory .deepseedian-empty");
	await page.selectOption('[aria-label="Which memory"]', "then");
	assert.ok(await page.isDisabled('[aria-label="Kind"]'), "filters that an earlier date does not know are not offered");
	await page.fill('[aria-label="Date"]', "2020-01-01");
	await page.waitForSelector('.deepseedian-empty:text("Nothing here.")');
	await page.fill('[aria-label="Search memory"]', "giraffe");
	await page.selectOption('[aria-label="Which memory"]', "now");
	await page.waitForSelector('.deepseedian-card:has-text("giraffe")');
	await page.click(".deepseedian-card .deepseedian-open");
	await page.click('.deepseedian-card button:text("Erase…")');
	await dialog(page, "Cancel");
	assert.equal(await cards.count(), 1);
	await page.click('.deepseedian-card button:text("Erase…")');
	await dialog(page, "Erase");
	await page.waitForSelector('.modal-title:text("Erased")');
	await page.waitForSelector(".deepseedian-memory .deepseedian-empty");
	assert.ok(!JSON.stringify(await call(page, "GET", "/v1/archive")).includes("giraffe"));
});

test("settings show where values come from and are in force at once; everything speaks Chinese", async (t) => {
	const page = await opened(t, { language: "zh" });
	await page.evaluate(() => window.bench.settings());
	const row = page.locator('[data-setting="idle.minutes"]');
	await row.waitFor();
	assert.match(await row.textContent(), /来自：默认值/);
	await row.locator("input").fill("15");
	await row.locator("input").blur();
	await page.waitForSelector('[data-setting="idle.minutes"]:has-text("来自：此仓库")');
	assert.equal((await call(page, "GET", "/v1/settings/idle.minutes")).value, 15);
	await row.locator("input").fill("9999");
	await row.locator("input").blur();
	await page.waitForSelector('.notice:has-text("240")');
	await page.waitForFunction(() => document.querySelector('[data-setting="idle.minutes"] input').value === "15");
	await pictures(page, "settings-zh", "main");
	await command(page, "chat");
	await page.waitForSelector('.deepseedian-composer button:text("发送")');
	await ask(page, "plain 中文");
	await ended(page);
	await pictures(page, "chat-zh");
	await command(page, "memory");
	await page.waitForSelector('.deepseedian-memory select:has-text("主题")');
	const words = await page.evaluate(() => [...document.querySelectorAll(".deepseedian-head [aria-label], .deepseedian-composer [aria-label], .deepseedian-memory .deepseedian-bar [aria-label]")]
		.map((el) => el.getAttribute("aria-label")).filter((label) => !/[\u4e00-\u9fff]/.test(label)));
	assert.deepEqual(words, []);
});

test("keys are reported as activity, and not each of them", async (t) => {
	const page = await chat(t);
	const told = () => served.counts.asked.filter((line) => line === "POST /v1/activity").length;
	const sofar = told();
	await page.waitForFunction(() => window.bench.plugin.link.presence === "here");
	await page.type(field, "typing along");
	await until(() => told() === sofar + 1);
	await page.type(field, "and on");
	assert.equal(told(), sofar + 1);
});

test("fifty times opened and closed: no listener, timer or connection is left", async (t) => {
	const page = await opened(t);
	await page.waitForFunction(() => window.bench.plugin.link.presence === "here");
	const cycle = () => page.evaluate(async () => {
		for (const id of ["chat", "review", "memory", "trace"]) {
			await window.bench.command(id);
		}
		for (let waited = 0; window.bench.leaves.length < 4 && waited < 500; waited++) {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		for (const leaf of [...window.bench.leaves]) {
			await leaf.detach();
		}
		const { listeners, intervals, plugin } = window.bench;
		return [listeners.count, intervals.size, plugin.link.listeners.size, document.querySelectorAll("#main *, #side *").length];
	});
	await cycle();
	const after = await cycle();
	for (let round = 0; round < 48; round++) {
		await cycle();
	}
	assert.deepEqual(await cycle(), after);
	assert.equal(after[3], 0);
	await until(() => served.counts.open.size <= 1);
	await page.evaluate(() => window.bench.plugin.unload());
	await until(() => served.counts.open.size === 0);
	assert.equal(await page.evaluate(() => window.bench.plugin.link.listeners.size), 0);
});

test("the daemon is killed in the middle of an answer: what came stays, drafts too, and one click brings it back", async (t) => {
	const page = await chat(t);
	await ask(page, "slow please");
	await page.waitForSelector('.deepseedian-answer:has-text("It begins")');
	const names = await fs.readdir(runtime);
	const endpoint = JSON.parse(await fs.readFile(`${runtime}/${names.find((name) => name.endsWith(".json"))}`, "utf8"));
	process.kill(endpoint.pid, "SIGKILL");
	await ended(page, "interrupted");
	assert.match(await page.innerText(".deepseedian-turn"), /It begins[\s\S]*Interrupted/);
	await page.waitForSelector('.deepseedian-chat .deepseedian-away:visible');
	await ask(page, "plain, asked while nobody is there");
	await page.waitForSelector('.notice:text("Deepseedian is not running.")');
	assert.equal(await page.inputValue(field), "plain, asked while nobody is there");
	await page.waitForSelector('#status:has-text("away")');
	await pictures(page, "away");
	await page.click('.deepseedian-away button:text("Start it")');
	await page.waitForSelector(".deepseedian-chat .deepseedian-away.is-hidden", { state: "attached", timeout: 40_000 });
	await page.press(field, "Enter");
	await page.waitForSelector('.deepseedian-turn:last-child[data-state="done"]');
	const id = await page.evaluate(() => JSON.parse(localStorage.getItem("deepseedian-session")));
	assert.deepEqual((await call(page, "GET", `/v1/sessions/${id}`)).conversation.map((turn) => turn.state), ["interrupted", "done"]);
});
