"""A daemon as a process of its own that can be killed, frozen and asked, and the four ways in which editors save."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from deepseedian import client
from deepseedian.config.folders import runtime_folder
from deepseedian.errors import Busy, DaemonAway, DeepseedianError
from tests.chaos.acts import LOST, Answer
from tests.chaos.history import OK
from tests.commands import ROOT, program, until

WAIT = 30.0


def run(vault: Path, *words: str, timeout: float = 60) -> "subprocess.CompletedProcess[str]":
    """One command line with --json."""
    return subprocess.run([*program(), "--json", "--vault", str(vault), *words], capture_output=True, encoding="utf-8", cwd=ROOT,
                          timeout=timeout, check=False)


class Process:
    """`deepseedian run`; made, and found to answer, by `started`."""

    def __init__(self, vault: Path, process: "subprocess.Popen[bytes]", said: IO[bytes]) -> None:
        self.vault, self.process, self.said = vault, process, said
        self.frozen = False
        self.endpoint: client.Endpoint | None = None

    @classmethod
    def started(cls, vault: Path, **environment: str) -> "Process":
        """Raises AssertionError with what it said when it ends or does not answer."""
        said = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the daemon)
        process = subprocess.Popen([*program(), "--vault", str(vault), "run"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=said, cwd=ROOT, env=os.environ | environment)
        made = cls(vault, process, said)
        until(lambda: made.answers() or process.poll() is not None, WAIT)
        if process.poll() is not None and environment:
            return made  # it was asked to die
        if made.endpoint is None or process.poll() is not None:
            made.kill()
            raise AssertionError(f"the daemon did not answer; it said {made.output()}")
        return made

    def answers(self) -> bool:
        found = client.endpoint_of(self.vault, runtime_folder())
        if found is None or found.pid != self.process.pid:
            return False
        try:
            client.call(found, "status", {}, 5.0)
        except (DeepseedianError, client.LostAnswer):
            return False
        self.endpoint = found
        return True

    def output(self) -> str:
        self.said.seek(0)
        return self.said.read().decode(errors="replace")

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def ask(self, operation: str, values: Mapping[str, object], seconds: float = WAIT) -> Answer:
        """A request whose connection breaks, or that is not answered in time, has lost its answer."""
        assert self.endpoint is not None
        try:
            document = client.call(self.endpoint, operation, dict(values), seconds)
            return Answer(OK, document if isinstance(document, dict) else {"text": document})
        except client.LostAnswer:
            until(lambda: not self.alive, 2.0)
            return Answer(LOST, {}, alive=self.alive)
        except DaemonAway as error:
            until(lambda: not self.alive, 2.0)
            return Answer(LOST if self.alive else error.code, {}, alive=self.alive)
        except Busy as error:
            silent = "does not answer" in error.message or "does not accept" in error.message
            return Answer(LOST, {}, alive=True) if silent else Answer(error.code, error.document())
        except DeepseedianError as error:
            return Answer(error.code, error.document())

    def freeze(self) -> None:
        """As a suspended machine."""
        self.process.send_signal(signal.SIGSTOP)
        self.frozen = True

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)
        self.frozen = False
        assert until(self.answers, WAIT), self.output()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)

    def stop(self) -> int:
        self.ask("stop", {})
        return self.process.wait(WAIT)

    def close(self) -> None:
        if self.alive:
            self.kill()
        self.said.close()


# How editors save. Each leaves `data` at `path`; what happens in between is what a watcher gets to see.

def in_place(path: Path, data: bytes, elsewhere: Path) -> None:
    with path.open("wb") as file:
        file.write(data)


def renamed_over(path: Path, data: bytes, elsewhere: Path) -> None:
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_bytes(data)
    temporary.replace(path)


def away_and_new(path: Path, data: bytes, elsewhere: Path) -> None:
    backup = path.with_name(path.name + "~")
    path.replace(backup)
    path.write_bytes(data)
    backup.unlink()


def from_outside(path: Path, data: bytes, elsewhere: Path) -> None:
    made = elsewhere / f"edited {path.stem} {time.monotonic_ns()}.md"
    made.write_bytes(data)
    made.replace(path)


WAYS = (in_place, renamed_over, away_and_new, from_outside)


def synced(path: Path, data: bytes, elsewhere: Path) -> None:
    """A sync tool: a temporary name of its own, the other machine's time, then a rename."""
    temporary = path.with_name(f".syncthing.{path.name}.tmp")
    temporary.write_bytes(data)
    past = time.time() - 5
    os.utime(temporary, (past, past))
    temporary.replace(path)
