"""What recall remembers of itself, on this device: receipts, what each session was given, feedback, corrections, verdicts.

A receipt is put into a queue and written in batches by a thread behind recall, which never waits for the disk;
every read writes first what is waiting. Rows are only added, and go by age, by number and with `erase`. A receipt
keeps ids and scores, never an entry's text; a question that says an erased text goes with it. A file that cannot
be read is set aside and begun anew: it is a log, nothing else depends on it.
"""

import secrets
import sqlite3
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count, islice
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from deepseedian.core.entry import derived, stamp
from deepseedian.core.erasure import telling
from deepseedian.core.text import query_terms
from deepseedian.core.weight import Signals, signals_of
from deepseedian.errors import BadInput, Busy, DeepseedianError, NotFound
from deepseedian.store.database import Database, put_aside
from deepseedian.store.receipt import (
    COLUMNS,
    Injection,
    Judged,
    Receipt,
    Row,
    brief,
    document_of,
    erased,
    injections,
    judge_of,
    loaded,
    packed_judge,
    row,
)

KEPT_DAYS = 90  # receipts, what was injected, verdicts, counters
SIGNAL_DAYS = 365  # feedback and corrections: they are few, and meant to last
MOST_RECEIPTS = 20_000
MOST_SIGNALS = 20_000
MOST_WAITING = 1024  # of some 15 kB each; whoever reads them waits for all that wait
MOST_SESSIONS = 256
BATCH_SECONDS = 0.25
REST_SECONDS = 0.0005
QUIET_SECONDS, PATIENCE_SECONDS = 0.05, 1.0
AT_ONCE = 64
_TRIM_EVERY = 256
_TRIES = 3
T = TypeVar("T")

_MIGRATIONS = ("""
    CREATE TABLE receipts (number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, at TEXT NOT NULL, session TEXT NOT NULL,
        door TEXT NOT NULL, question TEXT NOT NULL, revision TEXT NOT NULL, chars INTEGER NOT NULL, tokens INTEGER NOT NULL,
        milliseconds REAL NOT NULL, shadow INTEGER NOT NULL, judge TEXT NOT NULL, document BLOB NOT NULL);
    CREATE INDEX receipts_by_session ON receipts (session, number) WHERE session <> '';
    CREATE INDEX receipts_by_time ON receipts (at);
    CREATE TABLE injections (receipt TEXT NOT NULL, session TEXT NOT NULL, at TEXT NOT NULL, entry TEXT NOT NULL,
        content TEXT NOT NULL, again INTEGER NOT NULL);
    CREATE INDEX injections_by_session ON injections (session) WHERE session <> '';
    CREATE INDEX injections_by_receipt ON injections (receipt);
    CREATE TABLE signals (number INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, entry TEXT NOT NULL,
        content TEXT NOT NULL, receipt TEXT NOT NULL, message TEXT NOT NULL, terms TEXT NOT NULL);
    CREATE UNIQUE INDEX signals_by_message ON signals (message, entry) WHERE message <> '';
    CREATE TABLE verdicts (number INTEGER PRIMARY KEY, at TEXT NOT NULL, receipt TEXT NOT NULL, entry TEXT NOT NULL, word TEXT NOT NULL);
    CREATE TABLE counters (day TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (day, name))
""",)
_INJECTED = "SELECT entry, content FROM injections WHERE receipt = ? AND again = 0"


@dataclass(slots=True)
class _Given:
    """What a session was given, kept in memory so that a recall reads no file."""

    all: dict[str, str] = field(default_factory=dict)
    last: Mapping[str, str] = field(default_factory=dict)


def _made(receipt: Receipt) -> Row | None:
    """One that cannot be told costs no other."""
    with suppress(Exception):
        return row(receipt)
    return None


class Receipts:
    """One `recall.db`; thread-safe. The file is opened at the first write or read, by whoever does it."""

    def __init__(self, path: Path, *, batch_seconds: float = BATCH_SECONDS) -> None:
        self.path, self.faults = path, dict[str, str]()
        self._batch = batch_seconds
        self._seed, self._numbers = secrets.token_hex(16), count(1)
        self._waiting: deque[Receipt] = deque()
        self._late: deque[tuple[str, Judged, int]] = deque()
        self._counts: deque[tuple[str, str, int]] = deque()
        self._lost = 0
        self._mutex = threading.RLock()  # the file, and what is held in memory of it
        self._wake, self._closing = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._database: Database | None = None
        self._given: OrderedDict[str, _Given] = OrderedDict()
        self._signals: dict[str, dict[str, Signals]] | None = None
        self._since_trim = 0

    # On the way of a recall: nothing here waits for the disk

    def new_id(self) -> str:
        """An id for a receipt: made of one random seed and a count, since asking the system for each costs more than a search."""
        return derived(self._seed, str(next(self._numbers)))

    def keep(self, receipt: Receipt) -> None:
        """Put a receipt into the queue; when it is full the newest is left out and counted."""
        if len(self._waiting) >= MOST_WAITING:
            self._leave_out()
            return
        if receipt.session and not receipt.shadow:
            given = self._given.get(receipt.session)
            if given is not None:
                given.all.update(receipt.injected)
                given.last = receipt.injected
        self._waiting.append(receipt)
        self._nudge()

    def _leave_out(self) -> None:
        self._lost += 1
        self.faults["receipts_lost"] = f"{self._lost} receipts came faster than they could be written, or could not be, and were left out"

    def count(self, name: str, day: str, number: int = 1) -> None:
        """A call to the judge or to an embedding model; `day` is UTC's, as in an ISO time."""
        if len(self._counts) < MOST_WAITING:
            self._counts.append((day[:10], name, number))
        self._nudge()

    def judged(self, receipt: str, judged: Judged) -> None:
        """A verdict that came after its recall had been answered."""
        if len(self._late) < MOST_WAITING:
            self._late.append((receipt, judged, _TRIES))
        self._nudge()

    def _nudge(self) -> None:
        if not self._wake.is_set():
            self._wake.set()
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._write_behind, name="receipts", daemon=True)
                self._thread.start()

    def injected(self, session: str, mode: str = "session") -> Mapping[str, str]:
        """Entry id → name of the content a session was given already: in all its turns, in the `turn` before, or none for `off`."""
        if mode == "off" or not session:
            return {}
        given = self._given.get(session) or self._load_given(session)
        return given.last if mode == "turn" else given.all

    def signals(self) -> Mapping[str, Mapping[str, Signals]]:
        """Entry id → name of the content → what was said about it; read once, then held in memory."""
        found = self._signals
        return found if found is not None else self._locked(self._load_signals, {})

    # Writing

    def _write_behind(self) -> None:
        while not self._closing.is_set():
            self._wake.wait()
            self._closing.wait(self._batch)  # whatever else comes in meanwhile is one transaction with it
            self._until_quiet()
            self._wake.clear()
            while self._anything() and not self._closing.is_set():
                if not self.flush(self._prepared()):
                    self._closing.wait(1.0)

    def _anything(self) -> bool:
        return bool(self._waiting or self._late or self._counts)

    def _until_quiet(self) -> None:
        """Recalls come in bursts; making a row takes a third of one, and the interpreter does one thing at a time."""
        patience = int(PATIENCE_SECONDS / QUIET_SECONDS)
        seen = -1
        while seen != len(self._waiting) < MOST_WAITING // 2 and patience > 0 and not self._closing.is_set():
            seen, patience = len(self._waiting), patience - 1
            self._closing.wait(QUIET_SECONDS)

    def _prepared(self) -> dict[str, Row]:
        """The rows of the next few, made one by one with a rest after each, so that a recall that comes meanwhile waits for one.

        A burst that went on for as long as the queue has room waited for all of them: its slowest recalls took five times as long.
        """
        rows = {}
        for receipt in list(islice(self._waiting, AT_ONCE)):
            made = _made(receipt)
            if made is not None:  # else whoever writes it tells
                rows[receipt.id] = made
            if len(self._waiting) < MOST_WAITING - MOST_WAITING // 8 and self._closing.wait(REST_SECONDS):
                break
        return rows

    def flush(self, prepared: Mapping[str, Row] = MappingProxyType({})) -> bool:
        """Write what waits, or as much of it as there are rows; False when it has to wait longer, which `faults` names. Never raises."""
        with self._mutex:
            if not self._anything():
                return True
            return self._locked(partial(self._write, prepared), False)

    def _write(self, prepared: Mapping[str, Row]) -> bool:
        receipts, late, counts = list(islice(self._waiting, len(prepared) or None)), list(self._late), list(self._counts)
        with self._opened().transaction() as connection:
            made = [prepared.get(receipt.id) or _made(receipt) for receipt in receipts]
            rows = [one for one in made if one is not None]
            connection.executemany(f"INSERT OR IGNORE INTO receipts ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            connection.executemany("INSERT INTO injections VALUES (?, ?, ?, ?, ?, ?)",
                                   [one for receipt in receipts if not receipt.shadow for one in injections(receipt)])
            early = [(key, judged, tries - 1) for key, judged, tries in late if connection.execute(
                "UPDATE receipts SET judge = ? WHERE id = ?", (packed_judge(judged), key)).rowcount == 0 and tries > 1]
            connection.executemany("INSERT INTO counters VALUES (?, ?, ?) ON CONFLICT (day, name)"
                                   " DO UPDATE SET count = count + excluded.count", counts)
        for queue, done in ((self._waiting, receipts), (self._late, late), (self._counts, counts)):
            for _ in done:
                queue.popleft()
        for _ in range(len(made) - len(rows)):
            self._leave_out()
        self._late.extend(early)  # a verdict may come before the receipt it belongs to
        self._since_trim += len(receipts)
        if self._since_trim >= _TRIM_EVERY:
            self._since_trim = 0
            self._trim()
        return True

    def _trim(self) -> None:
        with self._opened().transaction() as connection:
            oldest = "SELECT coalesce(max(number), 0) - ? FROM"
            connection.execute("DELETE FROM injections WHERE receipt IN (SELECT id FROM receipts WHERE number <= "
                               f"({oldest} receipts))", (MOST_RECEIPTS,))
            connection.execute(f"DELETE FROM receipts WHERE number <= ({oldest} receipts)", (MOST_RECEIPTS,))
            connection.execute(f"DELETE FROM signals WHERE number <= ({oldest} signals)", (MOST_SIGNALS,))
            connection.execute(f"DELETE FROM verdicts WHERE number <= ({oldest} verdicts)", (MOST_SIGNALS,))

    def feedback(self, entry: str, content: str, kind: str, at: str, terms: Iterable[str] = (), receipt: str = "") -> None:
        """The owner's word on an entry's present text, useful or wrong; durable when it returns. Raises BadInput, Busy."""
        if kind not in ("useful", "wrong"):
            raise BadInput("feedback is useful or wrong", "deepseedian feedback ID useful")
        self._say([(at, kind, entry, content, receipt, "", " ".join(terms))])

    def outcome(self, entries: Mapping[str, str], at: str, terms: Iterable[str], receipt: str, message: str) -> None:
        """A message corrected these entries; the same message again counts once. Raises Busy."""
        told = " ".join(terms)
        self._say([(at, "corrected", entry, content, receipt, message, told) for entry, content in entries.items()])

    def _say(self, rows: Sequence[tuple[str, ...]]) -> None:
        with self._careful():
            with self._here().transaction() as connection:
                connection.executemany("INSERT OR IGNORE INTO signals (at, kind, entry, content, receipt, message, terms)"
                                       " VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            self._signals = None

    def verdict(self, receipt: str, entry: str, word: str, at: str) -> dict[str, object]:
        """The owner's word on what the judge did with an entry, right or wrong. Raises BadInput, NotFound, Busy."""
        if word not in ("right", "wrong"):
            raise BadInput("a verdict is right or wrong", "deepseedian verdict RECEIPT ENTRY right")
        judge = self.get(receipt)["judge"]
        assert isinstance(judge, dict)
        if entry not in (*judge["kept"], *judge["dropped"]):
            raise NotFound(f"the judge did not look at {entry} in this recall", "deepseedian receipts RECEIPT shows what it looked at")
        with self._careful(), self._here().transaction() as connection:
            connection.execute("INSERT INTO verdicts (at, receipt, entry, word) VALUES (?, ?, ?, ?)", (at, receipt, entry, word))
        return {"receipt": receipt, "entry": entry, "kept": entry in judge["kept"], "verdict": word}

    # Reading

    def get(self, receipt: str) -> dict[str, object]:
        """One receipt with everything in it. Raises NotFound, Busy."""
        rows = self._rows(f"SELECT {COLUMNS} FROM receipts WHERE id = ?", (receipt,))
        if not rows:
            raise NotFound(f"there is no receipt {receipt}", "deepseedian receipts lists them; they are kept for 90 days")
        words = dict(self._rows("SELECT entry, word FROM verdicts WHERE receipt = ? ORDER BY number", (receipt,)))
        injected = [entry for entry, _ in self._rows(_INJECTED, (receipt,))]
        return document_of(rows[0]) | {"injected": injected, "verdicts": words, "receipt": loaded(rows[0][-1]) or {}}

    def page(self, session: str = "", offset: int = 0, limit: int = 20) -> dict[str, object]:
        """{"total","offset","receipts":[…]}, newest first. Raises BadInput, Busy."""
        if offset < 0 or not 1 <= limit <= 200:
            raise BadInput("offset counts from 0, limit goes from 1 to 200", "for example: --limit 50")
        where, values = ("WHERE session = ?", [session]) if session else ("", [])
        total = self._rows(f"SELECT count(*) FROM receipts {where}", values)[0][0]
        rows = self._rows(f"SELECT {COLUMNS} FROM receipts {where} ORDER BY number DESC LIMIT ? OFFSET ?", [*values, limit, offset])
        return {"total": total, "offset": offset, "receipts": [document_of(found) | brief(loaded(found[-1]) or {}) for found in rows]}

    def injections(self, session: str, most: int) -> list[Injection]:
        """What a session had before it after each of its last recalls, newest first. Raises Busy."""
        rows = self._rows("SELECT id, at, question, document FROM receipts WHERE session = ? AND shadow = 0"
                          " ORDER BY number DESC LIMIT ?", (session, most)) if session else []
        found = []
        for key, at, question, packed in rows:
            entries = dict(self._rows("SELECT entry, content FROM injections WHERE receipt = ?", (key,)))
            terms = (loaded(packed) or {}).get("terms")
            found.append(Injection(key, at, question, tuple(map(str, terms)) if isinstance(terms, list) else (), entries))
        return found

    def stats(self, days: int, now: float) -> dict[str, object]:
        """Sums over the last days, today included. Raises BadInput, Busy."""
        if not 1 <= days <= KEPT_DAYS:
            raise BadInput(f"days goes from 1 to {KEPT_DAYS}", "receipts are not kept longer")
        since = stamp(now - (days - 1) * 86_400)[:10]
        recalls, chars, tokens, shadow = self._rows(
            "SELECT count(*), coalesce(sum(chars), 0), coalesce(sum(tokens), 0), coalesce(sum(shadow), 0) FROM receipts"
            " WHERE at >= ?", (since,))[0]
        judges = [judge_of(found[0]) for found in self._rows("SELECT judge FROM receipts WHERE at >= ? AND judge <> ''", (since,))]
        counts = dict(self._rows("SELECT name, sum(count) FROM counters WHERE day >= ? GROUP BY name", (since,)))
        words = dict(self._rows("SELECT word, count(*) FROM verdicts WHERE at >= ? GROUP BY word", (since,)))
        said = dict(self._rows("SELECT kind, count(*) FROM signals WHERE at >= ? GROUP BY kind", (since,)))
        injected = self._rows("SELECT count(DISTINCT receipt) FROM injections WHERE at >= ? AND again = 0", (since,))[0][0]
        return {"days": days, "since": since, "recalls": recalls, "shadow": shadow, "withMemory": injected, "injectedChars": chars,
                "estimatedTokens": tokens,
                "judgeKept": sum(len(item.kept) for item in judges), "judgeDropped": sum(len(item.dropped) for item in judges),
                "judgeCalls": counts.get("judge", 0), "embeddingCalls": counts.get("embedding", 0),
                "verdictsChecked": sum(words.values()), "verdictsWrong": words.get("wrong", 0),
                "corrections": said.get("corrected", 0), "useful": said.get("useful", 0), "wrong": said.get("wrong", 0)}

    def recalled(self, entry: str, limit: int = 20) -> dict[str, object]:
        """How often an entry was injected, and in which recalls, newest first. Raises Busy."""
        total = self._rows("SELECT count(*) FROM injections WHERE entry = ? AND again = 0", (entry,))[0][0]
        rows = self._rows("SELECT receipt, at, session FROM injections WHERE entry = ? AND again = 0 ORDER BY at DESC LIMIT ?",
                          (entry, limit))
        return {"total": total, "recalls": [{"receipt": key, "at": at, "session": session} for key, at, session in rows]}

    def said(self, entry: str) -> list[tuple[str, str, str]]:
        """What was said about an entry, oldest first: (time, useful, wrong or corrected, receipt). Raises Busy."""
        return [(str(at), str(kind), str(receipt)) for at, kind, receipt in self._rows(
            "SELECT at, kind, receipt FROM signals WHERE entry = ? ORDER BY number", (entry,))]

    def most_recalled(self, since: str, limit: int) -> list[tuple[str, int]]:
        """Entries and how often they were given since a time, the most given first. Raises Busy."""
        rows = self._rows("SELECT entry, count(*) AS times FROM injections WHERE at >= ? AND again = 0 GROUP BY entry"
                          " ORDER BY times DESC, entry LIMIT ?", (since, limit))
        return [(str(entry), int(times)) for entry, times in rows]

    def corrected(self, since: str) -> list[str]:
        """Entries that the owner took back or called wrong since a time, the first one first. Raises Busy."""
        rows = self._rows("SELECT entry FROM signals WHERE at >= ? AND kind IN ('corrected', 'wrong') GROUP BY entry"
                          " ORDER BY min(at), entry", (since,))
        return [str(row[0]) for row in rows]

    # Going

    def erase(self, ids: Set[str], texts: Sequence[str]) -> int:
        """Nothing of these entries stays: not in receipts, not among what was injected, said or judged; how many rows told of them.

        A question that says one of the texts goes, and with it everything made of its words. Raises Busy.
        """
        with self._careful():
            if not self._exists():
                return 0
            database = self._here()
            changed = [(*new, key) for key, question, judge, blob in database.rows("SELECT id, question, judge, document FROM receipts")
                       if (new := erased(question, judge, blob, ids, texts)) is not None]
            said = [set(query_terms(text)) for text in texts if telling(text)]
            told = [(number,) for number, terms in database.rows("SELECT number, terms FROM signals WHERE terms <> ''")
                    if any(one and one <= {*terms.split(" ")} for one in said)]
            removed = 0
            with database.transaction() as connection:
                connection.executemany("UPDATE receipts SET question = ?, judge = ?, document = ? WHERE id = ?", changed)
                connection.executemany("UPDATE signals SET terms = '' WHERE receipt = ?", [(key,) for *_, blob, key in changed if not blob])
                connection.executemany("UPDATE signals SET terms = '' WHERE number = ?", told)
                for table, key in ((table, key) for table in ("injections", "signals", "verdicts") for key in ids):
                    removed += connection.execute(f"DELETE FROM {table} WHERE entry = ?", (key,)).rowcount
            self._forget()
            database.scrub()
            return len(changed) + removed

    def leave(self, session: str) -> None:
        """A session is deleted: recalls stay, whose they were does not. Raises Busy."""
        with self._careful():
            if session and self._exists():
                with self._here().transaction() as connection:
                    for table in ("receipts", "injections"):
                        connection.execute(f"UPDATE {table} SET session = '' WHERE session = ?", (session,))
                self._given.pop(session, None)

    def prune(self, now: float) -> int:
        """Delete what is older than it is kept; how many receipts went. Raises Busy."""
        old, older = stamp(now - KEPT_DAYS * 86_400), stamp(now - SIGNAL_DAYS * 86_400)
        with self._careful():
            return self._prune(old, older) if self._exists() else 0

    def _prune(self, old: str, older: str) -> int:
        with self._here().transaction() as connection:
            number = connection.execute("DELETE FROM receipts WHERE at < ?", (old,)).rowcount
            for table in ("injections", "verdicts"):
                connection.execute(f"DELETE FROM {table} WHERE at < ?", (old,))
            connection.execute("DELETE FROM counters WHERE day < ?", (old[:10],))
            gone = connection.execute("DELETE FROM signals WHERE at < ?", (older,)).rowcount
        if number or gone:
            self._forget()
        return int(number)

    def _forget(self) -> None:
        self._given.clear()
        self._signals = None

    def close(self) -> None:
        """Write what waits; closing twice is harmless."""
        self._closing.set()
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(5)
        self.flush()
        with self._mutex:
            if self._database is not None:
                self._database.close()
                self._database = None

    # The file

    def _opened(self) -> Database:
        if self._database is None:
            self._database = Database(self.path, _MIGRATIONS)  # unchecked: damage shows when it is met
            if self._database.set_aside is not None:
                self.faults["receipts_set_aside"] = f"{self._database.set_aside.name} could not be read; receipts begin anew"
        return self._database

    def _exists(self) -> bool:
        return self._database is not None or bool(self._waiting) or self.path.exists()

    def _here(self) -> Database:
        """The file with everything in it that was waiting."""
        self.flush()
        return self._opened()

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[tuple]:  # type: ignore[type-arg]
        with self._careful():
            return self._here().rows(query, values)

    @contextmanager
    def _careful(self) -> Iterator[None]:
        """What a caller waits for. Raises Busy where the file proves damaged: the next try begins anew."""
        with self._mutex:
            try:
                yield
            except sqlite3.DatabaseError:
                self._set_aside()
                raise Busy("the receipts could not be read and begin anew", "try again") from None

    def _locked(self, act: Callable[[], T], otherwise: T) -> T:
        """What is done on behalf of a recall never fails it: the fault is named in health instead."""
        with self._mutex:
            try:
                found = act()
            except sqlite3.DatabaseError:
                self._set_aside()
                return otherwise
            except (OSError, DeepseedianError) as error:
                self.faults["receipts_unwritten"] = f"receipts wait to be written: {error}"
                return otherwise
            self.faults.pop("receipts_unwritten", None)
            return found

    def _set_aside(self) -> None:
        """A file that was damaged while it was open; the next opening finds that out and begins anew."""
        if self._database is not None:
            with suppress(sqlite3.Error):
                self._database.close()
            self._database = None
        self._forget()
        with suppress(OSError):
            self.faults["receipts_set_aside"] = f"{put_aside(self.path).name} could not be read; receipts begin anew"

    def _load_given(self, session: str) -> _Given:
        def load() -> _Given:
            self.flush()
            rows = self._opened().rows("SELECT receipt, entry, content FROM injections WHERE session = ? AND again = 0 ORDER BY rowid",
                                       (session,))
            newest = self._opened().rows("SELECT id FROM receipts WHERE session = ? AND shadow = 0 ORDER BY number DESC LIMIT 1",
                                         (session,))
            last = {entry: content for key, entry, content in rows if newest and key == newest[0][0]}
            return _Given({entry: content for _, entry, content in rows}, last)

        with self._mutex:
            found = self._locked(load, _Given())
            self._given[session] = found
            self._given.move_to_end(session)
            while len(self._given) > MOST_SESSIONS:
                self._given.popitem(last=False)
        return found

    def _load_signals(self) -> dict[str, dict[str, Signals]]:
        if not self._exists():
            self._signals = {}
            return self._signals
        said: dict[tuple[str, str], list[tuple[str, list[str]]]] = {}
        for kind, entry, content, terms in self._opened().rows("SELECT kind, entry, content, terms FROM signals ORDER BY number"):
            said.setdefault((entry, content), []).append((kind, terms.split(" ") if terms else []))
        found: dict[str, dict[str, Signals]] = {}
        for (entry, content), rows in said.items():
            found.setdefault(entry, {})[content] = signals_of(rows)
        self._signals = found
        return found
