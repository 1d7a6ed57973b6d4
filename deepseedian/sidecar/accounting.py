"""Why recall answered as it did, what it costs, and the owner's word on it."""

from deepseedian.core.entry import stamp
from deepseedian.core.text import query_terms
from deepseedian.core.weight import content
from deepseedian.errors import NotFound
from deepseedian.sidecar.opened import Document, Opened


class Accounting(Opened):
    """Receipts, feedback, verdicts and sums; nothing here changes memory."""

    def receipts(self, session: str = "", offset: int = 0, limit: int = 20) -> Document:
        """{"total","offset","receipts":[…]}, newest first; of one session, or of all."""
        return self.recalls.page(session, offset, limit)

    def receipt(self, id: str) -> Document:
        """One recall: who asked what, which entries were given, each part of the scores, why others were left out, the judge's verdict."""
        return self.recalls.get(id)

    def verdict(self, id: str, entry: str, verdict: str) -> Document:
        """What the judge did with an entry in a recall was right or wrong: {"receipt","entry","kept","verdict"}."""
        return self.recalls.verdict(id, entry, verdict, self.seam.clock.stamp())

    def feedback(self, id: str, feedback: str, question: str = "", receipt: str = "") -> Document:
        """An entry was useful or wrong: {"id","feedback"}. It moves a little in later recalls; nothing is changed or hidden."""
        entry = self._warm().entries.get(id)
        if entry is None:
            raise NotFound(f"there is no entry {id}", "deepseedian list shows the ids")
        self.recalls.feedback(id, content(entry.text), feedback, self.seam.clock.stamp(), query_terms(question), receipt)
        return {"id": id, "feedback": feedback}

    def stats(self, days: int = 7) -> Document:
        """Sums over the last days, today included: recalls and their cost, calls to models, verdicts, corrections, new entries."""
        found = self.recalls.stats(days, self.seam.clock.time())
        since = stamp(self.seam.clock.time() - (days - 1) * 86_400)[:10]
        return found | {"newEntries": sum(entry.created_at >= since for entry in self._warm().entries.values())}
