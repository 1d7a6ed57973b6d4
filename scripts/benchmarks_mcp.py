"""MCP as a host meets it: from starting the command to the list of tools and the first call, beside a bare server of the library.

    benchmarks_mcp.py [ENTRIES …]      sizes of memory, 1,411 and 100,000 without any
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import RUNS, ask, isolated, prepared, usage, vault, waited

from deepseedian import client
from deepseedian.config.folders import runtime_folder

SIZES = (1_411, 100_000)
LARGE, LARGE_RUNS = 50_000, 3
CALLS = 200
TARGET_MS = 1000.0
BARE = """
from mcp.server import MCPServer
server = MCPServer("bare", version="1")
@server.tool()
def memory_search(query: str) -> str:
    "Answers at once."
    return "nothing"
server.run(transport="stdio")
"""
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class Host:
    """A host that waits for each answer; the clock runs from before the command is started."""

    def __init__(self, command: Sequence[str]) -> None:
        self.began = time.perf_counter()
        self.process = subprocess.Popen([sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        assert self.process.stdin is not None and self.process.stdout is not None
        self._send({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        return json.loads(self.process.stdout.readline())["result"]

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def listed(self) -> float:
        """Milliseconds until the tools were listed."""
        self.ask("initialize", INITIALIZE)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert self.ask("tools/list", {})["tools"]
        return self._since()

    def first_call(self) -> float:
        """Milliseconds until a search was answered as well."""
        self.search()
        return self._since()

    def search(self) -> None:
        found = self.ask("tools/call", {"name": "memory_search", "arguments": {"query": "deploy script 9001"}})
        assert not found.get("isError"), found

    def calls(self) -> float:
        """The median of later calls, in milliseconds."""
        took = []
        for _ in range(CALLS):
            began = time.perf_counter()
            self.search()
            took.append((time.perf_counter() - began) * 1000)
        return statistics.median(took)

    def _since(self) -> float:
        return (time.perf_counter() - self.began) * 1000

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(30)


def met(command: Sequence[str], calls: bool = False) -> tuple[float, float, float]:
    """Milliseconds to the list of tools, to the first answer of a search, and of later searches."""
    host = Host(command)
    listed, first = host.listed(), host.first_call()
    later = host.calls() if calls else 0.0
    host.end()
    return listed, first, later


def gone(root: Path) -> None:
    """The daemon that a bridge started ends, and with it what it had read."""
    subprocess.run([sys.executable, "-m", "deepseedian", "--vault", str(root), "stop"], check=True, stdout=subprocess.DEVNULL)


def _endpoint(root: Path) -> client.Endpoint:
    found = client.endpoint_of(root, runtime_folder())
    assert found is not None
    return found


def size(folder: Path, entries: int) -> None:
    root = vault(folder, entries)
    prepared(root)
    ours, bare = ["-m", "deepseedian", "--vault", str(root), "mcp"], ["-c", BARE]
    cold, warm, beside = [], [], []
    runs = RUNS if entries < LARGE else LARGE_RUNS
    for number in range(runs):
        beside.append(met(bare, calls=True))
        cold.append(met(ours))  # no daemon runs: the bridge starts one, which reads memory behind its answers
        waited(lambda: ask(root, "search", {"query": "x"}), time.perf_counter(), 120)
        warm.append(met(ours, calls=True))
        if number == runs - 1:
            memory(root)
        gone(root)
    print(f"  {entries:,} entries, medians of {runs} runs each, measured in turn", flush=True)
    told("bare server of the library", beside, beside)
    told("daemon started by the bridge, memory still being read", cold, beside, TARGET_MS)
    told("daemon running", warm, beside, TARGET_MS)
    shutil.rmtree(root)


def told(name: str, rows: list[tuple[float, float, float]], beside: list[tuple[float, float, float]], target: float = 0.0) -> None:
    listed, first, later = (statistics.median(column) for column in zip(*rows, strict=True))
    bare = statistics.median(row[0] for row in beside)
    held = f"   target ≤ {target:.0f} ms: {'held' if listed <= target else 'MISSED'}" if target else ""
    print(f"  {name:54} tools listed {listed:6.0f} ms ({listed / bare:4.2f} × bare)   first search {first:6.0f} ms"
          + (f"   later searches {later:6.2f} ms" if later else "") + held, flush=True)


def memory(root: Path) -> None:
    """What a host costs a daemon that has served one, and a daemon that has not (Linux)."""
    if sys.platform != "linux":
        return
    served = usage(_endpoint(root).pid)[1]
    gone(root)
    process = subprocess.Popen([sys.executable, "-m", "deepseedian", "--vault", str(root), "run"], stdout=subprocess.DEVNULL)
    waited(lambda: ask(root, "search", {"query": "deploy script 9001"}), time.perf_counter(), 120)
    time.sleep(6)
    alone = usage(process.pid)[1]
    print(f"  daemon, resident: {alone:.0f} MB without a host, {served:.0f} MB after one called", flush=True)


def main(arguments: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="dsb-") as name:
        folder = isolated(Path(name))
        os.environ.setdefault("DEEPSEEDIAN_SEMANTIC", "off")
        for entries in [int(argument) for argument in arguments] or SIZES:
            size(folder, entries)


if __name__ == "__main__":
    main(sys.argv[1:])
