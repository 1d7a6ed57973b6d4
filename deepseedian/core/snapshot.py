"""The immutable parsed memory at one revision. A turn holds exactly one snapshot.

Revision = SHA-256 hex over the lines `<sha256 hex of the file> <path>` + LF of topics, archive and
RULES.md, path relative to `memory/` with `/`, NFC, sorted by bytes. A file that is unknown (vanished,
empty, torn) counts with its last good hash, so that a sync tool's half-done work is no new revision.
"""

import hashlib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from heapq import nlargest, nsmallest
from types import MappingProxyType

from deepseedian.core.entry import Entry
from deepseedian.core.markup import Problem

RULES = "RULES.md"
MOST_CHANGED = 2000


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """One topic, archive or rules file. `fault` says why the last good content is served, else empty."""

    path: str
    sha256: str
    size: int
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...] = ()
    fault: str = ""


def revision_of(files: Mapping[str, MemoryFile], changed: Mapping[str, str] = MappingProxyType({})) -> str:
    """Of these files; `changed` holds the hashes of those that are other by then, an empty one for a file that is gone."""
    lines = [_line(file.path, file.sha256) for file in files.values() if file.path not in changed]
    lines += [_line(path, digest) for path, digest in changed.items() if digest]
    return sha256(b"".join([line for _, line in sorted(lines)]))


@lru_cache(maxsize=4096)
def _line(path: str, digest: str) -> tuple[bytes, bytes]:
    """What a file is sorted by, and its line."""
    name = unicodedata.normalize("NFC", path).encode()
    return name, b"%b %b\n" % (digest.encode(), name)


class Entries(Mapping[str, Entry]):
    """Entries by id, immutable. The next snapshot shares all that did not change: a change costs itself, not the whole memory."""

    __slots__ = ("_base", "_changed", "_size")

    def __init__(self, base: Mapping[str, Entry], changed: Mapping[str, Entry | None] = MappingProxyType({}), size: int = -1) -> None:
        """`changed` holds what is other than in `base`, None for what is gone; `size` is how many that are, where it is known."""
        self._base, self._changed = base, changed
        self._size = size if size >= 0 else len(base) + sum((entry is not None) - (key in base) for key, entry in changed.items())

    def __getitem__(self, key: str) -> Entry:
        found = self._changed[key] if key in self._changed else self._base.get(key)
        if found is None:
            raise KeyError(key)
        return found

    def get(self, key: str, default: Entry | None = None) -> Entry | None:  # type: ignore[override]
        """As every mapping's, without an exception for each id that is unknown: a recall asks some hundred times."""
        found = self._changed[key] if key in self._changed else self._base.get(key)
        return default if found is None else found

    def __iter__(self) -> Iterator[str]:
        yield from (key for key in self._base if key not in self._changed)
        yield from (key for key, entry in self._changed.items() if entry is not None)

    def __len__(self) -> int:
        return self._size

    def with_changes(self, changed: Mapping[str, Entry | None]) -> "Entries":
        together = {**self._changed, **changed}
        if len(together) <= MOST_CHANGED:
            more = sum((entry is not None) - (self.get(key) is not None) for key, entry in changed.items())
            return Entries(self._base, together, self._size + more)
        whole = dict(self)
        for key, entry in changed.items():
            whole.pop(key, None)
            if entry is not None:
                whole[key] = entry
        return Entries(whole)


@dataclass(frozen=True)
class Snapshot:
    """`entries` are the active ones by id, `archive` the superseded and forgotten ones."""

    vault_id: str
    files: Mapping[str, MemoryFile]
    entries: Mapping[str, Entry]
    archive: Mapping[str, Entry]
    problems: tuple[Problem, ...] = field(default=())

    @cached_property
    def revision(self) -> str:
        return revision_of(self.files)

    @cached_property
    def by_age(self) -> tuple[Entry, ...]:
        """Active entries, oldest first."""
        return tuple(sorted(self.entries.values(), key=_age))

    def oldest(self, most: int) -> list[Entry]:
        """The oldest active entries, oldest first."""
        return nsmallest(most, self.entries.values(), key=_age)

    def newest(self, most: int) -> list[Entry]:
        """The newest active entries, newest first."""
        return nlargest(most, self.entries.values(), key=_age)

    @cached_property
    def pinned(self) -> tuple[Entry, ...]:
        """Active pinned entries, oldest first."""
        return tuple(sorted((entry for entry in self.entries.values() if entry.meta.get("pinned") is True), key=_age))

    def topics(self) -> dict[str, int]:
        """How many active entries each topic holds, empty topics included."""
        return {path[len("topics/"): -len(".md")]: len(self.files[path].entries)
                for path in sorted(self.files) if path.startswith("topics/")}

    def find(self, entry_id: str) -> Entry | None:
        return self.entries.get(entry_id) or self.archive.get(entry_id)


def _age(entry: Entry) -> tuple[str, str]:
    return entry.created_at, entry.id


def assemble(vault_id: str, files: Mapping[str, MemoryFile], extra: tuple[Problem, ...] = ()) -> Snapshot:
    """Files in path order; of entries with the same id the first counts, later ones are a problem."""
    entries: dict[str, Entry] = {}
    archive: dict[str, Entry] = {}
    problems = list(extra)
    for path in sorted(files):
        problems += files[path].problems
        target = archive if path.startswith("archive/") else entries
        for entry in files[path].entries:
            if target.setdefault(entry.id, entry) is not entry:
                message = f"the id {entry.id} appears twice; the first one counts"
                problems.append(Problem("duplicate_id", path, 0, message))
    return Snapshot(vault_id, dict(files), entries, archive, tuple(problems))


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed between two snapshots' active entries."""

    added: tuple[Entry, ...] = ()
    removed: tuple[Entry, ...] = ()
    changed: tuple[tuple[Entry, Entry], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    def summary(self) -> str:
        """`+2 −1 ~3`: entries added, removed, changed."""
        counts = (("+", self.added), ("−", self.removed), ("~", self.changed))
        return " ".join(f"{sign}{len(entries)}" for sign, entries in counts if entries) or "text around entries"


def advanced(old: Snapshot, files: Mapping[str, MemoryFile], extra: tuple[Problem, ...] = ()) -> tuple[Snapshot, Difference]:
    """The next snapshot, at the cost of the files that changed rather than of the whole memory."""
    touched = [path for path in old.files.keys() | files.keys() if old.files.get(path) is not files.get(path)]
    before, after = _apart(_entries(old.files, touched), _entries(files, touched))
    plain = not any(problem.code == "duplicate_id" for problem in old.problems)
    changes: dict[bool, dict[str, Entry | None]] = {False: {}, True: {}}
    for entry in before:
        changes[entry.archived][entry.id] = None
    for entry in after:
        known, changed = old.archive if entry.archived else old.entries, changes[entry.archived]
        plain = plain and (changed[entry.id] if entry.id in changed else known.get(entry.id)) in (None, entry)
        changed[entry.id] = entry
    active, archive = (_changed(known, changes[archived]) for archived, known in ((False, old.entries), (True, old.archive)))
    if not plain:
        new = assemble(old.vault_id, files, extra)
    else:
        problems = [problem for path in sorted(path for path, file in files.items() if file.problems) for problem in files[path].problems]
        new = Snapshot(old.vault_id, dict(files), active, archive, (*extra, *problems))
    return new, _difference(old, new, [entry.id for entry in (*before, *after)])


def _changed(known: Mapping[str, Entry], changed: dict[str, Entry | None]) -> Mapping[str, Entry]:
    if not changed:
        return known
    return (known if isinstance(known, Entries) else Entries(known)).with_changes(changed)


def _entries(files: Mapping[str, MemoryFile], paths: list[str]) -> list[Entry]:
    return [entry for path in paths if path in files for entry in files[path].entries]


def _apart(before: list[Entry], after: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    """Without those that both hold: an entry that was not read anew is the very same."""
    old, new = {id(entry) for entry in before}, {id(entry) for entry in after}
    return [entry for entry in before if id(entry) not in new], [entry for entry in after if id(entry) not in old]


def _difference(old: Snapshot, new: Snapshot, touched: list[str]) -> Difference:
    added, removed, changed = [], [], []
    for key in dict.fromkeys(touched):
        before, after = old.entries.get(key), new.entries.get(key)
        if before is None and after is not None:
            added.append(after)
        elif before is not None and after is None:
            removed.append(before)
        elif before is not None and after is not None and before != after:
            changed.append((before, after))
    return Difference(tuple(added), tuple(removed), tuple(changed))


def overview(snapshot: Snapshot, title: str, limit: int = 50) -> str:
    """The text of MEMORY.md: the oldest entries and the size of each topic; the same memory gives the same bytes."""
    from deepseedian.core.text import summary

    lines = [f"# {title}", ""]
    lines += [f"- {topic}: {count}" for topic, count in snapshot.topics().items()] + [""]
    lines += [f"- {summary(entry.text, 90)} `{entry.id}`" for entry in snapshot.oldest(limit)]
    return "\n".join(lines).rstrip() + "\n"
