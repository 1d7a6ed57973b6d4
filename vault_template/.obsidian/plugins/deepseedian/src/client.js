/**
 * HTTP to the daemon of one vault: over its Unix socket, or over loopback where there is none. Any program can listen on
 * a port that a killed daemon left, so there the other side proves that it knows the token before it hears anything of ours.
 */

import { endpointOf } from "./endpoint.js";
import { EventParser } from "./sse.js";

const ANSWER_MS = 70_000;
const STREAM_MS = 60_000; // the daemon says every 15 s that it is still there
const CONNECT_MS = 5_000;

/** A failure with the daemon's stable code: `daemon_away`, `lost_answer`, `stopped` or what the daemon said. */
export class WireError extends Error {
	/** @param {string} code @param {string} message @param {string} [hint] @param {number} [status] */
	constructor(code, message, hint = "", status = 0) {
		super(message);
		this.name = "WireError";
		this.code = code;
		this.hint = hint;
		this.status = status;
	}

	/** Nobody carried anything out. */
	get away() {
		return this.code === "daemon_away";
	}
}

/** @typedef {import("./endpoint.js").Endpoint} Endpoint */
/** @typedef {import("./sse.js").WireEvent} WireEvent */
/** @typedef {Record<string, any>} Json */

export class Client {
	/** @param {import("./endpoint.js").Node} node @param {string} vault */
	constructor(node, vault) {
		this.node = node;
		this.vault = vault;
	}

	/** @param {string} path @param {Record<string, unknown>} [query] @returns {Promise<Json>} */
	get(path, query = {}) {
		return this.call("GET", path + queryOf(query));
	}

	/** @param {string} path @param {Json} [body] @returns {Promise<Json>} */
	post(path, body = {}) {
		return this.call("POST", path, body);
	}

	/**
	 * A change of an entry: repeated once under the same key when its answer was lost, so that it lands once.
	 * @param {string} method @param {string} path @param {Json} [body] @returns {Promise<Json>}
	 */
	async change(method, path, body) {
		const key = this.node.crypto.randomUUID();
		try {
			return await this.call(method, path, body, key);
		} catch (error) {
			if (error instanceof WireError && error.code === "lost_answer") {
				return this.call(method, path, body, key);
			}
			throw error;
		}
	}

	/**
	 * One request and its whole answer. `signal` gives it up, and the daemon learns of that.
	 * @param {string} method @param {string} path @param {Json} [body] @param {string} [key]
	 * @param {{signal?: AbortSignal, wait?: number}} [options] @returns {Promise<Json>}
	 */
	async call(method, path, body, key = "", options = {}) {
		const answer = await this.request(method, path, body, { ...options, key });
		const text = await whole(answer);
		const status = answer.statusCode ?? 0;
		if (status >= 300) {
			throw refusal(status, text);
		}
		return parsed(text, status);
	}

	/**
	 * The events of a long answer until the daemon ends it. Raises `lost_answer` when the connection breaks, `stopped` when
	 * `signal` does.
	 * @param {string} method @param {string} path @param {Json | undefined} body @param {(event: WireEvent) => void} give
	 * @param {{signal?: AbortSignal, after?: string}} [options]
	 */
	async stream(method, path, body, give, options = {}) {
		const answer = await this.request(method, path, body, { ...options, wait: STREAM_MS });
		const status = answer.statusCode ?? 0;
		if (status >= 300) {
			throw refusal(status, await whole(answer));
		}
		const parser = new EventParser(give);
		answer.setEncoding("utf8");
		try {
			for await (const piece of answer) {
				parser.push(String(piece));
			}
		} catch (error) {
			throw options.signal?.aborted ? stopped() : lost(error);
		}
		if (options.signal?.aborted) {
			throw stopped();
		}
	}

	/**
	 * @param {string} method @param {string} path @param {Json | undefined} body
	 * @param {{signal?: AbortSignal, after?: string, key?: string, wait?: number}} options
	 * @returns {Promise<import("http").IncomingMessage>}
	 */
	async request(method, path, body, options) {
		const endpoint = await endpointOf(this.node, this.vault);
		if (!endpoint) {
			throw new WireError("daemon_away", "no daemon is listening", "deepseedian start");
		}
		const over = endpoint.socket ? { socketPath: endpoint.socket } : await this.proved(endpoint);
		const data = body === undefined ? undefined : JSON.stringify(body);
		/** @type {Record<string, string | number>} */
		const headers = endpoint.socket ? {} : { Authorization: `Bearer ${endpoint.token}` };
		if (data !== undefined) {
			headers["Content-Type"] = "application/json";
			headers["Content-Length"] = new TextEncoder().encode(data).length;
		}
		if (options.key) {
			headers["Idempotency-Key"] = options.key;
		}
		if (options.after) {
			headers["Last-Event-ID"] = options.after;
		}
		return this.sent({ ...over, method, path, headers, signal: options.signal }, data, options.wait ?? ANSWER_MS);
	}

	/**
	 * @param {import("http").RequestOptions} options @param {string | undefined} data @param {number} wait
	 * @returns {Promise<import("http").IncomingMessage>}
	 */
	sent(options, data, wait) {
		return new Promise((resolve, reject) => {
			const request = this.node.http.request(options, resolve);
			request.setTimeout(wait, () => request.destroy(new Error("the daemon is silent")));
			request.on("error", (error) => {
				reject(options.signal?.aborted ? stopped() : nobody(error) ? away() : lost(error));
			});
			request.end(data);
		});
	}

	/**
	 * A loopback connection whose other side has proved that it knows the token. It is used for one request and never opened
	 * anew: what came in place of a closed one would be unproved.
	 * @param {Endpoint} endpoint
	 */
	async proved(endpoint) {
		const agent = new this.node.http.Agent({ keepAlive: true, maxSockets: 1, timeout: CONNECT_MS });
		let made = false;
		Object.assign(agent, {
			createConnection: (/** @type {unknown} */ _, /** @type {(error: Error) => void} */ refuse) => {
				if (made) {
					refuse(away()); // thrown, it would go past the request that waits for it
					return null;
				}
				made = true;
				return this.node.net.connect({ host: "127.0.0.1", port: endpoint.port, noDelay: true });
			},
		});
		const over = { agent, host: "127.0.0.1", port: endpoint.port };
		const challenge = this.node.crypto.randomBytes(16).toString("hex");
		const answer = await this.sent({ ...over, method: "GET", path: "/v1/health", headers: { "Deepseedian-Challenge": challenge } },
			undefined, CONNECT_MS);
		await whole(answer);
		const wanted = this.node.crypto.createHmac("sha256", endpoint.token).update(`deepseedian proof ${challenge}`).digest();
		const given = this.node.crypto.createHash("sha256").update(String(answer.headers["deepseedian-proof"] ?? "")).digest();
		const right = this.node.crypto.createHash("sha256").update(wanted.toString("hex")).digest();
		if (!this.node.crypto.timingSafeEqual(given, right)) {
			agent.destroy();
			throw new WireError("daemon_away", "another program listens on the daemon's port", "deepseedian start");
		}
		return over;
	}
}

/** @param {Record<string, unknown>} query */
function queryOf(query) {
	const words = Object.entries(query).filter(([, value]) => value !== undefined && value !== "")
		.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
	return words.length ? `?${words.join("&")}` : "";
}

/** @param {import("http").IncomingMessage} answer */
async function whole(answer) {
	let text = "";
	answer.setEncoding("utf8");
	try {
		for await (const piece of answer) {
			text += String(piece);
		}
	} catch (error) {
		throw lost(error);
	}
	return text;
}

/** @param {string} text @param {number} status @returns {Json} */
function parsed(text, status) {
	try {
		return /** @type {Json} */ (JSON.parse(text));
	} catch {
		throw new WireError("internal", `the daemon answered ${status} with something else than JSON`);
	}
}

/** @param {number} status @param {string} text */
function refusal(status, text) {
	const error = /** @type {{code?: unknown, message?: unknown, hint?: unknown}} */ (parsed(text, status).error ?? {});
	return new WireError(String(error.code ?? "internal"), String(error.message ?? status), String(error.hint ?? ""), status);
}

/** @param {unknown} error */
function nobody(error) {
	return error instanceof WireError || ["ECONNREFUSED", "ENOENT", "EACCES"].includes(String(/** @type {{code?: unknown}} */ (error)?.code));
}

const away = () => new WireError("daemon_away", "no daemon is listening", "deepseedian start");
const stopped = () => new WireError("stopped", "stopped");

/** @param {unknown} error */
function lost(error) {
	return new WireError("lost_answer", `the connection to the daemon broke: ${error instanceof Error ? error.message : String(error)}`);
}
