"""The public plugin's folder: recognising it, its hashes, and taking it over.

Such a `memory/` (version-1 state.json) opens read-only. Adoption makes a backup, completes a pending
version-1 transaction only where every file equals its before or after text, and then writes a state of
our version; topic files are not touched. Format facts: one flat `topics/general.md`, compact JSON files,
SHA-256 over JavaScript's JSON.stringify of the file texts.
"""

import json
import os
import shutil
import socket
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from deepseedian.config.files import read_regular
from deepseedian.core import comment
from deepseedian.core.snapshot import sha256
from deepseedian.errors import BadInput, BadVault, Busy, Conflict, DeepseedianError, TooLarge
from deepseedian.store import journal, state
from deepseedian.store.commit import RECORD, RECORD_LIMIT
from deepseedian.store.disk import Disk
from deepseedian.store.lock import GUARD, VISIBLE, VISIBLE_LIMIT

CORE = ("topics/general.md", "RULES.md", "state.json", "MEMORY.md")
FULL = (*CORE, "journal.json")
VERSION = 1


def stringify(value: object) -> str:
    """What JavaScript's JSON.stringify gives: compact, non-ASCII raw, lone surrogates escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "".join(f"\\u{ord(char):04x}" if "\ud800" <= char <= "\udfff" else char for char in text)


def _digest(value: object) -> str:
    return sha256(stringify(value).encode())


def source_key(chat: str, index: int, text: str) -> str:
    """The key of one chat message."""
    return _digest([chat, index, text])


def range_key(chat: str, messages: Sequence[tuple[str, str]]) -> str:
    """The key of the messages before a point of a chat, as (role, text)."""
    return _digest([chat, [list(message) for message in messages]])


def core_hash(files: Mapping[str, str]) -> str:
    """The hash a journal record's `afterHash` holds."""
    return _digest([files[name] for name in CORE])


def revision(files: Mapping[str, str | None]) -> str:
    """The plugin's revision: the five files in order, null where one is absent."""
    return _digest({name: files.get(name) for name in FULL})


def is_original(memory: Path, disk: Disk) -> bool:
    """Whether a version-1 state.json lies in this memory folder.

    One that cannot be read tells nothing: then only a journal of ours says that the folder is ours to write.
    """
    try:
        data = disk.read(memory / state.NAME)
    except TooLarge:
        return False  # theirs is small
    except (OSError, DeepseedianError):
        return not _journal_of_ours(memory, disk)
    try:
        return data is not None and state.decoded(data).version == VERSION
    except BadInput:
        return False


def _journal_of_ours(memory: Path, disk: Disk) -> bool:
    try:
        return bool(journal.decoded(disk.read(memory / journal.NAME)))
    except (OSError, DeepseedianError):
        return False


def adopt(memory: Path, backup: Path, disk: Disk) -> Path:
    """Take the folder over; returns where the backup lies. The caller holds the write lock.

    Raises Busy when the plugin holds its lock, Conflict for a transaction that met an outside edit.
    """
    _check_lock(memory)
    old = state.decoded(disk.read(memory / state.NAME) or b"")
    shutil.copytree(memory, backup, symlinks=True)
    _complete(memory, disk)
    if (memory / "journal.json").exists():
        (memory / "journal.json").rename(memory / "journal.v1.json")
        disk.flush_folder(memory)
    _write(memory, state.NAME, state.encoded(replace(old, version=state.VERSION)), disk)
    return backup


def _check_lock(memory: Path) -> None:
    """The plugin's own protocol: a guard or a lock whose process may live means it is in use."""
    if (memory / GUARD).exists():
        raise Busy("the other plugin's guard file is there", f"stop all of them and remove {GUARD} by hand")
    path = memory / VISIBLE
    try:
        owner = json.loads(read_regular(path, VISIBLE_LIMIT) or b"")
        host, pid = owner["host"], owner["pid"]
    except FileNotFoundError:
        return
    except (ValueError, KeyError, TypeError, OSError):
        raise Busy(f"{VISIBLE} cannot be read", "stop the other plugin and remove it by hand") from None
    if host != socket.gethostname() or not isinstance(pid, int) or pid <= 0 or _alive(pid):
        raise Busy("the other plugin is using this memory", "disable it in Obsidian, then try again")
    path.unlink()


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _complete(memory: Path, disk: Disk) -> None:
    """Roll a pending transaction forward, or refuse with everything left as it was."""
    disk.confine(memory)
    data = disk.read(memory / RECORD, RECORD_LIMIT)
    if not data:
        return
    before, after = _transaction(data)
    for name, text in after.items():
        current = disk.read(memory / name)
        present = None if current is None else current.decode(errors="surrogateescape")
        if present not in (before[name], text):
            raise Conflict(f"{name} was edited while a change of the other plugin was pending",
                           f"compare it with {RECORD}, then remove that file and adopt again")
    for name, text in after.items():
        _write(memory, name, text.encode(), disk)
    disk.unlink(memory / RECORD)
    disk.flush_folder(memory)


def _transaction(data: bytes) -> tuple[Mapping[str, str | None], Mapping[str, str]]:
    try:
        body = comment.loads(data.decode())
    except (BadInput, UnicodeDecodeError):
        raise BadVault(f"{RECORD} cannot be read", "look at it, remove it, adopt again") from None
    if not isinstance(body, dict) or body.get("version") != VERSION or isinstance(body.get("version"), bool):
        raise BadVault(f"{RECORD} is not of version 1", "look at it, remove it, adopt again")
    before, after = body.get("before"), body.get("after")
    if not isinstance(before, dict) or not isinstance(after, dict) or not after.keys() <= before.keys() & set(FULL):
        raise BadVault(f"{RECORD} names files it may not", "look at it, remove it, adopt again")
    if not all(isinstance(text, str) for text in after.values()):
        raise BadVault(f"{RECORD} holds something else than texts", "look at it, remove it, adopt again")
    return before, after


def _write(memory: Path, name: str, data: bytes, disk: Disk) -> None:
    target = memory / name
    if disk.read(target) == data:
        return
    temporary = target.with_name(f".{target.name}.adopt.tmp")
    disk.unlink(temporary)
    disk.write_new(temporary, data, 0o644)
    disk.replace(temporary, target)
    disk.flush_folder(target.parent)
