/** What several views draw: buttons, long lists, and the line that says that the daemon is away. */

import { setIcon, setTooltip } from "obsidian";
import { say } from "./words.js";

/**
 * A button with a picture and a name that screen readers and tooltips know.
 * @param {HTMLElement} parent @param {string} icon @param {string} label @param {(event: MouseEvent) => unknown} act
 */
export function iconButton(parent, icon, label, act) {
	const button = parent.createEl("button", { cls: "clickable-icon deepseedian-icon", attr: { "aria-label": label, type: "button" } });
	setIcon(button, icon);
	setTooltip(button, label);
	button.onclick = (event) => void act(event);
	return button;
}

/** @param {HTMLElement} parent @param {string} text @param {(event: MouseEvent) => unknown} act @param {string} [cls] */
export function textButton(parent, text, act, cls = "") {
	const button = parent.createEl("button", { text, attr: { type: "button" } });
	if (cls) {
		button.addClass(cls);
	}
	button.onclick = (event) => void act(event);
	return button;
}

const PAGE = 60;

/**
 * A list that draws its first rows at once and more when they come into sight, so that thousands cost nothing.
 * @template T
 * @param {HTMLElement} parent the element that scrolls @param {T[]} items @param {(item: T, parent: HTMLElement) => void} draw
 */
export function longList(parent, items, draw) {
	parent.empty();
	let drawn = 0;
	const more = () => {
		const until = Math.min(drawn + PAGE, items.length);
		while (drawn < until) {
			draw(items[drawn++], parent);
		}
	};
	more();
	parent.onscroll = () => {
		if (drawn < items.length && parent.scrollTop + parent.clientHeight > parent.scrollHeight - 600) {
			more();
		}
	};
	return {
		/** Draw on until this row is there. @param {number} index */
		reach(index) {
			while (drawn <= index && drawn < items.length) {
				more();
			}
		},
	};
}

/**
 * The line that says that the daemon is away, and how to bring it back; hidden while it is there.
 * @param {HTMLElement} parent @param {import("./main.js").default} plugin @param {string} [note]
 */
export function awayLine(parent, plugin, note = "") {
	const line = parent.createDiv({ cls: "deepseedian-away", attr: { role: "status" } });
	line.createSpan({ text: `${say("Deepseedian is not running.", "Deepseedian 没有运行。")} ${note}` });
	textButton(line, say("Start it", "启动"), (event) => plugin.startDaemon(/** @type {HTMLButtonElement} */ (event.currentTarget)), "mod-cta");
	const show = () => line.toggleClass("is-hidden", plugin.link.presence !== "away");
	show();
	return { line, show };
}

/** A quiet sentence where there is nothing to list. @param {HTMLElement} parent @param {string} text */
export function emptyLine(parent, text) {
	return parent.createDiv({ cls: "deepseedian-empty", text });
}
