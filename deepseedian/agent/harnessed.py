"""A turn that DeepSeek Harness runs in place of our own loop: the same question, told and kept the same way.

Its tools are ours over MCP, so none of them changes memory; it has carried a call out by the time we hear of it.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict

from deepseedian.agent.loop import PREVIEW, Ended, Note, Tell
from deepseedian.errors import DeepseedianError, ModelFailed
from deepseedian.models.harness import Call, Result, Spent

Pieces = Callable[[str, threading.Event, str], Iterator[tuple[str, object]]]


class Harnessed:
    """One turn. `pieces` gives what happens for (text, cancelled, instructions); `name` is the model's."""

    def __init__(self, name: str, pieces: Pieces, cancelled: threading.Event, tell: Tell, note: Note) -> None:
        self.name, self.pieces, self.cancelled, self.tell, self.note = name, pieces, cancelled, tell, note
        self._said: list[str] = []
        self._names: dict[str, str] = {}
        self._used: dict[str, int] = {}
        self._reason = "stop"

    def run(self, messages: Sequence[Mapping[str, object]]) -> Ended:
        """Never raises for what the harness or its model does."""
        instructions, text = flat(messages)
        self.note("request", {"round": 1, "messages": len(messages), "characters": len(instructions) + len(text), "tools": 0,
                              "model": self.name, "runtime": "dsh"}, None)
        try:
            for kind, value in self.pieces(text, self.cancelled, instructions):
                self._took(kind, value)
        except DeepseedianError as error:
            stopped = error.code == "cancelled"
            return self._ended("stopped" if stopped else "failed", "stopped" if stopped else error.code, None if stopped else error)
        if not self._answer():
            empty = ModelFailed("the model's answer was empty", "ask again, or try another model", code="model_answer")
            return self._ended("failed", empty.code, empty)
        return self._ended("done", self._reason)

    def _took(self, kind: str, value: object) -> None:
        if isinstance(value, Call):
            self._names[value.id] = value.name
            self.note("tool_call", {"round": 1, "id": value.id, "name": value.name, "arguments": value.arguments[:PREVIEW * 4]}, None)
            self.tell("tool", {"id": value.id, "name": value.name, "arguments": value.arguments[:PREVIEW], "state": "called"})
        elif isinstance(value, Result):
            name = self._names.get(value.id, "")
            self.note("tool_result", {"id": value.id, "name": name, "failed": value.failed, "result": value.text}, None)
            self.tell("tool", {"id": value.id, "name": name, "state": "failed" if value.failed else "done",
                               "preview": value.text[:PREVIEW]})
        elif isinstance(value, Spent):
            self._spent(value)
        elif kind == "text":
            self._said.append(str(value))
            self.tell("delta", {"text": str(value)})
        elif kind == "reasoning":
            self.note("reasoning", {"round": 1, "text": str(value)}, None)
            self.tell("reasoning", {"text": str(value)})
        elif kind == "finished":
            self._reason = str(value)

    def _spent(self, value: Spent) -> None:
        for name, number in asdict(value).items():
            self._used[name] = self._used.get(name, 0) + number
        self.note("usage", {"round": 1}, asdict(value))
        self.tell("usage", asdict(value))

    def _answer(self) -> str:
        return "\n\n".join(part.strip() for part in self._said if part.strip())

    def _ended(self, state: str, reason: str, error: DeepseedianError | None = None) -> Ended:
        return Ended(state, self._answer(), reason, dict(self._used), 1, error)


def flat(messages: Sequence[Mapping[str, object]]) -> tuple[str, str]:
    """(instructions, one text): the harness takes one message a turn, so the turns so far stand before it, named as such."""
    instructions = "\n".join(str(message["content"]) for message in messages if message["role"] == "system")
    *earlier, last = (message for message in messages if message["role"] != "system")
    content = last["content"]
    if not isinstance(content, str):
        raise ModelFailed("DeepSeek Harness takes no images here", "leave the picture out, or set runtime to native", code="model_refused")
    told = [f"{'Person' if message['role'] == 'user' else 'You'}: {message['content']}" for message in earlier]
    return instructions, "\n\n".join((*(["Earlier in this conversation:", *told] if told else []), content))
