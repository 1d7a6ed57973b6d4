/** Server-sent events out of a stream of text that may be cut anywhere. */

/** @typedef {{id: string, kind: string, data: Record<string, any>}} WireEvent */

const MOST = 16_000_000;

/** Collects text and gives each event as soon as it is whole. */
export class EventParser {
	/** @param {(event: WireEvent) => void} give */
	constructor(give) {
		this.give = give;
		this.rest = "";
		this.event = { id: "", kind: "message", data: /** @type {string[]} */ ([]) };
	}

	/** @param {string} text */
	push(text) {
		const lines = (this.rest + text).split("\n");
		this.rest = lines.pop() ?? "";
		if (this.rest.length > MOST) {
			throw new Error("an event is too long");
		}
		for (const line of lines) {
			this.line(line.endsWith("\r") ? line.slice(0, -1) : line);
		}
	}

	/** @param {string} line */
	line(line) {
		if (line === "") {
			this.end();
			return;
		}
		const at = line.indexOf(":");
		const name = at < 0 ? line : line.slice(0, at);
		const value = at < 0 ? "" : line.slice(at + (line[at + 1] === " " ? 2 : 1));
		if (name === "event") {
			this.event.kind = value;
		} else if (name === "id") {
			this.event.id = value;
		} else if (name === "data") {
			this.event.data.push(value);
		}
	}

	end() {
		const { id, kind, data } = this.event;
		this.event = { id: "", kind: "message", data: [] };
		if (data.length) {
			/** @type {unknown} */
			const document = JSON.parse(data.join("\n"));
			this.give({ id, kind, data: typeof document === "object" && document !== null ? document : {} });
		}
	}
}
