"""Following the vault in a thread of its own: hints, comparing, resting, failing, ending."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deepseedian.errors import Busy
from deepseedian.notes.index import NoteIndex
from deepseedian.notes.upkeep import Upkeep


class Recorded(NoteIndex):
    """Tells what it was asked to do; fails while `failing`."""

    failing = False
    done: list[frozenset[str] | None]

    def refresh(self, hints: frozenset[str] | None = None) -> None:
        self.done = [*getattr(self, "done", []), hints]
        if self.failing:
            raise Busy("locked")
        super().refresh(hints)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Recorded]:
    (tmp_path / "vault").mkdir()
    found = Recorded(tmp_path / "vault", tmp_path / "notes.db")
    found.done = []
    yield found
    found.close()


@pytest.fixture
def upkeep(index: Recorded, monkeypatch: pytest.MonkeyPatch) -> Iterator[Upkeep]:
    monkeypatch.setattr("deepseedian.notes.upkeep.QUIET_SECONDS", 0.05)
    found = Upkeep(index)
    yield found
    found.close()


def until(found: Callable[[], object], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while not found() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(found())


def test_everything_first_then_hints_together(index: Recorded, upkeep: Upkeep) -> None:
    upkeep.hint("early.md")
    assert index.done == [] and not upkeep.begun
    upkeep.begin()
    upkeep.begin()
    assert until(lambda: index.status()["state"] == "ready")
    (Path(index.tree.root) / "a.md").write_text("aardvark", encoding="utf-8")
    upkeep.hint("a.md")
    upkeep.hint("b.md")
    assert until(lambda: index.search("aardvark")["total"] == 1)
    assert index.done[0] is None and index.done.count(None) == 1 and frozenset({"a.md", "b.md"}) in index.done


def test_a_storm_of_hints_is_one_look_at_everything(index: Recorded, upkeep: Upkeep, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deepseedian.notes.upkeep.MOST_HINTS", 10)
    monkeypatch.setattr("deepseedian.notes.upkeep.COMPARE_REST", 0.0)
    upkeep.begin()
    assert until(lambda: index.done)
    for number in range(50):
        upkeep.hint(f"{number}.md")
    assert until(lambda: index.done.count(None) == 2)
    assert all(len(hints) <= 10 for hints in index.done if hints is not None)


def test_a_failure_is_tried_again(index: Recorded, upkeep: Upkeep, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deepseedian.notes.upkeep.RETRY_SECONDS", 0.05)
    index.failing = True
    upkeep.begin()
    assert until(lambda: len(index.done) >= 2)
    index.failing = False
    assert until(lambda: index.status()["state"] == "ready")


def test_the_end_comes_in_the_middle_of_the_work(index: Recorded, upkeep: Upkeep, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(400):
        (Path(index.tree.root) / f"{number}.md").write_text("word " * 200, encoding="utf-8")
    monkeypatch.setattr("deepseedian.notes.upkeep.REST", 50.0)
    upkeep.begin()
    assert until(lambda: index.status().get("done"))
    begun = time.monotonic()
    upkeep.close()
    assert time.monotonic() < begun + 4 and not [thread for thread in threading.enumerate() if thread.name == "notes"]
    assert index.status()["state"] == "indexing"


def test_it_rests_only_for_itself(index: Recorded, upkeep: Upkeep) -> None:
    upkeep.begin()
    assert until(lambda: index.status()["state"] == "ready")
    begun = time.monotonic()
    assert index.pace(100.0) and time.monotonic() < begun + 0.2
