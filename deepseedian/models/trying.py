"""What works with a model: its server's list, and small calls that each try one thing. Bounded in time and in what is paid for."""

import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from deepseedian.errors import ModelFailed
from deepseedian.models.chat import OpenAIChat, Refused, loads
from deepseedian.models.connection import Connection, OutOfTime, named, result
from deepseedian.models.pieces import Finished, Piece, Reasoning, Text, ToolCall, Usage
from deepseedian.models.profiles import Profile
from deepseedian.models.streaming import OpenAIStreaming

STEP_SECONDS = 15.0
WHOLE_SECONDS = 55.0  # below what a command waits for its daemon
TOKENS = 200
LIST_LIMIT = 4_000_000
MOST_MODELS = 1000
NAMES = ("reachable", "key accepted", "model known", "plain answer", "streaming", "tool call", "JSON schema", "reasoning", "usage")
HELLO = "Reply with the single word: ready"
COLOR: dict[str, object] = {"type": "object", "additionalProperties": False, "required": ["color"],
         "properties": {"color": {"type": "string", "enum": ["red", "green"]}}}
TOOL: dict[str, object] = {"type": "function", "function": {"name": "set_lamp", "description": "Sets the lamp's color.",
                                                              "parameters": COLOR}}


@dataclass(slots=True)
class Tried:
    """One thing: `state` is ok, failed, or none (not there, not known, not tried)."""

    state: str = "none"
    reason: str = "not tried"
    milliseconds: float | None = None

    def document(self, name: str) -> dict[str, object]:
        took = round(self.milliseconds, 1) if self.milliseconds is not None else None
        return {"name": name, "state": self.state, "reason": self.reason, "milliseconds": took}


def listed(profile: Profile, seconds: float = STEP_SECONDS) -> list[str]:
    """The models that the server lists. Raises ModelFailed."""
    try:
        return _listed(profile, seconds)
    except OutOfTime:
        raise ModelFailed(f"{profile.server.who} did not answer in time", f"check {profile.server.setting}", code="model_away") from None
    except Exception as error:
        raise named(error, profile.server) from None


def _listed(profile: Profile, seconds: float) -> list[str]:
    connection = Connection(profile.server, profile.secret(), idle=seconds, most=LIST_LIMIT)

    def ask() -> Any:
        try:
            return connection.open().models.list()
        finally:
            connection.close()

    found = getattr(result("model list", ask, connection.cut, seconds), "data", None)
    names = [getattr(item, "id", None) for item in found] if isinstance(found, list) else []
    return [name for name in names if isinstance(name, str) and name.isprintable() and 0 < len(name) <= 200][:MOST_MODELS]


def tried(profile: Profile) -> dict[str, object]:
    """{"lines":[{"name","state","reason","milliseconds"}],"latencyMs": to the first piece of an answer}. Never raises ModelFailed."""
    trial = _Trial(profile, time.monotonic() + WHOLE_SECONDS)
    trial.run()
    first = trial.first
    return {"lines": [trial.lines[name].document(name) for name in NAMES], "latencyMs": round(first, 1) if first is not None else None}


@dataclass(slots=True)
class _Trial:
    profile: Profile
    until: float
    lines: dict[str, Tried] = field(default_factory=lambda: {name: Tried() for name in NAMES})
    first: float | None = None

    def run(self) -> None:
        if self._look():
            self._step("plain answer", self._plain)
            if self.lines["plain answer"].state == "ok":
                self._known()
            self._step("streaming", self._stream)
            self._step("tool call", self._tool)
            self._step("JSON schema", self._schema)

    def _look(self) -> bool:
        """Ask for the list, which costs nothing; whether there is any use in going on."""
        import openai

        reach, key, known = (self.lines[name] for name in NAMES[:3])
        began = time.monotonic()
        try:
            names = _listed(self.profile, STEP_SECONDS)
        except (openai.AuthenticationError, openai.PermissionDeniedError):
            reach.state, reach.reason = "ok", "it answers"
            key.state, key.reason = "failed", self.profile.server.key_hint
            return False
        except openai.APIStatusError as error:
            reach.state, reach.reason = "ok", "it answers"
            known.reason = f"it has no list of models ({error.status_code})"
            return True
        except Exception as error:  # whatever it is, it is no server that could be asked
            failed = named(error, self.profile.server)
            reach.state, reach.reason = "failed", "it did not answer in time" if isinstance(error, OutOfTime) else failed.message
            return False
        reach.state, reach.reason, reach.milliseconds = "ok", "it answers", (time.monotonic() - began) * 1000
        key.state, key.reason = "ok", "it was not refused" if self.profile.secret() else "none is set, and none is asked for"
        known.state, known.reason = _knows(names, self.profile.model)
        return True

    def _known(self) -> None:
        """An answer tells more than a list."""
        key, known = self.lines["key accepted"], self.lines["model known"]
        if key.state == "none":
            key.state, key.reason = "ok", "it answers with it" if self.profile.secret() else "none is set, and none is asked for"
        if known.state != "ok":
            known.state, known.reason = "ok", "it is not listed, but it answers"

    def _step(self, name: str, ask: Callable[[float], str]) -> None:
        """One call; what it returns is the reason why it is ok."""
        line, began = self.lines[name], time.monotonic()
        left = min(STEP_SECONDS, self.until - began)
        if left < 1:
            line.reason = "not tried: the time is up"
            return
        try:
            line.state, line.reason = "ok", ask(left)
        except Refused:
            line.state, line.reason = "failed", "the server refuses such a request"
        except ModelFailed as error:
            line.state, line.reason = "failed", error.message
            if error.hint == self.profile.server.key_hint:  # a list may be open to everybody
                self.lines["key accepted"] = Tried("failed", error.message)
        line.milliseconds = (time.monotonic() - began) * 1000

    def _chat(self, seconds: float) -> OpenAIChat:
        return OpenAIChat(self.profile.server, self.profile.model, seconds, self.profile.secret, TOKENS)

    def _plain(self, seconds: float) -> str:
        self._chat(seconds).asked(threading.Event(), messages=[{"role": "user", "content": HELLO}])
        return "it answers"

    def _turn(self, seconds: float, words: str, tools: list[dict[str, object]], must_call: bool = False) -> list[Piece]:
        port = OpenAIStreaming(self.profile.server, self.profile.model, self.profile.secret, idle=seconds, seconds=seconds,
                               must_call=must_call, cost=self.profile.cost)
        began, found = time.monotonic(), list[Piece]()
        for piece in port.turn([{"role": "user", "content": words}], tools, threading.Event(), output_tokens=TOKENS):
            if self.first is None:
                self.first = (time.monotonic() - began) * 1000
            found.append(piece)
        return found

    def _stream(self, seconds: float) -> str:
        found = self._turn(seconds, HELLO, [])
        self._also(found)
        pieces = sum(isinstance(piece, Text) for piece in found)
        if not pieces and not any(isinstance(piece, Reasoning) and piece.text for piece in found):
            raise ModelFailed("the stream held no answer", code="model_answer")
        return f"in {pieces} pieces" + (", cut off at the limit" if Finished("length") in found else "")

    def _also(self, found: list[Piece]) -> None:
        """What the same answer tells of reasoning and usage."""
        used = next((piece for piece in found if isinstance(piece, Usage)), None)
        thought = any(isinstance(piece, Reasoning) and piece.text for piece in found) or (used is not None and used.reasoning > 0)
        self.lines["reasoning"] = Tried("ok", "it shows what it thinks") if thought else Tried("none", "it shows none")
        cost = f", cost {used.cost:.6f}" if used is not None and used.cost is not None else ""
        self.lines["usage"] = (Tried("failed", "the server does not count tokens") if used is None
                               else Tried("ok", f"{used.input} tokens in, {used.output} out{cost}"))

    def _tool(self, seconds: float) -> str:
        began = time.monotonic()
        if self._calls(seconds, must_call=False):
            return "it calls the tool"
        made = False
        with suppress(ModelFailed):
            left = seconds - (time.monotonic() - began)
            made = left > 1 and self._calls(left, must_call=True)
        told = "the model calls the tool only when it is made to" if made else "the model did not call the tool"
        raise ModelFailed(told, code="model_answer")

    def _calls(self, seconds: float, *, must_call: bool) -> bool:
        found = self._turn(seconds, "Call the tool to set the lamp to green.", [TOOL], must_call)
        calls = [piece for piece in found if isinstance(piece, ToolCall)]
        if calls and (not _fits(calls[0].arguments) or calls[0].name != "set_lamp"):
            raise ModelFailed("the model's call does not fit the tool", code="model_answer")
        return bool(calls)

    def _schema(self, seconds: float) -> str:
        answer = self._chat(seconds).answer("Answer with one JSON object.", 'Choose a color: {"color": "red" or "green"}', COLOR,
                                            threading.Event())
        if not _fits(json.dumps(loads(answer))):
            raise ModelFailed("the answer does not fit the schema", code="model_answer")
        return "the answer fits"


def _fits(raw: str) -> bool:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("color") in ("red", "green")


def _knows(names: list[str], model: str) -> tuple[str, str]:
    if not names:
        return "none", "it lists no models"
    if model in names or f"{model}:latest" in names or f"models/{model}" in names:
        return "ok", "it is listed"
    return "failed", f"it is not among the {len(names)} that are listed (deepseedian model list)"
