"""One connection of the web server, with patience that ends.

uvicorn waits for the rest of a request for ever: a caller without any token, sending a byte now and then,
holds a connection, and enough of them hold them all. A request must be here whole within seconds; what
takes long is an answer, and that is not touched. It is read by httptools: with h11, uvicorn's other parser,
a recall over the socket took the daemon half as long again.
"""

import asyncio
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

REQUEST_SECONDS = 5.0
HEAD_LIMIT = 65_536  # bytes of a request before its body; httptools has no limit
MOST_QUEUED = 16  # requests that were sent before the first one was answered: thousands fit into one packet


class _Parser(httptools.HttpRequestParser):
    """Nothing is upgraded here, and a wish for it is passed by: httptools would pass the body by with it.

    Java's client wishes for HTTP/2 in every request, so its bodies came in empty.
    """

    def __init__(self, protocol: "Connection") -> None:
        super().__init__(protocol)
        self._protocol = protocol

    def feed_data(self, data: Any) -> None:
        try:
            super().feed_data(data)
        except httptools.HttpParserUpgrade as wish:
            self._protocol.read_anew(bytes(data[wish.args[0]:]))


class _Joining:
    """A transport that sends the head of an answer with the first of its body: each packet wakes the other side.

    A head that nothing follows at once, as of a stream of events, goes by itself.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop, self._head = transport, loop, b""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._head and data.startswith(b"HTTP/1.1 "):
            self._head = data
            self._loop.call_soon(self._flush)
        else:
            head, self._head = self._head, b""
            self._transport.write(head + data)

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._head:
            self.write(b"")


class Connection(HttpToolsProtocol):
    """`_deadline` runs from the first byte of a request, or from the connection on, to the request's last byte."""

    _deadline: asyncio.TimerHandle | None = None
    _running: Any = None  # the request that is being answered; `cycle` is the last one that came
    _whole = False  # the last byte that came ended a request
    _in_head = True
    _head = 0

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._new_parser()

    def _new_parser(self) -> None:
        self.parser = _Parser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn has it

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.transport = _Joining(transport, self.loop)  # type: ignore[assignment]
        self._wait()

    def data_received(self, data: bytes) -> None:
        self._whole = False  # an empty line begins no request, and must not hold the connection either
        self._head += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            self._rest()
        elif self._in_head and self._head > HEAD_LIMIT:
            self._rest()
            self.send_400_response("The head of the request is too long.")
        else:
            self._mind()

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= MOST_QUEUED:
            raise httptools.HttpParserError("nobody sends so many requests at once")
        super().on_message_begin()
        self._in_head = True

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:  # what follows a body changes nothing of what was decided by its head
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._upgrading():
            return
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        if self._upgrading():
            return
        super().on_message_complete()
        self._whole, self._in_head, self._head = True, True, 0

    def _upgrading(self) -> bool:
        return bool(self.parser.should_upgrade()) and self.parser.get_method() != b"CONNECT"

    def read_anew(self, rest: bytes) -> None:
        """The head that was read last, without the wish for another protocol, and what came after it."""
        lines = [b"%s %s HTTP/%s" % (self.parser.get_method(), self.url, self.parser.get_http_version().encode())]
        for name, value in self.headers:
            if name == b"connection":
                value = b", ".join(word.strip() for word in value.split(b",") if word.strip().lower() != b"upgrade")
            if name != b"upgrade":
                lines.append(name + b": " + value)
        self._new_parser()
        self.parser.feed_data(b"\r\n".join([*lines, b"", rest]))

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._mind()

    def send_400_response(self, msg: str) -> None:
        """Only where it is the next answer that the other side waits for: it would be read as the one that is under way."""
        now = self._running
        if now is None or now.response_complete or (now.more_body and not now.response_started):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        if self._running is not None and not self._running.response_complete:
            self._running.disconnected = True  # uvicorn tells the last one only, and this one would go on for ever
            self._running.message_event.set()
        super().connection_lost(exc)

    def _mind(self) -> None:
        """Patience runs while a request is incomplete, and not while one before it is being answered."""
        if self._whole or self.pipeline or (self._in_head and self.cycle is not None and not self.cycle.response_complete):
            self._rest()
        else:
            self._wait()

    def _wait(self) -> None:
        if self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self._give_up)

    def _rest(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        self.transport.close()
