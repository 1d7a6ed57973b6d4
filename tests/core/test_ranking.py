"""BM25 against its definition, and an index that changes against one built anew."""

from collections import Counter
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseedian.core.ranking import K1, B, Index, best, parts, scores
from deepseedian.core.text import query_terms, summary, tokens

words = st.lists(st.sampled_from("a b c d e f".split()), min_size=1, max_size=8)


def naive(documents: dict[str, list[str]], query: list[str]) -> dict[str, float]:
    average = sum(map(len, documents.values())) / len(documents)
    found: dict[str, float] = {}
    for key, terms in documents.items():
        counts = Counter(terms)
        for term in query:
            frequency = sum(term in other for other in documents.values())
            weight = log(1 + (len(documents) - frequency + 0.5) / (frequency + 0.5))
            if counts[term]:
                found[key] = found.get(key, 0) + weight * counts[term] * (K1 + 1) / (
                    counts[term] + K1 * (1 - B + B * len(terms) / average))
    return found


def indexed(documents: dict[str, list[str]]) -> Index:
    index = Index()
    for key, terms in documents.items():
        index.add(key, terms, age(key))
    return index


def age(key: str) -> int:
    return int.from_bytes(key.encode())


def by_key(index: Index, query: list[str]) -> dict[str, float]:
    return {index.key(number): score for number, score in scores(index, dict.fromkeys(query, 1.0)).items()}


@given(st.dictionaries(st.text("xyz", min_size=1, max_size=4), words, min_size=1, max_size=12), st.sets(st.sampled_from("a b c g".split()), min_size=1))
def test_scores_are_bm25_and_their_parts_add_up(documents: dict[str, list[str]], query: set[str]) -> None:
    terms = sorted(query)
    index = indexed(documents)
    found, expected = by_key(index, terms), naive(documents, terms)
    assert found.keys() == expected.keys()
    for key, score in found.items():
        assert score == pytest.approx(expected[key])
        assert sum(part.score for part in parts(index, dict.fromkeys(terms, 1.0), documents[key])) == pytest.approx(score)


@given(st.lists(st.tuples(st.sampled_from("pqrst"), words), max_size=40), st.sets(st.sampled_from("a b c".split()), min_size=1))
def test_a_changed_index_equals_one_built_anew(steps: list[tuple[str, list[str]]], query: set[str]) -> None:
    index, documents = Index(), {}
    for key, terms in steps:
        if key in documents:
            index.remove(key, documents.pop(key))
        if len(terms) > 2:
            index.add(key, terms, age(key))
            documents[key] = terms
    fresh = indexed(documents)
    assert {k: pytest.approx(v) for k, v in by_key(index, sorted(query)).items()} == by_key(fresh, sorted(query))
    assert index.total == len(documents)


def test_compaction_changes_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index()
    for number in range(3000):
        index.add(f"k{number}", ["a", f"w{number}"], number)
    for number in range(2900):
        index.remove(f"k{number}", ["a", f"w{number}"])
    assert index.total == 100 and len(index.keys()) < 1500
    fresh = indexed({f"k{number}": ["a", f"w{number}"] for number in range(2900, 3000)})
    assert by_key(index, ["a", "w2950"]) == pytest.approx(by_key(fresh, ["a", "w2950"]))


def test_ties_go_to_the_younger() -> None:
    index = indexed({f"{number:03d}": ["same"] for number in range(50)})
    assert [index.key(number) for number in best(index, scores(index, {"same": 1.0}), 3)] == ["049", "048", "047"]


@pytest.mark.parametrize(("text", "found"), [
    ("Releases released RELEASE", ["releas"] * 3), ("周会改到周四", ["周会", "会改", "改到", "到周", "周四"]), ("我", ["我"]),
    ("C盘空间", ["c", "盘空", "空间"]), ("max_entries v2.1", ["max_entries", "max", "entri", "v2.1", "v", "2", "1"]), ("ｆｕｌｌ　ｗｉｄｔｈ", ["full", "width"]),
    ("don't", ["don"]), ("かな 한국", ["かな", "한국"]), ("Straße STRASSE", ["strass", "strass"]), ("🙂", []), ("", []),
])
def test_tokens(text: str, found: list[str]) -> None:
    assert tokens(text) == found


def test_questions_lose_their_stop_words() -> None:
    assert query_terms("What is the release date?") == ["releas", "date"]
    assert query_terms("周会是什么时候") == ["周会", "会是", "么时"]


@given(st.text(max_size=400), st.integers(2, 200))
def test_summaries_fit_on_one_line(text: str, limit: int) -> None:
    found = summary(text, limit)
    assert len(found) <= limit and "\n" not in found


def test_a_cut_splits_no_character() -> None:
    assert summary("e\u0301" * 200).rstrip("…").endswith("e\u0301")
    assert summary("👨‍👩‍👧" * 100, 12) == "👨‍👩‍👧👨‍👩‍👧…"
    assert summary("🇨🇳" * 5, 4) == "🇨🇳…"
