"""A note as the words it is found by, in the terms of `core.text`: the same rules as for memory."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deepseedian.core.script import folded
from deepseedian.core.text import CJK, lone, normalise, query_terms, tokens
from deepseedian.notes import paths

INDEX_LIMIT = 4_000_000  # characters of one note
MOST_TERMS = 64
_PACKED = re.compile(r"[A-Za-z0-9+/=_\-]{200,}")  # a picture within the text says nothing
_LAST = re.compile(rf"(?<=[{CJK}])[{CJK}](?![{CJK}])")
# What a word counts by where it stands; the order is that of the table's columns.
WEIGHTS = (6.0, 1.5, 3.0, 4.0, 1.0)


def terms(text: str) -> str:
    """The terms of a text as the table takes them. The last character of a run stands alone as well: with it, one
    character is found as the beginning of a term wherever it stands."""
    short = _PACKED.sub(" ", text[:INDEX_LIMIT])
    found = tokens(short)
    if not short.isascii():
        found += _LAST.findall(folded(normalise(short)))
    return " ".join(found).replace("'", "_")


def joined(texts: Iterable[str]) -> str:
    return terms("\n".join(texts))


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for: its terms, and the whole of it as it may stand in a name."""

    plain: str
    terms: Sequence[str]

    @property
    def any(self) -> str:
        return " OR ".join(map(_quoted, self.terms))

    @property
    def all(self) -> str:
        return " AND ".join(map(_quoted, self.terms))


def question(query: str) -> Question:
    """A question of stop words alone is taken at its word."""
    found = query_terms(query) or list(dict.fromkeys(tokens(query)))
    return Question(" ".join(paths.plain(query).split()), found[:MOST_TERMS])


def _quoted(term: str) -> str:
    """A term for FTS5: nothing in it is an operator."""
    safe = term.replace("'", "_").replace('"', "")
    return f'"{safe}"*' if lone(term) else f'"{safe}"'


BEFORE, AFTER = 100, 300
_MOST_PLACES = 2000
_SPACE = re.compile(r"\s+")
_HEADER = re.compile(r"---[ \t]*\n(?:.*\n){0,500}?---[ \t]*(?:\n|$)")


def _places(line: str, asked: Question, begin: int) -> list[tuple[int, str]]:
    """Where the terms stand, with which one."""
    found: list[tuple[int, str]] = []
    pattern = "|".join(sorted({_pattern(term) for term in asked.terms}, key=lambda one: (-len(one), one)))
    for match in re.compile(pattern).finditer(line, begin) if pattern else ():
        found.append((match.start(), match[0]))
        if len(found) >= _MOST_PLACES:
            break
    return found


def _lower(text: str) -> str:
    """In one script and case, as long as before."""
    line = folded(text)
    low = line.lower()
    return low if len(low) == len(line) else line


def _pattern(term: str) -> str:
    """A stem stands at the beginning of a word; its last `i` may be a `y`."""
    if not term.isascii():
        return re.escape(term)
    stem = term[:-1] if len(term) > 3 and term.endswith("i") else term
    return rf"(?<![a-z0-9]){re.escape(stem)}"


def snippet(text: str, asked: Question) -> tuple[str, int]:
    """The text around the place where most of the terms stand together, and its line; the beginning when none is there.

    Front matter is shown only when nothing is found after it.
    """
    header = _HEADER.match(text)
    body = header.end() if header and header.end() < len(text) else 0
    line = _lower(text)
    at = next((place for begin in (body, 0) if (place := _best(line, asked, begin)) >= 0), body)
    first = body if at >= body else 0
    begin, end = max(first, at - BEFORE), min(len(text), at + AFTER)
    cut = _SPACE.sub(" ", text[begin:end]).strip()
    return ("…" if begin > first else "") + cut + ("…" if end < len(text) else ""), text.count("\n", 0, at) + 1


def _best(line: str, asked: Question, begin: int) -> int:
    """Where the question stands as a whole, else the first place from which a snippet shows most different terms; -1 for none."""
    whole = line.find(asked.plain, begin) if len(asked.plain) > 1 else -1
    found = _places(line, asked, begin) if whole < 0 else []
    best, most, end = whole, 0, 0
    counts: dict[str, int] = {}
    for _, (place, term) in enumerate(found):
        while end < len(found) and found[end][0] < place + AFTER:
            counts[found[end][1]] = counts.get(found[end][1], 0) + 1
            end += 1
        if len(counts) > most:
            best, most = place, len(counts)
        counts[term] -= 1
        if not counts[term]:
            del counts[term]
    return best
