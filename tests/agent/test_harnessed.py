"""A turn that another runtime carries out: told and kept as one of our own."""

import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from deepseedian.agent.harnessed import Harnessed, flat
from deepseedian.errors import ModelFailed
from deepseedian.models.harness import Call, Result, Spent

ASKED = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "one?"}, {"role": "assistant", "content": "1"},
         {"role": "user", "content": "two?"}]


def run(*pieces: Any) -> tuple[Any, list[Any], list[Any]]:
    told: list[Any] = []
    noted: list[Any] = []

    def given(text: str, cancelled: threading.Event, instructions: str) -> Iterator[tuple[str, object]]:
        assert instructions == "be brief" and text.endswith("two?") and "Person: one?" in text and "You: 1" in text
        for piece in pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece

    def note(kind: str, detail: Mapping[str, object], usage: Mapping[str, object] | None) -> None:
        noted.append((kind, usage))
    turn = Harnessed("m", given, threading.Event(), lambda kind, data: told.append((kind, data)), note)
    return turn.run(ASKED), told, noted


def test_calls_answers_and_usage_are_told_and_kept() -> None:
    ended, told, noted = run(("reasoning", "hm"), ("tool_call", Call("c", "mcp__deepseedian__memory_search", "{}")),
                             ("tool_result", Result("c", "found", False)), ("usage", Spent(5, 2, 1, 0)), ("text", "two"),
                             ("usage", Spent(5, 3, 0, 0)), ("finished", "stop"))
    assert (ended.state, ended.answer, ended.usage) == ("done", "two", {"input": 10, "output": 5, "cached": 1, "reasoning": 0})
    assert [kind for kind, _ in told] == ["reasoning", "tool", "tool", "usage", "delta", "usage"]
    assert told[2][1]["name"] == "mcp__deepseedian__memory_search" and told[2][1]["state"] == "done"
    assert [kind for kind, _ in noted] == ["request", "reasoning", "tool_call", "tool_result", "usage", "usage"]


def test_a_failure_keeps_what_came() -> None:
    ended, _, _ = run(("text", "half"), ModelFailed("gone", code="model_away"))
    assert (ended.state, ended.answer, ended.reason, ended.error.code) == ("failed", "half", "model_away", "model_away")
    ended, _, _ = run(("text", "half"), ModelFailed("stopped", code="cancelled"))
    assert (ended.state, ended.answer, ended.error) == ("stopped", "half", None)
    ended, _, _ = run(("finished", "stop"))
    assert (ended.state, ended.reason) == ("failed", "model_answer")


def test_pictures_cannot_go_along() -> None:
    with pytest.raises(ModelFailed):
        flat([{"role": "user", "content": [{"type": "text", "text": "?"}]}])
