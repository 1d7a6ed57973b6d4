"""Mistakes with what is durable, content that is not flushed or names that are not; and with where things are written."""

import pytest

from deepseedian import sidecar
from deepseedian.store import disk
from tests.naive import mutation


@mutation
def no_flush(patch: pytest.MonkeyPatch) -> None:
    """Nothing is ever flushed: a rename may reach the disk before the content it names."""
    patch.setattr(disk, "flush", lambda handle: None)


@mutation
def no_folder_flush(patch: pytest.MonkeyPatch) -> None:
    """Content is flushed, the names in a folder are not: a rename may be lost that was answered for."""
    patch.setattr(disk.Disk, "flush_folder", lambda self, path: None)


@mutation
def writes_elsewhere(patch: pytest.MonkeyPatch) -> None:
    """A file of ours among the owner's notes."""
    close = sidecar.Sidecar.close

    def closed(self: sidecar.Sidecar) -> None:
        (self.vault.root / ".deepseedian-was-here").touch()
        close(self)

    patch.setattr(sidecar.Sidecar, "close", closed)
