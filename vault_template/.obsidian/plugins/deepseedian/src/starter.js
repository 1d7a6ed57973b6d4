/** Starting the daemon as a person would: `deepseedian --vault … start`. */

/** Programs that a desktop starts often lack the folders where a person's own commands lie. */
const PLACES = [".local/bin", "bin", ".local/pipx/bin", ".cargo/bin"];
const SYSTEM = ["/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/bin"];
const PATIENCE_MS = 40_000;

/**
 * Resolves when it runs; rejects with what the command said.
 * @param {import("./endpoint.js").Node} node @param {string} program @param {string} vault
 * @returns {Promise<void>}
 */
export function startDaemon(node, program, vault) {
	const windows = node.platform === "win32";
	const home = program === "~" || program.startsWith("~/") ? node.home + program.slice(1) : program;
	const path = [node.env.PATH ?? "", ...PLACES.map((place) => `${node.home}/${place}`), ...SYSTEM].join(windows ? ";" : ":");
	return new Promise((resolve, reject) => {
		node.childProcess.execFile(home || "deepseedian", ["--vault", vault, "start"],
			{ env: { ...node.env, PATH: windows ? node.env.PATH : path }, timeout: PATIENCE_MS, windowsHide: true }, (error, _out, said) => {
				if (!error) {
					resolve();
				} else if (/** @type {{code?: unknown}} */ (error).code === "ENOENT") {
					reject(new Error("deepseedian was not found"));
				} else {
					reject(new Error(String(said).trim().slice(0, 500) || error.message));
				}
			});
	});
}
