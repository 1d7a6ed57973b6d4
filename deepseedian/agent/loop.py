"""The model loop of one turn: ask, carry out the tools it calls, ask again, until it answers.

Every piece is told live and every step is kept. Stopping, a broken server or a used-up budget ends the turn with a
named reason; what was answered so far stays. Within a turn the model's own reasoning goes back with its tool calls, as
some servers demand, also when it is empty; it never goes anywhere else.
"""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from deepseedian.agent.desk import Desk
from deepseedian.agent.turn import named
from deepseedian.core import secret
from deepseedian.errors import BadInput, DeepseedianError, ModelFailed, TooLarge
from deepseedian.models.pieces import Finished, Reasoning, Streaming, Text, ToolCall, Usage
from deepseedian.store.session_log import mended

MOST_ROUNDS = 12
MOST_CALLS = 32
TURN_SECONDS = 300.0
ANSWER_LIMIT = 200_000
PREVIEW = 500
Tell = Callable[[str, Mapping[str, object]], None]
Note = Callable[[str, Mapping[str, object], Mapping[str, object] | None], None]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a turn ended: `done`, `stopped` or `failed`, with what was answered by then."""

    state: str
    answer: str
    reason: str
    usage: dict[str, object]
    rounds: int
    error: DeepseedianError | None = None


@dataclass(slots=True)
class _Reply:
    """What one round gave. `reasoning` is None where the model has none, which is not the same as an empty one."""

    text: str = ""
    reasoning: str | None = None
    calls: list[ToolCall] = field(default_factory=list)
    reason: str = ""

    def message(self) -> dict[str, object]:
        """As it goes back to the model with the results of its calls."""
        calls = [{"id": call.id, "type": "function", "function": {"name": call.name, "arguments": _valid(call.arguments)}}
                 for call in self.calls]
        found: dict[str, object] = {"role": "assistant", "content": self.text or None, "tool_calls": calls}
        return found if self.reasoning is None else found | {"reasoning_content": self.reasoning}


def _valid(arguments: str) -> str:
    """Servers refuse a history whose arguments are no JSON; the model hears of it in the result."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except (ValueError, RecursionError):
        return "{}"


class Loop:
    """One turn. `tell` is told each piece as it comes, `note` each step when it is whole; both never raise."""

    def __init__(self, model: Streaming, desk: Desk, cancelled: threading.Event, monotonic: Callable[[], float], tell: Tell,
                 note: Note) -> None:
        self.model, self.desk, self.cancelled, self.monotonic = model, desk, cancelled, monotonic
        self.tell, self.note = tell, note
        self.rounds = 0
        self._said: list[str] = []
        self._calls = 0
        self._used: dict[str, float] = {}

    def run(self, messages: Sequence[Mapping[str, object]]) -> Ended:
        """Never raises for what a model, a server or a tool does."""
        history: list[Mapping[str, object]] = list(messages)
        until = self.monotonic() + TURN_SECONDS
        try:
            reason = self._answered(history, until)
        except DeepseedianError as error:
            if error.code == "cancelled":
                return self._ended("stopped", "stopped")
            return self._failed(error)
        except Exception as error:  # a fault of ours in between: what was answered by then still stays
            return self._failed(named(error))
        if not self._answer():
            return self._failed(_empty(reason))
        return self._ended("done", reason)

    def _answered(self, history: list[Mapping[str, object]], until: float) -> str:
        """Why the model finished. Raises what ends the turn otherwise."""
        repeated = False
        while True:
            last = self.rounds + 1 >= MOST_ROUNDS or self._calls >= MOST_CALLS
            reply = self._round(history, [] if last else self._offered(), until)
            if reply.calls and not last:
                history += [reply.message(), *(self._result(call) for call in reply.calls)]
            elif reply.text.strip() or reply.reason != "stop" or repeated:
                return reply.reason
            else:
                repeated = True  # an empty answer is no answer: asked once more, and then it is told

    def _offered(self) -> list[dict[str, object]]:
        return [{"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters}}
                for tool in self.desk.offered()]

    def _round(self, history: Sequence[Mapping[str, object]], offered: Sequence[Mapping[str, object]], until: float) -> _Reply:
        self.rounds += 1
        size = sum(len(json.dumps(message, ensure_ascii=False)) for message in history)
        self.note("request", {"round": self.rounds, "messages": len(history), "characters": size, "tools": len(offered),
                              "model": self.model.name}, None)
        reply = _Reply()
        try:
            for piece in self.model.turn(history, offered, self.cancelled):
                self._took(piece, reply)
                if self.monotonic() > until:
                    raise ModelFailed("the turn took too long", "ask for less at once", code="model_timeout")
        finally:  # what came by then is kept, whatever ended it
            if reply.reasoning:
                self.note("reasoning", {"round": self.rounds, "text": reply.reasoning}, None)
            if reply.text.strip():
                self._said.append(reply.text)
        return reply

    def _took(self, piece: object, reply: _Reply) -> None:
        if isinstance(piece, Text):
            reply.text += piece.text
            if sum(map(len, self._said)) + len(reply.text) > ANSWER_LIMIT:
                raise ModelFailed(f"the answer is longer than {ANSWER_LIMIT} characters", "it was cut there", code="model_answer")
            self.tell("delta", {"text": piece.text})
        elif isinstance(piece, Reasoning):
            reply.reasoning = (reply.reasoning or "") + piece.text
            if piece.text:
                self.tell("reasoning", {"text": piece.text})
        elif isinstance(piece, ToolCall):
            reply.calls.append(piece)
        elif isinstance(piece, Usage):
            self._use(piece)
        elif isinstance(piece, Finished):
            reply.reason = piece.reason

    def _use(self, piece: Usage) -> None:
        used = {"input": piece.input, "output": piece.output, "cached": piece.cached, "reasoning": piece.reasoning}
        shown: dict[str, object] = dict(used) | ({"cost": piece.cost} if piece.cost is not None else {})
        for name, number in shown.items():
            self._used[name] = self._used.get(name, 0) + float(str(number))
        self.note("usage", {"round": self.rounds}, shown)
        self.tell("usage", shown)

    # Tools

    def _result(self, call: ToolCall) -> dict[str, object]:
        """The message that answers one call; a call that cannot be carried out is answered with its reason."""
        self._calls += 1
        self.note("tool_call", {"round": self.rounds, "id": call.id, "name": call.name, "arguments": call.arguments[:PREVIEW * 4]}, None)
        self.tell("tool", {"id": call.id, "name": call.name, "arguments": call.arguments[:PREVIEW], "state": "called"})
        found, failed = self._carried_out(call)
        written = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
        self.note("tool_result", {"id": call.id, "name": call.name, "failed": failed, "characters": len(written), "result": found}, None)
        self.tell("tool", {"id": call.id, "name": call.name, "state": "failed" if failed else "done", "preview": written[:PREVIEW]})
        return {"role": "tool", "tool_call_id": call.id, "content": written}

    def _carried_out(self, call: ToolCall) -> tuple[Mapping[str, object], bool]:
        if self.cancelled.is_set():
            raise ModelFailed("the turn was stopped", "", code="cancelled")
        try:
            if self._calls > MOST_CALLS:  # a round may hold any number of them
                raise TooLarge(f"a turn may call tools {MOST_CALLS} times", "answer with what you have", code="tool_budget")
            return self.desk.call(call.name, _arguments(call)), False
        except Exception as error:  # of a fault inside only its kind is told: a tool that breaks ends no turn
            return secret.masked_in(named(error).document(), named=True), True

    # The end

    def _answer(self) -> str:
        return mended("\n\n".join(self._said).strip())

    def _ended(self, state: str, reason: str, error: DeepseedianError | None = None) -> Ended:
        usage: dict[str, object] = {name: number if name == "cost" else int(number) for name, number in self._used.items()}
        return Ended(state, self._answer(), reason, usage, self.rounds, error)

    def _failed(self, error: DeepseedianError) -> Ended:
        return self._ended("failed", error.code, error)


def _arguments(call: ToolCall) -> object:
    if not call.arguments.strip():
        return {}
    try:
        return json.loads(call.arguments)
    except (ValueError, RecursionError):
        raise BadInput("the arguments are not JSON", f"call {call.name} again with one JSON object") from None


def _empty(reason: str) -> ModelFailed:
    if reason == "length":
        return ModelFailed("the answer was cut off before it began: the model used up its tokens", "ask for less, or raise its limit",
                           code="model_cut")
    if reason == "content_filter":
        return ModelFailed("the model's provider refused to answer", "put the question differently", code="model_refused")
    return ModelFailed("the model's answer was empty, twice", "ask again, or try another model", code="model_answer")
