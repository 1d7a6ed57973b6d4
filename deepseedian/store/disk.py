"""The one door to the file system: bounded reads, flushed writes, compare-and-exchange.

`Disk` is the port that a test replaces to inject faults; every path is absolute. Reads never follow a
link below the memory folder and never block on a FIFO. Failure story of the exchange: an editor may
save between our compare and our rename, so where the platform can swap two names in one step we look
at what came out, and put it back if it is not what we expected.
"""

import ctypes
import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from deepseedian.config.files import read_regular
from deepseedian.errors import BadVault, ReadOnly, TooLarge

FILE_LIMIT = 64 * 1024 * 1024
_PUT_BACK_TRIES = 16
_AT_FDCWD = -100
_RENAME_NOREPLACE, _RENAME_EXCHANGE = 1, 2
_RENAME_SWAP, _RENAME_EXCL = 2, 4


@dataclass(frozen=True, slots=True)
class Found:
    """A file in a listing: path relative to the root with `/`, and what tells a change cheaply."""

    path: str
    size: int
    modified: int
    inode: int


def failpoint(name: str) -> None:
    """Die here, as from a power cut, when DEEPSEEDIAN_FAILPOINT names this place; crash tests use it."""
    if os.environ.get("DEEPSEEDIAN_FAILPOINT") == name:
        os.kill(os.getpid(), signal.SIGKILL)


class Disk:
    """The real file system."""

    def read(self, path: Path, limit: int = FILE_LIMIT) -> bytes | None:
        """The file's bytes; None when it is absent. Raises BadVault for links and special files."""
        try:
            data = read_regular(path, limit)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _refused(path, error) from None
        if data is None:
            raise BadVault(f"{path} is not a regular file", "move it away")
        if len(data) > limit:
            raise TooLarge(f"{path} is larger than the {limit} bytes allowed", "split it")
        return data

    def walk(self, root: Path, suffix: str = ".md") -> Iterator[Found]:
        """Regular files below `root` with this suffix, links not followed, hidden names left out."""
        pending = [root]
        while pending:
            folder = pending.pop()
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name.startswith((".", "~")):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(Path(entry.path))
                    elif entry.name.endswith(suffix) and entry.is_file(follow_symlinks=False):
                        yield _found(entry, root)

    def write_new(self, path: Path, data: bytes, mode: int = 0o600) -> None:
        """Create a file that must not exist, with all bytes flushed to the disk."""
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), mode)
        try:
            if hasattr(os, "fchmod"):  # the umask must not narrow the mode of a file that is replaced
                os.fchmod(handle, mode)
            view = memoryview(data)
            while view:  # a short write is legal, one call is not enough
                view = view[os.write(handle, view):]
            flush(handle)
        except BaseException:
            with suppress(OSError):
                os.unlink(path)
            raise
        finally:
            os.close(handle)

    def flush_folder(self, path: Path) -> None:
        """Make renames and removals in a folder durable."""
        if sys.platform == "win32":
            return
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            flush(handle)
        finally:
            os.close(handle)

    def replace(self, source: Path, target: Path) -> None:
        os.replace(source, target)

    def exchange(self, first: Path, second: Path) -> bool:
        """Swap two names in one step; False where the platform cannot."""
        return _renamed(first, second, _RENAME_EXCHANGE, _RENAME_SWAP)

    def put_back(self, temporary: Path, target: Path, ours: bytes) -> None:
        """Undo an exchange that took out somebody's save; if they saved again meanwhile, the newest stays in place."""
        before = self.read(temporary)
        for _ in range(_PUT_BACK_TRIES):
            self.exchange(temporary, target)
            out = self.read(temporary)
            if out in (ours, before):
                return
            before = out

    def publish(self, source: Path, target: Path) -> None:
        """Rename onto a name that must be free. Raises FileExistsError when somebody was faster."""
        if _renamed(source, target, _RENAME_NOREPLACE, _RENAME_EXCL):
            return
        try:
            os.link(source, target)
        except OSError as error:
            if isinstance(error, FileExistsError) or target.exists():
                raise FileExistsError(error.errno, "exists", str(target)) from None
            os.rename(source, target)  # no hard links here: the check right before is the best there is
        else:
            os.unlink(source)

    def unlink(self, path: Path) -> None:
        with suppress(FileNotFoundError):
            os.unlink(path)

    def make_folder(self, path: Path) -> None:
        """Create a folder and flush its parent, so that files in it cannot vanish with it."""
        if path.is_dir():
            return
        self.make_folder(path.parent)
        with suppress(FileExistsError):
            os.mkdir(path)
        self.flush_folder(path.parent)


def flush(handle: int) -> None:
    """Down to the platter; a plain fsync stops at the drive's cache on macOS."""
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
    else:
        os.fsync(handle)


def _found(entry: os.DirEntry[str], root: Path) -> Found:
    info = entry.stat(follow_symlinks=False)
    return Found(Path(entry.path).relative_to(root).as_posix(), info.st_size, info.st_mtime_ns, info.st_ino)


def _refused(path: Path, error: OSError) -> Exception:
    if error.errno in (errno.ELOOP, errno.EMLINK):
        return BadVault(f"{path} is a link; links below the memory folder are not followed", "replace it by a file")
    if error.errno in (errno.EACCES, errno.EPERM):
        return ReadOnly(f"{path} may not be read", "check its permissions")
    return error


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL | None:
    if sys.platform not in ("linux", "darwin"):
        return None
    try:
        return ctypes.CDLL(None, use_errno=True)
    except OSError:
        return None


def _renamed(first: Path, second: Path, linux: int, darwin: int) -> bool:
    """renameat2 or renamex_np; False when neither is there or the file system lacks the flag."""
    library = _library()
    names = (os.fsencode(first), os.fsencode(second))
    if library is not None and hasattr(library, "renameat2"):
        result = library.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], linux)
    elif library is not None and hasattr(library, "renamex_np"):
        result = library.renamex_np(names[0], names[1], darwin)
    else:
        return False
    if result == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.EINVAL, errno.ENOSYS, getattr(errno, "ENOTSUP", errno.EINVAL), errno.EOPNOTSUPP):
        return False
    raise OSError(number, os.strerror(number), str(first), None, str(second))


def guarded(root: Path, path: str) -> Path:
    """`root / path`, refusing links among the folders in between. Raises BadVault."""
    at = root
    for part in path.split("/")[:-1]:
        at = at / part
        if at.is_symlink():
            raise BadVault(f"{at} is a link; links below the memory folder are not followed", "replace it by a folder")
    return root / path
