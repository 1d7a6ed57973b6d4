"""A real model on loopback answers the idle run's schema, and a turn with a tool. Its sense is not judged."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from deepseedian.memory.organize import SCHEMA, items_of
from deepseedian.models.chat import loads
from deepseedian.models.connection import Server
from deepseedian.models.profiles import Profile
from deepseedian.models.streaming import Finished, OpenAIStreaming, Text, ToolCall, Usage
from deepseedian.models.trying import listed
from deepseedian.sidecar import Sidecar
from tests.doubles import FakeClock
from tests.local_model import local_model, needs_local_model

pytestmark = needs_local_model
TOOL: dict[str, object] = {"type": "function", "function": {"name": "memory_search", "description": "Search the memory.", "parameters": {
    "type": "object", "additionalProperties": False, "required": ["query", "kind"], "properties": {
        "query": {"type": "string", "maxLength": 30}, "kind": {"type": "string", "enum": ["preference", "decision"]}}}}}


def called(id: str, arguments: str, result: str) -> list[dict[str, object]]:
    return [{"role": "assistant", "content": None, "tool_calls": [
        {"id": id, "type": "function", "function": {"name": "memory_search", "arguments": arguments}}]},
        {"role": "tool", "tool_call_id": id, "content": result}]


# So small a model does what it has seen done; that its call fits the schema is the server's doing.
EARLIER: list[dict[str, object]] = [
    {"role": "user", "content": "Which bread do I like?"}, *called("1", '{"query":"bread","kind":"preference"}', "I like rye bread."),
    {"role": "user", "content": "What did we decide about the car?"}, *called("2", '{"query":"car","kind":"decision"}', "We sell the car."),
    {"role": "user", "content": "Which music do I like?"}, *called("3", '{"query":"music","kind":"preference"}', "I like jazz.")]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with local_model() as found:
        yield found


def test_a_turn_with_a_tool_call_that_a_schema_holds(endpoint: str) -> None:
    port = OpenAIStreaming(Server(endpoint), "smollm2", lambda: "", idle=300, seconds=500, must_call=True)
    said: list[dict[str, object]] = [{"role": "user", "content": "Which tea do I like?"}]
    found = list(port.turn(EARLIER + said, [TOOL], threading.Event(), output_tokens=100))
    call = next((piece for piece in found if isinstance(piece, ToolCall)), None)
    assert call is not None and call.name == "memory_search" and call.id, found
    arguments = json.loads(call.arguments)
    assert set(arguments) == {"query", "kind"} and arguments["kind"] in ("preference", "decision") and isinstance(arguments["query"], str)
    assert isinstance(found[-2], Usage) and found[-2].output > 0 and found[-1] == Finished("tool_calls")
    port.must_call = False
    said += called(call.id, call.arguments, "I prefer green tea.")
    answer = list(port.turn(said, [TOOL], threading.Event(), output_tokens=16))  # the round goes back as it came
    assert any(isinstance(piece, Text | ToolCall) for piece in answer) and isinstance(answer[-1], Finished)


def test_a_stop_frees_the_server(endpoint: str) -> None:
    port = OpenAIStreaming(Server(endpoint), "smollm2", lambda: "", idle=300, seconds=500)
    said: list[dict[str, object]] = [{"role": "user", "content": "Count from 1 to 1000."}]
    turn = port.turn(said, [], threading.Event(), output_tokens=4000)
    assert isinstance(next(turn), Text)
    turn.close()  # type: ignore[attr-defined]
    assert isinstance(next(port.turn(said, [], threading.Event(), output_tokens=8)), Text)  # one at a time is served
    assert listed(Profile("", endpoint, "smollm2"), 60)


def short(schema: Any) -> Any:
    """The same with low limits everywhere."""
    if isinstance(schema, dict):
        limits = {"maxItems": 1, "maxLength": 40}
        return {name: min(value, limits[name]) if name in limits else short(value) for name, value in schema.items()}
    return schema


def test_the_idle_run_with_a_real_model(endpoint: str, opened: "type[Sidecar]", clock: FakeClock,
                                        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deepseedian.memory.organize.SCHEMA", short(SCHEMA))  # a small model never stops by itself
    sidecar = opened(clock)  # type: ignore[call-arg,arg-type]
    sidecar.set_setting("model.endpoint", endpoint)
    sidecar.set_setting("model.name", "smollm2")
    sidecar.set_setting("model.timeout_seconds", "600")
    before = sidecar.store.snapshot.revision
    sidecar.observe("chat", [{"role": "user", "text": "I moved the release to Friday afternoon."}], "2026-11-30T09:00:00Z")
    answers: list[str] = []
    make = sidecar.organizer.chat

    class Listening:
        """Keeps what the model said, to look at it."""

        def answer(self, *asked: object) -> str:
            model = make()
            assert model is not None
            answers.append(model.answer(*asked))  # type: ignore[arg-type]
            return answers[-1]

    sidecar.organizer.chat = Listening  # type: ignore[assignment]
    clock.sleep(12 * 60)
    done = sidecar.idle.tick()
    assert done is not None and done.model and not done.fault
    for item in items_of(loads(answers[0])):
        assert isinstance(item, dict)
        assert set(item) == set(SCHEMA["properties"]["proposals"]["items"]["required"])  # type: ignore[index]
        assert item["operation"] in ("add", "edit", "merge") and json.dumps(item)
    assert sidecar.store.snapshot.revision == before
