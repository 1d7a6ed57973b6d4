/** Why there is no inline completion, in the person's words: what the editor says, and what the daemon does. */

import { chinese, failureText, say } from "./words.js";

/** @type {Record<string, [string, string]>} */
const REASONS = {
	read_only: ["this note cannot be edited.", "此笔记不可编辑。"],
	no_note: ["only Markdown notes are completed.", "只在 Markdown 笔记中补全。"],
	selection: ["put one cursor where it should go on, with nothing selected.", "请把单个光标放在要续写的位置，不要选中文字。"],
	composing: ["an input method is composing.", "输入法正在输入。"],
	unparsed: ["the note is still being read.", "笔记还在解析。"],
	empty_line: ["write the beginning of the line first.", "请先写出这一行的开头。"],
	word: ["the cursor is inside a word.", "光标在单词中间。"],
	amid: ["the line goes on behind the cursor.", "光标后面还有文字。"],
	front_matter: ["not in properties.", "不在属性区补全。"],
	code: ["not in code.", "不在代码中补全。"],
	math: ["not in math.", "不在公式中补全。"],
	table: ["not in tables.", "不在表格中补全。"],
	comment: ["not in comments.", "不在注释中补全。"],
	html: ["not in HTML.", "不在 HTML 中补全。"],
	link: ["not in links, addresses or open brackets.", "不在链接、网址或未闭合的方括号中补全。"],
	tag: ["not in tags.", "不在标签中补全。"],
	heading: ["not in headings.", "不在标题中补全。"],
	rule: ["not on a rule.", "不在分隔线上补全。"],
	off: ["it is off. Switch on “complete” in the settings of Deepseedian.", "已关闭。可在 Deepseedian 设置中打开 complete。"],
	chat_off: ["it is off. Switch on “complete.chat” in the settings of Deepseedian.", "已关闭。可在 Deepseedian 设置中打开 complete.chat。"],
	disabled: ["Deepseedian is switched off in its settings.", "Deepseedian 已在设置中关闭。"],
	excluded: ["this note is excluded from it.", "此笔记不参与补全。"],
	unnamed: ["this note has no path yet.", "此笔记还没有路径。"],
	settings_unreadable: ["the notes it leaves out cannot be told: the settings cannot be read.", "设置无法读取，不知道哪些笔记不参与补全。"],
	nothing: ["write the beginning first.", "请先写出开头。"],
	busy: ["another one is under way.", "另一个补全正在进行。"],
	too_soon: ["they are two seconds apart.", "两次补全至少相隔两秒。"],
	minute: ["there were ten in the last minute.", "一分钟内已有十次。"],
	day: ["those of today are used up; they begin anew at midnight UTC.", "今天的次数已用完，UTC 零点重新计算。"],
	abstained: ["the model has nothing to add here.", "模型在此没有可补充的。"],
	answer: ["the model did not answer in the form it was asked for.", "模型没有按要求的格式回答。"],
	cut: ["the model used up its tokens before it was done.", "模型还没答完就用完了词元。"],
	model_missing: ["no model is configured.", "没有配置模型。"],
	model_timeout: ["the model did not answer in time.", "模型没有及时回答。"],
};
const UNFIT = ["blank", "long", "lines", "control", "fence", "glued", "repeats", "emphasis", "comma"];

/** @param {string} reason @param {Record<string, unknown>} answer the daemon's own words, for what has none here */
export function reasonText(reason, answer) {
	if (Object.hasOwn(REASONS, reason)) {
		return say(...REASONS[reason]);
	}
	if (UNFIT.includes(reason)) {
		return chinese() ? "模型的建议不适合放在这里。" : "what the model suggested does not fit here.";
	}
	return failureText(answer);
}
