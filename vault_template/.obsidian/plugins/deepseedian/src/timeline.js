/** The life of one entry: its versions, the changes that touched it, and the turns it was recalled in. */

import { showDifference } from "./diff.js";
import { shown } from "./dialogs.js";
import { emptyLine } from "./parts.js";
import { showReceipt } from "./receipt.js";
import { say, trustName, when } from "./words.js";

/** @param {import("./main.js").default} plugin @param {string} id */
export async function showTimeline(plugin, id) {
	const found = await plugin.tried(() => plugin.client.get(`/v1/timelines/${encodeURIComponent(id)}`));
	if (found) {
		shown(plugin.app, say("Timeline", "时间线"), (content) => draw(plugin, found, content));
	}
}

/** @param {import("./main.js").default} plugin @param {Record<string, any>} found @param {HTMLElement} content */
function draw(plugin, found, content) {
	const recalled = /** @type {{total: number, recalls: {at: string, session: string, receipt: string}[]}} */ (found.recalled);
	content.createEl("p", { text: recalled.total ? say("Recalled {0} times, last on {1}.", "被召回 {0} 次，最近一次 {1}。", recalled.total, when(recalled.recalls[0]?.at))
		: say("Not recalled yet.", "还没有被召回过。") });
	const versions = /** @type {Record<string, any>[]} */ (found.versions);
	if (recalled.recalls.length) {
		const fold = content.createEl("details");
		fold.createEl("summary", { text: say("In which turns", "在哪些轮次") });
		const turns = fold.createEl("ul");
		recalled.recalls.forEach((recall) => {
			const link = turns.createEl("li").createEl("a", { text: `${when(recall.at)}  ${recall.session}`, attr: { href: "#" } });
			link.onclick = (event) => {
				event.preventDefault();
				void showReceipt(plugin, recall.receipt, () => undefined);
			};
		});
	}
	versions.forEach((version, index) => {
		const card = content.createDiv({ cls: "deepseedian-card" });
		card.createDiv({ cls: "deepseedian-title", text: when(String(version.updatedAt ?? version.createdAt)) });
		showDifference(card, String(versions[index + 1]?.text ?? ""), String(version.text));
		card.createDiv({ cls: "deepseedian-meta", text: [String(version.source), version.trust ? trustName(String(version.trust)) : "",
			version.endedAt ? say("until {0}", "至 {0}", when(String(version.endedAt))) : say("in force", "有效")].filter(Boolean).join(" · ") });
	});
	const changes = /** @type {{at: string, summary: string}[]} */ (found.changes);
	content.createEl("h4", { text: say("Changes", "变更") });
	if (!changes.length) {
		emptyLine(content, say("None on this device.", "此设备上没有。"));
	}
	const list = content.createEl("ul");
	changes.forEach((change) => list.createEl("li", { text: `${when(change.at)}  ${change.summary}` }));
}
