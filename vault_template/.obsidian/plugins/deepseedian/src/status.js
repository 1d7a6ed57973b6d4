/** The status bar: how much waits for the owner, or that the daemon is away. */

import { setTooltip } from "obsidian";
import { say } from "./words.js";

const LATER_MS = 150;

/** @param {import("./main.js").default} plugin */
export function showStatus(plugin) {
	const item = plugin.addStatusBarItem();
	item.addClass("mod-clickable", "deepseedian-status");
	item.setAttr("role", "button");
	const open = () => void (plugin.link.presence === "away" ? plugin.openChat() : plugin.openReview());
	item.onclick = open;
	item.onkeydown = (event) => {
		if (event.key === "Enter" || event.key === " ") {
			event.preventDefault();
			open();
		}
	};
	let count = 0;
	let later = 0;
	const draw = () => {
		const away = plugin.link.presence === "away";
		item.setText(away ? say("Deepseedian: away", "Deepseedian：未运行") : count ? say("{0} to review", "{0} 条待审阅", count) : "");
		item.setAttr("tabindex", item.textContent ? "0" : "-1");
		setTooltip(item, away ? say("Deepseedian is not running.", "Deepseedian 没有运行。") : say("Open the review", "打开审阅"), { placement: "top" });
	};
	const look = async () => {
		try {
			count = /** @type {unknown[]} */ ((await plugin.client.get("/v1/proposals")).proposals).length;
		} catch {
			count = 0;
		}
		draw();
	};
	plugin.register(plugin.link.on((kind) => {
		if (kind === "presence" || kind.startsWith("proposal.") || kind === "memory.changed") {
			window.clearTimeout(later);
			later = window.setTimeout(() => void look(), LATER_MS);
		}
	}));
	plugin.register(() => window.clearTimeout(later));
	draw();
}
