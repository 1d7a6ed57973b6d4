"""Mistakes beside sync tools: rewriting what did not change, and taking copies for the real thing."""

import pytest

from deepseedian.core.markup import scan
from deepseedian.core.snapshot import Snapshot
from deepseedian.store import entries, reading
from deepseedian.store.disk import Found
from deepseedian.store.reading import Reader
from tests.naive import mutation


@mutation
def rewritten_at_every_start(patch: pytest.MonkeyPatch) -> None:
    """The same bytes once more, so that a sync tool sees a change."""
    opened = entries.Store.open

    def open_and_write(self: entries.Store, *, settle: bool = False) -> Snapshot:
        found = opened(self, settle=settle)
        for path in self.root.glob("topics/*.md"):
            path.write_bytes(path.read_bytes())
        return found

    patch.setattr(entries.Store, "open", open_and_write)


@mutation
def conflict_copies_are_topics(patch: pytest.MonkeyPatch) -> None:
    """Every file with the right ending is a topic."""
    def conflict_copy(self: Reader, path: str, listing: dict[str, Found]) -> bool:
        return False

    patch.setattr(Reader, "_conflict_copy", conflict_copy)


@mutation
def renames_are_followed(patch: pytest.MonkeyPatch) -> None:
    """The file that was ours is ours under its new name: what a moved event seems to say."""
    listing = Reader._listing

    def followed(self: Reader) -> dict[str, Found]:
        found = listing(self)
        for path in sorted(self.root.glob("topics/*.sync-conflict-*.md")):
            known = self.files.get("topics/general.md")
            if known is not None and {block.entry.id for block in scan(path.read_bytes(), "x").blocks} == {e.id for e in known.entries}:
                info = path.stat()
                found.pop("topics/general.md", None)
                name = f"topics/{path.name}"
                found[name] = Found(name, info.st_size, info.st_mtime_ns, info.st_ino)
        return found

    patch.setattr(reading.Reader, "_listing", followed)
