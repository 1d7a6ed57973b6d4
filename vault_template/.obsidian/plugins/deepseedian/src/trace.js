/** What happened in a turn: its steps in time, the memory put before it, tokens and cost. */

import { ItemView } from "obsidian";
import { awayLine, emptyLine, textButton } from "./parts.js";
import { usageText } from "./turn.js";
import { failureText, say, stateName, when } from "./words.js";

export const TRACE = "deepseedian-trace";
const MOST = 100;
const TOOLS = ["tool_call", "tool_result"];

/** @typedef {{number: number, at: string, kind: string, detail: Record<string, any>, preview: string, usage: Record<string, number> | null}} Step */

export class TraceView extends ItemView {
	/** @param {import("obsidian").WorkspaceLeaf} leaf @param {import("./main.js").default} plugin */
	constructor(leaf, plugin) {
		super(leaf);
		this.plugin = plugin;
		this.turn = "";
		this.tools = false;
		this.words = "";
		/** @type {Record<string, any> | null} */
		this.trace = null;
	}

	getViewType() {
		return TRACE;
	}

	getDisplayText() {
		return say("Deepseedian trace", "Deepseedian 轨迹");
	}

	getIcon() {
		return "list-tree";
	}

	async onOpen() {
		const root = this.contentEl;
		root.empty();
		root.addClass("deepseedian", "deepseedian-trace");
		const away = awayLine(root, this.plugin);
		this.bar = root.createDiv({ cls: "deepseedian-bar" });
		this.list = root.createDiv({ cls: "deepseedian-list" });
		this.register(this.plugin.link.on((kind) => {
			if (kind === "presence") {
				away.show();
				void this.refresh();
			}
		}));
		await this.refresh();
	}

	async onClose() {
		this.contentEl.empty();
	}

	/** @param {string} turn empty for the list of turns */
	async show(turn) {
		this.turn = turn;
		await this.refresh();
	}

	async refresh() {
		const list = this.list;
		if (!list) {
			return;
		}
		try {
			if (this.turn) {
				this.trace = await this.plugin.client.get(`/v1/traces/${encodeURIComponent(this.turn)}`);
				this.drawTrace(this.trace);
			} else {
				this.drawTurns(/** @type {Record<string, any>[]} */ ((await this.plugin.client.get("/v1/traces", { limit: MOST })).turns));
			}
		} catch (error) {
			list.empty();
			emptyLine(list, failureText(error));
		}
	}

	/** @param {Record<string, any>[]} turns */
	drawTurns(turns) {
		const list = /** @type {HTMLElement} */ (this.list);
		this.bar?.empty();
		this.bar?.createSpan({ text: say("The last turns with a model", "最近的各轮对话") });
		list.empty();
		turns.forEach((turn) => {
			const row = list.createEl("button", { cls: "deepseedian-open deepseedian-card", attr: { type: "button" } });
			row.createDiv({ cls: "deepseedian-title", text: String(turn.question) });
			row.createDiv({ cls: "deepseedian-meta", text: `${when(String(turn.at))} · ${usageText(turn.usage)}` });
			row.onclick = () => void this.show(String(turn.turn));
		});
		if (!turns.length) {
			emptyLine(list, say("No turns yet. Each question in the chat leaves one: its steps, the memory that went along, tokens and cost.",
				"还没有对话。聊天中的每个问题都会留下记录：步骤、附带的记忆、词元和费用。"));
		}
	}

	/** @param {Record<string, any>} trace */
	drawTrace(trace) {
		const bar = this.bar;
		if (!bar) {
			return;
		}
		bar.empty();
		textButton(bar, say("All turns", "所有轮次"), () => this.show(""));
		const field = bar.createEl("input", { type: "search", attr: { "aria-label": say("Filter steps", "筛选步骤"), placeholder: say("Filter steps", "筛选步骤") } });
		field.value = this.words;
		field.oninput = () => {
			this.words = field.value;
			this.drawSteps(trace);
		};
		const label = bar.createEl("label");
		const box = label.createEl("input", { type: "checkbox" });
		box.checked = this.tools;
		label.appendText(say(" Tool calls only", " 只看工具调用"));
		box.onchange = () => {
			this.tools = box.checked;
			this.drawSteps(trace);
		};
		bar.createDiv({ cls: "deepseedian-usage", text: `${usageText(trace.usage)}${trace.state ? ` · ${stateName(String(trace.state))}` : ""}` });
		this.drawSteps(trace);
	}

	/** @param {Record<string, any>} trace */
	drawSteps(trace) {
		const list = /** @type {HTMLElement} */ (this.list);
		list.empty();
		const steps = /** @type {Step[]} */ (trace.steps);
		const words = this.words.toLowerCase();
		const start = Date.parse(steps[0]?.at ?? "");
		const seen = steps.filter((step) => (!this.tools || TOOLS.includes(step.kind))
			&& (!words || `${step.kind} ${JSON.stringify(step.detail)}`.toLowerCase().includes(words)));
		seen.forEach((step) => this.drawStep(step, (Date.parse(step.at) - start) / 1000, list));
		if (!seen.length) {
			emptyLine(list, say("No steps.", "没有步骤。"));
		}
	}

	/** @param {Step} step @param {number} after seconds since the question @param {HTMLElement} list */
	drawStep(step, after, list) {
		const fold = list.createEl("details", { cls: "deepseedian-step", attr: { "data-kind": step.kind } });
		const head = fold.createEl("summary");
		head.createSpan({ cls: "deepseedian-time", text: `+${after.toFixed(1)} s` });
		head.createSpan({ cls: "deepseedian-title", text: stepName(step.kind) });
		head.createSpan({ cls: "deepseedian-meta", text: summary(step) });
		if (step.kind === "memory") {
			const list = fold.createEl("ul");
			/** @type {{id: string, summary: string}[]} */ (step.detail.index ?? []).forEach((row) => {
				const link = list.createEl("li").createEl("a", { cls: "internal-link", text: row.summary, attr: { href: "#" } });
				link.onclick = (event) => {
					event.preventDefault();
					void this.plugin.openMemory({ entry: row.id });
				};
			});
		}
		fold.ontoggle = () => { // long details are drawn when they are looked at
			if (fold.open && !fold.querySelector("pre")) {
				fold.createEl("pre", { text: JSON.stringify(step.detail, null, 1) });
			}
		};
	}
}

/** @param {Step} step */
function summary(step) {
	if (step.kind === "memory") {
		return say("{0} offered", "{0} 条", /** @type {unknown[]} */ (step.detail.index ?? []).length);
	}
	if (step.kind === "request") {
		return say("round {0}, {1} messages", "第 {0} 次，{1} 条消息", Number(step.detail.round), Number(step.detail.messages));
	}
	if (step.kind === "context") {
		return ""; // its parts are seen when it is opened
	}
	return step.usage ? usageText(step.usage) : step.preview.slice(0, 160);
}

/** @param {string} kind */
function stepName(kind) {
	const names = /** @type {Record<string, [string, string]>} */ ({
		question: ["Question", "问题"], memory: ["Memory", "记忆"], context: ["Context", "上下文"], request: ["Request to the model", "请求模型"],
		reasoning: ["Reasoning", "思考"], tool_call: ["Tool call", "调用工具"], tool_result: ["Tool result", "工具结果"], answer: ["Answer", "回答"],
		usage: ["Tokens", "词元"], error: ["Failure", "失败"], end: ["End", "结束"],
	});
	return Object.hasOwn(names, kind) ? say(...names[kind]) : kind;
}
