"""Looking after memory when something is in its way: nothing may be written, a memory is large, texts are written to be harmful."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deepseedian.core import tidying
from deepseedian.errors import ReadOnly
from deepseedian.memory import sweep
from deepseedian.memory.review import Review
from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store.seam import Seam
from tests.doubles import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def sidecar(tmp_path: Path, clock: FakeClock) -> Iterator[Sidecar]:
    initialise(tmp_path / "v")
    found = Sidecar.open(tmp_path / "v", seam=Seam(clock=clock))
    yield found
    found.close()


def test_a_sweep_that_cannot_propose_is_not_tried_at_every_tick(sidecar: Sidecar, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    real = sweep.examined
    monkeypatch.setattr(sweep, "examined", lambda *given: looks.append(1) or real(*given))

    def refused(*_: object) -> Any:
        raise ReadOnly("the vault is read-only", "make it writable")
    sidecar.config.set("sweep", "daily")
    with monkeypatch.context() as patch:
        patch.setattr(Review, "propose", refused)
        for _ in range(5):
            sidecar.upkeep()
            clock.sleep(15)
        assert len(looks) == 1
    clock.sleep(3600)
    sidecar.upkeep()
    assert len(looks) == 2 and sidecar.sweeping.last().at


def test_a_report_that_cannot_be_written_is_written_later(sidecar: Sidecar, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    sidecar.config.set("report", "weekly")
    with monkeypatch.context() as patch:
        def full(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")
        patch.setattr(sidecar.review.notes, "create", full)
        sidecar.upkeep()
    clock.sleep(7200)
    sidecar.upkeep()
    assert list((sidecar.vault.root / "Deepseedian/Review/Reports").glob("*.md"))


def test_only_as_many_are_looked_at_as_are_proposed(sidecar: Sidecar, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        clock.now += 1
        sidecar.remember(f"Note {'abcdefghijklmnopqrstuvwxyz0123'[number] * 6} must be looked at")
    ids = list(sidecar.store.snapshot.entries)
    monkeypatch.setattr(sweep, "examined", lambda *_: ([tidying.Finding("due", (one,), "2026-01-01") for one in ids], []))
    asked: list[int] = []
    real = Review.refusal
    monkeypatch.setattr(Review, "refusal", lambda self, draft: asked.append(1) or real(self, draft))
    assert len(sidecar.sweep()["proposals"]) == sweep.MOST_PROPOSED and len(asked) == sweep.MOST_PROPOSED  # type: ignore[arg-type]


def test_a_conflict_that_was_settled_by_an_edit_is_none(sidecar: Sidecar, clock: FakeClock) -> None:
    clock.now += 1
    sidecar.remember("The rent is 900 euros")
    clock.now += 1
    entry = str(sidecar.remember("The rent is 950 euros")["id"])
    clock.now += 1
    assert [item["kind"] for item in sidecar.sweep()["findings"]] == ["contradiction"]  # type: ignore[attr-defined]
    clock.now += 60
    sidecar.edit(entry, "My bicycle is blue")
    assert sidecar.conflicts()["conflicts"] == []


def test_conflicts_looks_once_for_one_state_of_memory(sidecar: Sidecar, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    sidecar.remember("The rent is 900 euros")
    looks: list[int] = []
    real = sweep.findings
    monkeypatch.setattr(sweep, "findings", lambda *given: looks.append(1) or real(*given))
    for _ in range(3):
        sidecar.conflicts()
    assert len(looks) == 1


def test_an_inbox_of_long_proposals_fits_into_an_answer(sidecar: Sidecar) -> None:
    colours, things = "red blue green white black grey brown".split(), "roof door wall lamp desk chair shelf floor".split()
    for number in range(14):
        text = "; ".join(f"the {colour} {thing} of house {number} was painted in {1900 + number}" for colour in colours for thing in things)
        assert sidecar.propose(text[:1900], "why")["proposals"]
    found = sidecar.desk("mcp").call("memory_inbox", {})
    rows: Any = found["proposals"]
    assert found["total"] == 14 and len(rows) == 14 and rows[0]["text"].startswith("the red roof")


def test_large_topics_fit_into_an_answer(sidecar: Sidecar, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [str(sidecar.remember(f"number {number} " + "x" * 150)["id"]) for number in range(60)]
    found = sweep.Swept("2026-11-30T00:00:00Z", tuple(tidying.Finding("large_topic", tuple(ids), f"t/{n}") for n in range(3)))
    monkeypatch.setattr(sidecar.sweeping, "look", lambda *_: found)
    told = sidecar.desk("mcp").call("memory_conflicts", {})
    assert told["total"] == 3


def test_a_report_hides_nothing_and_links_nowhere(sidecar: Sidecar, clock: FakeClock) -> None:
    sidecar.remember("%% a comment that hides the rest")
    sidecar.remember("see https://example.org/x and [[Note]] and key:: value")
    text = str(sidecar.report(write=False)["text"])
    assert "%%" not in text and "https://" not in text and "[[" not in text


def test_an_erasure_reaches_the_reports(sidecar: Sidecar, clock: FakeClock) -> None:
    gone = ["I drink *oolong* tea [[daily]] in the morning", "A long oolong story, " + "told again in other words, " * 9, "PIN oolong"]
    ids = [str(sidecar.remember(text)["id"]) for text in gone]
    sidecar.remember("The roof was repaired in May")
    clock.sleep(5)
    sidecar.edit(ids[0], "I drink *oolong* tea [[daily]] at night")
    sidecar.recall("which oolong tea do I drink in the morning?", inject=True, session="s1")
    path = sidecar.vault.root / str(sidecar.report()["note"])
    path.write_bytes(path.read_bytes() + b"\nMy own line on oolong stays.\n")
    assert path.read_text(encoding="utf-8").count("oolong") > 3
    sidecar.sweep()
    for one in ids:
        sidecar.erase(one)
    assert not any(one in file.read_text(errors="replace") for file in sidecar.instance.folder.glob("*.json") for one in ids)
    text = path.read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if "oolong" in line] == ["My own line on oolong stays."]
    assert "The roof was repaired in May" in text and "deepseedian: report" in text
