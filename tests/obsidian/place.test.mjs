/** Where a completion may stand, as the text of a note says it. */
import assert from "node:assert/strict";
import test from "node:test";
import { head, refusedPlace, tail } from "../../vault_template/.obsidian/plugins/deepseedian/src/place.js";

const PLACES = {
	"": ["Tea is ", "我今天喝", "- item ", "- [ ] buy ", "1. first ", "> quoted ", "- a\n    - b ", "- item\n\n    still the item ", "Text\n    goes on ", "a * b ", "C# and ", "1 < 2 and ",
		"---\na: 1\n---\nText ", "```js\nlet a\n```\nThen ", "$$\nx\n$$\nSo ", "It is $x$ or ", "It cost $5 and ", "Use `ls` and ", "Use ``a`b`` and ", "\\`no code ", "see [[No]] and ",
		"see [a](b) and ", "see [a](b(c)) and ", "#tag and ", "话题#标签", "https://a.example/b and ", "%% c %% and ", "<!-- c -->\nand ", "a or | b ", "**bold** and ", "**bold", "「他说",
		"(in brackets", "A `\n\nnew paragraph "],
	front_matter: ["---\ntags: ", "---", "\ufeff---\na: "],
	code: ["```js\nlet a = ", "~~~\na", "```", "> ```\n> a", "- ```\n  a", "    code", "Text\n\n    code", "Use `ls", "Use ``a ` b"],
	math: ["$$\nx + ", "It is $x + ", "Say $"],
	table: ["| a | b", "a | b\n--|--\n1 ", "> | a "],
	link: ["see [[No", "see [No", "see [a](http", "![pic", "https://a.exam", "go to www.exam", "see [a](b(c"],
	tag: ["#ta", "about #项目/甲"],
	html: ["<div>x", "a <b", "<!-- x"],
	comment: ["%% c", "a %% b"],
	heading: ["# head", "## ", "> # a"],
	rule: ["***", "- - -", "___"],
	empty_line: ["", "Text\n", "- ", "- [ ] ", "> ", "   ", "1. "],
};

test("places", () => {
	for (const [reason, texts] of Object.entries(PLACES)) {
		for (const text of texts) {
			const expected = reason === "heading" && !text.replace(/[#> ]/g, "") ? /heading|empty_line/ : new RegExp(`^${reason}$`);
			assert.match(refusedPlace(text, ""), expected, JSON.stringify(text));
		}
	}
});

test("what follows counts too", () => {
	const found = [["wor", "d"], ["wor", " d"], ["我", "们"], ["Title", "\n==="], ["Title", "\n\n---"], ["a | b", "\n--|--"], ["Let $5 + ", "$ be"], ["Let $5 + ", "\n\n$ be"], ["a ", "`b`"]];
	assert.deepEqual(found.map(([before, after]) => refusedPlace(before, after)), ["word", "", "", "heading", "", "table", "math", "", ""]);
});

test("a long note is looked through in no time", () => {
	const note = "Some *text* with `code`, $x$ and [links](https://a.example/b).\n- a list\n\n".repeat(20_000);
	const begun = performance.now();
	assert.equal(refusedPlace(`${note}The end `, ""), "");
	assert.ok(performance.now() - begun < 3000);
	for (const evil of ["`".repeat(50_000), "$ ".repeat(50_000), "[".repeat(50_000), "](".repeat(20_000), "- ".repeat(50_000), "http://".repeat(5000), "<a".repeat(50_000), "\\".repeat(50_001)]) {
		refusedPlace(evil, evil.slice(0, 2000));
	}
	assert.ok(performance.now() - begun < 10_000);
});

test("bounds split no character", () => {
	assert.deepEqual([tail("😀a", 2), tail("😀a", 3), tail("a", 5), head("a😀", 2), head("a😀", 3), head("a", 5), tail("", 3)], ["a", "😀a", "a", "a", "a😀", "a", ""]);
});
