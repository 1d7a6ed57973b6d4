/** The list of conversations: found by their words, taken up again, renamed, deleted. And the switches of one. */

import { Modal, Setting } from "obsidian";
import { confirmed, entered } from "./dialogs.js";
import { emptyLine, iconButton, longList } from "./parts.js";
import { failureText, say, when } from "./words.js";

const SEARCH_MS = 150;
const MOST = 100;

/** @typedef {Record<string, any> & {id: string, title: string, goal: string, reads: boolean, contributes: boolean}} Session */

export class SessionList extends Modal {
	/** @param {import("./main.js").default} plugin @param {string} current @param {(id: string) => void} choose */
	constructor(plugin, current, choose) {
		super(plugin.app);
		this.plugin = plugin;
		this.current = current;
		this.choose = choose;
		this.asked = 0;
	}

	onOpen() {
		this.setTitle(say("Chats", "会话"));
		this.modalEl.addClass("deepseedian", "deepseedian-sessions");
		this.field = this.contentEl.createEl("input", { type: "search", cls: "deepseedian-edit", attr: { placeholder: say("Search in all chats", "在所有会话中搜索"),
			"aria-label": say("Search in all chats", "在所有会话中搜索") } });
		this.list = this.contentEl.createDiv({ cls: "deepseedian-list" });
		let waiting = 0;
		this.field.oninput = () => {
			window.clearTimeout(waiting);
			waiting = window.setTimeout(() => void this.refresh(), SEARCH_MS);
		};
		void this.refresh();
		this.field.focus();
	}

	async refresh() {
		const asked = ++this.asked;
		const list = this.list;
		if (!list) {
			return;
		}
		try {
			const query = this.field?.value.trim() ?? "";
			/** @type {Session[]} */
			const sessions = [];
			for (let total = 1; sessions.length < total && sessions.length < 1000;) {
				const page = await this.plugin.client.get("/v1/sessions", { query, offset: sessions.length, limit: MOST });
				sessions.push(.../** @type {Session[]} */ (page.sessions));
				total = page.sessions.length ? Number(page.total) : 0;
				if (asked !== this.asked) {
					return; // the words changed meanwhile
				}
				longList(list, sessions, (session, parent) => this.row(session, parent));
			}
			if (!sessions.length) {
				list.empty();
				emptyLine(list, query ? say("No chat holds these words.", "没有会话包含这些词。") : say("No chats yet.", "还没有会话。"));
			}
		} catch (error) {
			list.empty();
			emptyLine(list, failureText(error));
		}
	}

	/** @param {Session} session @param {HTMLElement} parent */
	row(session, parent) {
		const row = parent.createDiv({ cls: "deepseedian-row", attr: { "data-id": session.id } });
		const open = row.createEl("button", { cls: "deepseedian-open", attr: { type: "button" } });
		open.createDiv({ text: session.title || session.id, cls: "deepseedian-title" });
		open.createDiv({ cls: "deepseedian-meta", text: session.excerpt ? String(session.excerpt)
			: say(session.turns === 1 ? "{0} · 1 turn" : "{0} · {1} turns", "{0} · {1} 轮", when(session.changed), Number(session.turns)) });
		if (session.id === this.current) {
			open.setAttr("aria-current", "true");
			open.createSpan({ cls: "deepseedian-meta", text: say("Open now", "当前会话") });
		}
		open.onclick = () => {
			this.close();
			this.choose(session.id);
		};
		row.toggleClass("is-active", session.id === this.current);
		iconButton(row, "pencil", say("Rename", "重命名"), () => this.rename(session));
		iconButton(row, "trash-2", say("Delete", "删除"), () => this.remove(session));
	}

	/** @param {Session} session */
	async rename(session) {
		const title = await entered(this.app, { title: say("Title of the chat", "会话标题"), value: session.title });
		if (title !== null) {
			await this.plugin.tried(() => this.plugin.client.call("PATCH", path(session.id), { title: title.trim() }));
			await this.refresh();
		}
	}

	/** @param {Session} session */
	async remove(session) {
		const sure = await confirmed(this.app, { title: say("Delete this chat?", "删除这个会话？"), action: say("Delete", "删除"),
			text: say("“{0}” and its traces are deleted. What was remembered from it stays.", "将删除“{0}”及其轨迹。从中记住的内容会保留。", session.title || session.id) });
		if (sure) {
			await this.plugin.tried(() => this.plugin.client.call("DELETE", path(session.id)));
			await this.refresh();
		}
	}

	onClose() {
		this.asked++;
		this.contentEl.empty();
	}
}

/** @param {string} id */
export const path = (id) => `/v1/sessions/${encodeURIComponent(id)}`;

/**
 * Goal and switches of one conversation. `save` keeps what changed.
 * @param {import("obsidian").App} app @param {Session} session @param {(change: Record<string, unknown>) => Promise<unknown>} save
 */
export function showSwitches(app, session, save) {
	const modal = new Modal(app);
	modal.setTitle(say("This chat", "此会话"));
	modal.modalEl.addClass("deepseedian");
	const content = modal.contentEl;
	let goal = session.goal;
	new Setting(content).setName(say("Goal", "目标")).setDesc(say("Goes along with every question.", "附在每个问题之前。"))
		.addTextArea((area) => area.setValue(goal).onChange((value) => {
			goal = value;
		}));
	new Setting(content).setName(say("Use memory", "使用记忆")).setDesc(say("Put matching memories before each question.", "在每个问题前放入相关记忆。"))
		.addToggle((toggle) => toggle.setValue(session.reads).onChange((reads) => void save({ reads })));
	new Setting(content).setName(say("Learn from this chat", "从此会话学习")).setDesc(say("What you say may become proposals.", "你说的话可以成为提议。"))
		.addToggle((toggle) => toggle.setValue(session.contributes).onChange((contributes) => void save({ contributes })));
	new Setting(content).setName(say("Learn only from now on", "只从现在起学习")).setDesc(session.fault ? String(session.fault)
		: session.contributeFrom ? say("What was said earlier is left out.", "之前说的不会被学习。") : say("Leaves out what was said so far.", "排除到目前为止说的话。"))
		.addButton((button) => button.setButtonText(say("From now on", "从现在起")).onClick(() => void save({ contribute_from: "now" })))
		.addButton((button) => button.setButtonText(say("All of it", "全部")).onClick(() => void save({ contribute_from: "all" })));
	modal.onClose = () => {
		if (goal !== session.goal) {
			void save({ goal: goal.trim() });
		}
	};
	modal.open();
}
