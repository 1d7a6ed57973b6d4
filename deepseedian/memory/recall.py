"""Recall over the current snapshot: the index kept in step with it, and the snapshots of recent turns.

A turn holds one snapshot: what it read at its first recall stays readable by revision while the turn
lasts, whatever changes meanwhile.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from deepseedian.core.entry import Entry
from deepseedian.core.matching import Memory, indexed, unindexed
from deepseedian.core.ranking import Index
from deepseedian.core.snapshot import Difference, Snapshot
from deepseedian.core.succession import Places, Successors, standing
from deepseedian.errors import Stale
from deepseedian.store import index_cache

KEPT_SNAPSHOTS = 32
log = logging.getLogger("deepseedian.recall")


class Recollection:
    """The index of one store. Built at first use; `update` is a listener of the store."""

    def __init__(self, confirmed: Callable[[Entry], bool] = lambda entry: True) -> None:
        """`confirmed` tells whether an entry's pin may take effect on this device."""
        self._confirmed = confirmed
        self._lock = threading.Lock()
        self._index: Index | None = None
        self._snapshot: Snapshot | None = None
        self._latest: Snapshot | None = None
        self._left_out: list[str] = []
        self._kept: OrderedDict[str, Snapshot] = OrderedDict()
        self._keeping = threading.Lock()
        self._places = Places()
        self._read: tuple[Snapshot, Memory] | None = None
        self._successors = Successors()

    @property
    def built(self) -> bool:
        return self._index is not None

    def build(self, snapshot: Snapshot) -> None:
        """Index a whole snapshot, or the one after it that was published meanwhile."""
        with self._lock:  # a change that comes now waits, and is added to what was built
            self._build(snapshot)

    def _build(self, snapshot: Snapshot) -> None:
        snapshot = self._latest or snapshot
        index, self._left_out = Index(), []
        for entry in snapshot.entries.values():
            self._added(index, entry)
        self._index, self._snapshot, self._successors = index, snapshot, Successors(snapshot.entries.values())
        self._read = None

    def _added(self, index: Index, entry: Entry) -> None:
        try:
            indexed(index, entry)
        except Exception as error:  # one text that the index cannot take costs no other
            log.error("an entry cannot be indexed: %s", type(error).__name__)
            self._left_out.append(entry.id)

    def faults(self) -> dict[str, str]:
        """For health: what recall does not find."""
        left_out = list(self._left_out)
        return {"index": f"recall cannot find {len(left_out)} entries, such as {left_out[0]}"} if left_out else {}

    def update(self, snapshot: Snapshot, change: Difference) -> None:
        """Follow the store to its next snapshot at the cost of what changed."""
        with self._lock:
            self._latest, self._read = snapshot, None
            if self._index is None or snapshot is self._snapshot:
                return  # nothing to follow yet, or it was built from this one before it was told of it
            try:
                self._followed(self._index, change)
                self._snapshot = snapshot
            except Exception as error:  # an index that missed a change is worth nothing: the next recall builds it anew
                log.error("the index is built anew: %s", type(error).__name__)
                self._index = self._snapshot = None

    def _followed(self, index: Index, change: Difference) -> None:
        gone = (*change.removed, *(old for old, _ in change.changed))
        come = (*change.added, *(new for _, new in change.changed))
        for entry in gone:
            unindexed(index, entry)
        for entry in come:
            indexed(index, entry)
        self._successors.change(gone, come)

    @contextmanager
    def read(self, current: Snapshot, revision: str = "") -> Iterator[Memory]:
        """The memory of a revision; index and entries stand still until it is done. Raises Stale for one no longer kept."""
        with self._lock:
            if self._index is None:
                self._build(current)
            assert self._index is not None and self._snapshot is not None
            wanted = self.snapshot(self._snapshot, revision)
            if self._read is None or self._read[0] is not wanted:
                self._read = wanted, self._memory(wanted)
            yield self._read[1]

    @contextmanager
    def read_both(self, supposed: Snapshot, current: Snapshot) -> Iterator[tuple[Memory, Memory]]:
        """The memory of now beside one that is only supposed, such as after an approval."""
        with self._lock:
            if self._index is None:
                self._build(current)
            assert self._snapshot is not None
            yield self._memory(self._snapshot), self._memory(supposed)

    @contextmanager
    def read_as_of(self, current: Snapshot, moment: str) -> Iterator[Memory]:
        """The memory as it was at a time (an ISO stamp), archive included."""
        with self.read(current) as memory:
            assert self._snapshot is not None
            yield self._then(memory, self._snapshot, moment)

    def _then(self, memory: Memory, snapshot: Snapshot, moment: str) -> Memory:
        then = standing(snapshot, moment)
        overlay = [entry for key, entry in then.items() if snapshot.entries.get(key) is not entry]
        ours = {entry.id for entry in overlay}

        def entry(key: str) -> Entry | None:
            return then.get(key) if key not in ours else None

        def newest(most: int) -> list[Entry]:
            return sorted(then.values(), key=lambda one: (one.created_at, one.id), reverse=True)[:most]

        return replace(memory, total=len(then), entry=entry, overlay=overlay, newest=newest, successor=lambda entry_id: "",
                       pinned=lambda: [one for one in memory.pinned() if one.id in then])

    def _memory(self, wanted: Snapshot) -> Memory:
        index, indexed = self._index, self._snapshot
        assert index is not None and indexed is not None
        overlay: list[Entry] = []
        entry, successors = wanted.entries.get, self._successors
        if wanted is not indexed:
            overlay = [item for key, item in wanted.entries.items() if indexed.entries.get(key) != item]
            differing = {item.id for item in overlay}
            successors = successors.copy()
            successors.change([item for key, item in indexed.entries.items() if wanted.entries.get(key) != item], overlay)

            def entry(key: str) -> Entry | None:  # type: ignore[misc]
                return None if key in differing else wanted.entries.get(key)

        beside: dict[str, list[int]] = {}

        def neighbours(one: Entry) -> list[int]:
            found = beside.get(one.id)
            if found is None:
                numbers = (index.number(other.id) for other in self._places.beside(wanted, one))
                found = beside[one.id] = [number for number in numbers if number is not None]
            return found

        def pinned() -> list[Entry]:
            return [one for one in wanted.pinned if self._confirmed(one)]

        return Memory(wanted.vault_id, wanted.revision, len(wanted.entries), index, entry, pinned, wanted.newest, overlay,
                      neighbours, successors.get, index.number)

    def snapshot(self, current: Snapshot, revision: str = "") -> Snapshot:
        """The snapshot of a revision, the current one by default; it is kept for the rest of its turn."""
        if revision and revision != current.revision:
            with self._keeping:
                kept = self._kept.get(revision)
            if kept is None:
                raise Stale(f"the revision {revision[:12]}… is no longer kept", "recall again")
            return kept
        with self._keeping:
            self._kept[current.revision] = current
            self._kept.move_to_end(current.revision)
            while len(self._kept) > KEPT_SNAPSHOTS:
                self._kept.popitem(last=False)
        return current

    def clear(self) -> None:
        """Forget the snapshots of earlier turns, and what they said."""
        with self._lock, self._keeping:
            self._kept.clear()
            self._read = None

    def save(self, path: Path) -> None:
        """Write the cache that the next start answers from."""
        with self._lock:
            if self._index is not None and self._snapshot is not None:
                pins = {entry.id for entry in self._snapshot.pinned if self._confirmed(entry)}
                index_cache.save(path, self._snapshot, self._index, pins, self._places.beside, self._successors.get)

