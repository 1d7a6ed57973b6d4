"""Public bug cases of stores like this one: locks that are removed, replaced or never were one."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from deepseedian import client
from deepseedian.errors import AlreadyRunning, DeepseedianError
from deepseedian.sidecar import Sidecar
from deepseedian.store import commit as commits
from tests.commands import Command, until
from tests.live import Live
from tests.naive import bites
from tests.samples import FIXTURE_3, marker

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="links and FIFOs in the way of a lock are tested on POSIX systems")


@POSIX
@bites("lock_inside_the_vault")
def test_p07_a_second_daemon_is_refused_whatever_happens_to_the_lock_file(vault: Path, memory: Path, tmp_path: Path) -> None:
    """`writer.lock` removed, then replaced, while a daemon runs; the second one even has an environment of its own."""
    visible, elsewhere = memory / "writer.lock", tmp_path / "r"
    with Live(vault) as first:
        for number in range(2):
            if number:
                visible.with_name("writer.lock.tmp").write_text("mine now", encoding="utf-8")
                visible.with_name("writer.lock.tmp").replace(visible)
            else:
                visible.unlink(missing_ok=True)
            second = Live(vault, DEEPSEEDIAN_RUNTIME_DIR=str(elsewhere))
            try:
                assert until(lambda second=second: second.process.poll() is not None or second.answers(), 20)
                assert second.process.poll() == AlreadyRunning.exit_status, "two daemons run"
                assert "already running" in second.process.communicate()[1]
            finally:
                second.kill()
            assert client.endpoint_of(vault, elsewhere) is None
            first.ask("remember", text=f"through the daemon {number}")
            beside = Sidecar.open(vault)
            beside.remember(f"beside it {number}")
            beside.close()
        assert until(lambda: len(first.texts()) == 4)
    reopened = Sidecar.open(vault)
    kinds = [change["kind"] for change in reopened.history()["changes"]]  # type: ignore[attr-defined]
    assert kinds.count("add") == 4 and reopened.health()["status"] == "ok"
    reopened.close()


@pytest.mark.parametrize("replaced", [False, True], ids=["removed", "replaced"])
@bites("ownership_assumed")
def test_p07_a_lock_lost_before_the_commit_point_stops_the_commit(sidecar: Sidecar, memory: Path, replaced: bool) -> None:
    """Even the lock outside the vault may be taken away by force: that is noticed before anything is in place."""
    sidecar.remember("before")
    files = {path: path.read_bytes() for path in memory.rglob("*") if path.is_file()}
    held = Path(sidecar.store.lock._write.lock_file)
    stage = commits.Commit._stage

    def robbed(self: commits.Commit, *given: object) -> None:
        stage(self, *given)  # type: ignore[arg-type]
        held.unlink(missing_ok=True)
        if replaced:
            held.touch()

    commits.Commit._stage = robbed  # type: ignore[method-assign, assignment]
    try:
        assert refused(lambda: sidecar.remember("after")) == "busy"
    finally:
        commits.Commit._stage = stage  # type: ignore[method-assign]
    assert {path: path.read_bytes() for path in memory.rglob("*") if path.is_file()} == files
    sidecar.remember("after")


def refused(work: Callable[[], object]) -> str:
    """The code of the error it ends with; empty when it succeeds."""
    try:
        work()
    except DeepseedianError as error:
        return error.code
    return ""


def link(path: Path) -> None:
    path.symlink_to("../victim.txt")


def folder(path: Path) -> None:
    path.mkdir()


def fifo(path: Path) -> None:
    os.mkfifo(path)




@POSIX
@pytest.mark.parametrize("put", [link, folder, fifo])
def test_p08_what_is_no_file_at_the_lock_path_refuses_the_start(vault: Path, memory: Path, put: Callable[[Path], None]) -> None:
    """A link, a folder, a FIFO: refused in words, without waiting, and nothing behind it is touched."""
    victim = memory.parent / "victim.txt"
    victim.write_text("mine", encoding="utf-8")
    put(memory / "writer.lock")
    done = Command(vault).run("--vault", str(vault), "run", timeout=20)
    assert done.status not in (0, 1) and "writer.lock" in done.err and "remove it" in done.err, done.err
    assert victim.read_text(encoding="utf-8") == "mine"
    assert os.path.lexists(memory / "writer.lock")


@POSIX
@bites("links_followed_at_the_lock")
def test_p08_no_door_follows_a_link_at_the_lock_path(vault: Path, memory: Path) -> None:
    """The same for a store that is open already: the write is refused, the link's target is not emptied."""
    opened = Sidecar.open(vault)
    victim = memory.parent / "victim.txt"
    victim.write_text("mine", encoding="utf-8")
    (memory / "writer.lock").symlink_to("../victim.txt")
    assert refused(lambda: opened.remember("x")) == "bad_vault"
    assert victim.read_text(encoding="utf-8") == "mine"
    opened.close()


@POSIX
@bites("text_is_evidence")
def test_p08_text_at_the_lock_path_is_no_evidence(vault: Path, memory: Path) -> None:
    """Empty, a number that is a process, one that is none, ten megabytes: each start is as quick as one over nothing."""
    (memory / "topics/general.md").write_text(FIXTURE_3, encoding="utf-8")
    with Live(vault) as plain:
        plain.kill()
    for content in ("", "1", "2000000", "A" * 10_000_000):
        (memory / "writer.lock").write_text(content, encoding="utf-8")
        with Live(vault) as daemon:
            assert daemon.seconds < plain.seconds + 1
            before = daemon.texts()
            daemon.ask("remember", text=f"after {len(content)}")
            assert daemon.texts() == sorted([*before, f"after {len(content)}"]) and len(before) >= 3
            daemon.kill()


@POSIX
def test_p08_a_large_memory_refuses_the_start_as_well(vault: Path, memory: Path) -> None:
    """A large memory is read behind the first answer; what cannot be locked is found out before that."""
    entries = [f"{marker(str(number))}\nfact {number} {'x' * 100}\n" for number in range(1200)]
    (memory / "topics/general.md").write_text("\n".join(entries), encoding="utf-8")
    fifo(memory / "writer.lock")
    try:
        done = Command(vault).run("--vault", str(vault), "run", timeout=8)
    except subprocess.TimeoutExpired:
        pytest.fail("the daemon runs, and answers nothing")
    assert done.status not in (0, 1) and "writer.lock" in done.err, done.err
