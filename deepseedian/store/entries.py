"""The store of one memory folder: the snapshot, outside edits, and changes that are all or nothing.

Reads never lock. A change is planned on the snapshot under the write lock, committed with
compare-and-swap on content, and published; an edit from outside is published the same way.
"""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from deepseedian.config.folders import private, state_folder
from deepseedian.core import erasure
from deepseedian.core import operation as operations
from deepseedian.core.entry import Entry, after
from deepseedian.core.markup import Problem, scan
from deepseedian.core.operation import Operation
from deepseedian.core.proposal import Proposal
from deepseedian.core.snapshot import RULES, Difference, Snapshot, advanced, assemble, overview, revision_of, sha256
from deepseedian.errors import (
    AdoptFirst,
    Busy,
    Conflict,
    DeepseedianError,
    MemoryGone,
    NothingToUndo,
    ReadOnly,
    from_os_error,
)
from deepseedian.store import journal, original, proposals, state
from deepseedian.store.books import OVERVIEW, TITLES, Books, Page, Sources
from deepseedian.store.claims import Settled
from deepseedian.store.commit import Change, Commit, records
from deepseedian.store.copies import Copies
from deepseedian.store.disk import below
from deepseedian.store.following import Listener, noting, tell
from deepseedian.store.history import History, Row
from deepseedian.store.instance import Instance, device_id, registered
from deepseedian.store.journal import Record
from deepseedian.store.keeping import Keeping
from deepseedian.store.known import Known
from deepseedian.store.lock import VISIBLE, VaultLock
from deepseedian.store.quarantine import Quarantine
from deepseedian.store.reading import SETTLE_SECONDS, UNKNOWN, Reader
from deepseedian.store.seal import Seal
from deepseedian.store.seam import Seam
from deepseedian.store.vault import Vault

EVERY_RECORD = 1_000_000
_SETTLE_TRIES = 16

Contents = Callable[[str], bytes | None]
Beside = Callable[[str, Record, Contents], tuple[tuple[str, bytes], ...]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a change will do. `deleted`, `restored` and `excluded` go into state.json; `beside` are other
    files of the memory folder that change in the same commit, such as proposals.json. `id` names the record
    where two devices may make the same change."""

    kind: str
    summary: str
    operations: tuple[Operation, ...]
    deleted: frozenset[str] = frozenset()
    restored: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()
    undoes: str = ""
    redoes: str = ""
    origin: str = ""
    id: str = ""
    beside: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The snapshot after a change; `record` is None when there was nothing to do."""

    snapshot: Snapshot
    record: Record | None


class Store:
    """One opened memory folder. `listen` callbacks run after each publication, outside the write lock's commit."""

    def __init__(self, vault: Vault, instance: Instance, seam: Seam, language: Callable[[], str]) -> None:
        self.vault, self.instance, self.seam, self.language = vault, instance, seam, language
        self.device = device_id()
        self.root = vault.memory
        self.quarantine = Quarantine(instance.folder / "quarantine", seam)
        self.history = History(instance.folder / "history.db")
        self.copies = Copies(instance.folder / "copies.db")
        self.known = Known(instance.folder / "known.db")
        if self.known.fresh:  # an earlier version of this program kept no such list, or it was damaged
            self.known.rebuild(self.history.own(self.device, EVERY_RECORD))
        sources = Sources(self.known, self.history, self.copies, Seal(private(state_folder()) / "seal.key"))
        self.books = Books(self.root, seam, self.device, sources, self.quarantine, self._forgotten)
        self.original = original.is_original(self.root, seam.disk)
        self.lock = VaultLock(self.root)
        self.faults: dict[str, str] = self.known.faults()
        self.listeners: list[Listener] = []
        self.mutex = threading.RLock()
        self.reader = Reader(self.root, seam, self.copies, self._ours)
        self.reader.erased = self._erased
        self.keeping = Keeping(self)
        self._texts: dict[str, str] = {}
        self._problems: tuple[Problem, ...] = ()
        self.snapshot = Snapshot(instance.vault_id, {}, {}, {})
        self.opened = False
        self.changed = False

    # Opening

    def open(self, *, settle: bool = False) -> Snapshot:
        """Recover what a kill left, then read everything. Raises nothing for unreadable files.

        `settle` looks a second time at a file that somebody is just saving; a daemon's watcher does that by itself.
        """
        with self.mutex:
            if not self.original:
                self._recover_at_start()
            unsettled = self.refresh(deep=True, first=True)
            self.opened = True
            if unsettled and settle:
                self.seam.clock.sleep(SETTLE_SECONDS + 0.05)
                self.refresh(deep=True)
            if not self.original and self.root.is_dir():
                with suppress(OSError, DeepseedianError):
                    self.mend()
                self._name_newer()
        return self.snapshot

    def _name_newer(self) -> None:
        """A newer version's file makes some changes impossible: health says so before one is refused."""
        try:
            self.books.page()
            self.proposals()
        except ReadOnly as error:
            self.faults["read_only"] = error.message
        except (OSError, DeepseedianError):
            pass  # told elsewhere

    def _recover_at_start(self) -> None:
        if not os.access(self.root, os.W_OK):
            self.faults["read_only"] = "the memory folder cannot be written"
        if not self._commit().leftovers() and not (self.root / VISIBLE).exists():
            return  # reading never writes, not even a lock's record; one that a kill left is cleared away
        try:
            with self.lock.writing(self.seam.token(), self.seam.clock.stamp()):
                self._recover(clean=True)
        except ReadOnly as error:
            self.faults["read_only"] = error.message
        except PermissionError:
            self.faults["read_only"] = "the memory folder cannot be written"
        except Busy:
            pass  # another process is at it: it recovers first, and reading goes on without the lock
        except OSError as error:
            self.faults["disk"] = f"the memory folder cannot be written: {error.strerror}"

    def _recover(self, *, clean: bool = False) -> list[str]:
        if not clean and not records(self.root):
            return []
        recovery = self._commit().recover(clean=clean)
        for conflict in recovery.conflicts:
            self.quarantine.keep(conflict.path, conflict.data, conflict.reason)
        return (["transaction.json"] if recovery.replayed else []) + recovery.cleaned

    def recover_all(self) -> list[str]:
        """Complete or remove what a kill left, under the write lock; returns what was found."""
        return self._recover(clean=True)

    def mend(self) -> list[str]:
        """Write books that cannot be read, or lost what this device knows, anew; returns the names of what was changed."""
        with self.mutex:
            if self.books.oversized():
                with self.lock.writing(self.seam.token(), self.seam.clock.stamp()):
                    self.books.move_oversized()
            changes = self.books.lacking()
            if changes or self.books.conflict_copies():
                with self.lock.writing(self.seam.token(), self.seam.clock.stamp()):
                    self._recover()
                    joined = [change for name in self.books.conflict_copies() if (change := self.books.join(name))]
                    changes = [*self.books.lacking(), *joined]
                    self._commit().run(changes, self.seam.token())
            self.history.add(self.own_records())
        return [change.path for change in changes]

    def _commit(self) -> Commit:
        return Commit(self.root, self.device, self.seam.disk, self.lock.check)

    # Reading

    def refresh(self, *, deep: bool = False, hinted: Iterable[str] = (), first: bool = False) -> bool:
        """Take over edits from outside; True when a file is unsettled and wants another look soon."""
        with self.mutex:
            self._notice_adoption()
            self.reader.erased_here = self.known.erased()
            again = self.reader.refresh(deep=deep, hinted=hinted)
            self._publish(None, first=first)
        return again

    def _notice_adoption(self) -> None:
        """`init --adopt` by another process ends the read-only state of this one."""
        self.original = self.original and self.still_original()

    def still_original(self) -> bool:
        return original.is_original(self.root, self.seam.disk)

    def _publish(self, record: Record | None, *, first: bool = False, revision: str = "") -> Snapshot:
        """Take over what the reader believes; the snapshot of this moment, whatever a listener does next.

        `revision` is that of exactly these files, where the change that made them has worked it out.
        """
        files, known = self.reader.files, self.snapshot.files
        touched = {path for path, file in files.items() if file is not known.get(path)}
        if not touched and files.keys() == known.keys() and not first:
            self._republish_problems()
            return self.snapshot
        if first:
            new = assemble(self.instance.vault_id, files, self.reader.problems)
            change = Difference(added=tuple(new.entries.values()))
        else:
            new, change = advanced(self.snapshot, files, self.reader.problems)
        if revision:
            new.__dict__["revision"] = revision  # a cached property: else all files would be gone through once more
        self.keeping.owed |= touched
        old, self.snapshot = self.snapshot, new
        self._retext(change)
        if record is None and old.revision != new.revision and not first:
            self._note_outside(change)
        tell(self.listeners, new, change, record, self.faults)
        return new

    def _republish_problems(self) -> None:
        """Files that are no topics (a conflict copy, a link) can come and go without a new revision."""
        if self.reader.problems == self._problems and {*self._problems} <= {*self.snapshot.problems}:
            return
        twice = (problem for problem in self.snapshot.problems if problem.code == "duplicate_id")  # known only to whole snapshots
        found = (*self.reader.problems, *twice, *(problem for path in sorted(self.snapshot.files)
                                                  for problem in self.snapshot.files[path].problems))
        if {*found} - {*self.snapshot.problems} or self.reader.problems != self._problems:
            self._problems = self.reader.problems
            self.snapshot = replace(self.snapshot, problems=found)

    def _retext(self, change: Difference) -> None:
        for entry in (*change.removed, *(old for old, _ in change.changed)):
            if self._texts.get(entry.text.strip()) == entry.id:
                del self._texts[entry.text.strip()]
        for entry in (*change.added, *(new for _, new in change.changed)):
            self._texts.setdefault(entry.text.strip(), entry.id)

    def _note_outside(self, change: Difference) -> None:
        row = Row(self.seam.new_id(), self.seam.clock.stamp(), "outside", change.summary(), self.snapshot.revision, False)
        with noting(self.faults):
            self.history.add_outside(row, change)

    def _ours(self) -> dict[str, journal.Ours]:
        """What our own changes did, as the journal has it right now."""
        if self.original:
            return {}
        try:
            return journal.ours([record for record in self.books.page().records if self.books.mine(record)])
        except (OSError, DeepseedianError):
            return {}

    def _erased(self) -> frozenset[str]:
        try:
            return self.forgotten_for_good()
        except (OSError, DeepseedianError):
            return frozenset(self.known.erased())

    def with_text(self, text: str) -> Entry | None:
        """The active entry that says exactly this."""
        found = self._texts.get(text.strip())
        return self.snapshot.entries.get(found) if found else None

    def excluded(self) -> frozenset[str]:
        """Source keys that nothing may be proposed from any more."""
        return frozenset(self.books.page().state.excluded)

    def forgotten(self) -> frozenset[str]:
        """Ids of entries that were forgotten or erased, here or on another device."""
        found = self.books.page().state
        return frozenset((*found.deleted, *found.erased))

    def forgotten_for_good(self) -> frozenset[str]:
        """Ids of entries that were erased."""
        return frozenset(self.books.page().state.erased)

    def content(self, path: str) -> bytes | None:
        """A file's bytes; None where it is absent or cannot be read."""
        try:
            return self.seam.disk.read(self.root / path)
        except (OSError, DeepseedianError):
            return None

    def take_aside(self, path: str, data: bytes, reason: str) -> bool:
        """Move a file that is no topic into quarantine; False when it holds something else by now, or nothing may be written."""
        try:
            with self.mutex, self.lock.writing(self.seam.token(), self.seam.clock.stamp()):
                self.quarantine.keep(path, erasure.blocks(data, path, self.known.erased()), reason, fault=False)
                self._commit().run([Change(path, _hash(data), None)], self.seam.token())
        except (OSError, DeepseedianError):
            return False
        return True

    def records(self) -> tuple[Record, ...]:
        """The journal's records, oldest first."""
        return () if self.original else self.books.page().records

    def proposals(self) -> tuple[Proposal, ...]:
        """What waits for the owner or was decided lately. Raises ReadOnly for a newer version's file."""
        return self.books.proposals(self.books.data(proposals.NAME))

    def own_records(self) -> tuple[Record, ...]:
        """Those that this device made, which are all that `undo` walks: a synced record is a claim, not a proof."""
        return tuple(record for record in self.records() if self.books.mine(record))

    # Changing

    def apply(self, plan: Callable[[Snapshot, Contents], Plan], *, key: str = "") -> Outcome:
        """Plan and commit one change. A repeated idempotency key gives the first outcome again.

        Raises AdoptFirst, MemoryGone, ReadOnly, Busy, Conflict, or what the plan raises; nothing is written then.
        """
        self._check_writable()
        self.follow_folder()
        try:
            with self.mutex, self.lock.writing(self.seam.token(), self.seam.clock.stamp()):
                outcome = self._applied(plan, key)
        except OSError as error:
            raise self._failed(error) from error
        self.faults.pop("disk_full", None)
        return outcome

    def _failed(self, error: OSError) -> DeepseedianError:
        """What a failure of the disk means to the caller; a full one is named in health until a change succeeds."""
        found = from_os_error(error)
        if found.code == "disk_full":
            self.faults["disk_full"] = "the disk is full; nothing can be saved until there is room"
        return found

    def follow_folder(self) -> None:
        """A folder brought back or replaced at our path is another one for the locks: take those over too."""
        with self.mutex:
            if self.lock.current:
                return
            fresh = VaultLock(self.root)
            if self.lock.daemon_held:
                fresh.hold_daemon()
                self.lock.release_daemon()
            self.lock = fresh
            self.instance = registered(self.instance.vault_id, self.root, self.vault.root)

    def _applied(self, plan: Callable[[Snapshot, Contents], Plan], key: str) -> Outcome:
        self._recover()
        self._settled()
        page = self.books.page(writing=True)
        done = next((record for record in page.records if key and record.key == key), None) or self.history.by_key(key)
        if done is not None:
            return Outcome(self.snapshot, done)
        if self.history.spent(key):  # doing it once more would bring the text back
            raise Conflict("what this idempotency key did was erased", "use a new key")
        held: dict[str, bytes | None] = {}
        made = plan(self.snapshot, lambda path: self._content(path, held))
        if not made.operations and not made.excluded:
            self._commit_beside(made, held)
            return Outcome(self.snapshot, None)
        surplus = self._surplus(made.operations, held)
        return self._committed(replace(made, operations=(*surplus, *made.operations)) if surplus else made, held, page, key)

    def _surplus(self, wanted: Sequence[Operation], held: dict[str, bytes | None]) -> list[Operation]:
        """Second blocks of the entries that a change takes or rewrites, as merged copies of a file leave them.

        They go first, what they say differently to the archive: else a forgotten entry would be back at once.
        """
        if not any(problem.code == "duplicate_id" for problem in self.snapshot.problems):
            return []
        ids = {item.id for item in wanted if item.before is not None and item.path.startswith("topics/")}
        paths = [path for path, file in sorted(self.snapshot.files.items())
                 if path.startswith("topics/") and not ids.isdisjoint(entry.id for entry in file.entries)]
        return operations.surplus({path: self._content(path, held) or b"" for path in paths}, ids, self.seam.clock.stamp())

    def _commit_beside(self, made: Plan, held: dict[str, bytes | None]) -> None:
        """Files that are in no revision change without a journal record."""
        changes = self._beside(made, held)
        if changes:
            self._commit().run(changes, self.seam.token())
            self._keep_beside(made)

    def _keep_beside(self, made: Plan) -> None:
        """Proposals are known on this device from the moment they are durable, whatever a sync tool does to the file."""
        for path, data in made.beside:
            self.copies.save(path, sha256(data), data, self.seam.clock.stamp())

    def _beside(self, made: Plan, held: dict[str, bytes | None]) -> list[Change]:
        return [Change(path, _hash(self._content(path, held)), data) for path, data in made.beside]

    def _settled(self) -> None:
        """Wait for files in the middle of being saved. Raises Busy, MemoryGone."""
        for _ in range(_SETTLE_TRIES):
            if not self.refresh():
                break
            self.seam.clock.sleep(0.15)
        else:
            raise Busy("a file of the memory is being saved by another program", "try again in a moment")
        gone = {path: fault for path, fault in self.reader.faults().items() if fault in UNKNOWN and path != RULES}
        if gone:
            raise MemoryGone(f"{', '.join(sorted(gone))}: {next(iter(gone.values()))}; nothing is written until you decide",
                             "deepseedian check --restore brings it back, deepseedian check --accept takes it as it is")

    def _content(self, path: str, held: dict[str, bytes | None]) -> bytes | None:
        if path not in held:
            held[path] = self.seam.disk.read(below(self.root, path))
        return held[path]

    def _committed(self, made: Plan, held: dict[str, bytes | None], page: Page, key: str) -> Outcome:
        for item in made.operations:
            self._content(item.path, held)
        present = {path: data for path, data in held.items() if data is not None}
        contents, done = operations.planned(present, made.operations)
        for path, data in contents.items():
            operations.verify(path, present.get(path), data, done)
        record = self._record(made, tuple(done), contents, key, page)
        new = page.state.changed(deleted=made.deleted, restored=made.restored, excluded=made.excluded)
        records, book = journal.fitted((*page.records, record))
        changes = [Change(path, _hash(held.get(path)), data, held.get(path)) for path, data in sorted(contents.items())]
        changes.append(Change(journal.NAME, _hash(page.journal_data), book, page.journal_data))
        changes += [*_state_change(page, new), *self._beside(made, held)]
        settled = None
        with suppress(DeepseedianError, sqlite3.Error):
            settled = self.known.begin(record)
        self._commit().run(changes, self.seam.token())
        for path, data in contents.items():
            self.reader.wrote(path, data)
        self._noted(made, record, settled)
        self.books.wrote(book, records)
        self.changed = True
        return Outcome(self._publish(record, revision=record.revision), record)

    def _noted(self, made: Plan, record: Record, settled: Settled | None) -> None:
        """The change is saved; what this device fails to note of it now comes from the journal at the next start."""
        with noting(self.faults):
            self.books.note(deleted=made.deleted, excluded=made.excluded, restored=made.restored)
            self.known.finish(settled or self.known.begin(record))
            self.history.add([record])
            self._keep_beside(made)

    def _record(self, made: Plan, done: tuple[Operation, ...], contents: Mapping[str, bytes | None], key: str, page: Page) -> Record:
        revision = revision_of(self.snapshot.files, {path: _hash(data) for path, data in contents.items()})
        last = next((known.at for known in reversed(page.records) if known.device == self.device), "")
        at = max(self.seam.clock.stamp(), after(last))  # a clock that was turned back puts no change before the one it follows
        return self.books.seal.sealed(Record(made.id or self.seam.new_id(), at, self.device, made.kind, made.summary, revision,
                                             done, made.undoes, made.redoes, key, made.origin))

    def _check_writable(self) -> None:
        self._notice_adoption()
        if self.original:
            raise AdoptFirst("this memory was made by the original plugin and is read-only here",
                             f"deepseedian init --adopt {self.vault.root} takes it over, after a backup")
        if self.books.newer:
            raise ReadOnly("this memory was written by a newer version", "upgrade this installation")
        if not self.root.is_dir():
            raise MemoryGone(f"{self.root} is gone; the last snapshot is served",
                             "deepseedian check --restore brings it back")

    def _forgotten(self) -> state.State:
        """A state rebuilt from the archive."""
        found = [entry for entry in self.snapshot.archive.values() if entry.meta.get("status") == "forgotten"]
        keys = {key for entry in found for key in entry.source_keys}
        return state.State(self.instance.vault_id, tuple(sorted(entry.id for entry in found)), tuple(sorted(keys)))

    def derive(self) -> bool:
        """Bring MEMORY.md up to date, for people; True when it was rewritten. Never worth failing anything for."""
        if self.original or not self.root.is_dir() or self.reader.faults():
            return False  # while a file is unknown, two devices would answer each other's overview for ever
        text = overview(self.snapshot, TITLES.get(self.language(), TITLES["en"])).encode()
        path = self.root / OVERVIEW
        with suppress(OSError, DeepseedianError):
            if self.seam.disk.read(path) == text:
                return False
            temporary = self.root / f".deepseedian-{self.device}-{self.seam.token()}-overview.tmp"
            self.seam.disk.write_new(temporary, text, 0o644)
            self.seam.disk.replace(temporary, path)
            return True
        return False

    # Erasing, which is planned in erasure.py

    @contextmanager
    def writing(self, *, clean: bool = False) -> Iterator[None]:
        """The write lock over files that nobody is just saving. Raises what `apply` raises."""
        self._check_writable()
        self.follow_folder()
        try:
            with self.mutex, self.lock.writing(self.seam.token(), self.seam.clock.stamp()):
                self._recover(clean=clean)
                self._settled()
                yield
        except OSError as error:
            raise self._failed(error) from error
        self.faults.pop("disk_full", None)

    def commit(self, changes: Sequence[Change]) -> None:
        """All or nothing, inside `writing`."""
        self._commit().run(changes, self.seam.token())

    def published(self, record: Record | None) -> Snapshot:
        self.changed = True
        return self._publish(record)

    def recorded(self, kind: str, summary: str, done: tuple[Operation, ...], contents: Mapping[str, bytes | None], page: Page) -> Record:
        return self._record(Plan(kind, summary, done), done, contents, "", page)

    # Undo

    def step_back(self, beside: Beside) -> Outcome:
        """Undo the newest change by our doors that is not undone yet. Raises NothingToUndo, EditedSince."""
        return self.apply(lambda snapshot, contents: self._step("undo", beside, contents))

    def step_forward(self, beside: Beside) -> Outcome:
        """Repeat the change undone last. Raises NothingToUndo, EditedSince."""
        return self.apply(lambda snapshot, contents: self._step("redo", beside, contents))

    def _step(self, kind: str, beside: Beside, contents: Contents) -> Plan:
        found = journal.stacks(self.own_records())
        stack = found.undo if kind == "undo" else found.redo
        if not stack:
            raise NothingToUndo(f"there is nothing to {kind}", "deepseedian history shows what happened")
        change, record = stack[-1]
        return replace(self.reversal(kind, change, record), origin=record.origin, beside=beside(kind, record, contents))

    def reversal(self, kind: str, change: str, record: Record) -> Plan:
        """The plan that takes a record's operations back. Sources of what vanishes stay excluded for good."""
        back = tuple(item.inverse() for item in reversed(record.operations))
        active = [item for item in back if item.path.startswith("topics/")]
        deleted = frozenset(item.id for item in active if item.after is None) - {i.id for i in active if i.after is not None}
        restored = frozenset(item.id for item in active if item.before is None)
        lost = frozenset(key for item in active if item.before for key in _lost_keys(item))
        summary = f"{kind}: {record.summary.removeprefix('undo: ').removeprefix('redo: ')}"
        return Plan(kind, summary, back, deleted, restored, lost if kind == "undo" else frozenset(),
                    undoes=change if kind == "undo" else "", redoes=change if kind == "redo" else "")

    # Looking

    def unknown(self) -> dict[str, str]:
        """Path → why its last good content is served."""
        return self.reader.faults()

    def problems(self) -> Sequence[Problem]:
        return self.snapshot.problems

    def close(self) -> None:
        with suppress(OSError, DeepseedianError):
            self.keeping.save()
            if self.changed:
                self.derive()
        self.history.close()
        self.copies.close()
        self.known.close()


def _hash(data: bytes | None) -> str:
    return sha256(data) if data is not None else ""


def _state_change(page: Page, new: state.State) -> list[Change]:
    if page.state_data is not None and state.encoded(new) == page.state_data:
        return []
    return [Change(state.NAME, _hash(page.state_data), state.encoded(new))]


def _lost_keys(item: Operation) -> set[str]:
    return _keys_of(item.before) - _keys_of(item.after)


def _keys_of(block: str | None) -> set[str]:
    blocks = scan(block.encode(), "topics/x.md").blocks if block else ()
    return {key for found in blocks for key in found.entry.source_keys}
