"""Where conversations lie, and how one is moved to the other place so that a kill at any point loses nothing.

They lie in this device's state folder, or with `sessions.in_vault` in the plugin folder. A file is written whole and
flushed at its new place before the old one goes; where both are found, their lines are joined. What another device
left in the vault stays there.

A session is named as its host likes, and two may differ in nothing but case, or be called `con`: file systems of Windows
and macOS would take those for one file, or for none. So a file's name holds no capital letters: `Tea` lies in `+tea.jsonl`.
"""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from deepseedian.config.files import READ_FLAGS, read_regular, replace_file
from deepseedian.config.folders import private
from deepseedian.errors import BadVault, MemoryGone, TooLarge
from deepseedian.store.disk import failpoint, flush
from deepseedian.store.session_log import SESSION, Log, encoded

FILE_LIMIT = 256 * 1024 * 1024
SUFFIX = ".jsonl"
Mark = tuple[int, int, int]
_CAPITALS, _WRITTEN = re.compile(r"[A-Z]{3,}|[A-Z]"), re.compile(r"\+\+([a-z]+)\+|\+([a-z_])")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.I)


def file_name(session: str) -> str:
    """The same session always has the same name, and no two share one, whatever the file system makes of case."""
    written = _CAPITALS.sub(lambda found: f"++{found[0].lower()}+" if len(found[0]) > 2 else f"+{found[0].lower()}", session)
    return ("+_" if _RESERVED.match(session) else "") + written + SUFFIX


def place(folder: Path, session: str) -> Path:
    """Where a session lies in a folder; a file that was named without this rule, as by a sync tool, stays where it is."""
    name, plain = file_name(session), session + SUFFIX
    if name != plain and not (folder / name).exists() and any(path.name == plain for path in files(folder)):
        return folder / plain
    return folder / name


def session_of(path: Path) -> str:
    """The session that a file holds, be it named by this rule or without it."""
    return _WRITTEN.sub(lambda found: (found[1] or found[2]).upper().replace("_", ""), path.name.removesuffix(SUFFIX))


class Places:
    """The two folders of one store; `in_vault` says which is in force."""

    def __init__(self, home: Path, vault: Path | None = None, in_vault: Callable[[], bool] = lambda: False, device: str = "") -> None:
        self.home, self.vault, self.in_vault, self.device = private(home), vault, in_vault, device
        self._foreign: dict[Path, Mark] = {}

    @property
    def folder(self) -> Path:
        """The one in force, made when it is missing. Raises MemoryGone, BadVault."""
        if self.vault is None or not self.in_vault():
            return self.home
        if self._moved.exists() and not self.vault.parent.is_dir():
            raise MemoryGone(f"{self.vault.parent} is gone, and the conversations were in it",
                             "bring it back, or switch sessions.in_vault off")
        return private(self.vault)

    @property
    def _moved(self) -> Path:
        """There when conversations lie in the vault: with the plugin folder gone, a new one must not pass for them."""
        return self.home / ".in-vault"

    def folders(self) -> list[Path]:
        """Every folder that may hold conversations of this store."""
        return [self.home, *([self.vault] if self.vault is not None and self.vault.is_dir() and not self.vault.is_symlink() else [])]

    def waiting(self) -> list[Path]:
        """Files of this device that lie where they should no longer be."""
        other = self.home if self.vault is not None and self.in_vault() else self.vault
        if other is None or other.is_symlink():
            return []
        return [path for path in files(other) if self._foreign.get(path) != mark(path)]

    def settle(self, stamp: str) -> None:
        """Move what waits; the caller holds the lock."""
        target = self.folder
        if target == self.vault and not self._moved.exists():
            replace_file(self._moved, b"")
        for path in self.waiting():
            if target == self.home and self._is_foreign(path):
                self._foreign[path] = mark(path)
            else:
                self._move(path, target, stamp)
        if target == self.home:
            self._moved.unlink(missing_ok=True)

    def _is_foreign(self, path: Path) -> bool:
        """Whether nothing in a file of the vault was written here: it is another device's."""
        log = Log(session_of(path), self.device)
        for line in (read(path) or b"").split(b"\n"):
            log.add(line)
        devices = log.devices()
        return bool(devices) and not devices & {self.device, ""}

    def _move(self, source: Path, folder: Path, stamp: str) -> None:
        target = place(folder, session_of(source))
        modified = source.stat().st_mtime_ns
        data = read(source) or b""
        there = read(target)
        new = joined(there, data)
        if folder == self.vault and self.device:
            new += self._claim(session_of(source), new, stamp)
        if new != there:
            failpoint("session_move_begun")
            replace_file(target, new)
            os.utime(target, ns=(modified, modified))
        failpoint("session_moved")
        if read(source) == data:  # else somebody is still writing to it: the next look joins the rest
            source.unlink()
            failpoint("session_move_unlinked")

    def _claim(self, session: str, data: bytes, stamp: str) -> bytes:
        """A line that says whose the lines are that name no device: in the vault others read them too."""
        log = Log(session)
        for line in data.split(b"\n"):
            log.add(line)
        return encoded({"kind": "device", "session": session, "at": stamp, "device": self.device}) if log.unclaimed() else b""


def files(folder: Path) -> list[Path]:
    """The conversations of a folder, by name."""
    try:
        with os.scandir(folder) as entries:
            found = [folder / entry.name for entry in entries if entry.name.endswith(SUFFIX)
                     and SESSION.fullmatch(session_of(Path(entry.name))) and entry.is_file(follow_symlinks=False)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(found)


def mark(path: Path) -> Mark:
    """What tells a change cheaply; zeros for no file."""
    try:
        info = path.lstat()
    except OSError:
        return 0, 0, 0
    return info.st_ino, info.st_size, info.st_mtime_ns


def read(path: Path) -> bytes | None:
    """The whole file, None where there is none. Raises TooLarge, BadVault for what is no file."""
    try:
        data = read_regular(path, FILE_LIMIT)
    except FileNotFoundError:
        return None
    except OSError as error:
        if path.exists() and not path.is_symlink() and path.stat().st_size > FILE_LIMIT:
            raise TooLarge(f"the conversation {session_of(path)} has more than {FILE_LIMIT >> 20} MiB", "begin a new session") from None
        raise BadVault(f"{path} cannot be read: {error.strerror}", "move it away") from None
    if data is None:
        raise BadVault(f"{path} is not a regular file", "move it away")
    return data


def append(path: Path, lines: bytes) -> bool:
    """Durably add lines; a torn last line is closed first. Whether that was all that changed the file since its last byte was there."""
    fresh = not path.exists()
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | (READ_FLAGS & ~os.O_RDONLY)
    try:
        handle = os.open(path, flags, 0o600)
    except OSError as error:
        raise BadVault(f"{path} cannot be written: {error.strerror}", "check the folder") from None
    try:
        size = os.fstat(handle).st_size
        if size + len(lines) > FILE_LIMIT:
            raise TooLarge(f"the conversation {session_of(path)} has grown to {FILE_LIMIT >> 20} MiB", "begin a new session")
        torn = size > 0 and os.lseek(handle, size - 1, os.SEEK_SET) >= 0 and os.read(handle, 1) != b"\n"
        view = memoryview((b"\n" if torn else b"") + lines)
        failpoint("session_append")
        while view:
            view = view[os.write(handle, view):]
        flush(handle)
    finally:
        os.close(handle)
    if fresh:
        flush_folder(path.parent)
    return not torn


def flush_folder(folder: Path) -> None:
    """Make a name that came or went durable."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            flush(handle)
        finally:
            os.close(handle)


def joined(there: bytes | None, data: bytes) -> bytes:
    """Both files' lines: one that continues the other is taken whole."""
    if there is None or data.startswith(there):
        return data
    if there.startswith(data):
        return there
    known = set(there.split(b"\n"))
    more = [line for line in data.split(b"\n") if line and line not in known]
    return there + (b"" if there.endswith(b"\n") else b"\n") + b"".join(line + b"\n" for line in more)


def swept(folder: Path) -> None:
    """Take away what a kill left of a file that was being written anew; the caller holds the lock."""
    for path in folder.glob(f".*{SUFFIX}.*.tmp"):
        with suppress(OSError):
            path.unlink()
