"""How editors save, and what the watcher makes of it; against a real daemon, seen through the socket."""

import itertools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from watchdog.observers.api import BaseObserver

from deepseedian.daemon import watcher as module
from deepseedian.daemon import watches
from deepseedian.daemon.server import Daemon
from deepseedian.daemon.watcher import Watcher, _counts
from deepseedian.sidecar import Sidecar, initialise
from tests.commands import Command, until
from tests.naive import bites
from tests.samples import FIXTURE_3, entry_id, marker
from tests.saves import NEW, OLD, atomic, in_pieces


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Command]:
    found = Command(tmp_path / "vault")
    found("init", str(tmp_path / "vault"))
    topic(found).write_bytes(OLD)
    with found.daemon():
        until(lambda: len(found("list")["entries"]) == 3)
        time.sleep(0.5)
        yield found


def topic(command: Command) -> Path:
    return command.vault / ".obsidian/plugins/deepseedian/memory/topics/general.md"


@pytest.mark.parametrize("save", [atomic, in_pieces])
def test_every_way_of_saving_is_one_change_of_one_entry(command: Command, save: Callable[[Path], None]) -> None:
    before = {entry["id"]: entry for entry in command("list")["entries"]}
    save(topic(command))
    counts = set()

    def seen() -> bool:
        entries = command("list")["entries"]
        counts.add(len(entries))
        return bool(command("recall", "saturdays")["index"])

    assert until(seen, 4)
    after = {entry["id"]: entry for entry in command("list")["entries"]}
    assert counts == {3}
    assert {key for key in before if before[key] != after[key]} == {entry_id("c")}
    assert next(change["kind"] for change in command("history")["changes"]) == "outside"
    assert command("status")["health"]["status"] == "ok"


def test_a_same_size_same_time_edit_is_found_by_its_content(tmp_path: Path) -> None:
    found = Command(tmp_path / "vault")
    found("init", str(tmp_path / "vault"))
    topic(found).write_bytes(OLD)
    found("config", "set", "watch.reconcile_seconds", "1")
    with found.daemon():
        info = topic(found).stat()
        topic(found).write_bytes(NEW)
        os.utime(topic(found), ns=(info.st_atime_ns, info.st_mtime_ns))
        assert until(lambda: found("recall", "saturdays")["index"], 5)


def test_own_writes_and_reads_cause_no_further_revision(command: Command) -> None:
    command("remember", "ours")
    revision = command("status")["revision"]
    overview = topic(command).parents[1] / "MEMORY.md"
    assert until(lambda: overview.exists() and "ours" in overview.read_text(encoding="utf-8"))
    names = {path: path.stat().st_mtime_ns for path in topic(command).parents[1].rglob("*")}
    for _ in range(5):
        command("list")
        command("recall", "ours")
    time.sleep(1)
    assert command("status")["revision"] == revision
    assert {path: path.stat().st_mtime_ns for path in topic(command).parents[1].rglob("*")} == names
    assert [change["kind"] for change in command("history")["changes"]].count("outside") <= 1


def test_a_broken_file_costs_nothing_else(command: Command) -> None:
    (topic(command).parent / "broken.md").write_bytes(b"<!-- deepseedian-entry {bad} -->\n\xff\xfe\n")
    topic(command).write_bytes(NEW)
    assert until(lambda: command("recall", "saturdays")["index"], 4)
    faults = until(lambda: command("status")["health"]["faults"], 3)
    assert [fault["code"] for fault in faults] == ["bad_entry"] and "broken.md:1" in faults[0]["message"]


def test_a_burst_of_new_files_is_all_seen(command: Command) -> None:
    for number in range(1, 301):
        (topic(command).parent / f"t{number}.md").write_text(FIXTURE_3.replace("0000-4000", f"{number:04d}-4000"), encoding="utf-8")
    assert until(lambda: command("status")["entries"] == 903, 10)


def test_the_folder_swapped_and_brought_back(command: Command) -> None:
    memory = topic(command).parents[1]
    memory.rename(memory.with_name("away"))
    assert until(lambda: "memory_unknown" in str(command("status")["health"]), 4)
    assert len(command("list")["entries"]) == 3
    memory.with_name("away").rename(memory)
    assert until(lambda: command("status")["health"]["status"] == "ok", 5)
    assert command("remember", "after")["topic"] == "general"


class Recorded:
    """Counts what the watcher asks for."""

    def __init__(self) -> None:
        self.calls: list[tuple[frozenset[str], bool]] = []
        self.faults: dict[str, str] = {}
        self.notes: list[str] = []
        self.reviews: list[frozenset[str]] = []
        self.failing = False

    def reconcile(self, hinted: frozenset[str], deep: bool) -> bool:
        if self.failing:
            raise OSError("disk")
        self.calls.append((hinted, deep))
        return False

    def settle(self) -> None: ...
    def edited(self, path: str) -> None:
        self.notes.append(path)

    def is_review(self, path: str) -> bool:
        return path.startswith("Review/")

    def review_folder(self) -> str:
        return "Review"

    def review(self, paths: frozenset[str]) -> None:
        self.reviews.append(paths)

    def fault(self, code: str, message: str) -> None:
        self.faults[code] = message

    def clear(self, code: str) -> None:
        self.faults.pop(code, None)

    def reconcile_seconds(self) -> int:
        return 3600

    def present(self) -> bool:
        return True


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[tuple[Watcher, Recorded]]:
    (tmp_path / "v/memory/topics").mkdir(parents=True)
    record = Recorded()
    watcher = Watcher(tmp_path / "v", tmp_path / "v/memory", record)
    watcher.start()
    yield watcher, record
    watcher.stop()


def test_lost_events_mean_a_full_look(recorded: tuple[Watcher, Recorded]) -> None:
    import logging

    _watcher, record = recorded
    logging.getLogger("watchdog.observers.inotify_c").warning("Inotify queue overflowed; filesystem events were lost")
    assert "watcher_overflow" in record.faults
    assert until(lambda: record.calls == [(frozenset(), True)])
    assert record.faults == {}


def test_a_failing_disk_is_a_fault_that_clears(recorded: tuple[Watcher, Recorded]) -> None:
    watcher, record = recorded
    record.failing = True
    watcher.hint(str(watcher.memory / "topics/x.md"))
    assert until(lambda: "reconcile" in record.faults)
    record.failing = False
    assert until(lambda: record.calls and not record.faults)


def test_notes_outside_memory_are_signs_of_activity(recorded: tuple[Watcher, Recorded]) -> None:
    watcher, record = recorded
    (watcher.vault / "日记.md").write_text("x", encoding="utf-8")
    assert until(lambda: record.notes)
    assert set(record.notes) == {"日记.md"} and record.calls == []


def test_watching_that_broke_off_begins_anew(recorded: tuple[Watcher, Recorded]) -> None:
    watcher, record = recorded
    assert watcher._observer is not None
    watcher._observer.stop()  # as when one of the library's threads dies
    assert until(lambda: (frozenset(), False) not in record.calls and any(deep for _, deep in record.calls))
    (watcher.memory / "topics/x.md").write_text("x", encoding="utf-8")
    assert until(lambda: any("topics/x.md" in hints for hints, _ in record.calls))
    assert record.faults == {}


def test_an_event_that_cannot_be_handled_means_a_full_look(recorded: tuple[Watcher, Recorded]) -> None:
    watcher, record = recorded
    record.edited = lambda path: 1 / 0  # type: ignore[method-assign]
    (watcher.vault / "note.md").write_text("x", encoding="utf-8")
    assert until(lambda: (frozenset(), True) in record.calls)
    assert watcher._observer is not None and watcher._observer.is_alive()


def test_a_note_that_could_not_be_read_is_read_again(recorded: tuple[Watcher, Recorded]) -> None:
    watcher, record = recorded
    reading = record.review
    record.review = lambda paths: (setattr(record, "review", reading), 1 / 0)  # type: ignore[method-assign]
    (watcher.vault / "Review").mkdir()
    (watcher.vault / "Review/a.md").write_text("x", encoding="utf-8")
    assert until(lambda: frozenset({"Review/a.md"}) in record.reviews)
    assert "review" not in record.faults


def test_what_was_changed_before_watching_began_gets_its_second_look(tmp_path: Path) -> None:
    """The first look at everything finds a file that lost an entry, and no event will ever come of it."""
    initialise(tmp_path / "v")
    sidecar = Sidecar.open(tmp_path / "v", resident=True)
    general = sidecar.vault.memory / "topics/general.md"
    general.write_bytes(OLD)
    sidecar.warm()
    daemon = Daemon(sidecar)
    try:
        general.write_bytes(OLD[: OLD.index(marker("c").encode())])
        ahead = time.time() + 3600
        os.utime(general, (ahead, ahead))  # however slow this machine is, the file has just been written
        daemon._watch()
        assert until(lambda: sorted(sidecar.store.snapshot.entries) == [entry_id("a"), entry_id("b")], 10)
        assert sidecar.health()["status"] == "ok"
    finally:
        daemon._end()


def test_a_first_look_that_fails_is_a_fault_that_clears(recorded: tuple[Watcher, Recorded]) -> None:
    watcher, record = recorded
    record.failing = True
    watcher.compare()
    assert "reconcile" in record.faults
    record.failing = False
    assert until(lambda: record.calls and not record.faults)


def test_copies_that_cannot_be_saved_are_saved_later(recorded: tuple[Watcher, Recorded], monkeypatch: pytest.MonkeyPatch) -> None:
    """An error there once ended the only thread that looks at files, and nothing told of it."""
    watcher, record = recorded
    monkeypatch.setattr(module, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(module, "RETRY_SECONDS", 0.0)
    failing = threading.Event()
    failing.set()
    seen: list[dict[str, str]] = []

    def settle() -> None:
        seen.append(dict(record.faults))
        if failing.is_set():
            raise ValueError("damaged")

    record.settle = settle  # type: ignore[method-assign]
    watcher.hint(str(watcher.memory / "topics/x.md"))
    assert until(lambda: any("copies" in faults for faults in seen), 10)
    failing.clear()
    assert until(lambda: "copies" not in record.faults, 10)
    watcher.hint(str(watcher.memory / "topics/y.md"))
    assert until(lambda: any("topics/y.md" in hints for hints, _ in record.calls))


def test_a_system_without_a_thread_to_spare_is_polled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the library raises when it cannot begin is not always an OSError."""
    (tmp_path / "v/memory/topics").mkdir(parents=True)
    monkeypatch.setattr(module, "POLL_SECONDS", 0.2)

    def none() -> BaseObserver:
        raise RuntimeError("can't start new thread")

    record = Recorded()
    watcher = Watcher(tmp_path / "v", tmp_path / "v/memory", record, observer=none)
    watcher.start()
    try:
        assert "RuntimeError" in record.faults["watcher"]
        assert until(lambda: record.calls == [(frozenset(), True)] * len(record.calls) and len(record.calls) >= 2)
    finally:
        watcher.stop()


@bites("deaf_to_notes")
def test_notes_are_compared_by_content_when_events_were_lost(recorded: tuple[Watcher, Recorded]) -> None:
    watcher, record = recorded
    watcher.on_any_event = lambda event: None  # type: ignore[method-assign]
    (watcher.vault / "Review").mkdir()
    (watcher.vault / "Review/a.md").write_text("x", encoding="utf-8")
    watcher.lost_events()
    assert until(lambda: record.reviews == [frozenset({"Review/a.md"})], 3)
    watcher.lost_events()
    assert until(lambda: len(record.calls) >= 2) and len(record.reviews) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is watched")
@bites("deafness_unnoticed", "deaf_for_good")
def test_a_deaf_watcher_polls_and_hears_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "v/memory/topics/deep").mkdir(parents=True)
    monkeypatch.setattr(module, "RETRY_SECONDS", 1.5)
    monkeypatch.setattr(module, "POLL_SECONDS", 0.3)
    looks, real = itertools.count(), watches.watched_inodes
    missing = (tmp_path / "v/memory/topics/deep").stat().st_ino
    monkeypatch.setattr(watches, "watched_inodes", lambda: (real() or frozenset()) - ({missing} if next(looks) < 5 else set()))
    record = Recorded()
    watcher = Watcher(tmp_path / "v", tmp_path / "v/memory", record)
    watcher.start()
    try:
        assert "topics/deep" in record.faults["watcher"]
        assert until(lambda: len(record.calls) >= 3 and all(deep for _, deep in record.calls))
        assert until(lambda: "watcher" not in record.faults, 4)
        count = len(record.calls)
        (tmp_path / "v/memory/topics/deep/x.md").write_text("x", encoding="utf-8")
        assert until(lambda: any("topics/deep/x.md" in hints for hints, _ in record.calls[count:]))
    finally:
        watcher.stop()


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_memory_behind_a_link_is_watched(tmp_path: Path) -> None:
    (tmp_path / "elsewhere/memory/topics").mkdir(parents=True)
    (tmp_path / "v").mkdir()
    (tmp_path / "v/config").symlink_to(tmp_path / "elsewhere")
    record = Recorded()
    watcher = Watcher(tmp_path / "v", tmp_path / "v/config/memory", record)
    watcher.start()
    try:
        (tmp_path / "v/config/memory/topics/x.md").write_text("x", encoding="utf-8")
        assert until(lambda: any("topics/x.md" in hints for hints, _ in record.calls))
        assert record.faults == {}
    finally:
        watcher.stop()


def test_what_counts() -> None:
    assert _counts("topics/a.md") and _counts("archive/a.md") and _counts("RULES.md")
    assert not any(map(_counts, ("writer.lock", "topics/.x.tmp", "transaction.json", "MEMORY.md", "state.json", "topics/~x.md")))


def test_a_daemon_told_to_stop_while_it_starts_leaves_no_watcher(tmp_path: Path) -> None:
    """The stop came before the watcher's thread had begun: waiting for it raised, and the thread began after all."""
    watcher = Watcher(tmp_path, tmp_path, Recorded())
    watcher.stop()
    watcher.start()
    assert not watcher._thread.is_alive() and (watcher._observer is None or not watcher._observer.is_alive())


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's watches of Linux")
def test_a_folder_told_of_twice_does_not_end_the_reading_of_events(tmp_path: Path) -> None:
    """Failure story: a folder made while its parent was being read was added twice, and the library's warning of it,
    an error under -W error, ended its thread: from there on nothing was heard."""
    program = ("import os, sys; import deepseedian.daemon.watcher; from watchdog.observers.inotify_c import InotifyFD\n"
               "made = InotifyFD()\n"
               "for _ in range(2): made.add_callback(os.fsencode(sys.argv[1]), 256, print, 1)\n")
    done = subprocess.run([sys.executable, "-W", "error", "-c", program, str(tmp_path)], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
