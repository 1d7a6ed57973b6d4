"""One turn in DeepSeek Harness instead of our own loop, through its Python SDK (the extra `dsh`).

DSH runs in a process and a home folder of its own below the state folder, with our MCP server as its only tools: none of its
own can touch a file, nothing of it is told to anybody, no session log goes with a request. Its provider profiles and keys
are used by reference: DSH reads them itself where its owner keeps them, they never pass through here.

A turn is given as (kind, value) pairs in the order in which things happened:

    ("reasoning", str)  ("text", str)  ("tool_call", Call)  ("tool_result", Result)  ("usage", Spent)  ("finished", "stop" | "length")

Whole messages, not pieces of words: that is what the SDK hands over.
"""

import json
import queue
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from deepseedian.config.files import replace_file
from deepseedian.config.folders import private
from deepseedian.errors import ModelFailed

OWN = "deepseedian"
OWN_KEY = "DEEPSEEDIAN_MODEL_KEY"
START_SECONDS = 40.0
POLL_SECONDS = 0.1
PATCH_LIMIT = 1 << 20
_TOOLS = ("tool-bash", "tool-pwsh", "tool-jobs", "tool-fs", "tool-fs-search", "tool-skill", "tool-subagent-control",
          "tool-subagent-list-agents", "tool-subagent", "tool-subagent-fork", "tool-workflow", "tool-todo", "tool-goal", "tool-web",
          "tool-working-directory", "tool-plugin-manager", "plan-mode", "mcp-resources")
_ENDS = {"completed": "stop", "max-tokens": "length", "length": "length"}
_PROVIDERS = re.compile(r"^- id: llm-pi-ai[ \t]*\r?\n(?:[ \t]+.*(?:\r?\n|\Z)|[ \t]*\r?\n)*", re.M)


@dataclass(frozen=True, slots=True)
class Call:
    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Result:
    id: str
    text: str
    failed: bool


@dataclass(frozen=True, slots=True)
class Spent:
    input: int
    output: int
    cached: int
    reasoning: int


@dataclass(frozen=True, slots=True)
class Harness:
    """`server` starts our MCP server; `provider` is one saved in the DSH home `saved`, or empty for the model at `endpoint`."""

    home: Path
    server: Sequence[str]
    model: str
    provider: str = ""
    saved: Path | None = None
    endpoint: str = ""
    key: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)

    def patch(self, instructions: str) -> str:
        """What is laid over DSH's own profile."""
        rows = [f"- {{id: {name}, disabled: true}}" for name in _TOOLS]
        rows += ["- {id: session-log-deepseek, config: {enabled: false}}",
                 "- {id: plugin-package-inventory-deepseek, config: {enabled: false}}",
                 "- {id: session-telemetry-otel, config: {mode: DISABLED}}",
                 "- {id: system-prompt, config: {includeHarnessIdentity: false, includeRuntimeContext: false, "
                 f"personaPrefix: {_q(instructions)}}}}}",
                 f"- insert: [{{id: {OWN}-mcp, name: '@deepseek-ai/dsh-mcp-client', config: {_q(self._server())}}}]"]
        if self.saved is not None:
            rows.append(f"- {{id: credentials, config: {{dshHome: {_q(str(self.saved))}, watch: false}}}}")
        if not self.provider:
            rows.append(f"- {{id: llm-pi-ai, config: {{providers: {{{OWN}: {_q(self._own())}}}}}}}")
        return "\n".join(rows) + "\n" + (saved_providers(self.saved) if self.provider and self.saved is not None else "")

    def _server(self) -> dict[str, object]:
        words = list(self.server)
        return {"serverName": OWN, "transport": "stdio", "command": words[0], "args": words[1:], "env": dict(self.environment),
                "failOnStartupError": True}

    def _own(self) -> dict[str, object]:
        return {"displayName": "Deepseedian", "api": "openai-completions", "baseURL": self.endpoint, "apiKeyEnv": OWN_KEY,
                "models": [{"id": self.model, "contextWindow": 64_000, "maxTokens": 4_000}]}


def available() -> bool:
    """Whether the extra is installed."""
    return find_spec("deepseek_harness") is not None and find_spec("deepseek_harness_runtime") is not None


def saved_providers(home: Path) -> str:
    """The rows with provider profiles in a DSH home's patch files: names and addresses, keys only by their names."""
    found = ""
    for file in (*sorted(home.glob("profiles/*/cordis.patch.yml")), home / "cordis.patch.yml"):
        try:
            text = file.read_bytes()[:PATCH_LIMIT].decode()
        except (OSError, UnicodeDecodeError):
            continue
        if match := _PROVIDERS.search(text):
            found = match[0].rstrip() + "\n"  # the home's own patch is laid over those of profiles
    return found


def provider_names(home: Path) -> list[str]:
    """The providers that a DSH home offers: DSH's own, and those its owner saved."""
    _, _, rows = saved_providers(home).partition("providers:")
    lines = [line for line in rows.splitlines()[1:] if line.strip()]
    first = _indent(lines[0]) if lines else 0
    names = [line.strip().partition(":")[0] for line in lines if _indent(line) == first and ":" in line]
    return ["deepseek-official", *names]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def turn(harness: Harness, text: str, cancelled: threading.Event, *, instructions: str = "", seconds: float = 120.0
         ) -> Iterator[tuple[str, object]]:
    """Run one turn. Raises ModelFailed: model_away, model_refused, model_answer, model_timeout, cancelled."""
    if not available():
        raise ModelFailed("DeepSeek Harness is not installed", "pip install --pre 'deepseedian[dsh]'", code="model_away")
    told: queue.Queue[object] = queue.Queue()
    client = _client(harness, instructions)
    thread = threading.Thread(target=_run, args=(client, text, told), name="dsh-turn", daemon=True)
    thread.start()
    finished = False
    try:
        for event in _events(told, cancelled, time.monotonic() + seconds):
            for piece in pieces(event):
                finished = finished or piece[0] == "finished"
                yield piece
        if not finished:
            raise ModelFailed("the turn ended without an end", "try again", code="model_answer")
    finally:
        # It may take seconds, and nobody waits for it; begun here, so that it ends also when the start is still going on.
        threading.Thread(target=_close, args=(client, thread), name="dsh-close", daemon=True).start()


def _client(harness: Harness, instructions: str) -> Any:
    from deepseek_harness import DeepSeekHarness

    work = private(private(harness.home) / "work")
    patch = harness.home / f"{OWN}.patch.yml"
    replace_file(patch, harness.patch(instructions).encode())
    environment = {"DSH_TELEMETRY_MODE": "DISABLED", "DSH_PERMISSION_MODE": "read-only"}
    if not harness.provider:
        environment[OWN_KEY] = harness.key or "none"
    return DeepSeekHarness(dsh_home=str(harness.home), cwd=str(work), profile="sdk", provider=harness.provider or OWN,
                           model=harness.model, patches=(str(patch),), env=environment, initialize_timeout_seconds=START_SECONDS)


def _run(client: Any, text: str, told: "queue.Queue[object]") -> None:
    """In its own thread: the SDK waits without an end of its own."""
    try:
        result = client.run(text, on_notification=lambda item: told.put(item.payload) if item.method == "session.event" else None)
        told.put(result.session_id)
    except Exception as error:
        told.put(error)


def _close(client: Any, thread: threading.Thread) -> None:
    """End the process, also one that is only just being started, and the pipes that the SDK leaves open."""
    processes = []
    running = True
    while running:
        running = thread.is_alive()
        if process := getattr(client.client, "_proc", None):
            processes.append(process)
        client.close()
        thread.join(0.2)
    for pipe in (pipe for process in processes for pipe in (process.stdin, process.stdout, process.stderr) if pipe is not None):
        pipe.close()


def _events(told: "queue.Queue[object]", cancelled: threading.Event, until: float) -> Iterator[Mapping[str, Any]]:
    """The events of the root session, until the turn is over."""
    session = ""
    while True:
        if cancelled.is_set():
            raise ModelFailed("the turn was stopped", code="cancelled")
        if time.monotonic() > until:
            raise ModelFailed("DeepSeek Harness did not finish in time", "try again", code="model_timeout")
        try:
            item = told.get(timeout=POLL_SECONDS)
        except queue.Empty:
            continue
        if isinstance(item, str):
            return
        if isinstance(item, Exception):
            raise _failure(item)
        if isinstance(item, dict) and isinstance(event := item.get("event"), dict):
            session = session or str(item.get("sessionId"))
            if item.get("sessionId") == session:
                yield event


def _failure(error: Exception) -> ModelFailed:
    """The first line alone: what follows may hold the environment of the process."""
    said = (str(error).splitlines() or [""])[0][:200]
    code = "model_timeout" if isinstance(error, TimeoutError) else "model_away"
    return ModelFailed(f"DeepSeek Harness failed: {said or type(error).__name__}", "deepseedian connect dsh", code=code)


def pieces(event: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """What an event of DSH means to us. Raises ModelFailed when the turn ended badly."""
    kind, data = event.get("type"), event.get("data")
    if not isinstance(data, dict):
        return
    if kind == "assistant/message":
        for block in _blocks(data.get("message")):
            if block.get("type") in ("text", "reasoning") and block.get("text"):
                yield str(block["type"]), str(block["text"])
        if isinstance(usage := data.get("usage"), dict):
            yield "usage", Spent(*(_count(usage, name) for name in ("inputTokens", "outputTokens", "cachedInputTokens", "reasoningTokens")))
    elif kind == "tool/call":
        yield "tool_call", Call(str(data.get("callId")), str(data.get("name")), str(data.get("arguments")))
    elif kind == "tool/result":
        message = data["message"] if isinstance(data.get("message"), dict) else {}
        text = "\n".join(str(block.get("text")) for block in _blocks(message) if block.get("type") == "text")
        yield "tool_result", Result(str(message.get("toolCallId")), text, bool(message.get("isError")))
    elif kind == "turn/end":
        yield "finished", _end(data.get("reason"))


def _end(reason: object) -> str:
    kind = str(reason.get("kind")) if isinstance(reason, dict) else ""
    if kind in _ENDS:
        return _ENDS[kind]
    raise ModelFailed(f"DeepSeek Harness ended the turn: {kind or 'no reason given'}", "see its provider and key", code="model_refused")


def _blocks(message: object) -> list[Mapping[str, Any]]:
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _count(usage: Mapping[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _q(value: object) -> str:
    """JSON is YAML, and one line of it can hold no tag and no second document."""
    return json.dumps(value, ensure_ascii=True)
