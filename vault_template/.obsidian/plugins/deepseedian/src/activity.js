/** Tells the daemon that the owner is at it, so that idle means idle: at most once in half a minute, and nothing of what is done. */

const QUIET_MS = 30_000;

/** @param {import("./main.js").default} plugin */
export function reportActivity(plugin) {
	let last = 0;
	const seen = () => {
		const now = Date.now();
		if (now - last > QUIET_MS && plugin.link.presence === "here") {
			last = now;
			plugin.client.post("/v1/activity").catch(() => {
				last = 0; // told with the next key
			});
		}
	};
	const watch = (/** @type {Document} */ document) => {
		plugin.registerDomEvent(document, "keydown", seen, { passive: true });
		plugin.registerDomEvent(document, "pointerdown", seen, { passive: true });
	};
	watch(activeDocument);
	plugin.registerEvent(plugin.app.workspace.on("window-open", (_, window) => watch(window.document)));
}
