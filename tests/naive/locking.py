"""Mistakes with locks: kept in the synced folder, believed to be owned, read as evidence, opened through links."""

import json
import os
from pathlib import Path

import pytest
from filelock import FileLock

from deepseedian.errors import AlreadyRunning
from deepseedian.store import lock
from deepseedian.store.lock import VISIBLE, VaultLock
from tests.naive import mutation


@mutation
def lock_inside_the_vault(patch: pytest.MonkeyPatch) -> None:
    """The lock that counts is a file of the synced folder, which anybody may remove or replace."""
    made = VaultLock.__init__

    def inside(self: VaultLock, root: Path) -> None:
        made(self, root)
        self._daemon = FileLock(root / VISIBLE, fallback_to_soft=False, mode=0o600)

    patch.setattr(VaultLock, "__init__", inside)
    patch.setattr(VaultLock, "_show", lambda self, token, started: None)
    patch.setattr(VaultLock, "_hide", lambda self, token: None)


@mutation
def ownership_assumed(patch: pytest.MonkeyPatch) -> None:
    """A lock taken once is held for ever."""
    patch.setattr(VaultLock, "check", lambda self: None)


@mutation
def links_followed_at_the_lock(patch: pytest.MonkeyPatch) -> None:
    """Whatever lies at the lock's path is opened and emptied."""
    def show(self: VaultLock, token: str, started: str) -> None:
        with open(os.open(self.root / VISIBLE, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK, 0o600), "w", encoding="utf-8") as file:
            json.dump({"token": token}, file)

    patch.setattr(VaultLock, "_show", show)


@mutation
def text_is_evidence(patch: pytest.MonkeyPatch) -> None:
    """A number in the lock file is a process, and while there is one of that number it holds the lock."""
    hold = VaultLock.hold_daemon

    def believing(self: VaultLock) -> None:
        path = self.root / VISIBLE
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        if text.strip().isdigit() and Path(f"/proc/{text.strip()}").exists():
            raise AlreadyRunning(f"process {text} holds the lock")
        hold(self)

    patch.setattr(lock.VaultLock, "hold_daemon", believing)
