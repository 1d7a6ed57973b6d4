/** One proposal as it is shown: what changes, why, in whose words, and the owner's own version of it. */

import { showDifference } from "./diff.js";
import { textButton } from "./parts.js";
import { kindName, operationName, say, when } from "./words.js";

/** @typedef {import("./review.js").ReviewView} View */
/** @typedef {{source: string, quote: string}} Quote */
/**
 * @typedef {Record<string, any> & {id: string, operation: string, kind: string, topic: string, text: string, reason: string, at: string,
 *   status: string, evidence: Quote[], before: string[]}} Proposal
 */

/** @param {View} view @param {Proposal} proposal @param {number} index @param {HTMLElement} list */
export function drawProposal(view, proposal, index, list) {
	const card = list.createDiv({ cls: "deepseedian-card", attr: { role: "listitem", "data-id": proposal.id } });
	card.toggleClass("is-active", index === view.at);
	const head = card.createDiv({ cls: "deepseedian-row" });
	const box = head.createEl("input", { type: "checkbox", attr: { "aria-label": say("Choose: {0}", "选择：{0}", proposal.text.slice(0, 60)) } });
	box.checked = view.chosen.has(proposal.id);
	box.onchange = () => {
		view.choose(proposal.id, box.checked);
		view.drawBar();
	};
	head.createSpan({ cls: "deepseedian-title", text: [operationName(proposal.operation), proposal.topic, proposal.kind ? kindName(proposal.kind) : ""].filter(Boolean).join(" · ") });
	head.createSpan({ cls: "deepseedian-meta", text: when(proposal.at) });
	drawChange(view, proposal, card);
	card.createDiv({ cls: "deepseedian-reason", text: proposal.reason });
	proposal.evidence.forEach((quote) => card.createEl("blockquote", { text: quote.quote, attr: { title: quote.source } }));
	const row = card.createDiv({ cls: "deepseedian-actions" });
	textButton(row, view.edited.has(proposal.id) ? say("Approve my version", "批准我的版本") : say("Approve", "批准"), () => view.decide(proposal, "approve"), "mod-cta");
	if (takesText(proposal)) {
		textButton(row, say("Edit", "编辑"), () => editProposal(view, proposal, card));
	}
	textButton(row, say("Dismiss", "忽略"), () => view.decide(proposal, "dismiss"));
	card.onclick = () => view.mark(index);
}

/** @param {View} view @param {Proposal} proposal @param {HTMLElement} card */
function drawChange(view, proposal, card) {
	const after = view.edited.get(proposal.id) ?? proposal.text;
	const before = proposal.before ?? [];
	const body = card.createDiv({ cls: "deepseedian-change" });
	if (before.length > 1) {
		before.forEach((text) => body.createEl("del", { cls: "deepseedian-diff", text }));
		body.createEl("ins", { cls: "deepseedian-diff", text: after });
	} else if (proposal.operation === "archive" || (proposal.operation === "move" && before.length)) {
		body.createDiv({ cls: "deepseedian-diff" }).createEl(proposal.operation === "archive" ? "del" : "span", { text: before[0] ?? after });
	} else {
		showDifference(body, before[0] ?? "", after);
	}
}

/** @param {View} view @param {Proposal} proposal @param {HTMLElement} card */
export function editProposal(view, proposal, card) {
	const body = /** @type {HTMLElement} */ (card.querySelector(".deepseedian-change"));
	body.empty();
	const field = body.createEl("textarea", { cls: "deepseedian-edit", attr: { rows: "5", "aria-label": say("The text to keep", "要保留的内容") } });
	field.value = view.edited.get(proposal.id) ?? proposal.text;
	field.oninput = () => view.edited.set(proposal.id, field.value);
	const row = body.createDiv({ cls: "deepseedian-actions" });
	const approve = () => {
		view.edited.set(proposal.id, field.value); // what stands here lands, changed or not
		void view.decide(proposal, "approve");
	};
	textButton(row, say("Approve my version", "批准我的版本"), approve, "mod-cta");
	textButton(row, say("Undo my changes", "撤销我的修改"), () => {
		view.edited.delete(proposal.id);
		view.draw();
	});
	field.onkeydown = (event) => {
		event.stopPropagation(); // letters are text here
		if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) {
			approve();
		} else if (event.key === "Escape" && !event.isComposing) {
			view.draw();
			view.list?.focus();
		}
	};
	field.focus();
}

/** Whether the text that lands is the owner's to word. @param {Proposal} proposal */
export function takesText(proposal) {
	return proposal.operation === "add" || proposal.operation === "edit" || proposal.operation === "merge";
}
