"""Entry vectors of one model in memory, in blocks: adding and removing one entry touches one row, nothing is copied as it grows."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deepseedian.config.threads import one_thread

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

BLOCK = 4096


class Matrix:
    """Rows of unit length by entry id. A removed row is filled with the last one. Not thread-safe."""

    def __init__(self, dimension: int) -> None:
        one_thread()
        self.dimension = dimension
        self._blocks: list[Vectors] = []
        self._ids: list[str] = []
        self._rows: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, entry_id: str) -> bool:
        return entry_id in self._rows

    @property
    def bytes(self) -> int:
        return sum(block.nbytes for block in self._blocks)

    def put(self, entry_id: str, vector: "NDArray[np.float32]") -> None:
        import numpy as np

        row = self._rows.get(entry_id, len(self._ids))
        if row == len(self._ids):
            if row == len(self._blocks) * BLOCK:
                self._blocks.append(np.zeros((BLOCK, self.dimension), dtype=np.float32))
            self._ids.append(entry_id)
            self._rows[entry_id] = row
        self._at(row)[:] = vector

    def remove(self, entry_id: str) -> None:
        """Also the bytes: what was erased does not stay in memory."""
        row = self._rows.pop(entry_id, None)
        if row is None:
            return
        last = len(self._ids) - 1
        if row != last:
            self._at(row)[:] = self._at(last)
            self._ids[row] = self._ids[last]
            self._rows[self._ids[row]] = row
        self._at(last)[:] = 0
        self._ids.pop()
        if last % BLOCK == 0:
            self._blocks.pop()

    def nearest(self, question: "NDArray[np.float32]", most: int) -> tuple[list[tuple[str, float]], float, float]:
        """The nearest entries with their cosines, best first, and mean and deviation of all cosines."""
        import numpy as np

        count = len(self._ids)
        if not count:
            return [], 0.0, 0.0
        cosines = np.empty(len(self._blocks) * BLOCK, dtype=np.float32)
        for number, block in enumerate(self._blocks):
            np.dot(block, question, out=cosines[number * BLOCK: (number + 1) * BLOCK])
        cosines = cosines[:count]
        best = np.argpartition(cosines, count - most)[count - most:] if count > most else np.arange(count)
        found = [(self._ids[row], float(cosines[row])) for row in best]
        found.sort(key=lambda item: (-item[1], item[0]))
        return found, float(cosines.mean(dtype=np.float64)), float(cosines.std(dtype=np.float64))

    def pairs(self, ids: Sequence[str]) -> list[list[float]]:
        """Cosines of these entries with each other, in their order; 0 where one has no vector."""
        import numpy as np

        rows = np.zeros((len(ids), self.dimension), dtype=np.float32)
        for number, entry_id in enumerate(ids):
            if entry_id in self._rows:
                rows[number] = self._at(self._rows[entry_id])
        return (rows @ rows.T).tolist()  # type: ignore[no-any-return]

    def _at(self, row: int) -> "NDArray[np.float32]":
        return self._blocks[row // BLOCK][row % BLOCK]  # type: ignore[no-any-return]
