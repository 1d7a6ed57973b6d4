/** The settings tab: the daemon's settings with where each value comes from, changed through the daemon and in force at once. */

import { Notice, PluginSettingTab, Setting } from "obsidian";
import { MEANINGS } from "./meanings.js";
import { textButton } from "./parts.js";
import { chinese, failureText, say } from "./words.js";

/** @typedef {{name: string, value: string | number | boolean, origin: string, meaning: string}} Value */

const PROGRAM = "deepseedian-program";
const USUAL = "deepseedian";

/** The command that starts the daemon: a matter of this device, so it is not kept in the vault. @param {import("obsidian").App} app */
export function programOf(app) {
	return String(app.loadLocalStorage(PROGRAM) ?? "") || USUAL;
}

export class SettingsTab extends PluginSettingTab {
	/** @param {import("obsidian").App} app @param {import("./main.js").default} plugin */
	constructor(app, plugin) {
		super(app, plugin);
		this.plugin = plugin;
		this.words = "";
		this.asked = 0;
		/** The settings as they were read last, for Obsidian's own search. @type {Value[]} */
		this.known = [];
		plugin.register(plugin.link.on((kind, data) => {
			if (kind === "presence" && data.presence === "here") {
				void this.learn();
			}
		}));
	}

	async learn() {
		try {
			this.known = /** @type {Value[]} */ ((await this.plugin.client.get("/v1/settings")).settings);
			this.update?.(); // since 1.13
		} catch {
			this.known = [];
		}
	}

	/** What Obsidian 1.13 and later draws and searches. */
	getSettingDefinitions() {
		const program = { name: programName(), desc: programMeaning(), render: (/** @type {Setting} */ row) => this.program(row) };
		return [program, ...this.known.map((value) => ({ name: value.name, desc: meaning(value),
			render: (/** @type {Setting} */ row) => this.fill(value, row) }))];
	}

	/** @param {Setting} row */
	program(row) {
		row.setName(programName()).setDesc(programMeaning()).addText((text) => text.setPlaceholder(USUAL).setValue(programOf(this.app))
			.onChange((value) => this.app.saveLocalStorage(PROGRAM, value.trim() || null)));
	}

	/** What older versions draw. */
	display() {
		const root = this.containerEl;
		root.empty();
		root.addClass("deepseedian");
		this.program(new Setting(root));
		const about = root.createDiv({ cls: "deepseedian-meta" });
		const field = root.createEl("input", { type: "search", cls: "deepseedian-edit", attr: { "aria-label": say("Find a setting", "查找设置"), placeholder: say("Find a setting", "查找设置") } });
		field.value = this.words;
		const list = root.createDiv({ cls: "deepseedian-settings" });
		field.oninput = () => {
			this.words = field.value;
			void this.list(list, about);
		};
		void this.list(list, about);
	}

	/** @param {HTMLElement} list @param {HTMLElement} about */
	async list(list, about) {
		const asked = ++this.asked;
		try {
			const [found, status] = await Promise.all([this.plugin.client.get("/v1/settings"), this.plugin.client.get("/v1/status")]);
			if (asked !== this.asked) {
				return;
			}
			about.setText(say("{0} memories in {1}", "{0} 条记忆，保存在 {1}", Number(status.entries), String(status.memory)));
			list.empty();
			/** @type {string[]} */ (found.faults).forEach((text) => list.createDiv({ cls: "deepseedian-error", text }));
			const words = this.words.trim().toLowerCase();
			/** @type {Value[]} */ (found.settings).filter((value) => `${value.name} ${meaning(value)}`.toLowerCase().includes(words))
				.forEach((value) => this.fill(value, new Setting(list)));
		} catch (error) {
			if (asked === this.asked) {
				list.empty();
				list.createDiv({ cls: "deepseedian-error", text: failureText(error) });
				textButton(list, say("Start it", "启动"), (event) => this.plugin.startDaemon(/** @type {HTMLButtonElement} */ (event.currentTarget)), "mod-cta");
			}
		}
	}

	/** @param {Value} value @param {Setting} row */
	fill(value, row) {
		row.setName(value.name);
		const describe = (/** @type {Value} */ now) => row.setDesc(say("{0}. From: {1}", "{0}。来自：{1}", meaning(now), originName(now.origin)));
		describe(value);
		row.settingEl.setAttr("data-setting", value.name);
		const save = async (/** @type {string} */ text) => {
			try {
				const now = /** @type {Value} */ (await this.plugin.client.call("PUT", `/v1/settings/${encodeURIComponent(value.name)}`, { value: text }));
				describe(now);
				if (String(now.value) !== text && Number(text) !== now.value) {
					new Notice(say("{0} is set by {1}, which goes first.", "{0} 由{1}决定，优先于此处。", value.name, originName(now.origin)));
				}
				return now;
			} catch (error) {
				new Notice(failureText(error));
				return null;
			}
		};
		if (typeof value.value === "boolean") {
			row.addToggle((toggle) => toggle.setValue(value.value === true).onChange((on) => void save(String(on)).then((now) => {
				if (!now || now.value !== on) {
					toggle.toggleEl.toggleClass("is-enabled", !on);
				}
			})));
			return;
		}
		row.addText((text) => {
			text.setValue(String(value.value));
			let kept = String(value.value);
			text.inputEl.onchange = () => void save(text.inputEl.value).then((now) => { // when it is left, not with each key
				kept = now ? String(now.value) : kept;
				text.inputEl.value = kept;
			});
		});
	}
}

const programName = () => say("Command that starts the daemon", "启动守护进程的命令");
const programMeaning = () => say("A name or a full path, kept on this device only.", "名称或完整路径，只保存在此设备。");

/** @param {Value} value */
function meaning(value) {
	const text = chinese() && Object.hasOwn(MEANINGS, value.name) ? MEANINGS[value.name] : value.meaning.replace(/^[a-z]/, (letter) => letter.toUpperCase());
	return text.replace(/`/g, "").replace(/[.。]$/, "");
}

/** @param {string} origin */
function originName(origin) {
	const names = /** @type {Record<string, [string, string]>} */ ({
		default: ["the default", "默认值"], "settings.json": ["this vault", "此仓库"], "config.toml": ["config.toml", "config.toml"],
		environment: ["the environment", "环境变量"], "command line": ["the command line", "命令行"],
	});
	return Object.hasOwn(names, origin) ? say(...names[origin]) : origin;
}
