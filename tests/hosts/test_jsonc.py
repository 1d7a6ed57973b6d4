"""JSON with comments is changed in place: what is not ours keeps every byte."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseedian.hosts import jsonc

SERVER = {"command": "d", "args": ["--vault", "/v ü"]}
SAMPLES = [
    "{}", "{\n}\n", "{ // c\n}\n", '{"a":1}', '{\n  "a": 1 // note\n}', '{\n\t"a": 1, // note\n\t"b": [], /* x */\n}\n',
    '{\n    "servers": {},\n    "z": 1\n}', '{\n  "servers": {\n    "x": {"command": "y"} // mine\n  }\n}\n', '{"servers":{"x":1,},}',
    '{\r\n  "a": 1\r\n}\r\n', '// head\n{\n  /* first */ "a": "// no /* comment */ in here",\n  // last\n}\n// tail\n',
    '{"a":{"b":[1,2,[3]]},"servers":{"x":{"y":"\\u0041\\n"}}}',
]


@pytest.mark.parametrize("text", SAMPLES)
def test_what_was_put_in_is_there_and_the_rest_is_as_it_was(text: str) -> None:
    new = jsonc.append(jsonc.append(jsonc.put(text, ("servers", "deepseedian"), SERVER), ("hooks", "Stop"), 1), ("hooks", "Stop"), {"b": 2})
    before, after = jsonc.parsed(text).value, jsonc.parsed(new).value
    assert after["servers"].pop("deepseedian") == SERVER and after.pop("hooks") == {"Stop": [1, {"b": 2}]}
    assert after == {"servers": {}} | before
    rest = iter(new)
    assert all(char in rest for char in text if not char.isspace())  # every byte is still there, in order: only some came in between
    gone = jsonc.drop(jsonc.drop(new, ("hooks",)), ("servers", "deepseedian"))
    assert jsonc.parsed(gone).value == {"servers": {}} | before
    assert gone.count("//") == text.count("//") and ("\r\n" in gone) == ("\r\n" in text)


def test_a_value_is_replaced_where_it_stands() -> None:
    text = '{\n  "servers": { // all\n    "deepseedian": {"command": "old"}, // ours\n    "x": 1\n  }\n}'
    new = jsonc.put(text, ("servers", "deepseedian"), SERVER)
    assert jsonc.at(new, ("servers", "deepseedian")) == SERVER and "// all" in new and "}, // ours\n" in new
    assert jsonc.put(new, ("servers", "deepseedian"), {"command": "old"}) != text  # written over several lines, but the same
    assert jsonc.parsed(jsonc.put(new, ("servers", "deepseedian"), {"command": "old"})).value == jsonc.parsed(text).value


@pytest.mark.parametrize("text", [
    "{", '{"a":}', '{"a" 1}', "{a:1}", "{'a':1}", '{"a":1 "b":2}', "[1 2]", "nul", '{"a":1}}', '{"a":"\n"}', "{,}", "[" * 1000, '{"a":01}', "{} x",
    '{"a":"\\q"}', "/* open", '{"a":1} /* open', '"open', "\x00", "{\"a\":NaN}",
])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        jsonc.put(text, ("a", "b"), 1)


def test_a_path_through_something_else_is_refused() -> None:
    for text in ('{"servers": []}', '{"servers": "x"}', "[]", "5"):
        with pytest.raises(ValueError, match="no object"):
            jsonc.put(text, ("servers", "deepseedian"), SERVER)
    with pytest.raises(ValueError, match="no list"):
        jsonc.append('{"hooks":{"Stop":{}}}', ("hooks", "Stop"), 1)


documents = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)
                         | st.dictionaries(st.text(max_size=6), inner, max_size=3), max_leaves=12)


@given(st.dictionaries(st.text(max_size=6), documents, max_size=4), st.sampled_from([None, 2, "\t"]), st.text(max_size=6), documents)
def test_any_document_takes_a_member_and_gives_it_back(document: dict[str, Any], indent: Any, name: str, value: Any) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    assert jsonc.parsed(text).value == document
    new = jsonc.put(text, (name,), value)
    assert jsonc.parsed(new).value == document | {name: value} == json.loads(new)
    gone = jsonc.drop(new, (name,))
    assert jsonc.parsed(gone).value == {key: old for key, old in document.items() if key != name}
    if name not in document and document:
        assert gone == text
