"""A daemon in this process, in a thread: the real server, whose handler runs can be counted.

A handler cannot do anything without its host, so the host is watched: every use of it is a handler that ran.
"""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from deepseedian.api import app as application
from deepseedian.api.host import Host
from deepseedian.api.security import Gate
from deepseedian.daemon import server
from deepseedian.daemon.endpoint import Listening
from deepseedian.sidecar import Sidecar


class Watched:
    """Stands for the host and notes what handlers ask of it."""

    def __init__(self, host: Host) -> None:
        self.__dict__["host"], self.__dict__["used"] = host, []

    def __getattr__(self, name: str) -> Any:
        self.used.append(name)
        return getattr(self.host, name)


class Caller:
    """Raw requests to a loopback port."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token = port, token

    def connect(self, seconds: float = 10) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), seconds)

    def raw(self, *lines: str | bytes, body: bytes = b"", seconds: float = 10) -> bytes:
        """Send a request line by line as it is, and read until the other side closes or the answer's head is there."""
        sent = [line if isinstance(line, bytes) else line.encode() for line in lines]
        with self.connect(seconds) as made:
            with suppress(BrokenPipeError, ConnectionResetError):  # it had heard enough; what it said can still be read
                made.sendall(b"\r\n".join([*sent, b"", b""]) + body)
            found = b""
            with suppress(ConnectionResetError):
                while b"\r\n\r\n" not in found and (data := made.recv(65536)):
                    found += data
        return found

    def status(self, *lines: str | bytes, body: bytes = b"", seconds: float = 10) -> int:
        """The status a raw request is answered with; 0 when the connection was closed without an answer."""
        words = self.raw(*lines, body=body, seconds=seconds).split(None, 2)
        return int(words[1]) if len(words) > 1 else 0

    def request(self, *extra: str | bytes, method: str = "GET", path: str = "/v1/entries", body: bytes = b"") -> int:
        """The same with the right Host and whatever else is given, no token."""
        return self.status(f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *extra, body=body)


class Served(Caller):
    """The running daemon: where it listens, its token, and the handlers that ran."""

    def __init__(self, sidecar: Sidecar) -> None:
        super().__init__(0, "")
        self.sidecar = sidecar
        self.watched: Watched
        self.up = threading.Event()

    @property
    def handled(self) -> list[str]:
        """Empty while no handler has run."""
        return list(self.watched.used)

    def create(self, host: Host) -> Gate:
        gate = application.create(host)
        self.watched = gate.app.state.host = Watched(host)  # type: ignore[attr-defined]
        self.token = host.token
        return gate

    def announced(self, listening: Listening) -> None:
        self.port = listening.port
        self.up.set()


@contextmanager
def served(vault: Path) -> Iterator[Served]:
    """Start, wait until it listens, stop."""
    found = Served(Sidecar.open(vault, resident=True))
    daemon = server.Daemon(found.sidecar, found.announced)
    thread = threading.Thread(target=daemon.run, daemon=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "create", found.create)
        patch.setattr(server, "WARM_AFTER_SECONDS", 0.0)
        thread.start()
        try:
            assert found.up.wait(20), "the daemon did not start"
            yield found
        finally:
            daemon._stop()
            thread.join(20)
    assert not thread.is_alive(), "the daemon did not stop"
