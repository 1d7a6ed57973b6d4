"""What chaos and fuzzing have found, each with the smallest input that shows it: they must never come back."""

import errno
import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from deepseedian.api.app import create
from deepseedian.api.host import Host
from deepseedian.core.snapshot import sha256
from deepseedian.daemon import watcher
from deepseedian.daemon.server import Daemon
from deepseedian.errors import DeepseedianError
from deepseedian.models.chat import loads
from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store.commit import RECORD, RECORD_VERSION
from deepseedian.store.seam import Seam
from tests.chaos.history import rows_in_files, unexpected
from tests.doubles import DyingDisk, FakeClock, Killed
from tests.samples import marker

HALF = "\\ud800"  # half a character, as JSON writes it; no file can hold it otherwise
MORE = f',"more":"{HALF}"'


class World:
    """A vault over a disk that can fail or die, and its sidecar."""

    def __init__(self, vault: Path) -> None:
        self.vault, self.disk, self.clock = vault, DyingDisk(), FakeClock()
        self.memory = Path(str(initialise(vault, seam=Seam(self.disk, self.clock))["memory"]))
        self.sidecar = self.opened()

    def opened(self) -> Sidecar:
        return Sidecar.open(self.vault, seam=Seam(self.disk, self.clock))

    def failing(self, wanted: str, number: int, act: Callable[[], object], *, nth: int = 1) -> str:
        """Do the act with an error at its n-th call of this name; the code it is refused with, empty when it is not."""
        with self._armed(wanted, nth, OSError(number, os.strerror(number)), False):
            try:
                act()
            except DeepseedianError as error:
                return error.code
        return ""

    def dying(self, wanted: str, act: Callable[[], object]) -> None:
        """Die right after the first call of this name; a file that was being written is cut off."""
        with self._armed(wanted, 1, None, True), pytest.raises(Killed):
            act()
        self.sidecar.store.history.close()
        self.sidecar.store.copies.close()

    @contextmanager
    def _armed(self, wanted: str, nth: int, error: OSError | None, after: bool) -> Iterator[None]:
        step, left = self.disk._step, [nth]

        def stepped(name: str) -> bool:
            left[0] -= name.startswith(wanted)
            if name.startswith(wanted) and not left[0]:
                self.disk.at, self.disk.after, self.disk.error = len(self.disk.calls) + 1, after, error
            return step(name)

        self.disk._step = stepped  # type: ignore[method-assign]
        try:
            yield
        finally:
            self.disk._step, self.disk.at = step, 0  # type: ignore[method-assign]

    def texts(self) -> list[str]:
        return sorted(item.text for item in rows_in_files(self.memory).values())


@pytest.fixture
def world(base: Path) -> Iterator[World]:
    made = World(base / "vault")
    yield made
    made.sidecar.close()


# Answers that were not true

@pytest.mark.parametrize(("call", "nth"), [("flush topics", 2), ("unlink transaction.json", 1), ("unlink .deepseedian-", 1)])
def test_nothing_was_changed_is_said_only_when_nothing_was(world: World, call: str, nth: int) -> None:
    """An error after the files were exchanged: either the change is taken back, or it is not called undone."""
    world.sidecar.remember("one")
    code = world.failing(call, errno.ENOSPC, lambda: world.sidecar.remember("two"), nth=nth)
    world.sidecar = world.opened()
    assert world.texts() == (["one"] if code == "disk_full" else ["one", "two"]), code


def test_an_approval_that_landed_is_answered_though_its_note_cannot_be_tidied(world: World) -> None:
    """The decision is durable; an error while a temporary name beside the note is removed came out as a bare OSError."""
    made = world.sidecar.propose("approved", "asked for")
    unlink, failed = world.disk.unlink, []

    def failing(path: Path) -> None:
        if "Review" in path.parts:
            failed.append(path)
            raise OSError(errno.EIO, "Input/output error")
        unlink(path)

    world.disk.unlink = failing  # type: ignore[method-assign]
    try:
        answer = world.sidecar.decide(made["proposals"][0], "approve")  # type: ignore[index]
    finally:
        world.disk.unlink = unlink  # type: ignore[method-assign]
    assert failed and answer["status"] == "approved" and world.texts() == ["approved"]


def test_the_same_key_after_an_undo_is_no_internal_error(world: World) -> None:
    world.sidecar.remember("once", key="k")
    world.sidecar.undo()
    try:
        world.sidecar.remember("once", key="k")
    except DeepseedianError as error:
        assert error.code != "internal", error


def test_a_change_that_was_carried_out_is_answered_whatever_comes_right_after_it(world: World) -> None:
    """Between an edit and its answer another caller undoes everything: the edit still happened."""
    made = world.sidecar.remember("first")
    done: list[object] = []

    def at_once(*published: object) -> None:
        if not done and getattr(published[2], "kind", "") == "edit":
            done.append(published)
            world.sidecar.undo()
            world.sidecar.undo()

    world.sidecar.store.listeners.append(at_once)
    assert world.sidecar.edit(str(made["id"]), "second")["text"] == "second"


# What a kill or an error leaves

def test_a_record_that_could_not_be_published_is_nobodys_bytes(world: World) -> None:
    assert world.failing("publish transaction.json", errno.EIO, lambda: world.sidecar.remember("x")) == "disk_error"
    assert not list(world.memory.rglob(".deepseedian-*"))
    assert not [problem for problem in world.sidecar.check()["problems"] if problem["code"] == "conflict"]  # type: ignore[attr-defined,index]


def test_a_file_that_a_kill_cut_off_is_no_conflict(world: World) -> None:
    """Our own half-written temporary file, which no record ever named, needs nobody's attention."""
    world.sidecar.remember("one")
    world.dying("write .deepseedian-", lambda: world.sidecar.remember("two"))
    world.sidecar = world.opened()
    found = world.sidecar.check()["problems"]
    assert not [problem for problem in found if problem["code"] == "conflict"], found  # type: ignore[attr-defined,index]


def test_a_folder_that_went_away_before_recovery_does_not_end_all_writing(world: World) -> None:
    world.sidecar.remember("one")
    world.dying("publish transaction.json", lambda: world.sidecar.remember("two", topic="home/garden"))
    shutil.rmtree(world.memory / "topics/home")
    world.sidecar = world.opened()
    world.sidecar.remember("three")
    assert {"one", "three"} <= {*world.texts()}


@pytest.mark.parametrize("call", ["publish transaction.json", "exchange general.md"])
def test_an_edit_before_recovery_does_not_tear_a_move_apart(world: World, call: str) -> None:
    """Killed while an entry moved, then the owner edited the file it was moving to: it must be in one of the two."""
    moving = world.sidecar.remember("precious")
    world.sidecar.remember("other", topic="work")
    world.dying(call, lambda: world.sidecar.move(str(moving["id"]), "work"))
    work = world.memory / "topics/work.md"
    work.write_text(work.read_text(encoding="utf-8") + "\nA line of the owner.\n", encoding="utf-8")
    world.sidecar = world.opened()
    assert "A line of the owner." in work.read_text(encoding="utf-8")
    assert world.texts() == ["other", "precious"]


# Watching

def test_a_daemon_without_a_place_in_the_watch_queue_polls(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """No inotify instance is left: the library raises when the observer is made, and nobody looked at the files any more."""
    def none_left() -> None:
        raise OSError(errno.EMFILE, "inotify instance limit reached")

    monkeypatch.setattr(watcher, "Observer", none_left)
    monkeypatch.setattr(watcher, "POLL_SECONDS", 0.1)
    looked = threading.Event()
    daemon = Daemon(world.sidecar)
    monkeypatch.setattr(daemon, "reconcile", lambda hinted, deep: looked.set())
    monkeypatch.setattr(daemon, "present", lambda: True)
    daemon._step("watcher", daemon._watch)
    looked.clear()  # the look at the start; now the polling
    try:
        assert looked.wait(5), world.sidecar.faults
        assert "watcher" in world.sidecar.faults
    finally:
        if daemon._watcher is not None:
            daemon._watcher.stop()  # type: ignore[attr-defined]


# Half a character in a file that came from elsewhere

def test_half_a_character_in_a_marker_does_not_cost_the_list(world: World) -> None:
    world.sidecar.remember("fine")
    general = world.memory / "topics/general.md"
    general.write_text(f"{general.read_text(encoding='utf-8')}\n{marker('a', MORE)}\nodd\n", encoding="utf-8")
    world.sidecar.store.refresh(deep=True)
    client = TestClient(create(Host(world.sidecar, "t" * 43, 1, "")), base_url="http://127.0.0.1:1",  # type: ignore[arg-type]
                        headers={"Authorization": f"Bearer {'t' * 43}"}, raise_server_exceptions=False)
    answer = client.get("/v1/entries")
    assert answer.status_code == 200 and any(row["text"] == "fine" for row in answer.json()["entries"]), answer.text


PROPOSAL = {"id": "a", "batch": "b", "at": "2026-01-02T03:04:05Z", "operation": "add", "text": "X", "topic": "general", "kind": "",
            "reason": "why", "evidence": [], "base": "r", "origin": "host", "entry_id": "e"}
RECORD_OF_CHANGE = {"id": "a", "at": "t", "device": "d", "kind": "add", "summary": "X", "revision": "r", "operations": []}
BOOKS = {"state.json": {"version": 2, "vaultId": "v", "deleted": ["X"]}, "journal.json": {"version": 2, "records": [RECORD_OF_CHANGE]},
         "proposals.json": {"version": 2, "proposals": [PROPOSAL]},
         RECORD: {"version": 2, "device": "device", "token": "X", "files": [], "checksum": "x"}}


@pytest.mark.parametrize("name", BOOKS)
def test_half_a_character_in_a_book_does_not_stop_the_store(world: World, name: str) -> None:
    made = world.sidecar.remember("fine")
    world.sidecar.close()
    (world.memory / name).write_text(json.dumps(BOOKS[name]).replace('"X"', f'"{HALF}"'), encoding="utf-8")
    world.sidecar = world.opened()
    world.sidecar.propose("proposed", "asked for")
    world.sidecar.forget(str(made["id"]))
    assert world.texts() == [] and not unexpected(world.sidecar.check()["problems"], ("derived", "leftover", "conflict"))  # type: ignore[arg-type]


def test_a_record_with_a_number_for_a_name_does_not_stop_the_store(world: World) -> None:
    world.sidecar.close()
    body = {"version": RECORD_VERSION, "device": "device", "token": "t", "files": [{"path": 1, "old": "", "new": "", "temporary": "t"}]}
    body["checksum"] = sha256(json.dumps(body, ensure_ascii=False, sort_keys=True).encode())
    (world.memory / RECORD).write_text(json.dumps(body), encoding="utf-8")
    world.sidecar = world.opened()
    world.sidecar.remember("fine")
    assert world.texts() == ["fine"]


# Time

def test_a_long_answer_that_was_cut_off_is_read_in_time() -> None:
    """A model's answer of 200,000 characters, cut off: each item was cut out of a fresh copy of the rest."""
    begun = time.process_time()
    found = loads('{"proposals":[' + "{}," * 66_000)
    assert len(found) == 66_000  # type: ignore[arg-type]
    assert time.process_time() - begun < 0.2
