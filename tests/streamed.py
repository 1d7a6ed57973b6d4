"""A scripted OpenAI-compatible server that streams: raw pieces with pauses, cuts and statuses, on loopback.

    with streaming(Streamed(answer("Hello"))) as server:      # server.url, server.asked, server.headers, server.gone

Answers are given in order, the last one again and again. An answer is
  a list of pieces      sent as one event stream: a str or bytes goes out as it is, a float is a pause in seconds, CUT breaks the
                        connection off, RESET resets it; `answer`, `call_answer` and the functions below make such lists
  Whole(document)       one JSON document, as a server that does not stream would answer
  Status(code, body)    an HTTP status with a raw body and headers
  a function            called with the request's JSON, its result is the answer
"""

import json
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class _Mark:
    """A piece that is no text."""


CUT, RESET = _Mark(), _Mark()
Part = str | bytes | float | _Mark


@dataclass(frozen=True)
class Whole:
    document: object


@dataclass(frozen=True)
class Status:
    code: int
    body: str | bytes = "{}"
    headers: Mapping[str, str] = field(default_factory=dict)


class Streamed:
    """The script, and what the server saw. `models` is what it lists; None: it has no such list."""

    def __init__(self, *answers: Any, models: Sequence[str] | None = ("scripted",)) -> None:
        self.answers, self.models = list(answers), models
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.listed = 0
        self.gone = threading.Event()  # a client hung up before the end of an answer
        self.content_type = "text/event-stream"
        self.url = ""
        self._lock = threading.Lock()

    def next(self) -> Any:
        with self._lock:
            return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


# Pieces

def event(document: object) -> str:
    return f"data: {json.dumps(document, ensure_ascii=False)}\n\n"


def chunk(delta: Mapping[str, object] | None = None, finish: str | None = None, **more: object) -> str:
    """One event of a stream; `more` are further keys of it, such as usage."""
    choices = [{"index": 0, "delta": dict(delta or {}), "finish_reason": finish}]
    return event({"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "scripted", "choices": choices} | more)


def text(words: str) -> str:
    return chunk({"content": words})


def reasoning(words: str, name: str = "reasoning_content") -> str:
    return chunk({name: words})


def call(arguments: str = "", *, index: int | None = 0, id: str | None = None, name: str | None = None) -> str:
    """A piece of a tool call; None leaves a key out."""
    function = {"arguments": arguments} | ({"name": name} if name is not None else {})
    piece: dict[str, object] = {"function": function}
    if index is not None:
        piece["index"] = index
    if id is not None:
        piece |= {"id": id, "type": "function"}
    return chunk({"tool_calls": [piece]})


def finish(reason: str = "stop") -> str:
    return chunk({}, reason)


def usage(input: int = 10, output: int = 5, cached: int = 0, thought: int = 0) -> str:
    return event({"id": "c", "object": "chat.completion.chunk", "choices": [], "usage": {
        "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
        "prompt_tokens_details": {"cached_tokens": cached}, "completion_tokens_details": {"reasoning_tokens": thought}}})


DONE = "data: [DONE]\n\n"


# Whole answers

def answer(*words: str, thought: str | None = None, reason: str = "stop") -> list[Part]:
    """Text in pieces, after reasoning when there is any (also when it is empty)."""
    first: list[Part] = [reasoning(thought)] if thought is not None else []
    return [*first, *(text(word) for word in words), finish(reason), usage(), DONE]


def call_answer(*calls: tuple[str, object], thought: str | None = None, words: str = "") -> list[Part]:
    """Tool calls as (name, arguments); arguments that are no text become JSON."""
    pieces: list[Part] = [reasoning(thought)] if thought is not None else []
    pieces += [text(words)] if words else []
    for number, (name, arguments) in enumerate(calls):
        raw = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        half = len(raw) // 2
        pieces += [call("", index=number, id=f"call-{number}", name=name), call(raw[:half], index=number), call(raw[half:], index=number)]
    return [*pieces, finish("tool_calls"), usage(), DONE]


def message(content: str | None, **more: object) -> Whole:
    """What a server answers that does not stream."""
    return Whole({"id": "c", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [
        {"index": 0, "finish_reason": more.pop("finish", "stop"), "message": {"role": "assistant", "content": content} | more}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}})


# The server

class _Speaking(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: Streamed

    def do_GET(self) -> None:
        self.script.listed += 1
        self.script.headers.append({name.lower(): value for name, value in self.headers.items()})
        if self.script.models is None:
            self._plain(Status(404, '{"error":{"message":"no such thing"}}'))
        else:
            self._plain(Status(200, json.dumps({"object": "list", "data": [{"id": name, "object": "model"} for name in self.script.models]})))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.script.headers.append({name.lower(): value for name, value in self.headers.items()})
        self.script.asked.append(body)
        found = self.script.next()
        while callable(found):
            found = found(body)
        with suppress(OSError):
            if isinstance(found, Whole):
                self._plain(Status(200, json.dumps(found.document, ensure_ascii=False)))
            elif isinstance(found, Status):
                self._plain(found)
            else:
                self._stream(found)

    def _plain(self, status: Status) -> None:
        body = status.body if isinstance(status.body, bytes) else status.body.encode()
        self.send_response(status.code)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **status.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(body)

    def _stream(self, parts: Sequence[Part]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", self.script.content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for part in parts:
                if isinstance(part, _Mark):
                    self._broken_off(reset=part is RESET)
                    return
                if isinstance(part, float):
                    self._pause(part)
                    continue
                data = part.encode() if isinstance(part, str) else part
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.script.gone.set()
            self.close_connection = True

    def _pause(self, seconds: float) -> None:
        """Wait, and see at once when the other side hangs up. Raises BrokenPipeError then."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self.connection], [], [], left)[0] and not self.connection.recv(1, socket.MSG_PEEK):
                raise BrokenPipeError

    def _broken_off(self, *, reset: bool) -> None:
        if reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            time.sleep(0.05)  # a reset takes along what the other side has not read yet
            self.connection.close()
        else:
            self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def log_message(self, *_: object) -> None: ...


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None: ...


@contextmanager
def streaming(script: Streamed) -> Iterator[Streamed]:
    """The server, for as long as the block runs."""
    server = _Quiet(("127.0.0.1", 0), type("Speaking", (_Speaking,), {"script": script}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    script.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def in_turn(*answers: Callable[[dict[str, Any]], Any] | Any) -> Streamed:
    """A script whose end is an error: a request more than was meant is told by a status 500 that names it."""
    return Streamed(*answers, Status(500, '{"error":{"message":"nothing more in the script"}}'))
