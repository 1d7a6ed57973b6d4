"""The life of an entry as one list of events."""

from pathlib import Path
from typing import Any

import pytest

from deepseedian.errors import BadInput, NotFound
from deepseedian.sidecar import Sidecar
from tests.samples import FIXTURE_3, entry_id


def events(sidecar: Sidecar, key: str) -> list[dict[str, Any]]:
    found: Any = sidecar.timeline(key)["events"]
    assert [event["at"] for event in found] == sorted(event["at"] for event in found)
    return found  # type: ignore[no-any-return]


def kinds(sidecar: Sidecar, key: str) -> list[str]:
    return [event["kind"] for event in events(sidecar, key)]


def test_everything_that_happens_to_an_entry_is_told(sidecar: Sidecar) -> None:
    key = str(sidecar.remember("I drink oolong tea every morning")["id"])
    sidecar.remember("Something else entirely")
    sidecar.recall("What tea do I drink every morning?", session="s1", inject=True)
    sidecar.feedback(key, "useful")
    sidecar.pin(key)
    sidecar.move(key, "drinks")
    sidecar.edit(key, "I drink green tea every morning")
    sidecar.propose("I drink no tea at all", "heard so", "edit", entries=[key])
    (proposal,) = sidecar.proposals()["proposals"]  # type: ignore[misc]
    sidecar.decide(str(proposal["id"]), "dismiss")
    sidecar.forget(key)
    sidecar.undo()
    assert kinds(sidecar, key) == ["written", "recalled", "useful", "pin", "move", "edit", "proposed", "dismissed", "forget", "undo"]
    told = {event["kind"]: event for event in events(sidecar, key)}
    assert told["written"]["source"] == "saved by the user" and told["written"]["after"] == "I drink oolong tea every morning"
    assert told["recalled"]["session"] == "s1" and told["recalled"]["receipt"]
    assert (told["move"]["from"], told["move"]["to"]) == ("general", "drinks") and "before" not in told["move"]
    assert (told["edit"]["before"], told["edit"]["after"]) == ("I drink oolong tea every morning", "I drink green tea every morning")
    assert (told["forget"]["from"], told["forget"]["to"]) == ("drinks", "archive/drinks")
    whole: dict[str, Any] = sidecar.timeline(key)
    assert whole["recalled"] == 1 and whole["entry"]["text"] == "I drink green tea every morning"
    assert [version["text"] for version in whole["versions"]] == ["I drink oolong tea every morning"]
    assert [event["kind"] for event in sidecar.timeline(key, limit=2)["events"]] == ["forget", "undo"]  # type: ignore[attr-defined]


def test_edits_from_outside_and_entries_older_than_history(sidecar: Sidecar, memory: Path) -> None:
    path = memory / "topics/work.md"
    path.write_text(FIXTURE_3, encoding="utf-8")
    sidecar.store.refresh(deep=True)
    path.write_text(FIXTURE_3.replace("Two-space", "Four-space"), encoding="utf-8")
    sidecar.store.refresh(deep=True)
    written, first, second = events(sidecar, entry_id("b"))
    assert (written["kind"], written["at"]) == ("written", "2026-01-02T03:04:05Z")
    assert first["outside"] and first["to"] == "work" and second["before"].startswith("Two-space") and second["after"].startswith("Four")


def test_superseded_versions_that_history_does_not_know(sidecar: Sidecar, memory: Path) -> None:
    key, old = entry_id("a"), entry_id("b")
    head = '<!-- deepseedian-entry {{"id":"{0}","createdAt":"2026-01-02T03:04:05.000Z","source":"s"{1}}} -->\n{2}\n<!-- /deepseedian-entry -->\n'
    (memory / "topics/work.md").write_text(head.format(key, "", "New way."), encoding="utf-8")
    (memory / "archive").mkdir(exist_ok=True)
    (memory / "archive/work.md").write_text(
        head.format(old, f',"status":"superseded","supersededBy":"{key}","endedAt":"2026-02-03T00:00:00.000Z"', "Old way."), encoding="utf-8")
    sidecar.store.refresh(deep=True)
    ended = next(event for event in events(sidecar, key) if event["kind"] == "superseded")
    assert (ended["at"], ended["before"]) == ("2026-02-03T00:00:00.000Z", "Old way.")
    assert sidecar.timeline(old)["entry"]["archived"] is True  # type: ignore[index]


def test_an_import_and_an_approval_are_told_with_the_entrys_own_date(sidecar: Sidecar) -> None:
    sidecar.import_items([{"text": "From a file.", "createdAt": "2024-01-02"}], "external", about="CLAUDE.md")
    done: dict[str, Any] = sidecar.import_items([{"text": "From another.", "createdAt": "2024-01-02"}])
    sidecar.decide(done["proposals"][0], "approve")
    first, second = (str(entry["id"]) for entry in sidecar.entries()["entries"])  # type: ignore[attr-defined]
    assert {tuple(kinds(sidecar, key)) for key in (first, second)} == {("written", "import"), ("written", "proposed", "approve")}
    assert events(sidecar, first)[0]["at"] == "2024-01-02T00:00:00.000Z"


def test_what_was_erased_has_no_life_any_more(sidecar: Sidecar) -> None:
    key = str(sidecar.remember("I drink oolong tea every morning")["id"])
    sidecar.edit(key, "I drink green tea every morning")
    sidecar.erase(key)
    for asked in (key, "nothing", ""):
        with pytest.raises(NotFound):
            sidecar.timeline(asked)
    other = str(sidecar.remember("Something else")["id"])
    with pytest.raises(BadInput):
        sidecar.timeline(other, limit=0)
    assert kinds(sidecar, other) == ["written"]
