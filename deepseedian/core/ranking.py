"""BM25 over an inverted index that grows and shrinks entry by entry.

score(q, d) = Σ idf(t) · tf·(k1+1) / (tf + k1·(1 − b + b·|d|/avg)), idf(t) = ln(1 + (N − df + ½)/(df + ½)):
the Lucene form, never negative (Robertson and Zaragoza 2009, k1 = 1.5, b = 0.75).
A posting packs document number and term count into one integer: `number << 4 | min(count, 15)`;
beyond 15 repetitions BM25 has long saturated.
"""

import sys
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import log
from typing import Any, NamedTuple, Protocol

K1 = 1.5
B = 0.75
FEW, ASSUMED = 100, 0.2  # of the entries that a memory has less than FEW, so many are assumed
_COMPACT_ABOVE = 512
DENSE_ABOVE = 300
MANY_EQUALS = 48
HEAP_FROM = 16
MOST_TERMS = 20_000
MOST_UNPACKED = 250_000  # postings, of 16 bytes each once they are unpacked


class Derived:
    """What is worked out of an index for one question and holds for the next, until the index changes.

    Questions share words: at 1,411 entries the sums of a recall fell from 0.22 to 0.09 ms.
    """

    __slots__ = ("idfs", "leading", "norms", "size", "unpacked")

    def __init__(self) -> None:
        self.idfs: dict[str, float] = {}
        self.leading: dict[int, list[tuple[str, float]]] = {}
        self.norms: Any = None
        self.unpacked: dict[str, tuple[Any, Any]] = {}
        self.size = 0


class Postings(Protocol):
    """What ranking needs of an index, be it in memory or in a file."""

    derived: Derived

    @property
    def total(self) -> int: ...
    @property
    def average(self) -> float: ...
    def frequency(self, term: str) -> int: ...
    def postings(self, term: str) -> Sequence[int]: ...
    def lengths(self) -> Sequence[int]: ...
    def key(self, number: int) -> str: ...
    def ages(self) -> Sequence[int]: ...


class Part(NamedTuple):
    """What one term of the question, or something besides them, added to an entry's score."""

    term: str
    score: float
    kind: str = "term"


class Index:
    """The index in memory. Not locked: its owner serialises changes and searches."""

    def __init__(self) -> None:
        self._keys: list[str] = []
        self._ages = array("Q")
        self._lengths = array("I")
        self._postings: dict[str, array[int]] = {}
        self._live: Counter[str] = Counter()
        self._numbers: dict[str, int] = {}
        self._length_sum = 0
        self.derived = Derived()

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

    def number(self, key: str) -> int | None:
        return self._numbers.get(key)

    def ages(self) -> Sequence[int]:
        """What breaks ties, by document number: the greater one wins."""
        return self._ages

    def add(self, key: str, terms: Sequence[str], age: int = 0, besides: Iterable[str] = ()) -> None:
        """Index a document; its key must not be present. `age` is when it was written, in any unit.

        `besides` are terms it is also found by, which do not count for its length.
        """
        number = len(self._keys)
        self.derived = Derived()
        self._keys.append(key)
        self._ages.append(age)
        self._numbers[key] = number
        length = max(1, len(terms))
        self._lengths.append(length)
        self._length_sum += length
        counts: dict[str, int] = Counter(terms)
        for term in besides:
            counts.setdefault(term, 1)
        postings, live, packed = self._postings, self._live, number << 4
        for term, count in counts.items():
            held = postings.get(term)
            if held is None:
                held = postings[term] = array("I")
            held.append(packed | (count if count < 15 else 15))
            live[term] += 1

    def remove(self, key: str, terms: Iterable[str]) -> None:
        """Forget a document; `terms` are those it was added with. Unknown keys are ignored."""
        number = self._numbers.pop(key, None)
        if number is None:
            return
        self.derived = Derived()
        self._length_sum -= self._lengths[number]
        self._lengths[number] = 0
        for term in set(terms):
            self._live[term] -= 1
        if len(self._keys) > _COMPACT_ABOVE + 2 * self.total:
            self._compact()

    def _compact(self) -> None:
        renumbered = {old: new for new, old in enumerate(self._numbers.values())}
        self._ages = array("Q", (self._ages[old] for old in renumbered))
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


def counts(postings: Sequence[Sequence[int]], number: int) -> list[int]:
    """How often a document stands in each of these postings: they are in the order of their numbers."""
    found, least = [], number << 4
    for held in postings:
        at = bisect_left(held, least)
        packed = held[at] if at < len(held) else 0
        found.append(packed & 15 if packed >> 4 == number else 0)
    return found


def idf(index: Postings, term: str) -> float:
    known = index.derived.idfs
    found = known.get(term)
    if found is None:
        if len(known) >= MOST_TERMS:
            known.clear()
        frequency = index.frequency(term)
        found = known[term] = log(1 + (index.total - frequency + 0.5) / (frequency + 0.5))
    return found


def rarity(index: Postings, term: str) -> float:
    """How much a term tells: its inverse document frequency, in a small memory as if there were some entries more without it.

    A few entries say little of how common a word is. In a memory of one, a word that it shares with a question counted a fifth
    of one that it lacks, so a question that said one word more than the entry was offered nothing.
    """
    if index.total >= FEW:
        return idf(index, term)
    frequency, total = index.frequency(term), index.total + (FEW - index.total) * ASSUMED
    return log(1 + (total - frequency + 0.5) / (frequency + 0.5))


class Matches(Protocol):
    """The score of every document that holds one of the terms."""

    @property
    def matched(self) -> int: ...
    def score(self, number: int) -> float: ...
    def scores(self, numbers: Sequence[int]) -> Sequence[float]: ...
    def best(self, most: int) -> list[int]: ...


def matches(index: Postings, weights: Mapping[str, float]) -> Matches:
    """BM25 with a weight for each term of the question.

    Where NumPy is loaded and the postings are long it does the sums; both ways add the same numbers in the same order.
    """
    numpy = sys.modules.get("numpy")
    if numpy is not None and sum(index.frequency(term) for term in weights) > DENSE_ABOVE:
        return _Dense(index, _sums(index, weights, numpy), numpy)
    return _Sparse(index, scores(index, weights))


def scores(index: Postings, weights: Mapping[str, float]) -> dict[int, float]:
    """The BM25 score of every document that holds one of the terms, by document number."""
    lengths = index.lengths()
    base, slope = K1 * (1 - B), K1 * B / index.average
    found: dict[int, float] = {}
    for term, share in weights.items():
        impact = idf(index, term) * (K1 + 1)
        for packed in index.postings(term):
            number, count = packed >> 4, packed & 15
            length = lengths[number]
            if length:
                found[number] = found.get(number, 0.0) + share * (impact * (count / (count + (base + slope * length))))
    return found


def _sums(index: Postings, weights: Mapping[str, float], numpy: Any) -> Any:
    """The same as an array over all document numbers."""
    numbers, scores = [], []
    for term, share in weights.items():
        if index.postings(term):
            documents, whole = _unpacked(index, term, numpy)
            numbers.append(documents)
            scores.append(whole if share == 1.0 else share * whole)
    if not numbers:
        return numpy.zeros(len(index.lengths()))
    return numpy.bincount(numpy.concatenate(numbers), numpy.concatenate(scores), len(index.lengths()))  # in this order, term by term


def _unpacked(index: Postings, term: str, numpy: Any) -> tuple[Any, Any]:
    """Of a term's postings the document numbers, and what the term adds to each."""
    derived = index.derived
    found = derived.unpacked.get(term)
    if found is None:
        if derived.norms is None:
            lengths = numpy.frombuffer(index.lengths(), dtype=numpy.uint32)
            derived.norms = K1 * (1 - B) + K1 * B / index.average * lengths
            derived.norms[lengths == 0] = numpy.inf  # a removed document adds nothing
        packed = numpy.frombuffer(index.postings(term), dtype=numpy.uint32)
        numbers, counts = (packed >> 4).astype(numpy.intp), (packed & 15).astype(numpy.float64)
        found = numbers, idf(index, term) * (K1 + 1) * (counts / (counts + derived.norms[numbers]))
        derived.size += len(packed)
        if derived.size > MOST_UNPACKED:
            derived.unpacked, derived.size = {}, len(packed)
        derived.unpacked[term] = found
    return found


@dataclass(frozen=True, slots=True)
class _Sparse:
    index: Postings
    found: Mapping[int, float]

    @property
    def matched(self) -> int:
        return len(self.found)

    def score(self, number: int) -> float:
        return self.found.get(number, 0.0)

    def scores(self, numbers: Sequence[int]) -> Sequence[float]:
        return [self.found.get(number, 0.0) for number in numbers]

    def best(self, most: int) -> list[int]:
        return best(self.index, self.found, most)


@dataclass(frozen=True, slots=True)
class _Dense:
    index: Postings
    found: Any
    numpy: Any

    @property
    def matched(self) -> int:
        return int(self.numpy.count_nonzero(self.found))

    def score(self, number: int) -> float:
        return float(self.found.item(number))

    def scores(self, numbers: Sequence[int]) -> Sequence[float]:
        return self.found[numbers].tolist() if numbers else []

    def best(self, most: int) -> list[int]:
        numbers = self.found.nonzero()[0]
        values = self.found[numbers]
        if len(numbers) > most:
            parted = values.copy()
            parted.partition(len(values) - most)
            least = parted[len(values) - most]
            near = values >= least
            numbers, values = numbers[near], values[near]
            if len(numbers) > MANY_EQUALS + most:
                numbers = self._without_older(numbers, values, least, most)
                values = self.found[numbers]
        return self._sorted(numbers, values, most)

    def _sorted(self, numbers: Any, values: Any, most: int) -> list[int]:
        """By score and age; where both are equal the ids have to be read."""
        ages = self.numpy.frombuffer(self.index.ages(), dtype=self.numpy.uint64)[numbers]
        order = self.numpy.lexsort((ages, values))[::-1]
        same = values[order]
        same, young = same[1:] == same[:-1], ages[order]
        if (same & (young[1:] == young[:-1])).any():
            return _ordered(self.index, numbers.tolist(), values.tolist(), most)
        return numbers[order[:most]].tolist()  # type: ignore[no-any-return]

    def _without_older(self, numbers: Any, values: Any, least: float, most: int) -> Any:
        """More documents have the last score than there is room for: the youngest of them stay."""
        surely, tied = numbers[values > least], numbers[values == least]
        return self.numpy.concatenate([surely, _youngest(self.index, tied, most - len(surely), self.numpy)])


def _youngest(index: Postings, numbers: Any, most: int, numpy: Any) -> Any:
    """Of documents with one score those that `best` would take, without ranking a whole store of equals one by one."""
    ages = numpy.frombuffer(index.ages(), dtype=numpy.uint64)[numbers]
    least = numpy.partition(ages, len(ages) - most)[len(ages) - most]
    surely, tied = numbers[ages > least], [int(number) for number in numbers[ages == least]]
    rest = nlargest(most - len(surely), tied, key=index.key)
    return numpy.concatenate([surely, numpy.array(rest, dtype=numbers.dtype)])


def best(index: Postings, found: Mapping[int, float], most: int) -> list[int]:
    """The numbers of the best documents, best first, the younger one first among equals."""
    numbers = list(found)
    if len(found) > most:
        least = sorted(found.values(), reverse=True)[most - 1]
        numbers = [number for number, score in found.items() if score >= least]
        if len(numbers) > HEAP_FROM * most:
            numbers = _without_older(index, found, numbers, least, most)
    return _ordered(index, numbers, [found[number] for number in numbers], most)


def _without_older(index: Postings, found: Mapping[int, float], numbers: Sequence[int], least: float, most: int) -> list[int]:
    """Of thousands with the last score only as many of the youngest as there is room for, and those as old as the last of them."""
    ages = index.ages()
    surely = [number for number in numbers if found[number] > least]
    tied = [number for number in numbers if found[number] == least]
    oldest = sorted([ages[number] for number in tied], reverse=True)[most - len(surely) - 1]
    return surely + [number for number in tied if ages[number] >= oldest]


def _ordered(index: Postings, numbers: Sequence[int], scores: Sequence[float], most: int) -> list[int]:
    """Compared as tuples, which a key function is three times slower than; ids are read only where score and age are equal.

    A heap of the best takes twice as long for some hundred, and half as long for thousands.
    """
    ages = index.ages()
    rows: list[tuple[Any, ...]] = list(zip(scores, [ages[number] for number in numbers], numbers, strict=True))
    if len({row[:2] for row in rows}) < len(rows):
        rows = [(score, age, index.key(number), number) for score, age, number in rows]
    ranked = sorted(rows, reverse=True)[:most] if len(rows) < HEAP_FROM * most else nlargest(most, rows)
    return [row[-1] for row in ranked]


def impacts(index: Postings, weights: Mapping[str, float]) -> dict[str, float]:
    """What a term adds at most, for as many entries as are explained."""
    return {term: share * idf(index, term) * (K1 + 1) for term, share in weights.items()}


def lacking(index: Postings, weights: Mapping[str, float]) -> dict[str, float]:
    """What a term of a small memory would add besides if it told as much as `rarity` says."""
    if index.total >= FEW:
        return {}
    return {term: share * (rarity(index, term) - idf(index, term)) * (K1 + 1) for term, share in weights.items()}


def norm(index: Postings, length: int) -> float:
    """What a document's length adds below the line."""
    return K1 * (1 - B + B * length / index.average)


def parts(index: Postings, weights: Mapping[str, float], document: Sequence[str], besides: Iterable[str] = ()) -> list[Part]:
    """The same for a document that is not indexed."""
    counts = Counter(document) | Counter(set(besides))
    below = norm(index, max(1, len(document)))
    return [Part(term, share * idf(index, term) * (K1 + 1) * min(counts[term], 15) / (min(counts[term], 15) + below))
            for term, share in weights.items() if counts.get(term)]
