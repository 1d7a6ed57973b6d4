"""What idle runs have cost and how far they have read, on this device: budgets, cursors, and a log of runs.

A run is reserved durably before a model is called and never given back, whatever becomes of it; a clock
that is turned back does not open a day again.
"""

from dataclasses import dataclass
from pathlib import Path

from deepseedian.store.database import Database

_MIGRATIONS = ("""
    CREATE TABLE runs (number INTEGER PRIMARY KEY, day TEXT NOT NULL, at TEXT NOT NULL, chars INTEGER NOT NULL,
        outcome TEXT NOT NULL DEFAULT '');
    CREATE TABLE cursors (session TEXT PRIMARY KEY, message TEXT NOT NULL);
""",)


@dataclass(frozen=True, slots=True)
class Spent:
    """Model runs and input characters of a day."""

    runs: int
    chars: int


class Ledger:
    def __init__(self, path: Path) -> None:
        self._database = Database(path, _MIGRATIONS)
        self._database.rows("PRAGMA synchronous=FULL")  # a reservation must survive a power cut

    def reserve(self, at: str, chars: int, most_runs: int, most_chars: int) -> int:
        """The number of a new run, 0 when the day's budget does not allow it. `at` is an ISO time in UTC."""
        with self._database.transaction() as connection:
            newest = connection.execute("SELECT max(day) FROM runs").fetchone()[0] or ""
            day = max(at[:10], newest)
            runs, used = connection.execute("SELECT count(*), coalesce(sum(chars), 0) FROM runs WHERE day = ?", (day,)).fetchone()
            if runs >= most_runs or used + chars > most_chars:
                return 0
            done = connection.execute("INSERT INTO runs (day, at, chars) VALUES (?, ?, ?)", (day, at, chars))
            return done.lastrowid or 0

    def finish(self, number: int, outcome: str) -> None:
        with self._database.transaction() as connection:
            connection.execute("UPDATE runs SET outcome = ? WHERE number = ?", (outcome, number))

    def spent(self, day: str) -> Spent:
        row = self._database.rows("SELECT count(*), coalesce(sum(chars), 0) FROM runs WHERE day = ?", (day,))[0]
        return Spent(*row)

    def cursor(self, session: str) -> str:
        """The id of the last message a run has read; empty for none."""
        rows = self._database.rows("SELECT message FROM cursors WHERE session = ?", (session,))
        return str(rows[0][0]) if rows else ""

    def move(self, cursors: dict[str, str]) -> None:
        with self._database.transaction() as connection:
            connection.executemany("INSERT INTO cursors VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET message = excluded.message",
                                   cursors.items())

    def restart(self, session: str) -> None:
        """The next run reads this session from its beginning."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM cursors WHERE session = ?", (session,))

    def close(self) -> None:
        self._database.close()
