"""From a conversation to drafts: statements of the owner worth keeping, with the words they stand in.

A turn is looked at as a whole: at most so many drafts come of it, the strongest first, and the last of several corrections
holds. Only a user's own words count; with `capture.assistant` one conclusion of the assistant may be proposed beside them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from deepseedian.config.layers import Config
from deepseedian.core import hygiene, ranking
from deepseedian.core.aspect import moments, spans
from deepseedian.core.candidate import SENTENCE_LIMIT, Candidate, candidates, conclusion, same_subject
from deepseedian.core.entry import Entry, moment, stamp
from deepseedian.core.matching import document_terms
from deepseedian.core.proposal import Draft, Evidence, same_words
from deepseedian.core.ranking import Index
from deepseedian.core.snapshot import Snapshot
from deepseedian.core.telling import units
from deepseedian.core.text import query_terms
from deepseedian.store.sessions import Message

REASONS = {
    "en": {"fact": "you asked to remember it", "told": "you said so", "decision": "you agreed on it",
           "preference": "you said what you prefer", "goal": "you said what you want to reach",
           "corrected": "you corrected what is remembered", "put_right": "you put it right", "concluded": "the assistant concluded it"},
    "zh": {"fact": "你要求记住", "told": "你这样说过", "decision": "你约定如此", "preference": "你表达了偏好", "goal": "你说了想达到的目标",
           "corrected": "你更正了记忆中的内容", "put_right": "你做了更正", "concluded": "这是助手得出的结论"},
}
SHARED = 0.5
_RELATIVE = re.compile(
    r"\b(?:next|last|coming|this) (?:week|month|year|quarter|spring|summer|autumn|fall|winter|(?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)day)\b|"
                       r"\b(?:today|tonight|tomorrow|yesterday)\b|\bin (?:a|two|three|\d+) (?:days?|weeks?|months?|years?)\b|今天|"
                       r"今晚|明天|后天|昨天|前天|"
                       r"[上下这本]个?(?:周|星期|礼拜|月|季度)|[今明去后前]年|月底|年底", re.I)


@dataclass(frozen=True, slots=True)
class Manner:
    """How much is captured: the settings `capture` and `capture.*`. `off` captures nothing."""

    mode: str = "assist"
    most: int = 2
    chars: int = SENTENCE_LIMIT
    assistant: bool = False

    @classmethod
    def of(cls, config: Config) -> "Manner":
        return cls(config.text("capture"), config.number("capture.max_per_turn"), config.number("capture.max_chars"),
                   config.on("capture.assistant"))


ASSIST = Manner()


@dataclass(frozen=True, slots=True)
class _Said:
    candidate: Candidate
    evidence: tuple[Evidence, ...]


def from_message(message: Message, snapshot: Snapshot, language: str, manner: Manner = ASSIST) -> list[Draft]:
    """The drafts of one message by itself."""
    return from_turn([message], snapshot, language, manner)


def from_turn(messages: Sequence[Message], snapshot: Snapshot, language: str, manner: Manner = ASSIST, at: str = "") -> list[Draft]:
    """The drafts of a turn, in the order in which they were said; `at` is when, kept with what names a day by "next Monday"."""
    if manner.mode == "off":
        return []
    said: list[_Said] = []
    for message in messages:
        if message.role == "user":
            for candidate in candidates(message.text, manner.most * 2, manner.mode, manner.chars):
                _add(said, _Said(candidate, (Evidence(message.id, candidate.quote),)), manner.chars)
    strongest = sorted(range(len(said)), key=lambda number: (said[number].candidate.strength, number))
    found: list[Draft] = []
    for number in strongest:
        draft = _draft(said[number], snapshot, REASONS[language])
        if draft is not None and not hygiene.fault(draft.text) and len(found) < manner.most:
            found.append(_dated(draft, at))
    order = {item.evidence: number for number, item in enumerate(said)}
    return sorted(found, key=lambda draft: order[draft.evidence]) + _concluded(messages, manner, REASONS[language])


def _add(said: list[_Said], new: _Said, chars: int) -> None:
    """A later message of the turn may correct an earlier one: the last one holds. A bare "no, Friday" stays with what it corrects."""
    candidate = new.candidate
    if candidate.correction and said and said[-1].evidence[0].source != new.evidence[0].source:
        last = said[-1].candidate
        text = f"{last.text}\n{candidate.quote}"
        if not candidate.alone and len(text) <= chars:
            said[-1] = _Said(replace(last, text=text), (*said[-1].evidence, *new.evidence))
            return
        said[:] = [item for item in said if not same_subject(item.candidate.text, candidate.text)]
    said.append(new)


def _concluded(messages: Sequence[Message], manner: Manner, reasons: dict[str, str]) -> list[Draft]:
    """At most one conclusion of the assistant, by its own words."""
    if not manner.assistant or not any(message.role == "user" for message in messages):
        return []
    for message in reversed(messages):
        candidate = conclusion(message.text, manner.chars) if message.role == "assistant" else None
        if candidate is not None and not hygiene.fault(candidate.text):
            return [Draft("add", candidate.text, reasons["concluded"], (Evidence(message.id, candidate.quote),), kind=candidate.kind,
                          trust="system_derived")]
    return []


def _dated(draft: Draft, at: str) -> Draft:
    """What says "next Monday" is kept as of the day it was said: the words stay, the time of the entry tells which Monday."""
    when = moment(at) if at and (_RELATIVE.search(draft.text) or moments(draft.text)) else 0
    return replace(draft, at=stamp(when / 1000)) if when else draft


def _draft(said: _Said, snapshot: Snapshot, reasons: dict[str, str]) -> Draft | None:
    candidate = said.candidate
    old = corrected(candidate.text, snapshot) if candidate.correction else None
    text = put_right(old.text, candidate.text) if old is not None else ""
    if old is not None and text:
        return Draft("edit", text, reasons["corrected"], said.evidence, (old.id,), kind=candidate.kind)
    if candidate.correction and not candidate.alone:
        return None  # "no, it's …" alone says nothing that can be kept
    reason = "put_right" if candidate.correction else "told" if candidate.kind == "fact" and candidate.strength > 1 else candidate.kind
    return Draft("add", candidate.text, reasons[reason], said.evidence, kind=candidate.kind)


def put_right(old: str, new: str) -> str:
    """What an entry says after a correction: the new words, or, when they are about a part of it only, the old ones with the new values.

    Empty when neither would keep what the correction leaves as it is: then it is an entry of its own.
    """
    before, after = spans(old), spans(new)
    told, kept = units(old), set(units(new))
    if not set(before) - set(after) and sum(unit not in kept for unit in told) <= max(2, len(told) // 3):
        return new
    changed = old
    for kind, found in after.items():
        if len(found) != 1 or len(before.get(kind, ())) != 1:
            return ""
        changed = changed.replace(before[kind][0], found[0], 1)
    return changed if changed != old else ""


def corrected(text: str, snapshot: Snapshot) -> Entry | None:
    """The entry that a correction is about: one that shares at least half of its words, the best match."""
    terms = query_terms(text)
    index = Index()
    words = sorted(set(units(text)), key=len, reverse=True)[:6]
    for known in snapshot.entries.values():
        if any(word[:3] in known.text.casefold() for word in words) or not known.text.isascii():
            index.add(known.id, document_terms(known), moment(known.created_at))
    best = ranking.best(index, ranking.scores(index, dict.fromkeys(terms, 1.0)), 1)
    if not best:
        return None
    entry = snapshot.entries[index.key(best[0])]
    if entry.pinned or same_words(entry.text) == same_words(text):
        return None
    shared = len(set(terms) & set(document_terms(entry)))
    return entry if terms and shared / len(terms) >= SHARED else None
