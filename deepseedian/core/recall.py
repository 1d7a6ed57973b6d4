"""The index of a turn: which entries a question is offered, and why.

Pure function of memory, question and choice. In this order: candidates are found and scored, what may not be offered
is left out (the gates, whose word it is, what is superseded), what passed is put in order (weights, the current fact
first, near-duplicates behind), and the list is cut (entries, tokens). The receipt names, per entry, the terms that
matched, each part of the score, and why it was left out.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from deepseedian.core import ranking
from deepseedian.core.currency import LOOKED_AT, Ranked, asks_past, current_first, worded
from deepseedian.core.entry import Entry
from deepseedian.core.gate import Content, Gates, Lens, content
from deepseedian.core.matching import Candidate, Explanation, Memory, Scale, candidates, leading
from deepseedian.core.ranking import Part
from deepseedian.core.similar import Similar
from deepseedian.core.text import Outline, outline, query_terms, summary, summary_tokens, width
from deepseedian.core.weight import Weight
from deepseedian.core.weight import content as named

MAX_ENTRIES = 12
PASSED = ("match", "replaces")
QUERY_CHARS = 400
LEFT_OUT_SHOWN = 8
DEFAULT_GATES = Gates()
ROW_TOKENS = 24
DUPLICATE = 0.85
UNLIKE = (1 - DUPLICATE) / (1 + DUPLICATE) + 1e-9  # of all terms of two texts, so many may differ for DUPLICATE of them to be shared
OPENED = 0.5
_ABOUT_MEMORY = re.compile(
    r"(?i)\b(?:what|which|everything|anything|list|show)\b.{0,30}\b(?:remember|memor(?:y|ies)|know about me)\b|"
    r"(?:记得|記得|记住了|記住了|记忆|記憶).{0,8}(?:什么|什麼|哪些|多少|吗|嗎|内容|內容)|(?:有|列出|看看|哪些).{0,6}(?:记忆|記憶)")

Weights = Callable[[Entry], Weight]


def shortened(question: str, limit: int = QUERY_CHARS) -> str:
    """A long question is ranked by its head and tail."""
    half = limit // 2
    return question if len(question) <= limit else f"{question[:half]} {question[-half:]}"


class Scored(NamedTuple):
    """One entry in the receipt.

    `reason` is why it is in: match, replaces, pinned, about_memory, fill; or why it is out: a gate (min_coverage,
    min_score, min_relevance, no_intent, similarity, trust), superseded, received, duplicate, limit, budget, judge.
    `about` is the other entry that the reason speaks of.
    """

    entry: Entry
    score: float
    reason: str
    explanation: Explanation | None = None
    weights: Mapping[str, float] = MappingProxyType({})
    relevance: float = 0.0
    coverage: float = 0.0
    cosine: float | None = None
    about: str = ""
    candidate: Candidate | None = None
    seen: int = 0

    @property
    def parts(self) -> tuple[Part, ...]:
        """What the score is made of."""
        return tuple(self.explanation or ())


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

    def without(self, ids: Iterable[str], reason: str) -> "Recall":
        """The same with some entries left out for a reason found later."""
        gone = set(ids)
        out = tuple(item._replace(reason=reason) for item in self.offered if item.entry.id in gone)
        kept = tuple(item for item in self.offered if item.entry.id not in gone)
        return replace(self, offered=kept, left_out=out + self.left_out, reason=self.reason if kept or not out else reason)


@dataclass(frozen=True, slots=True)
class Choice:
    """What is offered of what is found. Without `gates` everything found is ranked, as a search does.

    `received` names the contents that the asker has had already, by entry; see `weight.content`.
    """

    limit: int = MAX_ENTRIES
    pinned: bool = True
    fill: bool = False
    gates: Gates | None = DEFAULT_GATES
    query_chars: int = QUERY_CHARS
    budget: int = 0
    received: Mapping[str, str] = field(default_factory=dict)

    def had(self, entry: Entry) -> bool:
        return bool(self.received) and self.received.get(entry.id) == named(entry.text)


def recall(memory: Memory, question: str, choice: Choice = Choice(), *, similar: Similar | None = None,
           weights: Weights | None = None, why: bool = False) -> Recall:
    """The index for a question; with `why` each score can be explained."""
    terms = query_terms(shortened(question, choice.query_chars))
    asked = content(shortened(question, choice.query_chars))
    lens = Lens(asked, lambda term: ranking.rarity(memory.postings, term))
    scale = Scale(memory.postings, terms, lens.terms)
    looked_at = max(LOOKED_AT, choice.limit + LEFT_OUT_SHOWN)
    found, matched = candidates(memory, terms, similar, wanted=looked_at)
    stopped = silent(question, choice.gates)
    rows = [] if stopped else _gated(memory, found, asked, lens, scale, choice, weights, similar)
    chosen, left_out, reason = ([], [], stopped) if stopped else _passed(memory, question, rows, lens, choice)
    offered, rest = _cut(chosen, choice)
    left_out += rest
    if choice.gates is not None and not stopped:
        offered, gone, reason = _completed(memory, question, offered, reason, choice)
        left_out = gone + left_out
    if choice.fill and stopped != TOO_SHORT:
        offered = _filled(memory, _weaker(offered, left_out, choice), choice, "fill")
    present = {item.entry.id for item in offered}
    left_out = [item for item in left_out if item.entry.id not in present][:LEFT_OUT_SHOWN]
    if why:
        offered, left_out = (_explained(memory, items, scale) for items in (offered, left_out))
    reason = reason or ("" if offered else _why_nothing(left_out) if left_out else "nothing in memory matches")
    return Recall(memory.vault, memory.revision, memory.total, tuple(terms), tuple(offered), tuple(left_out), matched,
                  reason, sum(map(row_tokens, offered)))


def prepare(entry: Entry) -> None:
    """Work out beforehand what a recall works out of a text when it first meets it, and keeps.

    The first recalls after a start took a quarter longer than those that came later, the slowest twice as long.
    """
    summary_tokens(entry.text)
    outline(entry.text)
    leading(entry.text)
    worded(entry.text)


def row_tokens(item: Scored) -> int:
    """Estimated tokens of one row of the index."""
    return ROW_TOKENS + summary_tokens(item.entry.text)


# What may be offered

SMALLTALK, TOO_SHORT = "smalltalk", "the message is too short"


def silent(question: str, gates: Gates | None) -> str:
    """Why a question is offered nothing, whatever memory holds; empty when that has to be looked up."""
    if gates is None:
        return ""
    if width(question) < gates.chars:
        return TOO_SHORT
    return SMALLTALK if content(shortened(question)).smalltalk else ""


def _passed(memory: Memory, question: str, rows: list[Scored], lens: Lens,
            choice: Choice) -> tuple[list[Scored], list[Scored], str]:
    """In order of rank what passed the gates; what did not; and why the question is offered nothing."""
    past = asks_past(shortened(question, choice.query_chars))
    if not past:
        rows = _succeeded(memory, rows, choice)
    passed = sorted((row for row in rows if row.reason in PASSED), key=_rank, reverse=True)
    out = [row for row in rows if row.reason not in PASSED]
    if not past:
        passed = _ordered(passed, lens)
    return _apart(passed), out, "" if passed or not out else _why_nothing(out)


def _rank(row: Scored) -> tuple[float, str, str]:
    return row.score, row.entry.created_at, row.entry.id


def _gated(memory: Memory, found: Sequence[Candidate], asked: Content, lens: Lens, scale: Scale, choice: Choice,
           weights: Weights | None, similar: Similar | None) -> list[Scored]:
    """Each candidate with its weight, coverage and relevance, and with a reason when a gate holds it back.

    One candidate that matches with confidence opens the gate of intent for those that match half as well.
    """
    gates, none = choice.gates, Weight()
    least = (similar.floor if asked.intent else similar.sure) if similar else 0.0
    rows, confidence = [], []
    for item in found:
        told, score = Explanation(memory, item, scale), item.score
        coverage, relevance = lens.shares(told.seen)
        near = similar is not None and item.cosine is not None and item.cosine >= least
        reason = _held_back(item.entry, score + told.more, coverage, relevance, near, choice) if gates else ""
        factor, parts = weights(item.entry) if weights else none
        rows.append(Scored(item.entry, score * factor, reason or "match", told, parts, relevance, coverage, item.cosine, "",
                           item, told.seen))
        enough = asked.least(gates.confident, item.entry.text) if gates else 0.0
        confidence.append(1.0 if near else relevance / max(enough, 1e-9))
    if gates is None or not gates.intent:
        return rows
    sure = max((one for row, one in zip(rows, confidence, strict=True) if row.reason == "match"), default=0.0) >= 1.0
    needed = OPENED if sure else 1.0
    return [row._replace(reason="no_intent") if one < needed and row.reason == "match" else row
            for row, one in zip(rows, confidence, strict=True)]


def _succeeded(memory: Memory, rows: list[Scored], choice: Choice) -> list[Scored]:
    """One that another active entry replaces gives its place to that one."""
    present = {row.entry.id for row in rows if row.reason == "match"}
    done: list[Scored] = []
    for row in rows:
        successor = memory.successor(row.entry.id) if row.reason == "match" else ""
        new = memory.entry(successor) if successor else None
        if new is None:
            done.append(row)
            continue
        done.append(row._replace(reason="superseded", about=successor))
        if successor not in present:
            present.add(successor)
            kept_back = _never(new, choice) if choice.gates else ""
            heir = Candidate(new, memory.numbers(successor))
            done.append(row._replace(entry=new, reason=kept_back or "replaces", about=row.entry.id, candidate=heir, explanation=None))
    return done


def _never(entry: Entry, choice: Choice) -> str:
    """Why an entry is not offered, however well it matches."""
    assert choice.gates is not None
    if str(entry.meta.get("trust") or "user_stated") not in choice.gates.trusts:
        return "trust"
    return "received" if choice.had(entry) else ""


def _held_back(entry: Entry, score: float, coverage: float, relevance: float, near: bool, choice: Choice) -> str:
    gates, never = choice.gates, _never(entry, choice)
    if gates is None or never or near:
        return never
    if score < gates.score and relevance < gates.confident:  # a word of nearly all entries scores nothing, and may be all that is asked
        return "min_score"
    if coverage < gates.coverage:
        return "min_coverage"
    return "min_relevance" if relevance < gates.relevance else ""


def _why_nothing(out: Sequence[Scored]) -> str:
    words = {"no_intent": "nothing matches with confidence, and the question does not ask for memory",
             "received": "this session has received what matches", "superseded": "only superseded entries match",
             "trust": "only entries of a trust that is not offered match", "budget": "what matches is longer than the budget"}
    return words.get(out[0].reason, "nothing matches well enough")


# In which order

def _ordered(passed: list[Scored], lens: Lens) -> list[Scored]:
    """The current fact above the one it replaces."""
    first, rest = passed[:LOOKED_AT], passed[LOOKED_AT:]
    order, lifted = current_first([Ranked(row.entry, written(row.entry), row.seen) for row in first], lens)
    return [first[at]._replace(about=first[lifted[at]].entry.id) if at in lifted else first[at] for at in order] + rest


def written(entry: Entry) -> str:
    """When an entry got its present wording."""
    return str(entry.meta.get("updatedAt") or entry.created_at)


def _apart(passed: list[Scored]) -> list[Scored]:
    """Near-duplicates of a better entry behind all others: maximal marginal relevance with a hard edge."""
    kept: list[Scored] = []
    twins: list[Scored] = []
    texts: list[tuple[float, Outline]] = []
    for row in passed:
        said = outline(row.entry.text)
        at = _twin(row.score, said, texts) if len(kept) < LOOKED_AT else None
        if at is None:
            kept.append(row)
            texts.append((DUPLICATE * row.score, said))
        else:
            twins.append(row._replace(reason="duplicate", about=kept[at].entry.id))
    return kept + twins


def _twin(score: float, ours: Outline, texts: Sequence[tuple[float, Outline]]) -> int | None:
    """Texts that say the same match about as well and are as long: the others need not be compared."""
    length, terms, bits, *_ = ours
    shortest, longest = DUPLICATE * length, length / DUPLICATE
    for at in range(len(texts) - 1, -1, -1):
        least, (long, others, theirs, *_) = texts[at]
        if score < least:
            return None
        if shortest <= long <= longest and (bits ^ theirs).bit_count() <= UNLIKE * (len(terms) + len(others)) and _alike(terms, others):
            return at
    return None


def _alike(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    both = len(ours) + len(theirs)
    shared = len(ours & theirs)
    if not shared or shared < DUPLICATE * (both - shared):
        return False
    return not any(term.isdecimal() for term in ours ^ theirs)  # two ports are two facts


# How much

def _cut(chosen: Sequence[Scored], choice: Choice) -> tuple[list[Scored], list[Scored]]:
    offered: list[Scored] = []
    out: list[Scored] = []
    spent = 0
    for item in chosen:
        spent += row_tokens(item) if choice.budget and len(offered) < choice.limit else 0
        if len(offered) >= choice.limit:
            out.append(item if item.reason == "duplicate" else item._replace(reason="limit"))
        elif choice.budget and spent > choice.budget:
            out.append(item._replace(reason="budget"))
        else:
            offered.append(item._replace(reason="match") if item.reason == "duplicate" else item)
    return offered, out


def _completed(memory: Memory, question: str, offered: list[Scored], reason: str,
               choice: Choice) -> tuple[list[Scored], list[Scored], str]:
    """Pinned entries, and the newest ones when the question is about memory itself; and what had to go for them."""
    gone: list[Scored] = []
    if choice.pinned:
        offered, gone = _with_pinned(memory, offered, choice)
    if _ABOUT_MEMORY.search(shortened(question)):
        return _filled(memory, offered, choice, "about_memory"), gone, "the question is about memory itself"
    return offered, gone, reason


def _with_pinned(memory: Memory, chosen: list[Scored], choice: Choice) -> tuple[list[Scored], list[Scored]]:
    """Pinned entries take the last places when they did not match by themselves; they keep to limit and budget too."""
    present = {item.entry.id for item in chosen}
    extra = [Scored(entry, 0.0, "pinned") for entry in memory.pinned() if entry.id not in present and _unasked(memory, entry, choice)]
    extra = _fitting([], extra, choice)
    kept = _fitting(extra, chosen, choice)
    at = choice.limit - len(extra)
    gone = [item._replace(reason="limit" if len(kept) >= at else "budget") for item in chosen[len(kept):]]
    return kept + extra, gone


def _unasked(memory: Memory, entry: Entry, choice: Choice) -> bool:
    """Whether an entry may be offered that did not match: not one that is never offered, and not what another one replaces."""
    successor = memory.successor(entry.id)
    return choice.gates is None or not (_never(entry, choice) or (successor and memory.entry(successor)))


def _fitting(taken: Sequence[Scored], more: Sequence[Scored], choice: Choice) -> list[Scored]:
    """Of more entries as many as fit beside those that are taken, in their order."""
    left = choice.budget - sum(map(row_tokens, taken)) if choice.budget else 0
    found: list[Scored] = []
    for item in more[: max(0, choice.limit - len(taken))]:
        left -= row_tokens(item) if choice.budget else 0
        if left < 0:
            break
        found.append(item)
    return found


def _weaker(chosen: list[Scored], left_out: Sequence[Scored], choice: Choice) -> list[Scored]:
    """With what matches, but not well enough for the gates, best first."""
    weak = [item._replace(reason="fill") for item in left_out if item.reason == "no_intent" or item.reason.startswith("min_")]
    return chosen + _fitting(chosen, sorted(weak, key=lambda item: -item.score), choice)


def _filled(memory: Memory, chosen: list[Scored], choice: Choice, reason: str) -> list[Scored]:
    if len(chosen) >= choice.limit:
        return chosen
    present = {item.entry.id for item in chosen}
    newest = [Scored(entry, 0.0, reason) for entry in memory.newest(choice.limit * 4)
              if entry.id not in present and _unasked(memory, entry, choice)]
    return chosen + _fitting(chosen, newest, choice)


def _explained(memory: Memory, items: Sequence[Scored], scale: Scale) -> list[Scored]:
    """With an explanation each: those that passed no gate have none yet."""
    return [item if item.explanation else item._replace(explanation=Explanation(memory, item.candidate or Candidate(item.entry), scale))
            for item in items]
