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

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest

from deepseedian.core import ranking
from deepseedian.core.entry import Entry, moment
from deepseedian.core.ranking import Index, Part, Postings
from deepseedian.core.similar import Similar
from deepseedian.core.text import STOPPED, characters, lone, terms_of, tokens

POOL = 48
FEEDBACK_ENTRIES, FEEDBACK_TERMS, FEEDBACK_WEIGHT, FEEDBACK_CHARS = 3, 8, 0.2, 400
FEEDBACK_RARE = 2  # a term of more than half of all entries names nothing
LENT, LENT_ABOVE, LENT_OF, SHORT_QUESTION = 0.5, 0.4, 0.8, 8
SIMILAR_WEIGHT, LONG_QUESTION = 0.42, 30
LONE = 0.5


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


@dataclass(frozen=True, slots=True)
class Candidate:
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


def candidates(memory: Memory, terms: Sequence[str], similar: Similar | None = None, most: int = POOL) -> tuple[list[Candidate], int]:
    """The best entries by score, newest first among equals, and how many hold a term of the question at all."""
    most = max(most, POOL)
    own = ranking.matches(memory.postings, weighed(terms))
    first = own.best(most)
    weights = _feedback(memory, first[:FEEDBACK_ENTRIES], own, terms)
    related = ranking.matches(memory.postings, weights)
    base = {number: own.score(number) + related.score(number) for number in (*first, *related.best(POOL // 2))}
    nearest = _similarities(memory, similar, max(base.values(), default=0.0) or 1.0, len(terms))
    for number, near in nearest.items():
        base[number] = base.get(number, own.score(number) + related.score(number)) + near
    lent = _lent(memory, base, own, len(terms))
    for number, more in lent.items():
        base[number] = base.get(number, own.score(number) + related.score(number)) + more
    ranked = [item for item in (_candidate(memory, number, own, related, lent, nearest, similar) for number in _best(base, most)) if item]
    if memory.overlay:
        ranked += [item for item in (_overlaid(memory, entry, terms, weights) for entry in memory.overlay) if item.score]
    ranked.sort(key=lambda item: (item.score, item.entry.created_at, item.entry.id), reverse=True)
    return ranked[:most], sum(item.own > 0 for item in ranked) if memory.overlay else own.matched


def _best(scores: Mapping[int, float], most: int) -> Iterable[int]:
    """The numbers of the best scores, and of those that are equal to the last of them."""
    if len(scores) <= most:
        return scores
    least = nlargest(most, scores.values())[-1]
    return [number for number, score in scores.items() if score >= least]


def _candidate(memory: Memory, number: int, own: ranking.Matches, related: ranking.Matches, lent: Mapping[int, float],
               nearest: Mapping[int, float], similar: Similar | None) -> Candidate | None:
    entry = memory.entry(memory.postings.key(number))
    if entry is None:
        return None
    cosine = similar.best.get(entry.id) if similar else None
    return Candidate(entry, number, own.score(number), related.score(number), lent.get(number, 0.0), nearest.get(number, 0.0), cosine)


def weighed(terms: Sequence[str]) -> dict[str, float]:
    """Each term with its weight: a single character says less than a pair, and the less the longer the question."""
    alone = LONE * min(1.0, SHORT_QUESTION / max(1, len(terms))) if len(terms) <= LONG_QUESTION * 2 else 0.0
    return {term: share for term in terms if (share := alone if lone(term) else 1.0)}


def _feedback(memory: Memory, best: Iterable[int], own: ranking.Matches, terms: Sequence[str]) -> dict[str, float]:
    """The rarest other terms of the best entries, each with its share of the feedback weight."""
    index, asked = memory.postings, set(terms)
    weights: dict[str, float] = {}
    top, most = 0.0, max(2, index.total // FEEDBACK_RARE)
    for number in best:
        entry, score = memory.entry(index.key(number)), own.score(number)
        top = top or score
        for term in _leading(entry.text) if entry else ():
            if term not in asked and 1 < index.frequency(term) <= most:
                weights[term] = weights.get(term, 0.0) + ranking.idf(index, term) * score / top
    chosen = nlargest(FEEDBACK_TERMS, weights, key=lambda term: (weights[term], term))
    return {term: FEEDBACK_WEIGHT * weights[term] / weights[chosen[0]] for term in chosen}


@lru_cache(maxsize=2048)
def _leading(text: str) -> tuple[str, ...]:
    """The distinct terms at the beginning of a text that say something."""
    return tuple(term for term in dict.fromkeys(tokens(text[:FEEDBACK_CHARS])) if term not in STOPPED)


def forget() -> None:
    """Drop what is kept of texts."""
    _leading.cache_clear()


def _lent(memory: Memory, base: Mapping[int, float], own: ranking.Matches, length: int) -> dict[int, float]:
    """What the neighbours of the best entries are lent, by document number."""
    least = LENT_ABOVE * max(base.values(), default=0.0)
    share = LENT * min(1.0, (SHORT_QUESTION / max(1, length)) ** 1.5)
    lent: dict[int, float] = {}
    for number in nlargest(POOL, base, key=lambda one: (base[one], one)):
        if base[number] <= least:
            break
        entry = memory.entry(memory.postings.key(number))
        for beside in memory.neighbours(entry) if entry else ():
            if own.score(beside) > 0:
                room = LENT_OF * max(0.0, base[number] - base.get(beside, own.score(beside)))
                lent[beside] = min(max(room, lent.get(beside, 0.0)), lent.get(beside, 0.0) + share * (base[number] - least))
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


def held(memory: Memory, item: Candidate, terms: Sequence[str]) -> int:
    """Which of these terms an entry holds, one bit for each."""
    if item.number is None:
        found = characters(item.entry.text) | frozenset(document_terms(item.entry))
        return sum(1 << at for at, term in enumerate(terms) if term in found)
    return ranking.held(memory.postings, terms, item.number)


def explained(memory: Memory, items: Sequence[Candidate], terms: Sequence[str]) -> list[tuple[Part, ...]]:
    """The parts of each candidate's score: one for each term it holds, and the others by name."""
    weights = weighed(terms)
    impacts = ranking.impacts(memory.postings, weights)
    return [_parts(memory, item, weights, impacts) for item in items]


def _parts(memory: Memory, item: Candidate, weights: Mapping[str, float], impacts: Mapping[str, float]) -> tuple[Part, ...]:
    number = item.number if item.number is not None else memory.numbers(item.entry.id) if not memory.overlay else None
    if number is not None:
        found = ranking.parts_of(memory.postings, impacts, number)
    else:
        found = ranking.parts(memory.postings, weights, document_terms(item.entry), characters(item.entry.text))
    others = (("related", item.related), ("context", item.context), ("similar", item.similar))
    return (*found, *(Part(name, value, "besides") for name, value in others if value))
