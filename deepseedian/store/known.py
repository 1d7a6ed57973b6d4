"""What this device knows for itself, whatever a sync tool or another device does to the folder.

Metadata in a synced file is a claim, not a proof: an entry counts as confirmed when one of our doors on
this device wrote exactly this text and these properties, or when the owner confirmed it here. The same
holds for the rules. The sets of state.json are kept too, since a sync tool may put an older file in its place.
"""

import json
from collections.abc import Callable, Iterable, Sequence, Set
from pathlib import Path
from sqlite3 import Connection

from deepseedian.core.entry import Entry
from deepseedian.core.snapshot import sha256
from deepseedian.errors import DeepseedianError
from deepseedian.store.database import Database

MANY = 100
SETS = ("deleted", "excluded", "erased")
_MIGRATIONS: Sequence[str | Callable[[Connection], None]] = ("""
    CREATE TABLE confirmed (mark BLOB PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE rules (number INTEGER PRIMARY KEY, sha256 TEXT UNIQUE NOT NULL, data BLOB NOT NULL);
    CREATE TABLE items (name TEXT NOT NULL, item TEXT NOT NULL, PRIMARY KEY (name, item)) WITHOUT ROWID;
    CREATE TABLE erasing (id TEXT PRIMARY KEY, document TEXT NOT NULL);
""",)


def mark(entry: Entry) -> bytes:
    """What a confirmation holds for: id, text and the properties that have effects. Moving an entry changes nothing."""
    claims = [entry.id, entry.text, entry.pinned, str(entry.meta.get("trust", "")), str(entry.meta.get("kind", ""))]
    return bytes.fromhex(sha256(json.dumps(claims).encode())[:32])


class Known:
    def __init__(self, path: Path) -> None:
        self.fresh = not path.exists()
        self._database = Database(path, _MIGRATIONS)

    # Entries

    def confirm(self, entries: Iterable[Entry]) -> None:
        """These entries are as the owner wants them on this device."""
        rows = [(mark(entry),) for entry in entries]
        if rows:
            with self._database.transaction() as connection:
                connection.executemany("INSERT OR IGNORE INTO confirmed VALUES (?)", rows)

    def confirmed(self, entry: Entry) -> bool:
        return bool(self._database.rows("SELECT 1 FROM confirmed WHERE mark = ?", (mark(entry),)))

    def claimed(self, entries: Sequence[Entry]) -> set[str]:
        """The ids of those whose properties nobody confirmed here."""
        if len(entries) <= MANY:
            return {entry.id for entry in entries if not self.confirmed(entry)}
        marks = {row[0] for row in self._database.rows("SELECT mark FROM confirmed")}
        return {entry.id for entry in entries if mark(entry) not in marks}

    # Rules

    def confirm_rules(self, data: bytes) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM rules WHERE sha256 = ?", (sha256(data),))
            connection.execute("INSERT INTO rules (sha256, data) VALUES (?, ?)", (sha256(data), data))

    def rules(self) -> bytes | None:
        """The rules confirmed last on this device."""
        rows = self._database.rows("SELECT data FROM rules ORDER BY number DESC LIMIT 1")
        return rows[0][0] if rows else None

    # The sets of state.json

    def items(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {name: set() for name in SETS}
        for name, item in self._database.rows("SELECT name, item FROM items"):
            found[name].add(item)
        return found

    def erased(self) -> Set[str]:
        """Ids of entries and proposals that were erased on this device."""
        return {item for (item,) in self._database.rows("SELECT item FROM items WHERE name = 'erased'")}

    def add(self, name: str, items: Iterable[str]) -> None:
        rows = [(name, item) for item in items]
        if rows:
            with self._database.transaction() as connection:
                connection.executemany("INSERT OR IGNORE INTO items VALUES (?, ?)", rows)

    def drop(self, name: str, items: Iterable[str]) -> None:
        rows = [(name, item) for item in items]
        if rows:
            with self._database.transaction() as connection:
                connection.executemany("DELETE FROM items WHERE name = ? AND item = ?", rows)

    # Erasures that were begun; a kill must not leave them half done

    def begin_erasing(self, entry_id: str, document: object) -> None:
        with self._database.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO erasing VALUES (?, ?)", (entry_id, json.dumps(document)))

    def erasing(self) -> dict[str, object]:
        return {key: json.loads(document) for key, document in self._database.rows("SELECT id, document FROM erasing")}

    def end_erasing(self, entry_id: str) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM erasing WHERE id = ?", (entry_id,))
        try:
            self._database.scrub()
        except DeepseedianError:  # the texts noted here are still in the log: it is not done yet
            self.begin_erasing(entry_id, {})
            raise

    def close(self) -> None:
        self._database.close()
