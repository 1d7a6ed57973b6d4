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
import stat
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from deepseedian.config.files import read_regular
from deepseedian.errors import BadVault, ReadOnly, TooLarge

Place = tuple[int | None, str]
FILE_LIMIT = 64 * 1024 * 1024
_PUT_BACK_TRIES = 16
_AT_FDCWD, _AT_FDCWD_DARWIN = -100, -2
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NOFOLLOW | getattr(os, "O_CLOEXEC", 0)
_WALKS = {os.open, os.stat, os.unlink, os.rename, os.mkdir, os.link} <= os.supports_dir_fd and bool(_NOFOLLOW)
_LISTS = _WALKS and os.scandir in os.supports_fd
_RENAME_NOREPLACE, _RENAME_EXCHANGE = 1, 2
_RENAME_SWAP, _RENAME_EXCL = 2, 4


class Found(NamedTuple):
    """A file in a listing: path relative to the root with `/`, and what tells a change cheaply."""

    path: str
    size: int
    modified: int
    inode: int


@lru_cache(maxsize=1024)
def below(root: Path, name: str) -> Path:
    """A place that a change comes to many times: joining two paths costs 3 µs, and a change did it two dozen times."""
    return root / name


def failpoint(name: str) -> None:
    """Die here, as from a power cut, when DEEPSEEDIAN_FAILPOINT names this place; crash tests use it."""
    if os.environ.get("DEEPSEEDIAN_FAILPOINT") == name:
        os.kill(os.getpid(), signal.SIGKILL)


class Disk:
    """The real file system."""

    _confined: tuple[str, ...] = ()  # each with its last separator

    def confine(self, root: Path) -> None:
        """Below this folder no link is followed from now on, not even one that appears while we work.

        Every step down is taken with a folder descriptor; what leads to `root` itself is its owner's business.
        """
        place = os.path.join(root, "")
        if place not in self._confined:
            self._confined = tuple(sorted((*self._confined, place), key=len, reverse=True))

    def read(self, path: Path, limit: int = FILE_LIMIT) -> bytes | None:
        """The file's bytes; None when it is absent. Raises BadVault for links and special files."""
        try:
            with self._at(path) as (folder, name):
                data = read_regular(name, limit, folder)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _refused(path, error, limit) from None
        if data is None:
            raise BadVault(f"{path} is not a regular file", "move it away")
        if len(data) > limit:  # it grew meanwhile
            raise TooLarge(f"{path} is larger than the {limit} bytes allowed", "split it")
        return data

    def walk(self, root: Path, suffix: str = ".md") -> Iterator[Found]:
        """Regular files below `root` with this suffix, links not followed, hidden names left out."""
        pending = [""]
        while pending:
            beginning = pending.pop()
            with self._listed(below(root, beginning)) as entries:
                for entry in entries:
                    name = entry.name
                    if name[0] in ".~":
                        continue
                    if name.endswith(suffix) and entry.is_file(follow_symlinks=False):
                        info = entry.stat(follow_symlinks=False)
                        yield Found(f"{beginning}{name}", info.st_size, info.st_mtime_ns, info.st_ino)
                    elif entry.is_dir(follow_symlinks=False):
                        pending.append(f"{beginning}{name}/")

    @contextmanager
    def _listed(self, path: Path) -> Iterator[Iterator[os.DirEntry[str]]]:
        """The names in a folder, by its descriptor where there are some: no link leads elsewhere, and each look is a short way."""
        if not _LISTS:
            with os.scandir(path) as entries:
                yield entries
            return
        try:
            with self._at(path) as (folder, name):
                handle = os.open(name, _FOLDER, dir_fd=folder)
        except BadVault as error:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from error
        try:
            with os.scandir(handle) as entries:
                yield entries
        finally:
            os.close(handle)

    def mode(self, path: Path, default: int = 0o644) -> int:
        """The permission bits of a file that is there, else the default."""
        with suppress(FileNotFoundError), self._at(path) as (folder, name):
            return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode & 0o777
        return default

    def write_new(self, path: Path, data: bytes, mode: int = 0o600) -> None:
        """Create a file that must not exist, with all bytes flushed to the disk."""
        handle = self._create(path, mode)
        try:
            if hasattr(os, "fchmod"):  # the umask must not narrow the mode of a file that is replaced
                os.fchmod(handle, mode)
            view = memoryview(data)
            while view:  # a short write is legal, one call is not enough
                view = view[self._write(handle, view):]
            self._flush(handle)
        except BaseException:
            with suppress(OSError):
                self.unlink(path)
            raise
        finally:
            os.close(handle)

    def flush_folder(self, path: Path) -> None:
        """Make renames and removals in a folder durable."""
        if sys.platform == "win32":
            return
        with self._at(path) as (folder, name):
            handle = os.open(name, _FOLDER, dir_fd=folder)
        try:
            self._flush(handle)
        finally:
            os.close(handle)

    def replace(self, source: Path, target: Path) -> None:
        with self._at(source) as (first, old), self._at(target) as (second, new):
            os.replace(old, new, src_dir_fd=first, dst_dir_fd=second)

    def exchange(self, first: Path, second: Path) -> bool:
        """Swap two names in one step; False where the platform cannot."""
        with self._at(first) as one, self._at(second) as other:
            return _renamed(one, other, _RENAME_EXCHANGE, _RENAME_SWAP)

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
        with self._at(source) as one, self._at(target) as other:
            if _renamed(one, other, _RENAME_NOREPLACE, _RENAME_EXCL):
                return
            (first, old), (second, new) = one, other
            try:
                os.link(old, new, src_dir_fd=first, dst_dir_fd=second)
            except OSError as error:
                if isinstance(error, FileExistsError) or target.exists():
                    raise FileExistsError(error.errno, "exists", str(target)) from None
                os.rename(old, new, src_dir_fd=first, dst_dir_fd=second)  # no hard links here: the look right before is the best there is
            else:
                os.unlink(old, dir_fd=first)

    def unlink(self, path: Path) -> None:
        with suppress(FileNotFoundError), self._at(path) as (folder, name):
            os.unlink(name, dir_fd=folder)

    def make_folder(self, path: Path) -> None:
        """Create a folder and flush its parent, so that files in it cannot vanish with it."""
        if path.is_dir():
            return
        self.make_folder(path.parent)
        with suppress(FileExistsError), self._at(path) as (folder, name):
            os.mkdir(name, dir_fd=folder)
        self.flush_folder(path.parent)

    # The calls that a test replaces to record them, or to make them fail

    def _create(self, path: Path, mode: int) -> int:
        with self._at(path) as (folder, name):
            return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), mode, dir_fd=folder)

    def _write(self, handle: int, data: memoryview) -> int:
        return os.write(handle, data)

    def _flush(self, handle: int) -> None:
        flush(handle)

    def _at(self, path: Path) -> "_At":
        """Where a path is: its folder as a descriptor and the name in it, or no descriptor and the whole path.

        Raises BadVault when a step below a confined folder is a link.
        """
        whole = str(path)
        if _step.folder is not None and whole.startswith(_step.beginning) and os.sep not in (name := whole[len(_step.beginning):]):
            return _At(_step.folder, name, closing=False)
        for root in self._confined:
            if whole.startswith(root):
                break
        else:
            return _At(None, whole)
        *steps, name = whole[len(root):].split(os.sep)
        if not _WALKS:
            _check_steps(Path(root), steps)
            return _At(None, whole)
        folder = os.open(root, _FOLDER & ~_NOFOLLOW)
        for step in steps:
            folder = _down(folder, step, path)
        return _At(folder, name)

    @contextmanager
    def beside(self, path: Path) -> Iterator[None]:
        """For the few calls of one step on names in one folder: all go to the folder found now, with one walk down to it.

        Not for longer, since whoever puts another folder in its place is noticed by the next step only.
        """
        try:
            at = self._at(path)
        except (FileNotFoundError, NotADirectoryError):
            yield  # each call tells for itself
            return
        with at as (folder, name):
            before = _step.folder, _step.beginning
            if folder is not None:
                _step.folder, _step.beginning = folder, str(path)[:-len(name)]
            try:
                yield
            finally:
                _step.folder, _step.beginning = before


class _Step(threading.local):
    """The folder of the step that this thread is taking."""

    folder: int | None = None
    beginning: str = ""


_step = _Step()


class _At:
    """A place for the length of a `with`; a plain class, since a change comes to some forty."""

    __slots__ = ("_closing", "_folder", "_name")

    def __init__(self, folder: int | None, name: str, *, closing: bool = True) -> None:
        self._folder, self._name, self._closing = folder, name, closing

    def __enter__(self) -> Place:
        return self._folder, self._name

    def __exit__(self, *_: object) -> None:
        if self._closing and self._folder is not None:
            os.close(self._folder)


def _down(folder: int, step: str, path: Path) -> int:
    """One step; the descriptor of the folder it leaves is closed."""
    try:
        return os.open(step, _FOLDER, dir_fd=folder)
    except OSError as error:
        link = error.errno in (errno.ELOOP, errno.ENOTDIR) and stat.S_ISLNK(os.stat(step, dir_fd=folder, follow_symlinks=False).st_mode)
        if link:
            raise _link(path) from None
        raise
    finally:
        os.close(folder)


def _check_steps(root: Path, steps: Sequence[str]) -> None:
    """Where there are no folder descriptors, a look before the step is the best there is."""
    at = root
    for step in steps:
        at = at / step
        if at.is_symlink():
            raise _link(at)


def _link(path: Path) -> BadVault:
    return BadVault(f"{path}: a link among its folders is not followed", "replace it by a folder")


def flush(handle: int) -> None:
    """Down to the platter; a plain fsync stops at the drive's cache on macOS."""
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
    else:
        os.fsync(handle)


def _refused(path: Path, error: OSError, limit: int) -> Exception:
    if error.errno == errno.EFBIG:
        return TooLarge(f"{path} is larger than the {limit} bytes allowed", "split it")
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


def _renamed(first: Place, second: Place, linux: int, darwin: int) -> bool:
    """renameat2 or renameatx_np; False when neither is there or the file system lacks the flag."""
    library = _library()
    if library is not None and hasattr(library, "renameat2"):
        call, flag, here = library.renameat2, linux, _AT_FDCWD
    elif library is not None and hasattr(library, "renameatx_np"):
        call, flag, here = library.renameatx_np, darwin, _AT_FDCWD_DARWIN
    else:
        return False
    (one, old), (other, new) = first, second
    result = call(here if one is None else one, os.fsencode(old), here if other is None else other, os.fsencode(new), flag)
    if result == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.EINVAL, errno.ENOSYS, getattr(errno, "ENOTSUP", errno.EINVAL), errno.EOPNOTSUPP):
        return False
    raise OSError(number, os.strerror(number), old, None, new)
