/** Where a question is written: the text, and a chip for everything that would go along with it. */

import { Notice } from "obsidian";
import { draggedPaths, fileAttachment, MOST_ATTACHMENTS, noteContext, selectedLines, sentContext } from "./context.js";
import { iconButton } from "./parts.js";
import { say } from "./words.js";

const KEEP_MS = 350;
export const ENTRY_TYPE = "application/x-deepseedian-entry";

/** @typedef {import("./context.js").Attachment} Attachment */
/** @typedef {{text: string, context: Record<string, unknown>, attachments: Attachment[], pinned: import("./context.js").NoteContext | null}} Question */
/** @typedef {{send: (question: Question) => unknown, stop: () => unknown, keep: (draft: import("./drafts.js").Draft) => void}} Host */

export class Composer {
	/** @param {HTMLElement} parent @param {import("./main.js").default} plugin @param {Host} host */
	constructor(parent, plugin, host) {
		this.plugin = plugin;
		this.host = host;
		this.note = true; // the current note goes along until its chip is removed
		this.selection = true;
		/** @type {import("./context.js").NoteContext | null} */
		this.pinned = null;
		/** @type {Attachment[]} */
		this.attachments = [];
		this.busy = false;
		this.keeping = 0;
		this.shown = "";
		this.el = parent.createDiv({ cls: "deepseedian-composer" });
		this.chips = this.el.createDiv({ cls: "deepseedian-chips" });
		this.field = this.el.createDiv({ cls: "deepseedian-field" }).createEl("textarea", { attr: { rows: "3", "aria-label": say("Your question", "你的问题"),
			placeholder: say("Ask, or type / for commands", "提问，或输入 / 查看命令") } });
		this.buttons = this.el.createDiv({ cls: "deepseedian-buttons" });
		this.drawButtons();
		this.field.oninput = () => this.changed();
		this.field.onkeydown = (event) => this.key(event);
		this.el.ondragover = (event) => event.preventDefault();
		this.el.ondrop = (event) => void this.drop(event);
		this.drawChips();
	}

	drawButtons() {
		const picker = this.buttons.createEl("input", { type: "file", cls: "deepseedian-hidden", attr: { multiple: "", "aria-label": say("Attach files", "添加文件") } });
		picker.onchange = () => {
			void this.attachFiles([...(picker.files ?? [])]);
			picker.value = "";
		};
		iconButton(this.buttons, "paperclip", say("Attach files", "添加文件"), () => picker.click());
		iconButton(this.buttons, "file-text", say("Attach the current note again", "重新附上当前笔记"), () => {
			this.note = this.selection = true;
			this.drawChips();
		});
		this.buttons.createDiv({ cls: "deepseedian-space" });
		this.button = this.buttons.createEl("button", { cls: "mod-cta", text: say("Send", "发送"), attr: { type: "button" } });
		this.button.onclick = () => this.busy ? void this.host.stop() : this.send();
	}

	/** @param {boolean} busy */
	setBusy(busy) {
		this.busy = busy;
		this.button?.setText(busy ? say("Stop", "停止") : say("Send", "发送"));
		this.button?.toggleClass("mod-warning", busy);
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		if (event.isComposing || event.keyCode === 229) { // the Enter that takes a word of an input method sends nothing
			return;
		}
		if (event.key === "Enter" && !event.shiftKey) {
			event.preventDefault();
			if (!this.busy) {
				this.send();
			}
		} else if (event.key === "Escape" && this.busy) {
			event.preventDefault();
			void this.host.stop();
		}
	}

	changed() {
		window.clearTimeout(this.keeping);
		this.keeping = window.setTimeout(() => this.keep(), KEEP_MS);
	}

	keep() {
		window.clearTimeout(this.keeping);
		this.host.keep({ text: this.field.value, pinned: this.pinned });
	}

	/** @returns {Question} */
	question() {
		const context = this.pinned ?? (this.note ? noteContext(this.plugin.app, { selection: this.selection }) : null);
		return { text: this.field.value.trim(), context: sentContext(context), attachments: [...this.attachments], pinned: this.pinned };
	}

	send() {
		const question = this.question();
		if (question.text) {
			this.clear();
			void this.host.send(question);
		}
	}

	clear() {
		this.field.value = "";
		this.attachments = [];
		this.pinned = null;
		this.drawChips();
		this.keep();
	}

	/** A question that could not be asked comes back. @param {Question} question */
	giveBack(question) {
		if (!this.field.value) {
			this.field.value = question.text;
		}
		this.pinned = this.pinned ?? question.pinned;
		this.attachments = [...question.attachments, ...this.attachments].slice(0, MOST_ATTACHMENTS);
		this.drawChips();
		this.keep();
	}

	/** @param {string} text */
	write(text) {
		this.field.value = text;
		this.field.focus();
		this.changed();
	}

	/** @param {import("./drafts.js").Draft} draft */
	load(draft) {
		this.field.value = draft.text;
		this.pinned = draft.pinned;
		this.attachments = [];
		this.drawChips();
	}

	/** Keep the selection as it is now for the next question. */
	pin() {
		this.pinned = noteContext(this.plugin.app, { selection: true, pinned: true });
		this.drawChips();
		this.keep();
	}

	drawChips() {
		const current = this.plugin.app.workspace.getActiveFile();
		const lines = this.note && this.selection ? selectedLines(this.plugin.app) : 0;
		const shown = JSON.stringify([this.pinned, this.note, current?.path, lines, this.attachments.map((item) => item.name)]);
		if (shown === this.shown) {
			return; // a chip that is being clicked stays where it is
		}
		this.shown = shown;
		this.chips.empty();
		if (this.pinned) {
			this.chip("pin", say("{0}, lines {1}–{2}", "{0}，第 {1}–{2} 行", this.pinned.path, this.pinned.startLine, this.pinned.endLine), () => {
				this.pinned = null;
				this.keep();
			});
		} else if (this.note && current) {
			this.chip("file-text", current.path, () => {
				this.note = false;
			});
			if (lines) {
				this.chip("text-select", say("Selection: {0} lines", "选中 {0} 行", lines), () => {
					this.selection = false;
				});
			}
		}
		this.attachments.forEach((item) => this.chip("paperclip", item.name, () => {
			this.attachments = this.attachments.filter((other) => other !== item);
		}));
	}

	/** @param {string} icon @param {string} text @param {() => void} remove */
	chip(icon, text, remove) {
		const chip = this.chips.createDiv({ cls: "deepseedian-chip", attr: { "data-kind": icon } });
		chip.createSpan({ text, attr: { title: text } });
		iconButton(chip, "x", say("Leave out {0}", "不附上 {0}", text), () => {
			remove();
			this.drawChips();
		});
	}

	/** @param {Attachment} item */
	attach(item) {
		if (this.attachments.length >= MOST_ATTACHMENTS) {
			new Notice(say("A question may bring {0} files.", "一个问题最多附 {0} 个文件。", MOST_ATTACHMENTS));
			return;
		}
		if (!this.attachments.some((other) => other.name === item.name)) {
			this.attachments.push(item);
		}
		this.drawChips();
	}

	/** @param {File[]} files */
	async attachFiles(files) {
		for (const file of files) {
			try {
				this.attach(await fileAttachment(file));
			} catch (error) {
				new Notice(error instanceof Error ? error.message : String(error));
			}
		}
	}

	/** @param {DragEvent} event */
	async drop(event) {
		const data = event.dataTransfer;
		if (!data) {
			return;
		}
		event.preventDefault();
		const entry = data.getData(ENTRY_TYPE);
		if (entry) {
			const found = /** @type {{id: string, text: string}} */ (JSON.parse(entry));
			this.attach({ name: `memory-${found.id.slice(0, 8)}.md`, text: found.text });
			return;
		}
		await this.attachFiles([...data.files]);
		draggedPaths(data.getData("text/plain"), this.plugin.app).forEach((path) => this.attach({ name: path, path }));
	}
}
