"""Vectors of entry texts, so that a text is embedded once for each model: derived data, never the truth.

A row is kept by the hash of the text and the space it belongs to. A space is a model with its dimension *and* the vector it
gave for a fixed probe text: a server that has another model under the same name opens another space, and vectors of two
spaces never meet. Vectors lie as half floats: cosines differ by less than 0.0005 from whole ones, at half the size.
"""

import hashlib
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from deepseedian.core.similar import Calibration
from deepseedian.errors import DeepseedianError
from deepseedian.store.database import Database

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

SAME = 0.98  # a probe this near is the same model's: half floats and other hardware move it by less than 0.01
KEPT_SPACES = 3
_AT_ONCE = 500
_MIGRATIONS = ("""
    CREATE TABLE spaces (id INTEGER PRIMARY KEY, model TEXT NOT NULL, dimension INTEGER NOT NULL, probe BLOB NOT NULL,
                         unrelated REAL, related REAL, used INTEGER NOT NULL, address TEXT NOT NULL);
    CREATE TABLE vectors (text BLOB NOT NULL, space INTEGER NOT NULL, vector BLOB NOT NULL);
    CREATE UNIQUE INDEX by_text ON vectors (text, space)
""",)


@dataclass(frozen=True, slots=True)
class Space:
    """Vectors that may be compared. `address` is where the model was found last."""

    id: int
    model: str
    dimension: int
    address: str
    calibration: Calibration | None


def digest(text: str) -> bytes:
    """What a text is known by."""
    return hashlib.sha256(text.strip().encode(errors="surrogatepass")).digest()


class VectorCache:
    """The file `vectors.db`. A damaged one is thrown away: everything in it can be computed again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = Database(path, _MIGRATIONS)
        if self._database.set_aside is not None:
            self._database.set_aside.unlink(missing_ok=True)

    # Spaces

    def space(self, model: str, probe: "NDArray[np.float32]", address: str) -> Space:
        """The space of a model that gives this vector for the probe text; a new one where none fits. It counts as used now."""
        rows = self._database.rows("SELECT id, probe FROM spaces WHERE model = ? AND dimension = ? ORDER BY used DESC",
                                   (model, len(probe)))
        known = next((number for number, held in rows if float(_loaded([held], len(probe))[0] @ probe) >= SAME), None)
        with self._database.transaction() as connection:
            last = connection.execute("SELECT coalesce(max(used), 0) + 1 FROM spaces").fetchone()[0]
            if known is None:
                values = (model, len(probe), _packed(probe), last, address)
                known = connection.execute("INSERT INTO spaces (model, dimension, probe, used, address) VALUES (?, ?, ?, ?, ?)",
                                           values).lastrowid
            else:
                connection.execute("UPDATE spaces SET used = ?, address = ? WHERE id = ?", (last, address, known))
        return next(space for space in self.spaces() if space.id == known)

    def spaces(self) -> list[Space]:
        """Those that are known, the one used last first."""
        rows = self._database.rows("SELECT id, model, dimension, address, unrelated, related FROM spaces ORDER BY used DESC")
        return [Space(number, model, dimension, address, None if related is None else Calibration(unrelated, related))
                for number, model, dimension, address, unrelated, related in rows]

    def calibrate(self, space: Space, calibration: Calibration) -> None:
        with self._database.transaction() as connection:
            connection.execute("UPDATE spaces SET unrelated = ?, related = ? WHERE id = ?",
                               (calibration.unrelated, calibration.related, space.id))

    # Vectors

    def missing(self, space: Space, hashes: Iterable[bytes]) -> list[bytes]:
        """Those without a vector in this space, each once, in their order."""
        wanted = list(dict.fromkeys(hashes))
        held = {text for part in _parts(wanted) for text, in self._select("text", space, part)}
        return [text for text in wanted if text not in held]

    def of(self, space: Space, hashes: Collection[bytes]) -> "dict[bytes, NDArray[np.float32]]":
        """What is known, by hash."""
        found: dict[bytes, NDArray[np.float32]] = {}
        for part in _parts(list(hashes)):
            rows = [(text, held) for text, held in self._select("text, vector", space, part) if len(held) == 2 * space.dimension]
            found |= zip([text for text, _ in rows], _loaded([held for _, held in rows], space.dimension), strict=True)
        return found

    def _select(self, columns: str, space: Space, part: Sequence[bytes]) -> list[tuple]:  # type: ignore[type-arg]
        marks = ",".join("?" * len(part))
        return self._database.rows(f"SELECT {columns} FROM vectors WHERE space = ? AND text IN ({marks})", (space.id, *part))

    def add(self, space: Space, hashes: Sequence[bytes], vectors: "Vectors") -> None:
        rows = [(text, space.id, _packed(vector)) for text, vector in zip(hashes, vectors, strict=True)]
        with self._database.transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def erase(self, texts: Iterable[str]) -> int:
        """Take these texts' vectors out of every space, down to the bytes of the file. Raises Busy while another program reads it.

        A vector tells much of its text, and the hash of a short text can be guessed: neither may stay.
        """
        gone = self._drop(sorted({digest(text) for text in texts}))
        self._database.scrub()  # also after an attempt that was interrupted
        return gone

    def prune(self, kept: Collection[bytes]) -> int:
        """Drop what no entry says any more, and spaces not used for long; the newest few stay, so that going back costs nothing."""
        wanted, gone = set(kept), 0
        with self._database.transaction() as connection:
            old = connection.execute("SELECT id FROM spaces ORDER BY used DESC LIMIT -1 OFFSET ?", (KEPT_SPACES,)).fetchall()
            for row in old:
                gone += connection.execute("DELETE FROM vectors WHERE space = ?", row).rowcount
                connection.execute("DELETE FROM spaces WHERE id = ?", row)
        rows = self._database.rows("SELECT DISTINCT text FROM vectors")
        return gone + self._drop([text for text, in rows if text not in wanted])

    def _drop(self, hashes: Sequence[bytes]) -> int:
        if not hashes:
            return 0
        with self._database.transaction() as connection:
            return connection.executemany("DELETE FROM vectors WHERE text = ?", [(text,) for text in hashes]).rowcount

    def count(self, space: Space) -> int:
        return int(self._database.rows("SELECT count(*) FROM vectors WHERE space = ?", (space.id,))[0][0])

    def close(self) -> None:
        with suppress(sqlite3.Error, DeepseedianError):
            self._database.close()


def _parts(hashes: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for at in range(0, len(hashes), _AT_ONCE):
        yield hashes[at: at + _AT_ONCE]


def _packed(vector: "NDArray[np.float32]") -> bytes:
    return vector.astype("<f2").tobytes()


def _loaded(held: Sequence[bytes], dimension: int) -> "Vectors":
    import numpy as np

    return np.frombuffer(b"".join(held), dtype="<f2").astype(np.float32).reshape(len(held), dimension)
