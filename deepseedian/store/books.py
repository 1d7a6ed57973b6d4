"""The books beside the topics: state.json, journal.json and proposals.json, as two devices may both write them.

A sync tool replaces whole files, merges JSON key by key, or leaves conflict copies. What a book lost that
way is known on this device and joined again by id, so nothing of ours is lost; a book is rewritten only
when it lacks something, so that two devices never answer each other for ever.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from deepseedian.core import erasure
from deepseedian.core.proposal import Proposal
from deepseedian.core.snapshot import sha256
from deepseedian.errors import BadInput, DeepseedianError, ReadOnly
from deepseedian.store import journal, proposals, state
from deepseedian.store.commit import Change
from deepseedian.store.copies import Copies
from deepseedian.store.disk import FILE_LIMIT, below
from deepseedian.store.history import History
from deepseedian.store.journal import Record
from deepseedian.store.known import Known
from deepseedian.store.quarantine import Quarantine
from deepseedian.store.seal import Seal
from deepseedian.store.seam import Seam
from deepseedian.store.state import State

NAMES = (state.NAME, journal.NAME, proposals.NAME)
OVERVIEW = "MEMORY.md"
TITLES = {"en": "Memory (generated, edit topics instead)", "zh": "记忆索引（自动生成，请修改 topics 里的条目）"}
COPY_LIMIT = 8_000_000
# The names that Syncthing, Dropbox and its like, Obsidian Sync, iCloud, Google Drive and OneDrive give; nothing else is ours to move.
_SUFFIX = (r"(?:\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?| ?[(（][^()（）]*(?:[Cc]onflicted copy|冲突副本)[^()（）]*[)）]"
           r"| \d{1,2}| ?\(\d{1,2}\)|-(?=[A-Z0-9-]{0,14}[A-Z])[A-Z0-9-]{3,15})")
_COPIED = re.compile(rf"(state|journal|proposals)(?={_SUFFIX}\.json){_SUFFIX}\.json|(MEMORY){_SUFFIX}\.md")
_RULES_COPY = re.compile(rf"RULES{_SUFFIX}\.md")
T = TypeVar("T")


@dataclass(slots=True)
class Page:
    """state.json and journal.json as read, joined with what this device knows, and their bytes for compare-and-swap."""

    state: State
    state_data: bytes | None
    records: tuple[Record, ...]
    journal_data: bytes | None


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a book is rebuilt from: what this device knows, its history, its copies; and the proof of what it wrote."""

    known: Known
    history: History
    copies: Copies
    seal: Seal


class Books:
    """The books of one memory folder. `quarantine` keeps bytes that cannot be read; `forgotten` rebuilds a lost state."""

    def __init__(self, root: Path, seam: Seam, device: str, sources: Sources, quarantine: Quarantine,
                 forgotten: Callable[[], State]) -> None:
        self.root, self.seam, self.device, self.quarantine, self.forgotten = root, seam, device, quarantine, forgotten
        self.known, self.history, self.copies = sources.known, sources.history, sources.copies
        self.seal = sources.seal
        self.newer = False
        self.unreadable: dict[str, str] = {}
        self._journal: tuple[bytes | None, tuple[Record, ...]] = (None, ())
        self._joined: tuple[Record, ...] = ()

    def page(self, *, writing: bool = False) -> Page:
        """Raises ReadOnly for a newer version's files; what cannot be read as what it is is set aside and rebuilt.

        A book that may not be read at all is unknown: what this device knows is served, and for `writing` ReadOnly is raised.
        """
        state_data, journal_data = self.data(state.NAME), self.data(journal.NAME)
        if writing and self.unreadable:
            name, reason = next(iter(self.unreadable.items()))
            raise ReadOnly(f"{name} cannot be read: {reason}", "check its permissions")
        found = self.state(state_data)
        return Page(found, state_data, self.records(journal_data, found), journal_data)

    def data(self, name: str) -> bytes | None:
        """A book's bytes; None when it is absent, may not be read, or is longer than any book of ours."""
        try:
            data = self.seam.disk.read(below(self.root, name))
        except (OSError, DeepseedianError) as error:
            self.unreadable[name] = str(error)
            return None
        self.unreadable.pop(name, None)
        return data

    def oversized(self) -> list[str]:
        """Names of books that are longer than any book of ours."""
        return [name for name in NAMES if _size(self.root / name) > FILE_LIMIT]

    def move_oversized(self) -> None:
        """Beside, unread, so that they can be rebuilt. The caller holds the write lock."""
        for name in self.oversized():
            aside = self.root / f"{name}.{self.seam.clock.stamp()[:19].replace(':', '')}.set-aside"
            self.seam.disk.replace(self.root / name, aside)
            self.quarantine.conflicts.append(f"{name}: it was too large to be read and was rebuilt; it is kept at {aside}")

    # state.json

    def state(self, data: bytes | None) -> State:
        """With the items that the file lost but this device knows. Raises ReadOnly."""
        try:
            found = state.decoded(data or b"")
        except BadInput:
            if data is not None:
                self.quarantine.keep(state.NAME, data, "it could not be read and was rebuilt")
            found = self.forgotten()
        self.newer = found.version > state.VERSION
        if self.newer:
            raise ReadOnly("this memory was written by a newer version", "upgrade this installation")
        items = self.known.items()
        return found.changed(deleted=items["deleted"], excluded=items["excluded"], erased=items["erased"] | items["elsewhere"])

    def note(self, *, restored: Iterable[str] = (), **items: Iterable[str]) -> None:
        """Remember on this device what a change of ours, or a conflict copy, put into the sets."""
        self.known.drop("deleted", restored)
        for name, held in items.items():
            self.known.add(name, held)

    # journal.json

    def records(self, data: bytes | None, about: State | None = None) -> tuple[Record, ...]:
        """Oldest first, with the changes of this device that the file lost; never what was erased here, or forged in our name."""
        if data is not None and data == self._journal[0]:
            return self._journal[1]
        try:
            found = journal.decoded(data)
        except BadInput:
            self.quarantine.keep(journal.NAME, data or b"", "it could not be read and was rebuilt")
            found = ()
        own = {record.id: record for record in self.history.own(self.device, journal.MOST_RECORDS)}
        found = tuple(record for record in found if self.mine(record, own) or record.device != self.device)
        there = {item.id for item in found}
        missing = [record for record in (*own.values(), *self._joined) if record.id not in there]
        missing = [*self.without(missing, set(about.erased if about else ()))]
        joined = journal.united(found, missing) if missing else found
        erased = self.known.erased()
        return self.without(joined, erased) if erased else joined

    def without(self, records: Iterable[Record], ids: Set[str]) -> tuple[Record, ...]:
        """The records without what was done to these entries; one of ours is sealed again, as undo still walks it."""
        pairs = [(record, journal.without(record, ids)) for record in records]
        return tuple(self.seal.sealed(left) if left != record and self.mine(record) else left for record, left in pairs if left)

    def mine(self, record: Record, own: Mapping[str, Record] | None = None) -> bool:
        """Whether this device made a record: it is sealed, or our history has the very same."""
        if record.device != self.device:
            return False
        if self.seal.valid(record):
            return True
        own = {item.id: item for item in self.history.own(self.device, journal.MOST_RECORDS)} if own is None else own
        return own.get(record.id) == record

    def wrote(self, data: bytes, records: tuple[Record, ...]) -> None:
        """The journal as we have just written it: the next change need not read it apart again."""
        self._journal = (data, records)

    # proposals.json

    def proposals(self, data: bytes | None) -> tuple[Proposal, ...]:
        """Every proposal, with those that the file lost but this device wrote. Raises ReadOnly."""
        copy = self.copies.current(proposals.NAME)
        try:
            found = proposals.decoded(data)
        except BadInput:
            self.quarantine.keep(proposals.NAME, data or b"", "it could not be read and was rebuilt")
            found = ()
        erased = self.known.erased()
        if copy is not None and copy != data:
            elsewhere = erased | {*self.state(self.data(state.NAME)).erased}
            own = [left for item in _readable(proposals.decoded, copy) or () if (left := erasure.kept(item, elsewhere))]
            found = proposals.united(own, found)  # ours first: what was proposed here is not changed by a synced file
        return tuple(left for item in found if (left := erasure.kept(item, erased))) if erased else found

    # Joining

    def lacking(self) -> list[Change]:
        """What brings each book up to what is known here; nothing for a book that lacks nothing."""
        changes, page = [], self.page()
        data = self.data(proposals.NAME)
        if self.unreadable:
            return []
        if page.state_data is None or self._other(page):
            changes.append(Change(state.NAME, _hash(page.state_data), state.encoded(page.state)))
        records = _readable(journal.decoded, page.journal_data)
        erased = self.known.erased()
        if records is None or not {record.id for record in journal.kept(page.records)} <= {record.id for record in records} or any(
                journal.without(record, erased) != record for record in records):
            changes.append(Change(journal.NAME, _hash(page.journal_data), journal.encoded(page.records)))
        found, present = self.proposals(data), _readable(proposals.decoded, data)
        standing = {item.id: item.status for item in present or ()}
        if present is None or any(standing.get(item.id) != item.status for item in proposals.kept(found)) or any(
                erasure.kept(item, erased) != item for item in present):
            changes.append(Change(proposals.NAME, _hash(data), proposals.encoded(found)))
        return changes

    def _other(self, page: Page) -> bool:
        try:
            return state.decoded(page.state_data or b"") != page.state
        except BadInput:
            return True

    def conflict_copies(self) -> list[str]:
        """Names of the conflict copies of books and of the generated overview: by name and by content, nothing of the owner's."""
        names = sorted(path.name for path in self.root.iterdir() if path.suffix in (".json", ".md"))
        return [name for name in names if (found := _COPIED.fullmatch(name)) and self._is_copy(found[1] or found[2], name)]

    def _is_copy(self, book: str, name: str) -> bool:
        try:
            data = self.seam.disk.read(self.root / name, COPY_LIMIT) or b""
            if book == "state":
                return state.decoded(data).version <= state.VERSION
            if book == "MEMORY":
                return data.decode().startswith(tuple(f"# {title}" for title in TITLES.values()))
            return bool(data) and (journal.decoded(data) is not None if book == "journal" else proposals.decoded(data) is not None)
        except (OSError, DeepseedianError, UnicodeDecodeError):
            return False

    def rules_copies(self) -> list[str]:
        """Conflict copies of RULES.md: only the owner can tell which rules are meant."""
        return sorted(path.name for path in self.root.glob("RULES*.md") if _RULES_COPY.fullmatch(path.name))

    def join(self, name: str) -> Change | None:
        """Take over what a conflict copy knows, keep its bytes aside, and give the change that removes it."""
        data = self.seam.disk.read(self.root / name)
        if data is None:
            return None
        found = _COPIED.fullmatch(name)
        self._take((found[1] or found[2]) if found else "", data)
        kept = erasure.without(data, self.known.erased())
        self.quarantine.keep(name, kept, "a sync tool's conflict copy; what it knew was taken over", fault=False)
        return Change(name, sha256(data), None)

    def _take(self, stem: str, data: bytes) -> None:
        if stem == "state":
            found = state.decoded(data)
            self.note(deleted=found.deleted, excluded=found.excluded, elsewhere=found.erased)  # what was erased here is known here
        elif stem == "journal":
            self._joined = journal.united(self._joined, journal.decoded(data))
        elif stem == "proposals":
            joined = proposals.united(self.proposals(self.data(proposals.NAME)), proposals.decoded(data))
            encoded = proposals.encoded(joined)
            self.copies.save(proposals.NAME, sha256(encoded), encoded, self.seam.clock.stamp())


def _readable(decode: Callable[[bytes | None], tuple[T, ...]], data: bytes | None) -> tuple[T, ...] | None:
    """None for a book that cannot be read."""
    try:
        return decode(data)
    except DeepseedianError:
        return None


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _hash(data: bytes | None) -> str:
    return sha256(data) if data is not None else ""
