"""Public bug cases of stores like this one: files and crashes."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from deepseedian.errors import Conflict, DeepseedianError, MemoryGone
from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store import commit as commits
from tests import naive
from tests.cases.looks import codes, entries, files, ids, refused, set_aside, stats
from tests.commands import ROOT, Command, until
from tests.conftest import needs_root
from tests.doubles import FailingFlush, FakeClock
from tests.naive import bites
from tests.samples import FIXTURE_3, entry_id

ABC = {entry_id("a"), entry_id("b"), entry_id("c")}


def filled(opened: Callable[..., Sidecar], memory: Path) -> Sidecar:
    """A store that has the three entries of the fixture, and copies of them."""
    (memory / "topics/general.md").write_text(FIXTURE_3, encoding="utf-8")
    sidecar = opened()
    sidecar.save()
    return sidecar


# P09: zero bytes or NULs after a crash

BAD = {"state_empty": {"state.json": b""}, "state_nuls": {"state.json": b"\0" * 4096}, "journal_bracket": {"journal.json": b"["},
       "overview_empty": {"MEMORY.md": b""},
       "all": {"state.json": b"\0" * 4096, "journal.json": b"[", "MEMORY.md": b""}}


def started(opened: Callable[..., Sidecar]) -> Sidecar:
    """START as the daemon does it: open, take over, bring derived files up to date."""
    sidecar = opened()
    sidecar.store.refresh(deep=True)
    sidecar.store.derive()
    return sidecar


@pytest.mark.parametrize("name", BAD)
@bites("overview_written_at_every_start")
def test_p09_what_is_derived_is_rebuilt_and_a_second_start_writes_nothing(opened: Callable[..., Sidecar], memory: Path, name: str) -> None:
    first = filled(opened, memory)
    first.remember("a fourth one")
    first.store.derive()
    first.close()
    good = files(memory)
    for path, data in BAD[name].items():
        (memory / path).write_bytes(data)
    sidecar = started(opened)
    assert ids(sidecar) > ABC and len(ids(sidecar)) == 4
    assert {path: data for path, data in files(memory).items() if path.startswith("topics/")} == {
        path: data for path, data in good.items() if path.startswith("topics/")}
    assert (memory / "MEMORY.md").read_bytes() == good["MEMORY.md"]
    assert b'"version":2' in (memory / "state.json").read_bytes()
    assert [change.summary for change in sidecar.store.records()] == ["add: a fourth one"]
    sidecar.close()
    before = (files(memory), stats(memory))
    started(opened).close()
    assert (files(memory), stats(memory)) == before


@bites("bad_files_thrown_away", "damaged_state_ends_the_start")
def test_p09_the_bad_files_are_kept_aside(opened: Callable[..., Sidecar], memory: Path) -> None:
    filled(opened, memory).close()
    (memory / "state.json").write_bytes(b"\0" * 4096)
    (memory / "journal.json").write_bytes(b"[")
    sidecar = started(opened)
    assert set_aside(sidecar) == {b"\0" * 4096, b"["}
    assert ids(sidecar) == ABC and "conflict" in codes(sidecar)
    sidecar.remember("and it goes on")
    assert len(ids(sidecar)) == 4


@bites("damaged_state_ends_the_start")
def test_p09_a_daemon_starts_over_all_of_them_at_once(vault: Path, memory: Path) -> None:
    (memory / "topics/general.md").write_text(FIXTURE_3, encoding="utf-8")
    for path, data in BAD["all"].items():
        (memory / path).write_bytes(data)
    command = Command(vault)
    with command.daemon():
        assert {entry["id"] for entry in command("list")["entries"]} == ABC
        assert until(lambda: (memory / "MEMORY.md").read_bytes())
    assert (memory / "topics/general.md").read_text(encoding="utf-8") == FIXTURE_3
    before = (files(memory), stats(memory))
    with command.daemon():
        assert {entry["id"] for entry in command("list")["entries"]} == ABC
    assert (files(memory), stats(memory)) == before, "the second START writes nothing"


@bites("lock_shown_at_every_start")
def test_p09_a_start_with_nothing_to_do_leaves_the_folder_itself_alone(opened: Callable[..., Sidecar], memory: Path) -> None:
    filled(opened, memory).close()
    before = [path.stat().st_mtime_ns for path in (memory, memory / "topics", memory.parent)]
    sidecar = opened()
    sidecar.recall("tabs")
    sidecar.close()
    assert [path.stat().st_mtime_ns for path in (memory, memory / "topics", memory.parent)] == before, "reading never writes"


# P10: unreadable read as empty, then saved

DAMAGED = {"empty": b"", "half": FIXTURE_3.encode()[: len(FIXTURE_3.encode()) // 2], "hello": b"# hello"}


@pytest.mark.parametrize("how", DAMAGED)
@bites("unreadable_read_as_empty")
def test_p10_a_damaged_file_is_served_from_the_last_good_version(opened: Callable[..., Sidecar], memory: Path, how: str) -> None:
    topic = memory / "topics/general.md"
    sidecar = filled(opened, memory)
    topic.write_bytes(DAMAGED[how])
    os.utime(topic, (1, 1))  # nobody is at it
    again = opened()
    for store in (sidecar, again):
        store.store.refresh(deep=True)
        assert ids(store) == ABC and store.show(entry_id("c"))["text"] == "Release on Thursdays only."
        assert any(code.startswith("file_") for code in codes(store)), "it must be marked as stale"
        assert isinstance(refused(partial(store.remember, "new")), MemoryGone)
        assert topic.read_bytes() == DAMAGED[how], "a refused change writes nothing"
    assert again.check(restore=True)["restored"] == ["topics/general.md"]
    assert topic.read_text(encoding="utf-8") == FIXTURE_3
    again.remember("new")
    assert len(ids(again)) == 4 and topic.read_text(encoding="utf-8").startswith(FIXTURE_3)


# A child gives up root. Python's own files may be closed to it then, so it goes through the same steps once before.
AS_NOBODY = """
import os, sys
from contextlib import nullcontext
from pathlib import Path
from deepseedian.sidecar import Sidecar, initialise
from tests import naive
from tests.cases.looks import codes, ids, refused
from tests.samples import FIXTURE_3
vault, mutation = Path(sys.argv[1]), sys.argv[2]
initialise(vault.with_name("rehearsal"))
rehearsal = Sidecar.open(vault.with_name("rehearsal"))
rehearsal.remember("x")
refused(lambda: rehearsal.remember(""))
codes(rehearsal)
rehearsal.close()
initialise(vault)
topic = vault / ".obsidian/plugins/deepseedian/memory/topics/general.md"
topic.write_text(FIXTURE_3, encoding="utf-8")
for path in (vault.parent, *vault.parent.rglob("*")):
    os.chown(path, 65534, 65534)
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
"""

UNREADABLE_TOPIC = """
with naive.applied(mutation) if mutation else nullcontext():
    sidecar = Sidecar.open(vault)
    sidecar.save()
    good, data = ids(sidecar), topic.read_bytes()
    assert len(good) == 3
    topic.chmod(0)
    for store in (sidecar, Sidecar.open(vault)):
        store.store.refresh(deep=True)
        assert ids(store) == good, ids(store)
        assert any(code.startswith("file_") for code in codes(store)), codes(store)
        refused(lambda: store.remember("new"))
    topic.chmod(0o644)
    assert topic.read_bytes() == data
    store.store.refresh(deep=True)
    assert "file_unreadable" not in codes(store)
    store.remember("new")
    assert len(ids(store)) == 4 and topic.read_bytes().startswith(data)
"""


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A folder that another user can reach; pytest's own are closed to others."""
    folder = Path(tempfile.mkdtemp(prefix="dsd-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@needs_root
@bites("unreadable_read_as_empty")
def test_p10_a_file_that_may_not_be_read_is_not_empty(open_to_all: Path) -> None:
    as_nobody(open_to_all, UNREADABLE_TOPIC)


def as_nobody(folder: Path, script: str) -> None:
    """Run a script as another user, over a vault with the three entries; what it asserts must hold."""
    environment = {f"DEEPSEEDIAN_{name}_DIR": str(folder / name) for name in ("STATE", "CONFIG", "RUNTIME")} | {"HOME": str(folder)}
    done = subprocess.run([sys.executable, "-c", AS_NOBODY + script, str(folder / "vault"), naive.active()], capture_output=True,
                          encoding="utf-8", check=False, timeout=60, cwd=ROOT, env=os.environ | environment)
    assert done.returncode == 0, done.stderr


UNREADABLE_FOLDER = """
with naive.applied(mutation) if mutation else nullcontext():
    sidecar = Sidecar.open(vault)
    forgotten = sidecar.remember("forgotten later")["id"]
    sidecar.forget(forgotten)
    sidecar.save()
    good, data = ids(sidecar), topic.read_bytes()
    assert len(good) == 3
    for folder in (topic.parent, topic.parents[1] / "archive"):
        for mode in (0, 0o444):
            folder.chmod(mode)
            try:
                for store in (sidecar, Sidecar.open(vault)):
                    store.store.refresh(deep=True)
                    assert ids(store) == good and store.show(forgotten)["archived"], (folder.name, oct(mode))
                    assert codes(store), (folder.name, oct(mode))
                    refused(lambda: store.remember("new"))
            finally:
                folder.chmod(0o755)
            sidecar.store.refresh(deep=True)
            assert ids(sidecar) == good and topic.read_bytes() == data
    sidecar.remember("new")
    assert len(ids(sidecar)) == 4
"""

UNREADABLE_BOOKS = """
with naive.applied(mutation) if mutation else nullcontext():
    for name in ("state.json", "journal.json", "proposals.json"):
        path = topic.parents[1] / name
        if not path.exists():
            path.write_bytes(b"")
        data = path.read_bytes()
        path.chmod(0)
        try:
            store = Sidecar.open(vault)
            assert len(ids(store)) == 3, name
            assert store.check()["ok"] is False and codes(store), name
            store.close()
        finally:
            path.chmod(0o644)
        assert path.read_bytes() == data, name
"""


@needs_root
@bites("unreadable_read_as_empty")
def test_p10_a_folder_that_may_not_be_listed_is_not_empty(open_to_all: Path) -> None:
    as_nobody(open_to_all, UNREADABLE_FOLDER)


@needs_root
@bites("unreadable_read_as_empty")
def test_p10_a_state_or_journal_that_may_not_be_read_stops_no_reading(open_to_all: Path) -> None:
    as_nobody(open_to_all, UNREADABLE_BOOKS)


# P11: a flush that fails

def flushes(opened: Callable[..., Sidecar], memory: Path, patch: pytest.MonkeyPatch) -> int:
    """How often a SAVE flushes."""
    sidecar = filled(opened, memory)
    counting = FailingFlush()
    patch.setattr(os, "fsync", counting)
    sidecar.remember("counted", topic="counted")
    patch.undo()
    return counting.calls


@bites("nothing_flushed", "failed_flush_tried_again", "failed_flush_overheard")
def test_p11_a_failed_flush_is_reported_and_what_is_there_is_read_back(opened: Callable[..., Sidecar], memory: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        count = flushes(opened, memory, patch)
    assert count >= 6, "each new file, its folder, the record and its folder must be flushed"
    for number in range(1, count):
        one_failed_flush(opened(), memory, number)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", FailingFlush(count))  # the last one only makes the record's end durable: the change is so already
        done = opened().remember("said at the last flush", topic="last")
    assert done["id"] in ids(opened())
    opened()
    assert not [name for name in files(memory) if name.endswith(".tmp")], "a START removes what was prepared"


def one_failed_flush(sidecar: Sidecar, memory: Path, number: int) -> None:
    text, topic = f"said at flush {number}", f"fresh{number}"
    before, failing = ids(sidecar), FailingFlush(number)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", failing)
        error = refused(lambda: sidecar.remember(text, topic=topic))
    assert error.code == "disk_error", (number, error.code)
    assert failing.calls >= number
    sidecar.store.refresh(deep=True)
    assert ids(sidecar) - before in (set(), {entry["id"] for entry in entries(sidecar) if entry["text"] == text}), number
    sidecar.remember(text, topic=topic)  # the owner repeats it, as asked
    assert [entry["text"] for entry in entries(sidecar)].count(text) == 1
    assert not [name for name in files(memory) if "transaction" in name], number
    assert ids(sidecar) - before == {entry["id"] for entry in entries(sidecar) if entry["text"] == text}
    assert text.encode() in (memory / f"topics/{topic}.md").read_bytes()
    assert (memory / "topics/general.md").read_text(encoding="utf-8") == FIXTURE_3


@bites("failed_flush_tried_again")
def test_p11_what_a_failed_flush_left_is_right_for_the_next_process(opened: Callable[..., Sidecar], memory: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        count = flushes(opened, memory, patch)
    for number in range(1, count):
        sidecar = opened()
        before = files(memory / "topics")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "fsync", FailingFlush(number))
            refused(partial(sidecar.remember, "in place", topic=f"new{number}"))
        again = opened()
        there = files(memory / "topics")
        new = there.keys() - before.keys()
        assert {name: data for name, data in there.items() if name not in new} == before, number
        assert all(b"in place" in there[name] and name == f"new{number}.md" for name in new), (number, new)
        found = [entry for entry in entries(again) if entry["text"] == "in place"]
        assert len(found) == len(new), number
        for entry in found:
            again.forget(entry["id"])
        again.close()
        sidecar.close()


# P12: the disk is full

@contextmanager
def small_disk(vault: Path) -> Iterator[Path]:
    """A vault whose memory lies on a file system of 64 KiB and 40 inodes."""
    memory = vault / ".obsidian/plugins/deepseedian/memory"
    memory.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k,nr_inodes=40,mode=700", "none", str(memory)], check=True, timeout=20)
    try:
        initialise(vault)
        yield memory
    finally:
        subprocess.run(["umount", "-l", str(memory)], check=True, timeout=20)


def text_of(number: int) -> str:
    return f"{number:04} " + "kibibyte " * 113


def without_lock(found: dict[str, bytes]) -> dict[str, bytes]:
    """`writer.lock` tells people who writes; it is no file of the memory."""
    return {path: data for path, data in found.items() if path != "writer.lock"}


def fill(sidecar: Sidecar, memory: Path, saved: Callable[[int], object]) -> tuple[DeepseedianError, int]:
    """SAVE until it is refused; the refused one must have changed nothing."""
    for number in range(200):
        before, known = files(memory), ids(sidecar)
        try:
            saved(number)
        except DeepseedianError as error:
            assert without_lock(files(memory)) == without_lock(before), "the refused change must leave all files as they were, and no others"
            sidecar.store.refresh(deep=True)
            assert ids(sidecar) == known
            return error, number
    raise AssertionError("the disk never became full")


def full_by_bytes(sidecar: Sidecar, memory: Path) -> None:
    filler = memory / "filler"
    filler.write_bytes(b"x" * 12_000)
    error, number = fill(sidecar, memory, lambda number: sidecar.remember(text_of(number)))
    assert error.code == "disk_full" and number > 2
    filler.unlink()
    sidecar.remember(text_of(number))
    assert len(ids(sidecar)) == number + 1


def full_by_inodes(sidecar: Sidecar, memory: Path) -> None:
    while os.statvfs(memory).f_ffree > 7:  # three saves with a new file each, and what is needed in between
        (memory / f"filler{os.statvfs(memory).f_ffree}").touch()
    error, number = fill(sidecar, memory, lambda number: sidecar.remember(f"short {number}", topic=f"topic{number}"))
    assert error.code == "disk_full" and number > 2
    for filler in memory.glob("filler*"):
        filler.unlink()
    sidecar.remember(f"short {number}", topic=f"topic{number}")
    assert len(ids(sidecar)) == number + 1


@needs_root
@pytest.mark.parametrize("full", [full_by_bytes, full_by_inodes], ids=["bytes", "inodes"])
@bites("temporary_files_left")
def test_p12_a_full_disk_refuses_and_room_is_enough_to_go_on(tmp_path: Path, full: Callable[[Sidecar, Path], None]) -> None:
    with small_disk(tmp_path / "vault") as memory:
        sidecar = Sidecar.open(tmp_path / "vault")
        try:
            full(sidecar, memory)
        finally:
            sidecar.close()


@needs_root
@bites("temporary_files_left")
def test_p12_the_command_line_says_so_and_goes_on(tmp_path: Path) -> None:
    with small_disk(tmp_path / "vault") as memory:
        command = Command(tmp_path / "vault")
        command("remember", "precious")
        filler = memory / "filler"
        filler.write_bytes(b"x" * ((os.statvfs(memory).f_bavail - 2) * 4096))  # room for the first files of a change only
        before = files(memory)
        assert command("remember", text_of(1), status=1)["error"]["code"] == "disk_full"
        assert without_lock(files(memory)) == without_lock(before)
        filler.unlink()
        command("remember", text_of(1))
        assert len(command("list")["entries"]) == 2


@needs_root
@bites("temporary_files_left")
def test_p12_a_refused_save_leaves_no_visible_lock_either(tmp_path: Path) -> None:
    with small_disk(tmp_path / "vault") as memory:
        sidecar = Sidecar.open(tmp_path / "vault")
        for pages in (0, 2):
            (memory / "filler").write_bytes(b"x" * ((os.statvfs(memory).f_bavail - pages) * 4096))
            before = files(memory)
            assert refused(partial(sidecar.remember, text_of(pages))).code == "disk_full"
            assert files(memory) == before
            (memory / "filler").unlink()
        sidecar.close()


@needs_root
@bites("health_says_nothing")
def test_p12_health_says_that_the_disk_is_full_until_there_is_room(tmp_path: Path) -> None:
    with small_disk(tmp_path / "vault") as memory:
        sidecar = Sidecar.open(tmp_path / "vault")
        (memory / "filler").write_bytes(b"x" * (os.statvfs(memory).f_bavail * 4096))
        assert refused(partial(sidecar.remember, text_of(1))).code == "disk_full"
        assert "disk_full" in codes(sidecar)
        (memory / "filler").unlink()
        sidecar.remember(text_of(1))
        assert "disk_full" not in codes(sidecar)
        sidecar.close()


@bites("short_write_ignored")
def test_p12_short_writes_are_continued(opened: Callable[..., Sidecar], memory: Path, clock: FakeClock,
                                        monkeypatch: pytest.MonkeyPatch) -> None:
    sidecar = filled(lambda: opened(clock), memory)
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:10]))
    done = sidecar.remember(text_of(1))
    sidecar.edit(entry_id("c"), "Release on Mondays.")
    monkeypatch.undo()
    assert opened().show(str(done["id"]))["text"] == text_of(1)
    assert ids(opened()) == ABC | {str(done["id"])}


# P13: lost update

def proposed_edit(sidecar: Sidecar) -> str:
    done: Any = sidecar.propose("Release on Mondays.", "the plan changed", operation="edit", entries=[entry_id("c")])
    found: str = done["proposals"][0]
    return found


@bites("stale_copy_written_over")
def test_p13_an_outside_edit_between_proposal_and_approval_stays(opened: Callable[..., Sidecar], memory: Path) -> None:
    sidecar, topic = filled(opened, memory), memory / "topics/general.md"
    proposed = proposed_edit(sidecar)
    sidecar.remember("read once before")
    outside = topic.read_text(encoding="utf-8").replace("no tabs.\n", "no tabs.\n手工加的一行\n")
    topic.write_text(outside, encoding="utf-8")
    sidecar.decide(proposed, "approve")
    after = topic.read_text(encoding="utf-8")
    assert "Two-space indent, no tabs.\n手工加的一行\n" in after and "Release on Mondays." in after and "Thursdays" not in after
    assert after[: after.index(entry_id("c"))] == outside[: outside.index(entry_id("c"))], "nothing before the entry moves"
    assert opened().show(entry_id("b"))["text"] == "Two-space indent, no tabs.\n手工加的一行"


@bites("stale_copy_written_over")
def test_p13_an_approval_of_what_was_edited_meanwhile_is_refused_as_stale(opened: Callable[..., Sidecar], memory: Path) -> None:
    sidecar, topic = filled(opened, memory), memory / "topics/general.md"
    proposed = proposed_edit(sidecar)
    sidecar.remember("read once before")
    edited = topic.read_bytes().replace(b"Thursdays only", b"Fridays only")
    topic.write_bytes(edited)
    assert refused(lambda: sidecar.decide(proposed, "approve")).code == "stale"
    assert topic.read_bytes() == edited
    sidecar.remember("and on we go")
    assert topic.read_bytes().startswith(edited), "the newer file is the one that is written on"


@bites("replaced_without_looking")
def test_p13_an_edit_between_compare_and_replace_survives(sidecar: Sidecar, memory: Path) -> None:
    general = memory / "topics/general.md"
    general.write_text(FIXTURE_3, encoding="utf-8")
    sidecar.store.refresh(deep=True)
    line = "手工加的一行\n".encode()
    install = commits.Commit._install

    def late(self: commits.Commit, recorded: list[commits.Recorded]) -> None:
        saver = threading.Thread(target=lambda: general.write_bytes(FIXTURE_3.encode() + line))
        saver.start()
        saver.join()
        install(self, recorded)

    commits.Commit._install = late  # type: ignore[method-assign, assignment]
    try:
        sidecar.edit(entry_id("c"), "Release on Mondays.")
    except Conflict:
        pass
    finally:
        commits.Commit._install = install  # type: ignore[method-assign]
    assert line in general.read_bytes()


@bites("renamed_where_it_could_exchange")
def test_p13_an_edit_right_before_the_exchange_survives(sidecar: Sidecar, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    general = memory / "topics/general.md"
    general.write_text(FIXTURE_3, encoding="utf-8")
    sidecar.store.refresh(deep=True)
    edited = FIXTURE_3.replace("no tabs.\n", "no tabs.\n手工加的一行\n").encode()
    times: list[str] = []

    def here(name: str) -> None:
        """Another program saves between our last look at the file and the exchange."""
        if name == "before_exchange" and not times and general.read_text(encoding="utf-8") == FIXTURE_3:
            times.append(name)
            saver = threading.Thread(target=lambda: general.write_bytes(edited))
            saver.start()
            saver.join()

    monkeypatch.setattr(commits, "failpoint", here)
    error = refused(lambda: sidecar.edit(entry_id("c"), "Release on Mondays."))
    assert isinstance(error, Conflict) and times
    assert general.read_bytes() == edited
    sidecar.edit(entry_id("c"), "Release on Mondays.")
    whole = general.read_text(encoding="utf-8")
    assert "手工加的一行" in whole and "Release on Mondays." in whole
