/**
 * Whether the daemon is there, and what it tells: one feed of events that is taken up again by itself, from where it broke.
 * Everything that shows something of the daemon listens here.
 */

import { WireError } from "./client.js";

const FIRST_MS = 500;
const MOST_MS = 8_000;

/** @typedef {"unknown" | "here" | "away"} Presence */
/** @typedef {(kind: string, data: Record<string, any>) => void} Listener */

export class Link {
	/**
	 * `pause` waits for so many milliseconds, or until the signal.
	 * @param {import("./client.js").Client} client @param {(ms: number, signal: AbortSignal) => Promise<void>} pause
	 */
	constructor(client, pause) {
		this.client = client;
		this.pause = pause;
		/** @type {Presence} */
		this.presence = "unknown";
		/** @type {Set<Listener>} */
		this.listeners = new Set();
		/** @type {AbortController | null} */
		this.running = null;
		/** @type {AbortController | null} */
		this.waiting = null;
		this.last = "";
	}

	/** @param {Listener} listener @returns {() => void} what ends it */
	on(listener) {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	start() {
		if (!this.running) {
			this.running = new AbortController();
			void this.run(this.running.signal);
		}
	}

	stop() {
		this.running?.abort();
		this.waiting?.abort();
		this.running = null;
	}

	/** Look again at once. */
	again() {
		this.waiting?.abort();
	}

	/** @param {AbortSignal} signal */
	async run(signal) {
		let delay = FIRST_MS;
		while (!signal.aborted) {
			const begun = Date.now();
			await this.feed(signal);
			if (signal.aborted) {
				return;
			}
			this.become("away");
			delay = Date.now() - begun > MOST_MS ? FIRST_MS : Math.min(delay * 2, MOST_MS);
			this.waiting = new AbortController();
			await this.pause(delay, this.waiting.signal);
		}
	}

	/** One connection of the feed, until it breaks. @param {AbortSignal} signal */
	async feed(signal) {
		try {
			await this.client.get("/v1/health");
			if (signal.aborted) {
				return;
			}
			this.become("here");
			await this.client.stream("GET", "/v1/events", undefined, (event) => {
				this.last = event.id || this.last;
				this.tell(event.kind, event.data);
			}, { signal, after: this.last });
		} catch (error) {
			if (!(error instanceof WireError)) {
				throw error;
			}
		}
	}

	/** @param {Presence} presence */
	become(presence) {
		if (this.presence !== presence) {
			this.presence = presence;
			this.tell("presence", { presence });
		}
	}

	/** @param {string} kind @param {Record<string, any>} data */
	tell(kind, data) {
		for (const listener of [...this.listeners]) {
			listener(kind, data);
		}
	}
}
