/** What waits for the owner's decision: each proposal with before and after, reason and quotes. The same decisions as the review notes. */

import { ItemView, Notice } from "obsidian";
import { awayLine, emptyLine, textButton } from "./parts.js";
import { drawProposal, editProposal, takesText } from "./proposal.js";
import { failureText, say } from "./words.js";

export const REVIEW = "deepseedian-review";
const LATER_MS = 120;

/** @typedef {import("./proposal.js").Proposal} Proposal */

export class ReviewView extends ItemView {
	/** @param {import("obsidian").WorkspaceLeaf} leaf @param {import("./main.js").default} plugin */
	constructor(leaf, plugin) {
		super(leaf);
		this.plugin = plugin;
		/** @type {Proposal[]} */
		this.proposals = [];
		/** @type {Set<string>} */
		this.chosen = new Set();
		/** Texts that were edited and not decided yet, by proposal. @type {Map<string, string>} */
		this.edited = new Map();
		this.at = 0;
		this.later = 0;
		this.deciding = false;
	}

	getViewType() {
		return REVIEW;
	}

	getDisplayText() {
		return say("Deepseedian review", "Deepseedian 审阅");
	}

	getIcon() {
		return "list-checks";
	}

	async onOpen() {
		const root = this.contentEl;
		root.empty();
		root.addClass("deepseedian", "deepseedian-review");
		const away = awayLine(root, this.plugin);
		this.bar = root.createDiv({ cls: "deepseedian-bar" });
		this.list = root.createDiv({ cls: "deepseedian-list", attr: { tabindex: "0", role: "list", "aria-label": this.getDisplayText() } });
		this.registerDomEvent(this.list, "keydown", (event) => this.key(event));
		this.register(this.plugin.link.on((kind) => {
			if (kind === "presence") {
				away.show();
			}
			if (kind === "presence" || kind.startsWith("proposal.") || kind === "memory.changed") {
				this.refreshLater();
			}
		}));
		await this.refresh();
	}

	async onClose() {
		window.clearTimeout(this.later);
		this.contentEl.empty();
	}

	refreshLater() {
		window.clearTimeout(this.later);
		this.later = window.setTimeout(() => void this.refresh(), LATER_MS);
	}

	async refresh() {
		if (this.deciding) {
			return;
		}
		try {
			this.proposals = /** @type {Proposal[]} */ ((await this.plugin.client.get("/v1/proposals")).proposals);
			if (!this.list?.querySelector("textarea:focus")) { // what is being written is not drawn over
				this.draw();
			}
		} catch (error) {
			this.proposals = [];
			this.draw(failureText(error));
		}
	}

	/** @param {string} [empty] */
	draw(empty = say("Nothing waits for you. What a chat holds that may be worth keeping is proposed here; /organize in the chat looks for more.",
		"没有待审阅的内容。聊天中值得记住的内容会在这里提议；在聊天中输入 /organize 可再查找。")) {
		const list = this.list;
		if (!list) {
			return;
		}
		const ids = new Set(this.proposals.map((proposal) => proposal.id));
		this.chosen = new Set([...this.chosen].filter((id) => ids.has(id)));
		this.at = Math.max(0, Math.min(this.at, this.proposals.length - 1));
		const scrolled = list.scrollTop;
		list.empty();
		this.drawBar();
		this.proposals.forEach((proposal, index) => drawProposal(this, proposal, index, list));
		if (!this.proposals.length) {
			emptyLine(list, empty);
		}
		list.scrollTop = scrolled;
	}

	drawBar() {
		const bar = this.bar;
		if (!bar) {
			return;
		}
		const focused = [...bar.querySelectorAll("button")].findIndex((button) => button.matches(":focus"));
		bar.empty();
		if (!this.proposals.length) {
			return;
		}
		const count = this.chosen.size;
		bar.createSpan({ text: count ? say("{0} of {1} chosen", "已选 {0}/{1}", count, this.proposals.length) : say("{0} open", "{0} 条待审阅", this.proposals.length) });
		if (this.proposals.length > 1) {
			textButton(bar, count === this.proposals.length ? say("Choose none", "全不选") : say("Choose all", "全选"), () => {
				this.chosen = new Set(count === this.proposals.length ? [] : this.proposals.map((proposal) => proposal.id));
				this.draw();
			});
		}
		if (count) {
			textButton(bar, say("Approve chosen", "批准所选"), () => this.decideAll("approve"), "mod-cta");
			textButton(bar, say("Dismiss chosen", "忽略所选"), () => this.decideAll("dismiss"));
		}
		bar.createSpan({ cls: "deepseedian-meta", text: say("Keys: j/k move, a approve, e edit, d dismiss, x choose", "按键：j/k 移动，a 批准，e 编辑，d 忽略，x 选择") });
		if (focused >= 0) { // the keyboard stays where it was
			bar.querySelectorAll("button")[focused]?.focus();
		}
	}

	/** @param {string} id @param {boolean} on */
	choose(id, on) {
		if (on) {
			this.chosen.add(id);
		} else {
			this.chosen.delete(id);
		}
	}

	/** @param {number} index */
	mark(index) {
		this.at = Math.max(0, Math.min(index, this.proposals.length - 1));
		this.list?.querySelectorAll(".deepseedian-card").forEach((card, number) => {
			card.classList.toggle("is-active", number === this.at);
			if (number === this.at) {
				card.scrollIntoView({ block: "nearest" });
			}
		});
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		const proposal = this.proposals[this.at];
		if (!proposal || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.target !== this.list) {
			return;
		}
		const acts = /** @type {Record<string, () => unknown>} */ ({
			j: () => this.mark(this.at + 1), ArrowDown: () => this.mark(this.at + 1),
			k: () => this.mark(this.at - 1), ArrowUp: () => this.mark(this.at - 1),
			a: () => this.decide(proposal, "approve"), d: () => this.decide(proposal, "dismiss"),
			e: () => {
				const card = /** @type {HTMLElement | null} */ (this.list?.querySelectorAll(".deepseedian-card")[this.at] ?? null);
				return card && takesText(proposal) && editProposal(this, proposal, card);
			},
			x: () => {
				this.choose(proposal.id, !this.chosen.has(proposal.id));
				this.draw();
			},
		});
		if (Object.hasOwn(acts, event.key)) {
			event.preventDefault();
			void acts[event.key]();
		}
	}

	/** @param {"approve" | "dismiss"} decision */
	async decideAll(decision) {
		this.deciding = true;
		try {
			for (const proposal of this.proposals.filter((one) => this.chosen.has(one.id))) {
				await this.decided(proposal, decision);
			}
		} finally {
			this.deciding = false;
		}
		this.list?.focus();
		await this.refresh();
	}

	/** @param {Proposal} proposal @param {"approve" | "dismiss"} decision */
	async decide(proposal, decision) {
		await this.decided(proposal, decision);
		this.list?.focus();
		await this.refresh();
	}

	/** One decision; one that went wrong says so and stays. @param {Proposal} proposal @param {"approve" | "dismiss"} decision */
	async decided(proposal, decision) {
		const mine = this.edited.get(proposal.id);
		const body = decision === "approve" && mine !== undefined ? { decision, text: mine } : { decision };
		const done = await this.plugin.tried(() => this.plugin.client.post(`/v1/proposals/${encodeURIComponent(proposal.id)}/decision`, body));
		if (!done) {
			return;
		}
		this.edited.delete(proposal.id);
		this.chosen.delete(proposal.id);
		if (done.status === "stale") {
			new Notice(say("Not applied: {0}", "未生效：{0}", String(done.note ?? say("memory changed meanwhile", "记忆已变化"))));
		}
	}
}
