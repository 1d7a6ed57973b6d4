"""Memory as its owner looks back on it: the archive, and the life of one entry."""

from deepseedian.core.entry import Entry
from deepseedian.core.snapshot import Snapshot
from deepseedian.errors import NotFound
from deepseedian.sidecar.opened import Document, Opened, described

MOST_VERSIONS = 100
MOST_CHANGES = 200
MOST_RECALLS = 20


class Browsing(Opened):
    """Reads only."""

    def archive(self) -> Document:
        """{"revision","entries":[…]}: superseded and forgotten entries, the one that ended last first."""
        snapshot = self._warm()
        entries = sorted(snapshot.archive.values(), key=lambda entry: (_ended(entry), entry.id), reverse=True)
        return {"revision": snapshot.revision, "entries": [described(entry, False) for entry in entries]}

    def timeline(self, id: str) -> Document:
        """{"id","versions","changes","recalled"}: what an entry says and said, the newest first, and what was done with it.

        `changes` are those of this device, outside edits too; `recalled` tells how often and in which recalls it was given.
        Raises NotFound, Busy.
        """
        snapshot = self._warm()
        entry = snapshot.find(id)
        if entry is None:
            raise NotFound(f"there is no entry {id}", "deepseedian list shows the ids")
        versions = [entry, *_before(snapshot, entry.id)]
        ids = [version.id for version in versions][:MOST_VERSIONS]
        changes = [{"id": row.id, "at": row.at, "kind": row.kind, "summary": row.summary}
                   for row in self.store.history.touching(ids, MOST_CHANGES)]
        return {"id": id, "versions": [described(version, False) | {"archived": version.archived} for version in versions],
                "changes": changes, "recalled": self.recalls.recalled(id, MOST_RECALLS)}


def _before(snapshot: Snapshot, id: str) -> list[Entry]:
    """The versions that led to an entry, the newest first; whatever points in a circle is taken once."""
    followed: dict[str, list[Entry]] = {}
    for entry in snapshot.archive.values():
        followed.setdefault(str(entry.meta.get("supersededBy", "")), []).append(entry)
    found: dict[str, Entry] = {}
    waiting = [id]
    while waiting and len(found) < MOST_VERSIONS:
        for entry in followed.get(waiting.pop(), []):
            if entry.id not in found and entry.id != id:
                found[entry.id] = entry
                waiting.append(entry.id)
    return sorted(found.values(), key=lambda entry: (_ended(entry), entry.id), reverse=True)


def _ended(entry: Entry) -> str:
    return str(entry.meta.get("endedAt", ""))
