"""The store's part of erasing: one commit takes entries out of topics, archive, journal and proposals.

What is to go is found under the write lock, so that no edit slips in between, and noted on this device before
anything is written: what was noted is finished after a kill, what was refused is forgotten again.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from deepseedian.core import erasure
from deepseedian.core.erasure import Wanted
from deepseedian.core.markup import scan
from deepseedian.core.operation import Operation
from deepseedian.core.proposal import Proposal
from deepseedian.core.snapshot import sha256
from deepseedian.errors import DeepseedianError
from deepseedian.store import journal, proposals, state
from deepseedian.store.books import Page
from deepseedian.store.commit import Change
from deepseedian.store.journal import Record

if TYPE_CHECKING:
    from deepseedian.store.entries import Store

NOTHING = {"entries": 0, "journal": 0, "proposals": 0}


class Erasure:
    """Erasures of one store."""

    def __init__(self, store: "Store") -> None:
        self.store = store

    @contextmanager
    def writing(self) -> Iterator[None]:
        """The write lock over a folder without leftovers. Raises what `apply` raises."""
        with self.store.writing(clean=True):
            yield

    def begin(self, entry_id: str, what: Wanted, document: object) -> dict[str, int]:
        """Note what goes, and take it out; what is refused is not noted any more. Inside `writing`."""
        noted = entry_id in self.store.known.erasing()
        self.store.known.begin_erasing(entry_id, document)
        try:
            return self.take(what)
        except (OSError, DeepseedianError):
            if not noted and not any(self.store.root.glob("transaction*.json")):  # else it is decided, and completed
                with suppress(DeepseedianError):
                    self.store.known.end_erasing(entry_id)
            raise

    def take(self, what: Wanted) -> dict[str, int]:
        """How much was removed, by place; repeating it is harmless. Inside `writing`."""
        page, held = self.store.books.page(writing=True), dict[str, bytes | None]()
        taken = self._without(what, held)
        records = self.store.books.without(page.records, {*what.ids})
        known = self.store.books.proposals(self.store.content(proposals.NAME))
        left = tuple(found for item in known if (found := erasure.proposal(item, what)) is not None)
        erased = frozenset((*what.ids, *what.proposals))
        new = page.state.changed(deleted=frozenset(what.ids), excluded=frozenset(what.sources), erased=erased)
        record = self._record(what, taken, held, page)
        fresh = (*records, *([record] if record else []))
        changes = [Change(path, sha256(held[path] or b""), data) for path, data in sorted(taken.items())]
        changes += self._books(page, new, fresh, known, left)
        if changes:
            self.store.commit(changes)
            self._took_over(what, taken, record, left if left != known else None)
            self.store.books.wrote(journal.encoded(fresh), journal.kept(fresh))
            self.store.published(record)
        self.store.books.note(deleted=what.ids, excluded=what.sources, erased=erased)
        return {"entries": len({item.id for item in record.operations}) if record else 0,
                "journal": len({*page.records} - {*records}), "proposals": len(known) - len(left)}

    def _without(self, what: Wanted, held: dict[str, bytes | None]) -> dict[str, bytes]:
        """Every topic, archive file and conflict copy that holds one of these entries, without it."""
        copies = [problem.file for problem in self.store.snapshot.problems if problem.code == "conflict_copy"]
        found: dict[str, bytes] = {}
        for path in sorted({*self.store.snapshot.files, *copies}):
            data = self.store.content(path) if path.startswith(("topics/", "archive/")) else None
            new = erasure.blocks(data, path, {*what.ids}, what.texts) if data is not None else None
            if new is not None and new != data:
                found[path], held[path] = new, data
        return found

    def _record(self, what: Wanted, taken: Mapping[str, bytes], held: Mapping[str, bytes | None], page: Page) -> Record | None:
        """What the journal tells every device: which entries left which files, and how those files are now."""
        gone = {path: sorted({block.entry.id for block in scan(held[path] or b"", path).blocks} & {*what.ids}) for path in taken}
        done = tuple(Operation(path, item, "", None, result=sha256(taken[path])) for path, ids in sorted(gone.items()) for item in ids)
        return self.store.recorded(journal.ERASE, f"erase: {len(what.ids)} entries", done, taken, page) if done else None

    def _books(self, page: Page, new: state.State, records: tuple[Record, ...], known: tuple[Proposal, ...],
               left: tuple[Proposal, ...]) -> list[Change]:
        changes = []
        if records != page.records:
            changes.append(Change(journal.NAME, _hash(page.journal_data), journal.encoded(records)))
        if new != page.state:
            changes.append(Change(state.NAME, _hash(page.state_data), state.encoded(new)))
        if left != known:
            changes.append(Change(proposals.NAME, _hash(self.store.content(proposals.NAME)), proposals.encoded(left)))
        return changes

    def _took_over(self, what: Wanted, taken: Mapping[str, bytes], record: Record | None, left: tuple[Proposal, ...] | None) -> None:
        """It is committed; what this device fails to note of it now is noted when the erasure is finished."""
        for path, data in taken.items():
            if path in self.store.reader.files:
                self.store.reader.wrote(path, data)
        with suppress(DeepseedianError):
            if record is not None:
                self.store.history.add([record])
            if left is not None:
                data = proposals.encoded(left)
                self.store.copies.save(proposals.NAME, sha256(data), data, self.store.seam.clock.stamp())


def _hash(data: bytes | None) -> str:
    return sha256(data) if data is not None else ""
