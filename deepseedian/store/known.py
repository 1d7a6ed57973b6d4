"""What this device knows for itself, whatever a sync tool or another device does to the folder.

Metadata in a synced file is a claim, not a proof: an entry counts as confirmed when the owner said exactly this
text and these properties through one of our doors on this device (`claims` tells when), or confirmed it here. The
same holds for the rules. The sets of state.json are kept too, since a sync tool may put an older file in its place.
"""

import json
from collections.abc import Callable, Collection, Iterable, Sequence, Set
from pathlib import Path
from sqlite3 import Connection

from deepseedian.core.entry import Entry
from deepseedian.core.snapshot import sha256
from deepseedian.errors import DeepseedianError
from deepseedian.store.claims import Settled, Standing, mark, settled
from deepseedian.store.database import Database
from deepseedian.store.journal import Record

MANY = 100
_REBUILT = ("the list of what was confirmed on this device was damaged and is rebuilt from this device's own changes; what was "
            "confirmed by hand waits again, deepseedian confirm shows it; the damaged file is {0}")
# `elsewhere`: erased on another device, as a conflict copy said; `adopting`: the owner is just taking the folder over.
SETS = ("deleted", "excluded", "erased", "elsewhere", "adopting")
_MIGRATIONS: Sequence[str | Callable[[Connection], None]] = ("""
    CREATE TABLE confirmed (mark BLOB PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE rules (number INTEGER PRIMARY KEY, sha256 TEXT UNIQUE NOT NULL, data BLOB NOT NULL);
    CREATE TABLE items (name TEXT NOT NULL, item TEXT NOT NULL, PRIMARY KEY (name, item)) WITHOUT ROWID;
    CREATE TABLE erasing (id TEXT PRIMARY KEY, document TEXT NOT NULL);
""", "CREATE TABLE ended (mark BLOB NOT NULL, change TEXT NOT NULL, PRIMARY KEY (mark, change)) WITHOUT ROWID")


class Known:
    """`fresh` when there was none, or a damaged one that was set aside: what our doors wrote must be told again."""

    def __init__(self, path: Path) -> None:
        new = not path.exists()
        self._database = Database(path, _MIGRATIONS, checked=True)
        self.fresh = new or self._database.set_aside is not None

    def faults(self) -> dict[str, str]:
        aside = self._database.set_aside
        return {"known_rebuilt": _REBUILT.format(aside)} if aside else {}

    # Entries

    def confirm(self, entries: Iterable[Entry]) -> None:
        """These entries are as the owner wants them on this device."""
        self._keep([mark(entry) for entry in entries])

    def begin(self, record: Record) -> Settled:
        """Before a change of ours is saved, so that a kill right afterwards takes no pin from the owner."""
        step = settled(record, Standing(self._confirmed, self._ended))
        self._keep(step.confirmed)
        return step

    def finish(self, step: Settled) -> None:
        """Once the change is saved: what it took away is over."""
        self._end([(item, step.change) for item in step.ended])

    def rebuild(self, records: Iterable[Record]) -> None:
        """Follow all changes that this device made, oldest first; what was confirmed by hand is to be confirmed again."""
        confirmed: set[bytes] = set()
        ended: set[tuple[bytes, str]] = set()
        standing = Standing(confirmed.__contains__, lambda item, change: (item, change) in ended)
        for record in records:
            step = settled(record, standing)
            confirmed -= step.ended
            confirmed |= step.confirmed
            ended |= {(item, step.change) for item in step.ended}
        self._end(sorted(ended))
        self._keep(confirmed)

    def _keep(self, marks: Collection[bytes]) -> None:
        self._database.write("INSERT OR IGNORE INTO confirmed VALUES (?)", [(item,) for item in marks])

    def _end(self, rows: Collection[tuple[bytes, str]]) -> None:
        if rows:
            with self._database.transaction() as connection:
                connection.executemany("DELETE FROM confirmed WHERE mark = ?", [(item,) for item, _ in rows])
                connection.executemany("INSERT OR IGNORE INTO ended VALUES (?, ?)", rows)

    def _confirmed(self, wanted: bytes) -> bool:
        return bool(self._database.rows("SELECT 1 FROM confirmed WHERE mark = ?", (wanted,)))

    def _ended(self, wanted: bytes, change: str) -> bool:
        return bool(self._database.rows("SELECT 1 FROM ended WHERE mark = ? AND change = ?", (wanted, change)))

    def confirmed(self, entry: Entry) -> bool:
        return self._confirmed(mark(entry))

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
