"""MCP hosts for the tests: the protocol's own client over both transports, and one that says whatever it is told to."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from deepseedian import client
from deepseedian.config.folders import runtime_folder

Result = TypeVar("Result")
Document = dict[str, Any]
STATELESS, HANDSHAKE = "2026-07-28", ("2025-11-25", "2025-06-18")
META = {"io.modelcontextprotocol/protocolVersion": STATELESS, "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}}
MODES = ("auto", "legacy")
SECONDS = 60.0


def endpoint(vault: Path) -> client.Endpoint:
    found = client.endpoint_of(vault, runtime_folder())
    assert found is not None
    return found


def words(vault: Path, *options: str) -> list[str]:
    return ["-m", "deepseedian", "--vault", str(vault), "mcp", *options]


def environment() -> dict[str, str]:
    """What a host hands on to its children: it leaves out most, so ours is named."""
    return {name: value for name, value in os.environ.items() if name.startswith(("DEEPSEEDIAN_", "PYTHON", "PATH", "LANG", "TMP"))}


@asynccontextmanager
async def over_stdio(vault: Path, mode: str = "auto", *options: str) -> AsyncIterator[Client]:
    server = StdioServerParameters(command=sys.executable, args=words(vault, *options), env=environment())
    async with Client(stdio_client(server), mode=mode) as found:
        yield found


@asynccontextmanager
async def over_http(vault: Path, mode: str = "auto", *options: str) -> AsyncIterator[Client]:
    """The Unix socket of the running daemon."""
    transport = httpx2.AsyncHTTPTransport(uds=endpoint(vault).socket)
    async with httpx2.AsyncClient(transport=transport, timeout=SECONDS) as http, \
            Client(streamable_http_client("http://deepseedian/mcp", http_client=http), mode=mode) as found:
        yield found


TRANSPORTS = {"stdio": over_stdio, "http": over_http}


def run(act: Callable[[], Awaitable[Result]]) -> Result:
    async def bounded() -> Result:
        return await asyncio.wait_for(act(), SECONDS)
    return asyncio.run(bounded())


async def called(host: Client, name: str, arguments: Mapping[str, Any], meta: Any = None) -> tuple[bool, Document]:
    """Whether it failed, and the one document that a result is, as text and as structure."""
    result: Any = await host.call_tool(name, dict(arguments), meta=meta)
    assert [content.type for content in result.content] == ["text"]
    assert result.content[0].text == json.dumps(result.structured_content, ensure_ascii=False, separators=(",", ":"))
    return bool(result.is_error), dict(result.structured_content)


def posted(vault: Path, body: bytes | Document, **headers: str) -> tuple[int, Any]:
    """One raw request to /mcp over the Unix socket: status and document."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in headers.items()}
    response = client.post(endpoint(vault), "/mcp", data, given, SECONDS)
    return response.status, json.loads(response.body) if response.body else None


def request(method: str, params: Document | None = None, id: Any = 1) -> Document:
    return {"jsonrpc": "2.0", "id": id, "method": method} | ({} if params is None else {"params": params})


def call(name: str, arguments: Document, id: Any = 1) -> Document:
    return request("tools/call", {"name": name, "arguments": arguments}, id)


INITIALIZE = {"protocolVersion": HANDSHAKE[0], "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Lines:
    """A bridge in another process, spoken to line by line."""

    def __init__(self, vault: Path, *options: str) -> None:
        self.process = subprocess.Popen([sys.executable, *words(vault, *options)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)

    def send(self, message: Document | bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n")
        self.process.stdin.flush()

    def heard(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate()
        return json.loads(line)

    def ask(self, message: Document) -> Any:
        self.send(message)
        return self.heard()

    def ended(self) -> tuple[int, list[Any], str]:
        """Close its input: exit status, every line of output that was left, what stood on standard error."""
        out, err = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, [json.loads(line) for line in out.splitlines()], err.decode()


@contextmanager
def lines(vault: Path, *options: str) -> Iterator[Lines]:
    found = Lines(vault, *options)
    try:
        yield found
    finally:
        if found.process.poll() is None:
            found.process.kill()
        found.process.communicate(timeout=10)


@contextmanager
def stopped_after(vault: Path) -> Iterator[None]:
    """Ends the daemon that a bridge started."""
    try:
        yield
    finally:
        found = client.endpoint_of(vault, runtime_folder())
        if found is not None:
            try:
                client.call(found, "stop", {}, 10)
            except (client.DeepseedianError, client.LostAnswer):
                pass
            else:
                _wait_for_end(found.file)


def _wait_for_end(file: str) -> None:
    from tests.commands import until

    until(lambda: not Path(file).exists(), 15)
