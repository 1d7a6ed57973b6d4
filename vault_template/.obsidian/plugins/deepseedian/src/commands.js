/** Commands typed in place of a question: they are carried out here and never reach a model. */

import { Notice } from "obsidian";
import { shown } from "./dialogs.js";
import { textButton } from "./parts.js";
import { say } from "./words.js";

/** @typedef {{name: string, rest: string}} Typed */

/** Name, what follows it (shown in the help), whether it needs text, what it does. */
const COMMANDS = /** @type {() => [string, string, boolean, string][]} */ (() => [
	["remember", say("text", "内容"), true, say("keep this in memory", "记住这句话")],
	["memory", say("words", "词语"), false, say("open memory, or search it", "打开记忆，或搜索")],
	["review", "", false, say("open what waits for your decision", "打开待审阅的提议")],
	["organize", "", false, say("look for what is worth keeping, as proposals", "查找值得记住的内容，作为提议")],
	["goal", say("text, or clear", "内容，或 clear"), false, say("a goal that goes along with every question of this chat", "此会话每个问题都附带的目标")],
	["new", "", false, say("a new chat", "新会话")],
	["help", "", false, say("these commands", "查看命令")],
]);

/** The command that this text is, or null for a question. @param {string} text @returns {Typed | null} */
export function typed(text) {
	const found = /^\/([A-Za-z]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
	return found ? { name: found[1].toLowerCase(), rest: (found[2] ?? "").trim() } : null;
}

/** What is wrong with it; empty when it can be carried out. @param {Typed} command */
export function fault(command) {
	const row = COMMANDS().find(([name]) => name === command.name);
	if (!row) {
		return say("There is no command /{0}. /help lists them.", "没有命令 /{0}，输入 /help 查看。", command.name);
	}
	if (row[2] && !command.rest) {
		return say("/{0} needs text.", "/{0} 后面需要内容。", command.name);
	}
	return !row[1] && command.rest ? say("/{0} takes no text.", "/{0} 后面不需要内容。", command.name) : "";
}

/** @param {HTMLElement} parent */
export function showHelp(parent) {
	const list = parent.createEl("dl", { cls: "deepseedian-help" });
	for (const [name, after, , meaning] of COMMANDS()) {
		list.createEl("dt", { text: after ? `/${name} ${after}` : `/${name}` });
		list.createEl("dd", { text: meaning });
	}
}

/** The commands that what is typed may become, as buttons above it. @param {import("./chat.js").ChatView} view */
export function showHints(view) {
	const hints = view.hints;
	const word = /^\/([A-Za-z]*)$/.exec(view.composer?.field.value ?? "")?.[1];
	hints?.empty();
	if (!hints || word === undefined) {
		return;
	}
	COMMANDS().filter(([name]) => name.startsWith(word.toLowerCase())).forEach(([name, , , meaning]) => {
		const button = textButton(hints, `/${name}`, () => {
			view.composer?.write(`/${name} `);
			hints.empty();
		});
		button.createSpan({ cls: "deepseedian-meta", text: meaning });
	});
}

/**
 * Whether it was done. @param {import("./chat.js").ChatView} view @param {Typed} command @returns {Promise<boolean>}
 */
export async function carryOut(view, command) {
	const client = view.plugin.client;
	if (command.name === "remember") {
		const done = await view.plugin.tried(() => client.change("POST", "/v1/entries", { text: command.rest }));
		if (done) {
			new Notice(say("Remembered.", "已记住。"));
		}
		return Boolean(done);
	}
	if (command.name === "organize") {
		new Notice(say("Looking for what is worth keeping…", "正在查找值得记住的内容…"));
		const done = await view.plugin.tried(() => client.post("/v1/organize"));
		if (done) {
			new Notice(done.proposals.length ? say("{0} proposals wait for you.", "有 {0} 条提议待审阅。", done.proposals.length) : say("Nothing to propose.", "没有可提议的内容。"));
		}
		return Boolean(done);
	}
	if (command.name === "goal") {
		const goal = command.rest.toLowerCase() === "clear" ? "" : command.rest;
		return Boolean(command.rest ? await view.change({ goal }) : (await view.switches(), true));
	}
	if (command.name === "memory") {
		await view.plugin.openMemory({ query: command.rest });
	} else if (command.name === "review") {
		await view.plugin.openReview();
	} else if (command.name === "new") {
		await view.show("");
	} else {
		shown(view.app, say("Commands", "命令"), (content) => showHelp(content));
	}
	return true;
}
