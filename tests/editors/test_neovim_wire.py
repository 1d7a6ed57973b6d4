"""The Neovim client on the wire: bytes cut anywhere, daemons that are silent, broken or somebody else, and what is sent to whom."""

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deepseedian import client
from tests.commands import until
from tests.editors.conftest import Open
from tests.editors.neovim import Editor
from tests.editors.stub import Pieces, said, stub
from tests.live import Live

pytestmark = pytest.mark.timeout(120)
REQUEST = """
    local wire, found = require('deepseedian.wire'), {{}}
    wire.limits.answer, wire.limits.silence, wire.limits.connect, wire.limits.grace = 300, 300, 300, 50
    {more}
    local times = 0
    wire.request({{vault = {vault}, method = {method}, path = '/v1/x', body = {{a = 'é'}}, on_event = {on_event}}},
      function(problem, document) times = times + 1 found.problem, found.document = problem, document end)
    vim.wait(5000, function() return times > 0 end, 2)
    vim.wait(20)
    return {{problem = found.problem, document = found.document, times = times, events = found.events}}
"""
TAKE = "function(kind, data) found.events = found.events or {} table.insert(found.events, {kind, data}) end"


def request(editor: Editor, vault: Path, *, stream: bool = False, more: str = "", method: str = "POST") -> dict[str, Any]:
    """How one request ends: {"problem"?,"document"?,"times","events"?}."""
    found: dict[str, Any] = editor.lua(REQUEST.format(vault=json.dumps(str(vault)), method=json.dumps(method), on_event=TAKE if stream else "nil", more=more))
    assert found["times"] == 1, found
    return found


def test_events_cut_anywhere(vault: Path, edit: Open) -> None:
    """Each byte by itself, and all at once; half characters, comments, CRLF, several data lines, and half a surrogate that Python lets through."""
    text = ": still here\r\nevent: delta\r\ndata: {\"text\": \"茶 \\ud83d\"}\r\n\r\nid: 3\ndata: {\"a\":\ndata: null, \"b\": [1]}\n\ndata: broken\n\nevent: done\ndata: {}\n\n".encode()
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    single = [head, *(b"1;x=y\r\n%c\r\n" % byte for byte in text), b"0\r\n\r\n"]
    shapes: list[Pieces] = [single, [head + b"%X\r\n" % len(text) + text + b"\r\n0\r\n\r\n"], [bytes([byte]) for byte in b"".join(single)]]
    current: list[Pieces] = []
    with stub(vault, lambda path, body: current[0]) as daemon:
        editor = edit()
        for shape in shapes:
            current[:] = [shape]
            found = request(editor, vault, stream=True)
            assert found["events"] == [["delta", {"text": "茶 \ufffd"}], ["message", {"b": [1]}], ["done", {}]], found
        assert daemon.asked[0] == ("/v1/x", {"a": "é"})


BROKEN: dict[str, tuple[list[bytes], str]] = {
    "nothing at all": ([], "lost_answer"),
    "no HTTP": ([b"hello\r\n"], "lost_answer"),
    "half a head": ([b"HTTP/1.1 200 OK\r\nContent-Le"], "lost_answer"),
    "half a body": ([b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"], "lost_answer"),
    "no length": ([b"HTTP/1.1 200 OK\r\n\r\n{}"], "lost_answer"),
    "a bad chunk": ([b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"], "lost_answer"),
    "a chunk too long": ([b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n"], "lost_answer"),
    "a chunk and rubbish": ([b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}xx\r\n"], "lost_answer"),
    "a line without end": ([b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000], "lost_answer"),
    "headers without end": ([b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 300], "lost_answer"),
    "no JSON": ([b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{"], "internal"),
    "a number": ([b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n7"], "internal"),
    "an error without words": ([b"HTTP/1.1 500 No\r\nContent-Length: 4\r\n\r\nnope"], "internal"),
    "an error": (said({"error": {"code": "stale", "message": "m", "hint": "h"}}, 409), "stale"),
}


def test_broken_answers_and_silence(vault: Path, edit: Open) -> None:
    """Each ends once, with its name, in bounded time, and leaves no handle."""
    current: list[Pieces] = []
    never = threading.Event()
    with stub(vault, lambda path, body: current[0]):
        editor = edit()
        for name, (pieces, code) in BROKEN.items():
            current[:] = [pieces]
            for stream in (False, True):
                if not (stream and code == "internal" and "error" not in name):
                    assert request(editor, vault, stream=stream)["problem"]["code"] == code, (name, stream)
        for pieces in ([never], [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n", never]):
            current[:] = [pieces]
            for stream in (False, True):
                assert request(editor, vault, stream=stream)["problem"]["code"] == "busy"
        assert editor.handles() == 0


def test_that_somebody_is_at_it_is_told_once_in_a_while(vault: Path, edit: Open) -> None:
    with stub(vault, lambda path, body: said({})) as daemon:
        editor = edit()
        editor.type("jjkkAx\x1b")
        assert until(lambda: daemon.activity == 1)
        editor.type("jjkkAx\x1b")
        assert editor.text() and (daemon.activity, daemon.asked) == (1, [])
    editor.lua("require('deepseedian.activity') package.loaded['deepseedian.activity'] = nil")
    editor.type("jk")  # nobody is there: not a word about it
    assert editor.messages().strip() == ""


def test_who_is_asked(vault: Path, edit: Open, tmp_path: Path) -> None:
    """The file that names the vault by any path counts; files that cannot be read, dead sockets and other vaults do not."""
    runtime = Path(os.environ["DEEPSEEDIAN_RUNTIME_DIR"])
    link = tmp_path / "other name"
    link.symlink_to(vault)
    for name, text in {"a.json": "{", "b.json": "[]", "c.json": json.dumps({"vault": str(vault), "pid": "1", "socket": "", "port": 1, "token": ""}),
                       "d.json": json.dumps({"vault": str(tmp_path), "pid": 1, "socket": "/nowhere", "port": 1, "token": ""}), "e.txt": "{}"}.items():
        (runtime / name).write_text(text, encoding="utf-8")
    editor = edit()
    assert request(editor, vault)["problem"]["code"] == "daemon_away"
    (runtime / "f.json").write_text(json.dumps({"vault": str(vault), "pid": 1, "socket": "/nowhere/x.sock", "port": 1, "token": ""}), encoding="utf-8")
    assert request(editor, vault)["problem"]["code"] == "daemon_away"
    (runtime / "f.json").unlink()
    with stub(vault, lambda path, body: said({"good": None, "b": True})):
        for path in (vault, link):
            assert request(editor, path)["document"] == {"b": True}


def test_a_lost_answer_is_asked_for_again_with_the_same_key(vault: Path, edit: Open) -> None:
    lost: list[list[bytes]] = [[], said({"id": "1", "topic": "general", "revision": "r"})]
    with stub(vault, lambda path, body: lost.pop(0)) as daemon:
        editor = edit(text="记住这句\n")
        editor.command("Deepseedian remember")
        assert "记住这句" in editor.says("remembered in general")
        assert daemon.asked == [("/v1/entries", {"text": "记住这句"})] * 2 and len(set(daemon.keys)) == 1 and len(daemon.keys[0]) == 24


@contextmanager
def listening(answer: Callable[[bytes], bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """Some program on a loopback port, and what it heard."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        def serve() -> None:
            while True:
                try:
                    made, _ = server.accept()
                except OSError:
                    return
                with made:
                    heard.append(made.recv(65536))
                    made.sendall(answer(heard[-1]))
                    made.settimeout(5)
                    heard.append(made.recv(65536))
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1], heard
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join(5)


def test_over_loopback_the_daemon_proves_itself_first(vault: Path, edit: Open) -> None:
    """Another program on the port of a killed daemon hears neither token nor text."""
    runtime = Path(os.environ["DEEPSEEDIAN_RUNTIME_DIR"])
    editor = edit(text="周会改到每周四下午三点\n")
    with Live(vault) as live:
        endpoint = client.endpoint_of(vault, runtime)
        assert endpoint is not None
        file = Path(endpoint.file)
        body = json.loads(file.read_text(encoding="utf-8")) | {"socket": ""}
        file.write_text(json.dumps(body), encoding="utf-8")
        editor.command("Deepseedian remember")
        editor.says("remembered in general")
        editor.lua("vim.cmd('messages clear')")
        file.write_text(json.dumps(body | {"token": "0" * 64}), encoding="utf-8")
        editor.command("Deepseedian remember not with this token")
        editor.says("not running")
        file.write_text(json.dumps(body | {"socket": endpoint.socket}), encoding="utf-8")
        assert live.texts() == ["周会改到每周四下午三点"]
    refusals = (b"HTTP/1.1 401 No\r\nContent-Length: 0\r\nDeepseedian-Proof: 00\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", b"SSH-2.0\r\n")
    for refusal in refusals:
        with listening(lambda _, refusal=refusal: refusal) as (port, heard):  # type: ignore[misc]
            (runtime / "other.json").write_text(json.dumps({"vault": str(vault), "pid": 1, "socket": "", "port": port, "token": "secret-token"}), encoding="utf-8")
            editor.lua("vim.cmd('messages clear')")
            editor.command("Deepseedian remember never told")
            editor.says("not running")
        assert b"Deepseedian-Challenge" in heard[0] and not any(b"secret-token" in data or b"never told" in data for data in heard)
