/** Texts in the language that Obsidian speaks: every text stands in the code in both, so that none can be forgotten. */

import { getLanguage, moment } from "obsidian";

/**
 * The text in the person's language; `{0}`, `{1}` are replaced.
 * @param {string} en @param {string} zh @param {...(string | number)} values
 */
export function say(en, zh, ...values) {
	const text = chinese() ? zh : en;
	return text.replace(/\{(\d)\}/g, (whole, number) => String(values[Number(number)] ?? whole));
}

export function chinese() {
	return getLanguage().toLowerCase().startsWith("zh");
}

/** A time as a person reads it, in their own zone. @param {string | null | undefined} at */
export function when(at) {
	return at ? moment(at).format("YYYY-MM-DD HH:mm") : "";
}

/** @param {string} kind */
export function kindName(kind) {
	const names = /** @type {Record<string, [string, string]>} */ ({
		preference: ["Preference", "偏好"], goal: ["Goal", "目标"], decision: ["Decision", "决定"], fact: ["Fact", "事实"],
		question: ["Question", "问题"], finding: ["Finding", "发现"], workflow: ["Workflow", "流程"],
	});
	return Object.hasOwn(names, kind) ? say(...names[kind]) : kind;
}

/** @param {string} trust */
export function trustName(trust) {
	const names = /** @type {Record<string, [string, string]>} */ ({
		user_stated: ["Said by you", "你说的"], system_derived: ["Derived", "推断的"], external: ["From elsewhere", "来自别处"],
	});
	return Object.hasOwn(names, trust) ? say(...names[trust]) : trust;
}

/** @param {string} operation */
export function operationName(operation) {
	const names = /** @type {Record<string, [string, string]>} */ ({
		add: ["Add", "新增"], edit: ["Correct", "更正"], merge: ["Merge", "合并"], move: ["Move", "移动"], archive: ["Archive", "归档"],
	});
	return Object.hasOwn(names, operation) ? say(...names[operation]) : operation;
}

/** @param {string} name of a tool that the model calls */
export function toolName(name) {
	const names = /** @type {Record<string, [string, string]>} */ ({
		memory_search: ["Searched memory", "搜索记忆"], memory_read: ["Read a memory", "读取记忆"], memory_propose: ["Proposed a change", "提议修改"],
		memory_manage: ["Changed memory", "修改记忆"], memory_organize: ["Looked for what is worth keeping", "整理记忆"],
		notes_search: ["Searched notes", "搜索笔记"], notes_read: ["Read a note", "读取笔记"], notes_metadata: ["Read a note's properties", "读取笔记属性"],
		notes_query: ["Listed notes", "列出笔记"], notes_resolve: ["Followed a link", "解析链接"], notes_related: ["Looked for related notes", "查找相关笔记"],
	});
	return Object.hasOwn(names, name) ? say(...names[name]) : name;
}

/** @param {string} state of a turn */
export function stateName(state) {
	const names = /** @type {Record<string, [string, string]>} */ ({
		done: ["done", "已完成"], running: ["under way", "进行中"], stopped: ["stopped", "已停止"], failed: ["failed", "失败"], interrupted: ["interrupted", "中断"],
	});
	return Object.hasOwn(names, state) ? say(...names[state]) : state;
}

/** What a Chinese reader is told before the daemon's own words. @type {Record<string, string>} */
const MODEL_FAILURES = {
	model_missing: "没有配置模型", model_away: "连不上模型服务", model_refused: "模型服务没有接受请求", model_timeout: "模型没有及时回答",
	model_cut: "模型的回答中途断了", model_answer: "模型的回答无法使用",
};

/** What went wrong, for a person, with what to do where that is known. @param {unknown} error */
export function failureText(error) {
	const found = /** @type {{code?: string, message?: string, hint?: string}} */ (error ?? {});
	if (found.code === "daemon_away") {
		return say("Deepseedian is not running.", "Deepseedian 没有运行。");
	}
	if (found.code === "lost_answer") {
		return say("The connection broke. Look whether it was done before you repeat it.", "连接断了。重复之前请先看看是否已经完成。");
	}
	const lead = chinese() && Object.hasOwn(MODEL_FAILURES, found.code ?? "") ? `${MODEL_FAILURES[String(found.code)]}：` : "";
	const message = lead + String(found.message ?? error);
	return found.hint ? say("{0} ({1})", "{0}（{1}）", message, found.hint) : message;
}
