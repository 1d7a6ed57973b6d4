"""Which entry stands beside which, which replaces which, and which stood at a time: read from entries alone."""

from collections import Counter
from collections.abc import Iterable, Mapping

from deepseedian.core.entry import Entry
from deepseedian.core.entry import moment as milliseconds
from deepseedian.core.snapshot import MemoryFile, Snapshot


class Places:
    """Where entries stand in their topics. A file's places are looked up once; entries added at its end cost themselves."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[tuple[Entry, ...], dict[str, int]]] = {}

    def beside(self, snapshot: Snapshot, entry: Entry) -> list[Entry]:
        """The entries right before and right after one in its topic."""
        file = snapshot.files.get(entry.path)
        at = self._of(file).get(entry.id) if file else None
        if file is None or at is None:
            return []
        return [*file.entries[max(0, at - 1): at], *file.entries[at + 1: at + 2]]

    def _of(self, file: MemoryFile) -> Mapping[str, int]:
        entries, places = self._files.get(file.path, ((), {}))
        if entries is file.entries:
            return places
        if entries and file.entries[: len(entries)] == entries:
            places.update((entry.id, at) for at, entry in enumerate(file.entries[len(entries):], len(entries)))
        else:
            places = {entry.id: at for at, entry in enumerate(file.entries)}
        self._files[file.path] = (file.entries, places)
        return places


class Successors:
    """Active entries that other active ones say they replace: `supersedes` there, or `supersededBy` here.

    Several may say so of one entry; each word goes with the entry that said it, and the newest active one counts,
    whatever order they came in.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._by_old: dict[str, Counter[str]] = {}
        self._when: dict[str, str] = {}
        self.change((), entries)

    def copy(self) -> "Successors":
        other = Successors()
        other._by_old, other._when = {old: Counter(news) for old, news in self._by_old.items()}, dict(self._when)
        return other

    def change(self, gone: Iterable[Entry], come: Iterable[Entry]) -> None:
        for entry in gone:
            self._when.pop(entry.id, None)
            for old, new in pairs(entry):
                news = self._by_old.get(old, Counter())
                news[new] -= 1
                self._by_old[old] = +news
                if not self._by_old[old]:
                    del self._by_old[old]
        for entry in come:
            for old, new in pairs(entry):
                self._by_old.setdefault(old, Counter())[new] += 1
                self._when[entry.id] = entry.created_at

    def get(self, entry_id: str) -> str:
        """The last of a chain of successors; empty for an entry without one, and for a ring, where nobody is the last."""
        seen = {entry_id}
        while (found := self._next(entry_id)) is not None and found not in seen:
            seen.add(found)
            entry_id = found
        return "" if found is not None or len(seen) == 1 else entry_id

    def _next(self, entry_id: str) -> str | None:
        news = self._by_old.get(entry_id)
        return max(news, key=lambda new: (self._when.get(new, ""), new)) if news else None


def pairs(entry: Entry) -> list[tuple[str, str]]:
    """(the replaced id, the one that replaces it) as an entry's metadata says."""
    before, after = entry.meta.get("supersedes"), entry.meta.get("supersededBy")
    olds = [old for old in (before if isinstance(before, list) else [before]) if isinstance(old, str) and old != entry.id]
    return [(old, entry.id) for old in olds] + ([(entry.id, after)] if isinstance(after, str) and after != entry.id else [])


def standing(snapshot: Snapshot, moment: str) -> dict[str, Entry]:
    """The entries that stood at a time, by id: those of today that were written by then, and those archived since.

    An edited entry stands under the id of its archived version. One that was only pinned or moved since has no such
    version and stands as it is.
    """
    at = milliseconds(moment)  # times are compared as times: +08:00 and Z, with milliseconds and without
    then = {entry.id: entry for entry in snapshot.archive.values()
            if _since(entry) <= at < milliseconds(str(entry.meta.get("endedAt", "")))}
    edited = {str(entry.meta.get("supersededBy")) for entry in snapshot.archive.values()}
    for entry in snapshot.entries.values():
        if _since(entry) <= at or (milliseconds(entry.created_at) <= at and entry.id not in edited):
            then[entry.id] = entry
    return then


def _since(entry: Entry) -> int:
    return milliseconds(str(entry.meta.get("updatedAt") or "")) or milliseconds(entry.created_at)
