/** What goes along with a question: the note it is asked beside, a selection, files. Nothing goes that has no chip. */

import { MarkdownView } from "obsidian";
import { say } from "./words.js";

const SELECTION = 6000;
const NEARBY = 10_000;
const AROUND = 6;
const PINNED_AROUND = 12;
const TEXT_BYTES = 102_400;
const IMAGE_BYTES = 5_242_880;
export const MOST_ATTACHMENTS = 4;
const TEXTS = "md base canvas txt json csv ts tsx js jsx py css html yaml yml".split(" ");
const IMAGES = ["png", "jpg", "jpeg", "webp", "gif"];

/** @typedef {{path: string, selection: string, nearby: string, heading: string, startLine: number, endLine: number, pinned: boolean}} NoteContext */
/** @typedef {{name: string, text?: string, data?: string, path?: string}} Attachment */

/** The Markdown editor that the person was in last, also while a side bar has the focus. @param {import("obsidian").App} app */
export function lastEditor(app) {
	const active = app.workspace.getActiveViewOfType(MarkdownView);
	if (active) {
		return active;
	}
	const view = app.workspace.getMostRecentLeaf()?.view;
	return view instanceof MarkdownView ? view : null;
}

/**
 * The note, its selection and the lines around the cursor; null without a note.
 * @param {import("obsidian").App} app @param {{selection: boolean, pinned?: boolean}} wanted
 * @returns {NoteContext | null}
 */
export function noteContext(app, wanted) {
	const view = lastEditor(app);
	const path = view?.file?.path ?? app.workspace.getActiveFile()?.path ?? "";
	if (!path) {
		return null;
	}
	/** @type {NoteContext} */
	const found = { path, selection: "", nearby: "", heading: "", startLine: 0, endLine: 0, pinned: wanted.pinned ?? false };
	return view && path.endsWith(".md") ? around(view.editor, found, wanted.selection) : found;
}

/** @param {import("obsidian").Editor} editor @param {NoteContext} found @param {boolean} selected @returns {NoteContext} */
function around(editor, found, selected) {
	const from = editor.getCursor("from").line;
	const to = editor.getCursor("to").line;
	const selection = selected ? editor.getSelection().slice(0, SELECTION) : "";
	const lines = found.pinned ? PINNED_AROUND : AROUND;
	const first = Math.max(0, from - lines);
	const last = Math.min(editor.lineCount() - 1, (selection ? to : from) + lines);
	const nearby = [];
	for (let line = first; line <= last; line++) {
		nearby.push(editor.getLine(line));
	}
	let heading = "";
	for (let line = from; line >= 0 && !heading; line--) {
		heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(editor.getLine(line))?.[1] ?? "";
	}
	return { ...found, selection, nearby: nearby.join("\n").slice(0, NEARBY), heading: heading.slice(0, 500),
		startLine: selection ? from + 1 : 0, endLine: selection ? to + 1 : 0 };
}

/** As it goes over the wire: only what is there. @param {NoteContext | null} context */
export function sentContext(context) {
	return context ? Object.fromEntries(Object.entries(context).filter(([, value]) => value)) : {};
}

/** How many lines are selected just now. @param {import("obsidian").App} app */
export function selectedLines(app) {
	const editor = lastEditor(app)?.editor;
	return editor && editor.getSelection() ? editor.getCursor("to").line - editor.getCursor("from").line + 1 : 0;
}

/**
 * A file from outside the vault as an attachment. Rejects with what is wrong with it.
 * @param {File} file @returns {Promise<Attachment>}
 */
export async function fileAttachment(file) {
	const kind = file.name.split(".").pop()?.toLowerCase() ?? "";
	const image = IMAGES.includes(kind);
	if (!image && !TEXTS.includes(kind)) {
		throw new Error(say("{0}: this kind of file is not taken.", "{0}：不支持这种文件。", file.name));
	}
	const limit = image ? IMAGE_BYTES : TEXT_BYTES;
	if (file.size > limit) {
		throw new Error(say("{0} is larger than {1} KB.", "{0} 超过 {1} KB。", file.name, Math.floor(limit / 1024)));
	}
	const bytes = new Uint8Array(await file.arrayBuffer());
	if (image) {
		let binary = "";
		for (let at = 0; at < bytes.length; at += 8192) {
			binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
		}
		return { name: file.name, data: window.btoa(binary) };
	}
	try {
		return { name: file.name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
	} catch {
		throw new Error(say("{0} is not UTF-8 text.", "{0} 不是 UTF-8 文本。", file.name));
	}
}

/** Notes that were dragged from the file list or an editor: their paths in this vault. @param {string} text @param {import("obsidian").App} app */
export function draggedPaths(text, app) {
	const found = [];
	for (const line of text.split("\n")) {
		const file = /^obsidian:\/\/open\?.*?file=([^&\s]+)/.exec(line)?.[1];
		const link = /^!?\[\[([^\]|#]+)/.exec(line)?.[1];
		const wanted = file ? decodeURIComponent(file) : link;
		const note = wanted ? app.metadataCache.getFirstLinkpathDest(wanted, "") : null;
		if (note) {
			found.push(note.path);
		}
	}
	return found;
}
