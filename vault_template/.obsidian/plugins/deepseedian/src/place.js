/**
 * Where an inline completion may stand, as far as the text of the note says it: prose, lists and quotes. What Obsidian adds to
 * Markdown (properties, [[links]], #tags, math, %%comments%%) is known to no common syntax tree, so it is read here.
 */

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})[ \t]*(.*)$/;
const ITEM = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const BEGINNING = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:\[.\][ \t]+)?/;
const DELIMITER = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const RULE = /^[ \t>]*(?:([-*_])[ \t]*)(?:\1[ \t]*){2,}$/;
const DEEP = /^(?: {4}| {0,3}\t)/;

/**
 * Why no completion may stand there; empty where one may. `before` is the whole note up to the cursor.
 * @param {string} before @param {string} after @returns {string}
 */
export function refusedPlace(before, after) {
	const lines = before.split("\n");
	const line = lines[lines.length - 1] ?? "";
	if (inFrontMatter(lines)) {
		return "front_matter";
	}
	const { prose, open } = outsideFences(lines);
	if (open || FENCE.test(line) || indentedCode(lines)) {
		return "code";
	}
	const rest = after.split(/\n[ \t>]*\n/)[0] ?? "";
	return refusedLine(line, rest) || refusedBlock(prose, rest);
}

/** @param {string} line up to the cursor @param {string} rest of its block @returns {string} */
function refusedLine(line, rest) {
	const ends = rest.split("\n");
	const whole = line + ends[0];
	const words = line.replace(BEGINNING, "");
	if (!words.trim()) {
		return "empty_line";
	}
	if (/^[ \t>]*#{1,6}(?:[ \t]|$)/.test(whole) || /^[ \t]*(?:=+|-+)[ \t]*$/.test(ends[1] ?? "")) {
		return "heading";
	}
	if (RULE.test(whole)) {
		return "rule";
	}
	if (/^[ \t>]*<[A-Za-z/!]/.test(whole)) {
		return "html";
	}
	if (/[A-Za-z0-9]$/.test(line) && /^[A-Za-z0-9]/.test(rest)) {
		return "word";
	}
	if (/(?:^|[\s([（【「，。、；：！？])#[^\s#.,;:!?()[\]{}'"，。；：！？、（）【】「」]*$/u.test(line)) {
		return "tag";
	}
	return /(?:https?|ftp|file|obsidian):\/\/[^\s<>，。；：！？、（）]*$/i.test(line) || /\bwww\.[^\s<>]*$/i.test(line) ? "link" : "";
}

/** @param {string[]} prose the lines that are no fenced code @param {string} rest @returns {string} */
function refusedBlock(prose, rest) {
	const block = lastBlock(prose);
	if (inTable(block, rest)) {
		return "table";
	}
	const { bare, open } = withoutCode(block.join("\n"));
	if (open) {
		return "code";
	}
	const all = prose.join("\n").split(/\n[ \t>]*\n/).map((text) => withoutCode(text).bare).join("\n\n");
	if (all.split("$$").length % 2 === 0 || inMath(bare, rest)) {
		return "math";
	}
	if (all.split("%%").length % 2 === 0 || all.lastIndexOf("<!--") > all.lastIndexOf("-->")) {
		return "comment";
	}
	if (/<[A-Za-z/!][^<>]*$/.test(bare)) {
		return "html";
	}
	return openBracket(bare) ? "link" : "";
}

/** @param {string[]} lines */
function inFrontMatter(lines) {
	return (lines[0] ?? "").replace(/^\ufeff/, "").trimEnd() === "---" && !lines.slice(1, -1).some((line) => ["---", "..."].includes(line.trimEnd()));
}

/** The lines that are no fenced code, and whether the last one is within such code. @param {string[]} lines */
function outsideFences(lines) {
	/** @type {string[]} */
	const prose = [];
	let mark = "";
	for (const line of lines.slice(0, -1)) {
		const found = FENCE.exec(line);
		const [sign, info] = [found?.[1] ?? "", found?.[2] ?? ""];
		if (sign && !mark && !(sign.startsWith("`") && info.includes("`"))) {
			mark = sign;
			prose.push("");
		} else if (mark && sign.startsWith(mark) && !info.trim()) {
			mark = "";
		} else if (!mark) {
			prose.push(line);
		}
	}
	prose.push(lines[lines.length - 1] ?? "");
	return { prose, open: Boolean(mark) };
}

/** Four columns after an empty line, unless they belong to a list item above. @param {string[]} lines */
function indentedCode(lines) {
	if (!DEEP.test(lines[lines.length - 1] ?? "")) {
		return false;
	}
	for (let at = lines.length - 2; at >= 0; at--) {
		const line = lines[at] ?? "";
		if (line.trim() && (ITEM.test(line) || !DEEP.test(line))) {
			return !ITEM.test(line) && lines.slice(at + 1, -1).some((between) => !between.trim());
		}
	}
	return true;
}

/** The lines up to the cursor that no empty line parts from it. @param {string[]} lines */
function lastBlock(lines) {
	let from = lines.length - 1;
	while (from > 0 && (lines[from - 1] ?? "").replace(/^[ \t>]+/, "").trim()) {
		from--;
	}
	return lines.slice(from);
}

/** @param {string[]} block @param {string} rest */
function inTable(block, rest) {
	const [line, above, ends] = [block[block.length - 1] ?? "", block.slice(0, -1), rest.split("\n")];
	return /^[ \t>]*\|/.test(line) || above.some((one) => one.includes("|") && DELIMITER.test(one))
		|| ((ends[1] ?? "").includes("|") && DELIMITER.test(ends[1] ?? "") && (line + ends[0]).includes("|"));
}

/** A block without what is code or escaped in it, and whether code is open at its end. @param {string} text */
function withoutCode(text) {
	const pieces = /\\[^]?|`+|[^\\`]+/g;
	let bare = "";
	for (let piece = pieces.exec(text)?.[0]; piece; piece = pieces.exec(text)?.[0]) {
		if (!piece.startsWith("`")) {
			bare += piece.startsWith("\\") ? "x" : piece;
			continue;
		}
		const closing = new RegExp(`(?<!\`)${piece}(?!\`)`, "g");
		closing.lastIndex = pieces.lastIndex;
		if (!closing.test(text)) {
			return { bare, open: true };
		}
		pieces.lastIndex = closing.lastIndex;
		bare += "x";
	}
	return { bare, open: false };
}

/** Whether a single dollar sign is open; an amount of money that nothing closes is none. @param {string} block @param {string} rest */
function inMath(block, rest) {
	const text = block.replace(/\$\$.*?\$\$/gs, "x");
	let begun = -1;
	for (const sign of text.matchAll(/(?<!\$)\$(?!\$)/g)) {
		const [left, right] = [text[sign.index - 1] ?? "", text[sign.index + 1] ?? ""];
		if (begun >= 0 && left.trim() && !/\d/.test(right)) {
			begun = -1;
		} else if (begun < 0 && (!right || right.trim())) {
			begun = sign.index + 1;
		}
	}
	return begun >= 0 && (!/\d/.test(text[begun] ?? "") || rest.replace(/\\./g, "").includes("$"));
}

/** Whether a link's words or its address are open. @param {string} text */
function openBracket(text) {
	let depth = 0;
	for (let at = 0; at < text.length; at++) {
		if (text[at] === "[") {
			depth++;
		} else if (text[at] === "]" && depth) {
			depth--;
		}
	}
	if (depth || !text.includes("](")) {
		return depth > 0;
	}
	let open = 0;
	for (const sign of text.slice(text.lastIndexOf("](") + 1)) {
		open += sign === "(" ? 1 : sign === ")" ? -1 : 0;
		if (!open || sign === "\n") {
			return false;
		}
	}
	return true;
}

/** The last so many UTF-16 units, no character split. @param {string} text @param {number} most */
export function tail(text, most) {
	return text.slice(-most).replace(/^[\udc00-\udfff]/, text.length > most ? "" : "$&");
}

/** The first so many units. @param {string} text @param {number} most */
export function head(text, most) {
	return text.slice(0, most).replace(/[\ud800-\udbff]$/, text.length > most ? "" : "$&");
}
