/** Unsent text of each conversation, kept on this device, not in the vault. */

const KEY = "deepseedian-drafts";
const MOST = 50;

/** @typedef {{text: string, pinned: import("./context.js").NoteContext | null}} Draft */

export class Drafts {
	/** @param {import("obsidian").App} app */
	constructor(app) {
		this.app = app;
	}

	/** @returns {Record<string, Draft>} */
	all() {
		/** @type {unknown} */
		const found = this.app.loadLocalStorage(KEY);
		return typeof found === "object" && found !== null ? /** @type {Record<string, Draft>} */ ({ ...found }) : {};
	}

	/** @param {string} session @returns {Draft} */
	of(session) {
		const found = this.all()[session];
		return { text: String(found?.text ?? ""), pinned: found?.pinned ?? null };
	}

	/** @param {string} session @param {Draft} draft */
	keep(session, draft) {
		const all = this.all();
		delete all[session]; // the newest goes to the end
		if (draft.text || draft.pinned) {
			all[session] = draft;
		}
		this.app.saveLocalStorage(KEY, Object.fromEntries(Object.entries(all).slice(-MOST)));
	}
}
