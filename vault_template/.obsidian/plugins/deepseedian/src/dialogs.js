/** Small windows: a question that is answered yes or no, a text to enter, and something to look at. */

import { Modal, Setting } from "obsidian";
import { say } from "./words.js";

/**
 * Ask before something that cannot be taken back. Resolves to the answer; closing is no.
 * @param {import("obsidian").App} app @param {{title: string, text: string, action: string}} asked
 * @returns {Promise<boolean>}
 */
export function confirmed(app, asked) {
	return new Promise((resolve) => {
		const modal = new Modal(app);
		let answer = false;
		modal.setTitle(asked.title);
		modal.contentEl.createEl("p", { text: asked.text });
		new Setting(modal.contentEl)
			.addButton((button) => button.setButtonText(say("Cancel", "取消")).onClick(() => modal.close()))
			.addButton((button) => button.setButtonText(asked.action).setWarning().onClick(() => {
				answer = true;
				modal.close();
			}));
		modal.onClose = () => resolve(answer);
		modal.open();
		modal.contentEl.querySelector("button")?.focus(); // what cannot be taken back is not what Enter does
	});
}

/**
 * A text from the person; null when the window was closed.
 * @param {import("obsidian").App} app @param {{title: string, value?: string, long?: boolean, choices?: string[], action?: string}} asked
 * @returns {Promise<string | null>}
 */
export function entered(app, asked) {
	return new Promise((resolve) => {
		const modal = new Modal(app);
		/** @type {string | null} */
		let answer = null;
		modal.setTitle(asked.title);
		const field = asked.long
			? modal.contentEl.createEl("textarea", { cls: "deepseedian-edit", attr: { rows: "6", "aria-label": asked.title } })
			: modal.contentEl.createEl("input", { cls: "deepseedian-edit", type: "text", attr: { "aria-label": asked.title } });
		field.value = asked.value ?? "";
		if (asked.choices && field.instanceOf(HTMLInputElement)) {
			const list = modal.contentEl.createEl("datalist", { attr: { id: "deepseedian-choices" } });
			asked.choices.forEach((choice) => list.createEl("option", { value: choice }));
			field.setAttr("list", "deepseedian-choices");
		}
		const done = () => {
			answer = field.value;
			modal.close();
		};
		field.onkeydown = (event) => {
			if (event.key === "Enter" && !event.isComposing && (!asked.long || event.ctrlKey || event.metaKey)) {
				event.preventDefault();
				done();
			}
		};
		new Setting(modal.contentEl)
			.addButton((button) => button.setButtonText(say("Cancel", "取消")).onClick(() => modal.close()))
			.addButton((button) => button.setButtonText(asked.action ?? say("Save", "保存")).setCta().onClick(done));
		modal.onClose = () => resolve(answer);
		modal.open();
		field.focus();
	});
}

/**
 * Something to look at. @param {import("obsidian").App} app @param {string} title @param {(content: HTMLElement, modal: Modal) => void} fill
 */
export function shown(app, title, fill) {
	const modal = new Modal(app);
	modal.setTitle(title);
	modal.contentEl.addClass("deepseedian");
	fill(modal.contentEl, modal);
	modal.open();
	return modal;
}
