"""Folders outside the vault. The same three-line rule is used by every client, whatever its language.

Locks are the exception: they lie in one fixed folder per user, whatever the environment says, because
two processes with different environments must still meet at the same lock.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

from deepseedian.errors import BadVault


def runtime_folder() -> Path:
    """Endpoint files and sockets of running daemons (0700)."""
    return _set("DEEPSEEDIAN_RUNTIME_DIR") or _local() / "run"


def state_folder() -> Path:
    """What this device knows: history, sessions, caches, copies (0700)."""
    return _set("DEEPSEEDIAN_STATE_DIR") or _local()


def config_folder() -> Path:
    """config.toml: model endpoints and permissions."""
    found = _set("DEEPSEEDIAN_CONFIG_DIR")
    if found:
        return found
    if sys.platform == "win32":
        return _local()
    return (_set("XDG_CONFIG_HOME") or Path.home() / ".config") / "deepseedian"


def lock_folder() -> Path:
    """The fixed per-user folder of the locks that count. Raises BadVault when another user made the one below /tmp."""
    if sys.platform == "win32":
        return Path.home() / "AppData/Local/deepseedian/locks"
    import pwd

    try:
        home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        home = Path("/nonexistent")
    if home.is_dir() and os.access(home, os.W_OK):
        return home / ".local/state/deepseedian/locks"
    return private(Path(f"/tmp/deepseedian-{os.getuid()}")) / "locks"  # a user without a home, as in containers


def private(folder: Path) -> Path:
    """Make the folder 0700 and refuse one that belongs to somebody else or is a link."""
    _make(folder)
    if sys.platform == "win32":
        return folder
    info = os.lstat(folder)
    if folder.is_symlink() or info.st_uid != os.getuid():
        raise BadVault(f"{folder} is a link or belongs to another user", "remove it, or name another folder")
    if info.st_mode & 0o077:
        folder.chmod(0o700)
    return folder


def _make(folder: Path) -> None:
    """mkdir gives its mode only to the last folder; the ones above are ours as well."""
    if folder.is_dir():
        return
    _make(folder.parent)
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)


def _set(name: str) -> Path | None:
    value = os.environ.get(name, "").strip()
    try:
        return Path(value).expanduser() if value else None
    except RuntimeError:
        raise BadVault(f"{name}: there is no such user in {value}", "write the path out") from None


def _local() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home() / "AppData/Local"))) / "deepseedian"
    return Path.home() / ".local/state/deepseedian"
