"""`/mcp`: MCP over streamable HTTP, behind the same gate as every route.

A host that starts wants two answers at once, who we are and which tools there are, also while a large memory is being
read and the protocol's library is not loaded. Those two, and what surrounds them, are told here from static tables,
and only when the request is plainly well-formed; a test holds them equal to what the library would say. Everything
else is the library's. The envelope of each message is checked here for both, since the library takes a request with
an odd id for a notification and leaves its sender waiting.
"""

import asyncio
import importlib
import json
import uuid
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import suppress
from typing import Any

from deepseedian.api import mcp_words as words
from deepseedian.api.host import Host

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Document = dict[str, Any]

PATH = "/mcp"
MESSAGE_LIMIT = 1024 * 1024
LOAD_AFTER_SECONDS = 0.5
PARSE_ERROR, INVALID_REQUEST = -32700, -32600
SERVED = ("", *words.HANDSHAKE, words.STATELESS)


class McpEntry:
    """ASGI application. The library behind it is loaded once, by the first message that needs it or soon after the first of all."""

    def __init__(self) -> None:
        self._library: asyncio.Task[Any] | None = None
        self._running: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":  # there is nothing to stream and no session to end
            await _answer(send, 405, _failure(None, INVALID_REQUEST, "POST one message a request"), {"allow": "POST"})
            return
        host: Host = scope["app"].state.host
        body = await _body(receive)
        status, found = _understood(body)
        if status != 200:
            await _answer(send, status, found)
            return
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        more = {"mcp-session-id": str(uuid.uuid4())} if found.get("method") == "initialize" else {}
        answer = _static(host, found, headers)
        if answer is not None:
            await _answer(send, *answer, more)
            self._soon(host)
            return
        await self._handed_on(host, scope, found, receive, send, more)

    async def _handed_on(self, host: Host, scope: Scope, message: Document, receive: Receive, send: Send, more: Mapping[str, str]) -> None:
        """We answer as JSON whatever a client accepts, and half a character is replaced: the library refuses both."""
        manager = await self._loaded(host)
        body = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")
        kept = [(key, value) for key, value in scope["headers"] if key not in (b"accept", b"content-length")]
        kept += [(b"accept", b"application/json, text/event-stream"), (b"content-length", str(len(body)).encode())]
        pending = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return pending.pop() if pending else await receive()

        async def passed(event: Message) -> None:
            if event["type"] == "http.response.start" and more:
                event["headers"] = [*event["headers"], *((key.encode(), value.encode()) for key, value in more.items())]
            await send(event)
        await manager.handle_request({**scope, "headers": kept}, again, passed)

    # The library

    def _soon(self, host: Host) -> None:
        """A host that asks who we are will call: by then the library is there."""
        if self._library is None:
            self._library = asyncio.create_task(self._load(host))

    async def _loaded(self, host: Host) -> Any:
        self._wanted.set()
        if self._library is None or (self._library.done() and (self._library.cancelled() or self._library.exception())):
            self._library = asyncio.create_task(self._load(host))
        return await asyncio.shield(self._library)

    async def _load(self, host: Host) -> Any:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wanted.wait(), LOAD_AFTER_SECONDS)
        library = await asyncio.to_thread(importlib.import_module, "deepseedian.api.mcp_server")
        manager = library.opened(host)
        up = asyncio.get_running_loop().create_future()
        self._running = asyncio.create_task(_run(manager, up))
        await up
        return manager


async def _run(manager: Any, up: "asyncio.Future[None]") -> None:
    """Holds the library's tasks; ends with the event loop."""
    async with manager.run():
        up.set_result(None)
        await asyncio.Event().wait()


async def _body(receive: Receive) -> bytes | None:
    """The request's body; None for one over the limit."""
    pieces, size, more = [], 0, True
    while more and size <= MESSAGE_LIMIT:
        event = await receive()
        pieces.append(event.get("body", b""))
        size += len(pieces[-1])
        more = event.get("more_body", False) and event["type"] == "http.request"
    return b"".join(pieces) if size <= MESSAGE_LIMIT else None


def _understood(body: bytes | None) -> tuple[int, Document]:
    """200 with one well-formed message, else a status with the error to answer."""
    if body is None:
        return 413, _failure(None, INVALID_REQUEST, f"a message may have {MESSAGE_LIMIT} bytes")
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return 400, _failure(None, PARSE_ERROR, "the body is no JSON")
    if not isinstance(message, dict):
        return 400, _failure(None, INVALID_REQUEST, "one JSON-RPC message a request, and no batches")
    id = message.get("id")
    fit = isinstance(id, str) or (isinstance(id, int) and not isinstance(id, bool))
    if "id" in message and not fit:
        return 400, _failure(None, INVALID_REQUEST, "an id is a text or a whole number")
    params = message.get("params", {})
    asks = message.get("jsonrpc") == "2.0" and isinstance(message.get("method"), str) and isinstance(params, dict)
    answers = message.get("jsonrpc") == "2.0" and "method" not in message and fit and ("result" in message or "error" in message)
    if asks or answers:
        return 200, message
    return 400, _failure(id, INVALID_REQUEST, "this is no JSON-RPC 2.0 message")


# What is answered without the library

def _static(host: Host, message: Document, headers: Mapping[str, str]) -> tuple[int, Document | None] | None:
    """Status and answer for what a host begins with; None for everything else, and for everything that is not as usual."""
    if "method" not in message:
        return 202, None
    method, params, version = message["method"], message.get("params", {}), headers.get("mcp-protocol-version", "")
    if "id" not in message:
        return (202, None) if version in SERVED else None  # nothing is kept that a notification could be about
    result = None
    if version in ("", *words.HANDSHAKE):
        result = _handshake(host, method, params)
    elif version == words.STATELESS and headers.get("mcp-method") == method:
        result = _stateless(host, method, params)
    return None if result is None else (200, {"jsonrpc": "2.0", "id": message["id"], "result": result})


def _handshake(host: Host, method: str, params: Document) -> Document | None:
    if method == "initialize" and params.get("protocolVersion") in words.HANDSHAKE and _client(params.get("clientInfo")) \
            and isinstance(params.get("capabilities"), dict):
        return {"protocolVersion": params["protocolVersion"], "capabilities": words.CAPABILITIES, "serverInfo": words.SERVER,
                "instructions": words.INSTRUCTIONS}
    if method == "ping" and params.keys() <= {"_meta"}:
        return {}
    if method == "tools/list" and params.keys() <= {"_meta"}:
        return {"tools": _tools(host)}
    return None


def _stateless(host: Host, method: str, params: Document) -> Document | None:
    meta = params.get("_meta")
    if not isinstance(meta, dict) or params.keys() != {"_meta"} or meta.get(words.VERSION_KEY) != words.STATELESS \
            or not isinstance(meta.get(words.CAPABILITIES_KEY), dict) or not _client(meta.get(words.CLIENT_KEY, words.SERVER)):
        return None
    whole = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "_meta": {words.SERVER_KEY: words.SERVER}}
    if method == "server/discover":
        return {"supportedVersions": [words.STATELESS], "capabilities": words.CAPABILITIES, "instructions": words.INSTRUCTIONS} | whole
    if method == "tools/list":
        return {"tools": _tools(host)} | whole
    return None


def _client(info: object) -> bool:
    return isinstance(info, dict) and isinstance(info.get("name"), str) and isinstance(info.get("version"), str)


def _tools(host: Host) -> list[Document]:
    return [words.listed(tool) for tool in host.sidecar.desk("mcp").offered()]


def _failure(id: object, code: int, text: str) -> Document:
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}}


async def _answer(send: Send, status: int, document: Document | None, more: Mapping[str, str] | None = None) -> None:
    body = b"" if document is None else json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
    headers = {"content-type": "application/json", "content-length": str(len(body))} | dict(more or {})
    raw = [(key.encode(), value.encode()) for key, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
