/** A question of the chat on its way: its events as they come, stopping it, and what becomes of it when the daemon dies. */

import { Notice } from "obsidian";
import { WireError } from "./client.js";
import { path } from "./sessions.js";
import { failureText } from "./words.js";

/** @typedef {import("./chat.js").ChatView} View */
/** @typedef {import("./turn.js").TurnView} TurnView */

/** @param {View} view @param {import("./composer.js").Question} question @param {boolean} again */
export async function ask(view, question, again) {
	if (view.asking) {
		view.composer?.giveBack(question);
		return;
	}
	const asking = view.asking = new AbortController();
	view.stopping = false;
	const text = again ? view.turns[view.turns.length - 1]?.el.querySelector(".deepseedian-question")?.textContent ?? "" : question.text;
	const turn = view.now = view.turn(text);
	view.composer?.setBusy(true);
	view.toEnd();
	const body = { question: question.text, session: view.session?.id ?? "", context: question.context, attachments: question.attachments, again };
	let begun = false;
	try {
		await view.plugin.client.stream("POST", "/v1/ask", body, (event) => {
			begun = true;
			took(view, turn, event.kind, event.data);
		}, { signal: asking.signal });
		if (!turn.state) {
			turn.end("interrupted", undefined);
		}
	} catch (error) {
		failed(view, turn, question, error, begun);
	} finally {
		view.asking = view.now = null;
		view.composer?.setBusy(false);
	}
}

/** @param {View} view @param {TurnView} turn @param {string} kind @param {Record<string, any>} data */
function took(view, turn, kind, data) {
	const body = view.body;
	const atEnd = body ? body.scrollHeight - body.scrollTop - body.clientHeight < 80 : false;
	turn.take(kind, data);
	if (kind === "turn") {
		began(view, String(data.session));
		if (view.stopping) {
			void stop(view);
		}
	}
	if (kind === "done") {
		look(view, String(data.session)); // its title is known by now
	}
	if (atEnd) {
		view.toEnd();
	}
}

/** @param {View} view @param {string} id */
function began(view, id) {
	if (view.session?.id !== id) {
		view.session = /** @type {import("./sessions.js").Session} */ ({ ...view.session, id, title: "", goal: "", reads: true, contributes: true });
		view.plugin.keepSession(id);
	}
	look(view, id);
}

/** Title, goal and switches as the daemon has them. @param {View} view @param {string} id */
function look(view, id) {
	void view.plugin.client.get(path(id)).then((found) => {
		if (view.session?.id === id) {
			view.session = /** @type {import("./sessions.js").Session} */ (found);
			view.drawHead();
		}
	}, () => undefined); // the title comes with the next look
}

/** @param {View} view @param {TurnView} turn @param {import("./composer.js").Question} question @param {unknown} error @param {boolean} begun */
function failed(view, turn, question, error, begun) {
	if (error instanceof WireError && error.code === "stopped") {
		turn.end("stopped", undefined);
	} else if (begun) {
		turn.end("interrupted", undefined);
		view.plugin.link.again();
	} else { // nothing was asked: the question goes back to where it was written
		turn.close();
		turn.el.remove();
		view.turns = view.turns.filter((other) => other !== turn);
		view.composer?.giveBack(question);
		new Notice(failureText(error));
	}
}

/** Stop at the next moment; what was answered stays. @param {View} view */
export async function stop(view) {
	view.stopping = true;
	const id = view.now?.id;
	if (id && !(await view.plugin.tried(() => view.plugin.client.post(`/v1/ask/${encodeURIComponent(id)}/stop`)))) {
		view.asking?.abort();
	}
}
