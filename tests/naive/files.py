"""Mistakes with files: no flush, no comparison, a bad read believed, a short write ignored."""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from deepseedian.core.snapshot import Snapshot, sha256
from deepseedian.sidecar import Sidecar
from deepseedian.store import commit, disk, state
from deepseedian.store.books import OVERVIEW
from deepseedian.store.commit import Recorded
from deepseedian.store.entries import Store
from deepseedian.store.quarantine import Quarantine
from deepseedian.store.reading import Reader
from tests.naive import mutation


@mutation
def replaced_without_looking(patch: pytest.MonkeyPatch) -> None:
    """The new content is renamed over whatever is there by then."""
    def swap(self: commit.Commit, entry: Recorded) -> None:
        target, temporary = self.root / entry.path, self.root / entry.temporary
        self.disk.replace(temporary, target)

    def stage(self: commit.Commit, change: commit.Change, entry: Recorded) -> None:
        target: Path = self.root / change.path
        self.disk.make_folder(target.parent)
        if change.new is not None:
            self.disk.write_new(self.root / entry.temporary, change.new, 0o644)

    patch.setattr(commit.Commit, "_swap", swap)
    patch.setattr(commit.Commit, "_stage", stage)


@mutation
def renamed_where_it_could_exchange(patch: pytest.MonkeyPatch) -> None:
    """Compare, then rename: what is saved in between is lost."""
    patch.setattr(disk.Disk, "exchange", lambda self, first, second: False)
    patch.setattr(commit.Commit, "_replace_in_steps", lambda self, entry, target, temporary: self.disk.replace(temporary, target))


@mutation
def stale_copy_written_over(patch: pytest.MonkeyPatch) -> None:
    """A change is planned on the file as it was first read, and the hash of the newer one is taken for granted."""
    seen: dict[Path, bytes | None] = {}
    recorded = commit.Commit._recorded

    def content(self: Store, path: str, held: dict[str, bytes | None]) -> bytes | None:
        held[path] = seen.setdefault(self.root / path, self.seam.disk.read(self.root / path))
        return held[path]

    def latest(self: commit.Commit, change: commit.Change, token: str, index: int) -> Recorded:
        data = self.disk.read(self.root / change.path)
        object.__setattr__(change, "old", sha256(data) if data is not None else "")
        return recorded(self, change, token, index)

    patch.setattr(Store, "_content", content)
    patch.setattr(commit.Commit, "_recorded", latest)


@mutation
def damaged_state_ends_the_start(patch: pytest.MonkeyPatch) -> None:
    """A derived file that cannot be read is an error nobody expects."""
    decoded = state.decoded

    def trusting(data: bytes) -> state.State:
        json.loads(data)
        return decoded(data)

    patch.setattr(state, "decoded", trusting)


@mutation
def bad_files_thrown_away(patch: pytest.MonkeyPatch) -> None:
    """What cannot be read is overwritten and gone."""
    patch.setattr(Quarantine, "keep", lambda self, path, data, reason, fault=True: Path(path))


@mutation
def overview_written_at_every_start(patch: pytest.MonkeyPatch) -> None:
    """Derived files are rewritten whether they differ or not."""
    derive = Store.derive

    def always(self: Store) -> bool:
        (self.root / OVERVIEW).unlink(missing_ok=True)
        return derive(self)

    patch.setattr(Store, "derive", always)


@mutation
def unreadable_read_as_empty(patch: pytest.MonkeyPatch) -> None:
    """Whatever a read gives is the truth, and a failed read gives nothing."""
    read = disk.Disk.read

    def tolerant(self: disk.Disk, path: Path, limit: int = disk.FILE_LIMIT) -> bytes | None:
        try:
            return read(self, path, limit)
        except Exception:
            return b""

    walk = disk.Disk.walk

    def lenient(self: disk.Disk, root: Path, suffix: str = ".md") -> Iterator[disk.Found]:
        with suppress(OSError):
            yield from walk(self, root, suffix)

    patch.setattr(disk.Disk, "read", tolerant)
    patch.setattr(disk.Disk, "walk", lenient)
    patch.setattr(Reader, "believing", property(lambda self: True, lambda self, value: None), raising=False)


@mutation
def nothing_flushed(patch: pytest.MonkeyPatch) -> None:
    """Written is taken for durable."""
    patch.setattr(disk, "flush", lambda handle: None)


@mutation
def failed_flush_tried_again(patch: pytest.MonkeyPatch) -> None:
    """A second flush that succeeds is believed, though the kernel has dropped the pages by then."""
    def flush(handle: int) -> None:
        try:
            os.fsync(handle)
        except OSError:
            os.fsync(handle)

    patch.setattr(disk, "flush", flush)


@mutation
def failed_flush_overheard(patch: pytest.MonkeyPatch) -> None:
    """A failed flush is nobody's business."""
    def flush(handle: int) -> None:
        with suppress(OSError):
            os.fsync(handle)

    patch.setattr(disk, "flush", flush)


@mutation
def short_write_ignored(patch: pytest.MonkeyPatch) -> None:
    """One call to write is taken to have written everything."""
    def write_new(self: disk.Disk, path: Path, data: bytes, mode: int = 0o600) -> None:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            os.write(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)

    patch.setattr(disk.Disk, "write_new", write_new)


@mutation
def temporary_files_left(patch: pytest.MonkeyPatch) -> None:
    """After a refusal the prepared files stay, and take the room that is missing."""
    unlink = disk.Disk.unlink
    patch.setattr(disk.Disk, "unlink", lambda self, path: None if path.name.endswith(".tmp") else unlink(self, path))


@mutation
def health_says_nothing(patch: pytest.MonkeyPatch) -> None:
    """A refusal is told to whoever asked, and to nobody else."""
    patch.setattr(Sidecar, "health", lambda self: {"status": "ok", "faults": []})


@mutation
def lock_shown_at_every_start(patch: pytest.MonkeyPatch) -> None:
    """A START makes and removes a file in the vault, whether it has anything to write or not."""
    start = Store.open

    def shown(self: Store, *, settle: bool = False) -> Snapshot:
        with self.lock.writing(self.seam.token(), self.seam.clock.stamp()):
            pass
        return start(self, settle=settle)

    patch.setattr(Store, "open", shown)
