/**
 * Serves the page of the browser tests, and stands in there for Node: files of the runtime folder, the daemon's socket, and
 * the command that starts it. On loopback only, for as long as the tests run.
 */
import { execFile } from "node:child_process";
import { promises as fs } from "node:fs";
import http from "node:http";

const FILES = new Map();

/** @param {Record<string, string>} files what is served, by path */
export async function bridge(files) {
	Object.entries(files).forEach(([path, text]) => FILES.set(path, text));
	const open = new Set();
	const counts = { ask: 0, open, asked: [] };
	const server = http.createServer((request, response) => {
		const url = new URL(request.url, "http://bridge");
		if (url.pathname === "/wire") {
			counts.asked.push(`${request.method} ${url.searchParams.get("path")}`);
			wire(request, response, url, open);
		} else if (url.pathname === "/node") {
			void node(request, response);
		} else if (FILES.has(url.pathname)) {
			const kind = { js: "text/javascript", css: "text/css", html: "text/html" }[url.pathname.split(".").pop()];
			response.writeHead(200, { "Content-Type": `${kind}; charset=utf-8` }).end(FILES.get(url.pathname));
		} else {
			response.writeHead(404).end();
		}
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { url: `http://127.0.0.1:${server.address().port}`, counts, close: () => (server.closeAllConnections(), server.close()) };
}

function wire(request, response, url, open) {
	const headers = JSON.parse(request.headers["x-wire"] ?? "{}");
	const passed = http.request({ socketPath: url.searchParams.get("socket"), path: url.searchParams.get("path"), method: request.method, headers }, (answer) => {
		open.add(passed);
		response.writeHead(answer.statusCode, { "Content-Type": answer.headers["content-type"] ?? "text/plain" });
		answer.on("error", () => response.destroy());
		answer.on("aborted", () => response.destroy());
		answer.pipe(response);
	});
	passed.on("close", () => open.delete(passed));
	passed.on("error", (error) => response.headersSent ? response.destroy() : response.writeHead(502, { "X-Failed": error.code ?? "ERR" }).end());
	response.on("close", () => passed.destroy());
	request.pipe(passed);
}

async function node(request, response) {
	let text = "";
	for await (const piece of request) {
		text += piece;
	}
	const { call, words } = JSON.parse(text);
	const calls = {
		readdir: () => fs.readdir(words[0]), readFile: () => fs.readFile(words[0], "utf8"), realpath: () => fs.realpath(words[0]),
		stat: async () => (({ ino, dev }) => ({ ino, dev }))(await fs.stat(words[0])),
		execFile: () => new Promise((resolve) => execFile(words[0], words[1], { env: process.env, timeout: 40_000 },
			(error, out, said) => resolve({ error: error && { code: error.code, message: error.message }, out, said }))),
	};
	try {
		response.end(JSON.stringify({ result: await calls[call]() }));
	} catch (error) {
		response.end(JSON.stringify({ error: { code: error.code, message: error.message } }));
	}
}
