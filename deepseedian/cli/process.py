"""run, start, stop, status, service: the daemon as a process."""

import contextlib
import gc
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from deepseedian import client
from deepseedian.cli import condition
from deepseedian.cli.door import Door, pass_door
from deepseedian.cli.show import Document, answer, counted
from deepseedian.errors import AlreadyRunning, Busy, DaemonAway, DeepseedianError, from_document

START_SECONDS = 30.0
STATUS_SECONDS = 5.0
WINNER_SECONDS = 10.0
AWAY: Document = {"running": False, "pid": None, "socket": None, "revision": None, "entries": None, "health": None}


def _status(door: Door) -> Document:
    """The daemon's status; `running` false when none answers at its endpoint."""
    endpoint = door.endpoint()
    if endpoint is None:
        return dict(AWAY)
    try:
        found = client.call(endpoint, "status", {}, STATUS_SECONDS)
    except (DaemonAway, client.LostAnswer):
        return dict(AWAY)
    return found if isinstance(found, dict) else dict(AWAY)


@click.command("run")
@pass_door
def run_command(door: Door) -> None:
    """Run the daemon in the foreground until it is stopped."""
    gc.disable()  # nothing that is imported at the start is ever garbage; the server turns it on again
    from deepseedian.daemon.server import serve

    vault = door.vault
    running = _status(door)
    if running["running"]:
        raise AlreadyRunning(f"a daemon is already running for {vault} (process {running['pid']})", "deepseedian stop ends it")
    serve(vault, config_dir=door.config_dir, announced=lambda listening, sidecar: _welcome(str(vault), listening))


def _welcome(vault: str, listening) -> None:  # type: ignore[no-untyped-def]
    listens = {"vault": vault, "socket": listening.path, "port": listening.port}
    option = f'{_myself()} --vault "{vault}"'
    answer(listens, lambda: (
        f"Deepseedian is listening for {vault}\n  socket    {listening.path}\n  loopback  127.0.0.1:{listening.port}\n\n"
        f"Try in another terminal:\n  {option} remember \"I write short paragraphs.\"\n"
        f"  {option} recall \"Do I write short or long paragraphs?\"\n  {option} history\n"))
    sys.stdout.flush()


def _myself() -> str:
    """How this command can be called again: by its name where that is found, else by its path."""
    called = Path(sys.argv[0])
    if called.name != "deepseedian" or shutil.which("deepseedian") == str(called.absolute()):
        return "deepseedian"
    return os.path.relpath(called) if called.is_relative_to(Path.cwd()) else str(called)


@click.command("start")
@pass_door
def start_command(door: Door) -> None:
    """Start the daemon in the background."""
    running = started(door)
    answer(running, lambda: f"running: process {running['pid']}, {counted(running['entries'], 'entry', 'entries')}")


def started(door: Door) -> Document:
    """The status of the daemon, which is started where none answers.

    Somebody else may start one at the same time and win, or one that was stopped may still be saving: both pass."""
    until = time.monotonic() + WINNER_SECONDS
    while True:
        running = _status(door)
        if running["running"]:
            return running
        try:
            return _started(door)
        except AlreadyRunning:
            if time.monotonic() > until:
                raise
        time.sleep(0.2)


def _started(door: Door) -> Document:
    from deepseedian.config.folders import private, state_folder

    # -P: files of the present folder must not be taken for modules
    command = [sys.executable, "-P", "-m", "deepseedian", "--json", "--vault", str(door.vault)]
    command += ["--config-dir", door.config_dir] if door.config_dir else []
    log = private(state_folder()) / "daemon.log"
    with tempfile.TemporaryFile() as said:
        with open(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as errors:
            process = subprocess.Popen([*command, "run"], stdin=subprocess.DEVNULL, stdout=said, stderr=errors, start_new_session=True)
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            running = _status(door)
            if running["running"]:
                return running
            if process.poll() is not None:
                said.seek(0)
                raise _why(process.returncode, said.read(), str(log))
            time.sleep(0.05)
    raise Busy("the daemon did not answer in time", f"see {log}")


def _why(status: int, said: bytes, log: str) -> DeepseedianError:
    """The error the daemon ended with, in its own words."""
    try:
        return from_document(json.loads(said), status)
    except ValueError:
        return DeepseedianError(f"the daemon ended with status {status}", f"deepseedian run shows why; its log is {log}")


@click.command("stop")
@pass_door
def stop_command(door: Door) -> None:
    """Stop the daemon; what was answered is saved."""
    endpoint = door.endpoint()
    stopped = False
    if endpoint is not None:
        with contextlib.suppress(DaemonAway, client.LostAnswer):
            client.call(endpoint, "stop", {}, STATUS_SECONDS)
            stopped = _gone(door, endpoint.file, endpoint.pid)
    answer({"stopped": stopped}, lambda: "stopped" if stopped else "no daemon was running")


def _gone(door: Door, file: str, pid: int) -> bool:
    """Wait until it has withdrawn its endpoint and ended."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        endpoint = door.endpoint()
        if (endpoint is None or endpoint.file != file) and not _lives(pid):
            return True
        time.sleep(0.05)
    raise Busy("the daemon is still finishing its work", "wait a moment")


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return not _zombie(pid)


def _zombie(pid: int) -> bool:
    """A child of ours that has ended but was not waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[0] == "Z"
    except (OSError, IndexError):
        return False


@click.command("status")
@pass_door
def status_command(door: Door) -> None:
    """Whether a daemon runs, and how it is."""
    found = _status(door)
    answer(found, lambda: _page(found))


def _page(found: Document) -> str:
    if not found["running"] or not isinstance(found["health"], dict):
        return "no daemon is running; deepseedian start starts one, commands work without it too"
    return condition.page(found)


@click.group("service")
def service_command() -> None:
    """Start the daemon with the login."""


@service_command.command("install")
@pass_door
def service_install(door: Door) -> None:
    """Write a user service for this vault and enable it."""
    from deepseedian.daemon.service import install

    done = install(door.vault, door.config_dir)
    answer(done, lambda: f"wrote {done['unit']}" + (f"; not enabled: {done['message']}" if done["message"] else "; enabled"))


@service_command.command("remove")
@pass_door
def service_remove(door: Door) -> None:
    """Stop and remove the user service."""
    from deepseedian.daemon.service import remove

    done = remove(door.vault)
    answer(done, lambda: f"removed {done['unit']}")
