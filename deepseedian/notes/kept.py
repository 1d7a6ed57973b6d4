"""What the index keeps, and how it follows the vault.

A file whose time, size and inode are those of last time is not read; one that was read and is byte for byte the same is
not parsed. Work is done in pieces of a few hundredths of a second, each its own transaction: whoever asks meanwhile
gets an answer from what is there. Times younger than two seconds are not believed: the same tick may hold another save.
"""

import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from deepseedian.errors import Busy, DeepseedianError
from deepseedian.notes import paths, tables
from deepseedian.notes.tree import Found, Problem, Source, Stamp, Tree, shown
from deepseedian.store.database import Database, put_aside

PIECE_SECONDS = 0.04
YOUNG_NS = 2_000_000_000
VALUE_LIMIT = 300
MOST_KEPT = 60
_DOUBLES = "SELECT min(path), count(*), max(path) FROM notes WHERE note GROUP BY name HAVING count(*) > 1"


@dataclass(frozen=True, slots=True)
class Row:
    """One file as it is written into the index. `plain` are its names, one a line, and `words` the five columns of terms;
    both are empty for what is no note."""

    found: Found
    sha: str
    plain: str = ""
    tags: tuple[str, ...] = ()
    properties: str = "{}"
    facts: tuple[tuple[str, str], ...] = ()
    links: tuple[tuple[str, str, int], ...] = ()
    problems: tuple[Problem, ...] = ()
    words: tuple[str, ...] = ()


class Kept:
    """The index's file and the vault beside it. Thread-safe."""

    def __init__(self, root: Path, file: Path, excluded: Callable[[], tuple[str, ...]] = lambda: (),
                 pace: Callable[[float], bool] = lambda seconds: True) -> None:
        """`pace` is told after each piece how long it took; it may wait, and False ends the work."""
        self.tree = Tree(os.path.realpath(root), excluded)
        self.file = file
        self.pace = pace
        self._following = threading.Lock()
        self._opening = threading.Lock()
        self._database: Database | None = None
        self._closed = False
        self._faults: dict[str, str] = {}
        self._progress = (0, 0)
        self._aside = 0
        self._left_out: tuple[str, ...] = ()
        self._counts: dict[str, object] = {"state": "indexing"}

    # The file

    @property
    def database(self) -> Database:
        with self._opening:
            if self._closed:
                raise Busy("the note index is closed", "try again in a moment")
            if self._database is None:
                self._database, foreign = tables.opened(self.file)
                self._aside += foreign
            return self._database

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """A database that turns out to be damaged is set aside; the caller's next try begins a new one."""
        try:
            yield
        except sqlite3.ProgrammingError:  # closed meanwhile: nothing is wrong with the file
            raise Busy("the note index is being closed", "try again in a moment") from None
        except sqlite3.DatabaseError:
            self._give_up()
            raise

    def _give_up(self) -> None:
        with self._opening:
            if self._database is not None:
                with suppress(sqlite3.Error):
                    self._database.close()
                self._database = None
            put_aside(self.file)
            self._aside += 1

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple]:  # type: ignore[type-arg]
        """Raises Busy; a damaged file is begun anew and read again."""
        try:
            with self._sound():
                return self.database.rows(query, values)
        except sqlite3.DatabaseError:
            self.refresh()
            return self.database.rows(query, values)

    def close(self) -> None:
        self._closed = True
        with self._following, self._opening:
            if self._database is not None:
                self._database.close()
                self._database = None

    # Following the vault

    def refresh(self, hints: frozenset[str] | None = None) -> None:
        """Bring the index up to date: with hints these paths alone, else everything. Raises Busy, or what the disk raises."""
        with self._following:
            if self._closed:
                return
            try:
                with self._sound():
                    self._follow(hints)
            except sqlite3.DatabaseError:
                self._follow(None)
            except (OSError, DeepseedianError) as error:
                self._faults["notes_index"] = f"notes are not indexed: {error}"
                raise
            self._faults.clear()
            self._counts = self._counted()

    def _follow(self, hints: frozenset[str] | None) -> None:
        if hints is None or not self.built:
            self._compare("")
            return
        for hint in sorted(hints):
            found = self.tree.find(hint)
            if found is not None:
                self._take([found], self._known("WHERE path = ?", found.path))
            elif self.tree.is_folder(hint):
                self._compare(hint)
            else:
                self._drop(self._below(shown(hint)))

    @property
    def outdated(self) -> bool:
        """Whether other folders are left out now than when everything was looked at."""
        return self.tree.excluded() != self._left_out

    @property
    def built(self) -> bool:
        """Whether everything was looked at once."""
        return bool(self.database.rows("SELECT 1 FROM about WHERE name = 'built'"))

    def _compare(self, folder: str) -> None:
        """Look at all below a folder."""
        self.tree.problems.clear()
        if not folder:
            self._left_out = self.tree.excluded()
        files = {found.path: found for found in self.tree.walk(folder)}
        problems = list(self.tree.problems)
        known = self._below(shown(folder)) if folder else self._known()
        self._drop({path: stamp for path, stamp in known.items() if path not in files})
        done = self._take([found for found in files.values() if found.path not in known or known[found.path][:3] != found.stamp], known)
        if not folder and done:
            with self.database.transaction() as connection:
                connection.execute("DELETE FROM problems WHERE note = 0")
                connection.executemany("INSERT INTO problems VALUES (0, ?, ?, ?, ?)", [_values(one) for one in problems])
                connection.execute("INSERT OR IGNORE INTO about VALUES ('built', '1')")

    def _known(self, where: str = "", *values: object) -> dict[str, tuple[int, int, int, str]]:
        rows = self.database.rows(f"SELECT path, mtime, size, inode, sha FROM notes {where}", values)
        return {path: (mtime, size, inode, sha) for path, mtime, size, inode, sha in rows}

    def _below(self, path: str) -> dict[str, tuple[int, int, int, str]]:
        """This path, and all below it."""
        return self._known("WHERE path = ? OR path >= ? AND path < ?", path, f"{path}/", f"{path}0")

    def _drop(self, gone: Iterable[str]) -> None:
        names = [(path,) for path in gone]
        for begin in range(0, len(names), 200):
            with self.database.transaction() as connection:
                for name in names[begin: begin + 200]:
                    _forget(connection, name[0])

    def _take(self, changed: list[Found], known: dict[str, tuple[int, int, int, str]]) -> bool:
        """Read and write what changed, piece by piece; False when the pace ended it."""
        self._progress = (0, len(changed))
        at = 0
        while at < len(changed):
            begun = time.monotonic()
            rows: list[Row] = []
            gone: list[str] = []
            same: list[tuple[int, int, int, str]] = []
            while at < len(changed) and (not rows or time.monotonic() < begun + PIECE_SECONDS):
                found, at = changed[at], at + 1
                source = self._source(found)
                if source is None:
                    gone.append(found.path)
                elif found.path in known and known[found.path][3] == source.sha:
                    same.append((*_believed(source.stamp), found.path))
                else:
                    rows.append(_row(found, source))
            self._write(rows, gone, same)
            self._progress = (at, len(changed))
            if self._counts["state"] == "indexing":
                self._counts = {"state": "indexing", "done": at, "of": len(changed)}
            if not self.pace(time.monotonic() - begun) or self._closed:
                return False
        return True

    def _source(self, found: Found) -> Source | None:
        try:
            return self.tree.read(found.raw)
        except (OSError, DeepseedianError) as error:  # it is still found by its name
            fault = Problem(found.path, 0, "unreadable", f"the note cannot be read: {error}")
            return Source(found.path, "", (-1, *found.stamp[1:]), "", "", (fault,))

    def _write(self, rows: list[Row], gone: list[str], same: list[tuple[int, int, int, str]]) -> None:
        if not (rows or gone or same):
            return
        with self.database.transaction() as connection:
            for path in gone:
                _forget(connection, path)
            connection.executemany("UPDATE notes SET mtime = ?, size = ?, inode = ? WHERE path = ?", same)
            for row in rows:
                _forget(connection, row.found.path)
                _insert(connection, row)

    # What is told of it

    @property
    def taken(self) -> int:
        """How many files the last refresh read."""
        return self._progress[1]

    def faults(self) -> dict[str, str]:
        """What keeps the index from following the vault."""
        return dict(self._faults)

    def problems(self) -> list[dict[str, object]]:
        """What is wrong with files, by path: {path, line, code, message}. Each of these notes is found all the same."""
        found = [Problem(*row) for row in self.rows("SELECT path, line, code, message FROM problems")]
        doubles = self.rows(_DOUBLES)
        found += [Problem(first, 0, "duplicate_name", f"{number} notes have this name, such as {last}: "
                          "a link by name alone leads to the one in its own folder, else to the shortest path")
                  for first, number, last in doubles]
        return [one.document() for one in sorted(found, key=lambda one: (one.path, one.line, one.code))]

    def status(self) -> dict[str, object]:
        """{"state","notes","files","problems","bytes"} as of the last refresh, {"state","done","of"} before; nothing is waited for."""
        return dict(self._counts)

    def _counted(self) -> dict[str, object]:
        notes, files = self.database.rows("SELECT coalesce(sum(note), 0), count(*) FROM notes")[0]
        problems = self.database.rows(f"SELECT (SELECT count(*) FROM problems) + (SELECT count(*) FROM ({_DOUBLES}))")[0][0]
        size = sum(path.stat().st_size for path in self.file.parent.glob(f"{self.file.name}*") if path.is_file())
        aside = {"setAside": self._aside} if self._aside else {}
        return {"state": "ready" if self.built else "indexing", "notes": notes, "files": files, "problems": problems, "bytes": size} | aside


def _row(found: Found, source: Source) -> Row:
    if not paths.is_note(found.path):
        return Row(found, source.sha, problems=source.problems)
    from deepseedian.notes import markup, words

    page = markup.parsed(source.lines)
    titles = [paths.title(found.path), *page.header.listed("aliases", "alias", "title")]
    problems = [*source.problems, *(Problem(found.path, *fault) for fault in page.faults)]
    if len(source.text) > words.INDEX_LIMIT:
        problems.append(Problem(found.path, 0, "note_large", f"words after {words.INDEX_LIMIT} characters are not searched"))
    columns = (words.joined(titles), words.terms(found.path.rpartition("/")[0].replace("/", " ")),
               words.joined(heading.text for heading in page.headings), words.joined(tag.replace("/", " ") for tag in page.tags),
               words.terms(source.text))
    named = {(link.name, link.target): link.line for link in reversed(page.links) if link.target}
    properties = dict(list(page.header.properties.items())[:MOST_KEPT])
    return Row(Found(found.path, found.raw, source.stamp), source.sha, paths.plain("\n".join(["", *titles, found.path, ""])), page.tags,
               json.dumps(properties, ensure_ascii=False), tuple(_facts(page.tags, properties)),
               tuple((name, target, line) for (name, target), line in named.items()), tuple(problems), columns)


def _facts(tags: Iterable[str], properties: dict[str, object]) -> Iterator[tuple[str, str]]:
    """What a note can be asked for by: `#` for tags, else properties, each value of a list by itself."""
    yield from dict.fromkeys(("#", paths.key(tag)) for tag in tags)
    for name, value in properties.items():
        for item in value if isinstance(value, list) and value else [value]:
            yield f"_{paths.key(name)}", spoken(item)


def spoken(value: object) -> str:
    """A value as it is compared with what is asked."""
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
    return paths.key(text.strip())[:VALUE_LIMIT]


def _believed(stamp: Stamp) -> Stamp:
    return (-1, *stamp[1:]) if stamp[0] > time.time_ns() - YOUNG_NS else stamp


def _values(problem: Problem) -> tuple[str, int, str, str]:
    return problem.path, problem.line, problem.code, problem.message


def _forget(connection: sqlite3.Connection, path: str) -> None:
    held = connection.execute("SELECT id FROM notes WHERE path = ?", (path,)).fetchone()
    if held:
        connection.execute("DELETE FROM words WHERE rowid = ?", held)
        connection.execute("DELETE FROM notes WHERE id = ?", held)
        for table in ("facts", "links", "names", "problems"):
            connection.execute(f"DELETE FROM {table} WHERE note = ?", held)


def _insert(connection: sqlite3.Connection, row: Row) -> None:
    path, raw = row.found.path, row.found.raw
    note = connection.execute(
        "INSERT INTO notes VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (path, os.fsencode(raw) if raw != path else None, paths.is_note(path), paths.key(path), paths.key(paths.title(path)),
         *_believed(row.found.stamp), row.sha, json.dumps(row.tags[:MOST_KEPT], ensure_ascii=False), row.properties)).lastrowid
    connection.executemany("INSERT OR IGNORE INTO facts VALUES (?, ?, ?)", [(*fact, note) for fact in row.facts])
    connection.executemany("INSERT INTO links VALUES (?, ?, ?, ?)", [(note, *link) for link in row.links])
    connection.executemany("INSERT INTO problems VALUES (?, ?, ?, ?, ?)", [(note, *_values(one)) for one in row.problems])
    if row.words:
        connection.execute("INSERT INTO names VALUES (?, ?)", (note, row.plain))
        connection.execute("INSERT INTO words (rowid, title, place, headings, tags, body) VALUES (?, ?, ?, ?, ?, ?)", (note, *row.words))
