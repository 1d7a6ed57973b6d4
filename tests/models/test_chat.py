"""One question with a schema: what a server refuses by name is asked for otherwise, once; anything else is a refusal."""

import json
import threading
import time

import pytest

from deepseedian.errors import ModelFailed
from deepseedian.models.chat import OpenAIChat
from tests.streamed import Status, Streamed, answer, message, streaming

SCHEMA: dict[str, object] = {"type": "object"}


def refused(words: str) -> Status:
    return Status(400, json.dumps({"error": {"message": words}}))


def ask(server: Streamed, seconds: float = 20, cancelled: threading.Event | None = None) -> str:
    return OpenAIChat(server.url, "m", seconds, lambda: "sk-TESTKEY123").answer("s", "hunter2-QUESTION \ud800", SCHEMA,
                                                                               cancelled or threading.Event())


def test_parameters_that_a_server_refuses_by_name() -> None:
    script = Streamed(refused("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
                      refused("'temperature' does not support 0"), refused("response_format json_schema is unavailable"),
                      refused("use max_completion_tokens"), refused("temperature"), message("{}"))
    with streaming(script) as server:
        assert ask(server) == "{}"
    last = server.asked[-1]
    assert last["response_format"] == {"type": "json_object"} and last["max_completion_tokens"] == 4096
    assert "temperature" not in last and "max_tokens" not in last and "?" in last["messages"][1]["content"]


def test_a_refusal_that_names_nothing_is_one() -> None:
    for words in ("no", "temperature, max_completion_tokens, response_format"):
        with streaming(Streamed(refused(words))) as server:
            with pytest.raises(ModelFailed) as told:
                ask(server)
            assert told.value.code == "model_refused" and len(server.asked) <= 6
            assert "hunter2" not in str(vars(told.value)) and "TESTKEY" not in str(vars(told.value))


def test_nothing_is_repeated_and_an_end_frees_the_server() -> None:
    with streaming(Streamed(Status(503), answer("x"))) as server:
        with pytest.raises(ModelFailed):
            ask(server)
        assert len(server.asked) == 1
    for cancel in (False, True):
        with streaming(Streamed([" ", 30.0])) as server:
            cancelled = threading.Event()
            if cancel:
                threading.Timer(0.3, cancelled.set).start()
            began = time.monotonic()
            with pytest.raises(ModelFailed) as told:
                ask(server, 30 if cancel else 0.4, cancelled)
            assert told.value.code == ("cancelled" if cancel else "model_away")
            assert time.monotonic() - began < 5 and server.gone.wait(5)
