/** What inline completion asks of the daemon: whether it is wanted, a text for a cursor, and in words why there is none. */

import { Notice } from "obsidian";
import { reasonText } from "./reasons.js";
import { failureText, say } from "./words.js";

const MOST_MS = 9_000; // the daemon gives up after eight seconds
const MOST_WAIT_MS = 3_000;
const LATER_MS = 20;

/** @typedef {{before: string, after: string, title?: string, path?: string, place?: "chat"}} Place */
/** @typedef {{stop: () => void, dismiss: () => void}} Asker an editor, or the field of a chat */

export class Completion {
	/** @param {import("./main.js").default} plugin */
	constructor(plugin) {
		this.plugin = plugin;
		this.notes = false;
		this.chat = false;
		this.pause = 0;
		/** @type {Set<Asker>} */
		this.live = new Set();
		this.looks = 0;
	}

	start() {
		this.plugin.register(this.plugin.link.on((kind, data) => {
			if ((kind === "presence" && data.presence === "here") || (kind === "settings.changed" && /^(?:complete|enabled)/.test(String(data.name)))) {
				void this.learn();
			}
		}));
		this.plugin.register(() => this.end());
	}

	end() {
		this.live.forEach((asker) => asker.dismiss());
	}

	/** What the settings say now; what was asked for under other ones is over. */
	async learn() {
		this.end();
		const look = ++this.looks;
		try {
			const found = /** @type {{name: string, value: unknown}[]} */ ((await this.plugin.client.get("/v1/settings")).settings);
			if (look !== this.looks) {
				return; // a later look is on its way
			}
			const of = (/** @type {string} */ name) => found.find((setting) => setting.name === name)?.value;
			this.notes = of("complete") === true && of("enabled") === true;
			this.chat = of("complete.chat") === true && of("enabled") === true;
			this.pause = Number(of("complete.pause_ms") ?? 0);
		} catch {
			this.notes = this.notes && look !== this.looks; // learnt again when the daemon is back
			this.chat = this.chat && look !== this.looks;
		}
	}

	/** One call at a time, whichever editor it is for. @param {Asker} asker */
	begin(asker) {
		this.live.forEach((other) => other !== asker && other.dismiss());
		return new AbortController();
	}

	/**
	 * The text for a place, empty when there is none or nobody waits any more.
	 * @param {Place} place @param {AbortSignal} signal @param {boolean} byHand
	 */
	async ask(place, signal, byHand) {
		try {
			let answer = await this.once(place, signal);
			const wait = Number(answer.wait ?? 0) * 1000 + LATER_MS;
			if (answer.reason === "too_soon" && wait <= MOST_WAIT_MS && await passed(wait, signal)) {
				answer = await this.once(place, signal);
			}
			if (!answer.text && !signal.aborted) {
				this.tell(String(answer.reason), byHand, answer);
			}
			return signal.aborted ? "" : String(answer.text ?? "");
		} catch (error) {
			if (byHand && !signal.aborted) {
				new Notice(failureText(error));
			}
			return "";
		}
	}

	/** @param {Place} place @param {AbortSignal} signal */
	once(place, signal) {
		return this.plugin.client.call("POST", "/v1/complete", place, "", { signal, wait: MOST_MS });
	}

	/**
	 * Why there is nothing, to somebody who asked outright.
	 * @param {string} reason @param {boolean} byHand @param {Record<string, unknown>} [answer] with the daemon's own words
	 */
	tell(reason, byHand, answer = {}) {
		if (byHand && reason !== "cancelled") {
			new Notice(say("No completion: {0}", "没有补全：{0}", reasonText(reason, answer)));
		}
	}
}

/** Whether so much time passed before the signal. @param {number} ms @param {AbortSignal} signal @returns {Promise<boolean>} */
function passed(ms, signal) {
	return new Promise((resolve) => {
		const timer = window.setTimeout(() => resolve(!signal.aborted), ms);
		signal.addEventListener("abort", () => {
			window.clearTimeout(timer);
			resolve(false);
		}, { once: true });
	});
}
