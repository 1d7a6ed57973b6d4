"""What model runs have cost and what they have read, on this device: budgets, read messages, answers, and a log of runs.

A run is reserved durably before a model is called and never given back, whatever becomes of it; a clock that
is turned back opens no day again, so that a day's budget holds for every process that shares the file. What a
model answered is kept until its proposals are durable: after a kill in between it is used, not paid for again.
A message counts as read by its own key, not by its place, so that a changed history costs only what is new in it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from deepseedian.core.entry import moment, stamp
from deepseedian.store.database import Database

JUDGE = "judge"  # a run that judges one statement: its characters count, but it is no consolidation
CANCELLED = "cancelled"
_MIGRATIONS = ("""
    CREATE TABLE runs (number INTEGER PRIMARY KEY, day TEXT NOT NULL, at TEXT NOT NULL, chars INTEGER NOT NULL,
        outcome TEXT NOT NULL DEFAULT '');
    CREATE TABLE cursors (session TEXT PRIMARY KEY, message TEXT NOT NULL);
""", """
    ALTER TABLE runs ADD COLUMN kind TEXT NOT NULL DEFAULT 'idle';
    ALTER TABLE runs ADD COLUMN calls INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN failed INTEGER NOT NULL DEFAULT 1;
    UPDATE runs SET calls = 1, failed = 0;
    CREATE TABLE seen (session TEXT NOT NULL, mark BLOB NOT NULL, PRIMARY KEY (session, mark)) WITHOUT ROWID;
    CREATE TABLE answers (evidence TEXT PRIMARY KEY, useful INTEGER NOT NULL, answer TEXT NOT NULL, messages TEXT NOT NULL);
    CREATE TABLE marks (name TEXT PRIMARY KEY, at TEXT NOT NULL)
""")


@dataclass(frozen=True, slots=True)
class Spent:
    """Model runs and input characters of a day."""

    runs: int
    chars: int


@dataclass(frozen=True, slots=True)
class Run:
    """One run; without an `outcome` it is under way, or a kill ended it."""

    number: int
    at: str
    kind: str
    calls: int
    chars: int
    outcome: str
    failed: bool

    def document(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Answered:
    """What a model made of some evidence; `answer` is empty once its proposals are durable, or when it was of no use."""

    useful: bool
    answer: str
    evidence: str = ""
    messages: frozenset[str] = frozenset()


class Ledger:
    """One `ledger.db`; thread-safe, shared by all processes of this device."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = Database(path, _MIGRATIONS)
        self._database.rows("PRAGMA synchronous=FULL")  # a reservation must survive a power cut

    # Budgets

    def reserve(self, at: str, chars: int, most_runs: int, most_chars: int, kind: str = "idle") -> int:
        """The number of a new run, 0 when the day's budget does not allow it. `at` is an ISO time in UTC."""
        with self._database.transaction() as connection:
            newest = connection.execute("SELECT max(day) FROM runs").fetchone()[0] or ""
            day = max(at[:10], newest)
            runs, used = connection.execute("SELECT coalesce(sum(kind <> ?), 0), coalesce(sum(chars), 0) FROM runs WHERE day = ?",
                                            (JUDGE, day)).fetchone()
            if (runs >= most_runs and kind != JUDGE) or used + chars > most_chars:
                return 0
            done = connection.execute("INSERT INTO runs (day, at, chars, kind) VALUES (?, ?, ?, ?)", (day, at, chars, kind))
            return done.lastrowid or 0

    def call(self, number: int) -> None:
        """A request of this run is about to leave."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE runs SET calls = calls + 1 WHERE number = ?", (number,))

    def finish(self, number: int, outcome: str, *, failed: bool = False) -> None:
        with self._database.transaction() as connection:
            connection.execute("UPDATE runs SET outcome = ?, failed = ? WHERE number = ?", (outcome, failed, number))

    def spent(self, day: str) -> Spent:
        row = self._database.rows("SELECT coalesce(sum(kind <> ?), 0), coalesce(sum(chars), 0) FROM runs WHERE day = ?", (JUDGE, day))[0]
        return Spent(*row)

    def today(self, at: str) -> str:
        """The day that a run at this time is counted for: a later one than the clock shows when the clock was ahead before."""
        return max(at[:10], str(self._database.rows("SELECT coalesce(max(day), '') FROM runs")[0][0]))

    def days(self, most: int = 30) -> list[dict[str, object]]:
        """Runs, calls and input characters of each day that had any, newest first."""
        rows = self._database.rows("SELECT day, count(*), sum(calls), sum(chars), sum(failed) FROM runs GROUP BY day"
                                   " ORDER BY day DESC LIMIT ?", (most,))
        return [dict(zip(("day", "runs", "calls", "chars", "failed"), row, strict=True)) for row in rows]

    def runs(self, most: int = 20) -> list[Run]:
        """Newest first."""
        rows = self._database.rows("SELECT number, at, kind, calls, chars, outcome, failed FROM runs ORDER BY number DESC LIMIT ?", (most,))
        return [Run(number, at, kind, calls, chars, outcome, bool(failed)) for number, at, kind, calls, chars, outcome, failed in rows]

    def failures(self) -> int:
        """How many of the last consolidations failed one after the other; one that a kill ended counts too."""
        count = 0
        rows = self._database.rows("SELECT failed, outcome FROM runs WHERE kind <> ? ORDER BY number DESC LIMIT 20", (JUDGE,))
        for failed, outcome in rows:
            if outcome == CANCELLED:
                continue
            if not failed:
                break
            count += 1
        return count

    # What was read

    def cursor(self, session: str) -> str:
        """The id of the last message a run has read; empty for none."""
        rows = self._database.rows("SELECT message FROM cursors WHERE session = ?", (session,))
        return str(rows[0][0]) if rows else ""

    def unseen(self, session: str, ids: Iterable[str]) -> list[str]:
        """Those of a session's messages that no run has read, in their order; all of them where its history is another by now."""
        wanted = list(ids)
        seen = {bytes(row[0]) for row in self._database.rows("SELECT mark FROM seen WHERE session = ?", (session,))}
        cursor = self.cursor(session)
        if cursor and cursor not in wanted:
            return wanted
        if not seen and cursor in wanted:  # an earlier version kept only the last one
            return wanted[wanted.index(cursor) + 1:]
        return [key for key in wanted if _mark(key) not in seen]

    def move(self, cursors: Mapping[str, str], read: Mapping[str, Iterable[str]] = {}, evidence: str = "") -> None:
        """These messages are read and what came of them is durable: all or nothing."""
        marks = [(session, _mark(key)) for session, keys in read.items() for key in keys]
        with self._database.transaction() as connection:
            connection.executemany("INSERT INTO cursors VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET message = excluded.message",
                                   list(cursors.items()))
            connection.executemany("INSERT OR IGNORE INTO seen VALUES (?, ?)", marks)
            if evidence:
                connection.execute("UPDATE answers SET answer = '' WHERE evidence = ?", (evidence,))

    # What was answered

    def answered(self, evidence: str) -> Answered | None:
        rows = self._database.rows("SELECT useful, answer FROM answers WHERE evidence = ?", (evidence,))
        return Answered(bool(rows[0][0]), rows[0][1]) if rows else None

    def pending(self) -> Answered | None:
        """An answer that was paid for and that nothing was made of yet, with the ids of the messages it is about."""
        rows = self._database.rows("SELECT evidence, answer, messages FROM answers WHERE answer <> '' LIMIT 1")
        return Answered(True, rows[0][1], rows[0][0], frozenset(rows[0][2].split("\n"))) if rows else None

    def keep(self, evidence: str, answer: str, messages: Iterable[str] = (), *, useful: bool = True) -> None:
        """Durably, before anything is made of it."""
        row = (evidence, useful, answer if useful else "", "\n".join(messages))
        with self._database.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", row)

    def drop_answers(self) -> None:
        """No text of an answer stays; the evidence still counts as answered."""
        with self._database.transaction() as connection:
            found = connection.execute("UPDATE answers SET answer = '' WHERE answer <> ''").rowcount
        if found:
            self._database.scrub()

    # Once in a while

    def once(self, name: str, now: float, seconds: float) -> bool:
        """True at most once in that time, in whichever process; a clock that was far ahead does not silence it for good."""
        with self._database.transaction() as connection:
            rows = connection.execute("SELECT at FROM marks WHERE name = ?", (name,)).fetchone()
            since = now - moment(rows[0]) / 1000 if rows else seconds
            if -seconds <= since < seconds:
                return False
            connection.execute("INSERT OR REPLACE INTO marks VALUES (?, ?)", (name, stamp(now)))
            return since >= seconds

    def restart(self, session: str) -> None:
        """The next run reads this session from its beginning."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM cursors WHERE session = ?", (session,))
            connection.execute("DELETE FROM seen WHERE session = ?", (session,))

    def close(self) -> None:
        self._database.close()


def _mark(key: str) -> bytes:
    return sha256(key.encode(errors="surrogatepass")).digest()[:16]
