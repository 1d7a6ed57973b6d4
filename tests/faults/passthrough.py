"""A file system that hands everything through to a folder, and misbehaves as told: `passthrough.py FOLDER MOUNTPOINT SWITCHES`.

SWITCHES is a file of JSON that is read at every call, so that a mounted file system can change its mind:

    fsync          "EIO": a flush fails; "lies": it says yes and does nothing
    exchange       false: no atomic exchange and no "only if it is free", as on many network file systems
    deaf           true: a rename takes no notice of such flags and renames plainly, which is worse
    links          false: no hard links
    short          at most so many bytes are read or written at once
    slow           seconds that every call takes
    one_case       true: names that differ in case alone are one
    race           {"name": file name, "data": text}: somebody saves this file right before the first call that would
                   move it, or put another in its place

What a lying flush left unwritten is told in SWITCHES with the suffix .unflushed, one path a line.
"""

import ctypes
import errno
import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import mfusepy

NOREPLACE, EXCHANGE = 1, 2


class Mounted(mfusepy.FUSE):
    """The library drops the flags of a rename; here they count."""

    def rename_fuse_3(self, old: bytes, new: bytes, flags: int) -> int:
        return self.operations.rename_with(os.fsdecode(old), os.fsdecode(new), flags)  # type: ignore[no-any-return]


class Passthrough(mfusepy.Operations):
    use_ns = True

    def __init__(self, root: Path, switches: Path) -> None:
        self.root, self.switches = root, switches
        self.said: set[str] = set()
        self._seen: tuple[int, dict[str, Any]] = (0, {})

    def on(self, name: str) -> Any:
        """A switch as it stands now."""
        stamp = self.switches.stat().st_mtime_ns
        if stamp != self._seen[0]:
            self._seen = (stamp, json.loads(self.switches.read_text(encoding="utf-8")))
        return self._seen[1].get(name)

    def init_with_config(self, conn: Any, config: Any) -> None:
        config.direct_io = True  # or the kernel hides short reads and writes
        config.use_ino = config.hard_remove = True
        for name in ("entry_timeout", "negative_timeout", "attr_timeout"):
            setattr(config, name, 0.0)

    def at(self, path: str) -> str:
        if self.on("slow"):
            time.sleep(self.on("slow"))
        found = self.root
        for part in path.strip("/").split("/") if path != "/" else ():
            found = found / (self._same(found, part) if self.on("one_case") else part)
        return str(found)

    def _same(self, folder: Path, name: str) -> str:
        with suppress(OSError):
            return next((other for other in os.listdir(folder) if other.lower() == name.lower()), name)
        return name

    def getattr(self, path: str, fh: int | None = None) -> dict[str, Any]:
        info = os.lstat(self.at(path)) if fh is None else os.fstat(fh)
        return {name: getattr(info, name) for name in ("st_mode", "st_nlink", "st_size", "st_uid", "st_gid", "st_ino", "st_blocks")} | {
            f"st_{kind}time": getattr(info, f"st_{kind}time_ns") for kind in "amc"}

    def readdir(self, path: str, fh: int) -> list[tuple[str, dict[str, int], int]]:
        found = []
        with os.scandir(self.at(path)) as entries:
            for entry in entries:
                info = entry.stat(follow_symlinks=False)
                found.append((entry.name, {"st_mode": info.st_mode, "st_ino": info.st_ino}, 0))  # a name with inode 0 is not shown
        return found

    def open(self, path: str, flags: int) -> int:
        return os.open(self.at(path), flags & ~os.O_NOFOLLOW)

    def create(self, path: str, mode: int, fi: Any = None) -> int:
        return os.open(self.at(path), os.O_RDWR | os.O_CREAT, mode)

    def read(self, path: str, size: int, offset: int, fh: int) -> bytes:
        return os.pread(fh, min(size, self.on("short") or size), offset)

    def write(self, path: str, data: bytes, offset: int, fh: int) -> int:
        if self.on("fsync") == "lies" and path not in self.said:
            self.said.add(path)
            with Path(f"{self.switches}.unflushed").open("a", encoding="utf-8") as told:
                told.write(f"{os.fstat(fh).st_ino}\n")
        return os.pwrite(fh, data[: self.on("short") or len(data)], offset)

    def fsync(self, path: str, datasync: int, fh: int) -> int:
        return self._flushed(fh)

    def fsyncdir(self, path: str, datasync: int, fh: int) -> int:
        if self.on("fsync") == "EIO":
            raise OSError(errno.EIO, "flush")
        return 0

    def _flushed(self, fh: int) -> int:
        if self.on("fsync") == "EIO":
            raise OSError(errno.EIO, "flush")
        if self.on("fsync") != "lies":
            os.fsync(fh)
        return 0

    def flush(self, path: str, fh: int) -> int:
        return 0

    def release(self, path: str, fh: int) -> int:
        os.close(fh)
        return 0

    def rename(self, old: str, new: str) -> int:
        return self.rename_with(old, new, 0)  # only so that the library knows that there is one

    def rename_with(self, old: str, new: str, flags: int) -> int:
        source, target = self.at(old), self.at(new)
        if flags and self.on("deaf"):
            flags = 0
        if flags and self.on("exchange") is False:
            raise OSError(errno.EINVAL, "rename")
        if not flags:
            self._race(source, target)
        if ctypes.CDLL(None, use_errno=True).renameat2(-100, os.fsencode(source), -100, os.fsencode(target), flags):
            raise OSError(ctypes.get_errno(), "rename")
        return 0

    def _race(self, *paths: str) -> None:
        """Somebody saves at the worst moment, once, as editors do: another file under the same name."""
        race, marker = self.on("race"), Path(f"{self.switches}.raced")
        for path in map(Path, paths):
            if race and path.name == race["name"] and not marker.exists():
                marker.touch()
                path.with_name("editor.save").write_text(race["data"], encoding="utf-8")
                path.with_name("editor.save").replace(path)

    def link(self, target: str, source: str) -> int:
        self._race(self.at(source), self.at(target))
        if self.on("links") is False:
            raise OSError(errno.EPERM, "link")
        os.link(self.at(source), self.at(target))
        return 0

    def truncate(self, path: str, length: int, fh: int | None = None) -> int:
        os.truncate(self.at(path) if fh is None else fh, length)
        return 0

    def chmod(self, path: str, mode: int) -> int:
        os.chmod(self.at(path), mode)
        return 0

    def chown(self, path: str, uid: int, gid: int) -> int:
        os.chown(self.at(path), uid, gid)
        return 0

    def utimens(self, path: str, times: tuple[int, int] | None = None) -> int:
        os.utime(self.at(path), ns=times)
        return 0

    def mkdir(self, path: str, mode: int) -> int:
        os.mkdir(self.at(path), mode)
        return 0

    def rmdir(self, path: str) -> int:
        os.rmdir(self.at(path))
        return 0

    def unlink(self, path: str) -> int:
        os.unlink(self.at(path))
        return 0

    def readlink(self, path: str) -> str:
        return os.readlink(self.at(path))

    def statfs(self, path: str) -> dict[str, int]:
        info = os.statvfs(self.root)
        return {name: getattr(info, name) for name in ("f_bsize", "f_frsize", "f_blocks", "f_bfree", "f_bavail", "f_namemax")}


if __name__ == "__main__":
    folder, mountpoint, told = sys.argv[1:]
    Mounted(Passthrough(Path(folder), Path(told)), mountpoint, foreground=True, nothreads=True, default_permissions=True)
