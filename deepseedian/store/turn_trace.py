"""What happened in each turn with a model, step by step, on this device: the question, what was recalled, what the model
was asked and did, what it cost.

A step is a row; rows are only added, and go after 90 days, with their session, or with `erase`. A trace never fails a
turn: what cannot be written is named in health instead, and a file that cannot be read is set aside and begun anew.
"""

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from deepseedian.core.entry import stamp as stamped
from deepseedian.core.erasure import everywhere
from deepseedian.core.text import cut
from deepseedian.errors import BadInput, Busy, DeepseedianError, NotFound
from deepseedian.store.database import Database, put_aside
from deepseedian.store.session_log import mended

KINDS = ("question", "memory", "context", "request", "reasoning", "tool_call", "tool_result", "answer", "usage", "error", "end")
DETAIL_LIMIT = 24_000
PREVIEW_LIMIT = 500
KEPT_DAYS = 90
GONE = {"erased": True}
_SAID = ("text", "arguments", "result", "message")  # what of a detail is worth a line
_LEAST = 200  # a text is not cut shorter than this to make room for others
_MIGRATIONS = ("""
    CREATE TABLE steps (id INTEGER PRIMARY KEY, session TEXT NOT NULL, turn TEXT NOT NULL, number INTEGER NOT NULL, at TEXT NOT NULL,
        kind TEXT NOT NULL, detail TEXT NOT NULL, preview TEXT NOT NULL, usage TEXT NOT NULL, cut INTEGER NOT NULL);
    CREATE UNIQUE INDEX steps_by_turn ON steps (turn, number);
    CREATE INDEX steps_by_session ON steps (session);
    CREATE INDEX steps_by_time ON steps (at)
""",)
Usage = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Step:
    """`detail` is what is known of it, cut where it was long; `usage` are tokens and cost of a call to the model."""

    number: int
    at: str
    kind: str
    detail: Mapping[str, object]
    preview: str
    usage: Mapping[str, object] | None = None

    def document(self) -> dict[str, object]:
        return {"number": self.number, "at": self.at, "kind": self.kind, "detail": dict(self.detail), "preview": self.preview,
                "usage": dict(self.usage) if self.usage else None}


@dataclass(frozen=True, slots=True)
class Traced:
    """One turn at a glance."""

    turn: str
    session: str
    at: str
    steps: int
    question: str
    usage: Mapping[str, object]

    def document(self) -> dict[str, object]:
        return {"turn": self.turn, "session": self.session, "at": self.at, "steps": self.steps, "question": self.question,
                "usage": dict(self.usage)}


class TurnTrace:
    """One `trace.db`; thread-safe, opened at the first write or read."""

    def __init__(self, file: Path, stamp: Callable[[], str] = lambda: stamped(time.time())) -> None:
        self.path, self.faults = file, dict[str, str]()
        self._stamp = stamp
        self._mutex = threading.RLock()
        self._database: Database | None = None

    def add(self, session: str, turn: str, kind: str, detail: Mapping[str, object], usage: Usage | None = None) -> int:
        """The number of the step in its turn, from 1; 0 when it could not be kept, which `faults` names."""
        if kind not in KINDS:
            raise BadInput(f"a step is one of {', '.join(KINDS)}", "not " + repr(kind))
        short, was_cut = shortened(detail)
        row = (session, turn, self._stamp(), kind, _dumped(short), preview(kind, detail), _dumped(usage) if usage else "", was_cut)
        with self._mutex:
            try:
                return self._insert(turn, row)
            except sqlite3.DatabaseError:
                self._set_aside()
            except (OSError, DeepseedianError) as error:
                self.faults["trace"] = f"steps of turns are not kept: {error}"
            return 0

    def _insert(self, turn: str, row: tuple[object, ...]) -> int:
        with self._opened().transaction() as connection:
            number = int(connection.execute("SELECT coalesce(max(number), 0) + 1 FROM steps WHERE turn = ?", (turn,)).fetchone()[0])
            connection.execute("INSERT INTO steps (session, turn, at, kind, detail, preview, usage, cut, number)"
                               " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, number))
        self.faults.pop("trace", None)
        return number

    # Reading

    def steps(self, turn: str) -> list[Step]:
        """The steps of a turn in order. Raises NotFound, Busy."""
        rows = self._rows("SELECT number, at, kind, detail, preview, usage FROM steps WHERE turn = ? ORDER BY number", (turn,))
        if not rows:
            raise NotFound(f"there is no trace of a turn {turn}", "deepseedian trace lists the last ones")
        return [Step(number, at, kind, _loaded(detail), text, _loaded(usage) if usage else None)
                for number, at, kind, detail, text, usage in rows]

    def session(self, turn: str) -> str:
        """The session that a turn was in; empty for none. Raises Busy."""
        rows = self._rows("SELECT session FROM steps WHERE turn = ? LIMIT 1", (turn,))
        return str(rows[0][0]) if rows else ""

    def turns(self, session: str = "", limit: int = 20) -> list[Traced]:
        """The last turns, newest first; of one session, or of all. Raises BadInput, Busy."""
        if not 1 <= limit <= 1000:
            raise BadInput("limit goes from 1 to 1000", "for example: --limit 20")
        where = ("WHERE session = ?", (session,)) if session else ("", ())
        rows = self._rows("SELECT turn, min(session), min(at), count(*), min(id) FROM steps"
                          f" {where[0]} GROUP BY turn ORDER BY min(id) DESC LIMIT ?", (*where[1], limit))
        return [self._traced(*row) for row in rows]

    def named(self, prefix: str, most: int) -> list[Traced]:
        """Turns whose id begins so, newest first. Raises Busy."""
        rows = self._rows("SELECT turn, min(session), min(at), count(*), min(id) FROM steps WHERE substr(turn, 1, ?) = ?"
                          " GROUP BY turn ORDER BY min(id) DESC LIMIT ?", (len(prefix), prefix, most))
        return [self._traced(*row) for row in rows]

    def _traced(self, turn: str, session: str, at: str, steps: int, first: int) -> Traced:
        asked = self._rows("SELECT preview FROM steps WHERE turn = ? AND kind = 'question' ORDER BY number LIMIT 1", (turn,))
        usages = self._rows("SELECT kind, usage FROM steps WHERE turn = ? AND usage <> '' ORDER BY number", (turn,))
        usage = summed([(kind, _loaded(text)) for kind, text in usages])
        return Traced(turn, session, at, steps, str(asked[0][0]) if asked else "", usage)

    # Going

    def erase(self, cleaned: Callable[[str], str], partly: Callable[[str], bool] = lambda text: False) -> int:
        """Take texts out of every step; how many changed.

        Of a step that was cut, and that shows `partly` what is to go, nothing stays. Raises Busy.
        """
        if not self._exists():
            return 0
        changed = []
        for key, kind, detail, shown, was_cut in self._rows("SELECT id, kind, detail, preview, cut FROM steps"):
            old = _loaded(detail)
            new = everywhere(old, cleaned)
            gone = (was_cut and _any(old, partly)) or not isinstance(new, dict)
            if new != old or gone or cleaned(shown) != shown or partly(shown):
                kept = GONE if gone or not isinstance(new, dict) else new
                changed.append((_dumped(kept), "" if gone or partly(shown) else cleaned(preview(kind, kept)), key))
        self._change("UPDATE steps SET detail = ?, preview = ? WHERE id = ?", changed)
        return len(changed)

    def delete(self, session: str) -> int:
        """Take away the turns of a session; how many steps went. Raises Busy."""
        found = self._rows("SELECT id FROM steps WHERE session = ?", (session,)) if self._exists() else []
        self._change("DELETE FROM steps WHERE id = ?", found)
        return len(found)

    def _change(self, query: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Change rows for good: no byte of what they said stays in the file."""
        if rows:
            with self._careful():
                self._opened().write(query, rows)
                self._opened().scrub()

    def prune(self, now: float) -> int:
        """Delete what is older than 90 days; `now` is Unix time. Raises Busy."""
        if not self._exists():
            return 0
        with self._careful(), self._opened().transaction() as connection:
            return int(connection.execute("DELETE FROM steps WHERE at < ?", (stamped(now - KEPT_DAYS * 86_400),)).rowcount)

    def close(self) -> None:
        """Closing twice is harmless."""
        with self._mutex:
            if self._database is not None:
                self._database.close()
                self._database = None

    # The file

    def _exists(self) -> bool:
        return self._database is not None or self.path.exists()

    def _opened(self) -> Database:
        if self._database is None:
            self._database = Database(self.path, _MIGRATIONS)
            if self._database.set_aside is not None:
                self.faults["trace_set_aside"] = f"{self._database.set_aside.name} could not be read; traces begin anew"
        return self._database

    def _rows(self, query: str, values: tuple[object, ...] = ()) -> list[tuple]:  # type: ignore[type-arg]
        if not self._exists():
            return []
        with self._careful():
            return self._opened().rows(query, values)

    @contextmanager
    def _careful(self) -> Iterator[None]:
        """Raises Busy where the file proves damaged: the next try begins anew."""
        with self._mutex:
            try:
                yield
            except sqlite3.DatabaseError:
                self._set_aside()
                raise Busy("the traces could not be read and begin anew", "try again") from None

    def _set_aside(self) -> None:
        self._close_quietly()
        with suppress(OSError):
            self.faults["trace_set_aside"] = f"{put_aside(self.path).name} could not be read; traces begin anew"

    def _close_quietly(self) -> None:
        with suppress(sqlite3.Error):
            self.close()
        self._database = None


def summed(told: Sequence[tuple[str, Mapping[str, object]]]) -> dict[str, object]:
    """Tokens and cost of several calls, by kind of step; a cost only where every call has one. An end tells the sum once more."""
    usages = [usage for kind, usage in told if kind != "end"] or [usage for _, usage in told]

    def all_of(name: str) -> list[float]:
        return [float(value) for usage in usages if isinstance(value := usage.get(name), int | float) and not isinstance(value, bool)]

    found: dict[str, object] = {name: int(sum(all_of(name))) for name in ("input", "output", "cached", "reasoning")}
    costs = all_of("cost")
    return found | {"cost": round(sum(costs), 8) if costs and len(costs) == len(usages) else None}


def preview(kind: str, detail: Mapping[str, object]) -> str:
    """What a list shows of a step, on one line."""
    name = str(detail.get("name", "")) if kind in ("tool_call", "tool_result") else ""
    body = {key: value for key, value in detail.items() if key != "name"}
    said = next((body[key] for key in _SAID if key in body), body or "")
    text = said if isinstance(said, str) else _dumped(said)
    return cut(mended(" ".join(f"{name} {text}".split())), PREVIEW_LIMIT)


def shortened(detail: Mapping[str, object]) -> tuple[dict[str, object], bool]:
    """The detail in at most 24,000 characters of JSON: its longest texts are cut, further and further; and whether any was."""
    whole = _dumped(detail)
    if len(whole) <= DETAIL_LIMIT:
        return dict(detail), False
    limit = DETAIL_LIMIT // 2
    while limit >= _LEAST:
        short = _cut(detail, limit)
        if isinstance(short, dict) and len(_dumped(short)) <= DETAIL_LIMIT:
            return short, True
        limit //= 2
    return {"cut": whole[:DETAIL_LIMIT // 3]}, True


def _cut(value: object, limit: int) -> object:
    if isinstance(value, Mapping):
        return {str(name): _cut(one, limit) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_cut(one, limit) for one in value]
    return cut(value, limit) + "…" if isinstance(value, str) and len(value) > limit else value


def _any(value: object, told: Callable[[str], bool]) -> bool:
    if isinstance(value, Mapping):
        return any(_any(one, told) for one in value.values())
    if isinstance(value, list | tuple):
        return any(_any(one, told) for one in value)
    return isinstance(value, str) and told(value)


def _dumped(value: object) -> str:
    return mended(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str))


def _loaded(text: str) -> dict[str, object]:
    found = json.loads(text)
    return found if isinstance(found, dict) else {}
