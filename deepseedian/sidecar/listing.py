"""Memory at a glance, for hosts that show what there is rather than ask a question."""

from deepseedian.core.entry import Entry
from deepseedian.core.text import summary
from deepseedian.errors import BadInput, Forbidden
from deepseedian.sidecar.opened import Document, Opened

TOPICS = 200
NEWEST = 20
MOST = 1000


class Listing(Opened):
    """Answers are bounded whatever the size of memory; nothing here writes."""

    def memory_index(self) -> Document:
        """The largest topics with their sizes, and the newest entries.

        {"revision","total","topicsTotal","topics":[{"topic","entries"}],"newest":[{"id","topic","summary"}]}"""
        self._switched_on()
        snapshot = self._warm()
        topics = sorted(snapshot.topics().items(), key=lambda item: (-item[1], item[0]))
        return {"revision": snapshot.revision, "total": len(snapshot.entries), "topicsTotal": len(topics),
                "topics": [{"topic": topic, "entries": count} for topic, count in topics[:TOPICS]],
                "newest": [_row(entry) for entry in snapshot.newest(NEWEST)]}

    def memory_entries(self, offset: int = 0, limit: int = 100) -> Document:
        """{"total","offset","entries":[{"id","topic","summary"}]}: pages through the newest entries, 1,000 at most."""
        self._switched_on()
        if not 0 <= offset <= MOST or not 1 <= limit <= MOST:
            raise BadInput(f"offset goes from 0 and limit from 1 to {MOST}", "search finds what is older")
        snapshot = self._warm()
        found = snapshot.newest(min(offset + limit, MOST))[offset:]
        return {"total": min(len(snapshot.entries), MOST), "offset": offset, "entries": [_row(entry) for entry in found]}

    def _switched_on(self) -> None:
        if not self.config.on("enabled"):
            raise Forbidden("Deepseedian is switched off", "deepseedian config set enabled on", code="disabled")


def _row(entry: Entry) -> Document:
    return {"id": entry.id, "topic": entry.topic, "summary": summary(entry.text)}
