"""The recall index of the last run in one SQLite file, so that a daemon answers before it has read memory.

A first recall reads only the postings of its own terms and the entries it offers, whatever the size.
The file is written whole beside the old one and renamed; a damaged or older one is ignored.
"""

import json
import os
import sqlite3
from array import array
from collections.abc import Callable, Sequence, Set
from contextlib import closing, suppress
from pathlib import Path

from deepseedian.core.entry import Entry
from deepseedian.core.matching import Memory
from deepseedian.core.ranking import Derived, Index
from deepseedian.core.snapshot import Snapshot
from deepseedian.store.disk import flush

FORMAT = "6"
_SCHEMA = """
    CREATE TABLE about (name TEXT PRIMARY KEY, value);
    CREATE TABLE entries (number INTEGER PRIMARY KEY, id TEXT, path TEXT, text TEXT, meta TEXT, created TEXT, pinned INTEGER,
        successor TEXT);
    CREATE TABLE terms (term TEXT PRIMARY KEY, live INTEGER, postings BLOB) WITHOUT ROWID;
"""


def save(path: Path, snapshot: Snapshot, index: Index, pins: Set[str], beside: Callable[[Snapshot, Entry], Sequence[Entry]],
         successor: Callable[[str], str]) -> None:
    """Write the cache; the caller keeps index and snapshot still meanwhile. `pins` are the ids whose pin is in force.

    Raises OSError, for a full disk and for an entry that cannot be written too: there is no cache then.
    """
    try:
        _save(path, snapshot, index, pins, beside, successor)
    except (sqlite3.Error, UnicodeError) as error:
        raise OSError(f"the index could not be kept: {error}") from error


def _save(path: Path, snapshot: Snapshot, index: Index, pins: Set[str], beside: Callable[[Snapshot, Entry], Sequence[Entry]],
          successor: Callable[[str], str]) -> None:
    new = path.with_suffix(".new")
    with suppress(FileNotFoundError):
        new.unlink()
    entries = snapshot.entries
    with closing(sqlite3.connect(new, isolation_level=None)) as connection:
        new.chmod(0o600)
        connection.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {_SCHEMA}")
        connection.execute("BEGIN")
        about = {"format": FORMAT, "vault": snapshot.vault_id, "revision": snapshot.revision, "total": len(entries),
                 "average": index.average, "lengths": array("I", index.lengths()).tobytes(),
                 "ages": _ranks(index).tobytes(), "beside": _beside(snapshot, index, beside).tobytes()}
        connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())
        connection.executemany("INSERT INTO terms VALUES (?, ?, ?)",
                               ((term, live, held.tobytes()) for term, live, held in index.terms() if live))  # else what was erased
        rows = ((number, entries[key]) for number, key in enumerate(index.keys()) if key in entries and index.lengths()[number])
        connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (
            (number, e.id, e.path, e.text, json.dumps(dict(e.meta), ensure_ascii=False), e.created_at, e.id in pins, successor(e.id))
            for number, e in rows))
        connection.execute("CREATE INDEX newest ON entries (created)")
        connection.execute("CREATE INDEX pins ON entries (pinned) WHERE pinned")
        connection.execute("CREATE INDEX ids ON entries (id)")
        connection.execute("COMMIT")
    _flush(new)
    os.replace(new, path)


def _ranks(index: Index) -> "array[int]":
    """For each document number its place by age and then id: what breaks ties in memory, without reading an id."""
    ages, keys = index.ages(), index.keys()
    found = array("Q", bytes(8 * len(keys)))
    for place, number in enumerate(sorted(range(len(keys)), key=lambda number: (ages[number], keys[number]))):
        found[number] = place
    return found


def _beside(snapshot: Snapshot, index: Index, beside: Callable[[Snapshot, Entry], Sequence[Entry]]) -> "array[int]":
    """For each document number the numbers of the two entries beside it, plus one; 0 for none."""
    found = array("I", bytes(8 * len(index.keys())))
    for number, key in enumerate(index.keys()):
        entry = snapshot.entries.get(key) if index.lengths()[number] else None
        for at, other in enumerate(beside(snapshot, entry) if entry else ()):
            other_number = index.number(other.id)
            found[2 * number + at] = 0 if other_number is None else other_number + 1
    return found


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        flush(handle)
    finally:
        os.close(handle)


class IndexCache:
    """The cache of an earlier run, read on demand."""

    def __init__(self, path: Path) -> None:
        """Raises sqlite3.Error or KeyError for a file that is absent, damaged or of another format."""
        self._connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        try:
            self._about = dict(self._connection.execute("SELECT name, value FROM about"))
            if self._about["format"] != FORMAT:
                raise KeyError("format")
        except BaseException:
            self._connection.close()
            raise
        self._lengths = array("I")
        self._lengths.frombytes(self._about["lengths"])
        self._ages = array("Q")
        self._ages.frombytes(self._about["ages"])
        self._terms: dict[str, tuple[int, array[int]]] = {}
        self._keys: dict[int, str] = {}
        self.derived = Derived()

    @property
    def vault(self) -> str:
        return str(self._about["vault"])

    @property
    def revision(self) -> str:
        return str(self._about["revision"])

    @property
    def total(self) -> int:
        return int(self._about["total"])

    @property
    def average(self) -> float:
        return float(self._about["average"])

    def lengths(self) -> Sequence[int]:
        return self._lengths

    def frequency(self, term: str) -> int:
        return self._term(term)[0]

    def postings(self, term: str) -> Sequence[int]:
        return self._term(term)[1]

    def key(self, number: int) -> str:
        """The entry's id."""
        if number not in self._keys:
            row = self._connection.execute("SELECT id FROM entries WHERE number = ?", (number,)).fetchone()
            self._keys[number] = str(row[0]) if row else ""
        return self._keys[number]

    def ages(self) -> Sequence[int]:
        """Places by age and id; no two are the same."""
        return self._ages

    def number(self, entry_id: str) -> int | None:
        row = self._connection.execute("SELECT number FROM entries WHERE id = ?", (entry_id,)).fetchone()
        return int(row[0]) if row else None

    def _neighbours(self, entry: Entry) -> list[int]:
        number = self.number(entry.id)
        if number is None:
            return []
        beside = array("I")
        beside.frombytes(self._about["beside"][8 * number: 8 * number + 8])
        return [found - 1 for found in beside if found]

    def _successor(self, entry_id: str) -> str:
        row = self._connection.execute("SELECT successor FROM entries WHERE id = ?", (entry_id,)).fetchone()
        return str(row[0]) if row else ""

    def _term(self, term: str) -> tuple[int, "array[int]"]:
        if term not in self._terms:
            row = self._connection.execute("SELECT live, postings FROM terms WHERE term = ?", (term,)).fetchone()
            held = array("I")
            held.frombytes(row[1] if row else b"")
            self._terms[term] = (row[0] if row else 0, held)
        return self._terms[term]

    def entry(self, entry_id: str) -> Entry | None:
        found = self._entries("WHERE id = ?", entry_id)
        return found[0] if found else None

    def _entries(self, where: str, *values: object) -> list[Entry]:
        rows = self._connection.execute(f"SELECT id, text, path, meta FROM entries {where}", values)
        return [Entry(key, text, path, json.loads(meta)) for key, text, path, meta in rows]

    def memory(self) -> Memory:
        return Memory(self.vault, self.revision, self.total, self, self.entry,
                      lambda: self._entries("INDEXED BY pins WHERE pinned ORDER BY created LIMIT 20"),  # else all are walked by age
                      lambda most: self._entries("ORDER BY created DESC LIMIT ?", most), (), self._neighbours, self._successor,
                      self.number)

    def close(self) -> None:
        self._connection.close()


def opened(path: Path, vault_id: str) -> IndexCache | None:
    """The cache when there is a usable one for this vault."""
    try:
        cache = IndexCache(path)
    except (sqlite3.Error, KeyError, TypeError, ValueError):
        return None
    if cache.vault != vault_id:
        cache.close()
        return None
    return cache
