"""Front matter: what Obsidian reads, what is no YAML, and what would never end."""

import json
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deepseedian.notes import header

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True))


def read(text: str) -> header.Header:
    return header.read(f"---\n{text}\n---\nbody".split("\n"))


def codes(found: header.Header) -> list[str]:
    return [code for _, code, _ in found.faults]


def test_values_are_what_their_owner_wrote() -> None:
    found = read("date: 2024-13-45\nday: 2024-03-01\ntime: 12:30\nanswer: yes\nn: 12\nx: 1.5\non: true\nnothing:\nbig: 123456789012345678901\nnan: .nan\n"
                 "<<: merge\nset: !!set {a, b}\nwhen: !!timestamp 2024-99-99\nbytes: !!binary x\nother: !thing {k: v}\n1: one")
    assert found.properties == {
        "date": "2024-13-45", "day": "2024-03-01", "time": "12:30", "answer": "yes", "n": 12, "x": 1.5, "on": True, "nothing": None,
        "big": "123456789012345678901", "nan": ".nan", "<<": "merge", "set": ["a", "b"], "when": "2024-99-99", "bytes": "x", "other": {"k": "v"}, "1": "one"}
    assert found.faults == () and found.lines == 18


def test_tags_and_aliases_in_every_form() -> None:
    assert read("tags: [a, '#b/c', 4]").tags() == ["a", "b/c", "4"]
    assert read("tags: 甲, 乙 丙").tags() == ["甲", "乙", "丙"]
    assert read("Tag: '#one'").tags() == ["one"]
    assert read("aliases:\n  - First\n  - \n  - Second").listed("aliases") == ["First", "Second"]
    assert read("tags:").tags() == read("tags: {a: b}").tags() == []


@pytest.mark.parametrize(("text", "code"), [
    ("title: {{title}}\ncreated: {{date}}", "front_matter_template"), ("id: <% tp.x %>: y", "front_matter_template"),
    ("a: [1, 2", "front_matter_invalid"), ("a: b: c", "front_matter_invalid"), ("\ta: b", "front_matter_invalid"), ("just words", "front_matter_invalid"),
    ("- a\n- b", "front_matter_invalid"), ("a: \x01", "front_matter_invalid"), ("a: !!int many", "front_matter_invalid"),
    ("a: " + "[" * 5000, "front_matter_invalid"), ("x: y\n" * 20_000, "front_matter_large"),
])
def test_what_is_no_front_matter_is_named(text: str, code: str) -> None:
    found = read(text)
    assert codes(found) == [code] and found.properties == {} and found.lines == text.count("\n") + 3


def test_an_unclosed_one_is_named_and_a_rule_is_none() -> None:
    assert codes(header.read(["---", "title: x", "text"])) == ["front_matter_unclosed"]
    assert header.read(["---", "", "a rule, then text"]) == header.read(["text"]) == header.read([]) == header.read([" ---", "a: b", "---"])


def test_the_line_of_a_fault() -> None:
    assert read("a: b\nc: [d\n").faults[0][0] in (3, 4)


def test_aliases_that_grow_without_end_are_cut() -> None:
    begun = time.monotonic()
    found = read(BOMB)
    assert codes(found) == ["front_matter_cut"] and len(json.dumps(found.properties)) < 100_000
    assert time.monotonic() < begun + 5
    assert json.dumps(read("a: &a [*a]\nb: &b {c: *b}").properties)


VALUES = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates() | st.binary(),
                      lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers() | st.none(), inner) | st.frozensets(st.text()), max_leaves=30)


@settings(max_examples=40)
@given(VALUES)
@example("\ud800")
@example({"a": float("inf"), None: {1: b"\xff"}})
def test_any_value_is_said_in_json(value: object) -> None:
    json.dumps(header.plain(value, [200]), allow_nan=False).encode()
    json.dumps(header.plain(value, [200]), ensure_ascii=False).encode()


LINES = st.lists(st.sampled_from(["---", "a: b", "tags: [x", "- y", "  z: &a *a", "{{t}}", "%YAML 9", "!!python/object:os.system x", "? [a]", "|", "'", "&"]) | st.text(max_size=20), max_size=12)


@given(LINES)
def test_any_beginning_of_a_note_is_read(lines: list[str]) -> None:
    found = header.read(["---", *lines])
    json.dumps(found.properties, allow_nan=False)
    assert found.tags() is not None and 0 <= found.lines <= len(lines) + 1
