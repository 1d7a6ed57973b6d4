"""Recall on the owner's own vault: how fast it answers questions made from its own entries.

Nothing of the owner's is touched: memory and settings are copied to a temporary folder, and the copy is opened
with a state folder and locks of its own. No model is asked, no text is printed.
"""

import os
import random
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from deepseedian.config.layers import Config
from deepseedian.errors import DeepseedianError
from deepseedian.sidecar import Sidecar
from deepseedian.store import lock
from deepseedian.store.vault import checked_root, located

QUESTIONS = 300
WORDS, CHARACTERS = 6, 14
COPIES = 5


def copied(root: Path, folder: Path) -> Path:
    """The vault's memory and settings at the same places below another folder. Raises DeepseedianError when memory is not there."""
    place = located(root, "")
    settings = Config(place.plugin)
    place = located(root, settings.text("memory.folder"))
    if not place.memory.is_dir():
        raise DeepseedianError(f"there is no memory in {root}", "make one with deepseedian init")
    target = folder / "vault"
    _tree(place.memory, target / place.memory.relative_to(root))
    if settings.vault_file.is_file():
        copy = target / settings.vault_file.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(settings.vault_file, copy)
    return target


def _tree(source: Path, target: Path) -> None:
    """A file that a running daemon replaces meanwhile is no fault: the folder is copied again."""
    for left in reversed(range(COPIES)):
        try:
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("writer.lock*"))
            return
        except (shutil.Error, FileNotFoundError):
            shutil.rmtree(target, ignore_errors=True)
            if not left:
                raise
            time.sleep(0.2)


@contextmanager
def apart(folder: Path) -> Iterator[None]:
    """State, runtime, configuration and locks in this folder, for this process alone; words only."""
    kept, places = dict(os.environ), lock.lock_folder
    for name in ("STATE", "RUNTIME", "CONFIG"):
        os.environ[f"DEEPSEEDIAN_{name}_DIR"] = str(folder / name.lower())
    os.environ.update({"DEEPSEEDIAN_SEMANTIC": "off", "DEEPSEEDIAN_JUDGE": "off"})
    lock.lock_folder = lambda: folder / "locks"  # the usual place is fixed, whatever the environment says
    try:
        yield
    finally:
        lock.lock_folder = places
        os.environ.clear()
        os.environ.update(kept)


def questions(entries: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """(id, a few words in a row from the middle of the entry), the same ones each time."""
    chosen = random.Random(1)
    found = []
    for entry in chosen.sample(entries, min(QUESTIONS, len(entries))):
        text = " ".join(str(entry["text"]).split())
        words = text.split(" ")
        start = chosen.randrange(max(1, len(words) - WORDS + 1))
        passage = " ".join(words[start: start + WORDS])
        if len(passage) > WORDS * CHARACTERS:  # no spaces: Chinese or Japanese
            start = chosen.randrange(len(passage) - CHARACTERS)
            passage = passage[start: start + CHARACTERS]
        found.append((str(entry["id"]), passage))
    return found


def own(root: Path) -> None:
    """Print what recall costs on this vault."""
    root = checked_root(root)
    with tempfile.TemporaryDirectory(prefix="dsb-") as name:
        target = copied(root, Path(name))
        with apart(Path(name)):
            began = time.perf_counter()
            sidecar = Sidecar.open(target, resident=True)
            sidecar.warm()
            opened = time.perf_counter() - began
            try:
                report(sidecar, opened)
            finally:
                sidecar.close()


def report(sidecar: Sidecar, opened: float) -> None:
    entries = sidecar.entries()["entries"]
    asked = questions(entries)
    print(f"own vault: {len(entries):,} entries, index from Markdown {opened:.2f} s (a copy was measured; words only, no model)")
    if not asked:
        return
    for _, question in asked[:20]:
        sidecar.recall(question)
    took, found, first = [], 0, 0
    for id, question in asked:
        began = time.perf_counter()
        rows = [row["id"] for row in sidecar.recall(question)["index"]]
        took.append((time.perf_counter() - began) * 1000)
        found += id in rows
        first += rows[:1] == [id]
    took.sort()
    p50, p95, p99 = (took[min(len(took) - 1, int(len(took) * share))] for share in (0.5, 0.95, 0.99))
    print(f"  recall of {len(asked)} passages  p50 {p50:.2f} ms  p95 {p95:.2f} ms  p99 {p99:.2f} ms")
    print(f"  the entry a passage is from: offered for {found / len(asked):.1%}, first for {first / len(asked):.1%}")
