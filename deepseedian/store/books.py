"""The books beside the topics: state.json, journal.json and proposals.json, as two devices may both write them.

A sync tool replaces whole files, merges JSON key by key, or leaves conflict copies. What a book lost that
way is known on this device and joined again by id, so nothing of ours is lost; a book is rewritten only
when it lacks something, so that two devices never answer each other for ever.
"""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from deepseedian.core.proposal import Proposal
from deepseedian.core.snapshot import sha256
from deepseedian.errors import BadInput, DeepseedianError, ReadOnly, TooLarge
from deepseedian.store import journal, proposals, state
from deepseedian.store.commit import Change
from deepseedian.store.copies import Copies
from deepseedian.store.history import History
from deepseedian.store.journal import Record
from deepseedian.store.known import SETS, Known
from deepseedian.store.quarantine import Quarantine
from deepseedian.store.seam import Seam
from deepseedian.store.state import State

NAMES = (state.NAME, journal.NAME, proposals.NAME)
OVERVIEW = "MEMORY.md"
_COPIED = re.compile(
    r"(?i)(state|journal|proposals|MEMORY)(?:\.sync-conflict-[^/]*| \d+| ?\(\d+\)|[ ._-]*[(（]?[^/]*(?:conflict|冲突)[^/]*)\.(json|md)")
_RULES_COPY = re.compile(r"(?i)RULES(?:\.sync-conflict-[^/]*| \d+| ?\(\d+\)|[ ._-]*[(（]?[^/]*(?:conflict|冲突)[^/]*)\.md")
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
    """Where a book is rebuilt from: what this device knows, its history, its copies."""

    known: Known
    history: History
    copies: Copies


class Books:
    """The books of one memory folder. `quarantine` keeps bytes that cannot be read; `forgotten` rebuilds a lost state."""

    def __init__(self, root: Path, seam: Seam, device: str, sources: Sources, quarantine: Quarantine,
                 forgotten: Callable[[], State]) -> None:
        self.root, self.seam, self.device, self.quarantine, self.forgotten = root, seam, device, quarantine, forgotten
        self.known, self.history, self.copies = sources.known, sources.history, sources.copies
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
        path = self.root / name
        try:
            data = self.seam.disk.read(path)
        except TooLarge:
            aside = path.with_name(f"{name}.{self.seam.clock.stamp()[:19].replace(':', '')}.set-aside")
            with suppress(OSError):
                self.seam.disk.replace(path, aside)
                self.quarantine.conflicts.append(f"{name}: it was too large to be read and was rebuilt; it is kept at {aside}")
            data = None
        except (OSError, DeepseedianError) as error:
            self.unreadable[name] = str(error)
            return None
        self.unreadable.pop(name, None)
        return data

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
        return found.changed(**{name: items[name] for name in SETS})

    def note(self, *, restored: Iterable[str] = (), **items: Iterable[str]) -> None:
        """Remember on this device what a change of ours, or a conflict copy, put into the sets."""
        self.known.drop("deleted", restored)
        for name, held in items.items():
            self.known.add(name, held)

    # journal.json

    def records(self, data: bytes | None, about: State | None = None) -> tuple[Record, ...]:
        """Oldest first, with the changes of this device that the file lost; never what touched an erased entry."""
        if data is not None and data == self._journal[0]:
            return self._journal[1]
        own: Iterable[Record] = self.history.own(self.device, journal.MOST_RECORDS)
        try:
            found = journal.decoded(data)
        except BadInput:
            self.quarantine.keep(journal.NAME, data or b"", "it could not be read and was rebuilt")
            found, own = (), self.history.records(journal.MOST_RECORDS)
        erased = set(about.erased if about else ())
        there = {item.id for item in found}
        missing = [record for record in (*own, *self._joined) if record.id not in there]
        joined = journal.united(found, missing) if missing else found
        return tuple(record for record in joined if erased.isdisjoint(item.id for item in record.operations)) if erased else joined

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
        if copy is None or copy == data:
            return found
        with suppress(BadInput):
            erased = self.known.items()["erased"]
            own = [item for item in proposals.decoded(copy) if item.id not in erased]
            return proposals.united(own, found)  # ours first: what was proposed here is not changed by a synced file
        return found

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
        if records is None or not {record.id for record in journal.kept(page.records)} <= {record.id for record in records}:
            changes.append(Change(journal.NAME, _hash(page.journal_data), journal.encoded(page.records)))
        found, present = self.proposals(data), _readable(proposals.decoded, data)
        standing = {item.id: item.status for item in present or ()}
        if present is None or any(standing.get(item.id) != item.status for item in proposals.kept(found)):
            changes.append(Change(proposals.NAME, _hash(data), proposals.encoded(found)))
        return changes

    def _other(self, page: Page) -> bool:
        try:
            return state.decoded(page.state_data or b"") != page.state
        except BadInput:
            return True

    def conflict_copies(self) -> list[str]:
        """Names of the conflict copies of books and of the generated overview."""
        names = [path.name for path in self.root.iterdir() if path.suffix in (".json", ".md") and path.is_file()]
        return sorted(name for name in names if name not in (*NAMES, OVERVIEW) and _COPIED.fullmatch(name))

    def rules_copies(self) -> list[str]:
        """Conflict copies of RULES.md: only the owner can tell which rules are meant."""
        return sorted(path.name for path in self.root.glob("RULES*.md") if _RULES_COPY.fullmatch(path.name))

    def join(self, name: str) -> Change | None:
        """Take over what a conflict copy knows, keep its bytes aside, and give the change that removes it."""
        data = self.seam.disk.read(self.root / name)
        if data is None:
            return None
        stem = re.split(r"[ ._(（-]", name, maxsplit=1)[0].lower()
        with suppress(BadInput):  # what cannot be read is kept aside all the same
            self._take(stem, data)
        self.quarantine.keep(name, data, "a sync tool's conflict copy; what it knew was taken over", fault=False)
        return Change(name, sha256(data), None)

    def _take(self, stem: str, data: bytes) -> None:
        if stem == "state":
            found = state.decoded(data)
            self.note(deleted=found.deleted, excluded=found.excluded, erased=found.erased)
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


def _hash(data: bytes | None) -> str:
    return sha256(data) if data is not None else ""
