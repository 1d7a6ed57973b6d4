"""Recall on retrieval sets: the share of the gold documents among the first 5 and 12, and what a question costs.

Every store becomes a temporary vault; the documents are ordinary entries in the order of the set. A document that is
longer than an entry may be is cut into several entries, and counts as found at its best piece.
"""

import re
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deepseedian.core.entry import TEXT_LIMIT
from deepseedian.core.text import parts
from deepseedian.evaluation.sets import Bundle, Doc, Question, bundles
from deepseedian.evaluation.shelf import Item, Shelf, later, shelf

DEPTHS = (5, 12)
QUESTION_LIMIT = 40_000
DAY = 86_400.0
_RESERVED = re.compile(r"<!--(?=\s*/?\s*(?:deepseedian|deepsidian)-)", re.I)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(slots=True)
class Tally:
    """What was asked and found. `kinds` holds per kind one pair of scores a question."""

    stores: int = 0
    docs: int = 0
    questions: int = 0
    without_gold: int = 0
    empty: int = 0
    cut: int = 0
    kinds: dict[str, list[tuple[float, ...]]] = field(default_factory=dict)
    milliseconds: list[float] = field(default_factory=list)

    def scores(self) -> list[tuple[float, ...]]:
        return [score for scores in self.kinds.values() for score in scores]

    def document(self, file: str) -> dict[str, object]:
        """One row of `eval`'s answer."""
        five, twelve = means(self.scores())
        return {"file": file, "stores": self.stores, "docs": self.docs, "questions": self.questions,
                "recall@5": five, "recall@12": twelve,
                "p50_ms": percentile(self.milliseconds, 50), "p95_ms": percentile(self.milliseconds, 95)}


def means(scores: list[tuple[float, ...]]) -> list[float | None]:
    """The mean at each depth; None where nothing was scored."""
    return [round(sum(score[place] for score in scores) / len(scores), 4) if scores else None for place in range(len(DEPTHS))]


def percentile(values: Iterable[float], percent: int) -> float | None:
    """The smallest value that at least so many percent do not exceed."""
    found = sorted(values)
    return round(found[max(0, -(-len(found) * percent // 100) - 1)], 3) if found else None


def measured(path: Path, *, kind: str = "", limit: int = 0, overrides: Mapping[str, object] | None = None) -> Tally:
    """Run a file. `kind` asks only such questions, `limit` takes only so many stores. Raises BadInput."""
    tally = Tally()
    for number, bundle in enumerate(bundles(path)):
        if limit and number >= limit:
            break
        with shelf(overrides) as opened:
            run(bundle, opened, tally, kind)
    return tally


def run(bundle: Bundle, opened: Shelf, tally: Tally, kind: str = "") -> None:
    """Ask the questions of one store, each when exactly the documents are there that it may know."""
    pages = Pages(bundle.docs, opened)
    tally.stores += 1
    tally.docs += len(bundle.docs)
    every = len(bundle.docs)
    wanted = [question for question in bundle.questions if not kind or question.kind == kind]
    for question in sorted(wanted, key=lambda item: every if item.allow is None else min(item.allow, every)):
        pages.show(every if question.allow is None else question.allow)
        began = time.perf_counter()
        ranked = opened.ranked(question.text[:QUESTION_LIMIT], DEPTHS[-1] * pages.pieces)
        tally.milliseconds.append((time.perf_counter() - began) * 1000)
        _score(question, pages.docs_of(ranked), tally)
    tally.cut, tally.empty = tally.cut + pages.cut, tally.empty + pages.empty


def _score(question: Question, found: list[str], tally: Tally) -> None:
    tally.questions += 1
    if not question.gold:
        tally.without_gold += 1
        return
    score = tuple(len(question.gold & set(found[:depth])) / len(question.gold) for depth in DEPTHS)
    tally.kinds.setdefault(question.kind, []).append(score)


class Pages:
    """The documents of a store on a shelf, and which entry belongs to which."""

    def __init__(self, docs: tuple[Doc, ...], opened: Shelf) -> None:
        self.docs, self.opened = docs, opened
        self.shown = self.cut = self.empty = 0
        self.pieces = 1
        self._doc: dict[str, str] = {}
        self._start = time.time() - DAY - len(docs)

    def show(self, number: int) -> None:
        """The first so many documents exist from now on."""
        fresh = self.docs[self.shown: number]
        if not fresh:
            return
        self.opened.add(list(self._items(fresh)))
        self.shown += len(fresh)
        self.opened.prepare()

    def _items(self, docs: tuple[Doc, ...]) -> Iterator[Item]:
        for place, doc in enumerate(docs, self.shown):
            texts = pieces(clean(doc.text))
            self.empty, self.cut = self.empty + (not texts), self.cut + (len(texts) > 1)
            self.pieces = max(self.pieces, len(texts))
            for text in texts:
                item = Item(str(uuid.uuid4()), text, later(self._start, place))
                self._doc[item.id] = doc.id
                yield item

    def docs_of(self, entries: list[str]) -> list[str]:
        """Documents in the order of their best entries."""
        return list(dict.fromkeys(self._doc[entry] for entry in entries))


def clean(text: str) -> str:
    """A text as an entry can hold it: no control characters, and no comment that would be read as a marker of memory itself."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _RESERVED.sub("<! --", _CONTROL.sub(" ", text)).strip()


def pieces(text: str, limit: int = TEXT_LIMIT) -> list[str]:
    """The text in parts that fit into entries; none for an empty one."""
    return parts(text, limit)
