"""Links that come and go while we work, folders that somebody else made, stores that a newer version wrote."""

import hashlib
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from deepseedian.config import folders
from deepseedian.config.folders import private
from deepseedian.daemon.endpoint import listen
from deepseedian.errors import AlreadyRunning, BadVault, DeepseedianError, ReadOnly
from deepseedian.sidecar import Sidecar
from deepseedian.store.disk import FILE_LIMIT, Disk
from deepseedian.store.lock import VaultLock
from tests.conftest import needs_root
from tests.naive import bites
from tests.samples import FIXTURE_3, entry_id, marker

NOBODY = 65534
SWAPS, ROUNDS, MOST_ROUNDS = 10_000, 60, 2000
OUTSIDE = f"{marker('d')}\nthe neighbour's diary\n"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# Links


@contextmanager
def swapping(first: Path, second: Path) -> Iterator[Callable[[], int]]:
    """Exchange two names in one step, again and again, in another thread; what is given tells how often that was."""
    swaps, stop, disk = [0], threading.Event(), Disk()
    if not disk.exchange(first, second):
        pytest.skip("this file system cannot exchange two names")

    def run() -> None:
        while not stop.is_set():
            with suppress(OSError):  # a commit may just hold one of the names
                disk.exchange(first, second)
                swaps[0] += 1

    interval = sys.getswitchinterval()
    sys.setswitchinterval(0.00005)
    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield lambda: swaps[0]
    finally:
        stop.set()
        thread.join(60)
        sys.setswitchinterval(interval)
    assert not thread.is_alive()


def work(sidecar: Sidecar, topic: str, number: int) -> int:
    """Read and save whatever there is at this moment; being refused is right. Returns how often something was saved."""
    done = 0
    with suppress(DeepseedianError, OSError):
        sidecar.store.refresh(deep=True)
    for save in (lambda: sidecar.remember(f"said meanwhile, {number}", topic=topic),
                 lambda: sidecar.edit(entry_id("b"), f"Two-space indent, edition {number}."), lambda: sidecar.check(restore=True)):
        with suppress(DeepseedianError, OSError):
            save()
            done += 1
    return done


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The paths under which the neighbour's diary was read."""
    found: list[Path] = []
    read = Disk.read

    def noted(self: Disk, path: Path, limit: int = FILE_LIMIT) -> bytes | None:
        data = read(self, path, limit)
        if data is not None and b"neighbour" in data:
            found.append(path)
        return data

    monkeypatch.setattr(Disk, "read", noted)
    return found


@pytest.mark.timeout(120)
@bites("links_followed")
def test_a_file_and_a_link_in_turn(sidecar: Sidecar, memory: Path, tmp_path: Path, reads: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sidecar.seam.clock, "sleep", lambda seconds: None)
    outside = tmp_path / "outside.md"
    outside.write_text(OUTSIDE, encoding="utf-8")
    before = digest(outside), outside.stat().st_ino
    general, link = memory / "topics/general.md", memory / "topics/.link"
    general.write_text(FIXTURE_3, encoding="utf-8")
    sidecar.store.refresh(deep=True)
    link.symlink_to(outside)
    rounds = saved = 0
    with swapping(general, link) as swaps:
        while (swaps() < SWAPS or rounds < ROUNDS or not saved) and rounds < MOST_ROUNDS:
            rounds += 1
            saved += work(sidecar, "general", rounds)
            assert (digest(outside), outside.stat().st_ino) == before
            assert reads == []
    assert saved and swaps() >= SWAPS and "neighbour" not in str(sidecar.entries()) + "".join(sidecar.export())


@pytest.mark.timeout(120)
@bites("links_followed")
def test_a_folder_and_a_link_in_turn(sidecar: Sidecar, memory: Path, tmp_path: Path, reads: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sidecar.seam.clock, "sleep", lambda seconds: None)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_text(OUTSIDE, encoding="utf-8")
    before = digest(outside / "a.md")
    deep, link = memory / "topics/deep", memory / "topics/.link"
    deep.mkdir()
    (deep / "a.md").write_text(FIXTURE_3, encoding="utf-8")
    sidecar.store.refresh(deep=True)
    link.symlink_to(outside)
    rounds = saved = 0
    with swapping(deep, link) as swaps:
        while (swaps() < SWAPS or rounds < ROUNDS or not saved) and rounds < MOST_ROUNDS:
            rounds += 1
            saved += work(sidecar, ("deep/a", "deep/new")[rounds % 2], rounds)
            assert digest(outside / "a.md") == before and os.listdir(outside) == ["a.md"]
            assert reads == []
    assert saved and swaps() >= SWAPS and "neighbour" not in str(sidecar.entries()) + "".join(sidecar.export())


# Folders that somebody else made


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder like /tmp: everybody may make something in it."""
    base = "/dev/shm" if Path("/dev/shm").is_dir() else None
    made = Path(tempfile.mkdtemp(prefix="dsd-", dir=base))
    made.chmod(0o1777)
    yield made
    shutil.rmtree(made, ignore_errors=True)


@needs_root
@bites("folders_taken_as_they_are")
def test_a_folder_of_another_user_is_refused(shared: Path, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for mode in (0o700, 0o755, 0o777):
        squatted = shared / f"squatted-{mode:o}"
        squatted.mkdir()
        squatted.chmod(mode)
        os.chown(squatted, NOBODY, NOBODY)
        monkeypatch.setenv("DEEPSEEDIAN_RUNTIME_DIR", str(squatted))
        assert refused(lambda: listen("x").withdraw())
        monkeypatch.setattr("deepseedian.store.lock.lock_folder", lambda squatted=squatted: squatted)
        assert refused(lambda: VaultLock(vault))
        monkeypatch.setenv("DEEPSEEDIAN_STATE_DIR", str(squatted))
        assert refused(lambda: Sidecar.open(vault))
        assert list(squatted.iterdir()) == []


def refused(attempt: Callable[[], object]) -> bool:
    try:
        made = attempt()
    except BadVault:
        return True
    if isinstance(made, Sidecar):
        made.close()
    return False


@bites("folders_taken_as_they_are")
def test_a_link_for_a_folder_is_refused(shared: Path, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (shared / "theirs").mkdir()
    link = shared / "link"
    link.symlink_to(shared / "theirs")
    dangling = shared / "dangling"
    dangling.symlink_to(shared / "nowhere")
    for path in (link, dangling):
        monkeypatch.setenv("DEEPSEEDIAN_RUNTIME_DIR", str(path))
        assert refused(lambda: listen("x").withdraw())
        monkeypatch.setattr("deepseedian.store.lock.lock_folder", lambda path=path: path)
        assert refused(lambda: VaultLock(vault))
    assert list((shared / "theirs").iterdir()) == [] and not (shared / "nowhere").exists()


def test_a_wide_folder_of_our_own_is_narrowed(shared: Path) -> None:
    wide = shared / "wide"
    wide.mkdir()
    wide.chmod(0o777)
    assert private(wide).stat().st_mode & 0o777 == 0o700


# Stores of a newer version


def tree(*roots: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for root in roots for path in sorted(root.rglob("*"))
            if path.is_file() and not path.name.endswith(("-wal", "-shm")) and path.name != "writer.lock"}


def raised(memory: Path, name: str) -> None:
    """The file as the next version would write it, with something in it that we do not know."""
    path = memory / name
    body = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(body | {"version": body["version"] + 1, "future": {"kept": True}}), encoding="utf-8")


@bites("every_version_is_ours")
@pytest.mark.parametrize("name", ["state.json", "journal.json", "proposals.json"])
def test_a_newer_file_is_not_written(opened: Callable[..., Sidecar], memory: Path, name: str) -> None:
    first = opened()
    entry = str(first.remember("kept as it is")["id"])
    first.propose("a proposal", "seen")
    first.close()
    raised(memory, name)
    before = tree(memory)
    sidecar = opened()
    assert [found["id"] for found in sidecar.entries()["entries"]] == [entry]  # type: ignore[attr-defined]
    for attempt in attempts(sidecar, entry, name):
        assert "newer version" in refusal(attempt), name
    with suppress(ReadOnly):
        sidecar.check()
    with suppress(ReadOnly):
        sidecar.catch_up()
    sidecar.store.derive()
    sidecar.close()
    assert tree(memory) == before


def attempts(sidecar: Sidecar, entry: str, name: str) -> list[Callable[[], object]]:
    """What would write the file."""
    propose = [lambda: sidecar.propose("another proposal", "seen")]
    if name == "proposals.json":
        return [*propose, sidecar.proposals]  # type: ignore[list-item]
    changes = [lambda: sidecar.remember("one more"), lambda: sidecar.edit(entry, "changed"), lambda: sidecar.forget(entry),
               lambda: sidecar.move(entry, "work"), lambda: sidecar.pin(entry, True), sidecar.undo]
    return [*changes, *propose] if name == "state.json" else changes  # type: ignore[list-item]


def refusal(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except ReadOnly as error:
        return error.message
    return "it was done"


@bites("every_version_is_ours")
def test_a_newer_transaction_is_neither_replayed_nor_dropped(opened: Callable[..., Sidecar], memory: Path) -> None:
    first = opened()
    first.remember("kept as it is")
    first.close()
    record = memory / "transaction.json"
    record.write_text(json.dumps({"version": 3, "device": first.store.device, "token": "t", "files": [], "future": True}), encoding="utf-8")
    before = tree(memory)
    sidecar = opened()
    assert len(sidecar.entries()["entries"]) == 1  # type: ignore[arg-type]
    assert "newer version" in refusal(lambda: sidecar.remember("one more"))
    sidecar.close()
    assert tree(memory) == before
    assert record.exists()


@bites("every_version_is_ours")
@pytest.mark.parametrize("name", ["history.db", "copies.db", "ledger.db"])
def test_a_newer_database_is_not_written(opened: Callable[..., Sidecar], memory: Path, name: str) -> None:
    first = opened()
    first.remember("kept as it is")
    first.ledger.close()
    first.close()
    path = first.instance.folder / name
    database = sqlite3.connect(path)
    version = database.execute("PRAGMA user_version").fetchone()[0]
    database.execute("CREATE TABLE future (kept)")
    database.execute(f"PRAGMA user_version={version + 1}")
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    before = tree(memory, first.instance.folder)

    def use() -> None:
        sidecar = opened()
        sidecar.remember("one more")
        sidecar.ledger.close()

    said = ""
    try:
        if name == "ledger.db":
            opened().ledger.close()
        else:
            use()
    except ReadOnly as error:
        said = error.message
    assert f"{name} was written by a newer version" in said
    after = tree(memory, first.instance.folder)
    assert after[str(path)] == before[str(path)]
    assert {place for place in after if str(memory) in place and after[place] != before.get(place)} == set()
    assert not path.with_suffix(".unreadable").exists()


@needs_root
def test_a_user_without_a_home_shares_no_folder_with_a_squatter(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the locks lie below /tmp, the folder above them counts as well: who owns it can exchange what is in it."""
    above = shared / "deepseedian-0"
    above.mkdir()
    above.chmod(0o777)
    os.chown(above, NOBODY, NOBODY)
    def below(word: str) -> Path:
        return shared / word.removeprefix("/tmp/") if word.startswith("/tmp/") else Path(word)

    monkeypatch.setattr(folders, "Path", below)
    monkeypatch.setattr(folders.os, "access", lambda *_: False)
    monkeypatch.setattr(folders.os, "getuid", lambda: 0)
    with pytest.raises(BadVault):
        private(folders.lock_folder())


@pytest.mark.parametrize("name", ["state.json", "journal.json", "proposals.json", "transaction.json"])
def test_health_names_a_newer_file(opened: Callable[..., Sidecar], memory: Path, name: str) -> None:
    first = opened()
    first.remember("kept as it is")
    first.propose("a proposal", "seen")
    first.close()
    if name == "transaction.json":
        (memory / name).write_text(json.dumps({"version": 2}), encoding="utf-8")
    raised(memory, name)
    health = opened().health()
    assert health["status"] == "degraded" and "newer version" in str(health)


def test_the_daemon_lock_is_seen_from_every_thread(vault: Path, memory: Path, tmp_path: Path) -> None:
    """Requests are answered in other threads than the one that took the lock; one of them notices a folder brought back."""
    sidecar = Sidecar.open(vault)
    sidecar.remember("kept")
    sidecar.store.lock.hold_daemon()
    shutil.copytree(memory, tmp_path / "copy")
    shutil.rmtree(memory)
    (tmp_path / "copy").rename(memory)
    worker = threading.Thread(target=lambda: sidecar.remember("after the folder came back"))
    worker.start()
    worker.join()
    other = VaultLock(memory)
    try:
        with pytest.raises(AlreadyRunning):
            other.hold_daemon()
    finally:
        other.release_daemon()
        sidecar.store.lock.release_daemon()
        sidecar.close()
