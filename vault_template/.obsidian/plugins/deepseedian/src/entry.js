/** One entry of memory as it is listed, opened, and changed. */

import { Notice } from "obsidian";
import { ENTRY_TYPE } from "./composer.js";
import { confirmed, entered, shown } from "./dialogs.js";
import { iconButton, textButton } from "./parts.js";
import { showTimeline } from "./timeline.js";
import { kindName, say, trustName, when } from "./words.js";

/**
 * @typedef {Record<string, any> & {id: string, topic: string, text: string, createdAt: string, source: string, kind?: string, trust?: string,
 *   pinned?: boolean, claimed?: boolean, archived?: boolean}} Entry
 */

/** @param {string} id */
export const entryPath = (id) => `/v1/entries/${encodeURIComponent(id)}`;

/**
 * @typedef {object} EntryHost
 * @property {import("./main.js").default} plugin
 * @property {boolean} changeable
 * @property {string[]} topics
 * @property {string} open id of the entry that is open
 * @property {(id: string) => void} toggle
 * @property {() => unknown} reload
 */

/** @param {Entry} entry @param {HTMLElement} parent @param {EntryHost} host */
export function drawEntry(entry, parent, host) {
	const row = parent.createDiv({ cls: "deepseedian-card deepseedian-entry", attr: { "data-id": entry.id } });
	const isOpen = entry.id === host.open;
	const head = row.createEl("button", { cls: "deepseedian-open", attr: { type: "button", "aria-expanded": String(isOpen) } });
	head.createDiv({ cls: isOpen ? "deepseedian-whole" : "deepseedian-short", text: entry.text });
	head.createDiv({ cls: "deepseedian-meta", text: [
		entry.topic, entry.kind ? kindName(entry.kind) : "", entry.pinned ? say("pinned", "已置顶") : "", entry.claimed ? say("not confirmed here", "未在此设备确认") : "",
		when(entry.createdAt)].filter(Boolean).join(" · ") });
	head.onclick = () => host.toggle(entry.id);
	row.draggable = true;
	row.ondragstart = (event) => event.dataTransfer?.setData(ENTRY_TYPE, JSON.stringify({ id: entry.id, text: entry.text }));
	if (isOpen) {
		details(entry, row, host);
	}
}

/** @param {Entry} entry @param {HTMLElement} row @param {EntryHost} host */
function details(entry, row, host) {
	row.createDiv({ cls: "deepseedian-meta", text: [
		entry.source, entry.trust ? trustName(entry.trust) : "",
		entry.updatedAt ? say("changed {0}", "{0} 修改", when(String(entry.updatedAt))) : "",
		entry.supersededBy ? say("replaced by {0}", "被 {0} 取代", String(entry.supersededBy).slice(0, 8)) : "",
		entry.endedAt ? say("ended {0}", "{0} 结束", when(String(entry.endedAt))) : "",
		entry.reviewAt ? say("look again {0}", "{0} 复查", when(String(entry.reviewAt))) : "", `ID ${entry.id}`].filter(Boolean).join(" · ") });
	const actions = row.createDiv({ cls: "deepseedian-actions" });
	if (host.changeable) {
		textButton(actions, say("Edit", "编辑"), () => edit(entry, host));
		textButton(actions, say("Move", "移动"), () => move(entry, host));
		textButton(actions, entry.pinned ? say("Unpin", "取消置顶") : say("Pin", "置顶"), () => changed(entry, host, { on: !entry.pinned }));
		textButton(actions, say("Forget", "忘掉"), () => forget(entry, host));
	}
	textButton(actions, say("Timeline", "时间线"), () => showTimeline(host.plugin, entry.id));
	textButton(actions, say("Erase…", "彻底删除…"), () => erase(entry, host), "mod-warning");
	iconButton(actions, "copy", say("Copy", "复制"), () => row.win.navigator.clipboard.writeText(entry.text));
}

/** @param {Entry} entry @param {EntryHost} host @param {Record<string, unknown>} change */
async function changed(entry, host, change) {
	const done = await host.plugin.tried(() => host.plugin.client.change("PATCH", entryPath(entry.id), change));
	await host.reload();
	return done;
}

/** @param {Entry} entry @param {EntryHost} host */
async function edit(entry, host) {
	let value = entry.text;
	for (;;) { // what was written is not lost when it is refused
		const text = await entered(host.plugin.app, { title: say("Edit the memory", "编辑记忆"), value, long: true });
		if (text === null || text === entry.text || (await changed(entry, host, { text }))) {
			return;
		}
		value = text;
	}
}

/** @param {Entry} entry @param {EntryHost} host */
async function move(entry, host) {
	const topic = await entered(host.plugin.app, { title: say("Move to topic", "移动到主题"), value: entry.topic, choices: host.topics, action: say("Move", "移动") });
	if (topic !== null && topic.trim() && topic !== entry.topic) {
		await changed(entry, host, { topic: topic.trim() });
	}
}

/** @param {Entry} entry @param {EntryHost} host */
async function forget(entry, host) {
	const done = await host.plugin.tried(() => host.plugin.client.change("DELETE", entryPath(entry.id)));
	if (done) {
		new Notice(say("Forgotten. Undo brings it back.", "已忘掉，撤销可以恢复。"));
	}
	await host.reload();
}

/** @param {Entry} entry @param {EntryHost} host */
async function erase(entry, host) {
	const app = host.plugin.app;
	const sure = await confirmed(app, { title: say("Erase for good?", "彻底删除？"), action: say("Erase", "彻底删除"),
		text: say("“{0}” is removed from memory, archive, history, conversations and copies on this device. This cannot be undone.",
			"“{0}”将从此设备的记忆、归档、历史、会话和副本中删除，无法撤销。", entry.text.slice(0, 200)) });
	const done = sure && await host.plugin.tried(() => host.plugin.client.post("/v1/erase", { id: entry.id }));
	if (!done) {
		return;
	}
	await host.reload();
	shown(app, say("Erased", "已彻底删除"), (content) => {
		content.createEl("p", { text: say("What cannot be reached from here:", "以下地方无法从这里清除：") });
		const list = content.createEl("ul");
		Object.values(/** @type {Record<string, string>} */ (done.beyond)).forEach((text) => list.createEl("li", { text }));
		/** @type {string[]} */ (done.notes).forEach((note) => list.createEl("li", { text: say("Your note {0} says the same.", "你的笔记 {0} 有相同内容。", note) }));
	});
}
