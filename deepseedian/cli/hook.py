"""hook: what a host's own hooks run before and after each turn.

A turn is never failed and never held up: whatever goes wrong, and when a second and a half have passed, the command ends
with status 0 and says nothing. It only speaks to a running daemon; without one there is nothing to do.
"""

import json
import os
import secrets
import sys
import threading
from pathlib import Path

import click

from deepseedian import client
from deepseedian.cli.door import Door, pass_door
from deepseedian.config.folders import runtime_folder
from deepseedian.errors import DaemonAway, DeepseedianError
from deepseedian.hosts import claude
from deepseedian.hosts.block import framed

SECONDS = 1.3  # and what Python itself takes to start
PAYLOAD_LIMIT = 8 << 20


@click.command("hook", context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("event", default="")
@click.option("--start", is_flag=True, help="Start the daemon in the background when none is running, for the next turn.")
@click.option("--door", "name", default="claude-code", help="The host's name in receipts.")
@pass_door
def hook_command(door: Door, event: str, start: bool, name: str) -> None:
    """Answer a host's hook: EVENT is UserPromptSubmit, Stop, or any other; its JSON comes on standard input."""
    alarm = threading.Timer(SECONDS, os._exit, (0,))  # a thread, since reading and connecting may be what hangs
    alarm.daemon = True
    alarm.start()
    try:
        payload = claude.event(_given())
        vault = _vault(door, payload)
        endpoint = client.endpoint_of(vault, runtime_folder())
        if (endpoint is None or not _answered(endpoint, event, payload, name)) and start:
            _start(vault, door.config_dir)
    except Exception as error:
        _debug(error)
    alarm.cancel()


def _answered(endpoint: client.Endpoint, event: str, payload: dict[str, object], name: str) -> bool:
    """Carry one event out; False when nobody listens any more."""
    try:
        if event == "UserPromptSubmit":
            _recall(endpoint, payload, name)
        elif event == "Stop":
            _observe(endpoint, payload, name)
        else:
            client.call(endpoint, "status", {}, SECONDS)
    except DaemonAway:
        return False
    except client.LostAnswer as error:
        _debug(error)
    return True


def _recall(endpoint: client.Endpoint, payload: dict[str, object], name: str) -> None:
    question = claude.question(payload)
    if not question:
        return
    asked: dict[str, object] = {"question": question, "inject": True, "session": claude.session(payload), "door": name,
                                "cwd": claude.working_folder(payload)}
    found = client.call(endpoint, "recall", asked, SECONDS)
    text = found.get("text") if isinstance(found, dict) else ""
    if not isinstance(found, dict) or not isinstance(text, str) or not text:
        return
    answer: dict[str, object] = {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit",
                                                        "additionalContext": framed(text, secrets.token_hex(8))}}
    if found.get("notice"):
        answer["systemMessage"] = str(found["notice"])
    _say(answer)


def _observe(endpoint: client.Endpoint, payload: dict[str, object], name: str) -> None:
    session, turn = claude.session(payload), claude.finished(payload)
    if session and turn:
        about = {"session": session, "origin": name, "cwd": claude.working_folder(payload)}
        client.call(endpoint, "observe", about | turn, SECONDS)


def _given() -> bytes:
    """Standard input to its end. Raises ValueError when it is more than any prompt."""
    pieces, size = [], 0
    while piece := os.read(0, 1 << 16):
        pieces.append(piece)
        size += len(piece)
        if size > PAYLOAD_LIMIT:
            raise ValueError("a payload of more than 8 MiB")
    return b"".join(pieces)


def _vault(door: Door, payload: dict[str, object]) -> Path:
    """As for every command; where only the folder can tell it is the one the host works in. Raises BadVault."""
    try:
        return door.vault
    except DeepseedianError:
        folder = payload.get("cwd")
        if door.named or not isinstance(folder, str) or not os.path.isabs(folder):
            raise
        from deepseedian.store.vault import nearest

        return nearest(Path(folder))


def _say(document: dict[str, object]) -> None:
    """On the real standard output, escaped, so that no console's encoding can spoil it."""
    data = json.dumps(document).encode() + b"\n"
    while data:
        data = data[os.write(1, data):]


def _start(vault: Path, config_dir: str) -> None:
    """A daemon of its own, that holds nothing of this process open: the host waits for our pipes to close."""
    import subprocess

    command = [sys.executable, "-P", "-m", "deepseedian", "--vault", str(vault), *(["--config-dir", config_dir] if config_dir else [])]
    subprocess.Popen([*command, "start"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                     start_new_session=True, cwd=vault)


def _debug(error: BaseException) -> None:
    if os.environ.get("DEEPSEEDIAN_DEBUG"):
        print(f"deepseedian hook: {type(error).__name__}: {error}", file=sys.stderr)
