"""The archive, for those who look back."""

from deepseedian.core.entry import Entry
from deepseedian.sidecar.opened import Document, Opened, described


class Browsing(Opened):
    """Reads only."""

    def archive(self) -> Document:
        """{"revision","entries":[…]}: superseded and forgotten entries, the one that ended last first."""
        snapshot = self._warm()
        entries = sorted(snapshot.archive.values(), key=_ended, reverse=True)
        return {"revision": snapshot.revision, "entries": [described(entry, False) for entry in entries]}


def _ended(entry: Entry) -> tuple[str, str]:
    return str(entry.meta.get("endedAt", "")), entry.id
