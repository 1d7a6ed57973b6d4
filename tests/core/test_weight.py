"""Weights: bounded whatever was said, for similar questions only, and never for what does not age."""

from hypothesis import given, settings
from hypothesis import strategies as st

from deepseedian.core.entry import Entry, stamp
from deepseedian.core.weight import HIGHEST, LOWEST, Signals, Terms, Weight, content, decayed, reordered, similar, weight

NOW = 1_800_000_000.0
DAY = 86_400.0
QUESTION = frozenset({"周会", "几点"})
words = st.frozensets(st.sampled_from("a b c d e f g h".split()), max_size=6)
signals = st.builds(Signals, st.integers(0, 500), st.integers(0, 500), st.lists(words, max_size=30).map(tuple))


OLD = 20_000.0  # days: nothing about it is recent
SAID = Terms(days=0)  # what was said alone, without decay


def entry(days: float = OLD, **meta: object) -> Entry:
    return Entry("a", "text", "topics/general.md", {"id": "a", "createdAt": stamp(NOW - days * DAY), **meta})


@given(signals, words, st.floats(0, 1), st.integers(0, 3650), st.floats(-10, 100_000))
def test_a_weight_stays_within_its_bounds(said: Signals, question: frozenset[str], floor: float, days: int, age: float) -> None:
    aged = entry(max(age, 0))
    found, alone = (weight(aged, question, one, NOW, Terms(days=days, floor=floor)) for one in (said, None))
    assert LOWEST * alone.factor - 1e-9 <= found.factor <= HIGHEST * alone.factor + 1e-9
    assert floor - 1e-9 <= decayed(aged, NOW, Terms(days=days, floor=floor)) <= 1.0
    assert LOWEST <= weight(entry(), question, said, NOW, SAID).factor <= HIGHEST, "said alone, at most 24 % down and 12 % up"


@given(signals, words)
def test_what_is_switched_off_weighs_nothing(said: Signals, question: frozenset[str]) -> None:
    assert weight(entry(), question, said, NOW, Terms(False, False, 0)) == Weight()


@settings(max_examples=40)
@given(st.lists(st.tuples(st.text(min_size=1), st.floats(0, 100)), unique_by=lambda item: item[0]), st.data())
def test_reordering_lets_nothing_in_or_out(scored: list[tuple[str, float]], data: st.DataObject) -> None:
    weights = {key: Weight(data.draw(st.floats(0.4, 1.12))) for key, _ in scored[::2]}
    assert sorted(reordered(scored, weights)) == sorted(key for key, _ in scored)
    assert reordered(scored, {}) == [key for key, _ in sorted(scored, key=lambda item: -item[1])]


def test_a_correction_counts_for_similar_questions_only() -> None:
    said = Signals(corrected=(QUESTION,))
    assert weight(entry(), QUESTION, said, NOW, SAID).factor == 0.88
    assert weight(entry(), QUESTION | {"下周"}, said, NOW, SAID).factor == 0.88
    assert weight(entry(), {"周会", "地点"}, said, NOW, SAID) == Weight(), "one shared term is another question"
    assert weight(entry(), QUESTION, Signals(corrected=(QUESTION,) * 9), NOW, SAID).factor == LOWEST


def test_each_part_is_named() -> None:
    found = weight(entry(1000, pinned=False), QUESTION, Signals(1, 0, (QUESTION,)), NOW, Terms(days=1000, floor=0.2))
    assert found.parts == {"feedback": 1.04, "corrected": 0.88, "decay": 0.5} and round(found.factor, 6) == 0.46


def test_feedback_moves_a_little_each_time() -> None:
    def factor(useful: int, wrong: int) -> float:
        return round(weight(entry(), QUESTION, Signals(useful, wrong), NOW, SAID).factor, 4)

    assert [factor(1, 0), factor(2, 0), factor(9, 0)] == [1.04, 1.08, HIGHEST]
    assert [factor(0, 1), factor(0, 2), factor(0, 9), factor(1, 1)] == [0.94, 0.88, 0.82, 0.98]


def test_decay_halves_every_so_many_days_down_to_its_floor() -> None:
    assert decayed(entry(180), NOW, Terms(floor=0.1)) == 0.5 and decayed(entry(360), NOW, Terms(floor=0.1)) == 0.25
    assert decayed(entry(180), NOW, Terms()) == 0.6 and decayed(entry(0), NOW, Terms()) == 1.0
    assert 0.6 < decayed(entry(90), NOW, Terms()) < 0.75


def test_what_does_not_age() -> None:
    for kept in (entry(9999, pinned=True), entry(9999, trust="user_stated"), entry(-5), entry(0), entry(9999, createdAt="soon"), entry(9999, createdAt=7)):
        assert decayed(kept, NOW, Terms()) == 1.0
    assert decayed(entry(9999, updatedAt=stamp(NOW)), NOW, Terms()) == 1.0, "an edited text is as young as its edit"
    assert decayed(entry(9999, trust="system_derived"), NOW, Terms(days=0)) == 1.0
    assert decayed(entry(9999, trust="system_derived"), NOW, Terms()) == 0.6


@given(words, words)
def test_similarity_is_mutual_and_needs_words(first: frozenset[str], second: frozenset[str]) -> None:
    assert similar(first, second) == similar(second, first)
    assert similar(first, first) == bool(first) and not (similar(first, second) and not first & second)


def test_another_text_has_another_name() -> None:
    assert content("a") != content("a ") and content("half \ud800") and len(content("")) == 32
