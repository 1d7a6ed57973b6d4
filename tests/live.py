"""A running daemon that answers quickly: asked over its socket by this process, no command in between."""

import os
import time
from pathlib import Path
from typing import Any

from deepseedian import client
from deepseedian.errors import DeepseedianError
from tests.commands import Command, Daemon


class Live(Daemon):
    """A real daemon; `ask` is one operation of the wire."""

    def __init__(self, vault: Path, **environment: str) -> None:
        self.runtime = Path(environment.get("DEEPSEEDIAN_RUNTIME_DIR", os.environ["DEEPSEEDIAN_RUNTIME_DIR"]))
        self.begun = time.monotonic()
        super().__init__(Command(vault, **environment))

    def __enter__(self) -> "Live":
        """Answers once it has come up; AssertionError when it ended instead."""
        try:
            while not self.answers():
                assert self.process.poll() is None, self.process.communicate()
                assert time.monotonic() < self.begun + 30, "the daemon did not answer"
                time.sleep(0.02)
        except BaseException:
            self.kill()
            raise
        self.seconds = time.monotonic() - self.begun
        return self

    def answers(self) -> bool:
        endpoint = client.endpoint_of(self.command.vault, self.runtime)
        if endpoint is None or endpoint.pid != self.process.pid:
            return False
        try:
            client.call(endpoint, "status", {}, 5)
        except (DeepseedianError, client.LostAnswer):
            return False
        return True

    def ask(self, operation: str, **values: object) -> Any:
        endpoint = client.endpoint_of(self.command.vault, self.runtime)
        assert endpoint is not None
        return client.call(endpoint, operation, values, 30)

    def texts(self) -> list[str]:
        return sorted(entry["text"] for entry in self.ask("entries")["entries"])

    def faults(self) -> dict[str, str]:
        return {fault["code"]: fault["message"] for fault in self.ask("status")["health"]["faults"]}

    def cpu(self) -> float:
        """Seconds of processor time used so far, all threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate(timeout=10)
