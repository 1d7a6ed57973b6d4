/** What changes between two texts, word by word: enough for entries of 2,000 characters. */

/** @typedef {{kind: "same" | "gone" | "new", text: string}} Piece */

/** Words, runs of blanks, and each Chinese, Japanese or Korean character by itself. @param {string} text */
function words(text) {
	return text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}_'-]+|\s+|./gsu) ?? [];
}

/** @param {string} before @param {string} after @returns {Piece[]} */
export function difference(before, after) {
	const old = words(before);
	const now = words(after);
	let start = 0;
	while (start < old.length && start < now.length && old[start] === now[start]) {
		start++;
	}
	let end = 0;
	while (end < old.length - start && end < now.length - start && old[old.length - 1 - end] === now[now.length - 1 - end]) {
		end++;
	}
	/** @type {Piece[]} */
	const pieces = [];
	add(pieces, "same", old.slice(0, start).join(""));
	middle(pieces, old.slice(start, old.length - end), now.slice(start, now.length - end));
	add(pieces, "same", old.slice(old.length - end).join(""));
	return pieces;
}

/** The longest words in common. @param {Piece[]} pieces @param {string[]} old @param {string[]} now */
function middle(pieces, old, now) {
	const width = now.length + 1;
	if (old.length * width > 4_000_000) {
		add(pieces, "gone", old.join(""));
		add(pieces, "new", now.join(""));
		return;
	}
	const table = new Uint16Array((old.length + 1) * width);
	for (let i = old.length - 1; i >= 0; i--) {
		for (let j = now.length - 1; j >= 0; j--) {
			table[i * width + j] = old[i] === now[j] ? table[(i + 1) * width + j + 1] + 1
				: Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
		}
	}
	let i = 0;
	let j = 0;
	while (i < old.length || j < now.length) {
		if (i < old.length && j < now.length && old[i] === now[j]) {
			add(pieces, "same", old[i++]);
			j++;
		} else if (i < old.length && (j >= now.length || table[(i + 1) * width + j] >= table[i * width + j + 1])) {
			add(pieces, "gone", old[i++]);
		} else {
			add(pieces, "new", now[j++]);
		}
	}
}

/** @param {Piece[]} pieces @param {Piece["kind"]} kind @param {string} text */
function add(pieces, kind, text) {
	const last = pieces[pieces.length - 1];
	if (!text) {
		return;
	}
	if (last && last.kind === kind) {
		last.text += text;
	} else {
		pieces.push({ kind, text });
	}
}

/** @param {HTMLElement} parent @param {string} before @param {string} after */
export function showDifference(parent, before, after) {
	const line = parent.createDiv({ cls: "deepseedian-diff" });
	for (const piece of difference(before, after)) {
		const tag = piece.kind === "gone" ? "del" : piece.kind === "new" ? "ins" : "span";
		line.createEl(tag, { text: piece.text });
	}
}
