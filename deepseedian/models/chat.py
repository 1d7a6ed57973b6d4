"""One question to a chat model with a JSON schema for the answer, through any OpenAI-compatible server.

The SDK is imported at the first call: it costs half a second that nobody without a model should pay. Its own
retries are off, since it would repeat a paid call; redirects are not followed, since they would carry the
key elsewhere.
"""

import json
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from deepseedian.errors import ModelFailed
from deepseedian.models.bounded import bound

OUTPUT_TOKENS = 4096
ANSWER_LIMIT = 200_000
BODY_LIMIT = 8_000_000
CONNECT_SECONDS = 10.0


class Chat(Protocol):
    """A chat model. `cancelled` is watched while waiting; answers are text, at most once a call."""

    def answer(self, system: str, user: str, schema: dict[str, object], cancelled: threading.Event) -> str: ...


class OpenAIChat:
    """The `openai` package against one server. `key` is asked for at each call and never kept."""

    def __init__(self, endpoint: str, model: str, seconds: float, key: Callable[[], str]) -> None:
        self.endpoint, self.model, self.seconds, self.key = endpoint, model, seconds, key
        self.before: Callable[[], None] = lambda: None  # told right before each request leaves: who counts calls must not guess

    def answer(self, system: str, user: str, schema: dict[str, object], cancelled: threading.Event) -> str:
        """Raises ModelFailed. A server that knows no JSON schema is asked once more for plain JSON."""
        import httpx2
        import openai

        transport = httpx2.Client(follow_redirects=False, timeout=httpx2.Timeout(self.seconds, connect=CONNECT_SECONDS),
                                  event_hooks={"response": [_limit]})
        client = openai.OpenAI(base_url=self.endpoint, api_key=self.key() or "none", max_retries=0, http_client=transport)
        wanted: dict[str, object] = {"type": "json_schema", "json_schema": {"name": "proposals", "strict": True, "schema": schema}}
        plain: dict[str, object] = {"type": "json_object"}
        try:
            for form in (wanted, plain):
                try:
                    return self._watched(partial(self._asked, client, system, user, form), transport.close, cancelled)
                except openai.BadRequestError as error:
                    if form is plain or ("response_format" not in str(error) and "json_schema" not in str(error)):
                        break
        finally:
            transport.close()
        raise ModelFailed("the model's server refused the request", "check model.name", code="model_refused")

    def _asked(self, client: Any, system: str, user: str, wanted: dict[str, object]) -> str:
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        self.before()
        done = client.chat.completions.create(model=self.model, messages=messages, max_tokens=OUTPUT_TOKENS, temperature=0,
                                              response_format=wanted, stream=False)
        choice = done.choices[0] if getattr(done, "choices", None) else None
        if choice is None or not (choice.message.content or "").strip():
            raise ModelFailed("the model's answer was empty", "try again later", code="model_answer")
        return str(choice.message.content)[:ANSWER_LIMIT]

    def _watched(self, ask: Callable[[], str], close: Callable[[], None], cancelled: threading.Event) -> str:
        """Run the call beside us, so that activity ends the wait within a moment."""
        found: list[str] = []
        failed: list[Exception] = []

        def run() -> None:
            try:
                found.append(ask())
            except Exception as error:  # handed over to the waiting thread
                failed.append(error)

        worker = threading.Thread(target=run, name="model call", daemon=True)
        worker.start()
        until = time.monotonic() + self.seconds
        while worker.is_alive():
            worker.join(0.1)
            if time.monotonic() > until:  # a server that dribbles keeps every single read within its limit
                close()
                raise ModelFailed("the model did not answer in time", "raise model.timeout_seconds", code="model_away")
            if cancelled.is_set():
                close()
                raise ModelFailed("the run was cancelled by activity", "it is tried again later", code="cancelled")
        if failed:
            raise _named(failed[0])
        return found[0]


def _limit(response: Any) -> None:
    bound(response, BODY_LIMIT, "the model's server", "model.endpoint")


def _named(error: Exception) -> Exception:
    """Our own error for one of the SDK's; its text could hold the request, so only its kind is told."""
    import openai

    if isinstance(error, ModelFailed | openai.BadRequestError):
        return error
    if isinstance(error, openai.APITimeoutError):
        return ModelFailed("the model did not answer in time", "raise model.timeout_seconds", code="model_away")
    if isinstance(error, openai.APIConnectionError):
        return ModelFailed("the model's server cannot be reached", "check model.endpoint", code="model_away")
    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        return ModelFailed("the model's server refused the key", "check DEEPSEEDIAN_MODEL_KEY", code="model_refused")
    if isinstance(error, openai.APIStatusError):
        return ModelFailed(f"the model's server answered {error.status_code}", "try again later", code="model_refused")
    return ModelFailed(f"the model's server gave no usable answer ({type(error).__name__})", "try again later", code="model_answer")


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
