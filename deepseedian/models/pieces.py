"""The pieces a model's turn is made of, and the port that gives them."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A piece of what the model thought. One that is empty means: it gave this part, and nothing stands in it."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A whole call; `arguments` is the JSON text as the model gave it, which may be no JSON at all."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens; `cached` is a part of `input`, `reasoning` of `output`. `cost` needs prices, in whatever currency they are."""

    input: int
    output: int
    cached: int
    reasoning: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class Finished:
    """stop, length (cut off at the limit of tokens), tool_calls, or content_filter (also for a refusal)."""

    reason: str


Piece = Text | Reasoning | ToolCall | Usage | Finished


class Streaming(Protocol):
    """A model that answers in pieces. `name` is the model's, `images` whether it takes them."""

    name: str
    images: bool

    def turn(self, messages: Sequence[Mapping[str, object]], tools: Sequence[Mapping[str, object]], cancelled: threading.Event, *,
             output_tokens: int = 4096) -> Iterator[Piece]:
        """One answer: text and reasoning as they come, then tool calls in order, Usage if the server told it, Finished.

        `messages` and `tools` are written as for OpenAI's chat completions. Raises ModelFailed: model_away, model_refused,
        model_answer, model_cut (after output began), model_timeout, cancelled.
        """
        ...
