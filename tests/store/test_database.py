"""SQLite files that several programs open."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from deepseedian.errors import Busy
from deepseedian.store import database
from deepseedian.store.database import Database

MADE = ("CREATE TABLE calls (at TEXT)",)


def test_a_file_that_another_is_just_making_is_waited_for(tmp_path: Path) -> None:
    """The other one has begun to write and not yet switched to a log: SQLite tells the second one at once that it is locked."""
    with closing(sqlite3.connect(tmp_path / "new.db", isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        done = threading.Timer(0.2, other.execute, ["COMMIT"])
        done.start()
        Database(tmp_path / "new.db", MADE).close()
        done.join()


def test_the_wait_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "WAIT_SECONDS", 0.1)
    with closing(sqlite3.connect(tmp_path / "new.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy, match="locked"):
            Database(tmp_path / "new.db", MADE)
