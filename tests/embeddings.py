"""A server in the shape of OpenAI's embedding API on loopback, with every fault a test may want, and what it was asked.

Its vectors come from the letters and two-letter pieces of a text, so that texts which share words are near each other.
"""

import hashlib
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def vector(text: str, dimension: int, seed: str = "") -> list[float]:
    found = [0.0] * dimension
    plain = "".join(char for char in text.casefold() if char.isalnum())
    for piece in [plain[at: at + 2] for at in range(len(plain))]:
        place = hashlib.sha256(f"{seed}{piece}".encode()).digest()
        found[int.from_bytes(place[:4], "big") % dimension] += 1.0
    return found if any(found) else [1.0, *found[1:]]


class Server:
    """Change its attributes while it runs. `fault` is one of: slow (waits for `go`), status (answers `status`), redirect,
    huge, torn, counts, nan, mixed, unnumbered, text, twice, dribble, long (refuses texts over 60 characters)."""

    def __init__(self) -> None:
        self.models: list[str] | None = ["chatter-7b", "letters-embedding"]
        self.dimension, self.seed, self.fault, self.status = 512, "", "", 500
        self.embeds = True
        self.shuffled = False
        self.asked: list[list[str]] = []
        self.keys: list[str] = []
        self.names: list[str] = []
        self.listed = 0
        self.elsewhere = 0
        self.go = threading.Event()
        self.stopping = threading.Event()
        self.connections: list[socket.socket] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:
                return

            def do_GET(self) -> None:
                server.listed += 1
                server.keys.append(self.headers.get("Authorization", ""))
                if self.path != "/v1/models":
                    server.elsewhere += 1
                if server.models is None or self.path != "/v1/models":
                    self.answer(404, {"error": {"message": "not found"}})
                else:
                    self.answer(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in server.models]})

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.keys.append(self.headers.get("Authorization", ""))
                if self.path != "/v1/embeddings":
                    server.elsewhere += 1
                    return self.answer(404, {"error": {"message": "not found"}})
                if not server.embeds:
                    return self.answer(501, {"error": {"code": 501, "message": "This server does not support embeddings."}})
                server.asked.append(body["input"])
                server.names.append(body["model"])
                server.reply(self, body["input"])

            def answer(self, status: int, document: object, **headers: str) -> None:
                data = json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

            def get_request(self) -> Any:
                found = super().get_request()
                server.connections.append(found[0])
                return found

            def handle_error(self, request: Any, client_address: Any) -> None:
                return

        self.http = Quiet(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_address[1]}/v1/embeddings"
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def reply(self, to: Any, texts: list[str]) -> None:
        fault = self.fault
        rows: list[dict[str, Any]] = [{"object": "embedding", "index": number, "embedding": vector(text, self.dimension, self.seed)}
                                      for number, text in enumerate(texts)]
        if fault == "slow":
            self.go.wait(20)
        elif fault == "status":
            return to.answer(self.status, {"error": {"message": "no"}})
        elif fault == "redirect":
            return to.answer(307, {}, Location=f"http://127.0.0.1:{self.http.server_address[1]}/other")
        elif fault == "long" and any(len(text) > 60 for text in texts):
            return to.answer(500, {"error": {"message": "input is too large to process. increase the physical batch size"}})
        elif fault in ("huge", "dribble"):
            return self.endless(to, b" " * 1_000_000 if fault == "huge" else b" ", 0.0 if fault == "huge" else 0.05)
        elif fault == "torn":
            to.send_response(200)
            to.send_header("Content-Type", "application/json")
            to.send_header("Content-Length", "1000")
            to.end_headers()
            to.wfile.write(b'{"data": [')
            to.close_connection = True
            return None
        elif fault == "counts":
            rows = rows[:-1]
        elif fault == "nan":
            rows[-1]["embedding"][3] = float("nan")
        elif fault == "mixed":
            rows[-1]["embedding"] = [*rows[-1]["embedding"], 1.0]
        elif fault == "unnumbered":
            rows = [{key: value for key, value in row.items() if key != "index"} for row in rows]
        elif fault == "twice":
            rows = [row | {"index": 0} for row in rows]
        elif fault == "text":
            rows[-1]["embedding"] = ["x"] * self.dimension
        elif fault == "zeros":
            rows[-1]["embedding"] = [0.0] * self.dimension
        if self.shuffled:
            rows.reverse()
        return to.answer(200, {"object": "list", "model": "m", "data": rows, "usage": {"prompt_tokens": 1, "total_tokens": 1}})

    def endless(self, to: Any, piece: bytes, pause: float) -> None:
        to.send_response(200)
        to.send_header("Content-Type", "application/json")
        to.send_header("Connection", "close")
        to.end_headers()
        to.close_connection = True
        while not self.stopping.wait(pause):
            to.wfile.write(piece)
            to.wfile.flush()

    def stop(self) -> None:
        """As a server that was killed: nobody listens any more, and no connection stays."""
        self.stopping.set()
        self.go.set()
        self.http.shutdown()
        self.http.server_close()
        for connection in self.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.thread.join(5)


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    try:
        yield server
    finally:
        if not server.stopping.is_set():
            server.stop()
