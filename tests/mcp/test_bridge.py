"""The bridge on standard input and output: what it says, what it never repeats, and whom it outlives."""

import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from deepseedian import client
from deepseedian.bridges.mcp_stdio import MESSAGE_LIMIT, Bridge
from deepseedian.client import Endpoint
from deepseedian.config.folders import runtime_folder
from deepseedian.errors import DaemonAway
from tests.commands import until
from tests.live import Live
from tests.mcp.hosts import INITIALIZE, META, call, endpoint, lines, request, stopped_after
from tests.served import served

LIST = request("tools/list")


# With a real daemon

def test_a_daemon_is_started_and_only_the_protocol_stands_on_standard_output(vault: Path) -> None:
    with stopped_after(vault), lines(vault) as host:
        assert host.ask(request("initialize", INITIALIZE))["result"]["serverInfo"]["name"] == "deepseedian"
        host.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert len(host.ask(request("tools/list", id="a"))["result"]["tools"]) > 5
        host.send(call("memory_search", {"query": "x"}, id=2))
        status, rest, err = host.ended()  # what was asked before the end of input is still answered
        assert status == 0 and [answer["id"] for answer in rest] == [2] and err == ""
        assert endpoint(vault)  # the daemon stays for the next host


def test_hosts_that_come_at_the_same_time_share_one_daemon(vault: Path) -> None:
    with stopped_after(vault), lines(vault) as first, lines(vault) as second, lines(vault) as third:
        hosts = (first, second, third)
        for host in hosts:
            host.send(request("initialize", INITIALIZE))
        assert all("result" in host.heard() for host in hosts)
        for number, host in enumerate(hosts):
            text = ("The boat is blue.", "My sister lives in Riga.", "Invoices go out on Mondays.")[number]
            assert not host.ask(call("memory_propose", {"operation": "add", "text": text}))["result"]["isError"]
        pid = endpoint(vault).pid
        assert len(client.call(endpoint(vault), "proposals", {})["proposals"]) == 3  # type: ignore[call-overload, index]
        assert all(host.ended()[0] == 0 for host in hosts) and endpoint(vault).pid == pid


def test_a_daemon_that_is_killed_is_replaced_by_the_next_call(vault: Path) -> None:
    with stopped_after(vault), lines(vault) as host:
        host.ask(request("initialize", INITIALIZE))
        for number in range(2):
            found: Endpoint = endpoint(vault)
            assert not host.ask(call("memory_propose", {"operation": "add", "text": ("I sail.", "I have two cats.")[number]}))["result"]["isError"]
            os.kill(found.pid, signal.SIGKILL)
            assert until(partial(refuses, found.socket))
            answer = host.ask(call("memory_inbox", {}))
            assert answer["result"]["structuredContent"]["total"] == number + 1
            assert endpoint(vault).pid != found.pid
        assert host.ended()[0] == 0


def refuses(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as made:
        return made.connect_ex(path) != 0


@pytest.mark.skipif(sys.platform != "linux", reason="open descriptors are counted in /proc")
def test_a_call_under_way_when_the_daemon_is_killed_is_answered_with_an_error(vault: Path) -> None:
    with Live(vault) as live, lines(vault) as host, stopped_after(vault):
        host.ask(request("initialize", INITIALIZE))
        open_files = Path(f"/proc/{host.process.pid}/fd")
        before = len(list(open_files.iterdir()))
        live.process.send_signal(signal.SIGSTOP)
        host.send(call("memory_propose", {"operation": "add", "text": "I keep bees."}, id="lost"))
        assert until(lambda: len(list(open_files.iterdir())) > before)  # it is connected, which a stopped daemon does not hinder
        live.kill()
        answer = host.heard()
        assert answer["id"] == "lost" and answer["error"]["data"]["error"]["code"] == "daemon_away"
        assert "not known" in answer["error"]["message"]
        assert host.ask(call("memory_inbox", {}))["result"]["structuredContent"]["total"] in (0, 1)
        assert "not known" in host.ended()[2]


def test_what_is_no_message_is_answered_and_the_next_one_is_carried(vault: Path) -> None:
    odd: list[tuple[bytes, Any, int]] = [
        (b"{", None, -32700), (b"\xff\xfe", None, -32700), (b"[" * 100_000, None, -32700), (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None, -32600),
        (b'"text"', None, -32600), (b'{"id":1}', 1, -32600), (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, -32600),
        (b'{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', {"a": 1}, -32600), (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 1.5, -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', True, -32600), (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', 7, -32600),
        (b'{"jsonrpc":"2.0","id":8,"method":5}', 8, -32600), (b'{"jsonrpc":"2.0","id":9,"method":"ping","params":[1]}', 9, -32600),
        (b'{"jsonrpc":"2.0","id":10,"method":"no/such"}', 10, -32601), (b'{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":5}}', 11, -32602),
        (b'{"jsonrpc":"2.0","id":12,"method":"a\\r\\nX-Evil: 1","params":{"_meta":' + json.dumps(META).encode() + b"}}", 12, -32020),
        (b'{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"' + b"x" * MESSAGE_LIMIT + b'"}}}', None, -32600)]
    with Live(vault), lines(vault) as host:
        host.ask(request("initialize", INITIALIZE))
        for line, id, code in odd:
            host.send(line)
            answer = host.heard()
            assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", id, code), (line[:60], answer)
        for silent in (b"", b"   ", b'{"jsonrpc":"2.0","id":1,"result":{}}', b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
                       b'{"jsonrpc":"2.0","method":"no/such/notification"}'):
            host.send(silent)
        big = 2 ** 53 + 1
        assert host.ask(request("ping", id=big)) == {"jsonrpc": "2.0", "id": big, "result": {}}
        nested = call("memory_search", {"query": "x", "more": json.loads('{"a":' * 150 + "1" + "}" * 150)}, id="deep")
        assert host.ask(nested)["result"]["structuredContent"]["error"]["code"] == "bad_input"
        half = b'{"jsonrpc":"2.0","id":"half","method":"tools/call","params":{"name":"memory_read","arguments":{"id":"\\ud800"}}}'
        host.send(half)
        assert host.heard()["result"]["structuredContent"]["error"]["code"] == "not_found"
        status, rest, _ = host.ended()
        assert status == 0 and rest == []


@pytest.mark.parametrize("options", [("--vault", "nowhere"), ("--json", "--vault", "nowhere")])
def test_what_keeps_it_from_serving_stands_on_standard_error(home: Path, options: tuple[str, ...]) -> None:
    done = subprocess.run([sys.executable, "-m", "deepseedian", *options, "mcp"], input=b"", capture_output=True, timeout=60)
    assert done.returncode == 2 and done.stdout == b"" and b"nowhere is not a folder" in done.stderr


def test_a_vault_without_memory_answers_each_request_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "empty/.obsidian").mkdir(parents=True)
    with lines(tmp_path / "empty") as host:
        answer = host.ask(request("initialize", INITIALIZE))
        assert answer["error"]["data"]["error"]["code"] == "no_memory" and answer["id"] == 1
        status, rest, err = host.ended()
        assert status == 0 and rest == [] and "no memory" in err


# With a daemon that does what it is told to

def answering(answer: bytes) -> Callable[[socket.socket], None]:
    return lambda made: made.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (len(answer), answer))


def dying(made: socket.socket) -> None:
    """The daemon was killed with the request in its hands."""


class Played:
    """Listens where a daemon would; each connection's whole request is kept and treated by the next act."""

    def __init__(self, path: str, *acts: Callable[[socket.socket], None]) -> None:
        self.acts, self.heard = list(acts), list[bytes]()
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(path)
        self.listening.listen(8)
        self.endpoint = Endpoint("", 0, path, 0, "", "")
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):  # until the test is over
            while self.acts:
                made, _ = self.listening.accept()
                with made:
                    self._hear(made)

    def _hear(self, made: socket.socket) -> None:
        data = b""
        while b"\r\n\r\n" not in data or len(data.partition(b"\r\n\r\n")[2]) < self._size(data):
            data += made.recv(65536)
        self.heard.append(data)
        self.acts.pop(0)(made)

    @staticmethod
    def _size(data: bytes) -> int:
        head = data.lower().partition(b"\r\n\r\n")[0]
        return int(head.partition(b"content-length: ")[2].split(b"\r\n")[0] or 0)


@contextmanager
def played(*acts: Callable[[socket.socket], None]) -> Iterator[Played]:
    runtime_folder().mkdir(parents=True, exist_ok=True)
    path = str(runtime_folder() / "p.sock")
    found = Played(path, *acts)
    try:
        yield found
    finally:
        found.listening.close()
        os.unlink(path)


def spoken(bridge: Callable[[io.BytesIO, io.BytesIO], Bridge], *messages: object) -> list[Any]:
    incoming, outgoing = io.BytesIO(b"".join(json.dumps(message).encode() + b"\n" for message in messages)), io.BytesIO()
    bridge(incoming, outgoing).run()
    return [json.loads(line) for line in outgoing.getvalue().splitlines()]


def test_a_call_that_got_lost_is_never_sent_again_but_a_list_is() -> None:
    ok = answering(b'{"jsonrpc":"2.0","id":1,"result":{}}')
    with played(dying, dying, ok, dying, dying) as daemon:
        def bridge(incoming: io.BytesIO, outgoing: io.BytesIO) -> Bridge:
            return Bridge(lambda: daemon.endpoint, lambda: None, incoming, outgoing)
        lost = spoken(bridge, call("memory_propose", {"operation": "add", "text": "once"}))
        assert len(lost) == 1 and lost[0]["id"] == 1 and lost[0]["error"]["code"] == -32000 and len(daemon.heard) == 1
        assert spoken(bridge, LIST) == [{"jsonrpc": "2.0", "id": 1, "result": {}}] and len(daemon.heard) == 3
        assert "error" in spoken(bridge, LIST)[0] and len(daemon.heard) == 5


def test_only_what_no_daemon_has_heard_starts_one() -> None:
    """Nobody listens at the endpoint a killed daemon left: one is started and the call, which nobody heard, is sent once."""
    with played(answering(b'{"jsonrpc":"2.0","id":1,"result":{}}')) as daemon:
        left = Endpoint("", 0, str(runtime_folder() / "gone.sock"), 0, "", "")
        known = [left]
        started: list[int] = []

        def start() -> None:
            started.append(1)
            known[0] = daemon.endpoint
        assert spoken(lambda incoming, outgoing: Bridge(lambda: known[0], start, incoming, outgoing), call("memory_search", {})) == [
            {"jsonrpc": "2.0", "id": 1, "result": {}}]
        assert started == [1] and len(daemon.heard) == 1


def test_a_daemon_that_does_not_come_up_is_an_error_for_each_request_and_told_once() -> None:
    told: list[str] = []

    def start() -> None:
        raise DaemonAway("it will not", "look at its log")
    found = spoken(lambda incoming, outgoing: Bridge(lambda: None, start, incoming, outgoing, tell=told.append), LIST, request("ping", id=2),
                   {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert sorted(answer["id"] for answer in found) == [1, 2] and told == ["it will not (look at its log)"]
    assert found[0]["error"]["data"]["error"] == {"code": "daemon_away", "message": "it will not", "hint": "look at its log"}


def test_headers_say_what_the_handshake_settled_or_the_message_itself_says() -> None:
    settled = (b'HTTP/1.1 200 OK\r\nmcp-session-id: s-1\r\ncontent-type: application/json\r\ncontent-length: 78\r\n\r\n'
               + b'{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}'.ljust(78))
    ok = answering(b'{"jsonrpc":"2.0",\n"id":null,"error":{"code":-32600,"message":"no"}}')
    with played(lambda made: made.sendall(settled), ok, ok) as daemon:
        found = spoken(lambda incoming, outgoing: Bridge(lambda: daemon.endpoint, lambda: None, incoming, outgoing, session="eins, zwei"),
                       request("initialize", INITIALIZE), request("tools/list", id=2))
        assert [answer["id"] for answer in found] == [1, 2]  # an error without an id is that of the request it answers
        first, second = (data.decode().lower() for data in daemon.heard)
        assert "mcp-protocol-version" not in first and "deepseedian-session: eins%2c%20zwei" in first
        assert "mcp-protocol-version: 2025-06-18" in second and "mcp-session-id: s-1" in second
        spoken(lambda incoming, outgoing: Bridge(lambda: daemon.endpoint, lambda: None, incoming, outgoing),
               request("resources/read", {"uri": "memory://entry/ä", "_meta": META}))
        third = daemon.heard[2].decode().lower()
        assert "mcp-protocol-version: 2026-07-28" in third and "mcp-method: resources/read" in third and "mcp-name: =?base64?" in third


def test_over_loopback_the_daemon_proves_itself_and_hears_the_token(vault: Path) -> None:
    """Where there are no Unix sockets; a program that took the port of a killed daemon hears nothing of the request."""
    with served(vault) as daemon:
        known = Endpoint(str(vault), 0, "", daemon.port, daemon.token, "")
        found = spoken(lambda incoming, outgoing: Bridge(lambda: known, lambda: None, incoming, outgoing), request("initialize", INITIALIZE), LIST)
        assert found[0]["result"]["serverInfo"]["name"] == "deepseedian" and found[1]["result"]["tools"]
    with socket.create_server(("127.0.0.1", 0)) as thief:
        stolen = Endpoint(str(vault), 0, "", thief.getsockname()[1], daemon.token, "")
        heard: list[bytes] = []

        def steal() -> None:
            with suppress(OSError):  # until the test is over
                while True:
                    made, _ = thief.accept()
                    with made:
                        heard.append(made.recv(65536))
        thread = threading.Thread(target=steal, daemon=True)
        thread.start()
        found = spoken(lambda incoming, outgoing: Bridge(lambda: stolen, lambda: None, incoming, outgoing), call("memory_read", {"id": "secret-id"}))
        assert found[0]["error"]["data"]["error"]["code"] == "daemon_away"
        assert heard and all(daemon.token.encode() not in data and b"secret-id" not in data for data in heard)
