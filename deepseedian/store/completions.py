"""The budget of inline completion on this device: so many a day and a minute, some seconds apart, one at a time.

A call is counted durably before it is made and never given back, whatever becomes of it; all processes that open the vault
share the count. A clock that is turned back gives nothing back either: what was counted after it is taken for just counted,
and belongs to today. So it does not close the budget for years when the clock was far ahead.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from deepseedian.core.entry import stamp
from deepseedian.store.database import Database

A_DAY, A_MINUTE, APART = 200, 10, 2.0
MINUTE = 60.0
ENDING_SECONDS = 0.5  # so long one that was given up may take to end: whoever asks again at once waits for it
KEPT = 1000  # rows, whatever their day: what was counted today is still known after a clock was ahead for a while
_MIGRATIONS = ("CREATE TABLE calls (number INTEGER PRIMARY KEY, day TEXT NOT NULL, at REAL NOT NULL)",)


class Completions:
    """One `complete.db`; thread-safe, shared by all processes of this device."""

    def __init__(self, path: Path) -> None:
        self._database = Database(path, _MIGRATIONS)
        self._database.rows("PRAGMA synchronous=FULL")  # a count must survive a power cut
        self._here = threading.Lock()
        self._everywhere = FileLock(path.with_suffix(".lock"), fallback_to_soft=False, mode=0o600, thread_local=False)

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """Whether no other completion of this vault is under way; while the block runs there is none. A kill frees it.

        One that was just given up has a moment to end. Esc and the command again at once was answered that another one was under way.
        """
        if not self._here.acquire(timeout=ENDING_SECONDS):
            yield False
            return
        try:
            try:
                self._everywhere.acquire(timeout=ENDING_SECONDS)
            except Timeout:
                yield False
                return
            try:
                yield True
            finally:
                self._everywhere.release()
        finally:
            self._here.release()

    def reserve(self, now: float) -> tuple[str, float]:
        """Count a call at this time (Unix seconds), or say why not: day, minute or too_soon, and for how many seconds still."""
        today = stamp(now)[:10]
        with self._database.transaction() as connection:
            newest = connection.execute("SELECT max(at) FROM calls").fetchone()[0]
            if newest is not None and newest > now:
                connection.execute("UPDATE calls SET at = at - ?", (newest - now,))
                connection.execute("UPDATE calls SET day = ? WHERE day > ?", (today, today))
                newest = now
            connection.execute("DELETE FROM calls WHERE number <= (SELECT max(number) FROM calls) - ?", (KEPT,))
            counted = connection.execute("SELECT count(*) FROM calls WHERE day = ?", (today,)).fetchone()[0]
            recent = [row[0] for row in connection.execute("SELECT at FROM calls WHERE at > ? ORDER BY at DESC", (now - MINUTE,))]
            if counted >= A_DAY:
                return "day", (86_400 - now % 86_400)
            if len(recent) >= A_MINUTE:
                return "minute", recent[A_MINUTE - 1] + MINUTE - now
            if newest is not None and now - newest < APART:
                return "too_soon", newest + APART - now
            connection.execute("INSERT INTO calls (day, at) VALUES (?, ?)", (today, now))
            return "", 0.0

    def close(self) -> None:
        self._database.close()
