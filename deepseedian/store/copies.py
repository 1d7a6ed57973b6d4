"""Rotating copies of topics, archive and rules on this device: what a vanished file is served from.

A file that is missing or empty is unknown, not deleted; its last good content is here until the owner
decides. Three versions of each file are kept.
"""

import zlib
from collections.abc import Callable
from pathlib import Path

from deepseedian.store.database import Database

KEPT = 3
_MIGRATIONS = ("""
    CREATE TABLE copies (number INTEGER PRIMARY KEY, path TEXT NOT NULL, sha256 TEXT NOT NULL, at TEXT NOT NULL,
        gone INTEGER NOT NULL DEFAULT 0, data BLOB NOT NULL);
    CREATE INDEX copies_by_path ON copies (path, number);
""",)


class Copies:
    def __init__(self, path: Path) -> None:
        self._database = Database(path, _MIGRATIONS)

    def known(self) -> dict[str, str]:
        """The hash of the last good content of each file that is not known to be gone."""
        rows = self._database.rows(
            "SELECT path, sha256, gone FROM copies WHERE number IN (SELECT max(number) FROM copies GROUP BY path)")
        return {path: sha for path, sha, gone in rows if not gone}

    def newest(self, path: str) -> bytes | None:
        rows = self._database.rows("SELECT data FROM copies WHERE path = ? ORDER BY number DESC LIMIT 1", (path,))
        return zlib.decompress(rows[0][0]) if rows else None

    def current(self, path: str) -> bytes | None:
        """The newest content of a file that is not known to be gone."""
        rows = self._database.rows("SELECT data FROM copies WHERE path = ? AND gone = 0 ORDER BY number DESC LIMIT 1", (path,))
        return zlib.decompress(rows[0][0]) if rows else None

    def save(self, path: str, sha256: str, data: bytes, at: str) -> None:
        """Keep this content unless it is the newest already."""
        with self._database.transaction() as connection:
            newest = connection.execute(
                "SELECT sha256, gone FROM copies WHERE path = ? ORDER BY number DESC LIMIT 1", (path,)).fetchone()
            if newest == (sha256, 0):
                return
            connection.execute("INSERT INTO copies (path, sha256, at, data) VALUES (?, ?, ?, ?)",
                               (path, sha256, at, zlib.compress(data, 1)))
            connection.execute(
                "DELETE FROM copies WHERE path = ? AND number NOT IN "
                "(SELECT number FROM copies WHERE path = ? ORDER BY number DESC LIMIT ?)", (path, path, KEPT))

    def forget(self, path: str) -> None:
        """The file is really gone: renamed, or given up by the owner. The copies stay for history."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE copies SET gone = 1 WHERE path = ?", (path,))

    def erase(self, holds: Callable[[bytes], bool]) -> int:
        """Drop every version that holds what is erased; how many there were. The caller keeps the present ones again."""
        rows = self._database.rows("SELECT number, data FROM copies")
        numbers = [(number,) for number, data in rows if holds(zlib.decompress(data))]
        with self._database.transaction() as connection:
            connection.executemany("DELETE FROM copies WHERE number = ?", numbers)
        self._database.scrub()
        return len(numbers)

    def close(self) -> None:
        self._database.close()
