"""Running the command line as its users do: another process, its exit status, its standard output."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests import naive

ROOT = Path(__file__).parents[1]


def program() -> list[str]:
    """The words that start the command line, with the mutation in force when there is one."""
    return [sys.executable, "-m", *(("tests.naive", naive.active()) if naive.active() else ("deepseedian",))]


class Done:
    """A finished command."""

    def __init__(self, process: "subprocess.CompletedProcess[str]") -> None:
        self.status, self.out, self.err = process.returncode, process.stdout, process.stderr

    @property
    def json(self) -> Any:
        """The one document on standard output."""
        assert self.out.count("\n") == 1, self.out
        return json.loads(self.out)

    @property
    def code(self) -> str:
        return str(self.json["error"]["code"])


class Command:
    """`deepseedian` in another process, on one vault."""

    def __init__(self, vault: Path, **environment: str) -> None:
        self.vault, self.environment = vault, environment

    def __call__(self, *words: str, status: int = 0, given: str | None = None) -> Any:
        """Run with --json and return the document; `status` is the exit status that is right."""
        done = self.run("--vault", str(self.vault), "--json", *words, given=given)
        assert done.status == status, (words, done.status, done.out, done.err)
        return done.json

    def run(self, *words: str, given: str | None = None, timeout: float = 60, **environment: str) -> Done:
        return Done(subprocess.run([*program(), *words], capture_output=True, encoding="utf-8", input=given, timeout=timeout,
                                   check=False, cwd=ROOT, env=os.environ | self.environment | environment))

    def daemon(self) -> "Daemon":
        return Daemon(self)


class Daemon:
    """A daemon in another process, killed at the end whatever happens."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.process = subprocess.Popen([*program(), "--vault", str(command.vault), "run"], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, encoding="utf-8", cwd=ROOT, env=os.environ | command.environment)

    def __enter__(self) -> "Daemon":
        until = time.monotonic() + 30
        while time.monotonic() < until:
            assert self.process.poll() is None, self.process.communicate()
            if self.command("status")["running"]:
                return self
            time.sleep(0.05)
        raise AssertionError("the daemon did not answer")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=10)

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self.kill()
            raise


def until(found: Any, seconds: float = 5.0) -> Any:
    """Ask again until it is true; the last answer is returned either way."""
    end = time.monotonic() + seconds
    while not (answer := found()) and time.monotonic() < end:
        time.sleep(0.05)
    return answer
