/** The chat in the side bar: one conversation, its questions and answers, and where the next question is written. */

import { ItemView, Notice } from "obsidian";
import { WireError } from "./client.js";
import { ask, stop } from "./asking.js";
import { ChatGhost } from "./chat_ghost.js";
import { carryOut, fault, showHints, typed } from "./commands.js";
import { Composer } from "./composer.js";
import { prepareMath } from "./markdown.js";
import { awayLine, emptyLine, iconButton, textButton } from "./parts.js";
import { showReceipt } from "./receipt.js";
import { path, SessionList, showSwitches } from "./sessions.js";
import { TurnView } from "./turn.js";
import { failureText, say } from "./words.js";

export const CHAT = "deepseedian-chat";
const NEWEST_TURNS = 40;

export class ChatView extends ItemView {
	/** @param {import("obsidian").WorkspaceLeaf} leaf @param {import("./main.js").default} plugin */
	constructor(leaf, plugin) {
		super(leaf);
		this.plugin = plugin;
		/** @type {import("./sessions.js").Session | null} */
		this.session = null;
		/** @type {TurnView[]} */
		this.turns = [];
		/** @type {AbortController | null} */
		this.asking = null;
		/** @type {TurnView | null} */
		this.now = null;
		this.stopping = false;
	}

	getViewType() {
		return CHAT;
	}

	getDisplayText() {
		return say("Deepseedian chat", "Deepseedian 聊天");
	}

	getIcon() {
		return "messages-square";
	}

	async onOpen() {
		const root = this.contentEl;
		root.empty();
		root.addClass("deepseedian", "deepseedian-chat");
		this.head = root.createDiv({ cls: "deepseedian-head" });
		this.body = root.createDiv({ cls: "deepseedian-body" });
		this.idle = root.createDiv({ cls: "deepseedian-idle is-hidden" });
		const away = awayLine(root, this.plugin, say("What you write is kept.", "你写的内容会保留。"));
		this.hints = root.createDiv({ cls: "deepseedian-hints" });
		this.composer = new Composer(root, this.plugin, {
			send: (question) => this.send(question), stop: () => stop(this), keep: (draft) => this.plugin.drafts.keep(this.session?.id ?? "", draft),
		});
		this.ghost = new ChatGhost(this, this.composer.field, this.plugin.completion);
		this.registerDomEvent(this.composer.field, "input", () => showHints(this));
		this.register(this.plugin.link.on((kind, data) => {
			if (kind === "presence") {
				away.show();
			} else if (kind === "idle.finished") {
				this.told(data);
			}
		}));
		this.registerEvent(this.app.workspace.on("active-leaf-change", () => this.composer?.drawChips()));
		this.registerEvent(this.app.workspace.on("file-open", () => this.composer?.drawChips()));
		this.registerInterval(window.setInterval(() => this.composer?.drawChips(), 2000)); // a selection tells nobody that it changed
		void prepareMath();
		await this.show(this.plugin.lastSession());
	}

	async onClose() {
		this.asking?.abort();
		this.composer?.keep();
		this.turns.forEach((turn) => turn.close());
		this.contentEl.empty();
	}

	// The conversation

	/** @param {string} id empty for a new one */
	async show(id) {
		this.asking?.abort();
		this.session = null;
		this.clear();
		if (id) {
			await this.read(id);
		} else if (this.body) {
			emptyLine(this.body, say("Ask anything. What fits from memory goes along and is shown above the answer. To keep a sentence, write /remember and the sentence.",
				"直接提问即可。相关的记忆会自动附上，并显示在回答上方。想记住一句话，请输入 /remember 加上内容。")).addClass("deepseedian-welcome");
		}
		this.composer?.load(this.plugin.drafts.of(id));
		this.drawHead();
		this.plugin.keepSession(id);
	}

	/** @param {string} id */
	async read(id) {
		try {
			const found = /** @type {import("./sessions.js").Session} */ (await this.plugin.client.get(path(id)));
			this.session = found;
			const turns = /** @type {Record<string, any>[]} */ (found.conversation);
			if (turns.length > NEWEST_TURNS && this.body) {
				const button = textButton(this.body, say("Show {0} earlier turns", "显示更早的 {0} 轮", turns.length - NEWEST_TURNS), () => {
					this.clear();
					turns.forEach((turn) => this.drawTurn(turn));
				});
				button.addClass("deepseedian-earlier");
			}
			turns.slice(-NEWEST_TURNS).forEach((turn) => this.drawTurn(turn));
			this.toEnd();
		} catch (error) {
			if (error instanceof WireError && error.code === "not_found") {
				return;
			}
			this.session = /** @type {import("./sessions.js").Session} */ ({ id, title: "", goal: "", reads: true, contributes: true });
			this.body?.createDiv({ cls: "deepseedian-empty", text: failureText(error) });
		}
	}

	/** @param {Record<string, any>} turn */
	drawTurn(turn) {
		const asked = /** @type {{role: string, text: string}[]} */ (turn.messages).filter((message) => message.role === "user");
		this.turn(asked.map((message) => message.text).join("\n\n"), String(turn.id)).fill(turn);
	}

	/** @param {string} question @param {string} [id] */
	turn(question, id = "") {
		const host = {
			openLink: (/** @type {string} */ link) => void this.app.workspace.openLinkText(link, ""),
			openEntry: (/** @type {string} */ entry) => void this.plugin.openMemory({ entry }),
			openReceipt: (/** @type {string} */ receipt) => void showReceipt(this.plugin, receipt, (entry) => void this.plugin.openMemory({ entry })),
			openTrace: (/** @type {string} */ turn) => void this.plugin.openTrace(turn),
			fork: (/** @type {string} */ turn) => void this.fork(turn),
			again: () => void ask(this, { text: "", context: {}, attachments: [], pinned: null }, true),
			review: () => void this.plugin.openReview(),
		};
		this.body?.querySelector(".deepseedian-welcome")?.remove();
		const made = new TurnView(this.body ?? this.contentEl, host, question, id);
		this.turns.push(made);
		return made;
	}

	clear() {
		this.turns.forEach((turn) => turn.close());
		this.turns = [];
		this.body?.empty();
	}

	toEnd() {
		this.body?.scrollTo(0, this.body.scrollHeight);
	}

	drawHead() {
		const head = this.head;
		if (!head) {
			return;
		}
		head.empty();
		head.createDiv({ cls: "deepseedian-title", text: this.session?.title || say("New chat", "新会话") });
		if (this.session?.goal) {
			head.createDiv({ cls: "deepseedian-goal", text: say("Goal: {0}", "目标：{0}", this.session.goal) });
		}
		const row = head.createDiv({ cls: "deepseedian-actions" });
		iconButton(row, "plus", say("New chat", "新会话"), () => this.show(""));
		iconButton(row, "history", say("Chats", "会话"), () => new SessionList(this.plugin, this.session?.id ?? "", (id) => void this.show(id)).open());
		iconButton(row, "sliders-horizontal", say("Goal and memory of this chat", "此会话的目标与记忆"), () => this.switches());
		iconButton(row, "list-checks", say("Review", "审阅"), () => this.plugin.openReview());
		iconButton(row, "brain", say("Memory", "记忆"), () => this.plugin.openMemory());
	}

	async switches() {
		const session = await this.ensured();
		if (session) {
			showSwitches(this.app, session, (change) => this.change(change));
		}
	}

	/** The session, made before its first turn when need be. */
	async ensured() {
		if (!this.session) {
			const made = await this.plugin.tried(() => this.plugin.client.post("/v1/sessions", {}));
			if (made) {
				this.session = /** @type {import("./sessions.js").Session} */ (made);
				this.plugin.keepSession(this.session.id);
			}
		}
		return this.session;
	}

	/** @param {Record<string, unknown>} change */
	async change(change) {
		const session = await this.ensured();
		const found = session && await this.plugin.tried(() => this.plugin.client.call("PATCH", path(session.id), change));
		if (found) {
			this.session = /** @type {import("./sessions.js").Session} */ (found);
			this.drawHead();
		}
		return found;
	}

	/** @param {string} turn */
	async fork(turn) {
		const session = this.session;
		const made = session && await this.plugin.tried(() => this.plugin.client.post(`${path(session.id)}/fork`, { turn }));
		if (made) {
			await this.show(String(made.id));
		}
	}

	// Asking

	/** @param {import("./composer.js").Question} question */
	async send(question) {
		const command = typed(question.text);
		this.hints?.empty();
		if (!command) {
			await ask(this, question, false);
			return;
		}
		const wrong = fault(command);
		if (wrong) {
			new Notice(wrong);
			this.composer?.giveBack(question);
		} else if (!(await carryOut(this, command))) {
			this.composer?.giveBack(question);
		}
	}

	// Lines above the composer

	/** A consolidation that found something, told once. @param {Record<string, any>} data */
	told(data) {
		const count = Array.isArray(data.proposals) ? data.proposals.length : Number(data.proposals ?? 0);
		if (count && this.idle) {
			const line = this.idle;
			line.empty();
			line.removeClass("is-hidden");
			textButton(line, say("While you were away: {0} proposals", "你不在时：有 {0} 条提议", count), () => this.plugin.openReview());
			iconButton(line, "x", say("Dismiss", "关闭"), () => line.addClass("is-hidden"));
		}
	}
}
