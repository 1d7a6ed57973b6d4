"""The history database: every revision's changes on this device, outside edits too, newest last.

A row is written after the commit it tells of; what a kill kept out of it is filled in from
journal.json at the next start.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from deepseedian.core.entry import Entry
from deepseedian.core.snapshot import Difference
from deepseedian.errors import BadInput
from deepseedian.store.database import Database
from deepseedian.store.journal import Record, record_from

_MIGRATIONS = ("""
    CREATE TABLE changes (number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL,
        summary TEXT NOT NULL, revision TEXT NOT NULL, key TEXT NOT NULL, door INTEGER NOT NULL, document TEXT NOT NULL);
    CREATE INDEX changes_by_key ON changes (key) WHERE key <> '';
""",)


@dataclass(frozen=True, slots=True)
class Row:
    """`door` is true for changes by our own doors, false for edits seen from outside."""

    id: str
    at: str
    kind: str
    summary: str
    revision: str
    door: bool


class History:
    def __init__(self, path: Path) -> None:
        self._database = Database(path, _MIGRATIONS)

    def add(self, records: Iterable[Record]) -> None:
        """Changes by our doors; known ones are left alone."""
        rows: list[tuple[object, ...]] = [
            (record.id, record.at, record.kind, record.summary, record.revision, record.key, 1,
             json.dumps(record.document(), ensure_ascii=False)) for record in records]
        self._insert(rows)

    def add_outside(self, row: Row, difference: Difference) -> None:
        """An edit seen by the watcher or at a start, with the texts before and after."""
        document = {"added": [_brief(entry) for entry in difference.added],
                    "removed": [_brief(entry) for entry in difference.removed],
                    "changed": [[_brief(old), _brief(new)] for old, new in difference.changed]}
        text = json.dumps(document, ensure_ascii=False)
        self._insert([(row.id, row.at, row.kind, row.summary, row.revision, "", 0, text)])

    def _insert(self, rows: list[tuple[object, ...]]) -> None:
        if not rows:
            return
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO changes (id, at, kind, summary, revision, key, door, document) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def newest(self, limit: int) -> list[Row]:
        rows = self._database.rows(
            "SELECT id, at, kind, summary, revision, door FROM changes ORDER BY number DESC LIMIT ?", (limit,))
        return [Row(key, at, kind, summary, revision, bool(door)) for key, at, kind, summary, revision, door in rows]

    def by_key(self, key: str) -> Record | None:
        """The change that an idempotency key already made."""
        rows = self._database.rows("SELECT document FROM changes WHERE key = ?", (key,)) if key else []
        return _record(rows[0][0]) if rows else None

    def records(self, limit: int) -> list[Record]:
        """The newest changes by our doors, oldest first; what rebuilds a damaged journal."""
        rows = self._database.rows(
            "SELECT document FROM changes WHERE door = 1 ORDER BY number DESC LIMIT ?", (limit,))
        return [record for row in reversed(rows) if (record := _record(row[0])) is not None]

    def own(self, device: str, limit: int) -> list[Record]:
        """The newest changes by our doors on this device, oldest first."""
        return [record for record in self.records(limit) if record.device == device]

    def erase(self, ids: Iterable[str], texts: Iterable[str]) -> int:
        """Leave of every change that tells of these entries only that it happened; how many there were."""
        forms = {form for text in (*ids, *texts) for form in (text, json.dumps(text, ensure_ascii=False)[1:-1])}
        rows = self._database.rows("SELECT number, summary, document FROM changes WHERE kind <> 'erase'")
        numbers = [(number,) for number, told, document in rows if any(form in document or form in told for form in forms)]
        with self._database.transaction() as connection:
            connection.executemany("UPDATE changes SET summary = kind || ': (erased)', document = '', door = 0 WHERE number = ?", numbers)
        self._database.scrub()
        return len(numbers)

    def close(self) -> None:
        self._database.close()


def _record(document: str) -> Record | None:
    """None for a row that tells no change any more, or never told one we can read."""
    try:
        return record_from(json.loads(document))
    except (ValueError, BadInput):
        return None


def _brief(entry: Entry) -> dict[str, object]:
    return {"path": entry.path, "text": entry.text, "meta": dict(entry.meta)}
