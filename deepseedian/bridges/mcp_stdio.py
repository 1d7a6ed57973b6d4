"""MCP on standard input and output, carried to the daemon: a bridge that knows JSON-RPC's envelope and nothing else.

A host starts one of these for itself and may kill it at any moment, so nothing of the vault is opened here. Each line
is one HTTP request of its own, on a fresh connection: a daemon that was restarted is simply met by the next line. A call
of a tool that was under way when the daemon went is answered with an error and not sent again, since nobody knows
whether it was carried out; everything else only reads, and is asked once more.
"""

import base64
import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, BinaryIO
from urllib.parse import quote

from deepseedian import client
from deepseedian.client import Endpoint, Response
from deepseedian.errors import DaemonAway, DeepseedianError

PATH = "/mcp"
MESSAGE_LIMIT = 1024 * 1024
AT_ONCE = 8
WAITING = 64
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}  # what the Mcp-Name header repeats
PARSE_ERROR, INVALID_REQUEST, AWAY = -32700, -32600, -32000
LOST = DaemonAway("the daemon ended while this call was under way; whether it was carried out is not known",
                  "look before you repeat it: memory_inbox lists the open proposals")

Message = dict[str, Any]


class Bridge:
    """`find` gives the running daemon's endpoint or None, `start` starts one, `tell` says something to the person who looks."""

    def __init__(self, find: Callable[[], Endpoint | None], start: Callable[[], object], incoming: BinaryIO, outgoing: BinaryIO,
                 *, session: str = "", tell: Callable[[str], None] = lambda text: None) -> None:
        self.find, self.start, self.tell = find, start, tell
        self.incoming, self.outgoing = incoming, outgoing
        self._named = {"Deepseedian-Session": quote(session)} if session else {}
        self._agreed: dict[str, str] = {}  # headers that the handshake settled
        self._starting, self._writing = threading.Lock(), threading.Lock()
        self._room = threading.Semaphore(WAITING)
        self._told = ""

    def run(self) -> None:
        """Until the host closes our input; what it has asked by then is still answered."""
        with ThreadPoolExecutor(AT_ONCE, "mcp") as pool:
            pool.submit(self._ready)  # the daemon comes up while the host sends its first message
            while (line := self._line()) != b"":
                message = self._understood(line) if line is not None else None
                if message is None:
                    continue
                if message.get("method") == "initialize":  # what follows depends on the version it settles
                    self._carry(message, line or b"")
                    continue
                self._room.acquire()
                pool.submit(self._carry_one, message, line or b"")

    def _line(self) -> bytes | None:
        """The next line; None for one that was too long and has been answered, empty at the end."""
        line = self.incoming.readline(MESSAGE_LIMIT + 1)
        if len(line) <= MESSAGE_LIMIT or line.endswith(b"\n"):
            return line if line == b"" or line.strip() else None
        while line and not line.endswith(b"\n"):
            line = self.incoming.readline(MESSAGE_LIMIT)
        self._fail(None, INVALID_REQUEST, f"a message may have {MESSAGE_LIMIT} bytes")
        return None

    def _understood(self, line: bytes) -> Message | None:
        """The message, when it asks or tells something; what is none is answered here."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self._fail(None, PARSE_ERROR, "this line is no JSON")
            return None
        if not isinstance(message, dict):
            self._fail(None, INVALID_REQUEST, "one JSON-RPC message a line, and no batches")
            return None
        if "method" not in message and ("result" in message or "error" in message):
            return None  # an answer, though we ask nothing
        return message

    def _carry_one(self, message: Message, line: bytes) -> None:
        try:
            self._carry(message, line)
        finally:
            self._room.release()

    def _carry(self, message: Message, line: bytes) -> None:
        """One message to the daemon, and its answer back. Never raises: a host must hear something for each request."""
        try:
            response = self._sent(message, line)
            if message.get("method") == "initialize":
                self._settle(response)
            if "id" in message:
                self._say(_answer(message["id"], response))
        except DeepseedianError as error:
            self._refuse(message, error)
        except BrokenPipeError:
            self.tell("the host does not read any more")
        except Exception as error:
            self._refuse(message, DeepseedianError(f"the bridge failed: {type(error).__name__}", "please report it"))

    def _sent(self, message: Message, line: bytes) -> Response:
        """Raises DaemonAway, Busy, or what kept a daemon from starting."""
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        headers |= self._agreed | self._named | _routing(message)
        for again in (True, False):
            endpoint = self._ready()
            try:
                return client.post(endpoint, PATH, line, headers)
            except DaemonAway:  # it had not heard anything of this yet
                if not again:
                    raise
                self._start()
            except client.LostAnswer:
                if not again or message.get("method") == "tools/call":
                    raise LOST from None
        raise LOST

    def _ready(self) -> Endpoint:
        """The endpoint of a daemon, which is started where there is none."""
        found = self.find()
        if found is None:
            self._start()
            found = self.find()
        if found is None:
            raise DaemonAway("the daemon is not there", "deepseedian start shows why")
        return found

    def _start(self) -> None:
        with self._starting:
            self.start()

    def _settle(self, response: Response) -> None:
        with suppress(ValueError, KeyError, TypeError):
            self._agreed = {"MCP-Protocol-Version": str(json.loads(response.body)["result"]["protocolVersion"])}
            if session := response.headers.get("mcp-session-id"):
                self._agreed["Mcp-Session-Id"] = session

    def _refuse(self, message: Message, error: DeepseedianError) -> None:
        if error.message != self._told:  # once, not for each line
            self._told = error.message
            self.tell(f"{error.message}" + (f" ({error.hint})" if error.hint else ""))
        if "id" in message:
            self._fail(message["id"], AWAY, error.message, error.document())

    def _fail(self, id: object, code: int, text: str, data: object = None) -> None:
        self._say(_error(id, code, text, data))

    def _say(self, line: bytes) -> None:
        with self._writing, suppress(BrokenPipeError):
            self.outgoing.write(line + b"\n")
            self.outgoing.flush()


def _answer(id: object, response: Response) -> bytes:
    """The daemon's message as one line; anything else it said becomes an error of this request."""
    try:
        message = json.loads(response.body)
    except ValueError:
        message = None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        told = message.get("error") if isinstance(message, dict) else None
        text = str(told.get("message")) if isinstance(told, dict) else f"the daemon answered {response.status}"
        return _error(id, AWAY, text, message)
    if message.get("id") != id:
        return json.dumps(message | {"id": id}).encode()
    return response.body if b"\n" not in response.body else json.dumps(message).encode()


def _error(id: object, code: int, text: str, data: object = None) -> bytes:
    told = {"code": code, "message": text} | ({"data": data} if data is not None else {})
    return json.dumps({"jsonrpc": "2.0", "id": id, "error": told}).encode()


def _routing(message: Message) -> dict[str, str]:
    """The headers that repeat what stands in a message of the revisions without a handshake."""
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    method = message.get("method")
    if not isinstance(version, str) or not isinstance(method, str) or not isinstance(params, dict):
        return {}
    headers = {"MCP-Protocol-Version": _header(version), "Mcp-Method": _header(method)}
    name = params.get(NAMED.get(method, ""))
    return headers | ({"Mcp-Name": _header(name)} if isinstance(name, str) else {})


def _header(value: str) -> str:
    """A value as it survives in a header, by the protocol's own rule."""
    plain = all(" " <= char <= "~" for char in value) and value == value.strip() and not value.startswith("=?base64?")
    return value if plain else f"=?base64?{base64.b64encode(value.encode('utf-8', 'replace')).decode()}?="
