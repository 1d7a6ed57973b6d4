"""Stand-ins for the world: a clock that only moves when told to, a disk that fails on cue."""

import errno
import os
import stat
from pathlib import Path

from deepseedian.store.disk import Disk
from deepseedian.store.seam import Clock

START = 1_767_323_045.0  # 2026-01-02T03:04:05Z


class FakeClock(Clock):
    """Sleeping moves it; nothing else waits."""

    def __init__(self) -> None:
        self.now = START
        self.ticks = 1000.0

    def time(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self.ticks

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.ticks += seconds


class Killed(BaseException):
    """The process died here."""


class DyingDisk(Disk):
    """Counts every call that changes the disk and dies at the n-th, before or after doing it."""

    def __init__(self, at: int = 0, *, after: bool = False, error: OSError | None = None) -> None:
        self.at, self.after, self.error = at, after, error
        self.calls: list[str] = []

    def _step(self, name: str) -> bool:
        """True when this call must be done and then die."""
        self.calls.append(name)
        if len(self.calls) != self.at:
            return False
        if self.error is not None:
            raise self.error
        if not self.after:
            raise Killed(name)
        return True

    def _die(self, dying: bool) -> None:
        if dying:
            raise Killed(self.calls[-1])

    def write_new(self, path: Path, data: bytes, mode: int = 0o600) -> None:
        dying = self._step(f"write {path.name}")
        super().write_new(path, data[: len(data) // 2] if dying else data, mode)
        self._die(dying)

    def flush_folder(self, path: Path) -> None:
        dying = self._step(f"flush {path.name}")
        super().flush_folder(path)
        self._die(dying)

    def replace(self, source: Path, target: Path) -> None:
        dying = self._step(f"replace {target.name}")
        super().replace(source, target)
        self._die(dying)

    def exchange(self, first: Path, second: Path) -> bool:
        dying = self._step(f"exchange {second.name}")
        done = super().exchange(first, second)
        self._die(dying)
        return done

    def publish(self, source: Path, target: Path) -> None:
        dying = self._step(f"publish {target.name}")
        super().publish(source, target)
        self._die(dying)

    def unlink(self, path: Path) -> None:
        dying = self._step(f"unlink {path.name}")
        super().unlink(path)
        self._die(dying)


class FailingFlush:
    """Stands in for `os.fsync`: the n-th call reports EIO, and the pages that were not durable are gone.

    That is what Linux does after a failed write-back: the pages count as clean, so a second flush succeeds
    over data that never reached the disk.
    """

    def __init__(self, at: int = 0) -> None:
        self.at, self.calls, self._fsync = at, 0, os.fsync

    def __call__(self, handle: int) -> None:
        self.calls += 1
        if self.calls != self.at:
            self._fsync(handle)
            return
        if stat.S_ISREG(os.fstat(handle).st_mode):
            os.ftruncate(handle, 0)
        raise OSError(errno.EIO, "Input/output error")
