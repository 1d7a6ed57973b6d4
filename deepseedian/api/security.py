"""Who may call, decided before any handler runs.

The Unix socket is closed to other users by its mode. A loopback port is open to every program and web page
on the machine, so there a request needs the bearer token, exactly one known Host, and an Origin that is
ours or absent. Everywhere a body is JSON and of bounded size.
"""

import logging
import secrets
import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

from deepseedian.client import CHALLENGE, PROOF, proof
from deepseedian.errors import BadInput, DeepseedianError, Forbidden, TooLarge

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

log = logging.getLogger("deepseedian.api")

BODY_LIMIT = 8 * 1024 * 1024
CHALLENGE_BYTES = 128
LENGTH_DIGITS = 15  # Python refuses to read a number of thousands of digits
ORIGINS = (b"app://obsidian.md",)


class Gate:
    """ASGI middleware in front of everything. `port` is the loopback port."""

    def __init__(self, app: App, *, token: str, port: int) -> None:
        self.app, self.token = app, token.encode()
        self.hosts = {f"{name}:{port}".encode() for name in ("127.0.0.1", "localhost", "[::1]")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no web sockets here
            await send({"type": "websocket.close", "code": 1008})
            return
        try:
            self._check(scope)
        except DeepseedianError as error:
            await _refuse(error, send, self._proof(scope, error))
            return
        try:
            await _Bounded(receive, send).run(self.app, scope)
        except Exception as error:
            # The application has answered 500 already. Its text could hold memory: only kind and place are logged.
            place = traceback.extract_tb(error.__traceback__)[-1]
            log.error("%s in %s at %s:%s", type(error).__name__, scope["path"], Path(place.filename).name, place.lineno)

    def _check(self, scope: Scope) -> None:
        headers = scope["headers"]
        origins = _all(headers, b"origin")
        if any(origin not in ORIGINS for origin in origins):
            raise Forbidden("this origin may not call", "only the local editor and programs of this user may")
        if _over_loopback(scope):
            self._check_loopback(headers)
        body = scope["method"] in ("POST", "PUT", "PATCH")
        kinds = _all(headers, b"content-type")
        if body and not (len(kinds) == 1 and kinds[0].split(b";")[0].strip().lower() == b"application/json"):
            raise BadInput("a changing request must be application/json", "set Content-Type: application/json")
        declared = _all(headers, b"content-length")
        if declared and (not declared[0].isdigit() or len(declared[0]) > LENGTH_DIGITS or int(declared[0]) > BODY_LIMIT):
            raise _too_large()

    def _check_loopback(self, headers: list[tuple[bytes, bytes]]) -> None:
        hosts = _all(headers, b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            raise Forbidden("this Host is not ours", "call 127.0.0.1 with the port of the endpoint file")
        given = _all(headers, b"authorization")
        scheme, _, token = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        if scheme.lower() != b"bearer" or not secrets.compare_digest(token.strip(), self.token):
            raise Forbidden("the token is missing or wrong", "the endpoint file holds it", code="unauthorized")


    def _proof(self, scope: Scope, error: DeepseedianError) -> str:
        """A client over loopback that asks us to prove ourselves before it shows its token; empty for every other refusal."""
        asked = _all(scope["headers"], CHALLENGE.lower().encode())
        if error.code != "unauthorized" or scope["method"] != "GET" or len(asked) != 1 or len(asked[0]) > CHALLENGE_BYTES:
            return ""
        return proof(self.token, asked[0])


def _all(headers: list[tuple[bytes, bytes]], name: bytes) -> list[bytes]:
    return [value for key, value in headers if key == name]


def _over_loopback(scope: Scope) -> bool:
    """A Unix socket has a path and no port; anything that is not clearly one counts as loopback."""
    server = scope.get("server")
    return not (server and isinstance(server[0], str) and server[0].startswith("/") and server[1] is None)


class _Bounded:
    """Counts a body as it comes in; over the limit we answer ourselves, whatever the application makes of it."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self.receive, self.send = receive, send
        self.seen = 0
        self.answered = False

    async def run(self, app: App, scope: Scope) -> None:
        try:
            await app(scope, self._counted, self._passed)
        except TooLarge:
            if not self.answered:
                raise

    async def _counted(self) -> Message:
        message = await self.receive()
        self.seen += len(message.get("body", b""))
        if self.seen > BODY_LIMIT:
            error = _too_large()
            if not self.answered:
                self.answered = True
                await _refuse(error, self.send)
            raise error
        return message

    async def _passed(self, message: Message) -> None:
        if not self.answered:
            await self.send(message)


def _too_large() -> TooLarge:
    return TooLarge(f"a request may have {BODY_LIMIT} bytes", "send less at once")


async def _refuse(error: DeepseedianError, send: Send, proved: str = "") -> None:
    """With a proof the connection stays open, so that what follows goes to whom it was proved by."""
    import json

    body = json.dumps(error.document(), ensure_ascii=False).encode(errors="backslashreplace")
    status = 401 if error.code == "unauthorized" else error.status
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers.append((PROOF.lower().encode(), proved.encode()) if proved else (b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
