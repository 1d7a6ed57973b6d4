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

/** What went wrong, for a person, with what to do where that is known. @param {unknown} error */
export function failureText(error) {
	const found = /** @type {{code?: string, message?: string, hint?: string}} */ (error ?? {});
	if (found.code === "daemon_away") {
		return say("Deepseedian is not running.", "Deepseedian 没有运行。");
	}
	if (found.code === "lost_answer") {
		return say("The connection broke. Look whether it was done before you repeat it.", "连接断了。重复之前请先看看是否已经完成。");
	}
	const message = String(found.message ?? error);
	return found.hint ? say("{0} ({1})", "{0}（{1}）", message, found.hint) : message;
}
