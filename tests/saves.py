"""How editors and sync tools save a file: six ways to bring one change to the three sample entries."""

import mmap
import os
import time
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
