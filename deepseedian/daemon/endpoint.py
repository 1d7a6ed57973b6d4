"""Sockets we bind ourselves, and the file by which clients find them.

uvicorn's own `uds=` makes a socket world-writable and takes over a live one; so the socket is bound here,
under a closed umask in a 0700 folder, and only a dead one is replaced.
"""

import errno
import json
import os
import socket
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from deepseedian.config.files import replace_file
from deepseedian.config.folders import private, runtime_folder
from deepseedian.errors import AlreadyRunning, BadVault

PATH_BYTES = 103
PROTOCOL = 1
BACKLOG = 256


@dataclass(frozen=True, slots=True)
class Listening:
    """Bound sockets of one daemon and the files that announce them. `bound` tells our socket file from a later one."""

    sockets: tuple[socket.socket, ...]
    path: str
    port: int
    file: Path
    bound: tuple[int, int] | None = None

    def announce(self, vault: Path, token: str, started: str) -> None:
        body = {"protocol": PROTOCOL, "vault": str(vault), "pid": os.getpid(), "socket": self.path, "port": self.port,
                "token": token, "startedAt": started}
        text = json.dumps(body, ensure_ascii=False, indent=1)
        replace_file(self.file, text.encode(errors="backslashreplace") + b"\n")  # a path need not be UTF-8; as an escape it comes back

    def withdraw(self) -> None:
        """Remove what we announced, unless another daemon has announced itself there since."""
        with suppress(OSError, ValueError):
            if json.loads(self.file.read_text(encoding="utf-8")).get("pid") == os.getpid():
                self.file.unlink()
        for bound in self.sockets:
            bound.close()
        if self.path and _file(Path(self.path)) == self.bound:  # never what somebody else put there since
            with suppress(OSError):
                os.unlink(self.path)


def listen(name: str) -> Listening:
    """Bind the Unix socket (where the system has them) and a loopback port. Raises AlreadyRunning, BadVault."""
    folder = private(runtime_folder())
    path = folder / f"{name}.sock"
    bound: list[socket.socket] = []
    if hasattr(socket, "AF_UNIX"):
        bound.append(_unix(path))
    loopback = _loopback()
    bound.append(loopback)
    return Listening(tuple(bound), str(path) if len(bound) > 1 else "", loopback.getsockname()[1], folder / f"{name}.json", _file(path))


def _file(path: Path) -> tuple[int, int] | None:
    """Device and inode of a socket file; None when there is none."""
    try:
        info = os.lstat(path)
    except OSError:
        return None
    return (info.st_dev, info.st_ino) if stat.S_ISSOCK(info.st_mode) else None


def _unix(path: Path) -> socket.socket:
    if len(os.fsencode(path)) > PATH_BYTES:
        raise BadVault(f"the socket path {path} is longer than {PATH_BYTES} bytes",
                       "set DEEPSEEDIAN_RUNTIME_DIR to a shorter folder", code="socket_path_too_long")
    _clear(path)
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    old = os.umask(0o177)
    try:
        bound.bind(os.fspath(path))
    except OSError as error:
        bound.close()
        raise BadVault(f"cannot listen at {path}: {error.strerror}", "choose another DEEPSEEDIAN_RUNTIME_DIR") from None
    finally:
        os.umask(old)
    bound.listen(BACKLOG)
    bound.setblocking(False)
    return bound


def _clear(path: Path) -> None:
    """Remove a dead socket; never a live one, and never anything that is not a socket."""
    try:
        info = os.lstat(path)
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(info.st_mode):
        raise BadVault(f"{path} is in the way and is not a socket", "move it away", code="socket_path_busy")
    probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        probe.settimeout(1)
        probe.connect(os.fspath(path))
    except ConnectionRefusedError:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as error:
        if error.errno != errno.ECONNREFUSED:
            raise AlreadyRunning(f"something answers slowly at {path}", "deepseedian status") from None
    else:
        raise AlreadyRunning(f"a daemon already listens at {path}", "deepseedian status")
    finally:
        probe.close()


def _loopback() -> socket.socket:
    """Protocol TCP is named, since asyncio sets TCP_NODELAY only then: 44 ms a request without."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.bind(("127.0.0.1", 0))
    bound.listen(BACKLOG)
    bound.setblocking(False)
    return bound
