/** Memory as its owner browses it: searched, filtered, changed; the archive, and what was known at an earlier date. */

import { ItemView, Notice } from "obsidian";
import { drawEntry } from "./entry.js";
import { findEntries } from "./finding.js";
import { awayLine, emptyLine, iconButton, longList } from "./parts.js";
import { failureText, kindName, say, trustName } from "./words.js";

export const MEMORY = "deepseedian-memory";
const SEARCH_MS = 150;
const KINDS = ["preference", "goal", "decision", "fact", "question", "finding", "workflow"];
const TRUSTS = ["user_stated", "system_derived", "external"];

/** @typedef {import("./entry.js").Entry} Entry */

export class MemoryView extends ItemView {
	/** @param {import("obsidian").WorkspaceLeaf} leaf @param {import("./main.js").default} plugin */
	constructor(leaf, plugin) {
		super(leaf);
		this.plugin = plugin;
		/** @type {Entry[]} */
		this.entries = [];
		this.total = 0;
		/** @type {string[]} */
		this.topics = [];
		this.opened = "";
		this.asked = 0;
		this.later = 0;
		this.wanted = { query: "", topic: "", kind: "", trust: "", days: "", place: "now", date: "" };
	}

	getViewType() {
		return MEMORY;
	}

	getDisplayText() {
		return say("Deepseedian memory", "Deepseedian 记忆");
	}

	getIcon() {
		return "brain";
	}

	async onOpen() {
		const root = this.contentEl;
		root.empty();
		root.addClass("deepseedian", "deepseedian-memory");
		const away = awayLine(root, this.plugin);
		this.bar = root.createDiv({ cls: "deepseedian-bar" });
		this.count = root.createDiv({ cls: "deepseedian-meta deepseedian-count", attr: { role: "status" } });
		this.list = root.createDiv({ cls: "deepseedian-list" });
		this.drawBar();
		this.register(this.plugin.link.on((kind) => {
			if (kind === "presence") {
				away.show();
			}
			if (kind === "presence" || kind === "memory.changed") {
				this.refreshLater();
			}
		}));
		await this.refresh();
	}

	async onClose() {
		this.asked++;
		window.clearTimeout(this.later);
		this.contentEl.empty();
	}

	/** @param {{query?: string, entry?: string}} wanted */
	async show(wanted) {
		this.wanted = { ...this.wanted, query: wanted.query ?? "", topic: "", kind: "", trust: "", days: "", place: "now" };
		this.opened = wanted.entry ?? "";
		this.drawBar();
		await this.refresh();
		if (this.opened && !this.entries.some((entry) => entry.id === this.opened)) {
			this.wanted.place = "archive"; // an older version, or one that was forgotten since
			this.drawBar();
			await this.refresh();
		}
		this.list?.querySelector(`[data-id="${CSS.escape(this.opened)}"]`)?.scrollIntoView({ block: "center" });
	}

	drawBar() {
		const bar = this.bar;
		if (!bar) {
			return;
		}
		bar.empty();
		const field = bar.createEl("input", { type: "search", attr: { "aria-label": say("Search memory", "搜索记忆"), placeholder: say("Search memory", "搜索记忆") } });
		field.value = this.wanted.query;
		field.oninput = () => {
			this.wanted.query = field.value;
			this.refreshLater();
		};
		this.topicChoice = this.choice(bar, say("Topic", "主题"), "topic", []);
		this.choice(bar, say("Kind", "类型"), "kind", KINDS.map((kind) => [kind, kindName(kind)]));
		this.choice(bar, say("Trust", "可信度"), "trust", TRUSTS.map((trust) => [trust, trustName(trust)]));
		this.choice(bar, say("Time", "时间"), "days", [["7", say("Last 7 days", "最近 7 天")], ["30", say("Last 30 days", "最近 30 天")], ["365", say("Last year", "最近一年")]]);
		this.placeChoice(bar);
		const steps = bar.createDiv({ cls: "deepseedian-together" });
		iconButton(steps, "undo-2", say("Undo the last change", "撤销上次修改"), () => this.step("undo"));
		iconButton(steps, "redo-2", say("Redo", "重做"), () => this.step("redo"));
	}

	/** @param {HTMLElement} bar */
	placeChoice(bar) {
		const filters = [...bar.querySelectorAll("select")];
		const lock = () => filters.forEach((select) => { // an earlier date knows the words only
			select.disabled = this.wanted.place === "then";
		});
		lock();
		const place = bar.createEl("select", { cls: "dropdown", attr: { "aria-label": say("Which memory", "哪些记忆") } });
		const names = { now: say("Current", "当前"), archive: say("Archive", "归档"), then: say("As of a date", "某日的记忆") };
		Object.entries(names).forEach(([value, text]) => place.createEl("option", { value, text }));
		place.value = this.wanted.place;
		const date = bar.createEl("input", { type: "date", attr: { "aria-label": say("Date", "日期") } });
		date.value = this.wanted.date;
		date.toggleClass("is-hidden", this.wanted.place !== "then");
		place.onchange = () => {
			this.wanted.place = place.value;
			date.toggleClass("is-hidden", place.value !== "then");
			lock();
			void this.refresh();
		};
		date.onchange = () => {
			this.wanted.date = date.value;
			void this.refresh();
		};
	}

	/**
	 * @param {HTMLElement} bar @param {string} label @param {"topic" | "kind" | "trust" | "days"} name @param {string[][]} choices
	 */
	choice(bar, label, name, choices) {
		const select = bar.createEl("select", { cls: "dropdown", attr: { "aria-label": label } });
		this.fill(select, label, choices, this.wanted[name]);
		select.onchange = () => {
			this.wanted[name] = select.value;
			void this.refresh();
		};
		return select;
	}

	/** @param {HTMLSelectElement} select @param {string} label @param {string[][]} choices @param {string} value */
	fill(select, label, choices, value) {
		select.empty();
		select.createEl("option", { value: "", text: label });
		choices.forEach(([key, text]) => select.createEl("option", { value: key, text }));
		select.value = value;
	}

	refreshLater() {
		window.clearTimeout(this.later);
		this.later = window.setTimeout(() => void this.refresh(), SEARCH_MS);
	}

	async refresh() {
		const asked = ++this.asked;
		try {
			const found = await findEntries(this);
			if (asked === this.asked) {
				this.entries = found;
				this.draw();
			}
		} catch (error) {
			if (asked === this.asked) {
				this.entries = [];
				this.draw(failureText(error));
			}
		}
	}

	/** @param {string} [empty] */
	draw(empty = this.nothing()) {
		const list = this.list;
		if (!list) {
			return;
		}
		const focused = list.querySelector(":focus")?.closest("[data-id]")?.getAttribute("data-id") ?? "";
		if (this.topicChoice) {
			this.fill(this.topicChoice, say("Topic", "主题"), this.topics.map((topic) => [topic, topic]), this.wanted.topic);
		}
		this.count?.setText(this.total ? say("{0} of {1}", "{0} / {1}", this.entries.length, this.total) : "");
		const scrolled = list.scrollTop;
		const host = { plugin: this.plugin, changeable: this.wanted.place === "now", topics: this.topics, open: this.opened,
			toggle: (/** @type {string} */ id) => this.toggle(id), reload: () => this.refresh() };
		const rows = longList(list, this.entries, (entry, parent) => drawEntry(entry, parent, host));
		rows.reach(this.entries.findIndex((entry) => entry.id === this.opened));
		if (!this.entries.length) {
			emptyLine(list, this.wanted.place === "then" && !this.wanted.date ? say("Choose a date.", "请选择日期。") : empty);
		}
		list.scrollTop = scrolled;
		if (focused) { // the keyboard stays with its entry
			/** @type {HTMLElement | null} */ (list.querySelector(`[data-id="${CSS.escape(focused)}"] .deepseedian-open`))?.focus({ preventScroll: true });
		}
	}

	/** What an empty list means. */
	nothing() {
		const { query, topic, kind, trust, days, place } = this.wanted;
		if (place === "now" && (query.trim() || topic || kind || trust || days)) {
			return say("Nothing matches. Take out a word or a filter.", "没有匹配的内容。请减少词语或筛选条件。");
		}
		return place === "now" ? say("No memories yet. Write /remember and a sentence in the chat, or approve a proposal.", "还没有记忆。在聊天中输入 /remember 加上一句话，或批准一条提议。")
			: say("Nothing here.", "这里没有内容。");
	}

	/** @param {string} id */
	async toggle(id) {
		this.opened = this.opened === id ? "" : id;
		if (this.opened && this.wanted.place === "then") {
			await this.whole(id);
		}
		this.draw();
	}

	/** The whole text of an entry that is listed by its beginning. @param {string} id */
	async whole(id) {
		const found = await this.plugin.tried(() => this.plugin.client.get(`/v1/entries/${encodeURIComponent(id)}`));
		if (found) {
			this.entries = this.entries.map((entry) => entry.id === id ? /** @type {Entry} */ (found) : entry);
		}
	}

	/** @param {"undo" | "redo"} step */
	async step(step) {
		const done = await this.plugin.tried(() => this.plugin.client.post(`/v1/${step}`));
		if (done) {
			new Notice(step === "undo" ? say("Undone: {0}", "已撤销：{0}", String(done.summary)) : say("Redone: {0}", "已重做：{0}", String(done.summary)));
		}
		await this.refresh();
	}
}
