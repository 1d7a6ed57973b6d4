"""Recalled entries as text that a host puts before a turn: the first few in full, the others by topic and summary.

Each line says when the entry was written and under which id it is read in full. Entries are data: markers of ours
and line breaks that could look like the host's own lines are taken out.
"""

import re
from collections.abc import Sequence

from deepseedian.core import unseen
from deepseedian.core.entry import Entry
from deepseedian.core.text import summary

_BESIDES = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]")  # controls, and halves of a character
_COMMENT = re.compile("<!--|-->")
SHORT = 120
NAMED, MOST_NAMED = 40, 4
MAX_ENTRIES = 8


def text(entries: Sequence[Entry], full: int, limit: int) -> tuple[str, list[Entry]]:
    """At most `limit` characters, and the entries in it. One that does not fit in full is given short, and then not at all."""
    lines: list[str] = []
    given: list[Entry] = []
    left = limit
    for entry in entries:
        line = next((line for line in _forms(entry, len(given) < full) if len(line) + 1 <= left), None)
        if line is not None:
            lines.append(line)
            given.append(entry)
            left -= len(line) + 1
    return "\n".join(lines), given


def notice(texts: Sequence[str], language: str) -> str:
    """One line for the person that names the memories put before a turn."""
    named, more = "; ".join(summary(plain(text), NAMED) for text in texts[:MOST_NAMED]), len(texts) - MOST_NAMED
    if language == "zh":
        return f"用到的记忆：{named}" + (f"（另有 {more} 条）" if more > 0 else "")
    return f"Memory used: {named}" + (f" (and {more} more)" if more > 0 else "")


def _forms(entry: Entry, full: bool) -> list[str]:
    head = f"- [{plain(entry.topic)}] "
    tail = f" ({plain(entry.created_at)[:10]}, {plain(entry.id)})"
    words = plain(entry.text)
    short = head + summary(words, SHORT) + tail
    return [head + words + tail, short] if full else [short]


def plain(text: str) -> str:
    """On one line, and nothing in it that nobody sees."""
    text, left = _BESIDES.sub("", unseen.without(text)), 1
    while left:  # what is left of one can be another: <!<!----
        text, left = _COMMENT.subn("", text)
    return summary(text, len(text) + 1)
