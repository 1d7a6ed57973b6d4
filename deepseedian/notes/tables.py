"""The note index's file: one SQLite database of this device, worth nothing but the time it took.

FTS5 holds the terms that `core.text` makes, not the texts; its own tokenizer only cuts them at spaces. A file that is
damaged, or another program's, is set aside with its log and begun anew. Several processes may have it open.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from deepseedian.store.database import Database, put_aside

_OURS = 0x4E6F7401  # "Not" and the number of the format
_TABLES = (
    """CREATE TABLE notes (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, raw BLOB, note INTEGER NOT NULL, key TEXT NOT NULL,
        name TEXT NOT NULL, mtime INTEGER NOT NULL, size INTEGER NOT NULL, inode INTEGER NOT NULL, sha TEXT NOT NULL,
        tags TEXT NOT NULL, properties TEXT NOT NULL)""",
    "CREATE TABLE names (note INTEGER PRIMARY KEY, plain TEXT NOT NULL)",
    "CREATE INDEX notes_name ON notes (name)",
    "CREATE INDEX notes_key ON notes (key)",
    "CREATE TABLE facts (name TEXT NOT NULL, value TEXT NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (name, value, note)) WITHOUT ROWID",
    "CREATE INDEX facts_note ON facts (note)",
    "CREATE TABLE links (note INTEGER NOT NULL, name TEXT NOT NULL, target TEXT NOT NULL, line INTEGER NOT NULL)",
    "CREATE INDEX links_name ON links (name)",
    "CREATE INDEX links_note ON links (note)",
    "CREATE TABLE problems (note INTEGER NOT NULL, path TEXT NOT NULL, line INTEGER NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL)",
    "CREATE INDEX problems_note ON problems (note)",
    "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE VIRTUAL TABLE words USING fts5(title, place, headings, tags, body, tokenize = "ascii tokenchars '_.-'")""",
)


def opened(file: Path) -> tuple[Database, bool]:
    """The index's file, and whether another one had to be set aside. Raises Busy while it is locked."""
    foreign = file.exists() and not _ours(file)
    if foreign:
        put_aside(file)
    database = Database(file, [_create])
    return database, foreign or database.set_aside is not None


def _create(connection: sqlite3.Connection) -> None:
    for statement in _TABLES:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id={_OURS}")


def _ours(file: Path) -> bool:
    """Whether it is our format, or nothing yet."""
    try:
        with closing(sqlite3.connect(file, timeout=5)) as connection:
            kind = connection.execute("PRAGMA application_id").fetchone()[0]
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            version = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.OperationalError:  # in use: opening it tells
        return True
    except sqlite3.DatabaseError:
        return False
    if (kind, version) == (_OURS, 1):
        return tables >= {"notes", "names", "facts", "links", "problems", "about", "words"}
    return bool(kind == version == 0 and not tables)
