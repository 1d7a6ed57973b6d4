"""A real DeepSeek Harness with a scripted model and a real daemon: memory before the turn, the finished turn handed in.

DSH comes as a Python package with its own program in it; where there is no wheel of it these tests are left out.
"""

import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from deepseedian import client
from deepseedian.cli.main import COMMANDS
from deepseedian.errors import ModelFailed
from deepseedian.hosts import places
from deepseedian.hosts.block import TAG
from deepseedian.models import harness
from deepseedian.sidecar import Sidecar
from tests.commands import ROOT, Command, until
from tests.hosts.fake_model import FakeModel
from tests.hosts.impostor import answer, impostor
from tests.live import Live

pytestmark = pytest.mark.skipif(find_spec("deepseek_harness_runtime") is None, reason="DeepSeek Harness has no package here")
needs_bridge = pytest.mark.skipif("mcp" not in COMMANDS, reason="the command `mcp` is not there")

TEA = "I drink green tea in the morning."
ASKED = "What tea do I drink in the morning?"
PRIVATE = ("- {id: session-log-deepseek, config: {enabled: false}}\n- {id: plugin-package-inventory-deepseek, config: {enabled: false}}\n"
           "- {id: session-telemetry-otel, config: {mode: DISABLED}}\n")


@pytest.fixture
def dsh_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DSH_HOME", str(tmp_path / "dsh"))
    monkeypatch.setenv("DSH_TELEMETRY_MODE", "DISABLED")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # the server that DSH starts is this code
    (tmp_path / "work").mkdir()
    return tmp_path / "dsh"


@pytest.fixture
def connected(vault: Path, dsh_home: Path) -> Iterator[Path]:
    """Connected by the command, as an owner does it."""
    assert Command(vault)("connect", "dsh", "--install", "--yes")["done"] == "installed"
    yield vault


class Ran:
    """One run of DSH without a screen."""

    def __init__(self, model: FakeModel, tmp_path: Path, question: str, *more: str) -> None:
        from deepseek_harness_runtime import resolve_bundled_launch_args

        patch = tmp_path / "private.yml"
        patch.write_text(PRIVATE, encoding="utf-8")
        began = time.monotonic()
        done = subprocess.run([*resolve_bundled_launch_args(), "headless", "--patch", str(patch), *more, "--json", question],
                              capture_output=True, encoding="utf-8", timeout=60, check=False, cwd=tmp_path / "work", stdin=subprocess.DEVNULL,
                              env=os.environ | {"DEEPSEEK_BASE_URL": f"{model.url}/v1", "DEEPSEEK_API_KEY": "sk-fake"})
        self.seconds, self.err = time.monotonic() - began, done.stderr
        assert done.returncode == 0, (done.stdout, done.stderr)
        self.lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        self.final = next(line["text"] for line in reversed(self.lines) if line["type"] == "final")
        self.tools = [line["tool"] for line in self.lines if line["type"] == "tool_call"]


def blocks(request: dict[str, Any]) -> list[str]:
    """Our blocks in what the model was sent."""
    text = json.dumps(request["body"], ensure_ascii=False)
    return text.split(f"<{TAG} ")[1:]


def kept(vault: Path) -> list[dict[str, Any]]:
    files = Path(os.environ["DEEPSEEDIAN_STATE_DIR"]).rglob("sessions/*.jsonl")
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def test_memory_comes_before_the_turn_and_the_turn_goes_back(connected: Path, tmp_path: Path) -> None:
    """Once a turn, on the person's message; the step after a tool's result gets no second one."""
    with Live(connected) as daemon, FakeModel("todo_write", {"todos": []}) as model:
        one = daemon.ask("remember", text=TEA)["id"]
        daemon.ask("set_setting", name="delivery", value="notice")
        ran = Ran(model, tmp_path, ASKED, "--patch", no_server(tmp_path))
        assert ran.tools == ["todo_write"] and ran.final.startswith("FINAL")
        first, second = model.turns()[:2]
        assert len(blocks(first)) == len(blocks(second)) == 1 and TEA in blocks(first)[0] and one in blocks(first)[0]
        assert second["results"] and first["results"] == []
        receipt, = daemon.ask("receipts")["receipts"]
        assert (receipt["door"], receipt["question"]) == ("dsh", ASKED)
        turn, = kept(connected)
        assert [(message["role"], message["text"]) for message in turn["messages"]] == [("user", ASKED), ("assistant", ran.final)]
        assert turn["session"] == receipt["session"] and turn["origin"] == "dsh" and turn["cwd"] == os.path.realpath(tmp_path / "work")
        assert f"Memory used: {TEA}" in ran.err


def no_server(tmp_path: Path) -> str:
    """For tests of the plugin alone: the MCP server is left out."""
    patch = tmp_path / "no-server.yml"
    patch.write_text("- {id: deepseedian-mcp, disabled: true}\n", encoding="utf-8")
    return str(patch)


@pytest.mark.parametrize("state", ["killed", "silent", "senseless"])
def test_no_turn_fails_or_waits_for_a_daemon(connected: Path, tmp_path: Path, state: str) -> None:
    with FakeModel() as model:
        if state == "killed":
            with Live(connected) as daemon:
                daemon.kill()
            ran = Ran(model, tmp_path, ASKED, "--patch", no_server(tmp_path))
        else:
            with impostor(connected, answer(b'{"text": {"a": 1}, "notice": []}') if state == "senseless" else None):
                ran = Ran(model, tmp_path, ASKED, "--patch", no_server(tmp_path))
    assert ran.final == "FINAL (no tool result)" and not blocks(model.turns()[0])
    assert ran.seconds < 30


def test_the_plugin_finds_the_vault_above_the_sessions_folder(vault: Path, dsh_home: Path, tmp_path: Path) -> None:
    """As a bundle, without any configuration: the three-line rule of every client."""
    (vault / "notes").mkdir()
    (tmp_path / "work").rmdir()
    (tmp_path / "work").symlink_to(vault / "notes")
    patch = tmp_path / "bundle.yml"
    patch.write_text((places.PLUGIN.parent / "cordis.patch.yml").read_text(encoding="utf-8").replace("name: dsh-deepseedian", f"name: {places.PLUGIN}"),
                     encoding="utf-8")
    with Live(vault) as daemon, FakeModel() as model:
        daemon.ask("remember", text=TEA)
        Ran(model, tmp_path, ASKED, "--patch", str(patch))
        assert TEA in blocks(model.turns()[0])[0]


@needs_bridge
def test_tools_are_listed_and_called_over_stdio(connected: Path, tmp_path: Path) -> None:
    with Live(connected) as daemon, FakeModel("memory_search", {"query": "tea"}) as model:
        daemon.ask("remember", text=TEA)
        ran = Ran(model, tmp_path, "Look it up.")
        assert "mcp__deepseedian__memory_search" in model.turns()[0]["tools"]
        assert ran.tools == ["mcp__deepseedian__memory_search"] and "green tea" in ran.final


@needs_bridge
def test_tools_are_listed_and_called_over_http(vault: Path, dsh_home: Path, tmp_path: Path) -> None:
    patch = tmp_path / "http.yml"
    with Live(vault) as daemon, FakeModel("memory_search", {"query": "tea"}) as model:
        daemon.ask("remember", text=TEA)
        endpoint = client.endpoint_of(vault, daemon.runtime)
        assert endpoint is not None
        config = {"serverName": "deepseedian", "transport": "streamable-http", "url": f"http://127.0.0.1:{endpoint.port}/mcp",
                  "headers": {"Authorization": f"Bearer {endpoint.token}"}, "failOnStartupError": True}
        patch.write_text(f"- insert: [{{id: m, name: '@deepseek-ai/dsh-mcp-client', config: {json.dumps(config)}}}]\n", encoding="utf-8")
        ran = Ran(model, tmp_path, "Look it up.", "--patch", str(patch))
        assert ran.tools == ["mcp__deepseedian__memory_search"] and "green tea" in ran.final


def turned(model: FakeModel, vault: Path, tmp_path: Path, **more: Any) -> list[tuple[str, Any]]:
    server = [*places.command(vault), "mcp"] if "mcp" in COMMANDS else ["/nonexistent/server"]
    options = {"home": tmp_path / "state/dsh", "server": server, "model": "fake-model", "endpoint": f"{model.url}/v1",
               "environment": places.kept()} | more
    return list(harness.turn(harness.Harness(**options), ASKED, threading.Event(), instructions='Say "é".', seconds=60))


def test_a_turn_in_dsh_holds_memory_and_nothing_else(vault: Path, dsh_home: Path, tmp_path: Path) -> None:
    """No tool of its own that could touch a file, nothing in the request but the turn, no log on the way."""
    with Live(vault) as daemon, FakeModel("memory_search", {"query": "tea"}) as model:
        daemon.ask("remember", text=TEA)
        found = turned(model, vault, tmp_path)
    request = model.turns()[0]
    assert all(name.startswith("mcp__deepseedian__") for name in request["tools"])
    assert 'Say \\"é\\".' in json.dumps(request["body"], ensure_ascii=False) and ASKED in json.dumps(request["body"])
    assert not any("dsh_" in name for name in request["body"]) and str(vault) not in json.dumps(request["body"]["messages"][:2])
    kinds = [kind for kind, _ in found]
    assert kinds[-1] == "finished" and found[-1][1] == "stop" and "usage" in kinds and kinds.count("text") == 1
    assert not dsh_home.exists()  # the owner's own DSH is not touched
    if "mcp" in COMMANDS:
        assert kinds[:3] == ["usage", "tool_call", "tool_result"] and "green tea" in dict(found)["text"]


def test_saved_providers_and_keys_are_used_where_they_lie(vault: Path, dsh_home: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    saved.mkdir(mode=0o700)
    (saved / ".credentials.yaml").touch(mode=0o600)
    (saved / ".credentials.yaml").write_text("version: 1\nrefs:\n  HOUSE_API_KEY: sk-of-the-house\n", encoding="utf-8")
    with Live(vault), FakeModel() as model:  # else the turn starts a daemon, which stays
        (saved / "cordis.patch.yml").write_text(
            "- id: theme\n  config: {dark: true}\n- id: llm-pi-ai\n  config:\n    providers:\n      house:\n        api: openai-completions\n"
            f"        baseURL: {model.url}/v1\n        apiKeyEnv: HOUSE_API_KEY\n        models: [{{id: fake-model, contextWindow: 64000, maxTokens: 4000}}]\n"
            "- insert: []\n", encoding="utf-8")
        found = turned(model, vault, tmp_path, provider="house", saved=saved, endpoint="")
    assert model.turns()[0]["headers"]["authorization" if "authorization" in model.turns()[0]["headers"] else "Authorization"] == "Bearer sk-of-the-house"
    assert found[-1] == ("finished", "stop")
    assert all(b"sk-of-the-house" not in file.read_bytes() for file in (tmp_path / "state").rglob("*") if file.is_file())
    assert harness.provider_names(saved) == ["deepseek-official", "house"]


def test_a_turn_that_is_stopped_ends_at_once(vault: Path, dsh_home: Path, tmp_path: Path) -> None:
    cancelled = threading.Event()
    cancelled.set()
    began = time.monotonic()
    with pytest.raises(ModelFailed) as caught:
        list(harness.turn(harness.Harness(tmp_path / "h", ["/nonexistent"], "m", endpoint="http://127.0.0.1:9/v1"), ASKED, cancelled))
    assert caught.value.code == "cancelled" and time.monotonic() - began < 3
    with pytest.raises(ModelFailed) as late:
        list(harness.turn(harness.Harness(tmp_path / "h", ["/nonexistent"], "m", endpoint="http://127.0.0.1:9/v1"), ASKED, threading.Event(), seconds=0.3))
    assert late.value.code == "model_timeout"
    assert until(lambda: not children(), 20), children()  # also the ones that were only just being started


def children() -> list[str]:
    """Programs of DSH that this process has started and that have not ended."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            parent = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1]
            command = (folder / "cmdline").read_text(encoding="utf-8", errors="replace")
            if parent == str(os.getpid()) and "harness" in command:
                found.append(command)
    return found


def test_ask_runs_its_turn_in_dsh_when_the_runtime_says_so(vault: Path, dsh_home: Path, tmp_path: Path) -> None:
    """The same events, trace and session as a turn of our own; the tools are the daemon's, over MCP."""
    with Live(vault) as daemon, FakeModel("memory_search", {"query": "tea"}) as model:
        daemon.ask("remember", text=TEA)
        sidecar = Sidecar.open(vault, overrides={"runtime": "dsh", "model.endpoint": f"{model.url}/v1", "model.name": "fake-model"})
        try:
            events = list(sidecar.ask(question=ASKED, session="s1"))
            done = next(data for kind, data in events if kind == "done")
            assert done["state"] == "done" and "green tea" in done["answer"], events
            kinds = [kind for kind, _ in events]
            assert kinds[:2] == ["turn", "recall"] and "tool" in kinds and sidecar.sessions.branch("s1")[-1].answer
            steps = [step.kind for step in sidecar.turn_trace.steps(done["turn"])]
            assert "tool_call" in steps and "tool_result" in steps and steps[-1] == "end"
        finally:
            sidecar.close()
    assert TEA[:20] in json.dumps(model.turns()[0]["body"], ensure_ascii=False)
