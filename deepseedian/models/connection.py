"""One way to every model's server: the `openai` package on a transport of our own, and a thread beside us to wait in.

The transport follows no redirect, since that would carry the key elsewhere; it repeats nothing, since a call may be
paid for; it asks for plain bytes and counts them, so that an answer without end fills no memory; and its sockets can be
shut from another thread, so that a server learns at once that nobody waits any more. The SDK is imported at the first
call: it costs half a second that nobody without a model should pay. What it would tell of this machine is not sent.
"""

import json
import queue
import socket
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from deepseedian.errors import ModelFailed
from deepseedian.models.bounded import bound

POLL_SECONDS = 0.1
MOST_WAITING = 256
UNSENT = ("x-stainless-", "openai-organization", "openai-project")


@dataclass(frozen=True, slots=True)
class Server:
    """An address and the words to speak of it: what it is called, and where its address and its key are set."""

    address: str
    who: str = "the model's server"
    setting: str = "model.endpoint"
    key_hint: str = "check DEEPSEEDIAN_MODEL_KEY, or deepseedian key set model"


class Connection:
    """The SDK's client for one server. `idle` seconds is the most a single read may take, `most` the bytes of an answer."""

    def __init__(self, server: Server, key: str, *, idle: float, most: int, connect: float = 10.0) -> None:
        self.server, self.idle, self.most, self.connect = server, idle, most, connect
        self._key = key
        self._lock = threading.Lock()
        self._client: Any = None
        self._transport: Any = None
        self._sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        self._gone = False

    def open(self) -> Any:
        """The client, made once. Raises ModelFailed for a key that no header can hold."""
        with self._lock:
            self._client = self._client or self._made()
            return self._client

    def _made(self) -> Any:
        import httpx2
        import openai

        if not (self._key.isascii() and self._key.isprintable()):
            raise ModelFailed("the key holds characters that no key has", self.server.key_hint, code="model_refused")
        _quiet()
        self._transport = httpx2.Client(
            follow_redirects=False, timeout=httpx2.Timeout(self.idle, connect=self.connect),
            trust_env=not is_local(self.server.address),  # what is on this machine is never asked through a proxy
            event_hooks={"request": [self._sent], "response": [self._answered]})
        return openai.OpenAI(base_url=self.server.address, api_key=self._key or "none", max_retries=0, http_client=self._transport)

    def _sent(self, request: Any) -> None:
        request.extensions["trace"] = self._traced
        request.headers["Accept-Encoding"] = "identity"
        for name in [name for name in request.headers if name.startswith(UNSENT)]:
            del request.headers[name]

    def _answered(self, response: Any) -> None:
        if response.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
            raise ModelFailed(f"{self.server.who} answered packed bytes that nobody asked for", f"check {self.server.setting}",
                              code="model_answer")
        bound(response, self.most, self.server.who, self.server.setting)

    def _traced(self, name: str, info: dict[str, Any]) -> None:
        if name.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._sockets.add(info["return_value"].get_extra_info("socket"))
            if self._gone:
                self.cut()

    def cut(self) -> None:
        """Shut the sockets, from any thread: whoever reads from one wakes up."""
        self._gone = True
        for held in list(self._sockets):
            with suppress(OSError):
                socket.socket.shutdown(held, socket.SHUT_RDWR)  # not the TLS socket's own: it is in use in another thread

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


def _quiet() -> None:
    """The SDK's debug messages hold requests whole; no level that is set for everything may let them out."""
    import logging

    for name in ("openai", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)


def is_local(address: str) -> bool:
    return urlsplit(address).hostname in ("127.0.0.1", "localhost", "::1")


class OutOfTime(Exception):
    """A limit passed. `whole`: the one on the whole call, else the one between two items."""

    def __init__(self, whole: bool) -> None:
        super().__init__()
        self.whole = whole


class Stopped(Exception):
    """The caller wants no more of it."""


class _Left(Exception):
    """Nobody takes items any more."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The work is done, or failed."""

    error: Exception | None


class Beside:
    """Work in a thread beside us that hands over items as they come; waiting for one can be ended at any moment.

    A server that dribbles keeps every single read within its limit, so the limits are kept here.
    """

    def __init__(self, name: str, work: Callable[[Callable[[object], None]], None], cut: Callable[[], None]) -> None:
        self._work, self._cut = work, cut
        self._items: queue.Queue[object] = queue.Queue(MOST_WAITING)
        self._left = threading.Event()
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def _run(self) -> None:
        error: Exception | None = None
        try:
            self._work(self._put)
        except Exception as failed:  # handed over to the waiting thread
            error = failed
        with suppress(_Left):
            self._put(Ended(error))

    def _put(self, item: object) -> None:
        while not self._left.is_set():
            with suppress(queue.Full):
                self._items.put(item, timeout=POLL_SECONDS)
                return
        raise _Left

    def next(self, until: float, cancelled: threading.Event | None = None, idle: float = float("inf")) -> Any:
        """The next item, or Ended without an error. Raises what the work raised, OutOfTime, Stopped; `until` is monotonic time."""
        quiet = time.monotonic() + idle
        while True:
            if cancelled is not None and cancelled.is_set():
                raise Stopped
            now = time.monotonic()
            if now >= min(until, quiet) and self._items.empty():
                raise OutOfTime(now >= until)
            with suppress(queue.Empty):
                item = self._items.get(timeout=max(0.001, min(POLL_SECONDS, until - now, quiet - now)))
                if isinstance(item, Ended) and item.error is not None:
                    raise item.error
                return item

    def leave(self) -> None:
        """Take no more, and cut the connection."""
        self._left.set()
        self._cut()


def result(name: str, ask: Callable[[], Any], cut: Callable[[], None], seconds: float, cancelled: threading.Event | None = None) -> Any:
    """What `ask` returns, within so many seconds. Raises what it raises, OutOfTime, Stopped."""
    beside = Beside(name, lambda put: put(ask()), cut)
    try:
        return beside.next(time.monotonic() + seconds, cancelled)
    except (OutOfTime, Stopped):
        beside.leave()
        raise


def named(error: Exception, server: Server) -> ModelFailed:
    """Our own error for one of the SDK's or of the transport below; its text could hold the request, so only its kind is told."""
    import httpx2
    import openai

    if isinstance(error, ModelFailed):
        return error
    if isinstance(error, openai.APITimeoutError | httpx2.TimeoutException):
        return ModelFailed(f"{server.who} did not answer in time", "it may be overloaded; try again later", code="model_away")
    if isinstance(error, openai.APIConnectionError | httpx2.TransportError):
        return ModelFailed(f"{server.who} cannot be reached", f"check {server.setting}", code="model_away")
    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        return ModelFailed(f"{server.who} refused the key", server.key_hint, code="model_refused")
    if isinstance(error, openai.APIStatusError):
        hint = {404: "check its address and the model's name", 402: "the account there has no balance"}.get(error.status_code)
        return ModelFailed(f"{server.who} answered {error.status_code}", hint or "try again later", code="model_refused")
    return ModelFailed(f"{server.who} gave no usable answer ({type(error).__name__})", "try again later", code="model_answer")


def sendable(value: Any) -> Any:
    """The same, with half characters made whole: no server takes them, and the SDK fails on them."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return _mended(value)
    return value


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, Mapping):
        return {_mended(key): _mended(item) for key, item in value.items()}
    return [_mended(item) for item in value] if isinstance(value, list | tuple) else value
