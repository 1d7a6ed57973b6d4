"""Speed of recall on the generator's corpus, and whether it finds there what anything should find.

In process and over the socket, beside bm25s and FTS5 in memory on the same words; starts, the change of one entry,
the index from Markdown, and memory. Our time contains splitting the question into words and the gates of a turn,
theirs does not; `same work` is our part of a recall that does what they do: the best twelve by BM25 for words that are
already split. bm25s is asked by its own `retrieve`, and by its scores with a better choice of the first twelve.
"""

import json
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import ask, bare_start, our_start, usage, waited
from benchmarks_baselines import Bm25s, FullText
from benchmarks_corpus import Corpus, common, generated, offered, vault

from deepseedian import client
from deepseedian.config.folders import runtime_folder
from deepseedian.core import ranking
from deepseedian.core.matching import weighed
from deepseedian.core.text import query_terms, tokens
from deepseedian.sidecar import Sidecar

PLUMBING_SIZES = (1_000, 10_000, 100_000)
LATENCY_SIZES = (1_000, 1_411, 10_000, 100_000)
HIT, HIT_AT = 0.98, 5
IN_PROCESS_MS = {1_411: 1.0, 100_000: 10.0}
SOCKET_P50_MS = {1_411: 3.0}
SOCKET_P95_MS = {1_000: 2.0, 10_000: 6.0, 100_000: 30.0}
INDEX_SECONDS = {1_000: 0.5, 10_000: 2.0, 100_000: 15.0}
TIMES_BM25S = 2.0
ABOVE_BARE_MS = 250.0
FULL_TEXT_QUESTIONS = 100
STARTS = 3
CHANGES = 30
PASSES = 5


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds, sorted."""

    values: tuple[float, ...]

    @property
    def p50(self) -> float:
        return statistics.median(self.values)

    @property
    def p95(self) -> float:
        return self.values[min(len(self.values) - 1, int(len(self.values) * 0.95))]

    def __str__(self) -> str:
        return f"{self.p50:8.2f} /{self.p95:8.2f}"


def timed(act: Callable[[Any], object], over: Iterable[Any]) -> Times:
    took = []
    for item in over:
        began = time.perf_counter()
        act(item)
        took.append((time.perf_counter() - began) * 1000)
    return Times(tuple(sorted(took)))


def verdict(got: float, want: float | None, unit: str = "ms") -> str:
    if want is None:
        return ""
    return f"   target ≤ {want:g} {unit}: {'held' if got <= want else f'MISSED, {got / want:.2f} times that'}"


def run(data: Path, folder: Path, sizes: Sequence[int], *, plumbing: bool, latency: bool) -> None:
    """Each size is generated, written and indexed once for both parts; without sizes the usual ones of each part."""
    wanted = sizes or sorted({*(PLUMBING_SIZES if plumbing else ()), *(LATENCY_SIZES if latency else ())})
    for size in wanted:
        corpus = generated(data, folder, size)
        root = vault(folder / f"vault-{size}", corpus.texts)
        print(f"entries {size:,} ({sum(map(len, corpus.texts)) / 1e6:.1f} million characters)", flush=True)
        with _indexed(root, size) as sidecar:
            if plumbing and (sizes or size in PLUMBING_SIZES):
                hits(sidecar, corpus)
            if latency:
                sidecar.prepare(0.0)  # as a daemon does in the seconds after its start
                in_process(sidecar, corpus, size)
                changes(sidecar)
        if latency:
            starts(root, folder, sidecar.cache_path)
            over_socket(root, corpus, size)
        shutil.rmtree(root)


@contextmanager
def _indexed(root: Path, size: int) -> Iterator[Sidecar]:
    """The vault opened as a daemon opens it, from Markdown alone."""
    began = time.perf_counter()
    sidecar = Sidecar.open(root, resident=True)
    sidecar.warm()
    took = time.perf_counter() - began
    print(f"  index from Markdown      {took:8.2f} s{verdict(took, INDEX_SECONDS.get(size), 's')}", flush=True)
    try:
        yield sidecar
    finally:
        sidecar.close()


def hits(sidecar: Sidecar, corpus: Corpus) -> None:
    """The share of questions whose own entry is among the first five, by kind; bm25s on the same words beside."""
    engine = Bm25s([tokens(text) for text in corpus.texts], query_terms)
    systems = {"deepseedian, ranked": lambda asked: offered(sidecar.search(asked)["results"]),
               "deepseedian, offered": lambda asked: offered(sidecar.recall(asked)["index"]),
               "bm25s, same words": lambda asked: engine.ranked(asked, HIT_AT)}
    kinds = sorted({kind for kind, _, _ in corpus.questions})
    for name, found in systems.items():
        shares = {}
        for kind in kinds:
            right = [target in found(asked)[:HIT_AT] for each, asked, target in corpus.questions if each == kind]
            shares[kind] = sum(right) / len(right)
        low = min(shares.values())
        against = "" if not name.startswith("deepseedian") else f"   target ≥ {HIT:g} each: {'held' if low >= HIT else f'MISSED by {HIT - low:.3f}'}"
        print(f"  hit@{HIT_AT} {name:22} " + "  ".join(f"{kind} {share:.3f}" for kind, share in shares.items()) + against, flush=True)


def in_process(sidecar: Sidecar, corpus: Corpus, size: int) -> None:
    """Each question is put to all systems; what they are told is split into words by the product for all of them."""
    documents = [tokens(text) for text in corpus.texts]
    bm25s, full_text = Bm25s(documents, query_terms), FullText(documents, query_terms)
    kinds = {"generator's questions": [asked for _, asked, _ in corpus.questions], "common words only": common(documents)}
    print(f"  {'in process, p50 / p95 ms':26} {'recall':>18} {'recall, receipt':>18} {'search':>18} {'same work':>18} {'bm25s retrieve':>18} {'bm25s scores':>18} {'SQLite FTS5':>18}  recall : retrieve, : scores, same work : retrieve")
    for name, questions in kinds.items():
        words = [query_terms(asked) for asked in questions]
        for asked, terms in zip(questions[:20], words[:20], strict=True):
            sidecar.recall(asked)
            bm25s.top(terms, 12)
        recall = timed(sidecar.recall, questions)
        receipt = timed(lambda asked: sidecar.recall(asked, why=True), questions)
        search = timed(lambda asked: sidecar.search(asked, limit=12), questions)
        with sidecar.recollection.read(sidecar.store.snapshot) as memory:
            same = timed(lambda terms: ranking.matches(memory.postings, weighed(terms)).best(12), words)
        theirs = timed(lambda terms: bm25s.top(terms, 12), words)
        faster = timed(lambda terms: bm25s.chosen(terms, 12), words)
        sqlite = timed(lambda terms: full_text.top(terms, 12), words[:: max(1, len(words) // FULL_TEXT_QUESTIONS)])
        ratio = recall.p50 / theirs.p50
        judged = name.startswith("generator")
        print(f"    {name:24} {recall} {receipt} {search} {same} {theirs} {faster} {sqlite}  {ratio:8.1f} {recall.p50 / faster.p50:10.1f} {same.p50 / theirs.p50:10.1f}"
              f"{verdict(ratio, TIMES_BM25S if judged else None, 'times, whole recall')}"
              f"{verdict(same.p50 / theirs.p50, TIMES_BM25S if judged else None, 'times, same work')}"
              f"{verdict(recall.p50, IN_PROCESS_MS.get(size) if judged else None)}", flush=True)
    full_text.close()


def changes(sidecar: Sidecar) -> None:
    """One entry more, one entry edited: the durable change as a whole, and of it what telling the index takes."""
    spent = [0.0]

    def watched(listener: Callable[..., None]) -> Callable[..., None]:
        def told(*given: object) -> None:
            began = time.perf_counter()
            listener(*given)
            spent[0] += (time.perf_counter() - began) * 1000
        return told
    sidecar.store.listeners[:] = [watched(listener) for listener in sidecar.store.listeners]
    added: list[str] = []

    def add(number: int) -> None:
        added.append(str(sidecar.remember(f"zebra{number} crosses the road at number {number}", topic="fresh")["id"]))
    rows = []
    for name, act, over in (("remember", add, range(CHANGES)), ("edit", lambda id: sidecar.edit(id, f"changed {id}"), added)):
        spent[0] = 0.0
        took = timed(act, over)
        rows.append(f"{name} {took} ms, of it the index {spent[0] / CHANGES:.2f} ms")
    found = sidecar.recall(f"changed {added[-1]}")["index"]
    if not any(row["id"] == added[-1] for row in found):
        rows.append("THE CHANGED ENTRY IS NOT FOUND")
    print(f"  one entry, p50 / p95     {';  '.join(rows)}", flush=True)


def starts(root: Path, folder: Path, cache: Path) -> None:
    """A daemon to its first recall: with the cache of an earlier run, and without any."""
    warm = [(bare_start(folder), our_start(root)[1]) for _ in range(STARTS)]
    above = statistics.median(ours - bare for bare, ours in warm)
    bare, ours = (statistics.median(column) for column in zip(*warm, strict=True))
    print(f"  warm start, first recall {ours:8.0f} ms, bare FastAPI and uvicorn {bare:.0f} ms, above {above:.0f} ms"
          f"{verdict(above, ABOVE_BARE_MS)}", flush=True)
    for path in cache.parent.glob(f"{cache.name}*"):
        path.unlink()
    print(f"  cold start, first recall {our_start(root)[1]:8.0f} ms (index from Markdown)", flush=True)


@contextmanager
def daemon(root: Path) -> Iterator[int]:
    """A running daemon that has read everything; gives its process id."""
    process = subprocess.Popen([sys.executable, "-m", "deepseedian", "--vault", str(root), "run"], stdout=subprocess.DEVNULL)
    try:
        waited(lambda: ask(root, "search", {"query": "x"}), time.perf_counter(), 120)
        time.sleep(5)  # what follows a start (cache, copies, texts prepared) is not recall
        yield process.pid
    finally:
        process.kill()
        process.wait()


class Kept:
    """One connection to the daemon that stays open, as editors hold it.

    It reads answers by itself: Python's own client takes a quarter of a millisecond for what editors' clients do in C.
    """

    def __init__(self, root: Path) -> None:
        endpoint = client.endpoint_of(root, runtime_folder())
        assert endpoint is not None
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(60)
        self._socket.connect(endpoint.socket)

    def recall(self, question: str) -> dict[str, Any]:
        body = json.dumps({"question": question}).encode()
        self._socket.sendall(b"POST /v1/recall HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
                             b"content-length: %d\r\n\r\n%s" % (len(body), body))
        head, _, answer = self._until(b"", lambda data: b"\r\n\r\n" in data).partition(b"\r\n\r\n")
        length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
        if not head.startswith(b"HTTP/1.1 200 ") or length is None:
            raise ConnectionError(head.decode())
        return dict(json.loads(self._until(answer, lambda data: len(data) >= int(length[1]))))

    def _until(self, data: bytes, enough: Callable[[bytes], bool]) -> bytes:
        while not enough(data):
            more = self._socket.recv(1 << 20)
            if not more:
                raise ConnectionError("the daemon hung up")
            data += more
        return data

    def close(self) -> None:
        self._socket.close()


def machine() -> Times:
    """How quiet it is here: the same piece of Python, half a millisecond of it, again and again. Receipts are written meanwhile."""
    time.sleep(2)
    return timed(lambda _: sum(number * number for number in range(16_000)), range(400))


def over_socket(root: Path, corpus: Corpus, size: int) -> None:
    """A kept connection, several passes of which the middle one is judged; the daemon's memory before and after."""
    with daemon(root) as process:
        first = usage(process)[1]
        kept = Kept(root)
        questions = [asked for _, asked, _ in corpus.questions]
        timed(kept.recall, questions[:20])
        passes = [(machine(), timed(kept.recall, questions)) for _ in range(PASSES)]
        for number, (around, took) in enumerate(sorted(passes, key=lambda one: one[1].p95), 1):
            middle = number == (PASSES + 1) // 2
            print(f"  over the socket, p50 / p95 ms {took}, a fixed piece of work before it {around}"
                  f"{verdict(took.p50, SOCKET_P50_MS.get(size) if middle else None)}"
                  f"{verdict(took.p95, SOCKET_P95_MS.get(size) if middle else None)}", flush=True)
        print(f"  over the socket, p50 / p95 ms {timed(kept.recall, common([tokens(text) for text in corpus.texts]))}, common words only")
        kept.close()
        print(f"  daemon, resident         {first:8.0f} MB after reading, {usage(process)[1]:.0f} MB after {PASSES * len(questions) + 120} recalls", flush=True)
