"""The entries of the current snapshot as vectors of one space: what has one, what is still to be looked up or embedded.

Follows snapshots at the cost of what changed. Cached vectors come first, a thousand at once; what no cache knows is embedded
in small batches, so that a question never waits long behind one.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from deepseedian.core.snapshot import Difference, Snapshot
from deepseedian.errors import ModelFailed
from deepseedian.memory.matrix import Matrix
from deepseedian.models.embedding import TOO_LONG, Embedder
from deepseedian.store.vectors import Space, VectorCache, digest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOOK_UP = 1000
BATCH = 16
SHORTER = 400


class Covering:
    """Thread-safe. `lock` guards the matrix and is never held over a call to a model or to the disk."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.writing = threading.Lock()  # an erasure and the batch that embeds the same text take turns
        self.snapshot: Snapshot | None = None
        self.space: Space | None = None
        self.matrix = Matrix(0)
        self.refused: set[str] = set()
        self._unknown: dict[str, str] = {}
        self._absent: dict[str, str] = {}

    def open(self, space: Space) -> None:
        """Begin with a space; nothing of another one is left."""
        with self.lock:
            if self.space is None or self.space.id != space.id:
                self.matrix = Matrix(space.dimension)
                self.refused.clear()
                self._absent.clear()
                self._unknown = self._texts()
            self.space = space

    def begin(self, current: Callable[[], Snapshot]) -> None:
        """`current` is read under the lock: a change that comes meanwhile is told afterwards, and none is lost."""
        with self.lock:
            self.snapshot = current()
            self.matrix = Matrix(self.space.dimension if self.space else 0)
            self._absent.clear()
            self._unknown = self._texts() if self.space else {}

    def update(self, snapshot: Snapshot, change: Difference) -> None:
        """Follow the store."""
        with self.lock:
            if self.snapshot is None:
                return
            self.snapshot = snapshot
            if self.space is None:
                return
            gone = [*change.removed, *(old for old, new in change.changed if old.text != new.text)]
            for entry in gone:
                self.matrix.remove(entry.id)
                self._unknown.pop(entry.id, None)
                self._absent.pop(entry.id, None)
                self.refused.discard(entry.id)
            for entry in (*change.added, *(new for old, new in change.changed if old.text != new.text)):
                self._unknown[entry.id] = entry.text

    def shut(self) -> None:
        """No space any more: semantic recall was switched off."""
        with self.lock:
            self.space, self.matrix = None, Matrix(0)
            self._unknown.clear()
            self._absent.clear()
            self.refused.clear()

    def _is(self, space: Space) -> bool:
        return self.space is not None and self.space.id == space.id

    def _texts(self) -> dict[str, str]:
        return {entry.id: entry.text for entry in self.snapshot.entries.values()} if self.snapshot else {}

    @property
    def missing(self) -> int:
        """How many entries have no vector yet."""
        return len(self._unknown) + len(self._absent)

    def hashes(self) -> set[bytes]:
        """What the texts of the snapshot are known by, archived ones too: an undo brings them back."""
        snapshot = self.snapshot
        entries = (*snapshot.entries.values(), *snapshot.archive.values()) if snapshot else ()
        return {digest(entry.text) for entry in entries}

    def look_up(self, cache: VectorCache) -> bool:
        """Take over what the cache knows of the next entries; False when all have been looked up."""
        with self.lock:
            space, part = self.space, dict(islice(self._unknown.items(), LOOK_UP))
        if space is None or not part:
            return False
        hashes = {key: digest(text) for key, text in part.items()}
        found = cache.of(space, set(hashes.values()))
        with self.lock:
            for key, text in part.items():
                if self._unknown.get(key) != text or not self._is(space):
                    continue
                del self._unknown[key]
                if hashes[key] in found:
                    self.matrix.put(key, found[hashes[key]])
                else:
                    self._absent[key] = text
        return True

    def embed(self, embedder: Embedder, cache: VectorCache, seconds: float) -> bool:
        """Embed the next batch of what no cache knows; False when there is none. Raises ModelFailed."""
        with self.lock:
            space, part = self.space, dict(islice(self._absent.items(), BATCH))
        if space is None or not part:
            return False
        vectors = self._vectors(embedder, part, seconds)
        with self.writing:
            with self.lock:
                wanted = {key: vector for key, vector in vectors.items() if self._absent.get(key) == part[key] and self._is(space)}
            keys = list(wanted)
            if keys:
                import numpy as np

                cache.add(space, [digest(part[key]) for key in keys], np.stack([wanted[key] for key in keys]))
        with self.lock:
            for key, text in part.items():
                if self._absent.get(key) != text or not self._is(space):
                    continue
                del self._absent[key]
                if key in wanted:
                    self.matrix.put(key, wanted[key])
                else:
                    self.refused.add(key)
        return True

    def _vectors(self, embedder: Embedder, part: Mapping[str, str], seconds: float) -> "dict[str, NDArray[np.float32]]":
        """By entry id. A server that refuses a text as too long gets it shorter; what it refuses even so stays without."""
        try:
            return dict(zip(part, embedder.embed([*part.values()], question=False, seconds=seconds), strict=True))
        except ModelFailed as error:
            if error.code != TOO_LONG:
                raise
        found: dict[str, NDArray[np.float32]] = {}
        for key, text in part.items():
            for form in (text, text[:SHORTER]):
                try:
                    found[key] = embedder.embed([form], question=False, seconds=seconds)[0]
                    break
                except ModelFailed as error:
                    if error.code != TOO_LONG:
                        raise
        return found

    def pairs(self, ids: Sequence[str]) -> list[list[float]]:
        with self.lock:
            return self.matrix.pairs(ids) if len(self.matrix) else []
