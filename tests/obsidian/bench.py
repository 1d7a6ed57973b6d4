"""What the plugin's tests stand on: Node and its packages, a daemon with a scripted model, and the runs of `node --test`."""

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deepseedian.core import markup
from deepseedian.sidecar import Sidecar, initialise
from tests import streamed
from tests.live import Live

HERE = Path(__file__).parent
PLUGIN = HERE.parents[1] / "vault_template/.obsidian/plugins/deepseedian"
STAMP = HERE / "node_modules/.installed"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def installed() -> Path:
    """The bench with its packages, installed once for what the lock file says. Skips where that cannot be."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        pytest.skip("node and npm are not here")
    version = subprocess.run([node, "--version"], capture_output=True, encoding="utf-8", check=True).stdout.strip()
    if int(version.lstrip("v").split(".")[0]) < 20:
        pytest.skip(f"node {version} is older than 20")
    wanted = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    if not STAMP.is_file() or STAMP.read_text(encoding="utf-8") != wanted:
        done = subprocess.run([npm, "ci", "--no-audit", "--no-fund", "--prefer-offline"], cwd=HERE, capture_output=True, encoding="utf-8",
                              timeout=400, check=False)
        if done.returncode:
            pytest.skip("npm could not install the plugin's tools: " + done.stderr.strip()[-200:].replace("\n", " "))
        STAMP.write_text(wanted, encoding="utf-8")
    return HERE


def chromium() -> str:
    """The browser's program. Skips where there is none."""
    found = next((path for name in CHROMIUM if (path := shutil.which(name))), "")
    if not found:
        pytest.skip("chromium is not here")
    return found


def ran(*words: str, folder: Path = HERE, timeout: float = 300, **environment: str) -> str:
    """What a program of the bench prints; AssertionError with all of it when it fails."""
    done = subprocess.run(words, cwd=folder, env=os.environ | environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", timeout=timeout, check=False)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout[-12_000:]}"
    return done.stdout


MARKDOWN = """## Tea\n\n- **green** tea with `water`\n- see [[Start here|the start]] and [a page](https://example.com/x)\n\n| a | b |\n|---|---|
| 1 | 2 |\n\n```js\nconst x = "<b>";\n```\n\nA formula $a^2$ and ![picture](https://example.com/p.png)."""


def completed(question: str) -> Any:
    """What the scripted model puts at a cursor, by a word before it."""
    before = question.rpartition("<cursor")[0].rpartition("(data; the cursor")[2]
    if "hang" in before:
        return [30.0]
    said = streamed.answer(json.dumps({"text": "" if "nothing" in before else "，也喝红茶" if "绿茶" in before else " with a little milk"}))
    return [0.6, *said] if "slow" in before else said


def reply(body: dict[str, Any]) -> Any:
    """What the scripted model says to a question, by a word in it."""
    last = body["messages"][-1]
    if "continue a text at its cursor" in str(body["messages"][0]["content"]):
        return completed(str(last["content"]))
    if last["role"] == "tool":
        return streamed.answer("You drink ", "green tea.")
    question = str(last["content"])
    if "plain" in question:
        return streamed.answer("A plain answer ", "你好", thought="first I think")
    if "slow" in question:
        return [streamed.text("It begins "), *([0.2, streamed.text("and goes on ")] * 60), streamed.finish(), streamed.usage(), streamed.DONE]
    if "with tools" in question:
        return streamed.call_answer(("memory_search", {"query": "tea"}), thought="I look into memory")
    if "markdown" in question:
        return streamed.answer(*(MARKDOWN[at: at + 7] for at in range(0, len(MARKDOWN), 7)))
    if "payload" in question:
        return streamed.answer(*json.loads((HERE / "payloads.json").read_text(encoding="utf-8")))
    return streamed.answer("An answer.")


@contextmanager
def daemon(vault: Path) -> Iterator[Live]:
    """A running daemon whose model is `reply`."""
    with (streamed.streaming(streamed.Streamed(reply)) as server,
          Live(vault, DEEPSEEDIAN_MODEL_ENDPOINT=server.url, DEEPSEEDIAN_MODEL_NAME="scripted", DEEPSEEDIAN_JUDGE="off") as live):
        yield live


def program(path: Path) -> Path:
    """The command that the plugin starts the daemon with."""
    path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m deepseedian "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def large(root: Path, entries: int = 5000, sessions: int = 200) -> None:
    """A vault with much in it: entries in topics of 500, and conversations."""
    initialise(root)
    memory = root / ".obsidian/plugins/deepseedian/memory/topics"
    for start in range(0, entries, 500):
        blocks = [markup.encode({"id": str(uuid.UUID(int=number)), "createdAt": "2026-01-02T03:04:05.000Z", "source": "bench", "kind": "fact"},
                                f"Project {number} uses {number * 7919 % 104729} tabs and is looked after on floor {number % 13}. 项目第{number}号。")
                  for number in range(start, min(entries, start + 500))]
        (memory / f"t{start // 500}.md").write_bytes(b"\n".join(blocks))
    sidecar = Sidecar.open(root)
    for number in range(sessions):
        sidecar.observe(f"chat-{number}", [{"role": "user", "text": f"What is on floor {number}?"}, {"role": "assistant", "text": "A project. " * 20}])
    sidecar.close()
