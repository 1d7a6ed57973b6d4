"""What a receipt tells: the short form that is kept says the same as the long one that is read."""

import json

import pytest

from deepseedian.core.entry import Entry
from deepseedian.core.recall import Choice, Recall, recall
from deepseedian.core.receipt import document, kept
from deepseedian.core.weight import Weight
from deepseedian.store.receipt import loaded, packed
from tests.core.test_matching import entry, memory


def told() -> Recall:
    """Entries that match by words of their own, by what the best ones name, beside a neighbour, and one that is left out."""
    held = memory(*(entry(f"m{at}", text, at + 1) for at, text in enumerate((
        "周会改到周三上午十点，开会前先看看板", "周会的看板在三楼", "Standup notes: the board of the weekly meeting", "看板由小林维护，三楼",
        "周会 board 三楼"))), entry("other", "nothing of that", 9, pinned=True))

    def weigh(found: Entry) -> Weight:
        return Weight(0.9, {"decay": 0.9}) if found.id == "m1" else Weight()
    return recall(held, "我们的周会几点开？board?", Choice(limit=3), weights=weigh, why=True)


def test_the_short_form_says_what_the_scores_are_made_of() -> None:
    found = told()
    long = document(json.loads(json.dumps(kept(found))))
    assert long == document(kept(found))
    for name, items in (("offered", found.offered), ("leftOut", found.left_out)):
        rows = long[name]
        assert isinstance(rows, list) and items and [row["id"] for row in rows] == [item.entry.id for item in items]
        for row, item in zip(rows, items, strict=True):
            terms = [(part.term, round(part.score, 4)) for part in item.parts if part.kind == "term"]
            assert [(part["term"], part["score"]) for part in row["parts"]] == terms and row["terms"] == [term for term, _ in terms]
            assert row["besides"] == {part.term: round(part.score, 4) for part in item.parts if part.kind != "term"}
            assert (row["score"], row["reason"], row["weights"]) == (round(item.score, 4), item.reason, dict(item.weights))
    rows = [*long["offered"], *long["leftOut"]]  # type: ignore[misc]
    assert {part["term"] for row in rows for part in row["parts"]} >= {"周会", "board"}
    assert any(row["besides"] for row in rows) and any(row["weights"] for row in rows)
    assert {row["reason"] for row in rows} >= {"match", "pinned"}


def test_a_recall_without_anything_is_told_too() -> None:
    nothing = Recall("vault", "rev", 0, ("tea",), (), reason="nothing in memory matches")
    assert document(kept(nothing)) == {"terms": ["tea"], "matched": 0, "reason": "nothing in memory matches", "tokens": 0, "offered": [],
                                       "leftOut": [], "notes": []}


@pytest.mark.parametrize("change", [
    {"worth": 3}, {"worth": [["周会"]]}, {"worth": [["周会", "much"]]}, {"offered": None}, {"offered": [[]]}, {"offered": [{}]}, {"terms": 1},
    {"notes": None}, {"leftOut": [["a", "t", None, "match", [], 1.0, [], None, 0, 0, None, ""]]},
    {"leftOut": [["a", "t", 1.0, "match", [1], -1, [], None, 0, 0, None, ""]]},
    {"leftOut": [["a", "t", 1.0, "match", [], 1.0, [], [3], 0, 0, None, ""]]}])
def test_what_nobody_made_is_not_read(change: dict[str, object]) -> None:
    whole = json.loads(json.dumps(kept(told())))
    assert loaded(packed(whole)) is not None
    assert loaded(packed(whole | change)) is None
    for name in whole.keys() - {"form", "matched", "reason", "tokens"}:
        assert loaded(packed({key: value for key, value in whole.items() if key != name})) is None, name
