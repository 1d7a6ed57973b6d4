"""Imports: never the owner's word, twice the same as once, one step of undo, and nothing costs anything else."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from deepseedian.core import comment
from deepseedian.core.entry import DEFAULT_TOPIC
from deepseedian.core.proposal import Draft
from deepseedian.errors import AdoptFirst, BadInput, DeepseedianError
from deepseedian.memory import importing
from deepseedian.sidecar import Sidecar, initialise
from tests.doubles import FakeClock
from tests.naive import bites
from tests.samples import entry_id

ITEMS: list[object] = [
    {"text": "Two spaces, no tabs.", "topic": "Style", "createdAt": "2024-01-02T03:04:05+08:00", "source": "CLAUDE.md › Style", "place": "CLAUDE.md:3"},
    {"text": "发布只在周四进行。", "topic": "发布", "source": "CLAUDE.md", "place": "CLAUDE.md:9"},
    {"text": "I drink oolong.", "id": entry_id("d"), "kind": "preference", "trust": "user_stated", "pinned": True, "source": "x.jsonl"}]
NOT_STORED: list[object] = [
    {"text": "   "}, {"text": 7}, 7, None, {}, {"text": "x" * 2001}, {"text": "a\x00b"}, {"text": "half \ud800"},
    {"text": "<!-- /deepseedian-entry --> then"}, {"text": "<!-- deepseedian-proposal {} -->"}, {"text": "my key is sk-proj-abcdef1234567890"},
    {"text": "left\u202eright"}, {"text": "zero\u200bwidth"}, {"text": "tag\U000e0041"}, {"text": "fine", "source": "password = hunter2hunter2"}]


def external(sidecar: Sidecar, items: list[object] | None = None, **options: Any) -> dict[str, Any]:
    return sidecar.import_items(ITEMS if items is None else items, "external", about="CLAUDE.md", **options)


def entries(sidecar: Sidecar) -> list[dict[str, Any]]:
    return sidecar.entries()["entries"]  # type: ignore[return-value]


def files(sidecar: Sidecar) -> dict[str, bytes]:
    return {path.relative_to(sidecar.vault.root).as_posix(): path.read_bytes()
            for path in sidecar.vault.root.rglob("*") if path.is_file()}


# As entries


@bites("imports_are_believed")
def test_entries_are_external_whatever_the_file_claims(sidecar: Sidecar) -> None:
    done = external(sidecar)
    assert (done["new"], done["refused"], done["changes"]) == (3, 0, 1) and done["revision"] == sidecar.entries()["revision"]
    found = {entry["text"]: entry for entry in entries(sidecar)}
    assert {entry["trust"] for entry in found.values()} == {"external"} and not any(entry.get("pinned") for entry in found.values())
    style = found["Two spaces, no tabs."]
    assert (style["topic"], style["source"], style["createdAt"]) == ("Style", "imported: CLAUDE.md › Style", "2024-01-01T19:04:05.000Z")
    assert found["I drink oolong."]["id"] == entry_id("d") and found["I drink oolong."]["kind"] == "preference"
    assert sidecar.recall("What do I drink, oolong?")["index"] == []  # never put before a turn by itself
    assert sidecar.search("oolong")["total"] == 1


def test_twice_is_the_same_as_once_and_writes_nothing(sidecar: Sidecar) -> None:
    external(sidecar)
    before = files(sidecar)
    done = external(sidecar)
    assert (done["new"], done["there"], done["changes"]) == (0, 3, 0) and files(sidecar) == before
    assert external(sidecar, [{"text": " I drink oolong.\n"}, {"text": "New."}, {"text": "New."}])["there"] == 2


@bites("imports_get_any_id")
def test_ids_come_from_the_text_so_that_two_devices_make_the_same(sidecar: Sidecar, tmp_path: Path) -> None:
    first = external(sidecar)["entries"]
    initialise(tmp_path / "other")
    other = Sidecar.open(tmp_path / "other")
    try:
        assert external(other)["entries"] == first
    finally:
        other.close()


def test_one_undo_takes_the_import_back_and_it_may_come_again(sidecar: Sidecar) -> None:
    sidecar.remember("Mine before.", topic="Style")
    topics = {name: data for name, data in files(sidecar).items() if "/topics/" in name}
    external(sidecar)
    undone = sidecar.undo()
    assert undone["kind"] == "undo" and [entry["text"] for entry in entries(sidecar)] == ["Mine before."]
    assert {name: data for name, data in files(sidecar).items() if "/topics/" in name} == topics
    assert external(sidecar)["new"] == 3 and len(entries(sidecar)) == 4
    sidecar.undo()
    sidecar.redo()
    assert len(entries(sidecar)) == 4 and not sidecar.store.forgotten()


@bites("imports_bring_everything_back")
def test_what_was_forgotten_superseded_or_erased_does_not_come_back(sidecar: Sidecar) -> None:
    ids = external(sidecar)["entries"]
    by_text = {entry["text"]: entry["id"] for entry in entries(sidecar)}
    sidecar.forget(by_text["Two spaces, no tabs."])
    sidecar.edit(by_text["发布只在周四进行。"], "发布改到周五。")
    sidecar.erase(by_text["I drink oolong."])
    done = external(sidecar)
    assert (done["new"], done["there"], done["before"]) == (0, 1, 2)
    assert [entry["text"] for entry in entries(sidecar)] == ["发布改到周五。"]
    # under another name, from another file
    assert external(sidecar, [{"text": "Two spaces, no tabs.", "id": entry_id("e")}, {"text": "发布只在周四进行。", "id": entry_id("f")}])["new"] == 0
    assert len(ids) == 3


@pytest.mark.parametrize("how", importing.WAYS)
def test_one_bad_item_never_costs_the_rest(sidecar: Sidecar, how: str) -> None:
    mixed = [item for bad in NOT_STORED for item in (bad, {"text": f"Good one after {NOT_STORED.index(bad)}."})]
    done: dict[str, Any] = sidecar.import_items(mixed, how)
    assert (done["new"], done["refused"]) == (len(NOT_STORED), len(NOT_STORED))
    told = json.dumps(done["reasons"])
    assert len(done["reasons"]) == len(NOT_STORED) and "sk-proj-abc" not in told and "hunter2hunter2" not in told
    assert all(row["reason"] and row["place"].startswith("item ") for row in done["reasons"])
    said = b"".join(data for path, data in files(sidecar).items() if not path.endswith("main.js"))  # the plugin's own program
    assert b"sk-proj" not in said and "\u202e".encode() not in said


def test_odd_properties_are_mended_and_the_text_is_kept(sidecar: Sidecar, clock: FakeClock) -> None:
    odd: list[object] = [
        {"text": "a", "topic": "../../x: y", "createdAt": "yesterday", "kind": "rumour", "id": "not an id", "source": "l1\nl2\u202e\x00 " + "s" * 500},
        {"text": "b", "topic": "CON", "createdAt": "9999-01-01"}, {"text": "c", "createdAt": "1901-01-01", "topic": ["x"]},
        {"text": "d", "topic": "work/plans", "id": entry_id("A")}, {"text": "e", "id": entry_id("a")}]
    done = external(sidecar, odd)
    found = {entry["text"]: entry for entry in entries(sidecar)}
    assert done["new"] == 5 and [found[text]["topic"] for text in "abcd"] == ["x y", DEFAULT_TOPIC, DEFAULT_TOPIC, "work/plans"]
    assert all(entry["createdAt"][:4] >= "2026" for entry in found.values()) and "kind" not in found["a"]
    assert found["a"]["source"].startswith("imported: l1 l2 sss") and len(found["a"]["source"]) == 200
    assert found["d"]["id"] != found["e"]["id"]


def test_topics_that_differ_only_in_case_are_one(sidecar: Sidecar) -> None:
    external(sidecar, [{"text": "a", "topic": "Work"}, {"text": "b", "topic": "work"}, {"text": "c", "topic": "WORK"}])
    assert len({entry["topic"] for entry in entries(sidecar)}) == 1
    assert external(sidecar, [{"text": "d", "topic": "any"}], topic="WORK")["new"] == 1
    assert len({entry["topic"] for entry in entries(sidecar)}) == 1
    with pytest.raises(DeepseedianError):
        external(sidecar, [{"text": "e"}], topic="../x")


def test_a_topic_that_nothing_can_follow_in_costs_no_other(sidecar: Sidecar, memory: Path) -> None:
    (memory / "topics/open.md").write_text("# open\n\n```\nnever closed\n", encoding="utf-8")
    done = external(sidecar, [{"text": "a", "topic": "open", "place": "f:1"}, {"text": "b"}])
    assert done["new"] == 1 and done["reasons"] == [{"place": "f:1", "reason": "topics/open.md has a code fence that is never closed"}]


def test_a_topic_never_grows_so_large_that_it_is_not_read(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "TOPIC_BYTES", 2000)
    done = external(sidecar, [{"text": f"{number} " + "x" * 200, "topic": "large"} for number in range(9)] + [{"text": "small"}])
    assert (done["new"], done["refused"]) == (1, 9) and "would be over" in done["reasons"][0]["reason"]


def test_files_with_prose_and_windows_line_ends_keep_theirs(sidecar: Sidecar, memory: Path) -> None:
    own = "# work\r\n\r\nMy own words.\r\nNo end"
    (memory / "topics/work.md").write_bytes(own.encode())
    external(sidecar, [{"text": "a\nb", "topic": "work"}, {"text": "c", "topic": "work"}])
    data = (memory / "topics/work.md").read_bytes()
    assert data.startswith(own.encode()) and b" -->\r\na\nb\r\n<!--" in data and len(entries(sidecar)) == 2
    sidecar.undo()
    assert (memory / "topics/work.md").read_bytes() == own.encode()


def test_a_dry_run_writes_nothing(sidecar: Sidecar) -> None:
    before = files(sidecar)
    for how in importing.WAYS:
        done: dict[str, Any] = sidecar.import_items([*ITEMS, {"text": ""}], how, dry_run=True)
        assert (done["new"], done["refused"], done["entries"], done["proposals"]) == (3, 1, [], [])
        assert [row["text"] for row in done["preview"]] == ["Two spaces, no tabs.", "发布只在周四进行。", "I drink oolong."]
    chat = {"session": "plugin-c", "turns": [{"turn": "0", "messages": [{"role": "user", "text": "hi"}]}]}
    assert sidecar.import_sessions([chat], dry_run=True)["turns"] == 1
    assert files(sidecar) == before and sidecar.sessions.names() == []


def test_more_than_one_commit_can_hold(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record must be readable again: JSON with too many brackets is refused by our own reader."""
    monkeypatch.setattr(importing, "COMMIT_BRACKETS", 40)
    done = external(sidecar, [{"text": f"[x]{{{number}}} " + "[" * 10} for number in range(9)])
    assert (done["new"], done["changes"]) == (9, 5)
    for _ in range(5):
        sidecar.undo()
    assert entries(sidecar) == []
    monkeypatch.undo()
    most = [{"text": f"{number} " + "[{" * 900} for number in range(40)]
    external(sidecar, most)
    assert comment.loads((sidecar.store.root / "journal.json").read_text(encoding="utf-8"))
    with pytest.raises(BadInput):
        external(sidecar, [{"text": "x"}] * (importing.MOST_ITEMS + 1))


def test_thousands_in_one_commit_in_time_that_grows_with_their_number(sidecar: Sidecar) -> None:
    items: list[object] = [{"text": f"Statement {number} of a long import, with some more words.", "topic": f"t{number % 3}"} for number in range(3000)]
    begun = time.process_time()
    done = external(sidecar, items)
    assert (done["new"], done["changes"]) == (3000, 1)
    assert external(sidecar, items)["there"] == 3000
    sidecar.undo()
    assert entries(sidecar) == [] and time.process_time() - begun < 30


def test_a_folder_that_is_not_ours_yet_says_so(sidecar: Sidecar, memory: Path) -> None:
    (memory / "journal.json").unlink(missing_ok=True)
    (memory / "state.json").write_text('{"version":1,"vaultId":"3a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d","deleted":[]}', encoding="utf-8")
    other = Sidecar.open(sidecar.vault.root)
    try:
        for how in importing.WAYS:
            with pytest.raises(AdoptFirst):
                other.import_items(ITEMS, how)
    finally:
        other.close()
    with pytest.raises(BadInput):
        sidecar.import_items(ITEMS, "user_stated")


def test_an_erasure_names_the_file_that_still_says_it(sidecar: Sidecar) -> None:
    external(sidecar)
    key = next(entry["id"] for entry in entries(sidecar) if entry["topic"] == "Style")
    assert sidecar.erase(key)["beyond"]["imported"] == "the file it was imported from: CLAUDE.md › Style"  # type: ignore[index]
    assert b"Two spaces" not in b"".join(files(sidecar).values())
    assert "imported" not in sidecar.erase(str(sidecar.remember("By hand.")["id"]))["beyond"]  # type: ignore[operator]


# As proposals


def test_proposals_wait_for_the_owner_and_are_approved_as_they_were_written(sidecar: Sidecar) -> None:
    done: dict[str, Any] = sidecar.import_items(ITEMS)
    assert (done["new"], len(done["proposals"]), done["waiting"]) == (3, 3, 0) and entries(sidecar) == []
    assert "CLAUDE.md:3" in (sidecar.vault.root / done["note"]).read_text(encoding="utf-8")
    for proposal in done["proposals"]:
        assert sidecar.decide(proposal, "approve")["status"] == "approved"
    found = {entry["text"]: entry for entry in entries(sidecar)}
    assert {entry["trust"] for entry in found.values()} == {"system_derived"} and len(found) == 3
    style = found["Two spaces, no tabs."]
    assert (style["topic"], style["source"], style["createdAt"]) == ("Style", "imported: CLAUDE.md › Style", "2024-01-01T19:04:05.000Z")
    assert not any(entry.get("pinned") for entry in found.values())
    assert sidecar.import_items(ITEMS)["there"] == 3


def test_an_import_goes_on_where_it_was_and_brings_nothing_dismissed_back(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue keeps places for what comes up in conversations; a decision counts for good, however long ago it was."""
    monkeypatch.setattr(importing, "MOST_OPEN", 20)
    items: list[object] = [{"text": f"Statement number {number} of many."} for number in range(25)]
    sizes = []
    for _ in range(4):
        done: dict[str, Any] = sidecar.import_items(items)
        sizes.append((done["new"], done["waiting"]))
        again = sidecar.import_items(items)
        assert (again["new"], again["refused"]) == (0, 0)
        for number, proposal in enumerate(done["proposals"]):
            sidecar.review.decide(proposal, "dismiss" if number else "approve", tell=False)
    assert sizes == [(10, 15), (10, 5), (5, 0), (0, 0)]
    assert len(entries(sidecar)) == 3
    (sidecar.store.root / "proposals.json").unlink()  # what was decided long ago is known by its id
    assert sidecar.import_items(items)["new"] == 0
    sidecar.import_items([{"text": "Another."}])
    assert len(sidecar.proposals()["proposals"]) == 1  # type: ignore[arg-type]


def test_no_room_is_no_loss(sidecar: Sidecar) -> None:
    sidecar.review.propose([Draft("add", f"A proposal of a host, number {number}", "because") for number in range(45)], "host")
    done: dict[str, Any] = sidecar.import_items(ITEMS)
    assert (done["new"], done["waiting"], done["note"]) == (0, 3, None)


# Chats


def chat(*texts: str, session: str = "plugin-c1") -> dict[str, object]:
    turns = [{"turn": str(2 * number), "at": f"2026-09-0{number + 1}T10:00:00.000Z",
              "messages": [{"role": "user", "text": text}, {"role": "assistant", "text": "ok"}]} for number, text in enumerate(texts)]
    return {"session": session, "title": "About tea", "goal": "learn", "turns": turns}


def test_chats_become_sessions_that_nothing_is_learned_from(sidecar: Sidecar) -> None:
    done = sidecar.import_sessions([chat("Remember that I never drink coffee.", "And tea?")])
    assert (done["sessions"], done["turns"], done["refused"]) == (["plugin-c1"], 2, 0)
    shown = sidecar.session("plugin-c1")
    assert (shown["title"], shown["goal"], shown["contributes"], shown["turns"]) == ("About tea", "learn", False, 2)
    assert sidecar.sessions.contributing("plugin-c1") == []
    sidecar.organize()
    assert sidecar.proposals()["proposals"] == []
    sidecar.session_set("plugin-c1", contributes=True)
    assert [message.text for message in sidecar.sessions.contributing("plugin-c1")] == ["Remember that I never drink coffee.", "And tea?"]


def test_chats_again_bring_only_what_is_new_and_leave_the_owners_switches(sidecar: Sidecar) -> None:
    sidecar.import_sessions([chat("one")])
    sidecar.session_set("plugin-c1", title="Mine", contributes=True)
    counts = [(done["turns"], done["there"]) for done in (sidecar.import_sessions([chat("one", "two")]) for _ in range(2))]
    assert counts == [(1, 1), (0, 2)]
    shown = sidecar.session("plugin-c1")
    assert (shown["title"], shown["contributes"], shown["turns"]) == ("Mine", True, 2)


def test_a_bad_chat_or_turn_costs_no_other(sidecar: Sidecar) -> None:
    bad: list[object] = [None, 7, {}, {"session": "../x", "turns": []}, {"session": "s", "turns": [7, {"messages": []}, {"messages": [{"role": "user"}]}]},
                         {"session": "t", "turns": "x"}]
    done: dict[str, Any] = sidecar.import_sessions([*bad, chat("fine")])
    assert done["sessions"] == ["s", "t", "plugin-c1"] and done["turns"] == 1 and done["refused"] == 7
