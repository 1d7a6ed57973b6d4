"""What an import has proposed before, on this device, so that importing again goes on with the rest.

proposals.json remembers only the last decisions; an import may hold thousands. Only ids are kept here, no texts.
"""

from collections.abc import Iterable
from pathlib import Path

from deepseedian.store.database import Database

_MIGRATIONS = ("CREATE TABLE offered (id TEXT PRIMARY KEY) WITHOUT ROWID",)


class Offered:
    """A set of ids in a file that is made when something is first put into it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database: Database | None = None

    def _opened(self) -> Database:
        if self._database is None:
            self._database = Database(self._path, _MIGRATIONS)
        return self._database

    def all(self) -> set[str]:
        if self._database is None and not self._path.exists():
            return set()
        return {key for (key,) in self._opened().rows("SELECT id FROM offered")}

    def add(self, ids: Iterable[str]) -> None:
        self._opened().write("INSERT OR IGNORE INTO offered VALUES (?)", [(key,) for key in ids])

    def close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None
