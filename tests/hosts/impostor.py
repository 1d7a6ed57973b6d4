"""Something that listens where a daemon would."""

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def answer(body: bytes) -> bytes:
    """As HTTP."""
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body


@contextmanager
def impostor(vault: Path, answer: bytes | None) -> Iterator[None]:
    """Silent, or with one answer to everything."""
    runtime = Path(os.environ["DEEPSEEDIAN_RUNTIME_DIR"])
    path = runtime / "x.sock"
    stopping = threading.Event()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(path))
        listening.listen(8)
        listening.settimeout(0.1)
        body = {"vault": os.path.realpath(vault), "pid": os.getpid(), "socket": str(path), "port": 1, "token": "t"}
        (runtime / "x.json").write_text(json.dumps(body), encoding="utf-8")
        held: list[socket.socket] = []

        def serve() -> None:
            while not stopping.is_set():
                try:
                    made, _ = listening.accept()
                except TimeoutError:
                    continue
                held.append(made)
                if answer is not None:
                    made.recv(1 << 20)
                    made.sendall(answer)
                    made.close()

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield
        finally:
            stopping.set()
            thread.join()
            for made in held:
                made.close()
