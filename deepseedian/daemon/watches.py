"""Which folders this process really watches, as the kernel tells it.

Failure story: out of watches, the event library starts, its threads live, and no event ever comes from the
folders it could not add, without a word. Linux lists the watches of a process by inode under /proc; devices
are not compared, because btrfs and overlays print another one there than `stat` does.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_LINE = re.compile(r"^inotify wd:\S+ ino:([0-9a-f]+) ", re.M)


def watched_inodes() -> frozenset[int] | None:
    """The inodes this process watches; None where the system does not tell."""
    try:
        descriptors = os.listdir("/proc/self/fd")
    except OSError:
        return None
    found: set[int] = set()
    for name in descriptors:
        with suppress(OSError):  # closed meanwhile
            if "inotify" in os.readlink(f"/proc/self/fd/{name}"):
                lines = Path(f"/proc/self/fdinfo/{name}").read_text(encoding="ascii")
                found.update(int(inode, 16) for inode in _LINE.findall(lines))
    return frozenset(found)


def inode(folder: Path) -> int | None:
    """None when there is no such folder right now."""
    try:
        return os.stat(folder).st_ino if folder.is_dir() else None
    except OSError:
        return None


def needed(memory: Path, review: Path) -> dict[int, str]:
    """Inode → path of every folder whose events must come: memory, all below its topics and archive, review notes."""
    folders = [memory, *_below(memory / "topics"), *_below(memory / "archive")]
    if not review.is_symlink():
        folders.append(review)
    return {found: str(folder) for folder in folders if (found := inode(folder)) is not None}


def _below(root: Path) -> Iterator[Path]:
    """The folder and all in it, links not followed, hidden names left out, as entries are read."""
    if root.is_symlink():
        return
    for folder, names, _files in os.walk(root):
        yield Path(folder)
        names[:] = [name for name in names if not name.startswith((".", "~"))]
