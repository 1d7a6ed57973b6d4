"""Taking over what other programs remember: as proposals for the owner, or as entries of trust `external`.

Whatever a file claims, nothing becomes the owner's word by being imported. Each item is looked at alone; what is there,
was forgotten or erased stays as it is, so that importing twice changes nothing. Ids come from the text (or are the
item's own), never from a clock, and no clock of a file is believed to be ahead of ours.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from deepseedian.core import operation, topic, unseen
from deepseedian.core.entry import DEFAULT_TOPIC, IMPORTED, KINDS, SOURCE_LIMIT, derived, stamp
from deepseedian.core.operation import Operation
from deepseedian.core.proposal import Draft
from deepseedian.core.snapshot import Snapshot
from deepseedian.core.statement import named
from deepseedian.core.text import cut
from deepseedian.errors import BadInput, DeepseedianError
from deepseedian.memory import changes
from deepseedian.memory.review import Review
from deepseedian.store.disk import FILE_LIMIT
from deepseedian.store.entries import Contents, Plan, Store
from deepseedian.store.offered import Offered
from deepseedian.store.proposals import MOST_OPEN

WAYS = ("proposals", "external")
MOST_ITEMS = 20_000
MOST_REFUSED = 200  # told of in one answer
FREE = 10  # places in the queue that an import leaves for what comes up in conversations
AHEAD_SECONDS = 86_400
# Of one commit: its record must be read again, and JSON with too many brackets is refused.
COMMIT_ITEMS, COMMIT_CHARS, COMMIT_BRACKETS = 10_000, 5_000_000, 60_000
TOPIC_BYTES = FILE_LIMIT // 2  # a file over the limit is not read at all: the rest is for what its owner adds
REASONS = {"en": "Imported from {0}.", "zh": "导入自 {0}。"}
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.I)
_LABEL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


@dataclass(frozen=True, slots=True)
class Item:
    """An item as it would be written; `place` is where it stands in its file."""

    id: str
    text: str
    topic: str
    source: str
    at: str
    kind: str
    place: str

    def meta(self, trust: str) -> dict[str, object]:
        found = {"id": self.id, "createdAt": self.at, "source": self.source, "kind": self.kind, "trust": trust}
        return {name: value for name, value in found.items() if value}


@dataclass(slots=True)
class Sorted:
    """The items of an import by what becomes of them; `before` counts what was here and is not brought back, `refused` are (place, why)."""

    fresh: list[Item] = field(default_factory=list)
    there: int = 0
    before: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)


def items(rows: Sequence[object], wanted: str, now: str, language: str) -> tuple[list[Item], list[tuple[str, str]], int]:
    """Rows from outside as items, with those refused and the number that says what an earlier one says.

    `wanted` is the topic for all of them. Raises BadInput, BadTopic.
    """
    if len(rows) > MOST_ITEMS:
        raise BadInput(f"{len(rows)} items at once, {MOST_ITEMS} are allowed", "send them in parts")
    if wanted:
        topic.checked(wanted)
    found: dict[str, Item] = {}
    texts: set[str] = set()
    refused: list[tuple[str, str]] = []
    twice = 0
    for number, given in enumerate(rows, 1):
        row = given if isinstance(given, Mapping) else {}
        place = _label(_said(row, "place")) or f"item {number}"
        try:
            item = _item(row, place, wanted, now, language)
        except DeepseedianError as error:
            refused.append((place, error.message))
            continue
        if item.text in texts:
            twice += 1
            continue
        if item.id in found:
            item = _with_own_id(item)
        texts.add(item.text)
        found[item.id] = item
    return list(found.values()), refused, twice


def _item(row: Mapping[str, object], place: str, wanted: str, now: str, language: str) -> Item:
    text = _said(row, "text").strip()
    source, kind = _label(_said(row, "source")), _said(row, "kind")
    source = cut(IMPORTED[language] + (source or place), SOURCE_LIMIT)
    kind = kind if kind in KINDS else ""
    changes.check_new(text, source, kind, "external", allow_secret=False)
    changes.check_secret(source, allowed=False)
    if hidden := unseen.find(text):
        raise BadInput(f"the text holds a character that nobody sees: {hidden}")
    key = _said(row, "id").lower()
    made = key if _UUID.fullmatch(key) else derived("import", text)
    return Item(made, text, wanted or _topic(_said(row, "topic")), source, _time(_said(row, "createdAt"), now), kind, place)


def _with_own_id(item: Item) -> Item:
    return Item(derived("import", item.text), item.text, item.topic, item.source, item.at, item.kind, item.place)


def _said(row: Mapping[str, object], name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""


def _label(text: str) -> str:
    """One line without anything that hides or breaks it."""
    return " ".join(unseen.without(_LABEL.sub(" ", text)).split())


def _topic(name: str) -> str:
    try:
        return topic.checked(name)
    except DeepseedianError:
        return named(name) or DEFAULT_TOPIC


def _time(text: str, now: str) -> str:
    """A time as we write it; now for what is none, is before 1970 or is more than a day ahead."""
    try:
        found = datetime.fromisoformat(text)
        seconds = (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return now
    return stamp(seconds) if 0 <= seconds <= datetime.fromisoformat(now).timestamp() + AHEAD_SECONDS else now


def sorted_out(found: Iterable[Item], snapshot: Snapshot, store: Store) -> Sorted:
    """What is new, what is there, and what was forgotten, erased or superseded and is not brought back."""
    known = Sorted()
    ended = {entry.text.strip() for entry in snapshot.archive.values()}
    gone = snapshot.archive.keys() | store.forgotten_for_good()
    for item in found:
        if item.id in snapshot.entries or store.with_text(item.text) is not None:
            known.there += 1
        elif item.id in gone or item.text in ended:
            known.before += 1
        else:
            known.fresh.append(item)
    return known


def portions(found: Iterable[Item]) -> Iterator[list[Item]]:
    """What one commit can hold, mostly all of it."""
    portion: list[Item] = []
    chars = brackets = 0
    for item in found:
        more = item.text.count("[") + item.text.count("{") + 3
        if portion and (len(portion) >= COMMIT_ITEMS or chars + len(item.text) > COMMIT_CHARS or brackets + more > COMMIT_BRACKETS):
            yield portion
            portion, chars, brackets = [], 0, 0
        portion.append(item)
        chars, brackets = chars + len(item.text), brackets + more
    if portion:
        yield portion


class Importing:
    """Imports into one store."""

    def __init__(self, review: Review, offered: Offered) -> None:
        self.review, self.store, self.offered = review, review.store, offered

    # As entries

    def write(self, found: Sequence[Item], about: str) -> tuple[Sorted, list[str], int]:
        """All that is new as entries of trust `external`: what became of the items, the ids written, the number of changes."""
        total, ids, count = Sorted(), list[str](), 0
        for portion in portions(found):
            done = Sorted()
            outcome = self.store.apply(lambda snapshot, contents, portion=portion, done=done:  # type: ignore[misc]
                                       self._plan(portion, about, done, snapshot, contents))
            written = [item.id for item in outcome.record.operations] if outcome.record else []
            ids += written
            count += bool(written)
            total.there, total.before = total.there + done.there, total.before + done.before
            total.refused += done.refused
        return total, ids, count

    def _plan(self, portion: Sequence[Item], about: str, done: Sorted, snapshot: Snapshot, contents: Contents) -> Plan:
        """Asked under the lock: what was written a moment ago is there."""
        known = sorted_out(portion, snapshot, self.store)
        done.there, done.before, done.refused = known.there, known.before, known.refused
        paths: dict[str, list[Item]] = {}
        names: dict[str, str] = {}
        for item in known.fresh:
            same = topic.identity(item.topic)
            path = names.get(same) or names.setdefault(same, changes.topic_path(snapshot, item.topic))
            paths.setdefault(path, []).append(item)
        made: list[Operation] = []
        for path, wanted in paths.items():
            try:
                made += self._appended(path, contents(path), wanted)
            except BadInput as error:
                done.refused += [(item.place, error.message) for item in wanted]
        return Plan("import", f"import: {len(made)} from {about}", tuple(made), restored=frozenset(item.id for item in made),
                    origin="import")

    def _appended(self, path: str, content: bytes | None, wanted: Sequence[Item]) -> list[Operation]:
        """Raises BadInput for a file that cannot take them."""
        found = operation.appended(path, content, ((item.meta("external"), item.text) for item in wanted), self.store.vault.family)
        if len(content or b"") + sum(len((item.after or "").encode()) for item in found) > TOPIC_BYTES:
            raise BadInput(f"{path} would be over {TOPIC_BYTES} bytes long", "--topic puts them elsewhere")
        return found

    # As proposals

    def propose(self, found: Sequence[Item], *, dry: bool = False) -> tuple[Sorted, list[str], str, int]:
        """As many of them as the queue has room for: what became of the items, the proposals made, their note, how many wait.

        The rest waits in its file: the same import goes on with it once these are decided.
        """
        known = sorted_out(found, self.store.snapshot, self.store)
        open_ones = {item.id for item in self.review.all() if item.open}
        offered = self.offered.all()
        room = max(0, MOST_OPEN - FREE - len(open_ones))
        drafts: list[tuple[Item, Draft]] = []
        waiting = 0
        for item in known.fresh:
            draft = self._draft(item)
            if draft.id in offered or draft.id in open_ones:
                known.there += draft.id in open_ones
                known.before += draft.id not in open_ones
            elif len(drafts) >= room or len(known.refused) >= MOST_REFUSED:
                waiting += 1
            elif reason := self.review.refusal(draft):
                known.refused.append((item.place, reason))
            else:
                drafts.append((item, draft))
        known.fresh = [item for item, _ in drafts]
        if dry or not drafts:
            return known, [], "", waiting
        batch = self.review.propose([draft for _, draft in drafts], "import")
        made = {item.id for item in batch.proposals}
        known.refused += zip((item.place for item, draft in drafts if draft.id not in made), batch.left_out, strict=False)
        known.fresh = [item for item, draft in drafts if draft.id in made]
        self.offered.add(made)
        return known, [item.id for item in batch.proposals], batch.note, waiting

    def _draft(self, item: Item) -> Draft:
        """Approved, it is an entry with its own date and source; the owner's yes makes it more than external, not their own word."""
        reason = REASONS[self.review.language].format(item.place)
        return Draft("add", item.text, reason, topic=item.topic, kind=item.kind, trust="system_derived",
                     id=derived("import", "proposal", item.id), meta=tuple(item.meta("system_derived").items()))
