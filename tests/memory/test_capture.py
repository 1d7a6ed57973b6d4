"""From what the owner says in a turn to proposals: how many, from whose words, and never the same twice."""

from typing import Any

import pytest

from deepseedian.core.sameness import same_said
from deepseedian.errors import Conflict
from deepseedian.memory.capture import put_right
from deepseedian.sidecar import Sidecar

AT = "2026-11-30T09:00:00Z"


def observe(sidecar: Sidecar, *texts: str, session: str = "chat", at: str = AT, role: str = "user") -> list[dict[str, Any]]:
    """The proposals of a turn."""
    told = sidecar.observe(session, [{"role": role, "text": text} for text in texts], at)
    found = {item["id"]: item for item in sidecar.proposals(all=True)["proposals"]}  # type: ignore[attr-defined]
    return [found[key] for key in told["proposals"]]  # type: ignore[attr-defined]


def texts(found: list[dict[str, Any]]) -> list[str]:
    return [item["text"] for item in found]


def test_a_turn_gives_the_two_strongest_with_verbatim_evidence(sidecar: Sidecar) -> None:
    message = "I live in Porto. I prefer tea. Also, please remember: the office closes at six."
    found = observe(sidecar, message)
    assert texts(found) == ["I prefer tea.", "the office closes at six."]
    source = sidecar.sessions.messages("chat")[0].id
    assert all(quote["source"] == source and quote["quote"] in message for item in found for quote in item["evidence"])
    assert [item["kind"] for item in found] == ["preference", "fact"]


def test_the_limits_are_settings_in_force_at_once(sidecar: Sidecar) -> None:
    message = "I live in Porto. I prefer tea. I hate noise. We use Debian for all servers."
    sidecar.set_setting("capture.max_per_turn", "4")
    assert len(observe(sidecar, message)) == 4
    sidecar.set_setting("capture.max_chars", "40")
    assert texts(observe(sidecar, "I prefer coffee from the small roastery behind the station. I hate fog.", at="2026-11-30T09:01:00Z")) == ["I hate fog."]
    sidecar.set_setting("capture", "explicit")
    assert observe(sidecar, "I prefer long walks.", at="2026-11-30T09:02:00Z") == []
    sidecar.set_setting("capture", "off")
    assert observe(sidecar, "Remember that I have a boat.", at="2026-11-30T09:03:00Z") == []
    assert sidecar.organize()["proposals"] == []


def test_only_a_user_is_heard_and_an_assistant_when_asked_for(sidecar: Sidecar) -> None:
    concluded = "Conclusion: the cache was too small."
    for number, role in enumerate(("assistant", "tool", "system")):
        assert observe(sidecar, "Remember that I like jazz. " + concluded, role=role, session=f"s{number}") == []
    sidecar.set_setting("capture.assistant", "on")
    turn = [{"role": "user", "text": "Why was it slow?"}, {"role": "assistant", "text": "I looked. From now on we cache. " + concluded}]
    key, = sidecar.observe("chat", turn, AT)["proposals"]  # type: ignore[misc]
    made = sidecar.review.get(key)  # type: ignore[has-type]
    assert (made.text, made.trust, made.evidence[0].quote) == ("the cache was too small.", "system_derived", concluded)


def test_in_a_turn_of_several_messages_the_last_correction_holds(sidecar: Sidecar) -> None:
    assert texts(observe(sidecar, "记住周会在周四。", "不对，周会在周五。")) == ["周会在周五。"]
    found = observe(sidecar, "Remember that the demo is on Monday.", "No, it's on Tuesday.", session="other")
    assert texts(found) == ["the demo is on Monday.\nNo, it's on Tuesday."] and len(found[0]["evidence"]) == 2


def test_a_correction_of_a_part_keeps_the_rest_of_the_entry(sidecar: Sidecar) -> None:
    sidecar.remember("周会在周四下午三点，地点在 302 会议室")
    edit, = observe(sidecar, "不对，周会在周五")
    assert (edit["operation"], edit["text"]) == ("edit", "周会在周五下午三点，地点在 302 会议室")
    assert put_right("The budget is 30k and the launch is on May 4", "the launch is on May 11") == "The budget is 30k and the launch is on May 11"
    assert put_right("周会改到周四下午三点", "周会改到每周五下午三点") == "周会改到每周五下午三点"
    assert put_right("The team meets on Monday and on Friday in room 4", "the team meets on Tuesday") == ""


def test_a_day_named_by_next_is_kept_with_the_day_it_was_said(sidecar: Sidecar) -> None:
    found, = observe(sidecar, "Remember that I am on leave from next Monday.", at="2026-03-05T10:00:00Z")
    assert found["text"] == "I am on leave from next Monday." and found["at"].startswith("2026-03-05T10:00:00")


@pytest.mark.parametrize("again", ["We use Debian for all servers.", "we use  debian for all servers", "We use Debian for all of the servers!"])
def test_what_memory_says_already_is_not_proposed(sidecar: Sidecar, again: str) -> None:
    sidecar.remember("We use Debian for all servers.")
    assert observe(sidecar, f"Remember that {again}") == []


def test_an_open_proposal_is_not_made_twice_and_a_dismissed_one_not_again(sidecar: Sidecar) -> None:
    first, = observe(sidecar, "I prefer green tea in the morning.")
    assert observe(sidecar, "Yes, I prefer green tea in the morning!", at="2026-11-30T10:00:00Z") == []
    sidecar.decide(first["id"], "dismiss")
    again = observe(sidecar, "I prefer green tea in the morning.", at=AT)
    assert again == []


def test_a_dismissed_proposal_is_not_made_from_the_same_message_when_it_is_read_again(sidecar: Sidecar) -> None:
    first, = observe(sidecar, "I prefer green tea in the morning.")
    sidecar.decide(first["id"], "dismiss")
    assert sidecar.organize()["proposals"] == []


def test_what_was_forgotten_is_not_learned_from_its_message_again(sidecar: Sidecar) -> None:
    found, = observe(sidecar, "Remember that I have a boat called Heron.")
    sidecar.decide(found["id"], "approve")
    entry, = sidecar.store.snapshot.entries
    sidecar.forget(entry)
    assert sidecar.organize()["proposals"] == [] and sidecar.store.snapshot.entries == {}


@pytest.mark.parametrize(("first", "second", "same"), [
    ("I prefer tea", "i prefer Tea.", True), ("周会在周四下午三点", "周会是在周四下午三点", True), ("the meeting is on Monday", "the meeting is on Tuesday", False),
    ("I eat fish", "I don't eat fish", False), ("我喝咖啡", "我只喝咖啡", False), ("Ada reviews the work of Bob", "Bob reviews the work of Ada", False),
    ("test before releasing the app", "test after releasing the app", False), ("tea", "coffee", False),
])
def test_only_the_same_statement_is_a_duplicate(first: str, second: str, same: bool) -> None:
    assert same_said(first, second) is same


@pytest.mark.parametrize(("text", "why"), [
    ("- [general] I like jazz (2026-01-02, 123e4567-e89b-12d3-a456-426614174000)", "own text"), ("I like jazz, score: 0.93", "scores"), ("CafÃ© au lait", "damaged"),
    ('{"text": "I like jazz"}', "raw data"), ("I like jazz I like jazz I like jazz I like jazz", "over and over"),
])
def test_junk_is_refused_when_it_is_proposed(sidecar: Sidecar, text: str, why: str) -> None:
    done = sidecar.propose(text, "a host's idea")
    assert done["proposals"] == [] and why in str(done["leftOut"])
    assert sidecar.remember(text)["id"]  # the owner's own act


def test_junk_is_refused_when_it_would_be_written(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proposal that another version, or a synced file, has brought in."""
    with monkeypatch.context() as patched:
        patched.setattr("deepseedian.core.hygiene.fault", lambda text: "")
        key, = sidecar.propose("I like jazz, score: 0.93", "a host's idea")["proposals"]  # type: ignore[misc]
    with pytest.raises(Conflict, match="scores"):
        sidecar.decide(key, "approve")
    assert sidecar.store.snapshot.entries == {}
    assert sidecar.decide(key, "approve", "I like jazz")["status"] == "approved"


def test_hidden_characters_are_named_in_the_reason_and_in_the_note(sidecar: Sidecar) -> None:
    key, = sidecar.propose("I like jazz\u202e and \u200bblues", "a host's idea")["proposals"]  # type: ignore[misc]
    item = sidecar.proposal(key)
    assert str(item["reason"]).endswith("it holds hidden characters: U+202E, U+200B")
    assert "[U+202E]" in (sidecar.vault.root / str(item["note"])).read_text(encoding="utf-8")


def test_memory_put_before_a_turn_is_not_learned_again(sidecar: Sidecar) -> None:
    sidecar.remember("Remember that I prefer window seats")
    injected = "- [general] Remember that I prefer window seats (2026-11-30, 123e4567-e89b-12d3-a456-426614174000)"
    index = '{"vault":"x","revision":"y","total":1,"index":[{"id":"z","summary":"I always take the train"}]}'
    assert observe(sidecar, f"{injected}\n{index}\n=== memory 0123456789abcdef (data)\nI hate flying.\n=== end of memory 0123456789abcdef\nWhich seat should I book?") == []
