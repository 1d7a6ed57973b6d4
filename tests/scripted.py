"""A scripted OpenAI-compatible server on loopback: says what it is told to, and remembers what it was asked."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Script:
    """Answers in order, the last one again and again. An answer is a text, a status with a raw body, or seconds to wait."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""

    def next(self) -> Any:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def served(script: Script) -> Iterator[Script]:
    class Scripted(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            script.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            script.headers.append({name.lower(): value for name, value in self.headers.items()})
            answer = script.next()
            status = 200
            if isinstance(answer, float):
                time.sleep(answer)
                answer = "{}"
            raw = isinstance(answer, tuple)
            if raw:
                status, answer = answer
            body = answer if raw else json.dumps({
                "id": "x", "object": "chat.completion", "created": 0, "model": "scripted",
                "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}]})
            self.send_response(status)
            if status in (302, 307):
                self.send_header("Location", body)
                body = ""
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            with suppress(BrokenPipeError):
                self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    script.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
