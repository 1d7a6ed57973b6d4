"""Looking at a store from outside: its files, their times, its entries, and what it refuses."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from deepseedian.errors import DeepseedianError
from deepseedian.sidecar import Sidecar


def files(folder: Path) -> dict[str, bytes]:
    """Path → content of every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def stats(folder: Path) -> dict[str, tuple[int, int]]:
    """Path → inode and time of everything below a folder."""
    found = {path.as_posix(): path.stat() for path in folder.rglob("*")}
    return {path: (info.st_ino, info.st_mtime_ns) for path, info in found.items()}


def ids(sidecar: Sidecar) -> set[str]:
    return {entry["id"] for entry in entries(sidecar)}


def entries(sidecar: Sidecar) -> list[dict[str, Any]]:
    found: Any = sidecar.entries()["entries"]
    return list(found)


def set_aside(sidecar: Sidecar) -> set[bytes]:
    """The contents kept in quarantine."""
    return {path.read_bytes() for path in (sidecar.instance.folder / "quarantine").glob("*")}


def codes(sidecar: Sidecar) -> set[str]:
    """The faults that HEALTH names."""
    found: Any = sidecar.health()["faults"]
    return {fault["code"] for fault in found}


def refused(call: Callable[[], object]) -> DeepseedianError:
    """The error that this call must end in, one of our own."""
    try:
        answer = call()
    except DeepseedianError as error:
        return error
    raise AssertionError(f"it was not refused: {answer}")
