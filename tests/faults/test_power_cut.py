"""The power fails on a real file system: what was not flushed by then is gone.

Memory lies on an ext4 image. The image is copied while it is mounted, as a cut leaves it, and mounted again,
so that its own journal recovers first. Once the state folder lies elsewhere: a flush of a database must not
carry memory's files to the disk along with it. And once on the same disk, as it mostly does: then the databases
lose their newest as well.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.counts import count
from tests.e2e.test_day import FAILPOINTS
from tests.faults.checking import kept, started, wholly
from tests.faults.mounts import Image, image, needs_loop
from tests.faults.rig import Tree, fast_folder, rigged, two_entries
from tests.naive import bites

TEXT = "Release on Thursdays only."
pytestmark = needs_loop


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Image]:
    with fast_folder(tmp_path) as folder, image(folder) as made:
        yield made


@bites("no_flush", "no_folder_flush")
def test_a_save_is_there_or_not_after_a_power_cut_at_any_moment(disk: Image, tmp_path: Path) -> None:
    cut_everywhere(disk, tmp_path / "here")
    count("L3 power cuts during a save, state elsewhere", 1 + len(FAILPOINTS))


def test_a_save_is_there_or_not_when_the_state_folder_loses_its_newest_too(disk: Image) -> None:
    cut_everywhere(disk, disk.at / "here")
    count("L3 power cuts during a save, state with it", 1 + len(FAILPOINTS))


def cut_everywhere(disk: Image, base: Path) -> None:
    with rigged(base, disk.at / "vault") as rig:
        before = two_entries(rig)
        tree = Tree.of(rig.state)
        disk.unmount()
        disk.keep("before")
        for failpoint in ("", *FAILPOINTS):
            disk.take("before")
            disk.mount()
            tree.restore()
            ended = rig.do("save", text=TEXT, environment={"DEEPSEEDIAN_FAILPOINT": failpoint})
            assert (ended.answered is not None) == (failpoint == ""), (failpoint, ended)
            disk.cut()
            wrong: list[str] = []
            seen = started(rig, wrong)
            wrong += kept(before["entries"], seen.first["entries"])
            durable = failpoint == "" or FAILPOINTS.index(failpoint) >= FAILPOINTS.index("after_record")
            wrong += wholly(seen, before, [TEXT], [TEXT] if durable else [])
            assert not wrong, (failpoint, wrong)
            disk.unmount()


def _steps(at: Path, flush_file: bool, flush_folder: bool) -> None:
    handle = os.open(at / "state.tmp", os.O_WRONLY | os.O_CREAT, 0o644)
    os.write(handle, b"NEW")
    if flush_file:
        os.fsync(handle)
    os.close(handle)
    (at / "state.tmp").rename(at / "state.json")
    if flush_folder:
        folder = os.open(at, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


@pytest.mark.parametrize(("flush_file", "flush_folder", "found"), [
    (False, False, {"state.json": b"OLD"}),
    (False, True, {"state.json": b""}),
    (True, False, {"state.json": b"OLD", "state.tmp": b"NEW"}),
    (True, True, {"state.json": b"NEW"})], ids=["nothing", "folder", "file", "both"])
def test_this_way_of_cutting_sees_a_missing_flush(disk: Image, flush_file: bool, flush_folder: bool, found: dict[str, bytes]) -> None:
    (disk.at / "state.json").write_bytes(b"OLD")
    os.sync()
    _steps(disk.at, flush_file, flush_folder)
    disk.cut()
    assert {path.name: path.read_bytes() for path in disk.at.iterdir() if path.is_file()} == found


def test_a_cut_during_recovery_is_no_worse(disk: Image, tmp_path: Path) -> None:
    """Cut after the record was published, once more while the next start replays it, and again."""
    with rigged(tmp_path / "here", disk.at / "vault") as rig:
        before = two_entries(rig)
        assert rig.do("save", text=TEXT, environment={"DEEPSEEDIAN_FAILPOINT": "after_record"}).status == -9
        disk.cut()
        for _ in range(2):
            assert rig.do("start", environment={"DEEPSEEDIAN_FAILPOINT": "during_recovery"}).status in (-9, 0)
            disk.cut()
        wrong: list[str] = []
        seen = started(rig, wrong)
        wrong += [*kept(before["entries"], seen.first["entries"]), *wholly(seen, before, [TEXT], [TEXT])]
        assert not wrong
    count("L3 power cuts during recovery", 3)
