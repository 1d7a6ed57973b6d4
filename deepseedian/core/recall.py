"""The index of a turn: which entries a question is offered, and why.

Pure function of memory, question and choice. In this order: candidates are found and scored, what may not be offered
is left out (the gates, whose word it is, what is superseded), what passed is put in order (weights, the current fact
first, near-duplicates behind), and the list is cut (entries, tokens). The receipt names, per entry, the terms that
matched, each part of the score, and why it was left out.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from deepseedian.core import ranking
from deepseedian.core.currency import Ranked, asks_past, current_first
from deepseedian.core.entry import Entry
from deepseedian.core.gate import INTENT_RELEVANCE, Content, Gates, content
from deepseedian.core.matching import Candidate, Memory, candidates, document_terms, explained
from deepseedian.core.ranking import Part
from deepseedian.core.similar import Similar
from deepseedian.core.text import estimated_tokens, query_terms, summary, term_set, width

MAX_ENTRIES = 12
QUERY_CHARS = 400
LEFT_OUT_SHOWN = 8
DEFAULT_GATES = Gates()
ROW_TOKENS = 24
DUPLICATE = 0.85
_ABOUT_MEMORY = re.compile(
    r"(?i)\b(?:what|which|everything|anything|list|show)\b.{0,30}\b(?:remember|memor(?:y|ies)|know about me)\b|"
    r"(?:记得|記得|记住了|記住了|记忆|記憶).{0,8}(?:什么|什麼|哪些|多少|吗|嗎|内容|內容)|(?:有|列出|看看|哪些).{0,6}(?:记忆|記憶)")

Weights = Callable[[Entry], tuple[Part, ...]]


def shortened(question: str, limit: int = QUERY_CHARS) -> str:
    """A long question is ranked by its head and tail."""
    half = limit // 2
    return question if len(question) <= limit else f"{question[:half]} {question[-half:]}"


@dataclass(frozen=True, slots=True)
class Scored:
    """One entry in the receipt.

    `reason` is why it is in: match, replaces, pinned, about_memory, fill; or why it is out: a gate (min_coverage,
    min_score, min_relevance, no_intent, similarity, trust), superseded, received, duplicate, limit, budget, judge.
    `factor` is the product of the weights.
    """

    entry: Entry
    score: float
    reason: str
    parts: tuple[Part, ...] = ()
    weights: tuple[Part, ...] = ()
    relevance: float = 0.0
    coverage: float = 0.0
    cosine: float | None = None
    about: str = ""

    def document(self) -> dict[str, object]:
        terms = [{"term": part.term, "score": round(part.score, 4)} for part in self.parts if part.kind == "term"]
        besides = {part.term: round(part.score, 4) for part in self.parts if part.kind != "term"}
        found: dict[str, object] = {
            "id": self.entry.id, "topic": self.entry.topic, "score": round(self.score, 4), "reason": self.reason,
            "terms": [part.term for part in self.parts if part.kind == "term"], "parts": terms, "besides": besides,
            "weights": {part.term: round(part.score, 4) for part in self.weights},
            "relevance": round(self.relevance, 3), "coverage": round(self.coverage, 3)}
        if self.cosine is not None:
            found["cosine"] = round(self.cosine, 4)
        return found | ({"about": self.about} if self.about else {})


@dataclass(frozen=True, slots=True)
class Recall:
    """`offered` in order of rank; `left_out` the best of those that had a match but were not offered."""

    vault: str
    revision: str
    total: int
    terms: tuple[str, ...]
    offered: tuple[Scored, ...]
    left_out: tuple[Scored, ...] = ()
    matched: int = 0
    reason: str = ""
    tokens: int = 0
    notes: tuple[str, ...] = field(default=())

    def index(self) -> dict[str, object]:
        rows = [{"id": item.entry.id, "summary": summary(item.entry.text)} for item in self.offered]
        return {"vault": self.vault, "revision": self.revision, "total": self.total, "index": rows}

    def receipt(self) -> dict[str, object]:
        return {"terms": list(self.terms), "matched": self.matched, "reason": self.reason, "tokens": self.tokens,
                "offered": [item.document() for item in self.offered],
                "leftOut": [item.document() for item in self.left_out], "notes": list(self.notes)}

    def without(self, ids: Iterable[str], reason: str) -> "Recall":
        """The same with some entries left out for a reason found later."""
        gone = set(ids)
        out = tuple(replace(item, reason=reason) for item in self.offered if item.entry.id in gone)
        kept = tuple(item for item in self.offered if item.entry.id not in gone)
        return replace(self, offered=kept, left_out=out + self.left_out, reason=self.reason if kept or not out else reason)


@dataclass(frozen=True, slots=True)
class Choice:
    """What is offered of what is found. Without `gates` everything found is ranked, as a search does.

    `received` are the contents (entry id → text) that the asker has had already.
    """

    limit: int = MAX_ENTRIES
    pinned: bool = True
    fill: bool = False
    gates: Gates | None = DEFAULT_GATES
    query_chars: int = QUERY_CHARS
    budget: int = 0
    received: Mapping[str, str] = field(default_factory=dict)


def recall(memory: Memory, question: str, choice: Choice = Choice(), *, similar: Similar | None = None,
           weights: Weights = lambda entry: (), why: bool = False) -> Recall:
    """The index for a question; with `why` the parts of each score."""
    terms = query_terms(shortened(question, choice.query_chars))
    found, matched = candidates(memory, terms, similar)
    chosen, left_out, reason = _passed(memory, question, terms, found, choice, weights)
    offered, rest = _cut(chosen, choice)
    left_out += rest
    if choice.gates is not None and not _stopped(reason):
        offered, reason = _completed(memory, question, offered, reason, choice)
    if choice.fill:
        offered = _filled(memory, offered, choice.limit, "fill")
    left_out = [item for item in left_out if item.entry.id not in {one.entry.id for one in offered}][:LEFT_OUT_SHOWN]
    if why:
        by_id = {item.entry.id: item for item in found}
        offered, left_out = ([_explained(memory, item, by_id, terms) for item in items] for items in (offered, left_out))
    reason = reason or ("" if offered else "nothing in memory matches")
    return Recall(memory.vault, memory.revision, memory.total, tuple(terms), tuple(offered), tuple(left_out), matched,
                  reason, sum(map(row_tokens, offered)))


def row_tokens(item: Scored) -> int:
    """Estimated tokens of one row of the index."""
    return ROW_TOKENS + estimated_tokens(summary(item.entry.text))


# What may be offered

SMALLTALK, TOO_SHORT = "smalltalk", "the message is too short"


def _stopped(reason: str) -> bool:
    return reason in (SMALLTALK, TOO_SHORT)


def _passed(memory: Memory, question: str, terms: Sequence[str], found: Sequence[Candidate], choice: Choice,
            weights: Weights) -> tuple[list[Scored], list[Scored], str]:
    """In order of rank what passed the gates; what did not; and why the question is offered nothing."""
    gates, asked = choice.gates, content(shortened(question, choice.query_chars))
    if gates is not None and width(question) < gates.chars:
        return [], [], TOO_SHORT
    if gates is not None and asked.smalltalk:
        return [], [], SMALLTALK
    passed: list[Scored] = []
    out: list[Scored] = []
    past = asks_past(question)
    for item in _succeeded(memory, found, past):
        if gates is not None and not item.reason:
            item = _gated(memory, item, asked, gates, choice)
        (out if item.reason not in ("", "replaces") else passed).append(item)
    passed = [_weighed(replace(item, reason=item.reason or "match"), weights) for item in passed]
    passed.sort(key=lambda item: (item.score, item.entry.created_at, item.entry.id), reverse=True)
    if not past:
        passed = _ordered(memory, passed, terms)
    return (*_apart(passed, out), "" if passed or not out else _why_nothing(out))


def _succeeded(memory: Memory, found: Sequence[Candidate], past: bool) -> list[Scored]:
    """Each candidate; one that another active entry replaces gives its place to that one, unless the past is asked for."""
    present = {item.entry.id for item in found}
    rows: list[Scored] = []
    for item in found:
        row = Scored(item.entry, item.score, "", cosine=item.cosine)
        successor = "" if past else memory.successor(item.entry.id)
        new = memory.entry(successor) if successor else None
        if new is None:
            rows.append(row)
            continue
        rows.append(replace(row, reason="superseded", about=successor))
        if successor not in present:
            present.add(successor)
            rows.append(Scored(new, item.score, "replaces", about=item.entry.id))
    return rows


def _gated(memory: Memory, item: Scored, asked: Content, gates: Gates, choice: Choice) -> Scored:
    """The candidate with its coverage and relevance, and with a reason when a gate holds it back."""
    held = term_set(item.entry.text) | (term_set(item.entry.topic) if item.entry.topic != "general" else frozenset())
    coverage = asked.coverage(held)
    relevance = asked.relevance(held, lambda term: ranking.idf(memory.postings, term))
    item = replace(item, coverage=coverage, relevance=relevance)
    return replace(item, reason=_held_back(item, asked, gates, choice))


def _held_back(item: Scored, asked: Content, gates: Gates, choice: Choice) -> str:
    if str(item.entry.meta.get("trust") or "user_stated") not in gates.trusts:
        return "trust"
    if choice.received.get(item.entry.id) == item.entry.text:
        return "received"
    if item.score < gates.score:
        return "min_score"
    if item.coverage < gates.coverage:
        return "min_coverage"
    if item.relevance < gates.relevance:
        return "min_relevance"
    if gates.intent and item.relevance < (INTENT_RELEVANCE if asked.intent else gates.confident):
        return "no_intent"
    return ""


def _why_nothing(out: Sequence[Scored]) -> str:
    words = {"no_intent": "nothing matches with confidence, and the question does not ask for memory",
             "received": "this session has received what matches", "superseded": "only superseded entries match",
             "trust": "only entries of a trust that is not offered match"}
    return words.get(out[0].reason, "nothing matches well enough")


# In which order

def _weighed(item: Scored, weights: Weights) -> Scored:
    parts = weights(item.entry)
    score = item.score
    for part in parts:
        score *= part.score
    return replace(item, score=score, weights=parts) if parts else item


def _ordered(memory: Memory, passed: list[Scored], terms: Sequence[str]) -> list[Scored]:
    """The current fact above the one it replaces."""
    asked = frozenset(terms)
    ranked = [Ranked(item.entry, written(item.entry), asked & term_set(item.entry.text)) for item in passed]
    order, lifted = current_first(ranked, lambda term: ranking.idf(memory.postings, term))
    return [replace(passed[at], about=passed[lifted[at]].entry.id) if at in lifted else passed[at] for at in order]


def written(entry: Entry) -> str:
    """When an entry got its present wording."""
    return str(entry.meta.get("updatedAt") or entry.created_at)


def _apart(passed: list[Scored], out: list[Scored]) -> tuple[list[Scored], list[Scored]]:
    """Near-duplicates of a better entry are left out: maximal marginal relevance with a hard edge."""
    kept: list[Scored] = []
    for item in passed:
        ours = term_set(item.entry.text)
        twin = next((one for one in kept[:MAX_ENTRIES * 2] if _alike(ours, term_set(one.entry.text))), None)
        if twin is None:
            kept.append(item)
        else:
            out = [*out, replace(item, reason="duplicate", about=twin.entry.id)]
    return kept, out


def _alike(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    return bool(ours) and len(ours & theirs) >= DUPLICATE * len(ours | theirs)


# How much

def _cut(chosen: Sequence[Scored], choice: Choice) -> tuple[list[Scored], list[Scored]]:
    offered: list[Scored] = []
    out: list[Scored] = []
    spent = 0
    for item in chosen:
        spent += row_tokens(item) if choice.budget and len(offered) < choice.limit else 0
        if len(offered) >= choice.limit:
            out.append(replace(item, reason="limit"))
        elif choice.budget and spent > choice.budget:
            out.append(replace(item, reason="budget"))
        else:
            offered.append(item)
    return offered, out


def _completed(memory: Memory, question: str, offered: list[Scored], reason: str, choice: Choice) -> tuple[list[Scored], str]:
    """Pinned entries, and the newest ones when the question is about memory itself."""
    if choice.pinned:
        offered = _with_pinned(memory, offered, choice)
    if _ABOUT_MEMORY.search(question):
        return _filled(memory, offered, choice.limit, "about_memory"), "the question is about memory itself"
    return offered, reason


def _with_pinned(memory: Memory, chosen: list[Scored], choice: Choice) -> list[Scored]:
    """Pinned entries take the last places when they did not match by themselves."""
    present = {item.entry.id for item in chosen}
    extra = [Scored(entry, 0.0, "pinned") for entry in memory.pinned()
             if entry.id not in present and choice.received.get(entry.id) != entry.text][: choice.limit]
    return chosen[: choice.limit - len(extra)] + extra


def _filled(memory: Memory, chosen: list[Scored], limit: int, reason: str) -> list[Scored]:
    present = {item.entry.id for item in chosen}
    newest = [entry for entry in memory.newest(limit * 2) if entry.id not in present]
    return chosen + [Scored(entry, 0.0, reason) for entry in newest[: limit - len(chosen)]]


def _explained(memory: Memory, item: Scored, found: Mapping[str, Candidate], terms: Sequence[str]) -> Scored:
    candidate = found.get(item.entry.id)
    parts = explained(memory, candidate, terms) if candidate else tuple(ranking.parts(memory.postings, terms, document_terms(item.entry)))
    return replace(item, parts=parts)
