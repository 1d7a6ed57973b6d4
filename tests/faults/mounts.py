"""Disks to be unkind to: an ext4 image on a loop device. Everything is unmounted again, whatever happens."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import pytest

_PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"  # root's tools are not on everybody's path
_SIZE = 64 * 1024 * 1024
# Without these ext4 flushes content before a rename by itself, and everything every five seconds.
_UNFORGIVING = "loop,noauto_da_alloc,commit=300"


def run(*words: str | Path) -> str:
    """A system tool; its output when it fails."""
    done = subprocess.run([str(word) for word in words], capture_output=True, encoding="utf-8", check=False, timeout=60,
                          env=os.environ | {"PATH": _PATH})
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


@lru_cache(maxsize=1)
def may_mount() -> bool:
    """Whether we are root, and one that may mount: in a container root often may not."""
    if sys.platform != "linux" or os.getuid() != 0 or not shutil.which("unshare", path=_PATH):
        return False
    return subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0


needs_mounts = pytest.mark.skipif(not may_mount(), reason="only root on Linux can mount")
needs_loop = pytest.mark.skipif(not may_mount() or not shutil.which("mkfs.ext4", path=_PATH) or not Path("/dev/loop-control").exists(),
                                reason="a power cut needs root, mkfs.ext4 and loop devices")


class Image:
    """An ext4 file system in a file, mounted at `at`."""

    def __init__(self, folder: Path) -> None:
        self.file, self.at = folder / "disk.img", folder / "disk"
        self.at.mkdir()
        with self.file.open("wb") as file:
            file.truncate(_SIZE)
        run("mkfs.ext4", "-q", "-F", self.file)

    def mount(self) -> None:
        run("mount", "-t", "ext4", "-o", _UNFORGIVING, self.file, self.at)

    def unmount(self) -> None:
        run("umount", self.at)

    def keep(self, name: str) -> None:
        """Remember the unmounted disk under a name."""
        _copy(self.file, self.file.with_name(name))

    def take(self, name: str) -> None:
        _copy(self.file.with_name(name), self.file)

    def cut(self) -> None:
        """The power fails: what has reached the disk by now is all there is when it is mounted again."""
        lost = self.file.with_name("cut.img")
        _copy(self.file, lost)
        self.unmount()
        lost.replace(self.file)
        self.mount()


def _copy(source: Path, target: Path) -> None:
    run("cp", "--sparse=always", source, target)


@contextmanager
def image(folder: Path) -> Iterator[Image]:
    """A fresh disk, mounted."""
    made = Image(folder)
    made.mount()
    try:
        yield made
    finally:
        if made.at.is_mount():
            subprocess.run(["umount", "--lazy", str(made.at)], check=False, timeout=60)
