"""A daemon that says what a test tells it to, byte for byte, on a Unix socket that an endpoint file names."""

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Pieces = Sequence[bytes | threading.Event]
Answer = Callable[[str, Any], Pieces]


def said(document: object, status: int = 200) -> list[bytes]:
    """One JSON answer."""
    body = json.dumps(document).encode()
    return [b"HTTP/1.1 %d Said\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (status, len(body)), body]


@dataclass
class Stub:
    """`asked` are the requests it got, as (path, body), `keys` their idempotency keys; `gone` counts callers that left early.

    `activity` counts how often it was told that somebody is at it, which is no request of anybody's.
    """

    answer: Answer
    asked: list[tuple[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    gone: int = 0
    activity: int = 0
    ended: threading.Event = field(default_factory=threading.Event)

    def serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as given, suppress(OSError, ValueError):
            first = given.readline().decode().split()
            headers = dict(line.decode().lower().strip().split(": ", 1) for line in iter(given.readline, b"\r\n"))
            body = given.read(int(headers.get("content-length", 0)))
            if first[1] == "/v1/activity":
                self.activity += 1
                connection.sendall(b"".join(said({"done": True})))
                return
            self.keys.append(headers.get("idempotency-key", ""))
            self.asked.append((first[1], json.loads(body) if body else None))
            for piece in self.answer(*self.asked[-1]):
                if isinstance(piece, bytes):
                    connection.sendall(piece)
                elif self._left(connection, piece):
                    self.gone += 1
                    return

    def _left(self, connection: socket.socket, wanted: threading.Event) -> bool:
        """Wait for the event, or for the caller to go away."""
        connection.settimeout(0.02)
        while not wanted.is_set() and not self.ended.is_set():
            with suppress(TimeoutError):
                if not connection.recv(1):
                    return True
        connection.settimeout(10)
        return False


@contextmanager
def stub(vault: Path, answer: Answer) -> Iterator[Stub]:
    """The stub, found by the vault's endpoint file for as long as the block runs."""
    folder = Path(os.environ["DEEPSEEDIAN_RUNTIME_DIR"])
    place, file = folder / "stub.sock", folder / "stub.json"
    found = Stub(answer)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place))
        listening.listen()
        file.write_text(json.dumps({"vault": os.path.realpath(vault), "pid": os.getpid(), "socket": str(place), "port": 1, "token": ""}), encoding="utf-8")

        def accept() -> None:
            with suppress(OSError):
                while True:
                    threading.Thread(target=found.serve, args=(listening.accept()[0],), daemon=True).start()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield found
        finally:
            found.ended.set()
            listening.shutdown(socket.SHUT_RDWR)
            file.unlink()
            place.unlink()
            thread.join(5)
