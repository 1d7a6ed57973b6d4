"""Which store on this device a memory folder is: the registry of vault id + device and inode.

The same vault id elsewhere while the old place still exists is a copy and gets its own instance; with
the old place gone, the folder has moved and keeps its history. The very folder at its very path stays what it is
whatever vault id it has: state.json is synced, and two devices may both have begun the vault before their first
sync. Else a path is only a hint.
"""

import json
import secrets
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from filelock import FileLock

from deepseedian.config.files import made_once, replace_file
from deepseedian.config.folders import private, state_folder
from deepseedian.store.lock import identity


@dataclass(frozen=True, slots=True)
class Instance:
    """One store on this device; `id` names its part of the state folder."""

    id: str
    vault_id: str
    device: int
    inode: int
    memory: str
    vault: str

    @property
    def folder(self) -> Path:
        return private(state_folder() / "instances" / self.id)


def device_id() -> str:
    """The random name of this device, made once."""
    path = private(state_folder()) / "device"
    found = made_once(path, lambda: secrets.token_hex(6).encode()).decode("ascii", "replace").strip()
    if not (found.isalnum() and len(found) == 12):  # damaged: nothing of it is worth keeping
        found = secrets.token_hex(6)
        replace_file(path, found.encode())
    return found


def registered(vault_id: str, memory: Path, vault: Path) -> Instance:
    """The instance of this folder, made or updated in the registry."""
    path = private(state_folder()) / "instances.json"
    with FileLock(path.with_suffix(".lock"), timeout=5, mode=0o600):
        known = _load(path)
        found = _match(known, vault_id, memory, vault)
        if known.get(found.id) != found:
            known[found.id] = found
            _write(path, known)
    return found


def known_at(vault: Path) -> Instance | None:
    """The newest instance whose vault was last seen at this path; for finding what vanished."""
    found = [item for item in _load(state_folder() / "instances.json").values() if item.vault == str(vault)]
    return found[-1] if found else None


def vanished(vault: Path) -> Instance | None:
    """The store of this vault whose memory folder is gone while copies of its files are kept here."""
    known = known_at(vault)
    if known is None or not (known.folder / "copies.db").exists() or not vault.is_dir() or not any(vault.iterdir()):
        return None
    memory = Path(known.memory)
    return None if any(memory.glob("topics/**/*.md")) or any(memory.glob("archive/**/*.md")) else known


def leave(gone: Instance) -> None:
    """A new memory begins at its place: it is that folder no longer, even where the new one gets the same inode."""
    path = private(state_folder()) / "instances.json"
    with FileLock(path.with_suffix(".lock"), timeout=5, mode=0o600):
        known = _load(path)
        if gone.id in known:
            known[gone.id] = replace(known[gone.id], device=-1, inode=-1)
            _write(path, known)


def _write(path: Path, known: dict[str, Instance]) -> None:
    replace_file(path, json.dumps([asdict(item) for item in known.values()], indent=1).encode())


def _match(known: dict[str, Instance], vault_id: str, memory: Path, vault: Path) -> Instance:
    place = identity(memory)
    same = [item for item in known.values() if item.vault_id == vault_id]
    for item in same:
        if (item.device, item.inode) == place:
            return replace(item, memory=str(memory), vault=str(vault))
    for item in known.values():
        if (item.device, item.inode, item.memory) == (*place, str(memory)):
            return replace(item, vault_id=vault_id, vault=str(vault))
    for item in same:
        if _place(item.memory) != (item.device, item.inode):
            return replace(item, device=place[0], inode=place[1], memory=str(memory), vault=str(vault))
    return Instance(secrets.token_hex(6), vault_id, *place, str(memory), str(vault))


def _place(path: str) -> tuple[int, int] | None:
    try:
        return identity(Path(path))
    except OSError:
        return None


def _load(path: Path) -> dict[str, Instance]:
    try:
        items = json.loads(path.read_text(encoding="utf-8"))
        return {item["id"]: Instance(**item) for item in items if str(item["id"]).isalnum()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, KeyError, RecursionError):
        path.replace(path.with_suffix(".unreadable"))
        return {}
