"""Recalled entries as text that a host puts before a turn: the first few in full, the others by topic and summary.

Each line says when the entry was written and under which id it is read in full. Entries are data: markers of ours
and line breaks that could look like the host's own lines are taken out.
"""

from collections.abc import Sequence

from deepseedian.core.entry import Entry
from deepseedian.core.text import summary

SHORT = 120
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


def _forms(entry: Entry, full: bool) -> list[str]:
    head = f"- [{entry.topic}] "
    tail = f" ({entry.created_at[:10]}, {entry.id})"
    short = head + summary(entry.text, SHORT) + tail
    return [head + summary(entry.text, len(entry.text) + 1) + tail, short] if full else [short]
