"""BM25 over an inverted index that grows and shrinks entry by entry.

score(q, d) = Σ idf(t) · tf·(k1+1) / (tf + k1·(1 − b + b·|d|/avg)), idf(t) = ln(1 + (N − df + ½)/(df + ½)):
the Lucene form, never negative (Robertson and Zaragoza 2009, k1 = 1.5, b = 0.75).
A posting packs document number and term count into one integer: `number << 4 | min(count, 15)`;
beyond 15 repetitions BM25 has long saturated.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import log
from typing import Protocol

K1 = 1.5
B = 0.75
_COMPACT_ABOVE = 512


class Postings(Protocol):
    """What ranking needs of an index, be it in memory or in a file."""

    @property
    def total(self) -> int: ...
    @property
    def average(self) -> float: ...
    def frequency(self, term: str) -> int: ...
    def postings(self, term: str) -> Sequence[int]: ...
    def lengths(self) -> Sequence[int]: ...
    def key(self, number: int) -> str: ...
    def age(self, number: int) -> str | int: ...


@dataclass(frozen=True, slots=True)
class Part:
    """What one term of the question added to an entry's score."""

    term: str
    score: float


class Index:
    """The index in memory. Not locked: its owner serialises changes and searches."""

    def __init__(self) -> None:
        self._keys: list[str] = []
        self._ages: list[str] = []
        self._lengths = array("I")
        self._postings: dict[str, array[int]] = {}
        self._live: Counter[str] = Counter()
        self._numbers: dict[str, int] = {}
        self._length_sum = 0

    @property
    def total(self) -> int:
        return len(self._numbers)

    @property
    def average(self) -> float:
        return self._length_sum / self.total if self.total else 1.0

    def frequency(self, term: str) -> int:
        return self._live[term]

    def postings(self, term: str) -> Sequence[int]:
        return self._postings.get(term, ())

    def lengths(self) -> Sequence[int]:
        """Terms per document number; 0 marks a removed document."""
        return self._lengths

    def key(self, number: int) -> str:
        return self._keys[number]

    def age(self, number: int) -> str:
        """What breaks ties: the later one wins."""
        return self._ages[number]

    def add(self, key: str, terms: Sequence[str], age: str = "") -> None:
        """Index a document; its key must not be present."""
        number = len(self._keys)
        self._keys.append(key)
        self._ages.append(age)
        self._numbers[key] = number
        length = max(1, len(terms))
        self._lengths.append(length)
        self._length_sum += length
        for term, count in Counter(terms).items():
            held = self._postings.get(term)
            if held is None:
                held = self._postings[term] = array("I")
            held.append(number << 4 | min(count, 15))
            self._live[term] += 1

    def remove(self, key: str, terms: Iterable[str]) -> None:
        """Forget a document; `terms` are those it was added with. Unknown keys are ignored."""
        number = self._numbers.pop(key, None)
        if number is None:
            return
        self._length_sum -= self._lengths[number]
        self._lengths[number] = 0
        for term in set(terms):
            self._live[term] -= 1
        if len(self._keys) > _COMPACT_ABOVE + 2 * self.total:
            self._compact()

    def _compact(self) -> None:
        renumbered = {old: new for new, old in enumerate(self._numbers.values())}
        self._ages = [self._ages[old] for old in renumbered]
        self._keys = list(self._numbers)
        self._lengths = array("I", (self._lengths[old] for old in renumbered))
        self._numbers = {key: number for number, key in enumerate(self._keys)}
        for term in list(self._postings):
            kept = array("I", (renumbered[packed >> 4] << 4 | packed & 15
                               for packed in self._postings[term] if packed >> 4 in renumbered))
            if kept:
                self._postings[term] = kept
            else:
                del self._postings[term], self._live[term]

    def terms(self) -> "Iterable[tuple[str, int, array[int]]]":
        """(term, live documents, postings) of every term, for saving."""
        return ((term, self._live[term], held) for term, held in self._postings.items())

    def keys(self) -> Sequence[str]:
        return self._keys


def idf(index: Postings, term: str) -> float:
    frequency = index.frequency(term)
    return log(1 + (index.total - frequency + 0.5) / (frequency + 0.5))


def scores(index: Postings, terms: Sequence[str]) -> dict[int, float]:
    """The BM25 score of every document that holds one of the terms, by document number."""
    lengths = index.lengths()
    base, slope = K1 * (1 - B), K1 * B / index.average
    found: dict[int, float] = {}
    for term in terms:
        weight = idf(index, term) * (K1 + 1)
        for packed in index.postings(term):
            number, count = packed >> 4, packed & 15
            length = lengths[number]
            if length:
                found[number] = found.get(number, 0.0) + weight * count / (count + base + slope * length)
    return found


def best(index: Postings, found: Mapping[int, float], most: int) -> list[int]:
    """The numbers of the best documents, best first, the younger one first among equals."""
    def rank(number: int) -> tuple[float, str | int, str]:
        return found[number], index.age(number), index.key(number)

    if len(found) > most:
        least = nlargest(most, found.values())[-1]
        return nlargest(most, (number for number, score in found.items() if score >= least), key=rank)
    return sorted(found, key=rank, reverse=True)


def parts(index: Postings, terms: Sequence[str], document: Sequence[str]) -> list[Part]:
    """How each term contributes to one document's score; sums to what `scores` gives it."""
    counts: Mapping[str, int] = Counter(document)
    norm = K1 * (1 - B + B * max(1, len(document)) / index.average)
    return [Part(term, idf(index, term) * (K1 + 1) * min(counts[term], 15) / (min(counts[term], 15) + norm))
            for term in terms if counts.get(term)]
