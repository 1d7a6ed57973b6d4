"""The index of a turn: which entries a question is offered, and why.

Pure function of snapshot, index and question. Entries that match nothing are not offered to fill the
list; pinned ones are, and when the question is about memory itself the newest are. The receipt names,
per entry, the terms that matched, each part of the score, and why it was left out.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from deepseedian.core import ranking
from deepseedian.core.entry import Entry
from deepseedian.core.ranking import Part, Postings
from deepseedian.core.text import query_terms, summary, tokens

MAX_ENTRIES = 12
QUERY_CHARS = 400
LEFT_OUT_SHOWN = 8
_ABOUT_MEMORY = re.compile(
    r"(?i)\b(?:what|which|everything|anything|list|show)\b.{0,30}\b(?:remember|memor(?:y|ies)|know about me)\b|"
    r"(?:记得|記得|记住了|記住了|记忆|記憶).{0,8}(?:什么|什麼|哪些|多少|吗|嗎|内容|內容)|(?:有|列出|看看|哪些).{0,6}(?:记忆|記憶)")


def document_terms(entry: Entry) -> list[str]:
    """What an entry is indexed by: its text, and its topic once."""
    return tokens(entry.text) + (tokens(entry.topic.replace("/", " ")) if entry.topic != "general" else [])


def shortened(question: str, limit: int = QUERY_CHARS) -> str:
    """A long question is ranked by its head and tail."""
    half = limit // 2
    return question if len(question) <= limit else f"{question[:half]} {question[-half:]}"


@dataclass(frozen=True, slots=True)
class Scored:
    """One entry in the receipt. `reason` is why it is in: match, pinned, about_memory; or why it is out: limit."""

    entry: Entry
    score: float
    reason: str
    parts: tuple[Part, ...] = ()

    def document(self) -> dict[str, object]:
        parts = [{"term": part.term, "score": round(part.score, 4)} for part in self.parts]
        return {"id": self.entry.id, "topic": self.entry.topic, "score": round(self.score, 4), "reason": self.reason,
                "terms": [part.term for part in self.parts], "parts": parts}


@dataclass(frozen=True, slots=True)
class Recall:
    """`offered` in order of rank, `left_out` the best of those that had a match but no room."""

    vault: str
    revision: str
    total: int
    terms: tuple[str, ...]
    offered: tuple[Scored, ...]
    left_out: tuple[Scored, ...] = ()
    matched: int = 0
    reason: str = ""
    notes: tuple[str, ...] = field(default=())

    def index(self) -> dict[str, object]:
        rows = [{"id": item.entry.id, "summary": summary(item.entry.text)} for item in self.offered]
        return {"vault": self.vault, "revision": self.revision, "total": self.total, "index": rows}

    def receipt(self) -> dict[str, object]:
        return {"terms": list(self.terms), "matched": self.matched, "reason": self.reason,
                "offered": [item.document() for item in self.offered],
                "leftOut": [item.document() for item in self.left_out], "notes": list(self.notes)}


@dataclass(frozen=True, slots=True)
class Choice:
    """How many entries are offered, and whether pinned ones come without a match."""

    limit: int = MAX_ENTRIES
    pinned: bool = True


@dataclass(frozen=True, slots=True)
class Memory:
    """What recall reads: one frozen memory and an index over it.

    A warm snapshot and the cold cache of an earlier run both have this shape. `entry` gives None for
    keys the index knows but this memory does not; `overlay` holds entries the index does not know.
    """

    vault: str
    revision: str
    total: int
    postings: Postings
    entry: Callable[[str], Entry | None]
    pinned: Callable[[], Sequence[Entry]]
    newest: Callable[[int], Sequence[Entry]]
    overlay: Sequence[Entry] = ()


def recall(memory: Memory, question: str, choice: Choice, *, why: bool = False) -> Recall:
    """The index for a question; with `why` the parts of each score, and the best of what was left out."""
    terms = query_terms(shortened(question))
    ranked, matched = ranked_entries(memory, terms, choice.limit + LEFT_OUT_SHOWN)
    offered, rest = ranked[: choice.limit], ranked[choice.limit: choice.limit + LEFT_OUT_SHOWN]
    chosen = [Scored(entry, score, "match") for entry, score in offered]
    reason = "" if chosen else "nothing in memory matches"
    if choice.pinned:
        chosen = _with_pinned(memory, chosen, choice.limit)
    if _ABOUT_MEMORY.search(question):
        chosen, reason = _filled(memory, chosen, choice.limit), "the question is about memory itself"
    left_out = [Scored(entry, score, "limit") for entry, score in rest]
    if why:
        chosen = [_explained(memory, item, terms) for item in chosen]
        left_out = [_explained(memory, item, terms) for item in left_out]
    return Recall(memory.vault, memory.revision, memory.total, tuple(terms), tuple(chosen), tuple(left_out),
                  matched, reason)


def ranked_entries(memory: Memory, terms: Sequence[str], most: int) -> tuple[list[tuple[Entry, float]], int]:
    """At most `most` entries by score, newest first among equals; and how many matched at all."""
    found = ranking.scores(memory.postings, terms)
    best = ranking.best(memory.postings, found, len(found) if memory.overlay else most)
    entries = [(memory.entry(memory.postings.key(number)), found[number]) for number in best]
    present = [(entry, score) for entry, score in entries if entry is not None]
    if memory.overlay or len(present) < len(entries):
        present += _overlaid(memory, terms)
        present.sort(key=lambda item: (item[1], item[0].created_at, item[0].id), reverse=True)
        return present[:most], len(present)
    return present, len(found)


def _overlaid(memory: Memory, terms: Sequence[str]) -> list[tuple[Entry, float]]:
    sums = [(entry, sum(part.score for part in ranking.parts(memory.postings, terms, document_terms(entry))))
            for entry in memory.overlay]
    return [(entry, score) for entry, score in sums if score > 0]


def _with_pinned(memory: Memory, chosen: list[Scored], limit: int) -> list[Scored]:
    """Pinned entries take the last places when they did not match by themselves."""
    present = {item.entry.id for item in chosen}
    extra = [Scored(entry, 0.0, "pinned") for entry in memory.pinned() if entry.id not in present][:limit]
    return chosen[: limit - len(extra)] + extra


def _filled(memory: Memory, chosen: list[Scored], limit: int) -> list[Scored]:
    present = {item.entry.id for item in chosen}
    newest = [entry for entry in memory.newest(limit * 2) if entry.id not in present]
    return chosen + [Scored(entry, 0.0, "about_memory") for entry in newest[: limit - len(chosen)]]


def _explained(memory: Memory, item: Scored, terms: Sequence[str]) -> Scored:
    found = ranking.parts(memory.postings, terms, document_terms(item.entry))
    return Scored(item.entry, item.score, item.reason, tuple(found))
