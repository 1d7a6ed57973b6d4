"""Keeping the last good content of every file on this device, and bringing it back when the owner says so.

A vanished or emptied file is never forgotten by itself: `restore` writes its last good content where it
was, `accept` believes the folder as it is.
"""

from typing import TYPE_CHECKING

from deepseedian.core.markup import encode, heading
from deepseedian.core.snapshot import sha256
from deepseedian.store import proposals, state
from deepseedian.store.disk import FILE_LIMIT
from deepseedian.store.reading import UNKNOWN

if TYPE_CHECKING:
    from deepseedian.store.entries import Store

_SETTLE_TRIES = 16


class Keeping:
    """The copies of one store. `owed` are the paths that changed since they were copied last."""

    def __init__(self, store: "Store") -> None:
        self.store, self.seam, self.root, self.copies = store, store.seam, store.root, store.copies
        self.owed: set[str] = set()

    def save(self, limit: int = FILE_LIMIT) -> None:
        """Keep the last good content of every file up to `limit` bytes that changed since the last call."""
        with self.store.mutex:
            for path in sorted(self.owed):
                file = self.store.snapshot.files.get(path)
                if file is not None and file.size > limit:
                    continue
                self.owed.discard(path)
                data = None if file is None or file.fault else self.seam.disk.read(self.root / path)
                if data is not None and file is not None and sha256(data) == file.sha256:
                    self.copies.save(path, file.sha256, data, self.seam.clock.stamp())
            if not self.store.original:
                self._save_books()

    def _save_books(self) -> None:
        """As joined with what this device knows: a sync tool's older file must not become the last good one."""
        data = self.store.books.data(state.NAME)
        found = self.store.books.proposals(self.store.books.data(proposals.NAME))
        for path, content in ((state.NAME, data), (proposals.NAME, proposals.encoded(found) if found else None)):
            if content:
                self.copies.save(path, sha256(content), content, self.seam.clock.stamp())

    def again(self) -> None:
        """After copies were dropped: keep the present content of every file, so that it can be brought back."""
        self.owed |= self.store.snapshot.files.keys()
        self.save()

    def restore(self) -> list[str]:
        """Bring vanished and emptied files back from the copies; returns their paths."""
        store = self.store
        with store.mutex:
            store.refresh(deep=True)
            gone = sorted(path for path, fault in store.unknown().items() if fault in UNKNOWN)
            self.root.mkdir(parents=True, exist_ok=True)
            store.follow_folder()
            with store.lock.writing(self.seam.token(), self.seam.clock.stamp()):
                for path in gone:
                    self._restore(path)
            store.refresh(deep=True)
        return gone

    def _restore(self, path: str) -> None:
        data = self._last_good(path)
        target = self.root / path
        self.seam.disk.make_folder(target.parent)
        temporary = target.with_name(f".deepseedian-{self.store.device}-{self.seam.token()}-restore.tmp")
        self.seam.disk.write_new(temporary, data, 0o644)
        current = self.seam.disk.read(target)
        if current is None:
            self.seam.disk.publish(temporary, target)
        elif self.seam.disk.exchange(temporary, target):
            current = self.seam.disk.read(temporary)  # what stood there at that very moment
        else:
            self.seam.disk.replace(temporary, target)
        if current:
            self.store.quarantine.keep(path, current, "it was replaced by its last good copy")
        self.seam.disk.unlink(temporary)
        self.seam.disk.flush_folder(target.parent)

    def _last_good(self, path: str) -> bytes:
        """The copy; where it is older than what is being served, that is written out entry by entry."""
        file, data = self.store.snapshot.files[path], self.copies.newest(path)
        if data is not None and sha256(data) == file.sha256:
            return data
        family = self.store.vault.family
        blocks = [encode(entry.meta, entry.text, family=family) for entry in file.entries]
        return b"\n".join([heading(path.partition("/")[2].removesuffix(".md")), *blocks])

    def accept(self) -> list[str]:
        """Believe the files as they are: what vanished is forgotten. Returns the paths concerned."""
        store = self.store
        with store.mutex:
            store.refresh(deep=True)
            gone = sorted(path for path, fault in store.unknown().items() if fault in UNKNOWN)
            store.reader.believing = True
            try:
                for _ in range(_SETTLE_TRIES):
                    if not store.refresh(deep=True):
                        break
                    self.seam.clock.sleep(0.15)
            finally:
                store.reader.believing = False
        return gone
