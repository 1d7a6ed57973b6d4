/**
 * Obsidian as far as the plugin sees it: the API in memory, real CodeMirror in the note, panes that hold views, and a Node
 * whose socket and files lead over the bridge. The built main.js is carried out as Obsidian does, with require, module, exports.
 */
import * as commands from "@codemirror/commands";
import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import * as language from "@codemirror/language";
import * as state from "@codemirror/state";
import * as view from "@codemirror/view";
import * as mocks from "obsidian-test-mocks/obsidian";
import { setup } from "obsidian-test-mocks/setup";

setup();
const params = new URLSearchParams(location.search);
const listeners = { count: 0 };
const add = EventTarget.prototype.addEventListener;
const remove = EventTarget.prototype.removeEventListener;
const seen = new Map(); // one function may listen to several things
const kinds = (target, listener) => {
	const found = seen.get(listener) ?? new Map([document, window, document.body].map((one) => [one, new Set()]));
	seen.set(listener, found);
	return found.get(target);
};
EventTarget.prototype.addEventListener = function (type, listener, options) {
	if (this === document || this === window || this === document.body) {
		const found = kinds(this, listener);
		listeners.count += Number(!found.has(type));
		found.add(type);
	}
	return add.call(this, type, listener, options);
};
EventTarget.prototype.removeEventListener = function (type, listener, options) {
	if ((this === document || this === window || this === document.body) && kinds(this, listener).delete(type)) {
		listeners.count--;
	}
	return remove.call(this, type, listener, options);
};
const intervals = new Set();
const setEvery = window.setInterval.bind(window);
const clearEvery = window.clearInterval.bind(window);
window.setInterval = (...words) => {
	const id = setEvery(...words);
	intervals.add(id);
	return id;
};
window.clearInterval = globalThis.clearInterval = (id) => {
	intervals.delete(id);
	clearEvery(id);
};
globalThis.activeDocument ??= document;
globalThis.activeWindow ??= window;

// Node, over the bridge

async function far(call, ...words) {
	const answer = await (await fetch("/node", { method: "POST", body: JSON.stringify({ call, words }) })).json();
	if (answer.error) {
		throw Object.assign(new Error(answer.error.message), answer.error);
	}
	return answer.result;
}

function request(options, give) {
	const handlers = {};
	const stop = new AbortController();
	const fail = (error) => handlers.error?.(error);
	options.signal?.addEventListener("abort", () => stop.abort());
	return {
		setTimeout() {}, on: (name, act) => (handlers[name] = act), destroy: (error) => (stop.abort(), error && fail(error)),
		end(body) {
			const to = `/wire?socket=${encodeURIComponent(options.socketPath)}&path=${encodeURIComponent(options.path)}`;
			fetch(to, { method: options.method, body, headers: { "X-Wire": JSON.stringify(options.headers ?? {}) }, signal: stop.signal }).then((answer) => {
				const failed = answer.headers.get("X-Failed");
				if (failed) {
					fail(Object.assign(new Error(failed), { code: failed }));
					return;
				}
				give({ statusCode: answer.status, headers: {}, setEncoding() {}, async* [Symbol.asyncIterator]() {
					const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
					for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
						yield piece.value;
					}
				} });
			}, fail);
		},
	};
}

const node = {
	http: { request, Agent: class {} }, net: {}, os: { homedir: () => "/nowhere" },
	fs: { promises: Object.fromEntries(["readdir", "readFile", "realpath", "stat"].map((name) => [name, (path) => far(name, path)])) },
	crypto: { randomUUID: () => crypto.randomUUID() },
	process: { env: { DEEPSEEDIAN_RUNTIME_DIR: params.get("runtime"), PATH: "/usr/bin" }, platform: "linux" },
	child_process: { execFile: (program, words, _options, done) => void far("execFile", program, words).then(({ error, out, said }) => done(error && Object.assign(new Error(error.message), error), out, said)) },
};
window.require = (name) => node[name];

// What Obsidian draws itself

class Modal extends mocks.Modal {
	open() {
		this.containerEl.className = "modal-container";
		this.modalEl.classList.add("modal");
		this.modalEl.prepend(this.titleEl);
		this.titleEl.className = "modal-title";
		this.contentEl.classList.add("modal-content");
		document.body.append(this.containerEl);
		this.onOpen();
	}

	close() {
		this.containerEl.remove();
		this.onClose();
	}
}

class Notice {
	constructor(message) {
		this.noticeEl = document.querySelector(".notice-container").createDiv({ cls: "notice", text: String(message) });
	}
}

class ItemView extends mocks.ItemView {
	constructor(leaf) {
		super(leaf);
		this.contentEl.className = "view-content";
	}

	/** Obsidian's views have these two without saying so in their types: a plugin's own would take their place. */
	async open(parent) {
		parent.append(this.containerEl);
		this.load();
		await this.onOpen();
	}

	async close() {
		await this.onClose();
		this.unload();
		this.containerEl.remove();
	}
}

// parts of the settings answer to real clicks and keys
const { onClick } = mocks.ButtonComponent.prototype;
mocks.ButtonComponent.prototype.onClick = function (act) {
	this.buttonEl.onclick = act;
	return onClick.call(this, act);
};
const toggled = mocks.ToggleComponent.prototype.onChange;
mocks.ToggleComponent.prototype.onChange = function (act) {
	this.toggleEl.addClass("checkbox-container");
	this.toggleEl.onclick = () => this.onClick();
	return toggled.call(this, act);
};
for (const kind of [mocks.TextComponent, mocks.TextAreaComponent]) {
	const typed = kind.prototype.onChange;
	kind.prototype.onChange = function (act) {
		this.inputEl.oninput = () => act(this.inputEl.value);
		return typed.call(this, act);
	};
}

const LETTERS = { plus: "+", history: "H", "sliders-horizontal": "⚙", "list-checks": "☑", brain: "M", paperclip: "@", "file-text": "N", x: "×", copy: "C",
	"git-branch": "Y", "list-tree": "☰", pencil: "✎", "trash-2": "D", "undo-2": "↶", "redo-2": "↷" };
const icon = (el, name) => el.setText(LETTERS[name] ?? "?");
const obsidian = { ...mocks, Modal, Notice, ItemView, setIcon: icon, setTooltip: (el, text) => el.setAttribute("title", text), Platform: { isDesktop: true },
	getLanguage: () => params.get("language") ?? "en", loadMathJax: async () => undefined, finishRenderMath: async () => undefined,
	renderMath: (source) => createEl("span", { cls: "math", text: source }),
	moment: (at) => ({ format: () => String(at).slice(0, 16).replace("T", " ") }) };

// The vault, its panes, and a note in a real editor

const app = mocks.App.createConfigured__({ adapter: mocks.FileSystemAdapter.create__(params.get("vault")), files: { "Start here.md": "# Start here\n\nFirst line\nSecond line\nThird line", "tea.md": "tea" } });
app.loadLocalStorage = (key) => JSON.parse(localStorage.getItem(key) ?? "null");
app.saveLocalStorage = (key, value) => value === null ? localStorage.removeItem(key) : localStorage.setItem(key, JSON.stringify(value));
const workspace = app.workspace;
const leaves = [];
const panes = { side: document.querySelector("#side"), main: document.querySelector("#main") };
const links = [];

function leafIn(place) {
	const leaf = mocks.WorkspaceLeaf.create2__(app);
	leaf.setViewState = async ({ type }) => {
		leaf.type = type;
		leaf.view = plugin.views__.get(type)(leaf);
		leaf.view.containerEl.classList.add("workspace-leaf-content");
		leaf.view.containerEl.setAttribute("data-type", type);
		await leaf.view.open(panes[place]);
	};
	leaf.detach = async () => {
		leaves.splice(leaves.indexOf(leaf), 1);
		await leaf.view.close();
	};
	leaves.push(leaf);
	return leaf;
}

const doc = await app.vault.adapter.read("Start here.md");
const file = app.vault.getAbstractFileByPath("Start here.md");
const added = new state.Compartment(); // what the plugin registered, as long as it is loaded
const taken = []; // keys that came through to the application, which has the highest keymap there is
const through = ["Tab", "Escape"].map((key) => ({ key, run: () => Boolean(taken.push(key)) }));
const note = Object.assign(Object.create(mocks.MarkdownView.prototype), { file });
const opened = (parent, text, extensions) => new view.EditorView({ parent, state: state.EditorState.create({ doc: text, extensions: [
	mocks.editorInfoField.init(() => note), state.Prec.highest(view.keymap.of(through)), added.of(extensions), markdown({ base: markdownLanguage }), commands.history(), state.EditorState.allowMultipleSelections.of(true),
	view.EditorView.lineWrapping, view.keymap.of([...commands.defaultKeymap, ...commands.historyKeymap])] }) });
const cm = opened(document.querySelector("#note"), doc, []);
const place = (at) => ({ line: cm.state.doc.lineAt(at).number - 1, ch: at - cm.state.doc.lineAt(at).from });
const editor = {
	cm, getSelection: () => cm.state.sliceDoc(cm.state.selection.main.from, cm.state.selection.main.to),
	getCursor: (end) => place(end === "from" ? cm.state.selection.main.from : cm.state.selection.main.to),
	getLine: (line) => cm.state.doc.line(line + 1).text, lineCount: () => cm.state.doc.lines,
};
note.editor = editor;
const focused = (kind) => [...leaves.map((leaf) => leaf.view), note].find((one) => one instanceof kind && (one === note ? cm.dom : one.containerEl).contains(document.activeElement)) ?? null;
Object.assign(workspace, {
	getLeavesOfType: (type) => leaves.filter((leaf) => leaf.type === type), getRightLeaf: () => leafIn("side"), getLeaf: () => leafIn("main"),
	revealLeaf: async () => undefined, getMostRecentLeaf: () => ({ view: note }), getActiveViewOfType: focused, activeEditor: note, getActiveFile: () => file,
	openLinkText: async (link) => void links.push(link), onLayoutReady: (act) => void act(),
});
app.metadataCache.getFirstLinkpathDest = (path) => app.vault.getAbstractFileByPath(path.endsWith(".md") ? path : `${path}.md`);

const modules = { obsidian, "@codemirror/commands": commands, "@codemirror/state": state, "@codemirror/view": view, "@codemirror/language": language };
const module = { exports: {} };
new Function("require", "module", "exports", `${await (await fetch("/main.js")).text()}\n//# sourceURL=main.js`)((name) => modules[name] ?? window.require(name), module, module.exports);
const plugin = new module.exports.default(app, { id: "deepseedian", version: "0" });
plugin.addStatusBarItem = () => document.querySelector("#status").createDiv();
plugin.load();
cm.dispatch({ effects: added.reconfigure(plugin.editorExtensions__) });
plugin.register(() => cm.dispatch({ effects: added.reconfigure([]) }));
window.cmstate = state; window.cmview = view;
window.bench = {
	plugin, app, leaves, links, cm, listeners, intervals, taken,
	/** Another note in an editor of its own; the answer closes it. */
	openNote: () => {
		const made = opened(document.querySelector("#main"), "Another note ", plugin.editorExtensions__);
		made.focus();
		return () => made.destroy();
	},
	command: (id) => {
		const command = plugin.commands__.get(id);
		return command.callback ? command.callback() : command.checkCallback ? command.checkCallback(false) : command.editorCheckCallback(false, editor);
	},
	settings: () => {
		const tab = plugin.settingTabs__[0];
		tab.containerEl.className = "vertical-tab-content workspace-leaf-content";
		panes.main.append(tab.containerEl);
		tab.display();
	},
};
document.body.dataset.ready = "yes";
