"""Mistakes with files: no flush, no comparison."""

from pathlib import Path

import pytest

from deepseedian.store import commit
from deepseedian.store.commit import Recorded
from tests.naive import mutation


@mutation
def replaced_without_looking(patch: pytest.MonkeyPatch) -> None:
    """The new content is renamed over whatever is there by then."""
    def swap(self: commit.Commit, entry: Recorded) -> None:
        target, temporary = self.root / entry.path, self.root / entry.temporary
        self.disk.replace(temporary, target)

    def stage(self: commit.Commit, change: commit.Change, entry: Recorded) -> None:
        target: Path = self.root / change.path
        self.disk.make_folder(target.parent)
        if change.new is not None:
            self.disk.write_new(self.root / entry.temporary, change.new, 0o644)

    patch.setattr(commit.Commit, "_swap", swap)
    patch.setattr(commit.Commit, "_stage", stage)
