"""How much an entry counts beside others that match as well: what its owner said about it, and its age.

A weight only changes the order of what passed the gate; it lets no entry in or out, hides nothing and is
never written into memory. Feedback and corrections together stay within 24 % down and 12 % up. They hold for
the very text they were given to: an entry that was put right begins anew. Each part is named for the receipt.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple

from deepseedian.core.entry import Entry
from deepseedian.core.text import KEPT_TEXTS

LOWEST, HIGHEST = 0.76, 1.12
USEFUL, WRONG, CORRECTED = 0.04, -0.06, -0.12  # of one press of "useful" or "wrong", and of one correction
MOST_WRONG = -0.18  # a button pressed often weighs less than the owner's words
SHARED, ALIKE = 2, 0.5  # terms two questions must share to be similar, and which part of the shorter one
PINNED, RECENT, RECENT_DAYS = 1.05, 0.005, 30
TRUSTED = {"system_derived": 0.97, "external": 0.94}
_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Signals:
    """What was said about one text of an entry: "useful" and "wrong", and the terms of questions whose answer was corrected."""

    useful: int = 0
    wrong: int = 0
    corrected: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """What the weights go by, as the settings say; 0 days switches decay off."""

    feedback: bool = True
    outcomes: bool = True
    days: int = 180
    floor: float = 0.6


class Weight(NamedTuple):
    """`factor` multiplies a score; `parts` names what it is made of."""

    factor: float = 1.0
    parts: Mapping[str, float] = MappingProxyType({})


@lru_cache(maxsize=KEPT_TEXTS)
def content(text: str) -> str:
    """The name of a text; an entry whose text is another one has another name."""
    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:32]


def weight(entry: Entry, question: Set[str], signals: Signals | None, now: float, terms: Terms) -> Weight:
    """`question` is the distinct terms of the present question, `signals` are those of the entry's present text, `now` Unix seconds."""
    factor, found = 1.0, dict[str, float]()
    if signals is not None:
        parts = _said(signals, question, terms)
        factor = min(max(1.0 + sum(parts.values()), LOWEST), HIGHEST)
        found = {name: round(1.0 + part, 4) for name, part in parts.items()}
    since = _seconds(entry)
    decay = _decay(entry, since, now, terms)
    if decay != 1.0:
        found["decay"] = round(decay, 4)
    return Weight(factor * decay * _known(entry, since, now, found), found)


def _known(entry: Entry, since: float, now: float, found: dict[str, float]) -> float:
    """Small: what is pinned, whose word it is, and how new; enough to decide between entries that match alike."""
    factor = 1.0
    if entry.pinned:
        factor = found["pinned"] = PINNED
    trusted = TRUSTED.get(str(entry.meta.get("trust")))
    if trusted is not None:
        factor, found["trust"] = factor * trusted, trusted
    if since < float("inf"):
        recent = 1.0 + RECENT * 0.5 ** min(max(0.0, now - since) / _DAY / RECENT_DAYS, 1000.0)
        shown = round(recent, 4)
        if shown != 1.0:
            factor, found["recent"] = factor * recent, shown
    return factor


def _said(signals: Signals, question: Set[str], terms: Terms) -> dict[str, float]:
    feedback = signals.useful * USEFUL + max(signals.wrong * WRONG, MOST_WRONG) if terms.feedback else 0.0
    like = sum(similar(question, asked) for asked in signals.corrected) if terms.outcomes else 0
    feedback = min(max(feedback, LOWEST - 1), HIGHEST - 1)
    corrected = max(like * CORRECTED, LOWEST - 1)
    return {name: part for name, part in (("feedback", feedback), ("corrected", corrected)) if part}


def similar(first: Set[str], second: Set[str]) -> bool:
    """Whether two questions ask alike: two shared terms that are half of the shorter one; a question of one term only asks like itself."""
    shared, shorter = len(first & second), min(len(first), len(second))
    return first == second != frozenset() or (shared >= SHARED and shared >= ALIKE * shorter)


def decayed(entry: Entry, now: float, terms: Terms) -> float:
    """Halved every `days`, never below the floor; what is pinned or the owner's own statement does not age."""
    return _decay(entry, _seconds(entry), now, terms)


def _decay(entry: Entry, since: float, now: float, terms: Terms) -> float:
    if not terms.days or entry.pinned or entry.meta.get("trust") == "user_stated":
        return 1.0
    age = (now - since) / (_DAY * terms.days)
    return float(max(terms.floor, 0.5 ** min(age, 1000.0))) if age > 0 else 1.0


def _seconds(entry: Entry) -> float:
    """When the text was last said; a time that cannot be read ages nothing."""
    for name in ("updatedAt", "createdAt"):
        value = entry.meta.get(name)
        found = _instant(value) if isinstance(value, str) else None
        if found is not None:
            return found
    return float("inf")


@lru_cache(maxsize=4096)
def _instant(value: str) -> float | None:
    try:
        return datetime.fromisoformat(value).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def reordered(scored: Sequence[tuple[str, float]], weights: Mapping[str, Weight]) -> list[str]:
    """Ids by weighted score, best first; the same ids that came in, equals in the order they came."""
    none = Weight()
    return [key for key, _ in sorted(scored, key=lambda item: -item[1] * weights.get(item[0], none).factor)]


def signals_of(rows: Iterable[tuple[str, Iterable[str]]]) -> Signals:
    """From the rows of one text: (useful | wrong | corrected, the question's terms)."""
    useful = wrong = 0
    corrected = []
    for kind, question in rows:
        useful += kind == "useful"
        wrong += kind == "wrong"
        if kind == "corrected":
            corrected.append(frozenset(question))
    return Signals(useful, wrong, tuple(corrected))
