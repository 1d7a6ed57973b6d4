/** Why memories were offered to a question or left out: the receipt of one recall, for a person. */

import { shown } from "./dialogs.js";
import { emptyLine, textButton } from "./parts.js";
import { say } from "./words.js";

const MOST = 20;

/** @typedef {Record<string, any> & {id: string, topic: string}} Scored */

/** @param {import("./main.js").default} plugin @param {string} id @param {(entry: string) => void} openEntry */
export async function showReceipt(plugin, id, openEntry) {
	const found = await plugin.tried(() => plugin.client.get(`/v1/receipts/${encodeURIComponent(id)}`));
	if (!found) {
		return;
	}
	const receipt = /** @type {{offered?: Scored[], leftOut?: Scored[], reason?: string}} */ (found.receipt ?? {});
	const offered = receipt.offered ?? [];
	const left = receipt.leftOut ?? [];
	const texts = await textsOf(plugin, [...offered, ...left].slice(0, MOST));
	shown(plugin.app, say("Why these memories", "为什么用到这些记忆"), (content, modal) => {
		const drawn = { plugin, texts, question: String(found.question), receipt: id, open: (/** @type {string} */ entry) => {
			modal.close();
			openEntry(entry);
		} };
		content.createDiv({ cls: "deepseedian-quote", text: drawn.question });
		if (receipt.reason) {
			content.createEl("p", { text: receipt.reason });
		}
		if (!offered.length) {
			emptyLine(content, say("No memory was offered.", "没有用到记忆。"));
		}
		offered.forEach((row) => drawRow(content, row, drawn, true));
		if (left.length) {
			content.createEl("h4", { text: say("Left out", "未采用") });
			left.forEach((row) => drawRow(content, row, drawn, false));
		}
		const whole = content.createEl("details");
		whole.createEl("summary", { text: say("All the details (receipt)", "全部细节（回执）") });
		whole.createEl("pre", { text: JSON.stringify(found, null, 1) });
	});
}

/** What the entries say now, by id; one that is gone has none. @param {import("./main.js").default} plugin @param {Scored[]} rows */
async function textsOf(plugin, rows) {
	/** @type {Map<string, string>} */
	const found = new Map();
	await Promise.all(rows.map(async (row) => {
		try {
			found.set(row.id, String((await plugin.client.get(`/v1/entries/${encodeURIComponent(row.id)}`)).text));
		} catch {
			found.set(row.id, say("(no longer there)", "（已不在）"));
		}
	}));
	return found;
}

/**
 * @typedef {{plugin: import("./main.js").default, texts: Map<string, string>, question: string, receipt: string, open: (entry: string) => void}} Drawn
 */

/** @param {HTMLElement} parent @param {Scored} row @param {Drawn} drawn @param {boolean} offered */
function drawRow(parent, row, drawn, offered) {
	const line = parent.createDiv({ cls: "deepseedian-card" });
	const name = line.createEl("a", { cls: "internal-link", text: (drawn.texts.get(row.id) ?? row.id).slice(0, 160), attr: { href: "#" } });
	name.onclick = (event) => {
		event.preventDefault();
		drawn.open(row.id);
	};
	line.createDiv({ cls: "deepseedian-meta", text: reasons(row).join(" · ") });
	if (!offered) {
		return;
	}
	const buttons = line.createDiv({ cls: "deepseedian-actions" });
	const word = (/** @type {string} */ feedback) => async () => {
		const body = { id: row.id, feedback, question: drawn.question, receipt: drawn.receipt };
		if (await drawn.plugin.tried(() => drawn.plugin.client.post("/v1/feedback", body))) {
			buttons.empty();
			buttons.setText(say("Noted.", "已记下。"));
		}
	};
	textButton(buttons, say("Useful", "有用"), word("useful"));
	textButton(buttons, say("Wrong here", "这里不对"), word("wrong"));
}

/** @param {Scored} row */
function reasons(row) {
	const terms = /** @type {string[]} */ (row.terms ?? []);
	return [
		row.topic,
		terms.length ? say("words: {0}", "词：{0}", terms.join(", ")) : "",
		row.cosine === undefined ? "" : say("similarity {0}", "相似度 {0}", Number(Number(row.cosine).toFixed(2))),
		say("score {0}", "得分 {0}", Number(row.score).toFixed(1)),
		row.reason ? reasonName(String(row.reason)) : "",
	].filter(Boolean);
}

/** @param {string} reason why it was offered or left out */
function reasonName(reason) {
	const names = /** @type {Record<string, [string, string]>} */ ({
		match: ["it matches", "匹配"], replaces: ["it replaces one that matches", "取代了匹配的条目"], pinned: ["pinned", "已置顶"],
		about_memory: ["the question is about memory", "问题问的是记忆"], fill: ["the next best", "次优补足"],
		min_coverage: ["too few words in common", "共同的词太少"], min_score: ["matches too weakly", "匹配太弱"], min_relevance: ["matches too weakly", "匹配太弱"],
		no_intent: ["the question does not ask for it", "问题没有问到"], trust: ["from a source that is not used by itself", "此来源不自动使用"],
		received: ["this chat has it already", "此会话已有"], superseded: ["replaced by a newer one", "已被更新的取代"], duplicate: ["says the same as another", "与另一条重复"],
		limit: ["there were enough already", "条数已满"], budget: ["no room was left", "篇幅已满"],
	});
	return Object.hasOwn(names, reason) ? say(...names[reason]) : reason;
}
