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
    (memory / f"MEMORY{suffix}.md").write_text("# old\n", encoding="utf-8")
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
