/** One question and its answer as they are drawn, while the answer comes in and afterwards. */

import { Notice } from "obsidian";
import { showMarkdown } from "./markdown.js";
import { iconButton, textButton } from "./parts.js";
import { failureText, say, toolName } from "./words.js";

const DRAW_MS = 60;

/**
 * What a turn asks of the view it stands in.
 * @typedef {object} TurnHost
 * @property {(link: string) => void} openLink
 * @property {(id: string) => void} openEntry
 * @property {(receipt: string) => void} openReceipt
 * @property {(turn: string) => void} openTrace
 * @property {(turn: string) => void} fork
 * @property {() => void} again
 * @property {() => void} review
 */

export class TurnView {
	/** @param {HTMLElement} parent @param {TurnHost} host @param {string} question @param {string} [id] */
	constructor(parent, host, question, id = "") {
		this.host = host;
		this.id = id;
		this.answer = "";
		this.thought = "";
		this.drawing = 0;
		this.cost = DRAW_MS;
		/** @type {Map<string, HTMLElement>} */
		this.tools = new Map();
		this.el = parent.createDiv({ cls: "deepseedian-turn", attr: { "data-turn": id } });
		this.el.createDiv({ cls: "deepseedian-question", text: question });
		this.notices = this.el.createDiv({ cls: "deepseedian-notices" });
		this.memory = this.el.createDiv({ cls: "deepseedian-used" });
		this.steps = this.el.createDiv({ cls: "deepseedian-steps" });
		this.text = this.el.createDiv({ cls: "deepseedian-answer", attr: { "aria-live": "polite" } });
		this.foot = this.el.createDiv({ cls: "deepseedian-foot" });
	}

	/** A kept turn. @param {Record<string, any>} turn */
	fill(turn) {
		const answers = /** @type {{role: string, text: string}[]} */ (turn.messages).filter((message) => message.role === "assistant");
		this.answer = answers.map((message) => message.text).join("\n\n");
		this.draw();
		const extra = /** @type {Record<string, any>} */ (turn.extra ?? {});
		this.end(String(turn.state), extra.usage, extra.error ? failureText(extra.error) : "");
	}

	/** @param {string} kind @param {Record<string, any>} data */
	take(kind, data) {
		if (kind === "turn") {
			this.id = String(data.turn);
			this.el.setAttr("data-turn", this.id);
		} else if (kind === "recall") {
			this.drawMemory(data);
		} else if (kind === "reasoning") {
			this.think(String(data.text));
		} else if (kind === "delta") {
			this.answer += String(data.text);
			this.later();
		} else if (kind === "tool") {
			this.tool(data);
		} else if (kind === "notice") {
			this.notices.createDiv({ text: String(data.text) });
		} else if (kind === "proposals") {
			textButton(this.notices, say("{0} to review", "{0} 条待审阅", data.proposals.length), () => this.host.review());
		} else if (kind === "error") {
			this.error = failureText(data);
		} else if (kind === "done") {
			this.answer = String(data.answer || this.answer);
			this.end(String(data.state), data.usage, this.error);
		}
	}

	later() {
		if (!this.drawing) {
			this.drawing = window.setTimeout(() => this.draw(), this.cost);
		}
	}

	draw() {
		window.clearTimeout(this.drawing);
		this.drawing = 0;
		const begun = performance.now();
		showMarkdown(this.text, this.answer, this.host.openLink);
		this.cost = Math.max(DRAW_MS, 4 * (performance.now() - begun)); // a long answer is drawn less often
	}

	/** @param {Record<string, any>} data */
	drawMemory(data) {
		const rows = /** @type {{id: string, summary: string}[]} */ (data.index ?? []);
		this.memory.empty();
		if (!rows.length) {
			return;
		}
		const fold = this.memory.createEl("details");
		fold.createEl("summary", { text: say("Memory used: {0}", "用到的记忆：{0}", rows.length) });
		const list = fold.createEl("ul");
		rows.forEach((row) => {
			const link = list.createEl("li").createEl("a", { text: row.summary, cls: "internal-link", attr: { href: "#" } });
			link.onclick = (event) => {
				event.preventDefault();
				this.host.openEntry(row.id);
			};
		});
		if (data.receiptId) {
			textButton(fold, say("Why these?", "为什么是这些？"), () => this.host.openReceipt(String(data.receiptId)));
		}
	}

	/** @param {string} text */
	think(text) {
		this.thought += text;
		if (!this.thinking) {
			const fold = this.steps.createEl("details", { cls: "deepseedian-reasoning" });
			fold.createEl("summary", { text: say("Reasoning", "思考过程") });
			this.thinking = fold.createDiv();
		}
		this.thinking.setText(this.thought);
	}

	/** @param {Record<string, any>} data */
	tool(data) {
		const id = String(data.id);
		let fold = this.tools.get(id);
		if (!fold) {
			this.thought = this.thought && `${this.thought.trimEnd()}\n\n`; // what is thought after it is another thought
			fold = this.steps.createEl("details", { cls: "deepseedian-tool" });
			fold.createEl("summary", { text: toolName(String(data.name)), attr: { title: String(data.name) } });
			fold.createEl("pre", { text: String(data.arguments ?? "") });
			this.tools.set(id, fold);
		}
		fold.setAttr("data-state", String(data.state));
		if (data.preview) {
			fold.createEl("pre", { text: String(data.preview) });
		}
	}

	/** @param {string} state @param {Record<string, number> | undefined} usage @param {string} [error] */
	end(state, usage, error) {
		this.draw();
		this.state = state;
		this.el.setAttr("data-state", state);
		this.foot.empty();
		const said = error || endedText(state);
		if (said) {
			this.foot.createDiv({ cls: state === "stopped" ? "deepseedian-meta" : "deepseedian-error", text: said });
		}
		const row = this.foot.createDiv({ cls: "deepseedian-actions" });
		if (usage && usage.input) {
			row.createSpan({ cls: "deepseedian-usage", text: usageText(usage) });
		}
		if (this.answer) {
			iconButton(row, "copy", say("Copy the answer", "复制回答"), () => this.copy());
		}
		if (state === "done" && this.id) {
			iconButton(row, "git-branch", say("Go on from here in a new chat", "从这里另开会话"), () => this.host.fork(this.id));
		} else if (state !== "done" && state !== "running") {
			textButton(row, say("Ask again", "重新提问"), () => this.host.again(), "deepseedian-again");
		}
		if (this.id) {
			iconButton(row, "list-tree", say("What happened in this turn", "这一轮发生了什么"), () => this.host.openTrace(this.id));
		}
	}

	async copy() {
		await this.el.win.navigator.clipboard.writeText(this.answer);
		new Notice(say("Copied", "已复制"));
	}

	close() {
		window.clearTimeout(this.drawing);
	}
}

/** @param {string} state */
function endedText(state) {
	if (state === "stopped") {
		return say("Stopped. What was answered is kept.", "已停止，已有的回答会保留。");
	}
	if (state === "interrupted") {
		return say("Interrupted: Deepseedian ended in the middle of the answer.", "中断：Deepseedian 在回答途中退出。");
	}
	return state === "failed" ? say("This question got no answer.", "这个问题没有得到回答。") : "";
}

/** @param {Record<string, number>} usage */
export function usageText(usage) {
	const cost = usage.cost === undefined || usage.cost === null ? "" : say(", cost {0}", "，费用 {0}", Number(usage.cost.toPrecision(3)));
	const cached = usage.cached ? say(" ({0} from cache)", "（缓存 {0}）", usage.cached) : "";
	return say("Tokens: {0} in{1}, {2} out{3}", "词元：输入 {0}{1}，输出 {2}{3}", usage.input, cached, usage.output ?? 0, cost);
}
