/**
 * Inline completion where a question is written: the same grey line behind the text, Tab, Esc, and nothing while an input method
 * composes. A text field holds no widgets, so a transparent copy of it lies above and shows where its text ends.
 */

import { tail } from "./place.js";

const BEFORE = 3000;
const COPIED = /** @type {const} */ (["font", "padding", "borderWidth", "lineHeight", "letterSpacing", "textIndent"]);

export class ChatGhost {
	/**
	 * @param {import("obsidian").Component} view whose end ends it @param {HTMLTextAreaElement} field
	 * @param {import("./completing.js").Completion} completion
	 */
	constructor(view, field, completion) {
		this.field = field;
		this.completion = completion;
		this.timer = 0;
		this.text = "";
		this.asked = "";
		this.composing = false;
		/** @type {AbortController | null} */
		this.call = null;
		/** @type {HTMLElement | null} */
		this.copy = null;
		completion.live.add(this);
		view.register(() => {
			this.dismiss();
			completion.live.delete(this);
		});
		view.registerDomEvent(field, "keydown", (event) => this.key(event), { capture: true });
		view.registerDomEvent(field, "input", () => this.changed());
		view.registerDomEvent(field, "blur", () => this.dismiss());
		view.registerDomEvent(field, "pointerdown", () => this.dismiss());
		view.registerDomEvent(field, "scroll", () => this.copy?.scrollTo(0, field.scrollTop));
		view.registerDomEvent(field, "compositionstart", () => {
			this.composing = true;
			this.dismiss();
		});
		view.registerDomEvent(field, "compositionend", () => {
			this.composing = false;
			this.changed();
		});
	}

	changed() {
		this.dismiss();
		const pause = this.completion.chat ? this.completion.pause : 0;
		if (pause && !this.composing) {
			this.timer = window.setTimeout(() => void this.ask(false), pause);
		}
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey && !event.isComposing && event.keyCode !== 229;
		const shown = this.text !== "" && this.field.value === this.asked;
		if (shown && plain && (event.key === "Tab" || event.key === "Escape")) {
			event.preventDefault();
			event.stopImmediatePropagation();
			const text = event.key === "Tab" ? this.text : "";
			this.dismiss();
			if (text) {
				insert(this.field, text);
			}
		} else if (!["Shift", "Control", "Alt", "Meta"].includes(event.key)) {
			this.dismiss(); // whatever it does, the cursor or the text is another then
		}
	}

	stop() {
		window.clearTimeout(this.timer);
		this.call?.abort();
		this.call = null;
	}

	dismiss() {
		this.stop();
		this.text = "";
		this.copy?.remove();
		this.copy = null;
	}

	/** @param {boolean} byHand */
	async ask(byHand) {
		this.dismiss();
		const asked = this.field.value;
		const reason = this.refusal(asked);
		if (reason) {
			this.completion.tell(reason, byHand);
			return;
		}
		this.asked = asked;
		const call = this.call = this.completion.begin(this);
		const text = await this.completion.ask({ before: tail(asked, BEFORE), after: "", place: "chat" }, call.signal, byHand);
		if (this.call === call) {
			this.call = null;
			if (text && this.refusal(this.field.value) === "" && this.field.value === asked) {
				this.show(text);
			}
		}
	}

	/** @param {string} asked */
	refusal(asked) {
		if (this.composing) {
			return "composing";
		}
		if (this.field.selectionStart !== asked.length || this.field.selectionEnd !== asked.length) {
			return "amid";
		}
		return !asked.trim() || asked.startsWith("/") ? "nothing" : "";
	}

	/** @param {string} text */
	show(text) {
		const parent = this.field.parentElement;
		if (!parent) {
			return;
		}
		this.text = text;
		const style = window.getComputedStyle(this.field);
		this.copy = parent.createDiv({ cls: "deepseedian-copy", attr: { "aria-hidden": "true" } });
		this.copy.setCssStyles(Object.fromEntries(COPIED.map((name) => [name, style[name]])));
		this.copy.createSpan({ cls: "deepseedian-under", text: this.field.value });
		this.copy.createSpan({ cls: "deepseedian-ghost", text });
		this.copy.scrollTo(0, this.field.scrollTop);
	}
}

/** As if it was typed: the field's own undo takes it back in one step. @param {HTMLTextAreaElement} field @param {string} text */
function insert(field, text) {
	const typed = /** @type {{execCommand?: (name: string, ui: boolean, value: string) => boolean}} */ (/** @type {unknown} */ (field.ownerDocument));
	if (!typed.execCommand?.("insertText", false, text)) {
		field.setRangeText(text, field.value.length, field.value.length, "end");
		field.dispatchEvent(new Event("input"));
	}
}
