"""The current fact first: what counts as an update, and what stays as it was ranked."""

import pytest

from deepseedian.core.currency import asks_past
from deepseedian.core.entry import Entry
from deepseedian.core.matching import Memory
from deepseedian.core.recall import Choice, recall
from deepseedian.core.snapshot import MemoryFile, assemble
from deepseedian.core.succession import Successors
from deepseedian.memory.recall import Recollection


def entry(key: str, text: str, day: int, **meta: object) -> Entry:
    return Entry(key, text, "topics/work.md", {"id": key, "createdAt": f"2026-01-{day:02d}T00:00:00.000Z", **meta})


def memory(*entries: Entry) -> Memory:
    with Recollection().read(assemble("vault", {"topics/work.md": MemoryFile("topics/work.md", "0", 1, entries)})) as held:
        return held


@pytest.mark.parametrize(("old", "new", "question"), [
    ("Our billing database is MySQL", "Our billing database has been changed to Postgres after long talks", "Which billing database do we use?"),
    ("周会定在周四下午三点", "周会后来改到周五上午，大家都同意", "周会几点？"),
    ("Originally the office was in Mill Street", "The office is in Park Lane, third floor, next to the station", "Where is our office?")])
def test_an_update_stands_above_what_it_updates(old: str, new: str, question: str) -> None:
    told = recall(memory(entry("old", old, 1), entry("new", new, 2)), question, Choice(gates=None))
    assert [item.entry.id for item in told.offered] == ["new", "old"]
    turned = recall(memory(entry("old", old, 2), entry("new", new, 1)), question, Choice(gates=None))
    assert not any(item.about for item in turned.offered), "what was written earlier updates nothing"


@pytest.mark.parametrize(("question", "past"), [("Where was the office originally?", True), ("周会原来是几点？", True), ("Where is the office now?", False),
                                                ("What was changed, and where is it now?", False), ("周会现在几点", False), ("port?", False)])
def test_questions_about_the_past(question: str, past: bool) -> None:
    assert asks_past(question) == past


def test_several_words_on_one_entry_each_go_with_their_entry() -> None:
    old = entry("old", "a", 1, supersededBy="b")
    b, c = entry("b", "b", 2, supersedes="old"), entry("c", "c", 3, supersedes=["old", 5])
    for come in ([old, b, c], [c, b, old], [b, old, c]):
        known = Successors(come)
        assert known.get("old") == "c"
        known.change([c], [])
        assert known.get("old") == "b"
        known.change([b], [])
        assert known.get("old") == "b", "it says so itself"
        known.change([old], [])
        assert known.get("old") == ""
