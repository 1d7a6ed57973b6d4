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
from functools import partial
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
            for number in range(40):
                began = time.perf_counter()
                sidecar.remember(f"commit number {number}", topic="fresh")
                ours.append((time.perf_counter() - began) * 1000)
                written = [(sidecar.vault.memory / path).stat().st_size for path in ("topics/fresh.md", "journal.json")]
                began = time.perf_counter()
                steps(folder, [*written, 1000])
                bare.append((time.perf_counter() - began) * 1000)
            sidecar.close()
            ratio = statistics.median(a / b for a, b in zip(ours, bare, strict=True))
            print(f"commit {size:>7} entries  ours {statistics.median(ours):5.1f} ms  3 bare fsync-and-replace steps "
                  f"{statistics.median(bare):5.1f} ms  ratio {ratio:4.1f}  (medians of {len(ours)})", flush=True)


def steps(folder: Path, sizes: list[int]) -> None:
    """What any store needs for as many files of these sizes, the commit record among them: write, flush, rename, flush the folder."""
    for number, size in enumerate(sizes):
        path = folder / f"bare-{number}"
        with open(f"{path}.tmp", "wb") as file:
            file.write(b"x" * size)
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{path}.tmp", path)
        handle = os.open(folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)


WRITER = """
import sys, time
from pathlib import Path
from deepseedian.errors import Busy
from deepseedian.sidecar import Sidecar
sidecar = Sidecar.open(Path(sys.argv[1]))
sys.stdin.readline()
until, done = time.perf_counter() + float(sys.argv[3]), 0
while time.perf_counter() < until:
    try:
        sidecar.remember(f"writer {sys.argv[2]} number {done}", topic=f"w{sys.argv[2]}")
        done += 1
    except Busy:
        pass
sidecar.close()
print(done)
"""


def writers(folder: Path, seconds: float = 4.0) -> None:
    """Durable one-entry commits a second from 1, 4 and 16 processes at once, each its own topic."""
    for number in (1, 4, 16):
        root = vault(folder, 1000)
        processes = [subprocess.Popen([sys.executable, "-c", WRITER, str(root), str(who), str(seconds)], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, encoding="utf-8") for who in range(number)]
        time.sleep(1 + number * 0.2)
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        done = sum(int(process.communicate(timeout=120)[0]) for process in processes)
        check = Sidecar.open(root)
        found = len(check.store.snapshot.entries) - 1000
        check.close()
        print(f"writers {number:>2} processes  {done / seconds:6.0f} commits/s  answered {done}, found {found}", flush=True)
        shutil.rmtree(root)


def outside(folder: Path) -> None:
    """From an edit by another program to the answer of a recall; then 3,000 new files at once."""
    root = vault(folder, 1411)
    memory = root / ".obsidian/plugins/deepseedian/memory/topics"
    process = subprocess.Popen([sys.executable, "-m", "deepseedian", "--vault", str(root), "run"], stdout=subprocess.DEVNULL)
    try:
        waited(lambda: ask(root, "recall", {"question": "x"}), time.perf_counter())
        time.sleep(4)
        took = []
        for number in range(20):
            block = markup.encode({"id": str(uuid.UUID(int=10**9 + number)), "createdAt": "2026-01-02T03:04:05.000Z", "source": "b"}, f"zebra{number}")
            path = memory / f"edit{number}.md"
            began = time.perf_counter()
            path.write_bytes(block)
            took.append(until(partial(_offered, root, f"zebra{number}"), began))
            time.sleep(0.1)
        took.sort()
        print(f"outside edit to recall  p50 {statistics.median(took):4.0f} ms  p95 {took[18]:4.0f} ms  (20 edits)", flush=True)
        before = ask(root, "status", {})["entries"]
        began = time.perf_counter()
        for number in range(3000):
            block = markup.encode({"id": str(uuid.UUID(int=2 * 10**9 + number)), "createdAt": "2026-01-02T03:04:05.000Z", "source": "b"}, f"burst {number}")
            (memory / f"burst{number}.md").write_bytes(block)
        wrote = (time.perf_counter() - began) * 1000
        all_seen = until(lambda: ask(root, "status", {})["entries"] == before + 3000, began)
        print(f"burst of 3,000 files  written in {wrote:.0f} ms, all seen after {all_seen:.0f} ms", flush=True)
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(root)


def _offered(root: Path, question: str) -> bool:
    """Whether the entry that says exactly this is offered; others may share a part of the word."""
    return any(row["summary"] == question for row in ask(root, "recall", {"question": question})["index"])


def until(found: Callable[[], object], began: float, limit: float = 60) -> float:
    """Milliseconds from `began` until it is true."""
    while not found():
        if time.perf_counter() > began + limit:
            raise TimeoutError
        time.sleep(0.005)
    return (time.perf_counter() - began) * 1000


def idle(folder: Path, seconds: float = 60.0) -> None:
    """Processor time, memory, threads and descriptors of a daemon that nobody asks anything."""
    root = vault(folder, 10_000)
    process = subprocess.Popen([sys.executable, "-m", "deepseedian", "--vault", str(root), "run"], stdout=subprocess.DEVNULL)
    try:
        waited(lambda: ask(root, "recall", {"question": "x"}), time.perf_counter())
        time.sleep(6)
        first = usage(process.pid)
        time.sleep(seconds)
        last = usage(process.pid)
        print(f"idle daemon, 10,000 entries  {(last[0] - first[0]) / seconds * 100:.2f} % CPU over {seconds:.0f} s  {last[1]:.0f} MB resident  "
              f"threads {first[2]} → {last[2]}  descriptors {first[3]} → {last[3]}", flush=True)
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(root)


def usage(pid: int) -> tuple[float, float, int, int]:
    """Seconds of processor time, megabytes resident, threads, open descriptors (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    ticks = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    resident = int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return ticks, resident, int(fields[17]), len(list(Path(f"/proc/{pid}/fd").iterdir()))


def store(_: list[str]) -> None:
    """Everything about the store in one run."""
    commit([])
    with tempfile.TemporaryDirectory(prefix="dsb-") as name:
        folder = isolated(Path(name))
        writers(folder)
        outside(folder)
        idle(folder)
    start(["10000", "100000"])


if __name__ == "__main__":
    benches = {"start": start, "command": command, "commit": commit, "store": store}
    if len(sys.argv) < 2 or sys.argv[1] not in benches:
        sys.exit(f"scripts/bench {'|'.join(benches)}")
    benches[sys.argv[1]](sys.argv[2:])
