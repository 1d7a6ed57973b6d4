"""Public bug cases of stores like this one: watching.

Most run the daemon's own watcher over an opened vault in this process, so that every instant can be seen; where
the case is about the daemon as a process, one is started. Tests that change kernel limits change them for the
whole machine: they set them, start, and restore them at once, and must not run beside other tests.
"""

import contextlib
import ctypes
import importlib
import itertools
import os
import shutil
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deepseedian.daemon.server import Daemon
from deepseedian.daemon.watcher import Watcher
from deepseedian.daemon.watches import watched_inodes
from deepseedian.errors import DeepseedianError
from deepseedian.sidecar import Sidecar
from tests.commands import until
from tests.live import Live
from tests.naive import bites
from tests.samples import entry_id, marker
from tests.saves import NEW, OLD, atomic, from_elsewhere, in_pieces, in_place, mapped, with_backup

LIMITS = Path("/proc/sys/fs/inotify")
SYSTEM_LIMITS = pytest.mark.skipif(sys.platform != "linux" or os.getuid() != 0, reason="only root of a Linux machine can set kernel limits")
BOOKS_ARE_WRONG = pytest.mark.filterwarnings("ignore:Callback with id")  # the library says so when folders trade names, and goes on

Limits = Callable[..., None]
ASKING: list["Always"] = []


@pytest.fixture
def limit() -> Iterator[Limits]:
    """Set kernel limits of inotify for the whole machine; `limit()` without arguments restores them at once."""
    old = {path: path.read_text(encoding="ascii") for path in LIMITS.iterdir()}

    def change(**values: int) -> None:
        for path, value in old.items():
            path.write_text(str(values[path.name]) if path.name in values else value, encoding="ascii")

    yield change
    change()


def watches_in_use() -> int:
    """Watches of all processes of this machine; the limit is one for all of them."""
    count = 0
    for path in Path("/proc").glob("[0-9]*/fdinfo/*"):
        try:
            count += path.read_text(encoding="ascii").count("inotify wd:")
        except OSError:
            continue
    return count


class Watching:
    """An opened vault with the daemon's watcher over it."""

    def __init__(self, sidecar: Sidecar) -> None:
        self.sidecar = sidecar
        self.driven = Daemon(sidecar)
        self.watcher = Watcher(sidecar.vault.root, sidecar.vault.memory, self.driven)
        self.topics = sidecar.vault.memory / "topics"
        self.general = self.topics / "general.md"

    def entries(self) -> dict[str, dict[str, object]]:
        return {str(entry["id"]): entry for entry in self.sidecar.entries()["entries"]}  # type: ignore[attr-defined]

    def texts(self) -> list[str]:
        return sorted(str(entry["text"]) for entry in self.entries().values())

    def faults(self) -> dict[str, str]:
        return {fault["code"]: fault["message"] for fault in self.sidecar.health()["faults"]}  # type: ignore[attr-defined]

    def quiet(self) -> bool:
        """Nothing is waiting to be looked at."""
        return not self.watcher._first and not self.sidecar.store.unknown()


@pytest.fixture
def watching(vault: Path, memory: Path) -> Iterator[Callable[[], Watching]]:
    """Begin watching, within the test, so that a mutation is in force."""
    (memory / "topics/general.md").write_bytes(OLD)
    found: list[Watching] = []

    def begin() -> Watching:
        found.append(Watching(Sidecar.open(vault)))
        found[-1].watcher.start()
        return found[-1]

    yield begin
    while ASKING:
        ASKING.pop().answers()
    for item in found:
        item.watcher.stop()
        item.sidecar.close()


class Always(threading.Thread):
    """Asks the same question without a pause from its making to `answers`; every different answer is kept."""
    def __init__(self, ask: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self.ask, self.seen, self.over = ask, [], threading.Event()  # type: ignore[var-annotated]
        ASKING.append(self)
        self.start()

    def run(self) -> None:
        while True:
            last = self.over.wait(0.005)
            answer = self.ask()
            if not self.seen or self.seen[-1] != answer:
                self.seen.append(answer)
            if last:
                return

    def answers(self) -> list[object]:
        self.over.set()
        self.join(10)
        return self.seen


STORM = """
import sys
from pathlib import Path
topics, count = Path(sys.argv[1]), int(sys.argv[2])
for number in range(count):
    entry = f'{{"id":"aaaaaaaa-0000-4000-8000-{number:012d}","createdAt":"2026-01-02T03:04:05Z","source":"manual"}}'
    (topics / f"f{number}.md").write_text(f"<!-- deepseedian-entry {entry} -->\\nfact {number}\\n", encoding="utf-8")
"""


@SYSTEM_LIMITS
@bites("overflow_unheard", "reading_overflows")
def test_p01_an_overflowing_queue_loses_no_file(watching: Callable[[], Watching], limit: Limits, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel drops events and the library tells no handler: the fault shows, and all is read anew.

    Sets a limit of the whole machine: must not run beside other tests.
    """
    reader = importlib.import_module("watchdog.observers.inotify_c").InotifyFD
    reads, late = reader.handle_event, itertools.count()

    def slow(self: object, event: object) -> None:
        """The thread that empties the kernel's queue; a handler of ours that is late fills it on slow machines only."""
        if next(late) == 0:
            time.sleep(2)
        reads(self, event)

    limit(max_queued_events=64)
    seen = watching()
    limit()
    monkeypatch.setattr(reader, "handle_event", slow)
    seen.general.unlink()
    faults = Always(lambda: "watcher_overflow" in seen.sidecar.faults)  # HEALTH names these first
    subprocess.run([sys.executable, "-c", STORM, str(seen.topics), "3000"], check=True, timeout=60)
    known = seen.sidecar.store  # asked for its snapshot alone: a list of 3000 entries would take the time that is measured
    assert until(lambda: sum(entry.text.startswith("fact ") for entry in known.snapshot.entries.values()) == 3000, 5)
    assert until(lambda: "watcher_overflow" not in seen.sidecar.faults, 5)  # reading 3000 files overflows nothing
    assert faults.answers()[-2:] == [True, False]


def deep_vault(memory: Path) -> None:
    for number in range(50):
        (memory / f"topics/{number}").mkdir(parents=True)


def ticked(note: Path) -> None:
    note.write_text(note.read_text(encoding="utf-8").replace("- [ ] Approve\n", "- [x] Approve\n", 1), encoding="utf-8")


def proposed(daemon: Live, vault: Path) -> Path:
    done = daemon.ask("observe", session="chat", messages=[{"role": "user", "text": "From now on, answer in British English."}])
    return vault / str(daemon.ask("proposal", id=done["proposals"][0])["note"])


@SYSTEM_LIMITS
@bites("deafness_unnoticed")
def test_p02_out_of_watches_is_noticed_and_polled(vault: Path, memory: Path, limit: Limits) -> None:
    """The start succeeds, the thread lives, and no event ever comes from what could not be watched.

    Sets a limit of the whole machine: must not run beside other tests.
    """
    deep_vault(memory)
    limit(max_user_watches=watches_in_use() + 20)
    with Live(vault) as daemon:
        assert until(lambda: "watcher" in daemon.faults(), 5)
        limit()
        (memory / "topics/49/x.md").write_text(f"{marker('d')}\nheard after all\n", encoding="utf-8")
        assert until(lambda: "heard after all" in daemon.texts(), 5)
        assert "watcher" in daemon.faults()


@SYSTEM_LIMITS
@bites("deaf_without_polling")
def test_p02_no_watching_at_all_is_polled(vault: Path, memory: Path, limit: Limits) -> None:
    """The system refuses the very first watch: the daemon starts all the same, says so, and sees edits and ticks.

    Sets a limit of the whole machine: must not run beside other tests.
    """
    limit(max_user_instances=0)
    with Live(vault) as daemon:
        assert until(lambda: "watcher" in daemon.faults(), 5)
        limit()
        note = proposed(daemon, vault)
        (memory / "topics/x.md").write_text(f"{marker('d')}\nheard after all\n", encoding="utf-8")
        assert until(lambda: "heard after all" in daemon.texts(), 5)
        ticked(note)
        assert until(lambda: "From now on, answer in British English." in daemon.texts(), 5)
        assert "watcher" in daemon.faults()


# How editors save


def one_change(seen: Watching, save: Callable[[Path], None]) -> None:
    """Saved this way, entry C alone changes, and nothing is missing at any instant."""
    before, rows = seen.entries(), len(seen.sidecar.history()["changes"])  # type: ignore[arg-type]
    ids = Always(lambda: sorted(seen.entries()))
    save(seen.general)
    assert until(lambda: "Release on Saturdays only." in seen.texts(), 3)
    assert until(seen.quiet, 4)
    assert ids.answers() == [sorted(before)]
    after = seen.entries()
    assert after == before | {entry_id("c"): before[entry_id("c")] | {"text": "Release on Saturdays only."}}
    changes: list[dict[str, object]] = seen.sidecar.history()["changes"]  # type: ignore[assignment]
    assert [change["kind"] for change in changes[: len(changes) - rows]] == ["outside"]
    in_place_back(seen)


def in_place_back(seen: Watching) -> None:
    seen.general.write_bytes(OLD)
    assert until(lambda: "Release on Thursdays only." in seen.texts() and seen.quiet(), 4)


@bites("only_renames_count")
def test_p03_saved_in_place(watching: Callable[[], Watching]) -> None:
    """Truncated and written, written through a map (no `modified` comes), and in four pieces."""
    seen = watching()
    for save in (in_place, mapped, in_pieces):
        one_change(seen, save)


@bites("only_modified_counts")
def test_p03_saved_by_a_rename(watching: Callable[[], Watching]) -> None:
    """A temporary file put over it, from beside it and from outside the tree (no event tells of a close)."""
    seen = watching()
    for save in (from_elsewhere, atomic):
        one_change(seen, save)


@bites("moves_are_deletions")
def test_p03_saved_beside_a_backup(watching: Callable[[], Watching]) -> None:
    """Renamed to a backup name, created anew, backup removed: for an instant the file is not there."""
    one_change(watching(), with_backup)


@bites("woken_by_reading")
def test_p04_own_reads_wake_nobody(vault: Path, memory: Path) -> None:
    """Twenty quiet seconds cost nothing: no scan but a timed one, no write, no processor time; nor does listing."""
    for number in range(200):
        (memory / f"topics/t{number}.md").write_text(f"{marker(f'{number}')}\nfact {number}\n", encoding="utf-8")
    with Live(vault) as daemon:
        looks = Looks(memory / "topics")
        assert until(lambda: len(daemon.ask("entries")["entries"]) == 200)
        assert until(lambda: (looks.count() and time.monotonic() > looks.times[-1] + 2.5) or looks.count() > 12, 15)
        assert looks.count() <= 12, "the start never ends"
        looks.times.clear()
        files, used, end = stamps(memory), daemon.cpu(), time.monotonic() + 20
        while time.monotonic() < end:
            time.sleep(0.2)
            assert looks.count() <= 1
            assert daemon.cpu() - used < 0.02 * 20
        for _ in range(100):
            daemon.ask("entries")
        time.sleep(1)
        assert looks.count() <= 1
        assert stamps(memory) == files
        os.close(looks.handle)


def stamps(root: Path) -> dict[str, tuple[int, int, int]]:
    """Every name with inode, size and the time of its last change of any kind."""
    found = [(path, path.lstat()) for path in [root, *root.rglob("*")]]
    return {str(path): (info.st_ino, info.st_size, info.st_ctime_ns) for path, info in found}


class Looks:
    """The times at which anybody was found to have listed a folder since it was asked last, as the kernel tells."""

    READ, FOLDER = 0x1, 0x40000000

    def __init__(self, folder: Path) -> None:
        system = ctypes.CDLL(None, use_errno=True)
        self.handle = system.inotify_init1(os.O_NONBLOCK)
        assert system.inotify_add_watch(self.handle, os.fsencode(folder), self.READ) > 0
        self.times: list[float] = []

    def count(self) -> int:
        listed = False
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.handle, 65536):
                while data:
                    _watch, mask, _cookie, length = struct.unpack_from("iIII", data)
                    listed |= mask & self.FOLDER != 0 and length == 0
                    data = data[16 + length:]
        self.times += [time.monotonic()] * listed
        return len(self.times)


@bites("moves_are_deletions")
def test_p05_a_renamed_folder_leaves_nothing_behind(watching: Callable[[], Watching], vault: Path, tmp_path: Path) -> None:
    """Renamed and at once appended to; then a folder renamed and a file moved into it in one breath."""
    seen = watching()
    folder = seen.topics / "t"
    folder.mkdir()
    (folder / "x.md").write_text(f"{marker('d')}\nfirst\n", encoding="utf-8")
    (seen.topics / "n1").mkdir()
    (seen.topics / "file.md").write_text(f"{marker('e')}\ncarried\n", encoding="utf-8")
    assert until(lambda: {"first", "carried"} <= {*seen.texts()} and seen.quiet())
    known = {*seen.entries()}
    ids = Always(lambda: frozenset(seen.entries()))
    folder.rename(seen.topics / "u")
    with (seen.topics / "u/x.md").open("a", encoding="utf-8") as file:
        file.write(f"\n{marker('f')}\nsecond\n")
    subprocess.run(["/bin/sh", "-c", "mv n1 n2; mv file.md n2"], cwd=seen.topics, check=True, timeout=10)
    assert until(lambda: "second" in seen.texts() and topics(seen.sidecar) == fresh(vault), 6), (topics(seen.sidecar), fresh(vault))
    assert {entry_id(letter): topics(seen.sidecar)[entry_id(letter)] for letter in "def"} == {
        entry_id("d"): "u/x", entry_id("e"): "n2/file", entry_id("f"): "u/x"}
    (seen.topics / "u/x.md").write_text(f"{marker('d')}\nfirst, edited\n\n{marker('f')}\nsecond\n", encoding="utf-8")
    assert until(lambda: "first, edited" in seen.texts(), 4)
    assert all(known <= answer for answer in ids.answers())  # type: ignore[operator]
    assert sorted(path.name for path in seen.topics.iterdir()) == ["general.md", "n2", "u"]


def topics(sidecar: Sidecar) -> dict[str, str]:
    return {entry["id"]: entry["topic"] for entry in sidecar.entries()["entries"]}  # type: ignore[attr-defined]


def fresh(vault: Path) -> dict[str, str]:
    """What another process would find that opens the vault now."""
    other = Sidecar.open(vault)
    try:
        return topics(other)
    finally:
        other.close()


@bites("half_written_believed")
def test_p06_a_half_written_file_is_not_believed(watching: Callable[[], Watching]) -> None:
    """Emptied, then half a marker, then whole again: nothing vanishes, and a save meanwhile lands beside the rest."""
    seen = watching()
    before = {*seen.entries()}
    ids = Always(lambda: frozenset(seen.entries()))
    saved: list[object] = []

    def save() -> None:
        for _ in range(40):
            try:
                saved.append(seen.sidecar.remember("x"))
                return
            except DeepseedianError as error:
                saved.append(error)
                time.sleep(0.2)

    os.truncate(seen.general, 0)
    time.sleep(0.1)
    saver = threading.Thread(target=save)
    saver.start()
    time.sleep(0.6)
    middle = OLD.index(marker("c").encode()) + len(marker("c")) // 2
    with seen.general.open("r+b") as file:
        file.write(OLD[:middle])
        file.flush()
        time.sleep(0.7)
        file.write(OLD[middle:])
    saver.join(15)
    assert all(before <= answer for answer in ids.answers())  # type: ignore[operator]
    assert isinstance(saved[-1], dict), saved
    assert {*seen.texts()} == {"回答里的英文缩写第一次出现时写出全称。", "Two-space indent, no tabs.", "Release on Thursdays only.", "x"}
    data = seen.general.read_bytes()
    assert data.startswith(OLD) and len(seen.entries()) == 4


def heard(seen: Watching, text: str) -> bool:
    """A save is noticed by its event, long before a timed look."""
    seen.general.write_bytes(OLD.replace(b"Release on Thursdays only.", text.encode()))
    return bool(until(lambda: text in seen.texts() and seen.quiet(), 4))


@BOOKS_ARE_WRONG
def test_folders_that_were_away_are_heard_again(watching: Callable[[], Watching], tmp_path: Path) -> None:
    """Memory and the folder above it moved out of the vault and back, topics replaced by another folder."""
    seen = watching()
    memory = seen.sidecar.vault.memory
    for moved in (memory, memory.parent):
        known = {*seen.entries()}
        moved.rename(tmp_path / "away")
        assert until(lambda: "memory_unknown" in seen.faults(), 4) and {*seen.entries()} == known
        (tmp_path / "away").rename(moved)
        assert until(lambda: seen.faults() == {}, 4), seen.faults()
        assert heard(seen, f"after {moved.name} came back")
    shutil.copytree(seen.topics, memory / "new")
    seen.topics.rename(tmp_path / "old")
    (memory / "new").rename(seen.topics)
    assert until(lambda: seen.faults() == {} and seen.quiet(), 4)
    assert heard(seen, "after topics were replaced")
    assert len(seen.entries()) == 3


@BOOKS_ARE_WRONG
@bites("old_names_kept")
def test_folders_that_trade_names_are_still_heard(watching: Callable[[], Watching]) -> None:
    """Swapped in one step, the library reports each under the other's name from then on."""
    seen = watching()
    other = seen.sidecar.vault.root / "prepared"
    shutil.copytree(seen.topics, other)
    assert until(lambda: other.stat().st_ino in (watched_inodes() or {other.stat().st_ino}))
    assert seen.sidecar.seam.disk.exchange(other, seen.topics)
    time.sleep(1.5)  # the swap itself has been looked at; now an event must come under the right name
    (seen.topics / "general.md").write_bytes(NEW)
    assert until(lambda: "Release on Saturdays only." in seen.texts(), 3)


def test_t23_a_storm_of_renames_passes(vault: Path, memory: Path) -> None:
    """Ten thousand renames a second for three seconds: then the daemon is calm again and knows the last state."""
    names = [memory / f"topics/s{number}.md" for number in range(20)]
    for number, path in enumerate(names):
        path.write_text(f"{marker(f'{number}')}\nfact {number}\n", encoding="utf-8")
    with Live(vault) as daemon:
        assert until(lambda: len(daemon.texts()) == 20)
        until(lambda: False, 1.5)
        begun = time.monotonic()
        for turn in itertools.count():
            path = names[turn % 20]
            away = path.with_name(f"{path.stem}-away.md")
            os.rename(path, away)
            os.rename(away, path)
            if turn % 500 == 499:
                time.sleep(max(0.0, begun + turn * 2 / 10_000 - time.monotonic()))
            if turn == 15_000:
                break
        for number, path in enumerate(names):
            path.write_text(f"{marker(f'{number}')}\nlast {number}\n", encoding="utf-8")
        assert until(lambda: daemon.texts() == sorted(f"last {number}" for number in range(20)), 10)
        assert until(lambda: share(daemon) < 0.05, 15)
        assert daemon.faults() == {}


def share(daemon: Live) -> float:
    """Of one core, over half a second without questions."""
    used = daemon.cpu()
    time.sleep(0.5)
    return (daemon.cpu() - used) / 0.5
