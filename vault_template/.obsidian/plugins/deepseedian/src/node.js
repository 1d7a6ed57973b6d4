/** Node as Obsidian on the desktop offers it; asked for only there. */

import { Platform } from "obsidian";

/** @returns {import("./endpoint.js").Node} */
export function desktopNode() {
	if (!Platform.isDesktop) {
		throw new Error("Deepseedian needs Obsidian on the desktop");
	}
	const load = /** @type {(name: string) => any} */ (window.require);
	return {
		http: load("http"), net: load("net"), fs: load("fs").promises, crypto: load("crypto"), childProcess: load("child_process"),
		env: load("process").env, platform: load("process").platform, home: load("os").homedir(),
	};
}
