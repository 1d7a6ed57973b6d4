"""The queue before the owner: what is joined, gives way, turns stale and is proposed afresh; what an approval would change; where notes end."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deepseedian.core.proposal import Draft, Evidence
from deepseedian.errors import Conflict, NotFound, Stale
from deepseedian.memory.preview import length, supposed
from deepseedian.sidecar import Sidecar
from deepseedian.store import proposals as book
from tests.doubles import FakeClock

DAY = 86_400


def proposed(sidecar: Sidecar, origin: str = "idle", **fields: Any) -> Any:
    draft = Draft(**{"operation": "add", "text": "Tea is at four.", "reason": "said so"} | fields)
    return sidecar.review.propose([draft], origin)


def one(sidecar: Sidecar, **fields: Any) -> str:
    return str(proposed(sidecar, **fields).proposals[0].id)


def texts(sidecar: Sidecar) -> list[str]:
    return sorted(entry["text"] for entry in sidecar.entries()["entries"])  # type: ignore[attr-defined]


def note_of(sidecar: Sidecar, proposal: str) -> Path:
    return sidecar.vault.root / str(sidecar.proposal(proposal)["note"])


def status(sidecar: Sidecar, proposal: str) -> str:
    return str(sidecar.proposal(proposal)["status"])


def test_proposals_about_one_entry_are_joined(sidecar: Sidecar) -> None:
    key = str(sidecar.remember("Meetings start at eight.")["id"])
    first = one(sidecar, operation="edit", text="Meetings start at nine.", entries=(key,), evidence=(Evidence("m1", "at nine"),))
    second = one(sidecar, operation="edit", text="Meetings start at ten.", entries=(key,), evidence=(Evidence("m2", "at ten"),))
    assert status(sidecar, first) == "expired" and "joined" in note_of(sidecar, first).read_text(encoding="utf-8")
    assert [item["source"] for item in sidecar.proposal(second)["evidence"]] == ["m2", "m1"]  # type: ignore[attr-defined]
    own = one(sidecar, origin="capture", operation="edit", text="Meetings start at noon.", entries=(key,), evidence=(Evidence("m3", "noon"),))
    assert status(sidecar, second) == "expired"
    later = proposed(sidecar, operation="archive", text="", entries=(key,), evidence=(Evidence("m4", "over"),))
    assert later.left_out == ("a proposal about this entry waits already",) and status(sidecar, own) == "open"


def test_the_oldest_that_a_program_made_gives_way_and_says_so(opened: Callable[..., Sidecar], clock: FakeClock) -> None:
    sidecar = opened(clock)
    mine = one(sidecar, origin="capture", text="My own words.", evidence=(Evidence("own", "My own words."),))
    oldest = one(sidecar, text="The oldest of a program.")
    clock.sleep(1)
    sidecar.review.propose([Draft("add", f"Number {number}.", "seen") for number in range(48)], "idle")
    assert proposed(sidecar, text="One more.").left_out == ("50 proposals are open already",)
    assert proposed(sidecar, origin="capture", text="More words of mine.").proposals and status(sidecar, oldest) == "expired"
    clock.sleep(8 * DAY)
    assert proposed(sidecar, text="One more.").proposals
    assert len(sidecar.proposals()["proposals"]) == 50 == sidecar.proposals()["open"]  # type: ignore[arg-type]
    assert (status(sidecar, mine), sidecar.proposal(mine)["days"], sidecar.proposals()["oldestDays"]) == ("open", 8, 8)
    said = note_of(sidecar, oldest).read_text(encoding="utf-8")
    assert "**Expired**" in said and "made room" in said
    assert sidecar.status()["review"]["open"] == 50  # type: ignore[index]


def test_a_decision_on_one_device_counts_for_more_than_expiry_on_another() -> None:
    def item(state: str, at: str) -> Any:
        from tests.core.test_review_note import proposal
        return proposal(status=state, decided_at=at)

    for first, second in ((item("approved", "1"), item("expired", "2")), (item("expired", "2"), item("approved", "1"))):
        assert [found.status for found in book.united([first], [second])] == ["approved"]
    assert [found.status for found in book.united([item("open", "")], [item("expired", "2")])] == ["expired"]


def test_what_was_dismissed_is_remembered_however_much_is_decided() -> None:
    from tests.core.test_review_note import proposal
    found = [proposal(0, status="dismissed"), *(proposal(number, status="approved") for number in range(1, 700)), proposal(900)]
    kept = [item.id for item in book.kept(found)]
    assert kept[0] == "p0" and kept[-1] == "p900" and len(kept) == 502


def test_dismissed_is_not_proposed_again_from_the_same_message_with_another_quote(sidecar: Sidecar) -> None:
    sidecar.decide(one(sidecar, evidence=(Evidence("m1", "tea at four"),)), "dismiss")
    assert proposed(sidecar, evidence=(Evidence("m1", "so, at four"),)).left_out == ("it was proposed before (dismissed)",)
    assert proposed(sidecar, evidence=(Evidence("m2", "tea at four"),)).proposals


def test_words_that_differ_in_a_sign_are_not_the_same(sidecar: Sidecar) -> None:
    sidecar.remember("I like C")
    sidecar.remember("I like C++")
    assert sidecar.organize()["proposals"] == []
    one(sidecar, text="I like D")
    assert proposed(sidecar, text="i like  D.").left_out


def test_names_that_differ_in_a_sign_are_proposed_beside_each_other(sidecar: Sidecar) -> None:
    sidecar.remember("I like C")
    one(sidecar, text="I like D")
    assert proposed(sidecar, text="I like D++").proposals and proposed(sidecar, text="I like C++").proposals


def test_a_stale_one_says_why_and_is_proposed_afresh(sidecar: Sidecar) -> None:
    key = str(sidecar.remember("Meetings start at eight.")["id"])
    first = one(sidecar, operation="edit", text="Meetings start at ten.", entries=(key,), evidence=(Evidence("m", "at ten"),))
    with pytest.raises(Conflict, match="up to date"):
        sidecar.refresh(first)
    sidecar.edit(key, "Meetings start at seven.")
    assert "changed" in str(sidecar.proposal(first)["stale"]) and sidecar.proposals()["stale"] == 1
    with pytest.raises(Stale) as refused:
        sidecar.decide(first, "approve")
    assert f"review refresh {first}" in refused.value.hint
    fresh = sidecar.refresh(first)
    assert (fresh["before"], fresh["text"], fresh["stale"]) == (["Meetings start at seven."], "Meetings start at ten.", "")
    said = note_of(sidecar, str(fresh["id"])).read_text(encoding="utf-8")
    assert "> - Meetings start at seven." in said and "> + Meetings start at ten." in said
    with pytest.raises(Conflict):
        sidecar.refresh(first)
    sidecar.decide(str(fresh["id"]), "approve")
    assert texts(sidecar) == ["Meetings start at ten."]


def test_afresh_when_the_entry_is_gone(sidecar: Sidecar) -> None:
    key = str(sidecar.remember("Meetings start at eight.")["id"])
    edit = one(sidecar, operation="edit", text="Meetings start at ten.", entries=(key,))
    other = str(sidecar.remember("Lunch is at noon.")["id"])
    archive = one(sidecar, operation="archive", text="", entries=(other,))
    for gone in (key, other):
        sidecar.forget(gone)
    assert sidecar.refresh(edit)["operation"] == "add"
    with pytest.raises(NotFound):
        sidecar.refresh(archive)


def test_an_entry_written_anew_under_another_id_is_found_by_its_content(sidecar: Sidecar, memory: Path) -> None:
    key = str(sidecar.remember("Meetings start at eight.")["id"])
    first = one(sidecar, operation="edit", text="Meetings start at ten.", entries=(key,))
    path = memory / "topics/general.md"
    path.write_text(path.read_text(encoding="utf-8").replace(key, "aaaaaaaa-0000-4000-8000-00000000000a"), encoding="utf-8")
    sidecar.store.refresh(deep=True)
    sidecar.decide(first, "approve")
    assert texts(sidecar) == ["Meetings start at ten."]


def test_approve_all_covers_what_changes_no_meaning(sidecar: Sidecar) -> None:
    keys = [str(sidecar.remember(text)["id"]) for text in ("Tea is at  four.", "Lunch is at noon.", "Lunch  is at noon.")]
    batch = sidecar.review.propose([
        Draft("edit", "Tea is at four.", "spacing", (), (keys[0],)), Draft("merge", "Lunch is at noon.", "the same", (), tuple(keys[1:])),
        Draft("add", "The cat is called Miso.", "said so"), Draft("add", "The dog \u200bis called Rex.", "said so")], "idle")
    other = str(sidecar.remember("Meetings start at eight.")["id"])
    changed = one(sidecar, operation="edit", text="Meetings start at ten.", entries=(other,))
    mechanical, merge, added, hidden = (item.id for item in batch.proposals)
    assert [sidecar.proposal(key)["oneClick"] for key in (mechanical, merge, added, changed)] == [True, True, True, False]
    path = note_of(sidecar, added)
    path.write_text(path.read_text(encoding="utf-8").replace("- [ ] Approve all", "- [x] Approve all"), encoding="utf-8")
    assert sidecar.review.read_note(path.relative_to(sidecar.vault.root).as_posix()) == [mechanical, merge, added]
    assert status(sidecar, hidden) == "open" and "one by one" in path.read_text(encoding="utf-8")
    assert texts(sidecar) == ["Lunch is at noon.", "Meetings start at eight.", "Tea is at four.", "The cat is called Miso."]


# What an approval would change


def test_the_effect_names_the_questions_whose_index_changes(sidecar: Sidecar) -> None:
    key = str(sidecar.remember("The weekly meeting is on Thursday.")["id"])
    for question in ("When is the weekly meeting?", "What is the name of the cat?", "Where is the printer?"):
        sidecar.recall(question)
    added = one(sidecar, text="The name of the cat is Miso.")
    effect = sidecar.preview_of(added)
    assert effect["questions"] == 3 and effect["complete"] and effect["supersedes"] == []
    assert [(row["question"], len(row["in"]), row["out"]) for row in effect["changed"]] == [("What is the name of the cat?", 1, [])]  # type: ignore[attr-defined]
    assert float(str(effect["charactersPerTurn"])) > 0
    assert "**Effect** 1 of 3 recent questions" in note_of(sidecar, added).read_text(encoding="utf-8")
    archived = sidecar.preview_of(one(sidecar, operation="archive", text="", entries=(key,)))
    assert archived["changed"][0]["out"] == [key] and archived["supersedes"] == [  # type: ignore[index]
        {"id": key, "summary": "The weekly meeting is on Thursday."}]
    assert texts(sidecar) == ["The weekly meeting is on Thursday."]


@pytest.mark.parametrize(("characters", "english", "chinese"), [
    (12.4, "about 12 characters a turn more", "每轮约多 12 个字符"), (-3.0, "about 3 characters a turn fewer", "每轮约少 3 个字符"),
    (0.3, "as long as now", "长度不变"), (-0.4, "as long as now", "长度不变")])
def test_how_much_longer_is_said_in_words(characters: float, english: str, chinese: str) -> None:
    assert (length(characters, "en"), length(characters, "zh")) == (english, chinese)


def test_the_effect_is_bounded_in_time(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        sidecar.recall(f"What is the name of cat number {number}?")
    item = sidecar.review.get(one(sidecar, text="The name of the cat is Miso."))
    found = sidecar.preview.effect(item, 0.0)
    assert (found.asked, found.complete) == (0, False)


@pytest.mark.parametrize("operation", ["edit", "merge", "move", "archive"])
def test_what_is_supposed_is_what_an_approval_makes(sidecar: Sidecar, operation: str) -> None:
    keys = tuple(str(sidecar.remember(text)["id"]) for text in ("Meetings start at eight.", "Meetings begin at eight."))
    wanted = keys if operation == "merge" else keys[:1]
    key = one(sidecar, operation=operation, text="Meetings start at ten.", entries=wanted, topic="work" if operation == "move" else "")
    then = {(entry.id, entry.text, entry.topic) for entry in supposed(sidecar.review.get(key), sidecar.store.snapshot).entries.values()}
    sidecar.decide(key, "approve")
    assert then == {(entry.id, entry.text, entry.topic) for entry in sidecar.store.snapshot.entries.values()}


# Where notes end


def test_decided_notes_are_put_away_after_a_day(opened: Callable[..., Sidecar], clock: FakeClock) -> None:
    sidecar = opened(clock)
    key = one(sidecar)
    path = note_of(sidecar, key)
    sidecar.decide(key, "approve")
    open_one = one(sidecar, text="Another thing.")
    path.write_text(path.read_text(encoding="utf-8") + "my own line\n", encoding="utf-8")
    assert sidecar.review.tidy() == []
    clock.sleep(25 * 3600)
    sidecar.set_setting("review.done_days", "0")
    assert sidecar.review.tidy() == []
    sidecar.set_setting("review.done_days", "1")
    moved, = sidecar.review.tidy()
    assert moved == f"Deepseedian/Review/Done/{path.name}" and not path.exists() and note_of(sidecar, open_one).parent.name == "Review"
    assert (sidecar.vault.root / moved).read_text(encoding="utf-8").endswith("my own line\n")
    sidecar.undo()
    assert "Taken back" in (sidecar.vault.root / moved).read_text(encoding="utf-8") and sidecar.review.tidy() == []


def test_a_note_is_never_moved_over_another(opened: Callable[..., Sidecar], clock: FakeClock) -> None:
    sidecar = opened(clock)
    key = one(sidecar)
    path = note_of(sidecar, key)
    sidecar.decide(key, "dismiss")
    there = path.parent / "Done" / path.name
    there.parent.mkdir()
    there.write_text("mine\n", encoding="utf-8")
    clock.sleep(25 * 3600)
    assert sidecar.review.tidy() == [] and path.exists() and there.read_text(encoding="utf-8") == "mine\n"


def test_an_erased_text_leaves_its_diff_too(sidecar: Sidecar) -> None:
    key = str(sidecar.remember("Meetings start at half past eight sharp.")["id"])
    first = one(sidecar, operation="edit", text="Meetings start at ten.", entries=(key,))
    path = note_of(sidecar, first)
    sidecar.decide(first, "dismiss")
    sidecar.erase(key)
    assert "half past eight" not in path.read_text(encoding="utf-8")
