"""What an entry is found by, and what speaks for it besides its words; dense and sparse sums, in memory and in the cache."""

from array import array
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from deepseedian.core import ranking
from deepseedian.core.entry import Entry
from deepseedian.core.matching import LENT_OF, Candidate, Memory, candidates, document_terms, explained, weighed
from deepseedian.core.recall import Choice, recall
from deepseedian.core.similar import Similar
from deepseedian.core.snapshot import Difference, MemoryFile, Snapshot, advanced, assemble
from deepseedian.core.text import query_terms
from deepseedian.memory.recall import Recollection
from deepseedian.store import index_cache

DAY = "2026-01-{:02d}T00:00:00.000Z"


def entry(key: str, text: str, day: int = 1, topic: str = "work", **meta: object) -> Entry:
    return Entry(key, text, f"topics/{topic}.md", {"id": key, "createdAt": DAY.format(day), **meta})


def snapshot(*entries: Entry) -> Snapshot:
    paths = dict.fromkeys(item.path for item in entries)
    return assemble("vault", {path: file(path, [item for item in entries if item.path == path]) for path in paths})


def file(path: str, entries: Sequence[Entry]) -> MemoryFile:
    return MemoryFile(path, str(hash(tuple((item.text, repr(item.meta)) for item in entries))), 1, tuple(entries))


def memory(*entries: Entry) -> Memory:
    return read(Recollection(), snapshot(*entries))


def read(kept: Recollection, current: Snapshot, revision: str = "") -> Memory:
    with kept.read(current, revision) as held:
        return held


def found(held: Memory, question: str, similar: Similar | None = None) -> list[Candidate]:
    return candidates(held, query_terms(question), similar)[0]


def ids(held: Memory, question: str, similar: Similar | None = None) -> list[str]:
    return [item.entry.id for item in found(held, question, similar)]


@pytest.mark.parametrize(("question", "text"), [
    ("which max_entries", "Set maxEntries to 12"), ("maxEntries?", "max_entries is 12"), ("the port 8443", "nginx listens on 8443"),
    ("周会", "每周四下午的周会"), ("週會幾點", "周会改到周四"), ("周会几点", "週會改到週四"), ("喝什么茶", "绿茶"), ("茶？", "他喜欢乌龙茶"),
    ("releasing", "We release on Thursday"), ("ＦＵＬＬ", "full width"), ("v2.1", "upgrade to v2.1"), ("한국", "한국 여행"),
    ("work", "no such word in it"),
])
def test_found_by(question: str, text: str) -> None:
    assert ids(memory(entry("a", text), entry("b", "zebra 斑马", topic="general")), question) == ["a"]


@pytest.mark.parametrize(("question", "text"), [
    ("port 8443", "listens on 84430"), ("茶几在哪", "茶水间"), ("the and of", "the and of"), ("", "anything"), ("🙂🙂🙂🙂", "🙂🙂🙂🙂"), ("general", "a text")])
def test_not_found_by(question: str, text: str) -> None:
    assert [item.entry.id for item in found(memory(entry("a", text, topic="general")), question) if item.own > 0.3] == []


def test_an_entry_that_names_what_the_best_one_names_is_found() -> None:
    held = memory(entry("a", "Ada leads the Falcon project"), entry("b", "Falcon ships in May", topic="plans"), entry("c", "tea is green", topic="tea"))
    best = found(held, "Who is Ada?")
    assert [item.entry.id for item in best] == ["a", "b"] and best[1].own == 0 < best[1].related < best[0].score


def test_the_score_is_the_sum_of_the_parts_in_the_receipt() -> None:
    held = memory(entry("a", "Ada leads the Falcon project"), entry("b", "Falcon ships with Ada in May"), entry("c", "Falcon in June"))
    similar = Similar("m", {"a": 0.9, "b": 0.5, "c": 0.2}, 0.3, 0.2)
    terms = query_terms("When does Ada ship Falcon?")
    items = candidates(held, terms, similar)[0]
    for item, parts in zip(items, explained(held, items, terms), strict=True):
        assert sum(part.score for part in parts) == pytest.approx(item.score), item.entry.id


def test_neighbours_lend_only_to_what_matches_and_never_above_themselves() -> None:
    texts = ["budget notes of May", "the quarterly budget meeting room is Alpha", "nothing of it", "budget"]
    rows = [entry(f"e{at}", text) for at, text in enumerate(texts)] + [entry("far", "budget notes of May", topic="other")]
    by_id = {item.entry.id: item for item in found(memory(*rows), "quarterly budget meeting")}
    assert by_id["e0"].context > 0 and by_id["far"].context == 0
    assert "e2" not in by_id or by_id["e2"].context == 0
    assert by_id["e0"].score < by_id["e1"].score


@given(st.lists(st.lists(st.sampled_from("ada tea port plan may".split()), min_size=1, max_size=5), min_size=2, max_size=12),
       st.sets(st.sampled_from("ada tea port".split()), min_size=1))
@examples(max_examples=60)
def test_lending_property(texts: list[list[str]], query: set[str]) -> None:
    held = memory(*(entry(f"{at:02d}", " ".join(words)) for at, words in enumerate(texts)))
    best = {item.entry.id: item for item in found(held, " ".join(sorted(query)))}
    for key, item in best.items():
        beside = [best[other] for other in (f"{int(key) - 1:02d}", f"{int(key) + 1:02d}") if other in best]
        assert not item.context or (item.own > 0 and beside)
        room = max((LENT_OF * (one.own + one.related - item.own - item.related) for one in beside), default=0.0)
        assert item.context <= max(room, 0.0) + 1e-9


def test_meaning_is_added_to_words() -> None:
    held = memory(entry("a", "I prefer green tea"), entry("b", "the port is 8080"), entry("c", "drink enough"))
    similar = Similar("m", {"a": 0.8, "b": 0.1, "c": 0.3}, 0.3, 0.2, 0.6)
    assert ids(held, "drink", None) == ["c"]
    fused = {item.entry.id: item for item in found(held, "drink", similar)}
    assert fused["a"].similar > fused["c"].similar > 0 and fused["a"].own == 0 and fused["a"].cosine == 0.8
    assert ids(held, "🙂", similar)[0] == "a" and ids(held, "drink", Similar("m", {"gone": 0.9}, 0.3, 0.2)) == ["c"]


def test_ties_go_to_the_younger_then_to_the_greater_id() -> None:
    rows = [entry("b", "same", 3), entry("a", "same", 3), entry("c", "same", 2), entry("d", "same", 4)]
    assert ids(memory(*rows), "same") == ids(memory(*reversed(rows)), "same") == ["d", "b", "a", "c"]


def test_a_single_character_weighs_nothing_in_a_long_question() -> None:
    """More than sixty terms and only 茶 of them in memory: nothing is found, and nothing divided by it."""
    held = memory(entry("a", "茶 mountain water"), entry("b", "water mountain river"))
    question = " ".join(f"w{number}x" for number in range(45)) + " 茶"
    assert len(query_terms(question)) > 60 and "茶" not in weighed(query_terms(question)) and ids(held, question) == []
    assert ids(held, "茶") == ["a", "b"]


# Two ways to the same sums

words = st.lists(st.sampled_from("茶 ada tea port plan may 周会 会议".split()), min_size=1, max_size=6)


@given(st.lists(st.tuples(words, st.integers(1, 4)), min_size=1, max_size=40), words, st.integers(1, 12))
@examples(max_examples=80)
def test_dense_and_sparse_sums_are_identical(texts: list[tuple[list[str], int]], query: list[str], most: int) -> None:
    numpy: Any = pytest.importorskip("numpy", reason="numpy is not installed")
    index = ranking.Index()
    for at, (text, age) in enumerate(texts):
        index.add(f"{at:02d}", text, age)
    for at in range(0, len(texts), 5):
        index.remove(f"{at:02d}", texts[at][0])
    weights = {term: 0.5 if len(term) == 1 else 1.0 for term in query}
    sparse = ranking._Sparse(index, ranking.scores(index, weights))
    dense = ranking._Dense(index, ranking._sums(index, weights, numpy), numpy)
    assert dense.matched == sparse.matched and dense.best(most) == sparse.best(most)
    assert [dense.score(at) for at in range(len(texts))] == [sparse.score(at) for at in range(len(texts))], "the same to the last bit"


@pytest.mark.parametrize("question", ["common ada", "common", "common " + " ".join(f"w{n}x" for n in range(45)) + " 茶"])
def test_a_recall_is_the_same_either_way(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed")
    held = memory(*(entry(f"{at:04d}", f"common 茶 {'ada' if at % 7 else 'tea'} {at % 90}", at % 28 + 1) for at in range(600)))
    answers = []
    for above in (0, 10**9):
        monkeypatch.setattr(ranking, "DENSE_ABOVE", above)
        answers.append(recall(held, question, why=True))
    assert answers[0] == answers[1] and answers[0].matched == 600


# An index that changes, and one in a file

def answer(held: Memory, question: str) -> tuple[object, ...]:
    told = recall(held, question, Choice(20, gates=None), why=True)
    return ([(item.entry, item.score, item.reason, item.about, item.parts) for item in (*told.offered, *told.left_out)], told.matched, told.total)


KEYS = ("k1", "k2", "k3", "k4")
steps = st.lists(st.tuples(st.sampled_from(KEYS), words | st.none(), st.integers(1, 4), st.sampled_from(("work", "home")),
                           st.sampled_from((None, *KEYS)), st.sampled_from((None, *KEYS))), min_size=1, max_size=14)


def stepped(taken: Sequence[tuple[Any, ...]]) -> list[Snapshot]:
    """The snapshots of a history of entries that come, change, move and go."""
    held: dict[str, Entry] = {}
    told = [snapshot()]
    for key, text, day, topic, replaced, successor in taken:
        held.pop(key, None)
        if text is not None:
            meta = {name: value for name, value in (("supersedes", replaced), ("supersededBy", successor)) if value}
            held[key] = entry(key, " ".join(text), day, topic, **meta)
        files = {f"topics/{name}.md": file(f"topics/{name}.md", [item for item in held.values() if item.path == f"topics/{name}.md"])
                 for name in ("work", "home")}
        known = told[-1].files
        told.append(advanced(told[-1], {path: known[path] if path in known and known[path].entries == one.entries else one
                                        for path, one in files.items()})[0])
    return told


def change(old: Snapshot, new: Snapshot) -> Difference:
    return advanced(old, new.files)[1]


@given(steps, words)
@examples(max_examples=150)
def test_an_index_that_followed_equals_one_built_anew(taken: list[tuple[Any, ...]], query: list[str]) -> None:
    history = stepped(taken)
    kept = Recollection()
    kept.build(history[0])
    revisions = []
    for old, new in pairwise(history):
        kept.update(new, change(old, new))
        revisions.append(read(kept, new).revision)
    question = " ".join(query)
    now, anew = read(kept, history[-1]), read(Recollection(), history[-1])
    assert answer(now, question) == answer(anew, question)
    for key in KEYS:
        assert now.successor(key) == anew.successor(key)
    for revision, then in zip(revisions, history[1:], strict=True):
        earlier, fresh = read(kept, history[-1], revision), read(Recollection(), then)
        assert {key: earlier.successor(key) for key in then.entries} == {key: fresh.successor(key) for key in then.entries}
        told, expected = ({item.entry.id: item.entry for item in found(one, question) if item.own} for one in (earlier, fresh))
        assert told == expected, "with the frequencies of now, but the entries of then"


@given(steps, words)
@examples(max_examples=40)
def test_the_cache_answers_like_memory(taken: list[tuple[Any, ...]], query: list[str]) -> None:
    import tempfile

    history = stepped(taken)
    kept = Recollection()
    kept.build(history[0])
    for old, new in pairwise(history):
        kept.update(new, change(old, new))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.db"
        kept.save(path)
        cache = index_cache.opened(path, "vault")
        assert cache is not None
        with closing(cache):
            question = " ".join(query)
            warm, cold = answer(read(kept, history[-1]), question), answer(cache.memory(), question)
    assert cold == warm


def test_the_cache_breaks_ties_like_memory(tmp_path: Path) -> None:
    """More entries of one age that match alike than are looked at: which ones is no matter of where they came from."""
    kept = Recollection()
    held = read(kept, snapshot(*(entry(f"{(at * 37) % 211:03d}", "same") for at in range(211))))
    kept.save(tmp_path / "index.db")
    cache = index_cache.opened(tmp_path / "index.db", "vault")
    assert cache is not None
    with closing(cache):
        assert ids(cache.memory(), "same") == ids(held, "same") and ids(held, "same")[:2] == ["210", "209"]


def test_the_cache_knows_entries_whose_ids_are_numbers(tmp_path: Path) -> None:
    kept = Recollection()
    read(kept, snapshot(entry("1", "the port is 80"), entry("0" * 35 + "7", "the port is 81", supersedes="1")))
    kept.save(tmp_path / "index.db")
    cache = index_cache.opened(tmp_path / "index.db", "vault")
    assert cache is not None
    with closing(cache):
        told = recall(cache.memory(), "Which port is it?")
    assert [(item.entry.id, item.entry.text) for item in told.offered] == [("0" * 35 + "7", "the port is 81")]


@pytest.mark.parametrize("meta", [
    {"supersedes": 5}, {"supersedes": [1, None, "x"]}, {"supersededBy": ["a"]}, {"pinned": "yes"}, {"trust": ["external"]}, {"trust": 7},
    {"createdAt": "nonsense"}, {"createdAt": 12}, {"createdAt": "1960-01-01T00:00:00Z"}, {"createdAt": "9999-12-31T23:59:59+14:00"},
    {"updatedAt": {"a": 1}}, {"createdAt": "\ud800"}, {"source": "\ud800"}, {"supersedes": "\ud800"}, {"kind": None}])
def test_what_others_wrote_into_metadata_breaks_nothing(meta: dict[str, object], tmp_path: Path) -> None:
    rows = [entry("a", "the port is 80"), replace(entry("b", "the port is 81 now"), meta={"id": "b", **meta}), entry("c", "")]
    kept = Recollection()
    held = read(kept, snapshot(*rows))
    told = recall(held, "Which port is it?", why=True)
    assert {item.entry.id for item in (*told.offered, *told.left_out)} == {"a", "b"}
    assert ("b" in {item.entry.id for item in told.offered}) == ("trust" not in meta)
    try:
        kept.save(tmp_path / "index.db")
    except OSError:
        assert "\ud800" in meta.values(), "what cannot be written is no cache"
    else:
        cache = index_cache.opened(tmp_path / "index.db", "vault")
        assert cache is not None
        with closing(cache):
            assert recall(cache.memory(), "Which port is it?").index() == told.index()


def test_an_index_of_many_with_one_common_word_is_answered() -> None:
    held = memory(*(entry(f"{at:05d}", f"common {at}", at % 28 + 1) for at in range(10_000)))
    told = recall(held, "which common 4711 do we use?")
    assert told.offered[0].entry.text == "common 4711" and told.matched == 10_000 and len(told.offered) <= 12


def test_terms_of_a_document_hold_its_topic_but_not_general() -> None:
    assert document_terms(entry("a", "x", topic="work/berlin")) == ["x", "work", "berlin"] and document_terms(entry("a", "x", topic="general")) == ["x"]
    assert isinstance(ranking.Index().ages(), array)
