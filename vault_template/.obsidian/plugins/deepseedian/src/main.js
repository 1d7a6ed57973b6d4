/** The plugin: views, commands and what they share. All of the work is done by the daemon. */

import { FileSystemAdapter, Notice, Plugin } from "obsidian";
import { reportActivity } from "./activity.js";
import { CHAT, ChatView } from "./chat.js";
import { Client } from "./client.js";
import { ghostText } from "./complete.js";
import { Completion } from "./completing.js";
import { lastEditor } from "./context.js";
import { Drafts } from "./drafts.js";
import { Link } from "./link.js";
import { MEMORY, MemoryView } from "./memory.js";
import { desktopNode } from "./node.js";
import { REVIEW, ReviewView } from "./review.js";
import { programOf, SettingsTab } from "./settings.js";
import { startDaemon } from "./starter.js";
import { showStatus } from "./status.js";
import { TRACE, TraceView } from "./trace.js";
import { failureText, say } from "./words.js";

const LAST = "deepseedian-session";

export default class Deepseedian extends Plugin {
	/** @param {import("obsidian").App} app @param {import("obsidian").PluginManifest} manifest */
	constructor(app, manifest) {
		super(app, manifest);
		const adapter = app.vault.adapter;
		this.vaultPath = adapter instanceof FileSystemAdapter ? adapter.getBasePath() : "";
		this.node = desktopNode();
		this.client = new Client(this.node, this.vaultPath);
		this.link = new Link(this.client, pause);
		this.drafts = new Drafts(app);
		this.completion = new Completion(this);
		this.ghosts = ghostText(this.completion);
	}

	onload() {
		this.registerView(CHAT, (leaf) => new ChatView(leaf, this));
		this.registerView(REVIEW, (leaf) => new ReviewView(leaf, this));
		this.registerView(MEMORY, (leaf) => new MemoryView(leaf, this));
		this.registerView(TRACE, (leaf) => new TraceView(leaf, this));
		this.addRibbonIcon("messages-square", say("Open Deepseedian chat", "打开 Deepseedian 聊天"), () => void this.openChat());
		this.addSettingTab(new SettingsTab(this.app, this));
		this.registerEditorExtension(this.ghosts.extension);
		this.addCommands();
		showStatus(this);
		this.completion.start();
		this.register(() => this.link.stop());
		this.app.workspace.onLayoutReady(() => {
			this.link.start();
			reportActivity(this);
			this.registerObsidianProtocolHandler("deepseedian", (link) => void this.openLinked(link));
		});
	}

	addCommands() {
		this.addCommand({ id: "chat", name: say("Open chat", "打开聊天"), callback: () => void this.openChat() });
		this.addCommand({ id: "review", name: say("Open review", "打开审阅"), callback: () => void this.openReview() });
		this.addCommand({ id: "memory", name: say("Open memory", "打开记忆"), callback: () => void this.openMemory() });
		this.addCommand({ id: "trace", name: say("Open trace", "打开轨迹"), callback: () => void this.openTrace("") });
		this.addCommand({ id: "undo", name: say("Undo the last change of memory", "撤销上次记忆修改"), callback: () => void this.undo() });
		this.addCommand({ id: "complete", name: say("Complete here", "在此处补全"), checkCallback: (checking) => this.completeHere(checking) });
		this.addCommand({ id: "pin-selection", name: say("Ask about the selection", "就选中内容提问"),
			editorCheckCallback: (checking, editor) => this.withSelection(checking, editor, () => void this.askAboutSelection()) });
		this.addCommand({ id: "remember-selection", name: say("Remember the selection", "记住选中内容"),
			editorCheckCallback: (checking, editor) => this.withSelection(checking, editor, (text) => void this.remember(text)) });
	}

	/** @param {boolean} checking @param {import("obsidian").Editor} editor @param {(text: string) => void} act */
	withSelection(checking, editor, act) {
		const text = editor.getSelection().trim();
		if (text && !checking) {
			act(text);
		}
		return Boolean(text);
	}

	// What the views share

	/**
	 * Do something with the daemon; what goes wrong is told to the person, and the result is null then.
	 * @template T @param {() => Promise<T>} act @returns {Promise<T | null>}
	 */
	async tried(act) {
		try {
			return await act();
		} catch (error) {
			new Notice(failureText(error));
			return null;
		}
	}

	/** @param {HTMLButtonElement} [button] */
	async startDaemon(button) {
		button?.setAttr("disabled", "");
		try {
			await startDaemon(this.node, programOf(this.app), this.vaultPath);
			this.link.again();
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			new Notice(say("It did not start: {0}", "没有启动：{0}", reason), 10_000);
		} finally {
			button?.removeAttribute("disabled");
		}
	}

	/** The conversation that was open last on this device. */
	lastSession() {
		return String(this.app.loadLocalStorage(LAST) ?? "");
	}

	/** @param {string} id */
	keepSession(id) {
		this.app.saveLocalStorage(LAST, id || null);
	}

	// Views

	/** @param {string} type @param {boolean} [side] @returns {Promise<import("obsidian").View | null>} */
	async opened(type, side = false) {
		const workspace = this.app.workspace;
		let leaf = workspace.getLeavesOfType(type)[0];
		if (!leaf) {
			leaf = (side ? workspace.getRightLeaf(false) : null) ?? workspace.getLeaf("tab");
			await leaf.setViewState({ type, active: true });
		}
		await workspace.revealLeaf(leaf);
		return leaf.view;
	}

	async openChat() {
		const view = await this.opened(CHAT, true);
		if (view instanceof ChatView) {
			view.composer?.field.focus();
			return view;
		}
		return null;
	}

	/** The links of review notes; anything on this computer may open one, so that it shows a chat and does no more. @param {Record<string, unknown>} link */
	async openLinked(link) {
		const session = String(link.session ?? "");
		if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/.test(session)) {
			await (await this.openChat())?.show(session);
		}
	}

	async openReview() {
		const view = await this.opened(REVIEW);
		if (view instanceof ReviewView) {
			view.list?.focus();
		}
	}

	/** @param {{query?: string, entry?: string}} [wanted] */
	async openMemory(wanted = {}) {
		const view = await this.opened(MEMORY);
		if (view instanceof MemoryView && (wanted.query || wanted.entry)) {
			await view.show(wanted);
		}
	}

	/** @param {string} turn */
	async openTrace(turn) {
		const view = await this.opened(TRACE);
		if (view instanceof TraceView) {
			await view.show(turn);
		}
	}

	// Commands

	/** In the note or the chat that the person is in. @param {boolean} checking */
	completeHere(checking) {
		const chat = this.app.workspace.getActiveViewOfType(ChatView)?.ghost;
		const editor = /** @type {{cm?: import("@codemirror/view").EditorView} | undefined} */ (this.app.workspace.activeEditor?.editor)?.cm;
		if (!checking) {
			void (chat ? chat.ask(true) : editor && this.ghosts.ask(editor));
		}
		return Boolean(chat ?? editor);
	}

	async undo() {
		const done = await this.tried(() => this.client.post("/v1/undo"));
		if (done) {
			new Notice(say("Undone: {0}", "已撤销：{0}", String(done.summary)));
		}
	}

	async askAboutSelection() {
		if (lastEditor(this.app)) {
			const view = await this.openChat();
			view?.composer?.pin();
		}
	}

	/** @param {string} text */
	async remember(text) {
		const note = this.app.workspace.getActiveFile()?.path;
		const body = note ? { text, source: note } : { text };
		if (await this.tried(() => this.client.change("POST", "/v1/entries", body))) {
			new Notice(say("Remembered.", "已记住。"));
		}
	}
}

/** @param {number} ms @param {AbortSignal} signal @returns {Promise<void>} */
function pause(ms, signal) {
	return new Promise((resolve) => {
		const timer = window.setTimeout(resolve, ms);
		signal.addEventListener("abort", () => {
			window.clearTimeout(timer);
			resolve();
		});
	});
}
