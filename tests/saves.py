"""How editors and sync tools save a file: six ways to bring one change to the three sample entries, and three to save any bytes."""

import mmap
import os
import time
from collections.abc import Callable
from pathlib import Path

from tests.samples import FIXTURE_3

OLD, NEW = FIXTURE_3.encode(), FIXTURE_3.replace("Thursdays", "Saturdays").encode()


def in_place(path: Path) -> None:
    path.write_bytes(NEW)


def atomic(path: Path) -> None:
    temporary = path.with_name(".general.md.tmp")
    temporary.write_bytes(NEW)
    temporary.replace(path)


def with_backup(path: Path) -> None:
    backup = path.with_name("general.md~")
    path.rename(backup)
    path.write_bytes(NEW)
    backup.unlink()


def from_elsewhere(path: Path) -> None:
    outside = path.parents[6] / "elsewhere.md"
    outside.write_bytes(NEW)
    outside.replace(path)


def mapped(path: Path) -> None:
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as view:
        at = view.find(b"Thursdays")
        view[at: at + 9] = b"Saturdays"


def in_pieces(path: Path) -> None:
    quarter = len(NEW) // 4 + 1
    with path.open("wb") as file:
        for start in range(0, len(NEW), quarter):
            file.write(NEW[start: start + quarter])
            file.flush()
            os.fsync(file.fileno())
            time.sleep(0.2)


def _replaced(path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{path.name}.tmp-save")
    temporary.write_bytes(data)
    temporary.replace(path)


def _backed_up(path: Path, data: bytes) -> None:
    backup = path.with_name(f"{path.name}~")
    path.rename(backup)
    path.write_bytes(data)
    backup.unlink()


# Obsidian and VS Code write over the file, Vim moves it away first, many others put a new one in its place.
WAYS: dict[str, Callable[[Path, bytes], object]] = {"obsidian": Path.write_bytes, "vim": _backed_up, "atomic": _replaced}
