"""A throw-away vault: the product's own store in a temporary folder, with state, runtime and configuration of its own.

Entries get in by one real commit and are found by the very methods that serve turns. Only the disk is a seam that
does not wait for the platter: hundreds of stores are made and thrown away, and nobody will miss them after a
power cut. Nothing stays behind, the lock files in the user's fixed lock folder included.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from deepseedian.config.folders import lock_folder
from deepseedian.core import operation
from deepseedian.core.entry import DEFAULT_TOPIC, stamp
from deepseedian.core.operation import Operation
from deepseedian.core.topic import to_path
from deepseedian.errors import ModelFailed
from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store.disk import Disk
from deepseedian.store.entries import Plan
from deepseedian.store.lock import identity
from deepseedian.store.seam import Clock, Seam

SOURCE = "evaluation"
PREFIX = "deepseedian-evaluation-"
MEMORY = Path("/dev/shm")
ROOM = 1_000_000_000
_FOLDERS = ("STATE", "RUNTIME", "CONFIG")


class _Hasty(Disk):
    """Writes without waiting until the bytes are on the platter."""

    def _flush(self, handle: int) -> None:
        pass


class _Stopped(Clock):
    """The time at which the questions are asked; the real one when none is given."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds

    def time(self) -> float:
        return super().time() if self.seconds is None else self.seconds


@dataclass(frozen=True, slots=True)
class Item:
    """An entry to be shelved; `at` is its time, `meta` what else its metadata says."""

    id: str
    text: str
    at: str
    topic: str = DEFAULT_TOPIC
    archived: bool = False
    meta: Mapping[str, object] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return to_path(self.topic, "archive" if self.archived else "topics")

    def fields(self) -> dict[str, object]:
        return {"id": self.id, "createdAt": self.at, "source": SOURCE, "trust": "user_stated"} | dict(self.meta)


class Shelf:
    """One opened temporary vault; made by `shelf`."""

    def __init__(self, sidecar: Sidecar) -> None:
        self.sidecar = sidecar

    def add(self, items: Iterable[Item]) -> None:
        """All of them at the ends of their files, in order, by one commit."""
        paths: dict[str, list[Item]] = {}
        for item in items:
            paths.setdefault(item.path, []).append(item)
        if paths:
            self.sidecar.store.apply(lambda snapshot, contents: Plan("add", "add: cases of an evaluation", tuple(
                one for path, wanted in paths.items()
                for one in appended(path, contents(path), wanted, self.sidecar.vault.family))))

    def prepare(self) -> None:
        """Build what the first question would have to wait for: a running daemon has it at hand, vectors of all entries too."""
        with suppress(ModelFailed):
            if self.sidecar.similarity.wanted().mode != "off":
                self.sidecar.embedding_refresh()
        self.sidecar.rank("a", 1)

    def ranked(self, question: str, most: int, fill: bool = True) -> list[str]:
        """Ids of the best entries, best first, without the gates and the budget of a turn, which would hide what a ranking does."""
        return self.sidecar.rank(question, most, fill)

    def offered(self, question: str, **options: str) -> list[str]:
        """Ids of what a turn with this question is offered, best first."""
        return [str(row["id"]) for row in self.sidecar.recall(question, **options)["index"]]  # type: ignore


def appended(path: str, content: bytes | None, items: Iterable[Item], family: str) -> list[Operation]:
    """Operations that add these to the end of a file."""
    return operation.appended(path, content or None, [(item.fields(), item.text) for item in items], family)


def later(start: float, number: int) -> str:
    """The time of the n-th entry: order on the page is order in time."""
    return stamp(start + number)


@contextmanager
def shelf(overrides: Mapping[str, object] | None = None, now: float | None = None) -> Iterator[Shelf]:
    """An empty temporary vault, opened; `overrides` are settings in force, `now` the time it believes in."""
    root = (_place() or Path(tempfile.gettempdir())) / f"{PREFIX}{os.getpid()}-{secrets.token_hex(6)}"
    seam = Seam(disk=_Hasty(), clock=_Stopped(now))
    try:  # a program that is told to end may hear of it anywhere from here on, also while the folder is made or removed
        root.mkdir(mode=0o700)
        with _separate(root):
            vault = root / "vault"
            made = initialise(vault, seam=seam)
            with _unlocked(Path(str(made["memory"]))):
                sidecar = Sidecar.open(vault, overrides=overrides, seam=seam)
                try:
                    yield Shelf(sidecar)
                finally:
                    sidecar.close()
    finally:
        try:
            shutil.rmtree(root, ignore_errors=True)
        except BaseException:
            shutil.rmtree(root, ignore_errors=True)
            raise


def _place() -> Path | None:
    """In main memory where there is room: some small files are flushed past the seam, and a busy disk makes that most of the time."""
    with suppress(OSError):
        if os.access(MEMORY, os.W_OK | os.X_OK) and shutil.disk_usage(MEMORY).free > ROOM:
            return MEMORY
    return None


@contextmanager
def _separate(root: Path) -> Iterator[None]:
    """State, runtime and configuration lie in the temporary folder; settings in the environment stay in force."""
    names = [f"DEEPSEEDIAN_{name}_DIR" for name in _FOLDERS]
    before = {name: os.environ.get(name) for name in names}
    try:
        for name in names:
            os.environ[name] = str(root / name.split("_")[1].lower())
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


@contextmanager
def _unlocked(memory: Path) -> Iterator[None]:
    """Take the folder's lock files away at the end: they lie outside the temporary folder, and nobody else can hold them."""
    device, inode = identity(memory)
    try:
        yield
    finally:
        for kind in ("daemon", "write"):
            with suppress(OSError):
                (lock_folder() / f"{device:x}-{inode:x}.{kind}").unlink()
