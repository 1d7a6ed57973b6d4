"""File systems that lack what Linux has, or do it badly: network folders, sync drives, sticks, other systems.

The vault lies on a small file system of ours that hands everything through and misbehaves on demand; the
state folder lies on a good one.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from deepseedian.errors import Conflict, DeepseedianError
from deepseedian.sidecar import Sidecar, initialise
from tests.commands import until
from tests.counts import count
from tests.faults.checking import leftovers
from tests.faults.mounts import may_mount
from tests.faults.rig import fast_folder

HERE = Path(__file__).parent
FIRST, SECOND = "Two-space indent, no tabs.", "回答里的英文缩写第一次出现时写出全称。"


def _offered() -> bool:
    return may_mount() and Path("/dev/fuse").exists() and bool(shutil.which("fusermount3")) and \
        importlib.util.find_spec("mfusepy") is not None


pytestmark = pytest.mark.skipif(not _offered(), reason="odd file systems need root, fuse3 and mfusepy")


class Odd:
    """A mounted passthrough: `at` is what a program sees, `behind` what lies there."""

    def __init__(self, folder: Path) -> None:
        self.at, self.behind, self.switches = folder / "seen", folder / "behind", folder / "switches.json"
        for made in (self.at, self.behind):
            made.mkdir()
        self.set()
        self._process = subprocess.Popen([sys.executable, "-B", str(HERE / "passthrough.py"), str(self.behind), str(self.at),
                                          str(self.switches)], stderr=subprocess.PIPE, encoding="utf-8")

    def set(self, **switches: object) -> None:
        new = self.switches.with_suffix(".new")
        new.write_text(json.dumps(switches), encoding="utf-8")
        new.replace(self.switches)

    def wait(self) -> None:
        assert until(lambda: self.at.is_mount() or self._process.poll() is not None, 20)
        assert self._process.poll() is None, self._process.communicate()

    @property
    def vault(self) -> Path:
        return self.at / "vault"

    @property
    def memory(self) -> Path:
        """Behind the mount: what lies there in truth."""
        return self.behind / "vault/.obsidian/plugins/deepseedian/memory"

    def lose_unflushed(self) -> int:
        """The power fails: names are there, content that was never flushed is not."""
        inodes = {int(line) for line in Path(f"{self.switches}.unflushed").read_text(encoding="utf-8").split()}
        lost = [path for path in self.behind.rglob("*") if path.is_file() and path.stat().st_ino in inodes]
        for path in lost:
            os.truncate(path, 0)
        return len(lost)

    def end(self) -> None:
        subprocess.run(["fusermount3", "-u", "-z", str(self.at)], capture_output=True, check=False, timeout=20)
        try:
            self._process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()


@pytest.fixture
def odd(tmp_path: Path) -> Iterator[Odd]:
    with fast_folder(tmp_path) as folder:
        made = Odd(folder)
        try:
            made.wait()
            initialise(made.vault)
            with opened(made) as sidecar:
                sidecar.remember(FIRST)
                sidecar.remember(SECOND, topic="work")
            count("L4 odd file systems", 1)
            yield made
        finally:
            made.end()


@contextmanager
def opened(odd: Odd) -> Iterator[Sidecar]:
    sidecar = Sidecar.open(odd.vault)
    try:
        yield sidecar
    finally:
        sidecar.close()


def texts(sidecar: Sidecar) -> set[str]:
    return {entry["text"] for entry in sidecar.entries()["entries"]}  # type: ignore[attr-defined]


def id_of(sidecar: Sidecar, text: str) -> str:
    return next(entry["id"] for entry in sidecar.entries()["entries"] if entry["text"] == text)  # type: ignore[attr-defined]


def well(odd: Odd, *expected: str) -> None:
    """A fresh start finds exactly these entries, nothing to complain of and nothing left over."""
    with opened(odd) as sidecar:
        assert texts(sidecar) == {FIRST, SECOND, *expected}
        assert sidecar.health()["status"] == "ok", sidecar.health()
        assert sidecar.check()["ok"]
    assert leftovers(odd.behind) == []


def everything(odd: Odd) -> None:
    """A day of changes of every kind."""
    with opened(odd) as sidecar:
        kept = str(sidecar.remember("Release on Thursdays only.")["id"])
        gone = str(sidecar.remember("Never on a Friday.", topic="work/rules")["id"])
        sidecar.edit(kept, "Release on Mondays only.")
        sidecar.forget(gone)
        sidecar.undo()
        sidecar.move(gone, "general")
        made = sidecar.propose("Release on Tuesdays only.", "you said so", "edit", entries=[kept])["proposals"]
        sidecar.decide(made[0], "approve")  # type: ignore[index]
        assert texts(sidecar) == {FIRST, SECOND, "Release on Tuesdays only.", "Never on a Friday."}
    well(odd, "Release on Tuesdays only.", "Never on a Friday.")


def test_through_a_file_system_that_behaves(odd: Odd) -> None:
    everything(odd)


def test_a_flush_that_fails_is_told_and_changes_nothing(odd: Odd) -> None:
    before = {path: path.read_bytes() for path in odd.memory.rglob("*") if path.is_file()}
    with opened(odd) as sidecar:
        odd.set(fsync="EIO")
        for change in (lambda: sidecar.remember("lost"), lambda: sidecar.edit(id_of(sidecar, FIRST), "lost too")):
            with pytest.raises(DeepseedianError) as told:
                change()
            assert told.value.code == "disk_error"
        assert texts(sidecar) == {FIRST, SECOND}
        odd.set()
        assert {path: path.read_bytes() for path in odd.memory.rglob("*") if path.is_file()} == before
        sidecar.remember("Release on Thursdays only.")
    well(odd, "Release on Thursdays only.")


def test_without_an_atomic_exchange(odd: Odd) -> None:
    odd.set(exchange=False)
    everything(odd)


def test_without_exchange_and_hard_links(odd: Odd) -> None:
    odd.set(exchange=False, links=False)
    everything(odd)


@pytest.mark.parametrize("links", [True, False])
def test_without_an_exchange_an_edit_at_the_worst_moment_is_kept(odd: Odd, links: bool) -> None:
    """It lands between our comparison and our rename: it wins, or a conflict record holds it."""
    line = "手工加的一行"
    edited = odd.memory.joinpath("topics/general.md").read_text(encoding="utf-8") + line + "\n"
    with opened(odd) as sidecar:
        odd.set(exchange=False, links=links, race={"name": "general.md", "data": edited})
        with suppress(Conflict):
            sidecar.remember("Release on Thursdays only.")
        assert Path(f"{odd.switches}.raced").exists()
        aside = [path.read_text(encoding="utf-8") for path in sidecar.instance.folder.glob("quarantine/*")]
        there = odd.memory.joinpath("topics/general.md").read_text(encoding="utf-8")
        assert line in there or any(line in text for text in aside), (there, aside)
    with opened(odd) as sidecar:
        assert {FIRST, SECOND} <= {text.removesuffix(f"\n{line}") for text in texts(sidecar)}
    assert leftovers(odd.behind) == []


def test_where_a_rename_is_deaf_to_its_flags(odd: Odd) -> None:
    """Asked to exchange, it replaces, and says yes: a change is wholly there, or refused and wholly not."""
    odd.set(deaf=True)
    with opened(odd) as sidecar:
        done = {FIRST, SECOND}
        for text in ("Release on Thursdays only.", "Never on a Friday."):
            with suppress(DeepseedianError):
                sidecar.remember(text)
                done.add(text)
        assert texts(sidecar) == done
        assert len(sidecar.store.records()) == len(done)
    well(odd, *done)


def test_after_a_lying_flush_and_a_power_cut_the_last_good_content_is_served(odd: Odd) -> None:
    odd.set(fsync="lies")
    with opened(odd) as sidecar:
        sidecar.remember("Release on Thursdays only.")
    odd.set()
    assert odd.lose_unflushed() >= 2 and odd.memory.joinpath("topics/general.md").read_bytes() == b""
    with opened(odd) as sidecar:
        assert texts(sidecar) == {FIRST, SECOND, "Release on Thursdays only."}
        assert sidecar.health()["status"] == "degraded"
        sidecar.check(restore=True)
    assert FIRST.encode() in odd.memory.joinpath("topics/general.md").read_bytes()
    with opened(odd) as sidecar:
        sidecar.remember("Never on a Friday.")
    well(odd, "Release on Thursdays only.", "Never on a Friday.")


def test_short_reads_and_writes(odd: Odd) -> None:
    odd.set(short=211)
    everything(odd)


def test_slow_calls_do_not_hold_up_reading(odd: Odd) -> None:
    with opened(odd) as sidecar:
        odd.set(slow=0.003)
        saver = threading.Thread(target=lambda: sidecar.remember("Release on Thursdays only."))
        saver.start()
        assert until((odd.memory / "writer.lock").exists, 20)
        assert sidecar.recall("indent")["total"] == 2 and saver.is_alive()
        saver.join(60)
        odd.set()
        assert sidecar.recall("release")["total"] == 3
    well(odd, "Release on Thursdays only.")


def test_where_case_makes_no_difference(odd: Odd) -> None:
    odd.set(one_case=True)
    with opened(odd) as sidecar:
        sidecar.remember("Release on Thursdays only.", topic="Work")
        sidecar.remember("Never on a Friday.", topic="WORK/Rules")
        sidecar.move(id_of(sidecar, FIRST), "GENERAL")
    assert sorted(path.name.lower() for path in odd.memory.glob("topics/*.md")) == ["general.md", "work.md"]
    well(odd, "Release on Thursdays only.", "Never on a Friday.")
