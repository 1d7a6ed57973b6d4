"""Entries that match alike are offered newest first, whatever their random ids are."""

from deepseedian.evaluation.shelf import Item, later, shelf


def test_the_younger_of_two_equal_matches_comes_first() -> None:
    """The ids run against the age, and a later entry joins an index that is there already."""
    items = [Item(f"aaaaaaaa-0000-4000-8000-{90 - number:0>12}", f"the same words {number}", later(0, number)) for number in range(6)]
    with shelf() as opened:
        opened.add(items[:5])
        opened.prepare()
        opened.add(items[5:])
        assert opened.ranked("same words", 12) == [item.id for item in reversed(items)]
        assert opened.offered("Which are the same words?") == [item.id for item in reversed(items)]
