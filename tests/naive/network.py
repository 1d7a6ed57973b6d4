"""Mistakes at the boundary: who may call, which socket, which file, what is logged."""

import json
import logging
import os
import secrets
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepseedian import client
from deepseedian.api import security
from deepseedian.api.security import Gate, Scope
from deepseedian.config import files
from deepseedian.core import topic
from deepseedian.daemon import connection, endpoint, server
from deepseedian.store import disk
from deepseedian.store.disk import Disk, Found
from tests.naive import mutation


@mutation
def nobody_is_asked(patch: pytest.MonkeyPatch) -> None:
    """Bound to loopback, so surely only friends call."""
    patch.setattr(Gate, "_check", lambda self, scope: None)


@mutation
def host_not_checked(patch: pytest.MonkeyPatch) -> None:
    """The token is asked for, the Host is not."""
    check = Gate._check_loopback

    def lenient(self: Gate, headers: list[tuple[bytes, bytes]]) -> None:
        named = [item for item in headers if item[0] != b"host"]
        check(self, [*named, (b"host", sorted(self.hosts)[0])])

    patch.setattr(Gate, "_check_loopback", lenient)


@mutation
def origin_not_checked(patch: pytest.MonkeyPatch) -> None:
    """Whoever holds the token may call, from whatever page."""
    check = Gate._check

    def lenient(self: Gate, scope: Scope) -> None:
        check(self, {**scope, "headers": [item for item in scope["headers"] if item[0] != b"origin"]})

    patch.setattr(Gate, "_check", lenient)


@mutation
def any_kind_of_body(patch: pytest.MonkeyPatch) -> None:
    """A form's body is taken for JSON, so that a simple request changes something."""
    check = Gate._check

    def lenient(self: Gate, scope: Scope) -> None:
        kind = (b"content-type", b"application/json")
        scope["headers"][:] = [item for item in scope["headers"] if item[0] != b"content-type"] + [kind]
        check(self, scope)

    patch.setattr(Gate, "_check", lenient)


@mutation
def token_in_the_address(patch: pytest.MonkeyPatch) -> None:
    """`?token=` is as good as the header."""
    check = Gate._check_loopback

    def lenient(self: Gate, headers: list[tuple[bytes, bytes]]) -> None:
        try:
            check(self, headers)
        except security.DeepseedianError:
            if f"token={self.token.decode()}" not in self.query:  # type: ignore[attr-defined]
                raise

    def check_all(self: Gate, scope: Scope) -> None:
        self.query = scope["query_string"].decode("latin-1")  # type: ignore[attr-defined]
        whole(self, scope)

    whole = Gate._check
    patch.setattr(Gate, "_check", check_all)
    patch.setattr(Gate, "_check_loopback", lenient)


@mutation
def token_compared_as_text(patch: pytest.MonkeyPatch) -> None:
    """compare_digest raises for text outside ASCII."""
    compare = secrets.compare_digest

    def as_text(first: bytes, second: bytes) -> bool:
        return compare(first.decode("latin-1"), second.decode("latin-1"))

    patch.setattr(security.secrets, "compare_digest", as_text)


@mutation
def bound_as_the_server_would(patch: pytest.MonkeyPatch) -> None:
    """What the web server does with `uds=`: take the path, bind, open it to everybody."""
    def bind(path: Path) -> socket.socket:
        if path.exists():
            os.unlink(path)
        bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        bound.bind(os.fspath(path))
        os.chmod(path, 0o666)
        bound.listen(10)
        bound.setblocking(False)
        return bound

    patch.setattr(endpoint, "_unix", bind)


@mutation
def socket_path_taken_over(patch: pytest.MonkeyPatch) -> None:
    """Whatever lies at the socket's path is a leftover."""
    patch.setattr(endpoint, "_clear", lambda path: path.unlink(missing_ok=True))


@mutation
def open_to_everybody(patch: pytest.MonkeyPatch) -> None:
    """Folders, socket and endpoint file as the umask makes them."""
    def folder(path: Path) -> Path:
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o755)
        return path

    def write(path: Path, data: bytes, mode: int = 0o600) -> None:
        path.write_bytes(data)
        path.chmod(0o644)

    bound_as_the_server_would_be = endpoint._unix

    def bind(path: Path) -> socket.socket:
        bound = bound_as_the_server_would_be(path)
        path.chmod(0o666)
        return bound

    patch.setattr(endpoint, "private", folder)
    patch.setattr(endpoint, "replace_file", write)
    patch.setattr(endpoint, "_unix", bind)


@mutation
def topic_names_unchecked(patch: pytest.MonkeyPatch) -> None:
    """A topic's name is a file's name."""
    patch.setattr(topic, "checked", lambda name: name)


@mutation
def links_followed(patch: pytest.MonkeyPatch) -> None:
    """Files are read as open() reads them, through links, and folders too."""
    def walk(self: Disk, root: Path, suffix: str = ".md") -> Iterator[Found]:
        for folder, _, names in os.walk(root, followlinks=False):
            for name in names:
                path = Path(folder, name)
                if name.endswith(suffix) and not name.startswith((".", "~")) and path.is_file():
                    info = path.stat()
                    yield Found(path.relative_to(root).as_posix(), info.st_size, info.st_mtime_ns, info.st_ino)

    nofollow = getattr(os, "O_NOFOLLOW", 0)
    patch.setattr(files, "READ_FLAGS", files.READ_FLAGS & ~nofollow)
    patch.setattr(disk, "_FOLDER", disk._FOLDER & ~nofollow)
    patch.setattr(Disk, "walk", walk)


@mutation
def everything_logged(patch: pytest.MonkeyPatch) -> None:
    """Each request with its headers, as a debugging session left it."""
    answer = Gate.__call__

    async def logged(self: Gate, scope: Scope, receive: security.Receive, send: security.Send) -> None:
        logging.getLogger("deepseedian.api").warning("request: %s", scope)
        await answer(self, scope, receive, send)

    patch.setattr(Gate, "__call__", logged)


@mutation
def errors_logged_in_full(patch: pytest.MonkeyPatch) -> None:
    """A failure is logged with its text, which may hold memory."""
    class Full(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return json.dumps({"message": record.getMessage(), "error": str(sys.exc_info()[1])})

    patch.setattr(server, "JsonLines", Full)


@mutation
def token_sent_at_once(patch: pytest.MonkeyPatch) -> None:
    """Who listens on our port is our daemon."""
    patch.setattr(client, "_demand_proof", lambda connection, token: None)


@mutation
def waits_for_ever(patch: pytest.MonkeyPatch) -> None:
    """The web server's own patience."""
    patch.setattr(connection.Connection, "_wait", lambda self: None)
