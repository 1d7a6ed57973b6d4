"""The measurements behind `scripts/bench`. Prints medians and ratios; says how many runs they come from."""

import http.client
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path

from deepseedian import client
from deepseedian.config.folders import runtime_folder
from deepseedian.core import markup
from deepseedian.sidecar import Sidecar, initialise

RUNS = 7
BARE = """
import socket, sys, uvicorn
from fastapi import FastAPI
app = FastAPI()
@app.get("/")
def root(): return {"ok": True}
bound = socket.socket(socket.AF_UNIX); bound.bind(sys.argv[1]); bound.listen(64)
uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off")).run(sockets=[bound])
"""
SENTENCES = ("周会改到每周{}下午", "发布只在第{}周进行", "The deploy script number {} needs a dry run first", "Project {} uses tabs, not spaces",
             "我不喜欢第{}种咖啡", "Meeting notes {} live in the archive folder")


def vault(folder: Path, entries: int) -> Path:
    """A vault with this many entries in topics of 1,000."""
    root = folder / f"vault-{entries}"
    initialise(root)
    memory = root / ".obsidian/plugins/deepseedian/memory/topics"
    for start in range(0, entries, 1000):
        blocks = [markup.encode({"id": str(uuid.UUID(int=number)), "createdAt": "2026-01-02T03:04:05.000Z", "source": "bench"},
                                f"{SENTENCES[number % 6].format(number)}, {number * 7919 % 104729}") for number in range(start, min(entries, start + 1000))]
        (memory / f"t{start // 1000}.md").write_bytes(b"\n".join(blocks))
    return root


def waited(ask: Callable[[], object], started: float, limit: float = 60) -> float:
    """Milliseconds from `started` to the first answer."""
    while time.perf_counter() < started + limit:
        try:
            ask()
            return (time.perf_counter() - started) * 1000
        except (OSError, client.LostAnswer, client.DeepseedianError):
            time.sleep(0.002)
    raise TimeoutError


def bare_start(folder: Path) -> float:
    path = str(folder / "b.sock")
    Path(path).unlink(missing_ok=True)
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", BARE, path])
    try:
        return waited(lambda: get(path, "/"), started)
    finally:
        process.kill()
        process.wait()


def get(path: str, target: str) -> bytes:
    connection = http.client.HTTPConnection("localhost", timeout=10)
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.connect(path)
    connection.request("GET", target)
    return connection.getresponse().read()


def our_start(root: Path) -> tuple[float, float]:
    """Milliseconds to the first status and to the first recall."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "deepseedian", "--vault", str(root), "run"], stdout=subprocess.DEVNULL)
    try:
        status = waited(lambda: ask(root, "status", {}), started)
        recall = waited(lambda: ask(root, "recall", {"question": "周会 deploy script 9001"}), started)
        return status, recall
    finally:
        process.kill()
        process.wait()


def ask(root: Path, operation: str, values: dict[str, object]) -> object:
    endpoint = client.endpoint_of(root, runtime_folder())
    if endpoint is None:
        raise ConnectionError
    return client.call(endpoint, operation, values)


def start(sizes: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="dsb-") as name:
        folder = isolated(Path(name))
        for size in map(int, sizes or ["100", "10000", "100000"]):
            root = vault(folder, size)
            prepared(root)
            rows = [(bare_start(folder), *our_start(root)) for _ in range(RUNS)]
            bare, status, recall = (statistics.median(column) for column in zip(*rows, strict=True))
            above = statistics.median(row[2] - row[0] for row in rows)
            print(f"start  {size:>7} entries  bare {bare:6.0f} ms  status {status:6.0f} ms  first recall {recall:6.0f} ms  "
                  f"recall above bare {above:6.0f} ms  (medians of {RUNS} pairs)", flush=True)
            shutil.rmtree(root)


def prepared(root: Path) -> None:
    """One earlier run, so that there is a last good snapshot."""
    began = time.perf_counter()
    sidecar = Sidecar.open(root, resident=True)
    sidecar.warm()
    print(f"index  {len(sidecar.store.snapshot.entries):>7} entries  from Markdown {time.perf_counter() - began:6.2f} s", flush=True)
    sidecar.close()


def isolated(folder: Path) -> Path:
    for name in ("STATE", "RUNTIME", "CONFIG"):
        os.environ[f"DEEPSEEDIAN_{name}_DIR"] = str(folder / name.lower())
    return folder


def command(_: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="dsb-") as name:
        root = vault(isolated(Path(name)), 1411)
        process = subprocess.Popen([sys.executable, "-m", "deepseedian", "--vault", str(root), "run"], stdout=subprocess.DEVNULL)
        try:
            waited(lambda: ask(root, "recall", {"question": "x"}), time.perf_counter())
            time.sleep(2)
            pairs = [(timed([sys.executable, "-c", "pass"]), timed([sys.executable, "-m", "deepseedian", "--vault", str(root), "recall", "周会"]))
                     for _ in range(3 * RUNS)]
        finally:
            process.kill()
            process.wait()
        bare, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
        print(f"command  bare interpreter {bare:.0f} ms  deepseedian recall {ours:.0f} ms wall  (medians of {len(pairs)} pairs)")


def timed(words: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - began) * 1000


def commit(sizes: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="dsb-") as name:
        folder = isolated(Path(name))
        for size in map(int, sizes or ["100", "10000", "100000"]):
            sidecar = Sidecar.open(vault(folder, size))
            ours, bare = [], []
            for number in range(30):
                began = time.perf_counter()
                sidecar.remember(f"commit number {number}", topic="fresh")
                ours.append((time.perf_counter() - began) * 1000)
                began = time.perf_counter()
                steps(folder, 2, len((sidecar.vault.memory / "topics/fresh.md").read_bytes()))
                bare.append((time.perf_counter() - began) * 1000)
            sidecar.close()
            ratio = statistics.median(a / b for a, b in zip(ours, bare, strict=True))
            print(f"commit {size:>7} entries  ours {statistics.median(ours):5.1f} ms  3 bare fsync-and-replace steps "
                  f"{statistics.median(bare):5.1f} ms  ratio {ratio:4.1f}  (medians of {len(ours)})", flush=True)


def steps(folder: Path, files: int, size: int) -> None:
    """What any store needs for as many files and one commit record: write, flush, rename, flush the folder."""
    for number in range(files + 1):
        path = folder / f"bare-{number}"
        with open(f"{path}.tmp", "wb") as file:
            file.write(b"x" * size)
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{path}.tmp", path)
        handle = os.open(folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)


if __name__ == "__main__":
    benches = {"start": start, "command": command, "commit": commit}
    if len(sys.argv) < 2 or sys.argv[1] not in benches:
        sys.exit(f"scripts/bench {'|'.join(benches)}")
    benches[sys.argv[1]](sys.argv[2:])
