"""Rotating copies of topics, archive and rules on this device: what a vanished file is served from.

A file that is missing or empty is unknown, not deleted; its last good content is here until the owner
decides. Three versions of each file are kept.
"""

import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from deepseedian.core.snapshot import sha256 as sha256_of
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

    def all(self) -> Iterator[tuple[str, bytes]]:
        """Every version of every file, oldest first."""
        for (number,) in self._database.rows("SELECT number FROM copies ORDER BY number"):  # one at a time: they may be large
            for path, data in self._database.rows("SELECT path, data FROM copies WHERE number = ?", (number,)):
                yield path, zlib.decompress(data)

    def erase(self, cleaned: Callable[[str, bytes], bytes]) -> int:
        """Keep every version as `cleaned` gives it, from its path and content; how many were changed."""
        changed = 0
        for (number,) in self._database.rows("SELECT number FROM copies"):
            for path, data in self._database.rows("SELECT path, data FROM copies WHERE number = ?", (number,)):
                old = zlib.decompress(data)
                new = cleaned(path, old)
                if new != old:
                    changed += 1
                    with self._database.transaction() as connection:
                        connection.execute("UPDATE copies SET sha256 = ?, data = ? WHERE number = ?",
                                           (sha256_of(new), zlib.compress(new, 1), number))
        self._database.scrub()
        return changed

    def close(self) -> None:
        self._database.close()
