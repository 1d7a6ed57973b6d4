"""One question to a chat model with a JSON schema for the answer, through any OpenAI-compatible server.

One call, never repeated: it may be paid for, and who asks can do without.
"""

import json
import threading
from collections.abc import Callable
from typing import Any, Protocol

from deepseedian.errors import ModelFailed
from deepseedian.models.connection import Connection, OutOfTime, Server, Stopped, named, result, sendable

OUTPUT_TOKENS = 4096
ANSWER_LIMIT = 200_000
BODY_LIMIT = 8_000_000


class Chat(Protocol):
    """A chat model. `cancelled` is watched while waiting; answers are text, at most once a call."""

    def answer(self, system: str, user: str, schema: dict[str, object], cancelled: threading.Event) -> str: ...


class Refused(ModelFailed):
    """The server takes the request for a bad one. `text` is its own, to look at and never to show."""

    def __init__(self, text: str, who: str = "the model's server") -> None:
        super().__init__(f"{who} refused the request", "check model.name", code="model_refused")
        self.text = text


class OpenAIChat:
    """The `openai` package against one server. `key` is asked for at each call and never kept."""

    def __init__(self, server: Server | str, model: str, seconds: float, key: Callable[[], str], tokens: int = OUTPUT_TOKENS) -> None:
        self.server = Server(server) if isinstance(server, str) else server
        self.model, self.seconds, self.key, self.tokens = model, seconds, key, tokens
        self.before: Callable[[], None] = lambda: None  # told right before each request leaves: who counts calls must not guess

    def answer(self, system: str, user: str, schema: dict[str, object], cancelled: threading.Event) -> str:
        """Raises ModelFailed. A server that knows no JSON schema is asked once more for plain JSON."""
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        wanted: dict[str, object] = {"type": "json_schema", "json_schema": {"name": "proposals", "strict": True, "schema": schema}}
        plain: dict[str, object] = {"type": "json_object"}
        for form in (wanted, plain):
            try:
                return self.asked(cancelled, messages=messages, temperature=0, response_format=form)
            except Refused as error:
                if form is plain or ("response_format" not in error.text and "json_schema" not in error.text):
                    break
        raise ModelFailed(f"{self.server.who} refused the request", "check model.name", code="model_refused")

    def asked(self, cancelled: threading.Event, **request: Any) -> str:
        """The text of one answer. Raises ModelFailed, Refused; a parameter that the server refuses by name is asked for otherwise."""
        request |= {"max_tokens": self.tokens}
        while True:
            try:
                return self._once(cancelled, sendable(request))
            except Refused as error:
                if "max_completion_tokens" in error.text and "max_tokens" in request:
                    request["max_completion_tokens"] = request.pop("max_tokens")
                elif "temperature" not in error.text or request.pop("temperature", None) is None:
                    raise

    def _once(self, cancelled: threading.Event, request: dict[str, Any]) -> str:
        import openai

        connection = Connection(self.server, self.key(), idle=self.seconds, most=BODY_LIMIT)

        def ask() -> str:
            self.before()
            try:
                return _text(connection.open().chat.completions.create(model=self.model, stream=False, **request))
            finally:
                connection.close()

        try:
            return str(result("model call", ask, connection.cut, self.seconds, cancelled))
        except OutOfTime:
            raise ModelFailed("the model did not answer in time", "raise model.timeout_seconds", code="model_away") from None
        except Stopped:
            raise ModelFailed("the run was cancelled by activity", "it is tried again later", code="cancelled") from None
        except openai.BadRequestError as error:
            raise Refused(str(error)[:20_000], self.server.who) from None
        except Exception as error:
            raise named(error, self.server) from None


def _text(done: Any) -> str:
    choice = done.choices[0] if getattr(done, "choices", None) else None
    if choice is None or not (choice.message.content or "").strip():
        raise ModelFailed("the model's answer was empty", "try again later", code="model_answer")
    return str(choice.message.content)[:ANSWER_LIMIT]


def loads(answer: str) -> object:
    """The JSON in an answer, also when a model wraps it in a code fence. Raises ModelFailed.

    From an answer that was cut off, the objects of its first list that are whole: they are paid for.
    """
    text = answer.strip()
    if text.startswith("```"):
        text = text.partition("\n")[2]
        text = text.rpartition("```")[0] if "```" in text else text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        whole = _whole_items(text)
    if not whole:
        raise ModelFailed("the model's answer is not JSON", "nothing was proposed from it", code="model_answer")
    return whole


def _whole_items(text: str) -> list[object]:
    found: list[object] = []
    decoder = json.JSONDecoder()
    at = text.find("[") + 1
    while 0 < at < len(text):
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        try:
            item, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        if not isinstance(item, dict):
            break
        found.append(item)
    return found
