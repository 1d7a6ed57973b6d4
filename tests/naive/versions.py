"""Mistakes with what is not ours: folders of others, and files of a later version."""

from contextlib import suppress
from pathlib import Path

import pytest

from deepseedian.daemon import endpoint
from deepseedian.store import commit, database, entries, instance, journal, lock, proposals, state
from tests.naive import mutation


@mutation
def folders_taken_as_they_are(patch: pytest.MonkeyPatch) -> None:
    """A folder that is there is fine."""
    def taken(folder: Path) -> Path:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder

    for module in (endpoint, lock, instance, entries):
        patch.setattr(module, "private", taken, raising=False)


@mutation
def every_version_is_ours(patch: pytest.MonkeyPatch) -> None:
    """Numbers of versions are for people."""
    class Any(int):
        def __lt__(self, other: int) -> bool:
            return False

        def __ne__(self, other: object) -> bool:
            return False

    patch.setattr(state, "VERSION", Any(state.VERSION))
    patch.setattr(journal, "VERSION", Any(journal.VERSION))
    patch.setattr(proposals, "VERSION", Any(proposals.VERSION))
    patch.setattr(commit, "RECORD_VERSION", Any(commit.RECORD_VERSION))
    migrate = database.Database._migrate

    def lenient(self: database.Database, connection: object) -> None:
        with suppress(database.ReadOnly):
            migrate(self, connection)  # type: ignore[arg-type]

    patch.setattr(database.Database, "_migrate", lenient)
