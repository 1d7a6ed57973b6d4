"""From a question to candidate entries: what they hold of it, and what speaks for them besides.

score = own + related + context + similar, all on the scale of BM25:

* own: BM25 of the question's terms.
* related: the rarest terms of the best few entries, asked again at a fifth of their weight. An entry that names what
  the best ones name is found although it shares no word with the question (pseudo-relevance feedback).
* context: the entries right before and after in a topic are often about the same thing. What a neighbour scores above
  a part of the best score is lent, the less the longer the question; only to entries that match by themselves, and
  never so much that they stand above the neighbour.
* similar: with vectors, how near an entry lies, counted from one deviation below the mean of all entries to the
  nearest one. A long question shares words with everything, so its vector counts more.

The constants were chosen on one half of public retrieval sets; `scripts/bench recall` reports both halves.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import add
from typing import NamedTuple

from deepseedian.core import ranking
from deepseedian.core.entry import Entry, moment
from deepseedian.core.ranking import Index, Part, Postings
from deepseedian.core.similar import Similar
from deepseedian.core.text import KEPT_TEXTS, STOPPED, characters, lone, terms_of, tokens

POOL = 48
FEEDBACK_ENTRIES, FEEDBACK_TERMS, FEEDBACK_WEIGHT, FEEDBACK_CHARS = 3, 8, 0.2, 400
FEEDBACK_RARE = 2  # a term of more than half of all entries names nothing
LENT, LENT_ABOVE, LENT_OF, SHORT_QUESTION = 0.5, 0.4, 0.8, 8
SIMILAR_WEIGHT, LONG_QUESTION = 0.42, 30
LONE = 0.5
MOST_LEADING = 1024


def document_terms(entry: Entry) -> list[str]:
    """What an entry is indexed by: its text, and its topic once."""
    return tokens(entry.text) + _topic_terms(entry)


def _topic_terms(entry: Entry) -> list[str]:
    return tokens(entry.topic.replace("/", " ")) if entry.topic != "general" else []


def indexed(index: Index, entry: Entry) -> None:
    """Put an entry into an index."""
    terms, alone = terms_of(entry.text)
    index.add(entry.id, terms + _topic_terms(entry), moment(entry.created_at), alone)


def unindexed(index: Index, entry: Entry) -> None:
    """Take it out again."""
    index.remove(entry.id, [*document_terms(entry), *characters(entry.text)])


@dataclass(frozen=True, slots=True)
class Memory:
    """What recall reads: one frozen memory and an index over it.

    A warm snapshot and the cold cache of an earlier run both have this shape. `entry` gives None for
    keys the index knows but this memory does not; `overlay` holds entries the index does not know.
    `neighbours` are the keys of the entries right before and after, `successor` the id of the active entry that
    replaces an active one, else empty.
    """

    vault: str
    revision: str
    total: int
    postings: Postings
    entry: Callable[[str], Entry | None]
    pinned: Callable[[], Sequence[Entry]]
    newest: Callable[[int], Sequence[Entry]]
    overlay: Sequence[Entry] = ()
    neighbours: Callable[[Entry], Sequence[int]] = lambda entry: ()
    successor: Callable[[str], str] = lambda entry_id: ""
    numbers: Callable[[str], int | None] = lambda entry_id: None


class Candidate(NamedTuple):
    """An entry with the parts of its score. `cosine` is None without vectors, `number` for an entry outside the index."""

    entry: Entry
    number: int | None = None
    own: float = 0.0
    related: float = 0.0
    context: float = 0.0
    similar: float = 0.0
    cosine: float | None = None

    @property
    def score(self) -> float:
        return self.own + self.related + self.context + self.similar


def candidates(memory: Memory, terms: Sequence[str], similar: Similar | None = None, most: int = POOL,
               wanted: int = 0) -> tuple[list[Candidate], int]:
    """The best entries by score, newest first among equals, and how many hold a term of the question at all.

    Of `most` entries that are looked at, the first `wanted` are enough; 0 stands for all.
    """
    most = max(most, POOL)
    own = ranking.matches(memory.postings, weighed(terms))
    first = own.best(most)
    weights = _feedback(memory, first[:FEEDBACK_ENTRIES], own, terms)
    related = ranking.matches(memory.postings, weights)
    numbers = list(dict.fromkeys((*first, *related.best(POOL // 2))))
    base = dict(zip(numbers, map(add, own.scores(numbers), related.scores(numbers)), strict=True))
    nearest = _similarities(memory, similar, max(base.values(), default=0.0) or 1.0, len(terms))
    for number, near in nearest.items():
        base[number] = base.get(number, own.score(number) + related.score(number)) + near
    lent = _lent(memory, base, own, len(terms))
    for number, more in lent.items():
        base[number] = base.get(number, own.score(number) + related.score(number)) + more
    least = wanted if wanted and not memory.overlay else most
    found = _Found(memory, own, related, lent, nearest, similar.best if similar else {})
    ranked = found.candidates(_best(base, least))
    if len(ranked) < least < len(base):  # the index knows some that this memory does not
        ranked = found.candidates(_best(base, most))
    if memory.overlay:
        ranked += [item for item in (_overlaid(memory, entry, terms, weights) for entry in memory.overlay) if item.score]
    ranked.sort(key=lambda item: (item.score, item.entry.created_at, item.entry.id), reverse=True)
    return ranked[:wanted or most], sum(item.own > 0 for item in ranked) if memory.overlay else own.matched


def _best(scores: Mapping[int, float], most: int) -> Sequence[int]:
    """The numbers of the best scores, and of those that are equal to the last of them."""
    if len(scores) <= most:
        return list(scores)
    least = sorted(scores.values(), reverse=True)[most - 1]
    return [number for number, score in scores.items() if score >= least]


class _Found(NamedTuple):
    """What speaks for each document, by its number; cosines by the entry's id."""

    memory: Memory
    own: ranking.Matches
    related: ranking.Matches
    lent: Mapping[int, float]
    nearest: Mapping[int, float]
    cosines: Mapping[str, float]

    def candidates(self, numbers: Sequence[int]) -> list[Candidate]:
        """Those that this memory knows."""
        entry, key, lent, nearest, cosine = self.memory.entry, self.memory.postings.key, self.lent.get, self.nearest.get, self.cosines.get
        rows = zip(numbers, map(entry, map(key, numbers)), self.own.scores(numbers), self.related.scores(numbers), strict=True)
        return [Candidate(found, number, own, related, lent(number, 0.0), nearest(number, 0.0), cosine(found.id))
                for number, found, own, related in rows if found is not None]


def weighed(terms: Sequence[str]) -> dict[str, float]:
    """Each term with its weight: a single character says less than a pair, and the less the longer the question."""
    alone = LONE * min(1.0, SHORT_QUESTION / max(1, len(terms))) if len(terms) <= LONG_QUESTION * 2 else 0.0
    return {term: share for term in terms if (share := alone if lone(term) else 1.0)}


def _feedback(memory: Memory, best: Iterable[int], own: ranking.Matches, terms: Sequence[str]) -> dict[str, float]:
    """The rarest other terms of the best entries, each with its share of the feedback weight."""
    index, asked = memory.postings, set(terms)
    weights: dict[str, float] = {}
    top = 0.0
    for number in best:
        entry, score = memory.entry(index.key(number)), own.score(number)
        top = top or score
        for term, rare in _naming(index, number, entry.text) if entry else ():
            if term not in asked:
                weights[term] = weights.get(term, 0.0) + rare * score / top
    chosen = sorted([(weight, term) for term, weight in weights.items()], reverse=True)[:FEEDBACK_TERMS]
    return {term: FEEDBACK_WEIGHT * weight / chosen[0][0] for weight, term in chosen}


def _naming(index: Postings, number: int, text: str) -> list[tuple[str, float]]:
    """The terms of an entry's beginning that some others have, but not most, with their inverse document frequency."""
    known = index.derived.leading
    found = known.get(number)
    if found is None:
        if len(known) >= MOST_LEADING:
            known.clear()
        most, frequency = max(2, index.total // FEEDBACK_RARE), index.frequency
        found = known[number] = [(term, ranking.idf(index, term)) for term in leading(text) if 1 < frequency(term) <= most]
    return found


@lru_cache(maxsize=KEPT_TEXTS)
def leading(text: str) -> tuple[str, ...]:
    """The distinct terms at the beginning of a text that say something."""
    return tuple(term for term in dict.fromkeys(tokens(text[:FEEDBACK_CHARS])) if term not in STOPPED)


def forget() -> None:
    """Drop what is kept of texts."""
    leading.cache_clear()  # that which hangs on an index goes with its next change


def _lent(memory: Memory, base: Mapping[int, float], own: ranking.Matches, length: int) -> dict[int, float]:
    """What the neighbours of the best entries are lent, by document number."""
    least = LENT_ABOVE * max(base.values(), default=0.0)
    share = LENT * min(1.0, (SHORT_QUESTION / max(1, length)) ** 1.5)
    best = sorted([(score, number) for number, score in base.items() if score > least], reverse=True)[:POOL]
    pairs = [(score, beside) for score, number in best if (entry := memory.entry(memory.postings.key(number)))
             for beside in memory.neighbours(entry)]
    lent: dict[int, float] = {}
    for (score, beside), theirs in zip(pairs, own.scores([beside for _, beside in pairs]), strict=True):
        if theirs > 0:
            room, so_far = LENT_OF * max(0.0, score - base.get(beside, theirs)), lent.get(beside, 0.0)
            lent[beside] = min(max(room, so_far), so_far + share * (score - least))
    return lent


def _similarities(memory: Memory, similar: Similar | None, top: float, length: int) -> dict[int, float]:
    """What nearness in meaning adds to an entry's score, by document number; `top` is the best score by words."""
    if similar is None or not similar.best:
        return {}
    low, high = similar.mean - 1.25 * similar.deviation, max(similar.best.values())
    share = SIMILAR_WEIGHT * max(1.0, length / LONG_QUESTION) * top / max(high - low, 1e-9)
    numbers = ((memory.numbers(key), cosine) for key, cosine in similar.best.items())
    return {number: share * max(0.0, cosine - low) for number, cosine in numbers if number is not None}


def _overlaid(memory: Memory, entry: Entry, terms: Sequence[str], weights: Mapping[str, float]) -> Candidate:
    """An entry the index does not hold, scored by itself with the index's frequencies."""
    document = document_terms(entry)
    alone = characters(entry.text)
    own = sum(part.score for part in ranking.parts(memory.postings, weighed(terms), document, alone))
    related = sum(part.score for part in ranking.parts(memory.postings, weights, document, alone))
    return Candidate(entry, None, own, related)


class Scale:
    """The terms that a recall looks for in its entries, those of the question's content first, and what each is worth at most.

    `more` is what each would be worth besides by its rarity, which is something else in a small memory only.
    """

    __slots__ = ("content", "more", "postings", "terms", "worth")

    def __init__(self, index: Postings, terms: Sequence[str], content: Sequence[str] = ()) -> None:
        weights = weighed(terms)
        self.content = len(content)
        self.terms = tuple(dict.fromkeys((*content, *weights)))
        self.postings = [index.postings(term) for term in self.terms]
        places = {term: at for at, term in enumerate(self.terms)}
        self.worth = [(places[term], term, impact) for term, impact in ranking.impacts(index, weights).items()]
        self.more = [(places[term], impact) for term, impact in ranking.lacking(index, weights).items()]


class Explanation:
    """The parts of an entry's score: one for each term it holds, and the others by name.

    The counts are taken at once, since the index goes on; the parts are worked out by whoever reads them. `more` is what
    rarity would add to the score in a small memory, where a word that tells something may stand in every entry.
    """

    __slots__ = ("_below", "_candidate", "_counts", "_worth", "more", "seen")

    def __init__(self, memory: Memory, item: Candidate, scale: Scale) -> None:
        number = item.number if item.number is not None else memory.numbers(item.entry.id) if not memory.overlay else None
        if number is not None:
            self._counts = ranking.counts(scale.postings, number)
            length = memory.postings.lengths()[number]
        else:
            document = document_terms(item.entry)
            held = Counter(document) | Counter(characters(item.entry.text))
            self._counts, length = [min(held[term], 15) for term in scale.terms], max(1, len(document))
        self._below, self._worth, self._candidate = ranking.norm(memory.postings, length), scale.worth, item
        found, below = self._counts, self._below
        self.more = sum([impact * found[at] / (found[at] + below) for at, impact in scale.more if found[at]]) if scale.more else 0.0
        self.seen = sum([1 << at for at, count in enumerate(self._counts[:scale.content]) if count])  # of the content, one bit for each

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Explanation) and tuple(self) == tuple(other)

    @property
    def worth(self) -> Sequence[tuple[str, float]]:
        """Each term of the question with its impact; the same for all entries of a recall."""
        return [(term, impact) for _, term, impact in self._worth]

    @property
    def numbers(self) -> tuple[Sequence[int], float, tuple[float, float, float]]:
        """How often each term of `worth` stands in the entry, what BM25 adds below the line, and what speaks for the entry besides."""
        item, held = self._candidate, self._counts
        return [held[at] for at, _, _ in self._worth], self._below, (item.related, item.context, item.similar)

    def __iter__(self) -> Iterator[Part]:
        item, below = self._candidate, self._below
        for at, term, impact in self._worth:
            count = self._counts[at]
            if count:
                yield Part(term, impact * count / (count + below))
        for name, value in (("related", item.related), ("context", item.context), ("similar", item.similar)):
            if value:
                yield Part(name, value, "besides")


def explained(memory: Memory, items: Sequence[Candidate], terms: Sequence[str]) -> list[Explanation]:
    """Of each candidate, how its score came about."""
    scale = Scale(memory.postings, terms)
    return [Explanation(memory, item, scale) for item in items]
