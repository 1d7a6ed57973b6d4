"""The checker itself: it must take every run that can have happened, and none that cannot."""

from collections.abc import Callable

import pytest

from tests.chaos.history import Broken, History, Item, Op

A, B = Item("general", "a"), Item("general", "b")


def save(number: int, text: str, key: str = "") -> Op:
    return Op("save", f"h{number}", text, key=key)


def saved() -> History:
    history = History()
    history.answered(save(1, "a", "k"), "ok", entry_id="1")
    return history


def test_a_lost_answer_may_have_happened_or_not() -> None:
    for rows in ({}, {"2": B}):
        history = saved()
        history.lost(save(2, "b"), alive=False)
        history.seen({"1": A} | rows)
        assert len(history.worlds) == 1


def test_a_request_on_its_way_happens_late_or_never_but_not_after_the_end() -> None:
    history = saved()
    history.lost(save(2, "b"), alive=True)
    history.seen({"1": A})
    history.seen({"1": A, "2": B})
    history = saved()
    history.lost(save(2, "b"), alive=True)
    history.died()
    history.seen({"1": A})
    with pytest.raises(Broken):
        history.seen({"1": A, "2": B})


def test_some_order_explains_requests_at_the_same_time() -> None:
    history = saved()
    history.together([(Op("forget", "h1"), "ok"), (Op("edit", "h1", "c"), "not_found"), (save(2, "b"), "ok")])
    history.seen({"2": B})
    history.answered(Op("undo"), "ok")


def test_undo_walks_back_through_both_orders() -> None:
    history = saved()
    history.together([(Op("edit", "h1", "c"), "ok"), (save(2, "b"), "ok")])
    assert len(history.worlds) == 2
    history.answered(Op("undo"), "ok")
    history.seen({"1": A, "2": B})
    history.answered(Op("undo"), "ok")
    history.seen({"1": A})
    history.answered(Op("redo"), "ok")
    history.seen({"1": A, "2": B})


WRONG: dict[str, Callable[[History], None]] = {
    "an answered save is gone": lambda history: history.seen({}),
    "another text": lambda history: history.seen({"1": B}),
    "another topic": lambda history: history.seen({"1": Item("work", "a")}),
    "another id": lambda history: history.seen({"2": A}),
    "something nobody said": lambda history: history.seen({"1": A, "2": B}),
    "twice": lambda history: history.seen({"1": A, "2": A}),
    "an entry that is there is not found": lambda history: history.answered(Op("edit", "h1", "c"), "not_found"),
    "an edit of what never was": lambda history: history.answered(Op("edit", "h9", "c"), "ok"),
    "nothing to undo": lambda history: history.answered(Op("undo"), "nothing_to_undo"),
    "undo refused": lambda history: history.answered(Op("undo"), "edited_since"),
    "something to redo": lambda history: history.answered(Op("redo"), "ok"),
    "a reason that is none": lambda history: history.answered(save(2, "b"), "internal"),
    "no order": lambda history: history.together([(Op("forget", "h1"), "ok"), (Op("forget", "h1"), "ok")]),
    "a key that lands twice": lambda history: (history.answered(Op("undo"), "ok"), history.answered(save(1, "a", "k"), "ok"),
                                               history.seen({"1": A}))[-1],
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_have_happened_is_found(name: str) -> None:
    with pytest.raises(Broken):
        WRONG[name](saved())
