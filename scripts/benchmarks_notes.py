"""How long the note index takes: from nothing, at a warm start, after one edit, for one search; what it weighs.

Beside it, in the same run: reading all files and nothing else, and looking for the query in all of them as `grep` does.
The vault is copied first; with `--vault PATH` it is yours, and nothing is written there.
"""

import os
import resource
import shutil
import statistics
import sys
import tarfile
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from deepseedian.notes.index import NoteIndex
from deepseedian.notes.upkeep import Upkeep
from deepseedian.sidecar import Sidecar, initialise

QUERIES = ("卡片笔记", "学习方法", "obsidian plugin", "MySQL", "三体", "如何做卡片盒笔记法的最佳实践", "知識管理", "evergreen notes", "茶", "dataview 查询", "双链", "release")
ROUNDS = 20


def timed(work: Callable[[], object]) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def files(root: Path) -> list[Path]:
    return [Path(folder) / name for folder, folders, names in os.walk(root) for name in names
            if name.endswith(".md") and not any(part.startswith(".") for part in Path(folder).relative_to(root).parts)]


def grep(root: Path, query: str) -> int:
    return sum(query in path.read_text(encoding="utf-8", errors="replace") for path in files(root))


def p95(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]


def main(words: list[str]) -> None:
    warnings.simplefilter("ignore", ResourceWarning)
    with tempfile.TemporaryDirectory(prefix="dsb-") as name:
        folder = Path(name)
        root = Path(words[1]) if words[:1] == ["--vault"] else copied(folder)
        measure(root, folder)
        if words[:1] != ["--vault"]:
            edits(root, folder)
            beside_recall(root, folder)


def copied(folder: Path) -> Path:
    with tarfile.open(Path(os.environ["DEEPSEEDIAN_TEST_DATA"]) / "vaults/knowledge-garden.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return next(path for path in folder.iterdir() if path.is_dir())


def measure(root: Path, folder: Path) -> None:
    raw = statistics.median(timed(lambda: [path.read_bytes() for path in files(root)]) for _ in range(5))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    index = NoteIndex(root, folder / "notes.db")
    build = timed(index.refresh)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before
    state = index.status()
    print(f"notes  {state['notes']} notes, {state['problems']} problems  index {int(str(state['bytes'])) / 1e6:.0f} MB  {memory:.0f} MB more resident", flush=True)
    print(f"build  from nothing {build / 1000:6.2f} s  reading all files {raw:6.0f} ms  ratio {build / raw:6.1f}", flush=True)
    index.close()
    time.sleep(2.1)  # times younger than two seconds are not believed
    NoteIndex(root, folder / "notes.db").refresh()
    warm = []
    for _ in range(5):
        index = NoteIndex(root, folder / "notes.db")
        warm.append(timed(index.refresh))
    print(f"warm   start {statistics.median(warm):6.0f} ms  reading all files {raw:6.0f} ms  ratio {statistics.median(warm) / raw:6.2f}  (median of 5)", flush=True)
    ours = [timed(lambda query=query: index.search(query)) for _ in range(ROUNDS) for query in QUERIES]  # type: ignore[misc]
    theirs = [timed(lambda query=query: grep(root, query)) for query in QUERIES]  # type: ignore[misc]
    print(f"search p50 {statistics.median(ours):5.1f} ms  p95 {p95(ours):5.1f} ms  looking through all files p50 {statistics.median(theirs):5.0f} ms  "
          f"ratio {statistics.median(ours) / statistics.median(theirs):5.3f}  ({len(ours)} searches)", flush=True)
    index.close()


def edits(root: Path, folder: Path) -> None:
    index = NoteIndex(root, folder / "notes.db")
    took = []
    for path in sorted(files(root), key=lambda one: -one.stat().st_size)[:200:10]:
        path.write_text(path.read_text(encoding="utf-8") + "\none more line\n", encoding="utf-8")
        took.append(timed(lambda one=path: index.refresh(frozenset({one.relative_to(root).as_posix()}))))  # type: ignore[misc]
    print(f"edit   indexed again p50 {statistics.median(took):5.1f} ms  most {max(took):5.1f} ms  (20 of the largest notes)", flush=True)
    index.close()


def beside_recall(root: Path, folder: Path) -> None:
    """A recall while the index is built as a daemon builds it, and without."""
    for name in ("STATE", "RUNTIME", "CONFIG"):
        os.environ[f"DEEPSEEDIAN_{name}_DIR"] = str(folder / name.lower())
    os.environ["DEEPSEEDIAN_SEMANTIC"] = "off"
    sys.setswitchinterval(0.0005)  # as the daemon does
    shutil.rmtree(folder / "quiet", ignore_errors=True)
    initialise(folder / "quiet")
    sidecar = Sidecar.open(folder / "quiet", resident=True)
    sidecar.warm()
    for number in range(200):
        sidecar.remember(f"fact {number}: 周会改到每周{number}下午", topic="bench")
    quiet = [timed(lambda: sidecar.recall("周会是什么时候？")) for _ in range(200)]
    upkeep = Upkeep(NoteIndex(root, folder / "again.db"))
    upkeep.begin()
    busy = []
    while upkeep.index.status()["state"] == "indexing" and len(busy) < 2000:
        busy.append(timed(lambda: sidecar.recall("周会是什么时候？")))
        time.sleep(0.01)
    upkeep.close()
    upkeep.index.close()
    sidecar.close()
    print(f"recall beside the first build p50 {statistics.median(busy):5.1f} ms  p95 {p95(busy):5.1f} ms  without it p50 {statistics.median(quiet):5.1f} ms  "
          f"p95 {p95(quiet):5.1f} ms  ({len(busy)} and {len(quiet)} recalls)", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
