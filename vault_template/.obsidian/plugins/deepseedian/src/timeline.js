/** The life of one entry: what it said, what was done with it, and the turns it was recalled in, in one line. */

import { showDifference } from "./diff.js";
import { shown } from "./dialogs.js";
import { showReceipt } from "./receipt.js";
import { operationName, say, when } from "./words.js";

/** @typedef {Record<string, any> & {at: string, kind: string, before?: string, after?: string, from?: string, to?: string}} LifeEvent */

/** @param {import("./main.js").default} plugin @param {string} id */
export async function showTimeline(plugin, id) {
	const found = await plugin.tried(() => plugin.client.get(`/v1/entries/${encodeURIComponent(id)}/timeline`));
	if (!found) {
		return;
	}
	shown(plugin.app, say("Timeline", "时间线"), (content) => {
		content.createDiv({ cls: "deepseedian-quote deepseedian-whole", text: String(found.entry.text) });
		content.createEl("p", { cls: "deepseedian-meta", text: found.recalled ? say("Recalled {0} times.", "被召回 {0} 次。", Number(found.recalled))
			: say("Not recalled yet.", "还没有被召回过。") });
		const events = /** @type {LifeEvent[]} */ (found.events);
		[...events].reverse().forEach((event) => drawEvent(plugin, content, event));
	});
}

/** @param {import("./main.js").default} plugin @param {HTMLElement} content @param {LifeEvent} event */
function drawEvent(plugin, content, event) {
	const card = content.createDiv({ cls: "deepseedian-card", attr: { "data-kind": event.kind } });
	const head = card.createDiv({ cls: "deepseedian-row" });
	head.createSpan({ cls: "deepseedian-title", text: eventName(event) });
	head.createSpan({ cls: "deepseedian-meta", text: when(event.at) });
	if (event.before !== undefined || event.after !== undefined) {
		showDifference(card, event.before ?? "", event.after ?? "");
	}
	if (event.from && event.to) {
		card.createDiv({ cls: "deepseedian-meta", text: `${event.from} → ${event.to}` });
	}
	const about = [event.source, event.session, event.operation ? operationName(String(event.operation)) : "",
		event.outside ? say("in another program", "在别的程序中") : ""].filter(Boolean).join(" · ");
	if (event.receipt) {
		const link = card.createEl("a", { cls: "deepseedian-meta", text: about || say("Receipt", "回执"), attr: { href: "#" } });
		link.onclick = (click) => {
			click.preventDefault();
			void showReceipt(plugin, String(event.receipt), (entry) => void plugin.openMemory({ entry }));
		};
	} else if (about) {
		card.createDiv({ cls: "deepseedian-meta", text: about });
	}
}

/** @param {LifeEvent} event */
function eventName(event) {
	const names = /** @type {Record<string, [string, string]>} */ ({
		written: ["Written", "写入"], add: ["Added", "新增"], import: ["Imported", "导入"], edit: ["Edited", "编辑"], move: ["Moved", "移动"],
		pin: ["Pinned", "置顶"], unpin: ["Unpinned", "取消置顶"], forget: ["Forgotten", "忘掉"], archive: ["Archived", "归档"], forgotten: ["Forgotten", "忘掉"],
		superseded: ["Replaced", "被取代"], archived: ["Archived", "归档"], approve: ["Approved", "批准"], undo: ["Undone", "撤销"], redo: ["Redone", "重做"],
		outside: ["Edited elsewhere", "在别处编辑"], recalled: ["Recalled", "被召回"], useful: ["Called useful", "评为有用"], wrong: ["Called wrong", "评为不对"],
		corrected: ["Corrected", "被更正"], proposed: ["Proposed", "被提议"], dismissed: ["Proposal dismissed", "提议被忽略"], stale: ["Proposal stale", "提议已过时"],
		expired: ["Proposal expired", "提议已过期"], undone: ["Approval undone", "批准被撤销"], open: ["Proposed", "被提议"],
	});
	return Object.hasOwn(names, event.kind) ? say(...names[event.kind]) : event.kind;
}
