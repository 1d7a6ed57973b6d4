/**
 * Finding the daemon of this vault by the files that running daemons leave in one folder. The folder is the same
 * three-line rule in every client; a file is taken by the vault it names, never by its own name.
 */

/**
 * What is used of Node, handed in so that nothing here loads it by itself.
 * @typedef {object} Node
 * @property {typeof import("http")} http
 * @property {typeof import("net")} net
 * @property {typeof import("fs").promises} fs
 * @property {typeof import("crypto")} crypto
 * @property {typeof import("child_process")} childProcess
 * @property {Record<string, string | undefined>} env
 * @property {string} platform
 * @property {string} home
 */

/**
 * A running daemon as its file describes it. An empty `socket` means loopback at `port`.
 * @typedef {{vault: string, pid: number, socket: string, port: number, token: string}} Endpoint
 */

/** @param {Node} node @returns {string} the folder of endpoint files */
export function runtimeFolder(node) {
	const given = (node.env.DEEPSEEDIAN_RUNTIME_DIR ?? "").trim();
	if (given) {
		return given === "~" || given.startsWith("~/") ? node.home + given.slice(1) : given;
	}
	if (node.platform === "win32") {
		return `${node.env.LOCALAPPDATA || node.home + "\\AppData\\Local"}\\deepseedian\\run`;
	}
	return `${node.home}/.local/state/deepseedian/run`;
}

/**
 * The daemon of the vault at this path, whatever name the path is written with; null when no file names it.
 * @param {Node} node @param {string} vault
 * @returns {Promise<Endpoint | null>}
 */
export async function endpointOf(node, vault) {
	const folder = runtimeFolder(node);
	const real = await realPath(node, vault);
	for (const name of await files(node, folder)) {
		const found = await read(node, `${folder}/${name}`);
		if (found && (found.vault === real || (await same(node, found.vault, real)))) {
			return found;
		}
	}
	return null;
}

/** @param {Node} node @param {string} folder @returns {Promise<string[]>} */
async function files(node, folder) {
	try {
		return (await node.fs.readdir(folder)).filter((name) => name.endsWith(".json")).sort();
	} catch {
		return [];
	}
}

/** @param {Node} node @param {string} file @returns {Promise<Endpoint | null>} */
async function read(node, file) {
	try {
		/** @type {unknown} */
		const body = JSON.parse(await node.fs.readFile(file, "utf8"));
		return isEndpoint(body) ? body : null;
	} catch {
		return null;
	}
}

/** @param {unknown} body @returns {body is Endpoint} */
function isEndpoint(body) {
	if (typeof body !== "object" || body === null) {
		return false;
	}
	const found = /** @type {Record<string, unknown>} */ (body);
	return ["vault", "socket", "token"].every((name) => typeof found[name] === "string")
		&& ["pid", "port"].every((name) => Number.isInteger(found[name]));
}

/** @param {Node} node @param {string} path @returns {Promise<string>} */
async function realPath(node, path) {
	try {
		return await node.fs.realpath(path);
	} catch {
		return path;
	}
}

/** Two names of one folder, as on file systems that do not tell case apart. @param {Node} node @param {string} one @param {string} other */
async function same(node, one, other) {
	try {
		const [first, second] = await Promise.all([node.fs.stat(one), node.fs.stat(other)]);
		return first.ino !== 0 && first.ino === second.ino && first.dev === second.dev;
	} catch {
		return false;
	}
}
