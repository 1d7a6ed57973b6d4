"""One connection of the web server, with patience that ends.

uvicorn waits for the rest of a request for ever: a caller without any token, sending a byte now and then,
holds a connection, and enough of them hold them all. A request must be here whole within seconds; what
takes long is an answer, and that is not touched. It is read by httptools: with h11, uvicorn's other parser,
a recall over the socket took the daemon half as long again.
"""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

REQUEST_SECONDS = 5.0
HEAD_LIMIT = 65_536  # bytes of a request before its body; httptools has no limit


class Connection(HttpToolsProtocol):
    """`_deadline` runs from the first byte of a request, or from the connection on, to the request's last byte."""

    _deadline: asyncio.TimerHandle | None = None
    _whole = False  # the last byte that came ended a request
    _in_head = True
    _head = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
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
        super().on_message_begin()
        self._in_head = True

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:  # what follows a body changes nothing of what was decided by its head
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._whole, self._in_head, self._head = True, True, 0

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._mind()

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        super().connection_lost(exc)

    def _mind(self) -> None:
        """Patience runs while a request is incomplete, and not while one before it is being answered."""
        if self._whole or (self._in_head and self.cycle is not None and not self.cycle.response_complete):
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
