/** Which entries the memory view shows: searched by the daemon, filtered here. */

const PAGE = 100;
const MOST_HITS = 300;
const DAY_MS = 86_400_000;

/** @typedef {import("./entry.js").Entry} Entry */
/** @typedef {import("./memory.js").MemoryView} View */

/** What the search and the filters leave. @param {View} view @returns {Promise<Entry[]>} */
export async function findEntries(view) {
	const { query, place, date } = view.wanted;
	if (place === "then") {
		return date ? filtered(view, await hits(view, query, date)) : [];
	}
	const path = place === "archive" ? "/v1/archive" : "/v1/entries";
	const all = /** @type {Entry[]} */ ((await view.plugin.client.get(path)).entries);
	view.total = all.length;
	view.topics = [...new Set(all.map((entry) => entry.topic))].sort();
	if (place === "archive") {
		const words = query.toLowerCase().split(/\s+/).filter(Boolean);
		return filtered(view, all.filter((entry) => words.every((word) => entry.text.toLowerCase().includes(word))));
	}
	if (!query.trim()) {
		return filtered(view, all.reverse());
	}
	const byId = new Map(all.map((entry) => [entry.id, entry]));
	return filtered(view, (await hits(view, query, "")).flatMap((hit) => byId.get(hit.id) ?? []));
}

/** @param {View} view @param {string} query @param {string} date @returns {Promise<Entry[]>} */
async function hits(view, query, date) {
	/** @type {Entry[]} */
	const found = [];
	for (let total = 1; found.length < total && found.length < MOST_HITS;) {
		const page = await view.plugin.client.get("/v1/search", { query, as_of: date, offset: found.length, limit: PAGE });
		const rows = /** @type {{id: string, summary: string}[]} */ (page.results);
		rows.forEach((row) => found.push(/** @type {Entry} */ ({ id: row.id, topic: "", text: row.summary, createdAt: "", source: "" })));
		total = rows.length ? Number(page.total) : 0;
		view.total = Number(page.total);
	}
	return found;
}

/** @param {View} view @param {Entry[]} entries */
function filtered(view, entries) {
	const { topic, kind, trust, days, place } = view.wanted;
	if (place === "then") {
		return entries;
	}
	const since = days ? new Date(Date.now() - Number(days) * DAY_MS).toISOString() : "";
	return entries.filter((entry) => (!topic || entry.topic === topic) && (!kind || entry.kind === kind)
		&& (!trust || (entry.trust ?? "user_stated") === trust) && (!since || String(entry.updatedAt ?? entry.createdAt) >= since));
}
