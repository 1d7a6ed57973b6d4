/**
 * Inline completion in a note: one line of grey text at the cursor that is no text yet. Tab puts it in as one step of undo, Esc
 * takes it away; any edit, move, loss of focus or composition of an input method ends it, and an answer that comes late is dropped.
 */

import { isolateHistory } from "@codemirror/commands";
import { syntaxTree, syntaxTreeAvailable } from "@codemirror/language";
import { Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, WidgetType } from "@codemirror/view";
import { editorInfoField } from "obsidian";
import { head, refusedPlace, tail } from "./place.js";
import { say } from "./words.js";

const BEFORE = 3000;
const AFTER = 1000;
const TITLE = 200;

/** @typedef {{pos: number, text: string}} Suggestion an empty text: it is still being asked for */

class Ghost extends WidgetType {
	/** @param {string} text */
	constructor(text) {
		super();
		this.text = text;
	}

	/** @param {WidgetType} other */
	eq(other) {
		return other instanceof Ghost && other.text === this.text;
	}

	toDOM() {
		return createSpan({ cls: "deepseedian-ghost", text: this.text || " …", attr: { "aria-hidden": "true" } });
	}
}

const suggest = /** @type {import("@codemirror/state").StateEffectType<Suggestion | null>} */ (StateEffect.define());

const suggested = StateField.define({
	create: () => /** @type {Suggestion | null} */ (null),
	update(value, transaction) {
		const told = transaction.effects.find((effect) => effect.is(suggest));
		if (told) {
			return told.value;
		}
		return transaction.docChanged || transaction.selection ? null : value;
	},
	provide: (field) => EditorView.decorations.from(field, (value) =>
		value ? Decoration.set(Decoration.widget({ widget: new Ghost(value.text), side: 1 }).range(value.pos)) : Decoration.none),
});

/** What one editor asks for. Made and ended by the editor itself. */
class Asking {
	/** @param {EditorView} view @param {import("./completing.js").Completion} completion */
	constructor(view, completion) {
		this.view = view;
		this.completion = completion;
		this.timer = 0;
		/** @type {AbortController | null} */
		this.call = null;
		completion.live.add(this);
	}

	/** @param {import("@codemirror/view").ViewUpdate} update */
	update(update) {
		if (update.docChanged || update.selectionSet) {
			this.stop();
		}
		if (update.docChanged && update.transactions.some((one) => one.isUserEvent("input.type"))) {
			this.later();
		}
	}

	destroy() {
		this.stop();
		this.completion.live.delete(this);
	}

	/** Ask when nothing is typed for a while, where the owner wants that. */
	later() {
		const pause = this.completion.notes ? this.completion.pause : 0;
		window.clearTimeout(this.timer);
		if (pause) {
			this.timer = window.setTimeout(() => void this.ask(false), pause);
		}
	}

	stop() {
		window.clearTimeout(this.timer);
		this.call?.abort();
		this.call = null;
	}

	/** Nothing is asked for or shown any more; for whoever is not within an update of the editor. */
	dismiss() {
		this.stop();
		this.show(null);
	}

	/** @param {Suggestion | null} value */
	show(value) {
		const now = this.view.state.field(suggested, false);
		if (value || now) {
			this.view.dispatch({ effects: value?.text ? [suggest.of(value), EditorView.announce.of(say("Suggestion: {0}", "建议：{0}", value.text))] : suggest.of(value) });
		}
	}

	/** @param {boolean} byHand whether the person asked outright, and is told why there is nothing */
	async ask(byHand) {
		this.stop();
		const { state } = this.view;
		const pos = state.selection.main.head;
		const reason = this.refusal() || (!byHand && /[\p{L}\p{N}]/u.test(state.doc.lineAt(pos).text.slice(pos - state.doc.lineAt(pos).from)) ? "amid" : "");
		if (reason) {
			this.completion.tell(reason, byHand);
			return;
		}
		const file = state.field(editorInfoField).file;
		const call = this.call = this.completion.begin(this);
		this.show(byHand ? { pos, text: "" } : null);
		const text = await this.completion.ask({
			before: tail(state.sliceDoc(0, pos), BEFORE), after: head(state.sliceDoc(pos, pos + AFTER + 1), AFTER),
			title: head(file?.basename ?? "", TITLE), path: file?.path ?? "",
		}, call.signal, byHand);
		if (this.call === call) {
			this.call = null;
			const now = this.view.state;
			const same = now.doc.eq(state.doc) && now.selection.eq(state.selection) && now.field(editorInfoField).file === file;
			this.show(text && same && this.view.hasFocus && !this.view.composing && !now.readOnly ? { pos, text } : null);
		}
	}

	/** Why nothing may be asked for here; empty when it may. */
	refusal() {
		const { state, view } = { state: this.view.state, view: this.view };
		const { main, ranges } = state.selection;
		const file = state.field(editorInfoField, false)?.file;
		if (state.readOnly || !state.facet(EditorView.editable)) {
			return "read_only";
		}
		if (file?.extension !== "md") {
			return "no_note";
		}
		if (ranges.length > 1 || !main.empty) {
			return "selection";
		}
		if (view.composing || view.compositionStarted) {
			return "composing";
		}
		if (view.dom.closest(".cm-table-widget")) { // Obsidian edits a cell in an editor of its own
			return "table";
		}
		if (!syntaxTreeAvailable(state, main.head)) {
			return "unparsed";
		}
		return refusedPlace(state.sliceDoc(0, main.head), state.sliceDoc(main.head, main.head + 2 * AFTER)) || refusedNode(state, main.head);
	}
}

/** The names of Obsidian's own syntax tree, and of CodeMirror's. @type {[RegExp, string][]} */
const NODES = [
	[/frontmatter/i, "front_matter"], [/code/i, "code"], [/math/i, "math"], [/table/i, "table"], [/comment/i, "comment"], [/html/i, "html"],
	[/link|url|image/i, "link"], [/hashtag|(?:^|[_-])tag(?:$|[_-])/i, "tag"], [/head(?:er|ing)/i, "heading"], [/horizontalrule|(?:^|_)hr(?:$|_)/i, "rule"],
];

/** @param {import("@codemirror/state").EditorState} state @param {number} pos */
function refusedNode(state, pos) {
	for (let node = /** @type {import("@lezer/common").SyntaxNode | null} */ (syntaxTree(state).resolveInner(pos, -1)); node; node = node.parent) {
		const { name, from, to } = node;
		const found = from < pos && pos < to ? NODES.find(([names]) => names.test(name)) : undefined;
		if (found) {
			return found[1];
		}
	}
	return "";
}

/**
 * What every editor gets, and how one is asked.
 * @param {import("./completing.js").Completion} completion
 */
export function ghostText(completion) {
	const asking = ViewPlugin.define((view) => new Asking(view, completion));
	const dismissed = (/** @type {EditorView} */ view) => view.plugin(asking)?.dismiss();
	const keydown = (/** @type {KeyboardEvent} */ event, /** @type {EditorView} */ view) => {
		const here = view.plugin(asking);
		const value = view.state.field(suggested, false);
		if (event.isComposing || event.keyCode === 229) { // a key of an input method: it is about to compose, or does
			here?.dismiss();
			return false;
		}
		if (!here || !value || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
			return false;
		}
		if (event.key === "Escape") {
			here.dismiss();
			return true;
		}
		if (event.key !== "Tab" || !value.text) {
			return false;
		}
		view.dispatch({ changes: { from: value.pos, insert: value.text }, selection: { anchor: value.pos + value.text.length }, scrollIntoView: true,
			userEvent: "input.complete", annotations: isolateHistory.of("full") });
		return true;
	};
	// Above every keymap: the editor's own would have Tab first, in lists most of all.
	const events = Prec.highest(EditorView.domEventHandlers({
		keydown, blur: (_, view) => dismissed(view), compositionstart: (_, view) => dismissed(view),
		compositionend: (_, view) => view.plugin(asking)?.later(),
	}));
	return { extension: [suggested, asking, events], ask: (/** @type {EditorView} */ view) => view.plugin(asking)?.ask(true) };
}
