"""Small files: read without ever blocking or following a link, replaced so that a crash leaves old or new."""

import errno
import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

READ_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def read_regular(path: Path | str, limit: int, folder: int | None = None) -> bytes | None:
    """A regular file's bytes, None for a FIFO, folder or device. Raises OSError, for links too, and EFBIG for more than `limit` bytes.

    With the descriptor of a `folder` the path is looked up there.
    """
    handle = os.open(path, READ_FLAGS, dir_fd=folder)
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            return None
        if info.st_size > limit:  # not even begun: a sparse file costs nothing to make
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        chunks, left = [], limit + 1
        while left > 0 and (chunk := os.read(handle, min(left, 1 << 20))):
            chunks.append(chunk)
            left -= len(chunk)
        return b"".join(chunks)
    finally:
        os.close(handle)


def replace_file(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write beside it, flush, rename, flush the folder."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def made_once(path: Path, make: Callable[[], bytes]) -> bytes:
    """The content of a small private file that is made when it is absent or empty, and by one of several processes at once."""
    for _ in range(3):
        with suppress(FileNotFoundError):
            found = read_regular(path, 10_000)
            if found:
                return found
            os.unlink(path)
        new = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
        replace_file(new, make())
        with suppress(FileExistsError):
            os.link(new, path)
        os.unlink(new)
    raise OSError(errno.EIO, "it could not be made", str(path))
