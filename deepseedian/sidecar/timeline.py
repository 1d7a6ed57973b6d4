"""The life of one entry: written, recalled, corrected, superseded, moved, pinned, forgotten, as data for editors."""

from deepseedian.errors import BadInput, Busy
from deepseedian.sidecar.opened import Document, Opened


class Timeline(Opened):
    """Reads history, receipts, proposals and the archive; writes nothing."""

    def timeline(self, id: str, limit: int = 200) -> Document:
        """{"id","entry","recalled","versions":[…],"events":[{"at","kind",…}]}: the newest so many events, oldest first. Raises NotFound.

        `entry` is what `show` says, `recalled` how often it was put before a turn, `versions` its earlier texts.
        """
        from deepseedian.memory import timeline

        if not 1 <= limit <= timeline.MOST:
            raise BadInput(f"limit goes from 1 to {timeline.MOST}", "for example: 200")
        snapshot = self._warm()
        shown = self._shown(snapshot, id)
        versions = timeline.versions(id, snapshot)
        ids = {id, *(entry.id for entry in versions)}
        events = timeline.history(id, ids, self.store.history)
        events = timeline.lived(id, snapshot, versions, events)
        recalled = 0
        try:
            found = self.recalls.recalled(id, limit)
            recalled = int(str(found["total"]))
            events += timeline.recalls(found) + timeline.signals(self.recalls.said(id))
        except Busy:
            pass  # receipts that cannot be read just now are no reason to tell nothing
        events += timeline.proposals(id, self.review.all())
        events.sort(key=lambda event: str(event["at"]))
        return {"id": id, "entry": shown, "recalled": recalled, "events": events[-limit:],
                "versions": [{"id": entry.id, "text": entry.text, "endedAt": str(entry.meta.get("endedAt", ""))} for entry in versions]}
