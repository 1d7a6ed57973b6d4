"""The two locks of a memory folder, and the record of them that people can read.

What counts are two operating-system locks outside the vault, named by device and inode of `memory/`:
`daemon` is held for a daemon's life, `write` for one commit. A lock inside a synced folder can be
deleted, replaced or copied while held; a process id can be reused: neither is ever evidence. The file
`writer.lock` in the vault only tells people and other tools who is writing.
"""

import json
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from deepseedian.config.files import read_regular
from deepseedian.config.folders import lock_folder, private
from deepseedian.errors import AlreadyRunning, BadVault, Busy

WAIT_SECONDS = 5.0
VISIBLE = "writer.lock"
VISIBLE_LIMIT = 10_000
GUARD = "writer.lock.guard"


def identity(folder: Path) -> tuple[int, int]:
    """Device and inode of the memory folder."""
    info = os.stat(folder)
    return info.st_dev, info.st_ino


class VaultLock:
    """Both locks of one memory folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.identity = identity(root)
        folder = private(lock_folder())
        name = f"{self.identity[0]:x}-{self.identity[1]:x}"
        # held by the process, whichever thread asks: requests are answered in others than the one that took it
        self._daemon = FileLock(folder / f"{name}.daemon", fallback_to_soft=False, mode=0o600, thread_local=False)
        self._write = FileLock(folder / f"{name}.write", fallback_to_soft=False, mode=0o600)

    @property
    def current(self) -> bool:
        """Whether the folder at our path is still the one these locks are named after."""
        try:
            return identity(self.root) == self.identity
        except OSError:
            return True  # gone is not replaced

    @property
    def daemon_held(self) -> bool:
        return self._daemon.is_locked

    def hold_daemon(self) -> None:
        """Taken for the life of a daemon. Raises AlreadyRunning."""
        try:
            self._daemon.acquire(timeout=0)
        except Timeout:
            raise AlreadyRunning("a daemon is already running for this vault", "deepseedian status shows it") from None

    def release_daemon(self) -> None:
        self._daemon.release()

    @contextmanager
    def writing(self, token: str, started: str) -> Iterator[None]:
        """Hold the write lock. Raises Busy after five seconds."""
        try:
            self._write.acquire(timeout=WAIT_SECONDS)
        except Timeout:
            raise Busy("another program is writing to this memory", "try again in a moment") from None
        try:
            self._show(token, started)
            try:
                yield
            finally:
                self._hide(token)
        finally:
            self._write.release()

    @contextmanager
    def adopting(self) -> Iterator[None]:
        """The write lock without the visible record, which still belongs to the other plugin."""
        try:
            self._write.acquire(timeout=WAIT_SECONDS)
        except Timeout:
            raise Busy("another program is writing to this memory", "try again in a moment") from None
        try:
            yield
        finally:
            self._write.release()

    def check(self) -> None:
        """Asked right before each commit point. Raises Busy when the lock or the folder was swapped."""
        try:
            held = os.stat(self._write.lock_file)
            same = identity(self.root) == self.identity
        except OSError:
            raise Busy("the lock or the memory folder vanished", "start again") from None
        handle = self._write._context.lock_file_fd
        mine = os.fstat(handle) if isinstance(handle, int) else None
        if not same or mine is None or (mine.st_dev, mine.st_ino) != (held.st_dev, held.st_ino):
            raise Busy("the lock or the memory folder was replaced", "start again")

    def check_visible(self) -> bool:
        """Whether there is a record. A link, folder or FIFO where it should be refuses every write. Raises BadVault."""
        path = self.root / VISIBLE
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            return False
        if not stat.S_ISREG(mode):
            raise BadVault(f"{path} is a link, folder or special file", "remove it; it should be absent or a file")
        return True

    def _show(self, token: str, started: str) -> None:
        path = self.root / VISIBLE
        if self.check_visible():  # one that a kill left
            with suppress(FileNotFoundError):
                os.unlink(path)
        owner = {"host": socket.gethostname(), "pid": os.getpid(), "token": token, "startedAt": started}
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            try:
                data = json.dumps(owner).encode()
                while data:
                    data = data[os.write(handle, data):]
            finally:
                os.close(handle)
        except OSError:  # a full disk: no half record stays
            with suppress(OSError):
                os.unlink(path)
            raise

    def _hide(self, token: str) -> None:
        path = self.root / VISIBLE
        with suppress(OSError, ValueError):
            if json.loads(read_regular(path, VISIBLE_LIMIT) or b"{}").get("token") == token:
                path.unlink()
