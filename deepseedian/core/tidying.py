"""What a memory could be tidied by: entries that say the same, that contradict each other, that are due, topics out of shape.

Pairs are looked for among entries that share rare words, never all against all. Two entries say the same when they share
nearly all their words, and every number, value and negation. They contradict each other when they are one sentence but
for a value or a "not", and its subject comes first; "I like tea" and "I like coffee" are both true.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from deepseedian.core.aspect import values, without
from deepseedian.core.entry import Entry
from deepseedian.core.snapshot import Snapshot
from deepseedian.core.text import FILLER, STOPPED, characters, folded_line, term_set

RARE = 40
LOOKED_UP = 8
COUNTED = 0.3
SAME = 0.75
SAME_NEAR = 0.4
ONE_SENTENCE = 0.5
REST = 0.85
AFFIRMED = 0.7
NEAR = 0.93
STATEMENT = 200
LARGE_TOPIC = 200
SPLIT_LEAST, SPLIT_MOST = 0.1, 0.6
MOST_MOVED = 60
MOST_OPEN = 12
Near = Callable[[Sequence[str]], list[list[float]]]

_NOT = re.compile(r"(?i)\b(?:not|never|no longer|no|none|without|cannot|\w+n['’]t)\b|不|没|沒|别|別|未|勿|无|無|非")
_ALSO = re.compile(r"(?i)\b(?:likes?|loves?|enjoys?|hates?|dislikes?|owns?|has|have|visited|knows?|speaks?|plays?|reads?|bought|"
                   r"wants?|can|met|studied|worked on|allergic to)\b|"
                   r"喜欢|喜歡|爱|愛|讨厌|討厭|拥有|擁有|有|去过|去過|会|會|想|认识|認識|学过|學過|买了|買了|过敏|過敏")
_WORDS = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Finding:
    """`kind` is same, contradiction, due, empty_topic or large_topic; `entries` the older first. `detail` is the topic or date."""

    kind: str
    entries: tuple[str, ...]
    detail: str = ""


def findings(snapshot: Snapshot, now: str, near: Near | None = None) -> list[Finding]:
    """All of them, in a fixed order. `now` is an ISO stamp, `near` gives cosines of entries with each other where a model is there."""
    return examined(snapshot, now, near)[0]


def examined(snapshot: Snapshot, now: str, near: Near | None = None) -> tuple[list[Finding], list[tuple[Entry, Entry]]]:
    """(findings, pairs that rules leave open): the latter the older entry first, those that share most before others."""
    entries = [entry for entry in snapshot.by_age if not entry.archived]
    pairs, open_ones = _pairs_found(entries, near)
    return ordered([*pairs, *_due(entries, now), *_topics(snapshot, entries)]), open_ones


def ordered(found: Iterable[Finding]) -> list[Finding]:
    """What weighs most first."""
    order = ("contradiction", "same", "due", "large_topic", "empty_topic")
    return sorted(found, key=lambda item: (order.index(item.kind), item.entries, item.detail))


class Said:
    """A text with what is compared of it, each read once."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def terms(self) -> frozenset[str]:
        return term_set(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(self.terms - STOPPED)

    @cached_property
    def units(self) -> frozenset[str]:
        return _units(self.text)

    @cached_property
    def values(self) -> dict[str, set[str]]:
        return values(self.text)

    @cached_property
    def rest(self) -> str:
        """The text without its values."""
        return without(self.text)

    @cached_property
    def denials(self) -> int:
        """How many words deny something."""
        return len(_NOT.findall(folded_line(self.text)))

    @cached_property
    def affirmed(self) -> frozenset[str]:
        """The terms without the words that deny."""
        return term_set(_NOT.sub("", folded_line(self.text)))

    @cached_property
    def start(self) -> list[str]:
        return _WORDS.findall(folded_line(self.text[:80]).casefold())[:2]


def _pairs_found(entries: Sequence[Entry], near: Near | None) -> tuple[list[Finding], list[tuple[Entry, Entry]]]:
    linked = {pair for entry in entries for pair in _links(entry)}
    said = [Said(entry.text) for entry in entries]
    found: list[Finding] = []
    left: list[tuple[float, str, str, Entry, Entry]] = []
    for first, second in alike(said):
        one, other = sorted((first, second), key=lambda number: (_when(entries[number]), entries[number].id))
        old, new = entries[one], entries[other]
        if frozenset((old.id, new.id)) in linked:
            continue
        if contradicts(said[one], said[other]):
            found.append(Finding("contradiction", (old.id, new.id)))
        elif same(said[one], said[other]) or _same_in_meaning(old, new, said[one], said[other], near):
            found.append(Finding("same", (old.id, new.id)))
        elif max(len(old.text), len(new.text)) <= STATEMENT:
            left.append((-_shared(said[one].units, said[other].units), old.id, new.id, old, new))
    return found, [(old, new) for *_, old, new in sorted(left, key=lambda item: item[:3])[:MOST_OPEN]]


def _links(entry: Entry) -> list[frozenset[str]]:
    """Entries that say of each other already which one holds."""
    said = (entry.meta.get("supersedes"), entry.meta.get("supersededBy"))
    others = [one for value in said for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]
    return [frozenset((entry.id, other)) for other in others]


def alike(said: Sequence[Said]) -> list[tuple[int, int]]:
    """Pairs, by their places, that share much of their words, found by their rare ones."""
    places: dict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(said):
        for term in one.words:
            places[term].append(number)
    found: set[tuple[int, int]] = set()
    for number, one in enumerate(said):
        rare = sorted((term for term in one.words if 1 < len(places[term]) <= RARE), key=lambda term: (len(places[term]), term))
        beside = {other for term in rare[:LOOKED_UP] for other in places[term] if other > number}
        found.update((number, other) for other in beside if _shared(one.words, said[other].words) >= COUNTED)
    return sorted(found)


def _when(entry: Entry) -> str:
    return str(entry.meta.get("updatedAt") or entry.created_at)


def same(first: Said, second: Said) -> bool:
    """Whether two texts say the same in nearly the same words."""
    if _shared(first.units, second.units) < SAME or _shared(first.terms, second.terms) < SAME_NEAR or not _same_facts(first, second):
        return False
    return not _replaced(first.units - second.units, second.units - first.units)


def _same_facts(first: Said, second: Said) -> bool:
    return first.denials == second.denials and first.values == second.values


def _replaced(went: Set[str], came: Set[str]) -> bool:
    """Whether something stands in the place of something else: a word more is a shade, another word is another thing."""
    words = any(term.isascii() for term in went) and any(term.isascii() for term in came)
    return words or min(len(went), len(came)) > 1


def _units(text: str) -> frozenset[str]:
    """Words and single characters: a Chinese sentence turned round says the same with other pairs."""
    return frozenset(term for term in term_set(text) - STOPPED if term.isascii()) | characters(FILLER.sub(" ", folded_line(text)))


def _shared(ours: Set[str], theirs: Set[str]) -> float:
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0


def _same_in_meaning(old: Entry, new: Entry, first: Said, second: Said, near: Near | None) -> bool:
    """With a model: near in meaning, much of the words, and no number, value or negation differs."""
    if near is None or _shared(first.units, second.units) < SAME_NEAR or not _same_facts(first, second):
        return False
    cosines = near((old.id, new.id))
    return bool(cosines) and cosines[0][1] >= NEAR


def contradicts(old: Said, new: Said) -> bool:
    """Whether two texts are one sentence but for a value, or one denies what the other says."""
    if max(len(old.text), len(new.text)) > STATEMENT or (old.terms == new.terms and old.denials == new.denials):
        return False
    if max(_shared(old.terms, new.terms), _shared(term_set(old.rest), term_set(new.rest))) < ONE_SENTENCE:
        return False
    if (old.denials == 0) != (new.denials == 0):
        return _shared(old.affirmed, new.affirmed) >= AFFIRMED
    return _shared_start(old.start, new.start) and (_another_value(old, new) or _another_word(old, new))


def _another_value(old: Said, new: Said) -> bool:
    """A value of the same kind stands in the place of another, and all else is the same."""
    differ = old.values.keys() == new.values.keys() and old.values != new.values
    return differ and _shared(_units(old.rest), _units(new.rest)) >= REST


def _another_word(old: Said, new: Said) -> bool:
    """One word stands in the place of another, in a sentence that can hold for one thing only."""
    if old.values or new.values or _ALSO.search(folded_line(old.text)) or old.units == new.units:
        return False
    went, came = old.words - new.words, new.words - old.words
    most = 1 if all(term.isascii() for term in went | came) else 4
    return 0 < len(went) <= most and 0 < len(came) <= most


def _shared_start(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether both begin alike, with the subject: in unspaced Chinese the first words are one run."""
    if not ours or not theirs:
        return False
    if ours[0] == theirs[0]:
        return len(ours) > 1 and (not ours[0].isascii() or ours[1:] == theirs[1:])
    shared = next((at for at, (one, other) in enumerate(zip(ours[0], theirs[0], strict=False)) if one != other), 0)
    return not ours[0].isascii() and shared >= 3


def _due(entries: Sequence[Entry], now: str) -> list[Finding]:
    dates = ((entry, entry.meta.get("reviewAt")) for entry in entries)
    return [Finding("due", (entry.id,), due[:10]) for entry, due in dates if isinstance(due, str) and due < now]


def _topics(snapshot: Snapshot, entries: Sequence[Entry]) -> list[Finding]:
    by_topic: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_topic[entry.topic].append(entry)
    large = [Finding("large_topic", split(topic, members)[1], split(topic, members)[0] or topic)
             for topic, members in by_topic.items() if len(members) > LARGE_TOPIC]
    empty = [Finding("empty_topic", (), path.removeprefix("topics/").removesuffix(".md")) for path, file in snapshot.files.items()
             if path.startswith("topics/") and not file.entries]
    return [*large, *empty]


def split(topic: str, members: Sequence[Entry]) -> tuple[str, tuple[str, ...]]:
    """(name of a new topic, ids of the entries that would move there): the word that most of them share, but not all.

    Empty when no word parts them.
    """
    words = [term_set(entry.text) - STOPPED - term_set(topic) for entry in members]
    counts: Mapping[str, int] = Counter(term for terms in words for term in terms if len(term) > 1 and not term.isdigit())
    fit = [(count, term) for term, count in counts.items() if SPLIT_LEAST <= count / len(members) <= SPLIT_MOST]
    if not fit:
        return "", ()
    chosen = max(fit, key=lambda item: (item[0], item[1]))[1]
    ids = tuple(entry.id for entry, terms in zip(members, words, strict=True) if chosen in terms and not entry.pinned)[:MOST_MOVED]
    return f"{topic}/{chosen}", ids
