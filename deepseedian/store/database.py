"""SQLite files of this device: WAL, private, migrations applied in order with their number."""

import errno
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock

from deepseedian.errors import Busy, ReadOnly, from_os_error

Migration = str | Callable[[sqlite3.Connection], None]
WAIT_SECONDS, POLL_SECONDS = 5.0, 0.01


class Database:
    """One connection shared by threads under a lock. A damaged file is set aside and begun anew.

    A small one is `checked` as a whole first, so that a damaged page in its middle is found at once.
    """

    def __init__(self, path: Path, migrations: Sequence[Migration], *, checked: bool = False) -> None:
        self.path = path
        self._checked = checked
        self._lock = Lock()
        self._migrations = migrations
        self.set_aside: Path | None = None
        try:
            self._connection = self._open()
        except sqlite3.OperationalError as error:  # locked, full or unreadable: nothing is wrong with the file itself
            raise Busy(f"{path.name} cannot be opened: {error}", "try again in a moment") from None
        except sqlite3.DatabaseError:
            self.set_aside = put_aside(path)
            self._connection = self._open()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=WAIT_SECONDS)
        try:
            self.path.chmod(0o600)
            _keep_log(connection)
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA secure_delete=ON")  # what is erased is overwritten
            self._migrate(connection)
            if self._checked and (found := connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                raise sqlite3.DatabaseError(found)
        except BaseException:
            connection.close()
            raise
        return connection

    def _migrate(self, connection: sqlite3.Connection) -> None:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > len(self._migrations):
            raise ReadOnly(f"{self.path.name} was written by a newer version", "upgrade this installation")
        if 0 < version < len(self._migrations):
            self._back_up(connection, version)
        for number, migration in enumerate(self._migrations[version:], version + 1):
            connection.execute("BEGIN IMMEDIATE")
            try:
                if connection.execute("PRAGMA user_version").fetchone()[0] < number:  # else another process was faster
                    self._step(connection, migration)
                    connection.execute(f"PRAGMA user_version={number}")
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def _step(self, connection: sqlite3.Connection, migration: Migration) -> None:
        if callable(migration):
            migration(connection)
            return
        for statement in migration.split(";"):  # executescript would commit the transaction it runs in
            connection.execute(statement)

    def _back_up(self, connection: sqlite3.Connection, version: int) -> None:
        """A whole copy of the file as it was, for whoever has to go back to the older version."""
        copy = self.path.with_name(f"{self.path.stem}.version-{version}.backup")
        if copy.exists():
            return
        new = copy.with_suffix(".new")
        new.unlink(missing_ok=True)
        with closing(sqlite3.connect(new)) as target:
            new.chmod(0o600)
            connection.backup(target)
        new.replace(copy)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._named():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def write(self, query: str, rows: Sequence[Sequence[object]]) -> None:
        """One statement for each row, all or none."""
        if len(rows) == 1:  # a transaction by itself
            with self._lock, self._named():
                self._connection.execute(query, rows[0])
        elif rows:
            with self.transaction() as connection:
                connection.executemany(query, rows)

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple]:  # type: ignore[type-arg]
        with self._lock, self._named(), closing(self._connection.execute(query, values)) as cursor:
            return cursor.fetchall()

    def scrub(self) -> None:
        """After rows were deleted for good: no byte of them stays in the file or its log. Raises Busy while another program reads it."""
        with self._lock, self._named():
            self._connection.execute("VACUUM")
            busy = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if busy:
            raise Busy(f"{self.path.name} is being read by another program; what was deleted is still in its log", "try again in a moment")

    @contextmanager
    def _named(self) -> Iterator[None]:
        """A file that is locked, or a disk that is full, is a passing state with a name."""
        try:
            yield
        except sqlite3.OperationalError as error:
            code = getattr(error, "sqlite_errorcode", None)
            if code is None:  # Python's own, not SQLite's: a text that is none, so the file is damaged
                raise sqlite3.DatabaseError(str(error)) from None
            if code == sqlite3.SQLITE_FULL:
                raise from_os_error(OSError(errno.ENOSPC, "full")) from None
            raise Busy(f"{self.path.name}: {error}", "try again in a moment") from None

    def close(self) -> None:
        with self._lock:
            self._connection.close()


def _keep_log(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log. SQLite does not wait for this as it does elsewhere: where two processes made a file at the
    same moment, one of them was told at once that it is locked."""
    until = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if (getattr(error, "sqlite_errorcode", 0) & 0xFF) != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
                raise
        time.sleep(POLL_SECONDS)


def put_aside(path: Path) -> Path:
    """A damaged file out of the way under another name; nobody may have it open. With its log: one that stayed would be
    played into the new file. Raises OSError."""
    aside = path.with_suffix(".unreadable")
    for end in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).replace(aside.with_name(aside.name + end))
    return aside


def values(path: Path) -> Iterator[bytes]:
    """Every value of a database, unpacked where it is packed; what cannot be read is passed by. It is not changed."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for row in (row for name in names for row in connection.execute(f'SELECT * FROM "{name}"')):
            for value in row:
                data = value if isinstance(value, bytes) else str(value).encode()
                yield data
                with suppress(zlib.error):
                    yield zlib.decompress(data)
