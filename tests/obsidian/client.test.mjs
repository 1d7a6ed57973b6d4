/**
 * The plugin's own client against a running daemon: found by its endpoint file, asked over its socket and over loopback,
 * its feed taken up again. BENCH_VAULT names the vault; the daemon's model is scripted.
 */
import assert from "node:assert/strict";
import childProcess from "node:child_process";
import crypto from "node:crypto";
import { promises as fs } from "node:fs";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { Client, WireError } from "../../vault_template/.obsidian/plugins/deepseedian/src/client.js";
import { difference } from "../../vault_template/.obsidian/plugins/deepseedian/src/diff.js";
import { endpointOf, runtimeFolder } from "../../vault_template/.obsidian/plugins/deepseedian/src/endpoint.js";
import { Link } from "../../vault_template/.obsidian/plugins/deepseedian/src/link.js";
import { EventParser } from "../../vault_template/.obsidian/plugins/deepseedian/src/sse.js";
import { startDaemon } from "../../vault_template/.obsidian/plugins/deepseedian/src/starter.js";

const vault = process.env.BENCH_VAULT;
const node = { http, net, fs, crypto, childProcess, env: process.env, platform: process.platform, home: os.homedir() };

/** A client of another world: its own runtime folder with these endpoint files. */
async function elsewhere(t, ...endpoints) {
	const folder = await fs.mkdtemp(path.join(os.tmpdir(), "dsd-"));
	t.after(() => fs.rm(folder, { recursive: true }));
	await Promise.all(endpoints.map((endpoint, at) => fs.writeFile(`${folder}/${at}.json`, typeof endpoint === "string" ? endpoint : JSON.stringify(endpoint))));
	const there = { ...node, env: { ...process.env, DEEPSEEDIAN_RUNTIME_DIR: folder } };
	return { folder, node: there, client: new Client(there, vault) };
}

const fails = (code) => (error) => error instanceof WireError && error.code === code;

async function until(holds, seconds = 10) {
	for (const end = Date.now() + seconds * 1000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20))) {
		if (await holds()) {
			return;
		}
	}
	assert.fail("waited in vain");
}

test("the daemon is found by its vault, through a link too", async (t) => {
	const link = path.join(os.tmpdir(), `dsd-link-${process.pid}`);
	await fs.symlink(vault, link);
	t.after(() => fs.unlink(link));
	const found = await endpointOf(node, vault);
	assert.ok(found?.socket);
	assert.deepEqual(await endpointOf(node, link), found);
	assert.equal(await endpointOf(node, os.tmpdir()), null);
});

test("files that are no endpoints are passed over", async (t) => {
	const there = await elsewhere(t, "{", "[]", "null", '{"vault": 3}', { vault, pid: "1", socket: "", port: 1, token: "" });
	assert.equal(await endpointOf(there.node, vault), null);
	await assert.rejects(there.client.get("/v1/health"), fails("daemon_away"));
});

test("the runtime folder is the same rule as everywhere", () => {
	const at = (env, platform) => runtimeFolder({ ...node, env, platform, home: "/home/me" });
	assert.equal(at({}, "linux"), "/home/me/.local/state/deepseedian/run");
	assert.equal(at({ DEEPSEEDIAN_RUNTIME_DIR: " ~/run " }, "darwin"), "/home/me/run");
	assert.equal(at({ LOCALAPPDATA: "C:\\L" }, "win32"), "C:\\L\\deepseedian\\run");
});

test("memory over the socket: remember, search, edit, forget, undo, errors with their code", async () => {
	const client = new Client(node, vault);
	const made = await client.change("POST", "/v1/entries", { text: "客户端测试：我喝绿茶 🍵" });
	assert.equal((await client.get("/v1/search", { query: "绿茶" })).results[0].id, made.id);
	await client.change("PATCH", `/v1/entries/${made.id}`, { text: "I drink green tea" });
	assert.equal((await client.get(`/v1/entries/${made.id}`)).text, "I drink green tea");
	const line = await client.get(`/v1/entries/${made.id}/timeline`);
	assert.deepEqual(line.events.map((event) => event.kind), ["written", "edit"]);
	await client.change("DELETE", `/v1/entries/${made.id}`);
	assert.ok((await client.get("/v1/archive")).entries.some((entry) => entry.text === "I drink green tea"));
	await client.post("/v1/undo");
	await client.change("DELETE", `/v1/entries/${made.id}`);
	await assert.rejects(client.get("/v1/entries/nobody"), fails("not_found"));
	await assert.rejects(client.post("/v1/entries", { text: "" }), fails("bad_text"));
});

test("a change whose answer was lost is repeated under the same key and lands once", async (t) => {
	const real = await endpointOf(node, vault);
	const keys = [];
	const proxy = http.createServer((request, response) => {
		keys.push(request.headers["idempotency-key"]);
		const passed = http.request({ socketPath: real.socket, path: request.url, method: request.method, headers: request.headers }, (answer) => {
			if (keys.length === 1) {
				answer.resume();
				answer.on("end", () => response.socket.destroy()); // done, and nobody hears of it
			} else {
				answer.pipe(response);
			}
		});
		request.pipe(passed);
	});
	const there = await elsewhere(t);
	await new Promise((resolve) => proxy.listen(`${there.folder}/a.sock`, resolve));
	t.after(() => proxy.close());
	await fs.writeFile(`${there.folder}/0.json`, JSON.stringify({ ...real, socket: `${there.folder}/a.sock` }));
	const before = (await new Client(node, vault).get("/v1/history", { limit: 1000 })).changes.length;
	await there.client.change("POST", "/v1/entries", { text: "said once, kept once" });
	assert.equal(keys.length, 2);
	assert.ok(keys[0] && keys[0] === keys[1]);
	assert.equal((await new Client(node, vault).get("/v1/history", { limit: 1000 })).changes.length, before + 1);
});

test("over loopback the daemon proves itself first; a stranger on its port hears neither token nor request", async (t) => {
	const real = await endpointOf(node, vault);
	const there = await elsewhere(t, { ...real, socket: "" });
	assert.equal((await there.client.get("/v1/health")).status, "ok");
	assert.equal((await there.client.post("/v1/recall", { question: "tea?" })).vault.length, 36);

	const heard = [];
	const stranger = http.createServer((request, response) => {
		heard.push(request.method + " " + request.url + " " + JSON.stringify(request.headers));
		response.writeHead(401, { "Deepseedian-Proof": "0".repeat(64) }).end("{}");
	});
	await new Promise((resolve) => stranger.listen(0, "127.0.0.1", resolve));
	t.after(() => stranger.close());
	const fooled = await elsewhere(t, { ...real, socket: "", port: stranger.address().port });
	await assert.rejects(fooled.client.post("/v1/entries", { text: "private" }), fails("daemon_away"));
	assert.equal(heard.length, 1);
	assert.ok(!heard.join().includes(real.token) && !heard.join().includes("private"));
});

test("what came in place of a proved connection is not spoken to", async (t) => {
	const real = await endpointOf(node, vault);
	let connections = 0;
	const heard = [];
	const fickle = http.createServer((request, response) => { // knows the token, but closes: whoever takes the port next would be unproved
		heard.push(request.url);
		const proof = crypto.createHmac("sha256", real.token).update(`deepseedian proof ${request.headers["deepseedian-challenge"]}`).digest("hex");
		response.writeHead(401, { "Deepseedian-Proof": proof, Connection: "close" }).end("{}");
	});
	fickle.on("connection", () => connections++);
	await new Promise((resolve) => fickle.listen(0, "127.0.0.1", resolve));
	t.after(() => fickle.close());
	const there = await elsewhere(t, { ...real, socket: "", port: fickle.address().port });
	await assert.rejects(there.client.post("/v1/entries", { text: "private" }), fails("daemon_away"));
	assert.equal(connections, 1);
	assert.deepEqual(heard, ["/v1/health"]);
});

test("a turn streams, and aborting it stops it", async () => {
	const client = new Client(node, vault);
	const kinds = [];
	let text = "";
	await client.stream("POST", "/v1/ask", { question: "plain 你好" }, (event) => {
		kinds.push(event.kind);
		text += event.kind === "delta" ? event.data.text : "";
	});
	assert.equal(kinds[0], "turn");
	assert.equal(kinds.at(-1), "done");
	assert.match(text, /plain answer 你好/);

	const stop = new AbortController();
	let session = "";
	await assert.rejects(client.stream("POST", "/v1/ask", { question: "slow please" }, (event) => {
		session ||= event.data.session ?? "";
		if (event.kind === "delta") {
			stop.abort();
		}
	}, { signal: stop.signal }), fails("stopped"));
	await until(async () => (await client.get(`/v1/sessions/${session}`)).conversation[0].state === "stopped");
	await assert.rejects(client.stream("POST", "/v1/ask", { question: " " }, () => undefined), fails("bad_input"));
});

test("the feed tells of changes and is taken up again where it broke", async (t) => {
	const real = await endpointOf(node, vault);
	const cut = [];
	const asked = [];
	const proxy = http.createServer((request, response) => {
		asked.push([request.url, request.headers["last-event-id"]]);
		const passed = http.request({ socketPath: real.socket, path: request.url, method: request.method, headers: request.headers }, (answer) => {
			response.writeHead(answer.statusCode, answer.headers);
			answer.pipe(response);
		});
		passed.on("error", () => response.destroy());
		response.on("close", () => passed.destroy());
		request.pipe(passed);
		cut.push(response);
	});
	const there = await elsewhere(t);
	await new Promise((resolve) => proxy.listen(`${there.folder}/a.sock`, resolve));
	t.after(() => proxy.close());
	await fs.writeFile(`${there.folder}/0.json`, JSON.stringify({ ...real, socket: `${there.folder}/a.sock` }));
	const link = new Link(there.client, (ms, signal) => new Promise((resolve) => {
		const timer = setTimeout(resolve, Math.min(ms, 20));
		signal.addEventListener("abort", () => (clearTimeout(timer), resolve()));
	}));
	const told = [];
	link.on((kind, data) => told.push([kind, data.presence ?? data.revision ?? ""]));
	link.start();
	t.after(() => link.stop());
	const client = new Client(node, vault);
	const changes = () => told.filter(([kind]) => kind === "memory.changed").length;
	await until(() => link.presence === "here" && asked.some(([url]) => url === "/v1/events"));
	await client.change("POST", "/v1/entries", { text: "told on the feed" });
	await until(() => changes() >= 1);
	const first = changes();
	cut.forEach((response) => response.socket?.destroy());
	await client.change("POST", "/v1/entries", { text: "told after the feed broke" });
	await until(() => changes() > first && link.presence === "here");
	assert.ok(asked.some(([url, last]) => url === "/v1/events" && last), "taken up by the last event's id");
	assert.ok(told.some(([kind, presence]) => kind === "presence" && presence === "away"));
});

test("starting says what went wrong", async () => {
	await assert.rejects(startDaemon(node, "deepseedian-that-is-not-there", vault), /was not found/);
	await assert.rejects(startDaemon(node, "false", vault));
});

test("events that are cut anywhere come out whole", () => {
	const text = 'id: a-1\nevent: delta\ndata: {"text":"你好\\n"}\n\n: still here\n\nevent: done\r\ndata: {"a":\r\ndata: 1}\r\n\r\n';
	for (let size = 1; size < 12; size++) {
		const found = [];
		const parser = new EventParser((event) => found.push(event));
		for (let at = 0; at < text.length; at += size) {
			parser.push(text.slice(at, at + size));
		}
		assert.deepEqual(found, [{ id: "a-1", kind: "delta", data: { text: "你好\n" } }, { id: "", kind: "done", data: { a: 1 } }]);
	}
});

test("a difference puts together to both texts", () => {
	for (const [before, after] of [["", "neu"], ["alt", ""], ["I drink tea", "I drink green tea"], ["我每天喝绿茶", "我每天喝红茶和水"], ["a b c", "c b a"]]) {
		const pieces = difference(before, after);
		assert.equal(pieces.filter((piece) => piece.kind !== "new").map((piece) => piece.text).join(""), before);
		assert.equal(pieces.filter((piece) => piece.kind !== "gone").map((piece) => piece.text).join(""), after);
	}
	assert.deepEqual(difference("I drink tea", "I drink green tea").filter((piece) => piece.kind === "gone"), []);
});
