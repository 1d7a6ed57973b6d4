"""Speaking to a daemon with nothing but the standard library: endpoint files and HTTP over its socket.

Where there is no Unix socket the daemon is spoken to over loopback. Any program can listen on a port that a
killed daemon left, so there the other side proves that it knows the token before it hears anything of ours.

Every operation of the wire is one row of `ROUTES`; the command line and other clients call it by name.
"""

import json
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote, urlencode

from deepseedian.errors import Busy, DaemonAway, DeepseedianError, from_document

if TYPE_CHECKING:
    import http.client

T = TypeVar("T")
CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 70.0
ORGANIZE_SECONDS = 700.0
STREAM_SECONDS = 60.0  # the daemon says every 15 s that it is still there
EVENT_LIMIT = 16_000_000
ANSWER_LIMIT = 65_536
CHALLENGE, PROOF = "Deepseedian-Challenge", "Deepseedian-Proof"

ROUTES: dict[str, tuple[str, str]] = {
    "status": ("GET", "/v1/status"),
    "recall": ("POST", "/v1/recall"),
    "search": ("GET", "/v1/search"),
    "entries": ("GET", "/v1/entries"),
    "show": ("GET", "/v1/entries/{id}"),
    "remember": ("POST", "/v1/entries"),
    "edit": ("PATCH", "/v1/entries/{id}"),
    "move": ("PATCH", "/v1/entries/{id}"),
    "pin": ("PATCH", "/v1/entries/{id}"),
    "forget": ("DELETE", "/v1/entries/{id}"),
    "erase": ("POST", "/v1/erase"),
    "archive": ("GET", "/v1/archive"),
    "matching": ("GET", "/v1/ids"),
    "history": ("GET", "/v1/history"),
    "undo": ("POST", "/v1/undo"),
    "redo": ("POST", "/v1/redo"),
    "claims": ("GET", "/v1/claims"),
    "confirm": ("POST", "/v1/claims"),
    "check": ("POST", "/v1/check"),
    "export": ("GET", "/v1/export"),
    "settings": ("GET", "/v1/settings"),
    "get_setting": ("GET", "/v1/settings/{name}"),
    "set_setting": ("PUT", "/v1/settings/{name}"),
    "observe": ("POST", "/v1/observe"),
    "organize": ("POST", "/v1/organize"),
    "activity": ("POST", "/v1/activity"),
    "proposals": ("GET", "/v1/proposals"),
    "propose": ("POST", "/v1/proposals"),
    "proposal": ("GET", "/v1/proposals/{id}"),
    "preview_of": ("GET", "/v1/previews/{id}"),
    "refresh": ("POST", "/v1/proposals/{id}/refresh"),
    "remind": ("POST", "/v1/reminder"),
    "spending": ("GET", "/v1/ledger"),
    "decide": ("POST", "/v1/proposals/{id}/decision"),
    "receipts": ("GET", "/v1/receipts"),
    "receipt": ("GET", "/v1/receipts/{id}"),
    "verdict": ("POST", "/v1/receipts/{id}/verdicts"),
    "feedback": ("POST", "/v1/feedback"),
    "stats": ("GET", "/v1/stats"),
    "embedding_models": ("GET", "/v1/embedding/models"),
    "embedding_test": ("POST", "/v1/embedding/test"),
    "embedding_refresh": ("POST", "/v1/embedding/refresh"),
    "ask": ("POST", "/v1/ask"),
    "stop_turn": ("POST", "/v1/ask/{id}/stop"),
    "complete": ("POST", "/v1/complete"),
    "sweep": ("POST", "/v1/sweep"),
    "conflicts": ("GET", "/v1/conflicts"),
    "report": ("POST", "/v1/report"),
    "tools": ("GET", "/v1/tools"),
    "call_tool": ("POST", "/v1/tools/{name}"),
    "models": ("GET", "/v1/models"),
    "model_profiles": ("GET", "/v1/models/profiles"),
    "model_test": ("POST", "/v1/models/test"),
    "session_list": ("GET", "/v1/sessions"),
    "session_new": ("POST", "/v1/sessions"),
    "session": ("GET", "/v1/sessions/{id}"),
    "session_set": ("PATCH", "/v1/sessions/{id}"),
    "session_delete": ("DELETE", "/v1/sessions/{id}"),
    "session_fork": ("POST", "/v1/sessions/{id}/fork"),
    "trace_list": ("GET", "/v1/traces"),
    "trace": ("GET", "/v1/traces/{turn}"),
    "import_items": ("POST", "/v1/import"),
    "import_sessions": ("POST", "/v1/import/sessions"),
    "timeline": ("GET", "/v1/entries/{id}/timeline"),
    "stop": ("POST", "/v1/stop"),
    "notes_search": ("GET", "/v1/notes/search"),
    "notes_read": ("GET", "/v1/notes/read"),
    "notes_metadata": ("GET", "/v1/notes/metadata"),
    "notes_query": ("GET", "/v1/notes/query"),
    "notes_resolve": ("GET", "/v1/notes/resolve"),
    "notes_related": ("GET", "/v1/notes/related"),
    "notes_problems": ("GET", "/v1/notes/problems"),
}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A running daemon as its endpoint file describes it."""

    vault: str
    pid: int
    socket: str
    port: int
    token: str
    file: str


def endpoints(folder: Path) -> list[Endpoint]:
    """Every daemon that left an endpoint file; one that died may have left a stale one."""
    found = []
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else []:
        try:
            body = json.loads(path.read_text(encoding="utf-8"))
            vault, pid, socket_path, port, token = (body[name] for name in ("vault", "pid", "socket", "port", "token"))
            if all(isinstance(text, str) for text in (vault, socket_path, token)) and isinstance(pid, int) and isinstance(port, int):
                found.append(Endpoint(vault, pid, socket_path, port, token, str(path)))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
    return found


def endpoint_of(vault: Path, folder: Path) -> Endpoint | None:
    """The daemon of this vault, whatever name its path is written with."""
    real = os.path.realpath(vault)
    for endpoint in endpoints(folder):
        if endpoint.vault == real or _same(endpoint.vault, real):
            return endpoint
    return None


def _same(first: str, second: str) -> bool:
    try:
        return os.path.samefile(first, second)
    except OSError:
        return False


def _connected(endpoint: Endpoint) -> socket.socket:
    """A connection to the daemon's Unix socket, or over loopback where there is none."""
    if not endpoint.socket:
        return socket.create_connection(("127.0.0.1", endpoint.port), CONNECT_SECONDS)
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.settimeout(CONNECT_SECONDS)
        made.connect(endpoint.socket)
    except BaseException:
        made.close()
        raise
    return made


class LostAnswer(Exception):
    """The connection broke after the request was sent: it may or may not have been carried out."""


def call(endpoint: Endpoint, operation: str, values: dict[str, object], timeout: float = ANSWER_SECONDS) -> object:
    """One operation. Raises the daemon's own error, DaemonAway when nobody listens, Busy when it is silent,
    LostAnswer when a request that changes something lost its answer."""
    connection = _opened(endpoint, timeout)
    try:
        response = _asked(connection, endpoint, operation, values)
        return _answer(response.status, _read(response), response.headers.get("Content-Type", ""))
    finally:
        connection.close()


@dataclass(frozen=True, slots=True)
class Response:
    """What a daemon answered, as it came; the names of the headers in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def post(endpoint: Endpoint, path: str, body: bytes, headers: Mapping[str, str], timeout: float = ANSWER_SECONDS) -> Response:
    """One request that is none of the operations, on a connection of its own. Raises DaemonAway, Busy, LostAnswer."""
    connection = _opened(endpoint, timeout)
    try:
        proved = {"Authorization": f"Bearer {endpoint.token}"} if not endpoint.socket else {}
        response = _sent(connection, "POST", path, body, {**headers, **proved})
        return Response(response.status, {name.lower(): value for name, value in response.headers.items()}, _read(response))
    finally:
        connection.close()


def stream(endpoint: Endpoint, operation: str, values: dict[str, object]) -> Iterator[tuple[str, dict[str, object]]]:
    """The events of a long answer, as (kind, data); closing it early ends what the daemon does for it.

    Raises as `call` does, LostAnswer also when the events end in the middle."""
    connection = _opened(endpoint, STREAM_SECONDS)
    try:
        response = _asked(connection, endpoint, operation, values)
        if response.status >= 300:
            _answer(response.status, _read(response), response.headers.get("Content-Type", ""))
        yield from _events(response)
    finally:
        connection.close()


def _events(response: "http.client.HTTPResponse") -> Iterator[tuple[str, dict[str, object]]]:
    kind = "message"
    while line := _line(response):
        name, _, value = line.decode("utf-8", "replace").rstrip("\r\n").partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            data = json.loads(value)
            yield kind, data if isinstance(data, dict) else {}
            if kind == "done":
                return
    raise LostAnswer("the daemon ended in the middle of its answer")


def _line(response: "http.client.HTTPResponse") -> bytes:
    return _guarded(lambda: response.readline(EVENT_LIMIT))


def _read(response: "http.client.HTTPResponse") -> bytes:
    return _guarded(response.read)


def _guarded(work: Callable[[], T]) -> T:
    """Waiting for the daemon: a silent one is busy, a broken connection may have done its work or not."""
    import http.client

    try:
        return work()
    except TimeoutError:
        raise Busy("the daemon is running but does not answer", "wait, or stop it: deepseedian stop") from None
    except (OSError, http.client.HTTPException) as error:
        raise LostAnswer(str(error)) from None


def _asked(connection: "http.client.HTTPConnection", endpoint: Endpoint, operation: str,
           values: dict[str, object]) -> "http.client.HTTPResponse":
    """Send one operation's request; the answer has begun when this returns."""
    method, path = ROUTES[operation]
    values = dict(values)
    for name in [name for name in values if f"{{{name}}}" in path]:
        path = path.replace(f"{{{name}}}", quote(str(values.pop(name)), safe="", errors="replace"))
    headers = {"Authorization": f"Bearer {endpoint.token}"} if not endpoint.socket else {}
    key = values.pop("key", "")
    if key:
        headers["Idempotency-Key"] = str(key)
    body = None
    if method in ("GET", "DELETE"):
        path += "?" + urlencode({name: _plain(value) for name, value in values.items()}, errors="replace") if values else ""
    else:
        body, headers["Content-Type"] = json.dumps(values).encode(), "application/json"
    return _sent(connection, method, path, body, headers)


def _sent(connection: "http.client.HTTPConnection", method: str, path: str, body: bytes | None,
          headers: Mapping[str, str]) -> "http.client.HTTPResponse":
    def exchange() -> "http.client.HTTPResponse":
        connection.request(method, path, body, headers)
        return connection.getresponse()
    return _guarded(exchange)


def _plain(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _opened(endpoint: Endpoint, timeout: float) -> "http.client.HTTPConnection":
    """A connection to the daemon, proved where it goes over loopback. Raises Busy, DaemonAway."""
    try:
        made = _connected(endpoint)
    except TimeoutError:
        raise Busy("the daemon does not accept connections", "wait, or stop it: deepseedian stop") from None
    except OSError:
        raise DaemonAway("no daemon is listening", "deepseedian start") from None
    import http.client  # only now: without a daemon nobody pays for it

    connection = http.client.HTTPConnection("127.0.0.1", endpoint.port)
    connection.sock = made
    try:
        if not endpoint.socket:
            _demand_proof(connection, endpoint.token)
    except BaseException:
        connection.close()
        raise
    made.settimeout(timeout)
    return connection


def proof(token: bytes, challenge: bytes) -> str:
    """What only somebody who knows the token can answer to a challenge."""
    import hmac

    return hmac.digest(token, b"deepseedian proof " + challenge, "sha256").hex()


def _demand_proof(connection: "http.client.HTTPConnection", token: str) -> None:
    """Ask the other side of a fresh connection to prove itself; neither token nor request is sent before.

    Raises DaemonAway, Busy."""
    import http.client
    import secrets

    challenge = secrets.token_hex(16)
    connection.auto_open = 0  # a side that closes would be connected to anew by the next request, unproved
    try:
        connection.request("GET", "/v1/health", headers={CHALLENGE: challenge})
        response = connection.getresponse()
        response.read(ANSWER_LIMIT)
        given = response.headers.get(PROOF, "").encode("utf-8", "replace")
    except TimeoutError:
        raise Busy("the daemon is running but does not answer", "wait, or stop it: deepseedian stop") from None
    except (OSError, http.client.HTTPException):
        given = b""
    if not secrets.compare_digest(given, proof(token.encode(), challenge.encode()).encode()):
        raise DaemonAway("another program listens on the daemon's port", "deepseedian start")


def _answer(status: int, data: bytes, kind: str) -> object:
    if status < 300 and not kind.startswith("application/json"):
        return data.decode()
    try:
        document = json.loads(data)
    except ValueError:
        raise DeepseedianError(f"the daemon answered {status} with something else than JSON") from None
    if status >= 300:
        raise from_document(document, status)
    return document
