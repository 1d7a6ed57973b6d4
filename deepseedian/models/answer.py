"""One answer of a model, put together from the documents of its stream (or from the only one of a server without streams)."""

from collections.abc import Callable, Iterator

from deepseedian.errors import ModelFailed
from deepseedian.models.calls import Calls
from deepseedian.models.events import Event
from deepseedian.models.pieces import Finished, Piece, Reasoning, Text, Usage

_REASONS = {
    "stop": "stop", "eos": "stop", "eos_token": "stop", "end_turn": "stop", "stop_sequence": "stop", "complete": "stop",
    "length": "length", "max_tokens": "length", "model_length": "length", "max_output_tokens": "length",
    "tool_calls": "tool_calls", "function_call": "tool_calls", "tool_use": "tool_calls",
    "content_filter": "content_filter", "safety": "content_filter", "sensitive": "content_filter", "refusal": "content_filter",
}
_BROKEN = ("error", "insufficient_system_resource", "network_error", "abort", "aborted", "cancelled")
_PASSING_WORDS = ("overload", "rate_limit", "too_many", "server_error", "internal", "unavailable", "timeout", "capacity", "busy")


class Interrupted(Exception):
    """The server gave up or the line broke; before output began it may be asked again. `after`: the seconds it asked us to wait."""

    def __init__(self, error: ModelFailed, after: float | None = None) -> None:
        super().__init__()
        self.error, self.after = error, after


class Answer:
    """Give it events with `take`, then `end`. `began`: output was seen; `whole`: the server said how it ended.

    `cost` of (input, cached, output) tokens, None when prices are not known.
    """

    def __init__(self, cost: Callable[[int, int, int], float | None] = lambda input, cached, output: None) -> None:
        self._cost = cost
        self._calls = Calls()
        self._usage: dict[str, object] = {}
        self._reason = ""
        self._thought = self._refused = self._answered = False
        self.thought_name = ""  # what this server calls reasoning
        self.began = False

    @property
    def whole(self) -> bool:
        return bool(self._reason)

    def take(self, event: Event) -> Iterator[Piece]:
        """Raises ModelFailed, Interrupted."""
        document = event.document
        if event.kind == "error" or document.get("error") or document.get("object") == "error":
            told = _told(document)
            raise Interrupted(told) if isinstance(told, ModelFailed) and self.began else told
        if isinstance(usage := document.get("usage"), dict):
            self._usage = usage
        choice = _first(document.get("choices"))
        if choice is None:
            return
        self._answered = True
        delta = choice.get("delta")
        if not isinstance(delta, dict) and not self.began:
            delta = _as_delta(choice.get("message"))
        yield from self._delta(delta if isinstance(delta, dict) else {}, event.damaged)
        if isinstance(reason := choice.get("finish_reason"), str) and reason:
            self._ended(reason.lower())

    def _delta(self, delta: dict[str, object], damaged: bool) -> Iterator[Piece]:
        yield from self._reasoning(delta)
        for piece in _parts(delta.get("content")):
            if piece.text:
                self.began = True
                yield piece
        if isinstance(refusal := delta.get("refusal"), str) and refusal:
            self.began = self._refused = True
            yield Text(refusal)
        found = delta.get("tool_calls")
        pieces = list(found) if isinstance(found, list) else []
        if isinstance(old := delta.get("function_call"), dict):
            pieces.append({"index": 0, "function": old})
        if pieces and damaged:
            raise ModelFailed("the model's tool call came damaged", "nothing was done", code="model_answer")
        for piece in pieces:
            self.began |= self._calls.take(piece)

    def _reasoning(self, delta: dict[str, object]) -> Iterator[Piece]:
        """An empty one is told once, since to have given none and to have given nothing are two things."""
        for name in ("reasoning_content", "reasoning"):
            if isinstance(text := delta.get(name), str) and (text or not self._thought):
                self.began |= bool(text)
                self._thought, self.thought_name = True, name
                yield Reasoning(text)
                return

    def _ended(self, reason: str) -> None:
        if reason in _BROKEN:
            raise Interrupted(ModelFailed("the model's server gave up", "try again later", code="model_away"))
        self._reason = _REASONS.get(reason, "stop")

    def end(self, done: bool) -> Iterator[Piece]:
        """Calls, usage and how it ended; `done`: the stream said that this is all. Raises ModelFailed, Interrupted."""
        if not self._reason and not done:
            raise Interrupted(ModelFailed("the model's answer ended before it began", "try again later", code="model_away"))
        if not self._answered:
            raise ModelFailed("the model's answer held nothing", "is it a server for chat completions?", code="model_answer")
        yield from self._calls.finished()
        if self._usage:
            yield self._counted()
        yield Finished(self._told_reason())

    def _told_reason(self) -> str:
        reason = self._reason or "stop"
        if reason in ("stop", "tool_calls"):
            reason = "tool_calls" if self._calls else "stop"
        return "content_filter" if self._refused and reason == "stop" else reason

    def _counted(self) -> Usage:
        usage = self._usage
        input, output = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
        cached = _count(_inside(usage, "prompt_tokens_details", "cached_tokens")) or _count(usage.get("prompt_cache_hit_tokens"))
        thought = _count(_inside(usage, "completion_tokens_details", "reasoning_tokens"))
        cached = min(cached, input)
        return Usage(input, output, cached, thought, self._cost(input, cached, output))


def _told(document: dict[str, object]) -> Exception:
    """An error that came as an answer. Its words could repeat the request, so they are not told."""
    error = document.get("error")
    about = error if isinstance(error, dict) else document
    kinds = " ".join(str(about.get(name, "")) for name in ("code", "type", "status")).lower()[:200]
    status = next((int(word) for word in kinds.split() if word.isascii() and word.isdigit() and len(word) == 3), 0)
    if status in (401, 403) or "authentication" in kinds or "invalid_api_key" in kinds:
        return ModelFailed("the model's server refused the key", "deepseedian key list shows what is set", code="model_refused")
    failed = ModelFailed(f"the model's server told of an error{f' ({status})' if status else ''}", "try again later",
                         code="model_refused" if status and status < 500 else "model_away")
    passing = status >= 500 or status in (408, 429) or any(word in kinds for word in _PASSING_WORDS)
    return Interrupted(failed) if passing else failed


def _first(choices: object) -> dict[str, object] | None:
    found = choices if isinstance(choices, list) else []
    return next((item for item in found if isinstance(item, dict) and item.get("index") in (0, None)), None)


def _as_delta(message: object) -> dict[str, object] | None:
    """A whole message as if it were one piece."""
    if not isinstance(message, dict):
        return None
    calls = message.get("tool_calls")
    numbered = [item | {"index": number} for number, item in enumerate(calls) if isinstance(item, dict)] if isinstance(calls, list) else []
    return message | {"tool_calls": numbered}


def _parts(content: object) -> Iterator[Text | Reasoning]:
    """Content is a text, or a list of parts of which some are thought."""
    if isinstance(content, str):
        yield Text(content)
    for part in content if isinstance(content, list) else []:
        if not isinstance(part, dict):
            continue
        if isinstance(text := part.get("text"), str):
            yield Text(text)
        elif (thought := part.get("thinking")) is not None:
            inner = thought if isinstance(thought, list) else [{"text": thought}]
            yield from (Reasoning(item["text"]) for item in inner if isinstance(item, dict) and isinstance(item.get("text"), str))


def _inside(usage: dict[str, object], name: str, key: str) -> object:
    found = usage.get(name)
    return found.get(key) if isinstance(found, dict) else None


def _count(value: object) -> int:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 10**12 else 0
