"""A turn with a chat model, streamed, through any OpenAI-compatible server.

It is asked again only while nothing of an answer was seen, twice at most, and not before the server's own wish; from the
first piece on a failure is told as a cut. Three things end a turn: no byte for `idle` seconds (a comment counts as a sign of
life, since busy servers send nothing else for minutes), the limit on the whole turn, and the caller. Servers that know less
than is asked for are met half-way: without usage in the stream, with the other name for the limit of tokens, without streams.
"""

import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from deepseedian.errors import ModelFailed
from deepseedian.models.answer import Answer, Interrupted
from deepseedian.models.connection import Beside, Connection, Ended, OutOfTime, Server, Stopped, named, sendable
from deepseedian.models.events import Events
from deepseedian.models.pieces import Finished, Piece, Reasoning, Streaming, Text, ToolCall, Usage

__all__ = ["Finished", "OpenAIStreaming", "Piece", "Reasoning", "Streaming", "Text", "ToolCall", "Usage"]

BODY_LIMIT = 64_000_000
RETRIES = 2
PAUSES = (0.5, 1.5)
LONGEST_PAUSE = 20.0
LAST_SECONDS = 5.0  # once the answer is whole: how long to wait for its usage
_PASSING = (408, 409, 429, 500, 502, 503, 504, 520, 522, 524, 529)
_UNKNOWN = re.compile(r"(?:unknown|unrecogni[sz]ed|unexpected|extra|unsupported|not permitted|not supported).{0,40}"
                      r"(?:field|param|argument|key|propert|input)", re.I | re.S)


class OpenAIStreaming:
    """One model of one server. `key` is asked for at each call and never kept; `idle` and `seconds` are limits.

    With `must_call` an answer has to be a call of one of the tools, which servers with a grammar hold even a small model to.
    """

    def __init__(self, server: Server, model: str, key: Callable[[], str], *, images: bool = False, idle: float = 60.0,
                 seconds: float = 120.0, must_call: bool = False, retries: int = RETRIES,
                 cost: Callable[[int, int, int], float | None] = lambda input, cached, output: None) -> None:
        self.must_call, self.retries = must_call, retries
        self.server, self.name, self.images, self.key = server, model, images, key
        self.idle, self.seconds, self.cost = idle, seconds, cost
        self._counts = True  # whether the server is asked for usage
        self._most = "max_tokens"
        self._thought = "reasoning_content"

    def turn(self, messages: Sequence[Mapping[str, object]], tools: Sequence[Mapping[str, object]], cancelled: threading.Event, *,
             output_tokens: int = 4096) -> Iterator[Piece]:
        """See Streaming."""
        until = time.monotonic() + self.seconds
        pauses = iter(PAUSES[:self.retries])
        while True:
            try:
                yield from self._once(messages, tools, cancelled, output_tokens, until)
                return
            except Interrupted as failed:
                wait = 0.0 if failed.after == 0 else next(pauses, None)
                if wait is None:
                    raise failed.error from None
                self._pause(max(wait, min(failed.after or 0.0, LONGEST_PAUSE)), failed.error, cancelled, until)

    def _pause(self, seconds: float, error: ModelFailed, cancelled: threading.Event, until: float) -> None:
        if time.monotonic() + seconds >= until:
            raise error
        if cancelled.wait(seconds):
            raise _stopped()

    def _once(self, messages: Sequence[Mapping[str, object]], tools: Sequence[Mapping[str, object]], cancelled: threading.Event,
              output_tokens: int, until: float) -> Iterator[Piece]:
        """One request. Raises Interrupted while nothing of an answer was seen, ModelFailed."""
        answer = Answer(self.cost)
        connection = Connection(self.server, self.key(), idle=self.idle + LAST_SECONDS, most=BODY_LIMIT)
        asked = self._asked(messages, tools, output_tokens)
        beside = Beside("model turn", lambda put: _stream(connection, asked, put), connection.cut)
        try:
            yield from self._read(beside, answer, cancelled, until)
        except Stopped:
            raise _stopped() from None
        except OutOfTime as late:
            raise self._late(late) from None
        except Exception as error:
            raise self._failed(error, answer) from None
        finally:
            self._thought = answer.thought_name or self._thought
            beside.leave()

    def _read(self, beside: Beside, answer: Answer, cancelled: threading.Event, until: float) -> Iterator[Piece]:
        events, done = Events(), False
        while not done:
            try:
                item = beside.next(until, cancelled, min(self.idle, LAST_SECONDS) if answer.whole else self.idle)
            except Stopped:
                raise
            except Exception:
                if not answer.whole:
                    raise
                break  # all is here but perhaps the usage
            for event in events.end() if isinstance(item, Ended) else events.feed(item):
                done = done or event.kind in ("done", "whole")
                if event.kind != "done":
                    yield from answer.take(event)
                if cancelled.is_set():
                    raise Stopped
            if isinstance(item, Ended):
                break
        yield from answer.end(done)

    def _late(self, late: OutOfTime) -> ModelFailed:
        if late.whole:
            return ModelFailed("the model did not answer in time", "raise model.timeout_seconds", code="model_timeout")
        return ModelFailed(f"the model was silent for {self.idle:g} seconds", "raise model.idle_seconds", code="model_timeout")

    def _failed(self, error: Exception, answer: Answer) -> Exception:
        """What a failure means: after output began nothing is asked again."""
        if isinstance(error, Interrupted):
            return _cut() if answer.began else error
        found = named(error, self.server)
        if isinstance(error, ModelFailed):
            return found
        if answer.began:
            return _cut()
        after = self._again(error)
        return found if after is None else Interrupted(found, after)

    def _again(self, error: Exception) -> float | None:
        """How long to wait before asking again, 0 for at once with less; None: not at all."""
        import openai

        if not isinstance(error, openai.APIStatusError):
            passing = isinstance(error, openai.APIConnectionError) and not isinstance(error, openai.APITimeoutError)
            return 0.001 if passing or _is_line(error) else None
        if error.status_code in (400, 422):
            return 0.0 if self._asks_less(str(error)[:20_000]) else None
        return retry_after(error.response.headers, datetime.now(UTC)) if error.status_code in _PASSING else None

    def _asks_less(self, text: str) -> bool:
        """Whether the refusal names something that can be asked for otherwise; from now on it is."""
        if self._most == "max_tokens" and "max_completion_tokens" in text:
            self._most = "max_completion_tokens"
            return True
        if self._counts and ("stream_options" in text or "include_usage" in text or _UNKNOWN.search(text)):
            self._counts = False
            return True
        return False

    def _asked(self, messages: Sequence[Mapping[str, object]], tools: Sequence[Mapping[str, object]], output_tokens: int) -> dict[str, Any]:
        asked: dict[str, Any] = {"model": self.name, "messages": [self._message(item) for item in messages], "stream": True,
                                 self._most: output_tokens}
        if tools:
            asked["tools"] = list(tools)
            if self.must_call:
                asked["tool_choice"] = "required"
        if self._counts:
            asked["stream_options"] = {"include_usage": True}
        found: dict[str, Any] = sendable(asked)
        return found

    def _message(self, message: Mapping[str, object]) -> dict[str, object]:
        """With the name that this server gave to reasoning."""
        found = dict(message)
        if self._thought != "reasoning_content" and "reasoning_content" in found:
            found[self._thought] = found.pop("reasoning_content")
        return found


def _stream(connection: Connection, asked: Mapping[str, Any], put: Callable[[object], None]) -> None:
    """In the thread beside: ask, and hand over bytes as they come."""
    try:
        client = connection.open()
        with client.chat.completions.create(**asked) as stream:  # its own reading of events stops at the first odd line
            for data in stream.response.iter_bytes():
                put(data)
    finally:
        connection.close()


def _is_line(error: Exception) -> bool:
    """Whether the connection broke while bytes came; below the SDK, which does not name this one."""
    import httpx2

    return isinstance(error, httpx2.TransportError) and not isinstance(error, httpx2.TimeoutException)


def retry_after(headers: Mapping[str, str], now: datetime) -> float:
    """The seconds a server asked us to wait, 0.001 when it said nothing that can be read."""
    wish = headers.get("retry-after", "").strip()
    with suppress(ValueError):
        milliseconds = headers.get("retry-after-ms", "").strip()
        return _bounded(float(milliseconds) / 1000 if milliseconds else float(wish))
    with suppress(ValueError, TypeError, OverflowError):
        found = parsedate_to_datetime(wish)
        return _bounded(((found if found.tzinfo else found.replace(tzinfo=UTC)) - now).total_seconds())
    return 0.001


def _bounded(seconds: float) -> float:
    return min(max(seconds, 0.001), LONGEST_PAUSE) if seconds == seconds else 0.001


def _stopped() -> ModelFailed:
    return ModelFailed("the turn was stopped", "ask again when you like", code="cancelled")


def _cut() -> ModelFailed:
    return ModelFailed("the model's answer was cut off", "ask again; what came so far is kept", code="model_cut")
