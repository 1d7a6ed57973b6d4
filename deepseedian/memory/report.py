"""What memory did in a while, as a note for its owner: learned, changed, recalled most, corrected, what waits, what it cost.

Texts of entries stand in it as quotations, on one line, with nothing that Obsidian would take for a link, a tag or a box.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from deepseedian.core.entry import Entry
from deepseedian.core.erasure import telling
from deepseedian.core.injection import plain
from deepseedian.core.text import summary

MOST = 12
TEXT = 160
SHORT = 60  # as summaries of changes are cut
WORDS = {
    "en": {"title": "Memory, {0} to {1}", "learned": "Learned", "changed": "Changed", "recalled": "Recalled most", "corrected": "Corrected",
           "open": "Waiting for you", "cost": "Cost", "nothing": "Nothing.", "more": "and {0} more", "times": "{0}×",
           "decide": "proposals: {0}, the newest in [[{1}]]", "decide_list": "proposals: {0}; deepseedian review lists them",
           "recalls": "{0} recalls, {1} of them gave something; about {2} tokens put before turns",
           "models": "{0} idle runs with {1} characters; {2} calls of the judge, {3} of the embedding model"},
    "zh": {"title": "记忆小结：{0} 至 {1}", "learned": "新学到的", "changed": "改动", "recalled": "最常想起的", "corrected": "被更正的",
           "open": "等你决定的", "cost": "用量", "nothing": "无。", "more": "另有 {0} 条", "times": "{0} 次",
           "decide": "{0} 条提议，最新的在 [[{1}]]", "decide_list": "{0} 条提议，用 deepseedian review 查看",
           "recalls": "{0} 次回想，其中 {1} 次有内容；约 {2} 个 token 放到了提问之前",
           "models": "空闲整理 {0} 次，共 {1} 个字符；判断模型 {2} 次，向量模型 {3} 次"},
}


@dataclass(frozen=True, slots=True)
class Facts:
    """What a report is made of. `since` and `until` are days; `changed` are summaries of changes, oldest first; `recalled` pairs
    an entry with how often it was given; `waiting` is (open proposals, the newest one's note)."""

    since: str
    until: str
    learned: Sequence[Entry]
    changed: Sequence[str]
    recalled: Sequence[tuple[Entry, int]]
    corrected: Sequence[Entry]
    waiting: tuple[int, str]
    stats: Mapping[str, object]
    runs: tuple[int, int]


def text(facts: Facts, language: str) -> str:
    """The note in Markdown, marked as ours and not for publishing."""
    words = WORDS[language]
    title = words["title"].format(facts.since, facts.until)
    parts = [f"---\ndeepseedian: report\nsince: {facts.since}\nuntil: {facts.until}\npublish: false\n---", f"# {title}",
             _section(words, "learned", [_quoted(entry) for entry in facts.learned]),
             _section(words, "changed", [f"- {_line(item)}" for item in facts.changed]),
             _section(words, "recalled", [f"{_quoted(entry)} ({words['times'].format(count)})" for entry, count in facts.recalled]),
             _section(words, "corrected", [_quoted(entry) for entry in facts.corrected]),
             _section(words, "open", _waiting(words, *facts.waiting)), _section(words, "cost", _cost(words, facts))]
    return "\n\n".join(parts) + "\n"


def _section(words: Mapping[str, str], name: str, lines: Sequence[str]) -> str:
    shown = list(lines[:MOST])
    if len(lines) > MOST:
        shown.append("- " + words["more"].format(len(lines) - MOST))
    return f"## {words[name]}\n\n" + ("\n".join(shown) or words["nothing"])


def _quoted(entry: Entry) -> str:
    return f"- {_line(entry.topic)}: “{_line(entry.text)}”"


def _line(text: str) -> str:
    """On one line and harmless: what would be a link, a tag, a box, a comment, HTML or a block's name is written as it stands."""
    shown = summary(plain(text), TEXT)
    return "".join(f"\\{char}" if char in "[]#<>^`*_$|~=%\\" else char for char in shown).replace("://", ":\\//")


def _waiting(words: Mapping[str, str], count: int, note: str) -> list[str]:
    if not count:
        return []
    return ["- " + (words["decide"].format(count, note.removesuffix(".md")) if note else words["decide_list"].format(count))]


def _cost(words: Mapping[str, str], facts: Facts) -> list[str]:
    stats = facts.stats
    return ["- " + words["recalls"].format(stats["recalls"], stats["withMemory"], stats["estimatedTokens"]),
            "- " + words["models"].format(*facts.runs, stats["judgeCalls"], stats["embeddingCalls"])]


def is_ours(note: str) -> bool:
    return note.startswith("---\ndeepseedian: report\n")


def without(note: str, texts: Sequence[str]) -> str:
    """A report without the lines that tell of these texts."""
    told = [form for text in texts if telling(text) for form in (_line(text), _line(summary(plain(text), SHORT)).removesuffix("…"))]
    return "".join(line for line in note.splitlines(keepends=True) if not any(form in line for form in told))


def path(folder: str, until: str, taken: Callable[[str], bool]) -> str:
    """Where the note went: `<folder>/<day>.md`, the first such name that could be `taken`: another report may have come first."""
    names = [f"{folder}/{until}.md", *(f"{folder}/{until} ({number}).md" for number in range(2, 1000))]
    return next(name for name in names if taken(name))
