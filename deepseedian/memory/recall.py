"""Recall over the current snapshot: the index kept in step with it, and the snapshots of recent turns.

A turn holds one snapshot: what it read at its first recall stays readable by revision while the turn
lasts, whatever changes meanwhile.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from deepseedian.core.entry import Entry
from deepseedian.core.ranking import Index
from deepseedian.core.recall import Memory, document_terms
from deepseedian.core.snapshot import Difference, Snapshot
from deepseedian.errors import Stale
from deepseedian.store import index_cache

KEPT_SNAPSHOTS = 32


class Recollection:
    """The index of one store. Built at first use; `update` is a listener of the store."""

    def __init__(self, confirmed: Callable[[Entry], bool] = lambda entry: True) -> None:
        """`confirmed` tells whether an entry's pin may take effect on this device."""
        self._confirmed = confirmed
        self._lock = threading.Lock()
        self._index: Index | None = None
        self._snapshot: Snapshot | None = None
        self._kept: OrderedDict[str, Snapshot] = OrderedDict()

    @property
    def built(self) -> bool:
        return self._index is not None

    def build(self, snapshot: Snapshot) -> None:
        """Index a whole snapshot."""
        index = Index()
        for entry in snapshot.entries.values():
            index.add(entry.id, document_terms(entry))
        with self._lock:
            self._index, self._snapshot = index, snapshot

    def update(self, snapshot: Snapshot, change: Difference) -> None:
        """Follow the store to its next snapshot at the cost of what changed."""
        with self._lock:
            if self._index is None:
                return
            for entry in (*change.removed, *(old for old, _ in change.changed)):
                self._index.remove(entry.id, document_terms(entry))
            for entry in (*change.added, *(new for _, new in change.changed)):
                self._index.add(entry.id, document_terms(entry))
            self._snapshot = snapshot

    def read(self, current: Snapshot, revision: str = "") -> tuple[Memory, threading.Lock]:
        """The memory of a revision; use it while holding the lock. Raises Stale for one no longer kept."""
        if self._index is None:
            self.build(current)
        assert self._index is not None and self._snapshot is not None
        wanted = self.snapshot(self._snapshot, revision)
        return _memory(self._index, self._snapshot, wanted, self._confirmed), self._lock

    def snapshot(self, current: Snapshot, revision: str = "") -> Snapshot:
        """The snapshot of a revision, the current one by default; it is kept for the rest of its turn."""
        if revision and revision != current.revision:
            kept = self._kept.get(revision)
            if kept is None:
                raise Stale(f"the revision {revision[:12]}… is no longer kept", "recall again")
            return kept
        self._kept[current.revision] = current
        self._kept.move_to_end(current.revision)
        while len(self._kept) > KEPT_SNAPSHOTS:
            self._kept.popitem(last=False)
        return current

    def clear(self) -> None:
        """Forget the snapshots of earlier turns, and what they said."""
        with self._lock:
            self._kept.clear()

    def save(self, path: Path) -> None:
        """Write the cache that the next start answers from."""
        with self._lock:
            if self._index is not None and self._snapshot is not None:
                pins = {entry.id for entry in self._snapshot.pinned if self._confirmed(entry)}
                index_cache.save(path, self._snapshot.vault_id, self._snapshot.revision, self._index, self._snapshot.entries, pins)


def _memory(index: Index, indexed: Snapshot, wanted: Snapshot, confirmed: Callable[[Entry], bool]) -> Memory:
    overlay: list[Entry] = []
    entry = wanted.entries.get
    if wanted is not indexed:
        overlay = [item for key, item in wanted.entries.items() if indexed.entries.get(key) != item]
        differing = {item.id for item in overlay}

        def entry(key: str) -> Entry | None:  # type: ignore[misc]
            return None if key in differing else wanted.entries.get(key)
    return Memory(wanted.vault_id, wanted.revision, len(wanted.entries), index, entry,
                  lambda: [entry for entry in wanted.pinned if confirmed(entry)], wanted.newest, overlay)
