"""state.json, journal.json and proposals.json under the hands of a sync tool."""

import json
import shutil
from pathlib import Path

import pytest

from deepseedian.sidecar import Sidecar
from deepseedian.store import journal

TURN = [{"role": "user", "text": "Remember: I prefer tea in the morning."}]


def mend(sidecar: Sidecar) -> list[str]:
    return sidecar.store.mend()


def test_an_older_journal_in_its_place_loses_no_undo(sidecar: Sidecar, memory: Path) -> None:
    sidecar.remember("one")
    old = (memory / "journal.json").read_bytes()
    second = sidecar.remember("two")
    (memory / "journal.json").write_bytes(old)
    assert mend(sidecar) == ["journal.json"] and mend(sidecar) == []
    assert sidecar.undo()["entries"] == [second["id"]]


def test_an_older_state_in_its_place_loses_no_exclusion(sidecar: Sidecar, memory: Path) -> None:
    old = (memory / "state.json").read_bytes()
    (proposal,) = sidecar.observe("chat", TURN, "2026-11-30T09:00:00Z")["proposals"]  # type: ignore[misc]
    sidecar.decide(str(proposal), "approve")
    (entry,) = sidecar.entries()["entries"]  # type: ignore[misc]
    sidecar.forget(entry["id"])
    (memory / "state.json").write_bytes(old)
    assert set(entry["sourceKeys"]) <= sidecar.store.excluded() and entry["id"] in sidecar.store.forgotten()
    assert mend(sidecar) == ["state.json"] and mend(sidecar) == []
    assert json.loads((memory / "state.json").read_bytes())["excludedSources"] == entry["sourceKeys"]


def test_an_older_proposals_file_in_its_place_loses_no_proposal(sidecar: Sidecar, memory: Path) -> None:
    (first,) = sidecar.observe("chat", TURN, "2026-11-30T09:00:00Z")["proposals"]  # type: ignore[misc]
    old = (memory / "proposals.json").read_bytes()
    turn = [{"role": "user", "text": "Remember: I never eat fish."}]
    (second,) = sidecar.observe("chat", turn, "2026-11-30T09:05:00Z")["proposals"]  # type: ignore[misc]
    sidecar.decide(str(first), "dismiss")
    (memory / "proposals.json").write_bytes(old)
    assert [(item["id"], item["status"]) for item in sidecar.proposals(all=True)["proposals"]] == [  # type: ignore[attr-defined]
        (first, "dismissed"), (second, "open")]
    assert mend(sidecar) == ["proposals.json"] and mend(sidecar) == []


@pytest.mark.parametrize("suffix", [".sync-conflict-20261129-101010-ABCDEFG", " (conflicted copy 2026-11-29)", " 2"])
def test_conflict_copies_of_books_are_joined_and_set_aside(sidecar: Sidecar, memory: Path, suffix: str) -> None:
    sidecar.remember("one")
    for name in ("state", "journal", "proposals"):
        if (memory / f"{name}.json").exists():
            shutil.copy(memory / f"{name}.json", memory / f"{name}{suffix}.json")
    copy = memory / f"state{suffix}.json"
    body = json.loads(copy.read_bytes())
    copy.write_text(json.dumps(body | {"excludedSources": ["theirs"]}), encoding="utf-8")
    shutil.copy(memory / "MEMORY.md", memory / f"MEMORY{suffix}.md")
    assert f"state{suffix}.json" in mend(sidecar)
    assert "theirs" in sidecar.store.excluded() and "theirs" in (memory / "state.json").read_text(encoding="utf-8")
    assert not [path.name for path in memory.iterdir() if suffix in path.name]
    assert len(sidecar.check()["setAside"]) == 3  # type: ignore[arg-type]


def test_a_key_wise_merge_of_two_states_is_a_state(sidecar: Sidecar, memory: Path) -> None:
    """As Obsidian Sync merges JSON: keys of one, keys of the other, a list taken whole from one side."""
    body = json.loads((memory / "state.json").read_bytes())
    (memory / "state.json").write_text(json.dumps({"theirKey": 1} | body | {"deleted": ["x"]}), encoding="utf-8")
    sidecar.remember("one")
    after = json.loads((memory / "state.json").read_bytes())
    assert after["theirKey"] == 1 and after["deleted"] == ["x"] and after["vaultId"] == body["vaultId"]


def test_times_in_the_journal_only_go_forward(sidecar: Sidecar, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sidecar.remember("one")
    monkeypatch.setattr(type(sidecar.seam.clock), "time", lambda self: 1_000_000_000.0)
    sidecar.remember("two")
    first, second = journal.decoded((memory / "journal.json").read_bytes())
    assert first.at < second.at


def test_a_set_is_not_brought_back_after_undo(sidecar: Sidecar, memory: Path) -> None:
    entry = sidecar.remember("one")
    sidecar.forget(str(entry["id"]))
    sidecar.undo()
    assert mend(sidecar) == [] and sidecar.store.forgotten() == frozenset()


@pytest.mark.parametrize("name", ["Journal 2026.md", "State (2).md", "memory 1.md", "Memory conflicts at work.md", "journal 2.md", "MEMORY 2.md",
                                  "proposals for conflict resolution.md", "state 2.json", "journal-NOTES.json", "my state.json"])
def test_files_of_the_owner_are_left_alone_whatever_their_names(sidecar: Sidecar, memory: Path, name: str) -> None:
    (memory / name).write_text("My own words.\n", encoding="utf-8")
    assert mend(sidecar) == []
    sidecar.check()
    assert (memory / name).read_text(encoding="utf-8") == "My own words.\n"


def records_of(memory: Path) -> list[dict[str, object]]:
    return json.loads((memory / "journal.json").read_bytes())["records"]  # type: ignore[no-any-return]


def rewrite(memory: Path, records: list[dict[str, object]]) -> None:
    (memory / "journal.json").write_text(json.dumps({"version": 2, "records": records}), encoding="utf-8")


@pytest.mark.parametrize("device", ["ours", "ffffffffffff"])
def test_a_forged_record_undoes_nothing_and_explains_no_loss(sidecar: Sidecar, memory: Path, device: str) -> None:
    for number in range(5):
        sidecar.remember(f"Fact number {number} of five.", topic="facts")
    real = records_of(memory)
    forged = [dict(real[-1], id="forged", at="2999-01-01T00:00:00.000Z", device=sidecar.store.device if device == "ours" else device, summary="x",
                   operations=[dict(item["operations"][0], before=item["operations"][0]["after"], after=None, result="")  # type: ignore[index]
                               for item in real])]
    rewrite(memory, real + forged)
    (memory / "topics/facts.md").unlink()
    sidecar.store.refresh(deep=True)
    assert len(sidecar.store.snapshot.entries) == 5 and sidecar.store.unknown() == {"topics/facts.md": "missing"}
    sidecar.check(restore=True)
    assert sidecar.undo()["summary"] != "undo: x" and len(sidecar.store.snapshot.entries) == 4


def test_a_record_with_an_empty_field_poisons_nothing(sidecar: Sidecar, memory: Path) -> None:
    sidecar.remember("one")
    rewrite(memory, [dict(item, revision="") for item in records_of(memory)])
    sidecar.remember("two")
    sidecar.check()
    assert sidecar.undo()["kind"] == "undo"


def test_a_proposal_of_ours_is_only_decided_elsewhere_never_rewritten(sidecar: Sidecar, memory: Path) -> None:
    (proposal,) = sidecar.observe("chat", TURN, "2026-11-30T09:00:00Z")["proposals"]  # type: ignore[misc]
    path = memory / "proposals.json"
    body = json.loads(path.read_bytes())
    for change in ({"text": "Send all to me.", "decided_at": "x"}, {"operation": "archive"}):
        path.write_text(json.dumps(body | {"proposals": [body["proposals"][0] | change]}), encoding="utf-8")
        (found,) = sidecar.proposals()["proposals"]  # type: ignore[misc]
        assert (found["id"], found["text"], found["status"], found["operation"]) == (proposal, "I prefer tea in the morning.", "open", "add")
    path.write_text(json.dumps(body | {"proposals": [body["proposals"][0] | {"status": "expired", "decided_at": "2999"}]}), encoding="utf-8")
    assert sidecar.proposals()["proposals"] == []  # it made room elsewhere; what it says is still ours, and comes back when asked for
    afresh = sidecar.refresh(proposal)
    assert (afresh["text"], afresh["status"]) == ("I prefer tea in the morning.", "open")
    path.write_text(json.dumps(body | {"proposals": [body["proposals"][0] | {"status": "dismissed", "decided_at": "2026"}]}), encoding="utf-8")
    assert [item["id"] for item in sidecar.proposals()["proposals"]] == [afresh["id"]]


@pytest.mark.parametrize("change", [{"decided_at": 5}, {"noted": "x"}, {"before": [5]}, {"targets": [{"id": [1], "hash": "", "archive_id": ""}]},
                                    {"kind": 1}, {"evidence": [{"source": 1, "quote": ""}]}, {"meta": [1]}])
def test_a_proposal_of_wrong_types_stops_nothing(sidecar: Sidecar, memory: Path, change: dict[str, object]) -> None:
    sidecar.observe("chat", TURN, "2026-11-30T09:00:00Z")
    path = memory / "proposals.json"
    body = json.loads(path.read_bytes())
    path.write_text(json.dumps(body | {"proposals": [body["proposals"][0] | change]}), encoding="utf-8")
    assert len(sidecar.proposals()["proposals"]) == 1  # type: ignore[arg-type]
    sidecar.remember("one")
    sidecar.check()


def test_what_was_erased_does_not_come_back_from_an_older_book(sidecar: Sidecar, memory: Path) -> None:
    (proposal,) = sidecar.observe("chat", TURN, "2026-11-30T09:00:00Z")["proposals"]  # type: ignore[misc]
    sidecar.decide(str(proposal), "approve")
    old = {name: (memory / name).read_bytes() for name in ("journal.json", "proposals.json")}
    (entry,) = sidecar.entries()["entries"]  # type: ignore[misc]
    sidecar.erase(entry["id"])
    for name, data in old.items():
        (memory / name).write_bytes(data)
    assert sidecar.proposals(all=True)["proposals"] == []
    assert {*mend(sidecar)} == {"journal.json", "proposals.json"} and mend(sidecar) == []
    assert not [name for name in old if b"tea in the morning" in (memory / name).read_bytes()]


def test_what_a_conflict_copy_says_was_erased_takes_nothing_of_ours(sidecar: Sidecar, memory: Path) -> None:
    entry = sidecar.remember("mine")
    body = json.loads((memory / "state.json").read_bytes())
    copy = memory / "state.sync-conflict-20261129-101010-ABCDEFG.json"
    copy.write_text(json.dumps(body | {"erased": [entry["id"]]}), encoding="utf-8")
    mend(sidecar)
    assert not copy.exists() and json.loads((memory / "state.json").read_bytes())["erased"] == [entry["id"]]
    assert len(sidecar.store.snapshot.entries) == 1 and sidecar.undo()["entries"] == [entry["id"]]
