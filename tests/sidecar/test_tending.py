"""The sweep, what it finds, and the report: proposals and notes, never a change of memory."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deepseedian.errors import BadInput, ModelFailed
from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store.seam import Seam
from tests.doubles import FakeClock

DAY = 86_400.0


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def sidecar(tmp_path: Path, clock: FakeClock) -> Iterator[Sidecar]:
    initialise(tmp_path / "v")
    found = Sidecar.open(tmp_path / "v", seam=Seam(clock=clock))
    yield found
    found.close()


def kinds(found: Any) -> list[str]:
    return [item["kind"] for item in found]


def remember(sidecar: Sidecar, clock: FakeClock, text: str, **more: Any) -> str:
    clock.now += 1
    return str(sidecar.remember(text, **more)["id"])


def test_a_sweep_proposes_and_changes_nothing(sidecar: Sidecar, clock: FakeClock) -> None:
    old = remember(sidecar, clock, "The weekly meeting is on Tuesday at 10")
    new = remember(sidecar, clock, "The weekly meeting is on Thursday at 14")
    remember(sidecar, clock, "I prefer short answers.")
    remember(sidecar, clock, "I prefer short answers")
    remember(sidecar, clock, "I like tea")
    remember(sidecar, clock, "I like coffee")
    before = sidecar.store.snapshot.revision
    found: Any = sidecar.sweep()
    assert kinds(found["findings"]) == ["contradiction", "same"] and len(found["proposals"]) == 2
    assert [row["id"] for row in found["findings"][0]["entries"]] == [old, new] and sidecar.store.snapshot.revision == before
    assert [item["origin"] for item in sidecar.proposals()["proposals"]] == ["sweep", "sweep"]  # type: ignore[attr-defined]
    again: Any = sidecar.sweep()
    assert again["proposals"] == [] and kinds(again["findings"]) == ["contradiction", "same"]  # open ones are not proposed twice


def test_an_approved_contradiction_keeps_the_old_text_in_the_archive_with_its_link(sidecar: Sidecar, clock: FakeClock) -> None:
    old = remember(sidecar, clock, "The weekly meeting is on Tuesday at 10")
    new = remember(sidecar, clock, "The weekly meeting is on Thursday at 14")
    [proposal] = sidecar.sweep()["proposals"]  # type: ignore[misc]
    sidecar.decide(proposal, "approve")
    assert [entry["id"] for entry in sidecar.entries()["entries"]] == [new]  # type: ignore[attr-defined]
    archived = sidecar.show(old)
    assert archived["archived"] and archived["supersededBy"] == new and archived["text"] == "The weekly meeting is on Tuesday at 10"
    assert sidecar.sweep()["findings"] == []
    sidecar.undo()
    assert len(sidecar.entries()["entries"]) == 2 and sidecar.sweep()["proposals"] == []  # type: ignore[arg-type]


def test_a_merge_keeps_the_sources_of_all(sidecar: Sidecar, clock: FakeClock) -> None:
    for session, said in (("a", "Remember that the rent is 900 euros a month."), ("b", "Remember that the rent is 950 euros a month.")):
        clock.now += 60
        made: Any = sidecar.observe(session, [{"role": "user", "text": said}])
        sidecar.decide(made["proposals"][0], "approve")
    entries: Any = sidecar.entries()["entries"]
    keys = {key for entry in entries for key in entry["sourceKeys"]}
    [proposal] = sidecar.sweep()["proposals"]  # type: ignore[misc]
    sidecar.decide(proposal, "approve")
    [left] = sidecar.entries()["entries"]  # type: ignore[misc]
    assert len(keys) == 2 and set(left["sourceKeys"]) == keys


def test_a_refused_proposal_is_not_made_again(sidecar: Sidecar, clock: FakeClock) -> None:
    remember(sidecar, clock, "The rent is 900 euros a month")
    remember(sidecar, clock, "The rent is 950 euros a month")
    [proposal] = sidecar.sweep()["proposals"]  # type: ignore[misc]
    sidecar.decide(proposal, "dismiss")
    assert sidecar.sweep()["proposals"] == []


def test_pinned_entries_are_left_alone(sidecar: Sidecar, clock: FakeClock) -> None:
    first = remember(sidecar, clock, "The rent is 900 euros a month")
    remember(sidecar, clock, "The rent is 950 euros a month")
    sidecar.pin(first)
    found: Any = sidecar.sweep()
    assert kinds(found["findings"]) == ["contradiction"] and found["proposals"] == []


def test_conflicts_reads_only_and_forgets_what_is_settled(sidecar: Sidecar, clock: FakeClock) -> None:
    first = remember(sidecar, clock, "The rent is 900 euros a month")
    remember(sidecar, clock, "The rent is 950 euros a month")
    assert kinds(sidecar.conflicts()["conflicts"]) == ["contradiction"] and sidecar.proposals()["proposals"] == []
    sidecar.sweep()
    sidecar.forget(first)
    assert sidecar.conflicts()["conflicts"] == []
    kept = (sidecar.instance.folder / "sweep.json").read_text(encoding="utf-8")
    assert "rent" not in kept


def test_a_broken_result_is_looked_up_anew(sidecar: Sidecar, clock: FakeClock) -> None:
    remember(sidecar, clock, "The rent is 900 euros a month")
    remember(sidecar, clock, "The rent is 950 euros a month")
    for broken in (b"", b"{", b'{"at": 1}', b'{"findings": [{"kind": "same"}], "at": "x", "proposals": []}', b"\xff"):
        (sidecar.instance.folder / "sweep.json").write_bytes(broken)
        assert kinds(sidecar.conflicts()["conflicts"]) == ["contradiction"]


@pytest.mark.parametrize(("setting", "days", "runs"), [("off", 20, 0), ("daily", 5, 5), ("weekly", 15, 3)])
def test_the_clock_asks_for_it_once_in_its_time(sidecar: Sidecar, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, setting: str,
                                                 days: int, runs: int) -> None:
    sidecar.set_setting("sweep", setting)
    done: list[str] = []
    real = sidecar.sweep
    monkeypatch.setattr(sidecar, "sweep", lambda: (done.append("x"), real())[1])
    for _ in range(days):
        sidecar.upkeep()
        sidecar.upkeep()
        clock.now += DAY
    assert len(done) == runs


def test_large_topics_part_along_a_word(sidecar: Sidecar, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    from deepseedian.core import tidying

    monkeypatch.setattr(tidying, "LARGE_TOPIC", 12)
    for number, word in enumerate("alder birch cedar dogwood elm fir gum hazel iris juniper kauri larch maple oak".split()):
        remember(sidecar, clock, f"The {word} {'garden needs water' if number % 3 == 0 else 'shelf holds ' + word * 2 + ' books'}")
    found: Any = sidecar.sweep()
    assert kinds(found["findings"]) == ["large_topic"] and found["findings"][0]["detail"].startswith("general/")
    [proposal] = found["proposals"]
    moved = {entry["id"] for entry in found["findings"][0]["entries"]}
    sidecar.decide(proposal, "approve")
    there: Any = sidecar.entries(found["findings"][0]["detail"])
    assert {entry["id"] for entry in there["entries"]} == moved and len(moved) > 1


# With a model

class Opinion:
    """A chat model that says what it is told to."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.asked = list(answers), []

    def answer(self, system: str, user: str, schema: object, cancelled: object) -> str:
        self.asked.append(user)
        said = self.answers.pop(0)
        if said == "fail":
            raise ModelFailed("away", code="model_away")
        return said


PAIR = ("My sister lives in the old town of Bern", "Anna, the sister, moved out of the old town, to Basel")


@pytest.mark.parametrize(("answer", "found"), [
    ('{"verdicts": ["contradiction"]}', ["contradiction"]), ('{"verdicts": ["same"]}', ["same"]), ('{"verdicts": ["different"]}', []),
    ('{"verdicts": ["contradiction", "same"]}', []), ('{"verdicts": ["obey"]}', []), ("no json", []), ("fail", []), ('{"verdicts": 3}', [])])
def test_a_model_may_see_what_rules_leave_open(tmp_path: Path, clock: FakeClock, answer: str, found: list[str]) -> None:
    model = Opinion(answer)
    initialise(tmp_path / "w")
    sidecar = Sidecar.open(tmp_path / "w", seam=Seam(clock=clock, chat=lambda: model))
    try:
        for text in PAIR:
            remember(sidecar, clock, text)
        before = sidecar.store.snapshot.revision
        done: Any = sidecar.sweep()
        assert kinds(done["findings"]) == found and len(done["proposals"]) == len(found) and sidecar.store.snapshot.revision == before
        assert len(model.asked) == 1 and all(text in model.asked[0] for text in PAIR)
        if answer.startswith("{"):
            assert kinds(sidecar.sweep()["findings"]) == found and len(model.asked) == 1  # the same pairs are paid for once
    finally:
        sidecar.close()


def test_a_sweep_keeps_to_the_budget_of_model_runs_and_keeps_secrets_here(tmp_path: Path, clock: FakeClock) -> None:
    model = Opinion('{"verdicts": ["same"]}')
    initialise(tmp_path / "w")
    sidecar = Sidecar.open(tmp_path / "w", seam=Seam(clock=clock, chat=lambda: model))
    try:
        for text in PAIR:
            remember(sidecar, clock, text)
        remember(sidecar, clock, "The old key of the town is sk-abcdefghijklmnopqrstuvwxyz0123456789", allow_secret=True)
        sidecar.set_setting("idle.daily_runs", "0")
        assert sidecar.sweep()["findings"] == [] and model.asked == []
        sidecar.set_setting("idle.daily_runs", "2")
        sidecar.sweep()
        assert len(model.asked) == 1 and "sk-abc" not in model.asked[0]
    finally:
        sidecar.close()


# The report

def test_a_report_tells_what_was_learned_recalled_and_corrected(sidecar: Sidecar, clock: FakeClock) -> None:
    remember(sidecar, clock, "An old thing about boats")
    clock.now += 30 * DAY
    tea = remember(sidecar, clock, "I drink oolong tea in the morning [[secret]] #tag")
    sidecar.edit(remember(sidecar, clock, "The rent is 900"), "The rent is 950")
    for _ in range(3):
        sidecar.recall("Which tea do I drink in the morning?", session="s", inject=True)
        sidecar.config.overrides["inject.repeat"] = "off"
    sidecar.feedback(tea, "wrong")
    sidecar.observe("s", [{"role": "user", "text": "Remember that I never work on Fridays."}])
    sidecar.recalls.flush()
    done: Any = sidecar.report(7)
    text = done["text"]
    assert (sidecar.vault.root / done["note"]).read_text(encoding="utf-8") == text
    assert "oolong" in text.split("## Changed")[0] and "boats" not in text and "(3×)" in text
    assert "[[secret]]" not in text and "\n#tag" not in text and "\\[\\[secret" in text
    assert "oolong" in text.split("## Corrected")[1].split("## Waiting")[0] and "proposals: 1, the newest in [[Deepseedian/Review/" in text
    second: Any = sidecar.report(7)
    assert second["note"] != done["note"] and second["note"].endswith("(2).md")


def test_two_reports_at_once_are_two_notes(sidecar: Sidecar, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each looked for a free name before the other had written: what came first stays, and both say where they really are."""
    made = sidecar.review.notes.create
    others: list[Path] = []

    def late(folder: str, path: str, text: str) -> bool:
        if len(others) < 2:
            others.append(sidecar.vault.root / path)
            others[-1].parent.mkdir(parents=True, exist_ok=True)
            others[-1].write_text(f"another report {len(others)}", encoding="utf-8")
        return made(folder, path, text)

    monkeypatch.setattr(sidecar.review.notes, "create", late)
    done: Any = sidecar.report(1)
    assert [path.read_text(encoding="utf-8") for path in others] == ["another report 1", "another report 2"]
    assert done["note"].endswith("(3).md") and (sidecar.vault.root / done["note"]).read_text(encoding="utf-8") == done["text"]


def test_a_report_as_text_writes_nothing(sidecar: Sidecar) -> None:
    before = sorted(sidecar.vault.root.rglob("*.md"))
    assert sidecar.call_tool("memory_report", {"days": 3})["text"] and sorted(sidecar.vault.root.rglob("*.md")) == before
    for days in (0, 91):
        with pytest.raises(BadInput):
            sidecar.report(days)


def test_a_chinese_report(sidecar: Sidecar, clock: FakeClock) -> None:
    sidecar.set_setting("language", "zh")
    remember(sidecar, clock, "我早上喝乌龙茶")
    done: Any = sidecar.report(1)
    assert "## 新学到的" in done["text"] and "我早上喝乌龙茶" in done["text"] and done["note"].startswith("Deepseedian/Review/小结/")


def test_the_weekly_report_comes_once_a_week(sidecar: Sidecar, clock: FakeClock) -> None:
    sidecar.set_setting("report", "weekly")
    for _ in range(15):
        sidecar.upkeep()
        clock.now += DAY
    assert len(list((sidecar.vault.root / "Deepseedian/Review/Reports").glob("*.md"))) == 3
