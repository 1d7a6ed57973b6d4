"""Tool calls from pieces of every kind, and bytes as events however they are split."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseedian.errors import ModelFailed
from deepseedian.models.answer import Answer
from deepseedian.models.calls import MOST_CALLS, Calls
from deepseedian.models.events import Event, Events
from tests.streamed import DONE, answer, call_answer


def piece(arguments: object = "", index: int | None = None, id: str | None = None, name: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"function": {"arguments": arguments}}
    if name is not None:
        found["function"]["name"] = name
    return found | ({"index": index} if index is not None else {}) | ({"id": id} if id is not None else {})


def put_together(pieces: Sequence[object]) -> list[tuple[str, str, str]]:
    calls = Calls()
    for item in pieces:
        calls.take(item)
    return [(call.id, call.name, call.arguments) for call in calls.finished()]


TWO = [("a", "f", '{"x":1}'), ("b", "g", '{"y":2}')]


@pytest.mark.parametrize("pieces", [
    [piece("", 0, "a", "f"), piece('{"x"', 0), piece(":1}", 0), piece("", 1, "b", "g"), piece('{"y":2}', 1)],
    [piece('{"x":1}', 0, "a", "f"), piece('{"y":2}', 1, "b", "g")],
    [piece('{"x', 0, "a", "f"), piece('{"y', 1, "b", "g"), piece('":1}', 0), piece('":2}', 1)],  # interleaved
    [piece('{"y', 1, "b", "g"), piece('{"x', 0, "a", "f"), piece('":2}', 1), piece('":1}', 0)],  # in another order
    [piece('{"x":', 0, "a", ""), piece("1}", 0, "", "f"), piece("", 1, "b", "g"), piece('{"y":2}', 1, None, "")],  # name last, empty ids
    [piece('{"x":1}', None, "a", "f"), piece('{"y":2}', None, "b", "g")],  # no numbers
    [piece("", None, "a", "f"), piece('{"x":1', None, "a"), piece("}"), piece("", None, "b", "g"), piece('{"y":2}')],
    [piece("", None, "a", "f"), piece("", None, "b", "g"), piece('{"y"', None, "b"), piece('{"x":1}', None, "a"), piece(":2}", None, "b")],
    [piece('{"x":1}', 0, "a", "f"), piece('{"y":2}', 0, "b", "g")],  # the same number for all
    [piece('{"x"', 0, "a", "f"), piece('{"y"', 0, "b", "g"), piece(":1}", 0, "a"), piece(":2}", 0, "b")],
    [piece('{"x"', 0, "a", "f"), piece(":1}", 0, "other", "f"), piece('{"y":2}', 1, "b", "g")],  # a new id with each piece
    [piece("", 0, "a", "f"), piece('{"x":1}', 0, "a", "f"), piece('{"y":2}', 1, "b", "g"), piece('{"y":2}', 1, "b", "g")],  # all again
    [piece("{}", 0, "a", "f"), piece('{"x":1}', 0), piece('{"y":2}', 1, "b", "g")],  # an empty object before the arguments
    [None, 3, {}, {"function": None}, {"index": 0, "function": {"name": None, "arguments": None}},
     piece('{"x":1}', 0, "a", "f"), piece(None, 0), piece('{"y":2}', 1, "b", "g")],
])
def test_two_calls_however_they_come(pieces: list[object]) -> None:
    assert put_together(pieces) == TWO


def test_without_ids_each_call_gets_one_of_its_own() -> None:
    for pieces in ([piece('{"x":1}', 0, None, "f"), piece('{"x":1}', 1, None, "f")], [piece('{"x":1}', name="f"), piece('{"x":1}', name="f")],
                   [piece('{"x":1}', 0, "same", "f"), piece('{"x":1}', 1, "same", "f")]):
        found = put_together(pieces)
        assert [(name, arguments) for _, name, arguments in found] == [("f", '{"x":1}')] * 2
        assert len({id for id, _, _ in found}) == 2 and all(id for id, _, _ in found)


def test_names_in_parts_and_calls_without_arguments() -> None:
    assert put_together([piece("", 0, "a", "memory_"), piece("", 0, None, "read"), piece("{}", 0)]) == [("a", "memory_read", "{}")]
    assert put_together([piece("", 0, "a", "mem"), piece("", 0, "a", "memory_read")]) == [("a", "memory_read", "{}")]
    assert put_together([piece({"x": [1]}, 0, "a", "f")]) == [("a", "f", '{"x": [1]}')]
    assert put_together([piece("not json {", 0, "a", "f")]) == [("a", "f", "not json {")]


def test_calls_that_cannot_be_meant() -> None:
    for pieces in ([piece("{}", 0, "a")], [piece("", number, None, "f") for number in range(MOST_CALLS + 1)],
                   [piece("x" * 100_000, 0, "a", "f")] * 11):
        with pytest.raises(ModelFailed):
            put_together(pieces)


ARGUMENTS = st.dictionaries(st.text(max_size=5), st.one_of(st.text(max_size=20), st.integers(), st.none()), max_size=3).map(
    lambda value: json.dumps(value, ensure_ascii=False))


@given(st.lists(ARGUMENTS, min_size=1, max_size=4), st.data())
def test_numbered_calls_survive_any_cutting_and_mixing(wanted: list[str], data: st.DataObject) -> None:
    waiting = []
    for number, raw in enumerate(wanted):
        cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=4)))
        parts = [raw[start:end] for start, end in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
        waiting.append([piece(part, number, f"id{number}" if at == 0 else None, f"f{number}" if at == 0 else None)
                        for at, part in enumerate(parts)])
    mixed = []
    while any(waiting):
        left = [item for item in waiting if item]
        mixed.append(left[data.draw(st.integers(0, len(left) - 1))].pop(0))
    assert put_together(mixed) == [(f"id{number}", f"f{number}", raw) for number, raw in enumerate(wanted)]


STREAM = "".join(str(part) for part in [*answer("周会 😀", "b", thought="想"), *call_answer(("f", {"t": "é"}))][:-1]).encode() + DONE.encode()


def told(parts: Sequence[bytes]) -> list[Event]:
    events = Events()
    return [event for part in parts for event in events.feed(part)] + list(events.end())


@given(st.lists(st.integers(0, len(STREAM)), max_size=30).map(sorted))
def test_events_are_the_same_however_the_bytes_are_split(cuts: list[int]) -> None:
    parts = [STREAM[start:end] for start, end in zip([0, *cuts], [*cuts, len(STREAM)], strict=True)]
    assert told(parts) == told([STREAM]) and len(told(parts)) == STREAM.count(b"data:")


@given(st.lists(st.binary(max_size=40) | st.sampled_from([b"data: ", b"\n", b"\n\n", b"{}", b"[DONE]", b'{"choices":[{"delta":', b"}]}"]), max_size=20))
def test_any_bytes_are_an_answer_or_a_failure(parts: list[bytes]) -> None:
    events, found = Events(), Answer()
    try:
        for part in [*parts, b""]:
            for event in events.feed(part) if part else events.end():
                list(found.take(event))
        list(found.end(True))
    except Exception as error:
        assert isinstance(error, ModelFailed) or type(error).__name__ == "Interrupted", error
