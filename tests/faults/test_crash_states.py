"""Every state that a power cut may leave of a change is recovered to all old or all new, and recovery itself may be cut too.

The method is known to see mistakes: each of six planted ones is found.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deepseedian.core.erasure import Wanted
from deepseedian.core.snapshot import sha256
from deepseedian.errors import DeepseedianError
from deepseedian.sidecar import Sidecar
from deepseedian.store.commit import Change, Commit, Recorded
from deepseedian.store.erasure import Erasure
from deepseedian.store.seam import Seam
from tests.counts import count
from tests.faults.crashes import FOLDER, RecordingDisk, Tree, states, tree_of, write_tree

OLD: Tree = {"topics": FOLDER, "topics/a.md": b"old a\n", "topics/gone.md": b"bye\n", "journal.json": b"{}\n"}
NEW: Tree = {"topics": FOLDER, "topics/a.md": b"new a\n", "journal.json": b"{1}\n", "topics/sub": FOLDER, "topics/sub/b.md": b"new b\n"}
CHANGES = [Change("journal.json", sha256(OLD["journal.json"]), NEW["journal.json"]),
           Change("topics/a.md", sha256(OLD["topics/a.md"]), NEW["topics/a.md"]),
           Change("topics/gone.md", sha256(OLD["topics/gone.md"]), None),
           Change("topics/sub/b.md", "", NEW["topics/sub/b.md"])]


class Hasty(Commit):
    """Forgets the record before the files are in place."""

    def _install(self, recorded: list[Recorded]) -> None:  # type: ignore[override]
        self._drop_record()
        super()._install(recorded)


class Unflushed(Commit):
    """Drops the record before the folders are flushed."""

    def _flush_folders(self, recorded: list[Recorded]) -> None:  # type: ignore[override]
        if not any((self.root / item.temporary).exists() and sha256((self.root / item.temporary).read_bytes()) == item.new
                   for item in recorded):
            return
        super()._flush_folders(recorded)


@pytest.fixture
def fast() -> Iterator[Path]:
    """A folder in memory where there is one: thousands of trees are written."""
    folder = Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    yield folder
    shutil.rmtree(folder)


def files(tree: Tree) -> Tree:
    return {path: data for path, data in tree.items() if data != FOLDER}


def violations(folder: Path, kind: type[Commit] = Commit, skipped: frozenset[str] = frozenset()) -> tuple[int, list[Tree]]:
    """(distinct states tried, those that were not recovered): every crash of the change, and of each recovery, any number of times."""
    root = folder / "mem"
    write_tree(root, OLD)
    disk = RecordingDisk(root, skipped)
    kind(root, "device", disk, lambda: None).run(CHANGES, "t")
    assert files(tree_of(root)) == files(NEW)
    waiting = [(tree, done) for tree, done in states(OLD, disk.calls)]
    seen: set[tuple[tuple[tuple[str, bytes], ...], bool]] = set()
    bad = []
    while waiting:
        tree, done = waiting.pop()
        key = (tuple(sorted(tree.items())), done)
        if key in seen:
            continue
        seen.add(key)
        write_tree(root, tree)
        again = RecordingDisk(root, skipped)
        try:
            kind(root, "device", again, lambda: None).recover(clean=True)
        except (DeepseedianError, OSError):
            bad.append(tree)
            continue
        if files(tree_of(root)) not in ((files(NEW),) if done else (files(OLD), files(NEW))):
            bad.append(tree)
        if len(bad) > 20:
            break
        waiting += [(crashed, done) for crashed, _ in states(tree, again.calls)]
    return len(seen), bad


def test_every_state_of_a_commit_and_of_its_recovery(fast: Path) -> None:
    tried, bad = violations(fast)
    assert not bad, bad[0]
    assert tried >= 80
    count("distinct crash states of a commit and of its recovery", tried)


@pytest.mark.parametrize(("kind", "skipped"), [(Commit, {"file"}), (Commit, {"record"}), (Commit, {"folder"}), (Hasty, set()), (Unflushed, set())],
                         ids=["data not flushed", "record not flushed", "folders not flushed", "record cleared first", "record cleared unflushed"])
def test_planted_mistakes_are_found(fast: Path, kind: type[Commit], skipped: set[str]) -> None:
    assert violations(fast, kind, frozenset(skipped))[1]


def remembered(sidecar: Sidecar) -> None:
    sidecar.remember("A second thing.")


def edited(sidecar: Sidecar) -> None:
    sidecar.edit(first(sidecar), "Another wording.")


def forgotten(sidecar: Sidecar) -> None:
    sidecar.forget(first(sidecar))


def approved(sidecar: Sidecar) -> None:
    sidecar.decide(str(sidecar.proposals()["proposals"][0]["id"]), "approve")  # type: ignore[index]


def taken_back(sidecar: Sidecar) -> None:
    sidecar.undo()


def erased(sidecar: Sidecar) -> None:
    erasure = Erasure(sidecar.store)
    with erasure.writing():
        erasure.take(Wanted(ids=(first(sidecar),), texts=("The first thing.",)))


def first(sidecar: Sidecar) -> str:
    return next(entry.id for entry in sidecar.store.snapshot.by_age)


def told(sidecar: Sidecar) -> set[tuple[str, str]]:
    snapshot = sidecar.store.snapshot
    return {(entry.path, entry.text) for entry in (*snapshot.entries.values(), *snapshot.archive.values())}


@pytest.mark.parametrize("change", [remembered, edited, forgotten, approved, taken_back, erased])
def test_every_state_of_each_change_opens_old_or_new(vault: Path, memory: Path, home: Path, change: Callable[[Sidecar], None]) -> None:
    """What lies outside the vault is as it was before the change: its last writes may be lost too."""
    with closing_sidecar(vault) as sidecar:
        sidecar.remember("The first thing.")
        sidecar.propose("The first thing, said better.", "it reads better", "edit", entries=[first(sidecar)])
        old = told(sidecar)
    state, kept = home / "state", home / "kept"
    shutil.copytree(state, kept)
    before = tree_of(memory)
    with closing_sidecar(vault, disk := RecordingDisk(memory)) as sidecar:
        disk.calls.clear()
        change(sidecar)
        new = told(sidecar)
    assert old != new
    seen: set[tuple[tuple[str, bytes], ...]] = set()
    for tree, done in states(before, disk.calls):
        key = tuple(sorted(tree.items()))
        if key in seen:
            continue
        seen.add(key)
        shutil.rmtree(state)
        shutil.copytree(kept, state)
        write_tree(memory, tree)
        with closing_sidecar(vault) as sidecar:
            assert told(sidecar) in ((new,) if done else (old, new))
            assert not list(memory.rglob(".deepseedian-*")) and not (memory / "transaction.json").exists()
            assert not sidecar.store.unknown() and not sidecar.store.quarantine.conflicts
    count("distinct crash states of a whole change: " + change.__name__, len(seen))


class closing_sidecar:
    """An opened vault, closed at the end."""

    def __init__(self, vault: Path, disk: RecordingDisk | None = None) -> None:
        self.vault, self.disk = vault, disk

    def __enter__(self) -> Sidecar:
        self.sidecar = Sidecar.open(self.vault, seam=Seam(disk=self.disk) if self.disk else Seam())
        return self.sidecar

    def __exit__(self, *_: object) -> None:
        self.sidecar.close()
