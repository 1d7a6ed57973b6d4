"""Everything this device still knows of entries, wherever they stood: what an erasure finds earlier texts by.

An entry's versions are linked by id: an archived one names what superseded it, and one that went to the archive
under a new id did so in a single change, with the same text.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from deepseedian.config.files import read_regular
from deepseedian.core.entry import Entry
from deepseedian.core.markup import scan
from deepseedian.errors import DeepseedianError
from deepseedian.store import journal
from deepseedian.store.disk import FILE_LIMIT

if TYPE_CHECKING:
    from deepseedian.store.entries import Store


class Traces:
    """`entries` are all versions of all entries; `twins` pairs of ids under which one text went to the archive."""

    def __init__(self, store: "Store") -> None:
        self.entries: list[Entry] = [*_standing(store)]
        self.twins: set[tuple[str, str]] = set()
        for document in _documents(store):
            self.entries += _told(document)
            self.twins |= _twins(document)

    def versions(self, entry_id: str, active: Mapping[str, Entry]) -> set[str]:
        """The ids of an entry and of its earlier versions. An active entry is nobody's version, whatever it says of itself."""
        after = {(str(entry.meta.get("supersededBy", "")), entry.id) for entry in self.entries if entry.archived} | self.twins
        ids = {entry_id}
        while more := {old for new, old in after if new in ids and old not in active} - ids:
            ids |= more
        return ids


def _standing(store: "Store") -> Iterator[Entry]:
    """In the folder, in conflict copies, in copies kept here, and in what was set aside."""
    for file in store.snapshot.files.values():
        yield from file.entries
    for problem in store.snapshot.problems:
        if problem.code in ("conflict_copy", "erased"):
            yield from _blocks(store.content(problem.file), problem.file)
    for path, data in store.copies.all():
        yield from _blocks(data, path)
    for found in store.quarantine.files():
        with suppress(OSError, DeepseedianError):
            yield from _blocks(read_regular(found, FILE_LIMIT), "archive/x.md" if "archive-" in found.name else "topics/x.md")


def _blocks(data: bytes | None, path: str) -> list[Entry]:
    return [block.entry for block in scan(data, path).blocks] if data and b"-entry " in data else []


def _documents(store: "Store") -> Iterator[Mapping[str, object]]:
    """Records as they stand in the journal, erased ones too, and in history."""
    with suppress(DeepseedianError):
        yield from (record.document() for record in journal.decoded(store.books.data(journal.NAME)) if record.kind != journal.ERASE)
    with suppress(DeepseedianError):
        yield from (record.document() for record in store.books.page().records if record.kind != journal.ERASE)
    yield from store.history.documents()


def _operations(document: Mapping[str, object]) -> Iterator[tuple[str, Entry | None, Entry | None]]:
    """(path, entry before, entry after) of each operation."""
    operations = document.get("operations")
    for item in operations if isinstance(operations, list) else ():
        if isinstance(item, dict):
            path = str(item.get("path"))
            yield path, _entry(item.get("before"), path), _entry(item.get("after"), path)


def _entry(block: object, path: str) -> Entry | None:
    found = _blocks(block.encode(errors="replace"), path) if isinstance(block, str) else []
    return found[0] if found else None


def _told(document: Mapping[str, object]) -> Iterator[Entry]:
    for _, before, after in _operations(document):
        yield from (entry for entry in (before, after) if entry is not None)
    for name in ("added", "removed", "changed"):  # an edit seen from outside
        items = document.get(name)
        for item in items if isinstance(items, list) else ():
            for one in item if isinstance(item, list) else [item]:
                meta = one.get("meta") if isinstance(one, dict) else None
                if isinstance(meta, dict):
                    yield Entry(str(meta.get("id", "")), str(one.get("text", "")), str(one.get("path", "")), meta)


def _twins(document: Mapping[str, object]) -> set[tuple[str, str]]:
    done = [*_operations(document)]
    gone = [entry for path, entry, after in done if entry and after is None and path.startswith("topics/")]
    come = [entry for path, before, entry in done if entry and before is None and path.startswith("archive/")]
    return {(old.id, new.id) for old in gone for new in come if old.id != new.id and old.text == new.text}
