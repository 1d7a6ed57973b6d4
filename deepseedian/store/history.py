"""The history database: every revision's changes on this device, outside edits too, newest last.

A row is written after the commit it tells of; what a kill kept out of it is filled in from
journal.json at the next start.
"""

import json
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from deepseedian.core import erasure
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
        self._database.write("INSERT OR IGNORE INTO changes (id, at, kind, summary, revision, key, door, document) "
                             "VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def newest(self, limit: int) -> list[Row]:
        rows = self._database.rows(
            "SELECT id, at, kind, summary, revision, door FROM changes ORDER BY number DESC LIMIT ?", (limit,))
        return [Row(key, at, kind, summary, revision, bool(door)) for key, at, kind, summary, revision, door in rows]

    def touching(self, entry_id: str) -> Iterator[tuple[Row, dict[str, object]]]:
        """The changes that name an entry, oldest first, with what they did."""
        rows = self._database.rows("SELECT id, at, kind, summary, revision, door, document FROM changes"
                                   " WHERE instr(document, ?) > 0 AND kind <> 'erase' ORDER BY number", (entry_id,))
        for key, at, kind, summary, revision, door, text in rows:
            document = _loaded(text)
            if document is not None:
                yield Row(key, at, kind, summary, revision, bool(door)), document

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

    def documents(self) -> Iterator[dict[str, object]]:
        """What every change did, oldest first: records, and edits seen from outside."""
        for (text,) in self._database.rows("SELECT document FROM changes WHERE document <> '' AND kind <> 'erase' ORDER BY number"):
            document = _loaded(text)
            if document is not None:
                yield document

    def spent(self, key: str) -> bool:
        """Whether an idempotency key belongs to a change that was erased."""
        return bool(key and self._database.rows("SELECT 1 FROM changes WHERE key = ? AND document = ''", (key,)))

    def erase(self, ids: Set[str], texts: Sequence[str]) -> int:
        """Take what was done to these entries out of every change; of one that did nothing else only stays that it happened.

        Returns how many changes told of them.
        """
        rows = self._database.rows("SELECT number, door, summary, document FROM changes WHERE kind <> 'erase' AND document <> ''")
        all_rows = [(number, (door, told, text), _erased(door, told, text, ids, texts)) for number, door, told, text in rows]
        new = [(*fresh, number) for number, old, fresh in all_rows if fresh != old]
        with self._database.transaction() as connection:
            connection.executemany("UPDATE changes SET door = ?, summary = CASE ? WHEN '' THEN kind || ': (erased)' ELSE ? END, "
                                   "document = ? WHERE number = ?", [(door, told, told, text, number) for door, told, text, number in new])
        self._database.scrub()
        return len(new)

    def close(self) -> None:
        self._database.close()


def _record(document: str) -> Record | None:
    """None for a row that tells no change any more, or never told one we can read."""
    try:
        return record_from(json.loads(document))
    except (ValueError, BadInput):
        return None


def _loaded(text: str) -> dict[str, object] | None:
    try:
        document = json.loads(text)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def _erased(door: int, told: str, text: str, ids: Set[str], texts: Sequence[str]) -> tuple[int, str, str]:
    """A row's fields without what was done to these entries; empty ones for a change that did nothing else."""
    document = _loaded(text)
    if document is None:
        return (0, "", "") if any(item in text for item in ids) else (door, told, text)
    new = erasure.record(document, ids) if door else erasure.outside(document, ids)
    if new is None:
        return 0, "", ""
    return (door, told, text) if new == document else (door, erasure.told(told, texts), json.dumps(new, ensure_ascii=False))


def _brief(entry: Entry) -> dict[str, object]:
    return {"path": entry.path, "text": entry.text, "meta": dict(entry.meta)}
