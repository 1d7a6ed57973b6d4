"""A correction counts for what the session had before it, within ten minutes, once."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deepseedian.core.entry import Entry, stamp
from deepseedian.core.weight import content
from deepseedian.memory.outcomes import Outcomes
from deepseedian.store.receipt import Receipt
from deepseedian.store.receipts import Receipts
from deepseedian.store.sessions import Message
from tests.doubles import START

MEETING = Entry("a", "周会改到每周四下午三点", "topics/work.md", {"id": "a"})
OTHER = Entry("b", "账单数据库用的是 MySQL", "topics/work.md", {"id": "b"})
WRONG = "不对，周会改到周五下午三点了"
MINUTE = 60.0


@pytest.fixture
def receipts(tmp_path: Path) -> Iterator[Receipts]:
    opened = Receipts(tmp_path / "recall.db")
    yield opened
    opened.close()


def injected(key: str, at: float, question: str = "周会几点", *entries: Entry, **about: object) -> Receipt:
    given = {entry.id: content(entry.text) for entry in entries or (MEETING, OTHER)}
    return replace(Receipt(key, stamp(at), question, {"terms": ["周会", "几点"]}, "socket", "chat", injected=given), **about)  # type: ignore[arg-type]


def said(text: str, at: float, receipts: Receipts, *entries: Entry, session: str = "chat", role: str = "user") -> list[str]:
    known = {entry.id: entry for entry in entries or (MEETING, OTHER)}
    return Outcomes(receipts, known.get).observed(session, [Message(f"key of {text}", role, text)], stamp(at))


def test_a_correction_in_the_next_turn_counts_for_the_entry_it_is_about(receipts: Receipts) -> None:
    receipts.keep(injected("r1", START))
    assert said(WRONG, START + MINUTE, receipts) == ["a"]
    signals = receipts.signals()
    assert set(signals) == {"a"} and signals["a"][content(MEETING.text)].corrected == (frozenset({"周会", "几点"}),)
    assert said(WRONG, START + MINUTE, receipts) == ["a"] and len(receipts.signals()["a"][content(MEETING.text)].corrected) == 1


def test_the_recall_that_the_correction_itself_caused_is_not_meant(receipts: Receipts) -> None:
    receipts.keep(injected("r1", START, "周会几点", MEETING))
    receipts.keep(injected("r2", START + MINUTE, WRONG, OTHER))
    assert said(WRONG, START + 30 * MINUTE, receipts) == ["a"], "it was written when it was asked, whenever its turn ended"
    assert receipts.signals()["a"]


def test_what_was_held_back_as_a_repeat_still_lies_before_the_session(receipts: Receipts) -> None:
    receipts.keep(injected("r1", START - 60 * MINUTE, "周会几点", MEETING))
    receipts.keep(injected("r2", START, "周会在哪", OTHER, again={"a": content(MEETING.text)}))
    assert said(WRONG, START + MINUTE, receipts) == ["a"]


@pytest.mark.parametrize(("minutes", "found"), [(9.9, ["a"]), (10.1, []), (-1, [])])
def test_only_within_ten_minutes(receipts: Receipts, minutes: float, found: list[str]) -> None:
    receipts.keep(injected("r1", START))
    assert said(WRONG, START + minutes * MINUTE, receipts) == found


def test_what_does_not_count(receipts: Receipts) -> None:
    receipts.keep(injected("r1", START))
    receipts.keep(injected("r2", START, session="shadowed", shadow=True))
    assert said(WRONG, START, receipts, session="another") == said(WRONG, START, receipts, session="shadowed") == []
    assert said(WRONG, START, receipts, role="assistant") == said("没错，周会是周四", START, receipts) == []
    assert said(WRONG, START, receipts, replace(MEETING, text="周会改到每周五下午三点")) == [], "it has been put right meanwhile"
    assert said(WRONG, START, receipts, OTHER) == [], "it is gone"
    outcomes = Outcomes(receipts, {"a": MEETING}.get)
    assert outcomes.observed("chat", [Message("m", "user", WRONG)], "some day") == []
    assert receipts.signals() == {}


def test_the_last_injection_alone_is_meant(receipts: Receipts) -> None:
    receipts.keep(injected("r1", START, "周会几点", MEETING))
    receipts.keep(injected("r2", START + MINUTE, "数据库用什么", OTHER))
    assert said(WRONG, START + 2 * MINUTE, receipts) == []


def test_a_turn_without_injection_between_does_not_hide_the_last_one(receipts: Receipts) -> None:
    receipts.keep(injected("r1", START, "周会几点", MEETING))
    receipts.keep(injected("r2", START + MINUTE, "谢谢", injected={}))
    assert said(WRONG, START + 2 * MINUTE, receipts) == ["a"]
