/**
 * Markdown of models and of memory as elements. It is not rendered the way notes are, on purpose: a note may hold HTML,
 * remote pictures and code blocks that other plugins carry out, and none of this may come out of a model's mouth. Here
 * only elements that are named below come into being, every text stays text, and a picture is a link to it.
 */

import MarkdownIt from "markdown-it";
import { finishRenderMath, loadMathJax, renderMath } from "obsidian";

/** @typedef {import("markdown-it").Token} Token */

const parser = new MarkdownIt({ html: false, linkify: false, breaks: true });
const PLAIN = new Set(["p", "strong", "em", "s", "blockquote", "ul", "li", "table", "thead", "tbody", "tr", "th", "td",
	"h1", "h2", "h3", "h4", "h5", "h6"]);
const OPENED = /^(?:https?|mailto|obsidian):/i;

parser.validateLink = () => true; // what is opened is decided where the link is made
parser.inline.ruler.before("link", "wikilink", (state, silent) => {
	const found = /^\[\[([^[\]|\n]{1,400})(?:\|([^[\]\n]{1,400}))?\]\]/.exec(state.src.slice(state.pos, state.pos + 810));
	if (!found) {
		return false;
	}
	if (!silent) {
		const token = state.push("wikilink", "", 0);
		token.content = found[2] ?? found[1];
		token.info = found[1];
	}
	state.pos += found[0].length;
	return true;
});
parser.inline.ruler.before("escape", "math", (state, silent) => {
	if (state.src[state.pos] !== "$") {
		return false;
	}
	const found = /^\$\$([^$]{1,4000})\$\$|^\$([^\s$](?:[^$\n]{0,400}[^\s$])?)\$(?!\d)/.exec(state.src.slice(state.pos, state.pos + 4004));
	if (!found) {
		return false;
	}
	if (!silent) {
		const token = state.push("math", "", 0);
		token.content = found[1] ?? found[2];
		token.block = found[1] !== undefined;
	}
	state.pos += found[0].length;
	return true;
});
parser.core.ruler.push("tasks", (state) => {
	state.tokens.forEach((token, at) => {
		const first = token.type === "inline" && state.tokens[at - 2]?.type === "list_item_open" ? token.children?.[0] : undefined;
		if (first?.type === "text") {
			first.content = first.content.replace(/^\[ \](?= )/, "☐").replace(/^\[[xX]\](?= )/, "☑");
		}
	});
});

/**
 * Fill an element with what the text says, in place of what it held.
 * @param {HTMLElement} parent @param {string} text @param {(link: string) => void} open opens a link inside the vault
 */
export function showMarkdown(parent, text, open) {
	parent.empty();
	const math = { any: false };
	walk(parser.parse(text, {}), parent, open, math);
	if (math.any) {
		void finishRenderMath();
	}
}

/** Needed once before the first formula. */
export const prepareMath = () => loadMathJax();

/** @param {Token[]} tokens @param {HTMLElement} parent @param {(link: string) => void} open @param {{any: boolean}} math */
function walk(tokens, parent, open, math) {
	const stack = [parent];
	for (const token of tokens) {
		const top = stack[stack.length - 1];
		if (token.nesting === 1) {
			stack.push(opened(token, top, open));
		} else if (token.nesting === -1) {
			stack.pop();
		} else if (token.type === "inline") {
			walk(token.children ?? [], top, open, math);
		} else {
			leaf(token, top, open, math);
		}
	}
}

/** @param {Token} token @param {HTMLElement} top @param {(link: string) => void} open @returns {HTMLElement} */
function opened(token, top, open) {
	if (token.type === "paragraph_open" && token.hidden) {
		return top.createSpan();
	}
	if (token.type === "link_open") {
		return link(top, String(token.attrGet("href") ?? ""), open);
	}
	if (token.type === "ordered_list_open") {
		const list = top.createEl("ol");
		list.start = Number(token.attrGet("start") ?? 1);
		return list;
	}
	return PLAIN.has(token.tag) ? top.createEl(/** @type {keyof HTMLElementTagNameMap} */ (token.tag)) : top.createSpan();
}

/** @param {Token} token @param {HTMLElement} top @param {(link: string) => void} open @param {{any: boolean}} math */
function leaf(token, top, open, math) {
	if (token.type === "softbreak" || token.type === "hardbreak") {
		top.createEl("br");
	} else if (token.type === "code_inline") {
		top.createEl("code", { text: token.content });
	} else if (token.type === "fence" || token.type === "code_block") {
		top.createEl("pre").createEl("code", { text: token.content, cls: "deepseedian-code" });
	} else if (token.type === "hr") {
		top.createEl("hr");
	} else if (token.type === "wikilink") {
		link(top, `vault:${token.info}`, open).setText(token.content);
	} else if (token.type === "math") {
		formula(token, top, math);
	} else if (token.type === "image") {
		link(top, String(token.attrGet("src") ?? ""), open).setText(token.content || String(token.attrGet("src") ?? ""));
	} else {
		top.appendText(token.content);
	}
}

/** @param {Token} token @param {HTMLElement} top @param {{any: boolean}} math */
function formula(token, top, math) {
	try {
		top.appendChild(renderMath(token.content, token.block));
		math.any = true;
	} catch { // before the library is there, or a formula that is none
		top.createEl("code", { text: token.content });
	}
}

/**
 * A link that goes to the web only by the few kinds that are opened by anybody, else into the vault.
 * @param {HTMLElement} top @param {string} target @param {(link: string) => void} open
 */
function link(top, target, open) {
	const found = top.createEl("a");
	if (OPENED.test(target)) {
		found.href = target;
		found.addClass("external-link");
		found.setAttr("rel", "noopener nofollow");
		found.setAttr("target", "_blank");
	} else if (/^[a-z][a-z0-9+.-]*:/i.test(target) && !target.startsWith("vault:")) {
		found.addClass("deepseedian-dead"); // javascript:, data:, file: and whatever else: shown, never opened
	} else {
		const inside = target.startsWith("vault:") ? target.slice(6) : decoded(target);
		found.addClass("internal-link");
		found.setAttr("data-href", inside);
		found.setAttr("href", "#"); // without one, no key reaches it
		found.onclick = (event) => {
			event.preventDefault();
			open(inside);
		};
	}
	return found;
}

/** @param {string} target */
function decoded(target) {
	try {
		return decodeURIComponent(target);
	} catch {
		return target;
	}
}
