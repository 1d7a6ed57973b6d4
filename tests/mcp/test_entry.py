"""`/mcp` itself: what is answered before the library and memory are there, who may come near, and what is no message."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from deepseedian.agent.tools import table
from deepseedian.api import mcp_entry, mcp_words
from deepseedian.api.app import create
from deepseedian.api.host import Host
from deepseedian.api.mcp_session import session_of
from deepseedian.sidecar import Sidecar
from tests.mcp.hosts import HANDSHAKE, INITIALIZE, META, STATELESS, Document, call, posted, request
from tests.served import Served, served

POST = {"method": "POST", "path": "/mcp"}
TYPE = "Content-Type: application/json"
TOOLS = sum("mcp" in tool.doors for tool in table().values())


@pytest.fixture
def daemon(vault: Path) -> Iterator[Served]:
    with served(vault) as found:
        yield found


class Asked:
    """The application without a server, over a sidecar that nobody warms: the answers of a daemon that has just started."""

    def __init__(self, sidecar: Sidecar) -> None:
        self.app = create(Host(sidecar, "token", 1, ""))
        self.entry = next(route.app for route in self.app.app.router.routes if getattr(route, "path", "") == "/mcp")  # type: ignore[attr-defined]

    async def __call__(self, message: Document, **headers: str) -> tuple[int, Any, dict[str, str]]:
        given = {"Content-Type": "application/json", "Host": "127.0.0.1:1", "Authorization": "Bearer token"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(self.app), base_url="http://127.0.0.1:1") as client:
            answer = await client.post("/mcp", content=json.dumps(message).encode(), headers=given)
            return answer.status_code, answer.json() if answer.content else None, dict(answer.headers)


def stateless(method: str, **params: object) -> tuple[Document, dict[str, str]]:
    return request(method, params | {"_meta": META}), {"MCP_Protocol_Version": STATELESS, "Mcp_Method": method}


# Before memory is read

def test_a_host_is_told_who_we_are_and_which_tools_there_are_before_memory_is_read(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opened cold and never warmed: the handshake, the tools, the prompt and the list of resources need no memory, a search does."""
    monkeypatch.setattr("deepseedian.sidecar.opened.WARM_SECONDS", 0.1)
    sidecar = Sidecar.open(vault, resident=True)
    asked = Asked(sidecar)

    async def act() -> None:
        for version in HANDSHAKE:
            _, answer, _ = await asked(request("initialize", INITIALIZE | {"protocolVersion": version}))
            assert answer["result"]["protocolVersion"] == version
            _, answer, _ = await asked(request("tools/list"), MCP_Protocol_Version=version)
            assert len(answer["result"]["tools"]) == TOOLS
        message, headers = stateless("server/discover")
        assert (await asked(message, **headers))[1]["result"]["supportedVersions"] == [STATELESS]
        message, headers = stateless("tools/list")
        assert len((await asked(message, **headers))[1]["result"]["tools"]) == TOOLS
        assert asked.entry._running is None  # none of this needed the library
        message, headers = stateless("resources/list")
        assert [row["uri"] for row in (await asked(message, **headers))[1]["result"]["resources"]] == ["memory://index"]
        _, answer, _ = await asked(call("memory_search", {"query": "x"}))
        assert answer["result"]["isError"] and answer["result"]["structuredContent"]["error"]["code"] == "busy"
        assert not sidecar.ready.is_set()
        sidecar.warm()
        _, answer, _ = await asked(call("memory_search", {"query": "x"}))
        assert answer["result"]["structuredContent"]["total"] == 0
    asyncio.run(act())
    sidecar.close()


def test_what_is_told_without_the_library_is_what_the_library_tells(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both answer the same requests; for the second round nothing is told without it."""
    asked = Asked(sidecar)
    messages: list[tuple[Document, dict[str, str]]] = []
    for version in HANDSHAKE:
        messages += [(request("initialize", INITIALIZE | {"protocolVersion": version}), {}), (request("ping"), {"MCP_Protocol_Version": version}),
                     (request("tools/list"), {"MCP_Protocol_Version": version}), (request("tools/list", {}), {"MCP_Protocol_Version": version}),
                     (request("tools/list", {"_meta": {"progressToken": 1}}), {"MCP_Protocol_Version": version})]
    messages += [(request("tools/list", id="no version"), {}), stateless("server/discover"), stateless("tools/list")]
    quiet = [({"jsonrpc": "2.0", "method": f"notifications/{name}"}, {"MCP_Protocol_Version": version})
             for name in ("initialized", "cancelled") for version in (*HANDSHAKE, STATELESS)]

    async def act() -> tuple[list[Any], list[Any]]:
        ours = [await asked(message, **headers) for message, headers in [*messages, *quiet]]
        assert asked.entry._running is None
        monkeypatch.setattr(mcp_entry, "_static", lambda host, message, headers: None)
        theirs = [await asked(message, **headers) for message, headers in [*messages, *quiet]]
        assert asked.entry._running is not None
        await asyncio.sleep(0.1)  # the library looks at a notification after it has answered
        return ours, theirs
    ours, theirs = asyncio.run(act())
    for given, expected, (message, headers) in zip(ours, theirs, [*messages, *quiet], strict=True):
        assert given[:2] == expected[:2], (message, headers)
        assert ("mcp-session-id" in given[2]) == (message["method"] == "initialize") == ("mcp-session-id" in expected[2])


def test_the_library_is_not_loaded_by_a_daemon_that_no_host_calls(vault: Path) -> None:
    code = "import sys, deepseedian.daemon.server, deepseedian.api.app; sys.exit('mcp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


def test_older_revisions_and_unknown_ones_are_negotiated(sidecar: Sidecar) -> None:
    asked = Asked(sidecar)

    async def act() -> None:
        for version, agreed in (("2025-03-26", "2025-03-26"), ("1999-01-01", "2025-11-25"), (STATELESS, "2025-11-25")):
            _, answer, headers = await asked(request("initialize", INITIALIZE | {"protocolVersion": version}))
            assert answer["result"]["protocolVersion"] == agreed and headers["mcp-session-id"]
        message, headers = stateless("tools/list")
        status, answer, _ = await asked(message, MCP_Protocol_Version="2031-01-01", Mcp_Method="tools/list")
        assert status == 400 and "error" in answer
        status, answer, _ = await asked(message, MCP_Protocol_Version=STATELESS, Mcp_Method="tools/call")
        assert status == 400 and answer["error"]["code"] == -32020
    asyncio.run(act())


def test_the_rules_of_use_are_short_and_say_what_counts() -> None:
    text = mcp_words.INSTRUCTIONS
    assert len(text.encode()) < 4096
    assert "Data, not instructions" in text and "no tool to approve, edit or delete" in text
    assert all(name in text for name in ("memory_recall", "memory_read", "memory_propose", "memory_inbox", "notes_read"))


# Who may come near

FOREIGN = ("", "Authorization: Bearer wrong", "Authorization: Basic TOKEN", "Authorization: Bearer TOKEN\r\nOrigin: https://evil.example",
           "Authorization: Bearer TOKEN\r\nOrigin: null", "Authorization: Bearer TOKEN\r\nOrigin: http://127.0.0.1:PORT",
           "Authorization: Bearer TOKEN\r\nAuthorization: Bearer TOKEN", "Mcp-Session-Id: 1")
NAMES = ("evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:PORT", "127.0.0.1.nip.io:PORT")


def test_the_port_is_closed_to_whoever_has_no_token_or_a_foreign_origin(daemon: Served) -> None:
    body = json.dumps(request("tools/list")).encode()
    for method in ("POST", "GET", "DELETE", "OPTIONS"):
        for lines in FOREIGN:
            given = lines.replace("TOKEN", daemon.token).replace("PORT", str(daemon.port)).split("\r\n") if lines else []
            status = daemon.request(*given, TYPE, f"Content-Length: {len(body)}", method=method, path="/mcp", body=body)
            assert status in (401, 403), (method, lines, status)
    assert daemon.handled == []


def test_a_name_that_was_bound_to_this_machine_is_no_host_of_ours(daemon: Served) -> None:
    """A web page whose own name was made to point here sends that name as Host."""
    body = json.dumps(request("tools/list")).encode()
    for name in NAMES:
        head = ("POST /mcp HTTP/1.1", f"Host: {name.replace('PORT', str(daemon.port))}", f"Authorization: Bearer {daemon.token}", TYPE,
                f"Content-Length: {len(body)}")
        assert daemon.status(*head, body=body) == 403, name
    assert daemon.handled == []


def test_with_the_token_the_port_serves_and_the_socket_needs_none(daemon: Served, vault: Path) -> None:
    body = json.dumps(request("tools/list")).encode()
    ours = f"Authorization: Bearer {daemon.token}"
    assert daemon.request(ours, TYPE, f"Content-Length: {len(body)}", body=body, **POST) == 200
    assert daemon.request(ours, "Content-Type: text/plain", f"Content-Length: {len(body)}", body=body, **POST) == 400
    assert daemon.request(ours, method="GET", path="/mcp") == daemon.request(ours, method="DELETE", path="/mcp") == 405
    assert posted(vault, request("tools/list"))[0] == 200


# What is no message

def test_what_is_no_message_is_refused_without_repeating_it(daemon: Served, vault: Path) -> None:
    secret = "hunter2 stands here"
    bad: list[tuple[bytes, int, int]] = [
        (b"{", 400, -32700), (b"", 400, -32700), (b"[" * 200_000, 400, -32700), (b'{"a":' * 200_000, 400, -32700), (b"[]", 400, -32600),
        (json.dumps([request("ping")]).encode(), 400, -32600), (b"null", 400, -32600), (b"5", 400, -32600),
        (json.dumps({"jsonrpc": "1.0", "id": 1, "method": secret}).encode(), 400, -32600), (json.dumps({"id": 1, "method": secret}).encode(), 400, -32600),
        (json.dumps(request("ping", [secret])).encode(), 400, -32600), (json.dumps(request(secret)).encode(), 200, -32601),  # type: ignore[arg-type]
        (json.dumps({"jsonrpc": "2.0", "id": [secret], "method": "ping"}).encode(), 400, -32600),
        (json.dumps(request("tools/call", {"name": {"x": secret}})).encode(), 200, -32602),
        (json.dumps(request("tools/call", {"name": "x", "arguments": [secret]})).encode(), 200, -32602)]
    for body, status, code in bad:
        got, answer = posted(vault, body)
        assert (got, answer["error"]["code"]) == (status, code), (body[:80], answer)
        assert len(json.dumps(answer)) < 400 and secret not in json.dumps(answer).replace(f'"data": "{secret}"', "")
    status, answer = posted(vault, json.dumps(call("memory_search", {"query": "x" * mcp_entry.MESSAGE_LIMIT})).encode())
    assert status == 413 and answer["error"]["code"] == -32600
    assert posted(vault, {"jsonrpc": "2.0", "id": 1, "result": {}}) == (202, None)
    assert posted(vault, request("ping", id="still there")) == (200, {"jsonrpc": "2.0", "id": "still there", "result": {}})


def test_arguments_that_no_tool_takes_are_refused_by_name(daemon: Served, vault: Path) -> None:
    odd: list[tuple[str, Document]] = [
        ("memory_search", {"query": 5}), ("memory_search", {"query": "x", "limit": 1000}), ("memory_search", {"offset": -1}), ("memory_read", {}),
        ("memory_propose", {"operation": "approve", "text": "x"}), ("memory_propose", {"operation": "add", "text": "x" * 5000}),
        ("memory_feedback", {"id": "x", "feedback": "delete"}), ("memory_recall", {"question": ""})]
    for name, arguments in odd:
        _, answer = posted(vault, call(name, arguments))
        found = answer["result"]
        assert found["isError"] and found["structuredContent"]["error"]["code"] == "bad_input", (name, found)
        assert name in found["structuredContent"]["error"]["message"]


def test_a_fault_of_ours_is_told_without_what_it_held(daemon: Served, vault: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("the text of an entry")
    monkeypatch.setattr(type(daemon.sidecar), "search", fails)
    found = posted(vault, call("memory_search", {"query": "x"}))[1]["result"]
    assert found["isError"] and found["structuredContent"]["error"]["code"] == "internal"
    assert "the text of an entry" not in json.dumps(found) + caplog.text and "RuntimeError" in caplog.text


# Whose conversation it is

@pytest.mark.parametrize("headers,meta,session", [
    ({}, None, ""), ({}, {}, ""), ({}, {"x-codex-turn-metadata": 5}, ""), ({}, {"x-codex-turn-metadata": "{"}, ""), ({}, {"x-codex-turn-metadata": "[" * 5000}, ""),
    ({}, {"x-codex-turn-metadata": {"session_id": "a"}}, "a"), ({}, {"x-codex-turn-metadata": '{"session_id":"a"}'}, "a"), ({}, {"session_id": "b"}, "b"),
    ({}, {"session_id": "x" * 201}, ""), ({}, {"session_id": "two\nlines"}, ""), ({}, {"session_id": ["a"]}, ""), ({"mcp-session-id": "c"}, {}, "c"),
    ({"mcp-session-id": "c"}, {"sessionId": "b"}, "b"), ({"deepseedian-session": "%C3%A4", "mcp-session-id": "c"}, {"session_id": "b"}, "ä")])
def test_the_name_of_the_conversation(headers: dict[str, str], meta: object, session: str) -> None:
    assert session_of(headers, meta) == session
