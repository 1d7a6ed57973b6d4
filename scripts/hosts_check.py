"""Real hosts from npm against a real daemon: each is connected by `deepseedian connect`, asked one question, and looked at.

    scripts/hosts [opencode] [codex] [claude-code] [inspector]

The model is scripted, so this shows that a host finds our tools, calls one, shows the result to the model and runs our hooks; not
that a model would choose to. Everything lies in scratch folders; nothing of the user's is read or written.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from deepseedian import client
from tests.hosts.fake_model import FakeModel

ROOT = Path(__file__).parents[1]
PACKAGES = {"opencode": "opencode-ai@1.18.33", "codex": "@openai/codex@0.171.0", "claude-code": "@anthropic-ai/claude-code@2.1.332",
            "inspector": "@modelcontextprotocol/inspector@2.12.0"}
TEA = "I drink green tea in the morning."
ASKED = "What tea do I drink in the morning?"
PATIENCE = 180


@dataclass
class Scene:
    """One host's scratch home, with a vault, a daemon and a model."""

    folder: Path
    programs: Path
    model: FakeModel
    checks: dict[str, bool] = field(default_factory=dict)
    said: str = ""

    @property
    def vault(self) -> Path:
        return self.folder / "vault"

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CLAUDE", "CODEX", "XDG_", "OPENCODE"))}
        home = str(self.folder)
        return kept | {"HOME": home, "PYTHONPATH": str(ROOT), "DEEPSEEDIAN_SEMANTIC": "off", "DEEPSEEDIAN_STATE_DIR": f"{home}/state",
                       "DEEPSEEDIAN_RUNTIME_DIR": f"{home}/run", "DEEPSEEDIAN_CONFIG_DIR": f"{home}/config"}

    def run(self, *words: str, **more: str) -> str:
        """Standard output; what went wrong is kept and shown at the end."""
        done = subprocess.run(words, capture_output=True, encoding="utf-8", errors="replace", timeout=PATIENCE, check=False, cwd=self.folder / "work",
                              stdin=subprocess.DEVNULL, env=self.environment | more)
        if done.returncode:
            self.said += f"{words[0]} ended with {done.returncode}: {done.stderr[-600:]}\n"
        return done.stdout

    def ours(self, *words: str) -> dict[str, object]:
        out = self.run(sys.executable, "-m", "deepseedian", "--vault", str(self.vault), "--json", *words)
        return json.loads(out) if out.strip() else {}

    def program(self, name: str) -> str:
        return str(self.programs / "node_modules/.bin" / name)

    def looked_up(self, out: str) -> None:
        """What the model was offered and told."""
        turns = self.model.turns()
        self.checks["tools"] = any(name.endswith("memory_search") for turn in turns for name in turn["tools"])
        self.checks["called"] = any("green tea" in result for turn in turns for result in turn["results"])
        self.checks["answer"] = "FINAL" in out and "green tea" in out


def opencode(scene: Scene) -> None:
    folder = scene.folder / "c/opencode"
    folder.mkdir(parents=True)
    model = {"name": "fake-model", "tool_call": True, "limit": {"context": 64_000, "output": 4_000}}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "Loopback", "options": {"baseURL": f"{scene.model.url}/v1", "apiKey": "sk-fake"},
                "models": {"fake-model": model}}
    (folder / "opencode.json").write_text("// scratch\n" + json.dumps({
        "autoupdate": False, "share": "disabled", "enabled_providers": ["fake"], "model": "fake/fake-model", "small_model": "fake/fake-model",
        "provider": {"fake": provider}}), encoding="utf-8")
    folders = {f"XDG_{name}_HOME": str(scene.folder / letter) for name, letter in (("CONFIG", "c"), ("DATA", "d"), ("CACHE", "k"), ("STATE", "s"))}
    os.environ.pop("XDG_CONFIG_HOME", None)
    scene.run(sys.executable, "-m", "deepseedian", "--vault", str(scene.vault), "connect", "opencode", "--install", "--yes", **folders)
    scene.looked_up(scene.run(scene.program("opencode"), "run", "--format", "json", "--auto", ASKED, OPENCODE_DISABLE_MODELS_FETCH="1",
                              OPENCODE_DISABLE_AUTOUPDATE="1", **folders))


def codex(scene: Scene) -> None:
    (scene.folder / ".codex").mkdir()
    (scene.folder / ".codex/config.toml").write_text(
        'model = "fake-model"\nmodel_provider = "fake"\napproval_policy = "never"\nsandbox_mode = "read-only"\ncheck_for_update_on_startup = false\n'
        f'[analytics]\nenabled = false\n[model_providers.fake]\nname = "Loopback"\nbase_url = "{scene.model.url}/v1"\nwire_api = "responses"\n'
        'env_key = "FAKE_KEY"\nrequest_max_retries = 0\nstream_max_retries = 0\n', encoding="utf-8")
    scene.ours("connect", "codex", "--install", "--yes")
    scene.looked_up(scene.run(scene.program("codex"), "exec", "--skip-git-repo-check", "--json", ASKED, FAKE_KEY="sk-fake",
                              CODEX_HOME=str(scene.folder / ".codex")))


def claude_code(scene: Scene) -> None:
    scene.ours("connect", "claude-code", "--install", "--yes")
    out = scene.run(scene.program("claude"), "-p", ASKED, "--model", "fake-model", "--allowedTools", "mcp__deepseedian__memory_search",
                    "--output-format", "stream-json", "--verbose", ANTHROPIC_BASE_URL=scene.model.url, ANTHROPIC_API_KEY="sk-fake",
                    ENABLE_TOOL_SEARCH="false", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1", DISABLE_AUTOUPDATER="1", DISABLE_TELEMETRY="1")
    scene.looked_up(out)
    scene.checks["injected"] = any("deepseedian-memory" in json.dumps(turn["body"]) for turn in scene.model.turns())
    kept = [file.read_text(encoding="utf-8") for file in scene.folder.rglob("state/instances/*/sessions/*.jsonl")]
    scene.checks["handed in"] = any(ASKED in text and "deepseedian-memory" not in text for text in kept)


def inspector(scene: Scene) -> None:
    """stdio and HTTP, each in its own way of greeting."""
    program, server = scene.program("mcp-inspector"), [sys.executable, "-m", "deepseedian", "--vault", str(scene.vault), "mcp"]
    call = ["--method", "tools/call", "--tool-name", "memory_search", "--tool-args-json", '{"query":"tea"}']
    kept = [word for name, value in scene.environment.items() if name.startswith("DEEPSEEDIAN_") or name == "PYTHONPATH"
            for word in ("-e", f"{name}={value}")]
    for era in ("legacy", "modern"):
        listed = scene.run(program, "--cli", "--protocol-era", era, "--format", "json", *kept, "--method", "tools/list", *server)
        scene.checks[f"stdio {era}"] = "memory_search" in listed
    scene.checks["strict schema"] = "memory_search" in scene.run(program, "--cli", "--strict", "--format", "json", *kept, "--method", "tools/list", *server)
    scene.checks["called"] = "green tea" in scene.run(program, "--cli", "--format", "json", *kept, *call, *server)
    endpoint = client.endpoint_of(scene.vault, scene.folder / "run")
    assert endpoint is not None
    over = ["--transport", "http", "--server-url", f"http://127.0.0.1:{endpoint.port}/mcp", "--header", f"Authorization: Bearer {endpoint.token}"]
    scene.checks["http"] = "green tea" in scene.run(program, "--cli", "--format", "json", *over, *call)


HOSTS: dict[str, Callable[[Scene], None]] = {"opencode": opencode, "codex": codex, "claude-code": claude_code, "inspector": inspector}


def checked(name: str, programs: Path) -> tuple[dict[str, bool], float, str]:
    """What worked, how long it took, and what was said when something failed."""
    with tempfile.TemporaryDirectory(prefix="dsh-") as scratch, FakeModel("memory_search", {"query": "tea"}) as model:
        scene = Scene(Path(scratch), programs, model)
        (scene.folder / "work").mkdir()
        scene.run(sys.executable, "-m", "deepseedian", "init", str(scene.vault))
        scene.ours("remember", TEA)
        scene.ours("start")
        began = time.monotonic()
        try:
            HOSTS[name](scene)
        except (OSError, subprocess.SubprocessError, AssertionError, ValueError) as error:
            scene.said += f"{type(error).__name__}: {error}\n"
        seconds = time.monotonic() - began
        scene.ours("stop")
        return scene.checks, seconds, scene.said


def main() -> int:
    names = sys.argv[1:] or list(HOSTS)
    if unknown := [name for name in names if name not in HOSTS]:
        print(f"{', '.join(unknown)}: one of {', '.join(HOSTS)}")
        return 2
    if shutil.which("npm") is None:
        print("Node with npm is needed, and was not found")
        return 1
    programs = Path(os.environ.get("HOSTS_FOLDER") or tempfile.mkdtemp(prefix="hosts-"))
    wanted = [PACKAGES[name] for name in names if not (programs / "node_modules" / PACKAGES[name].rpartition("@")[0]).exists()]
    if wanted:
        print(f"installing {', '.join(wanted)} into {programs} …", flush=True)
        programs.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", str(programs), *wanted], check=True)
    failed = False
    for name in names:
        checks, seconds, said = checked(name, programs)
        told = ", ".join(f"{check} {'yes' if good else 'NO'}" for check, good in checks.items()) or "nothing could be checked"
        print(f"{PACKAGES[name]:45} {seconds:5.1f} s  {told}", flush=True)
        if not checks or not all(checks.values()):
            failed = True
            print("   " + said.strip().replace("\n", "\n   "))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
