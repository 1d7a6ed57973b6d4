"""Looking after memory as a whole: the sweep, what it found, and the report."""

import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from deepseedian.core.entry import stamp
from deepseedian.core.text import summary
from deepseedian.errors import BadInput, DeepseedianError
from deepseedian.sidecar.opened import Document
from deepseedian.sidecar.waiting import Waiting

if TYPE_CHECKING:
    from deepseedian.core.entry import Entry
    from deepseedian.core.snapshot import Snapshot
    from deepseedian.core.tidying import Finding
    from deepseedian.memory.report import Facts
    from deepseedian.memory.sweep import Sweep

DAY = 86_400.0
MOST_DAYS = 90
HISTORY = 5000
AGAIN_SECONDS = 3600.0
RECALLED = 12
REPORTS = {"en": "Reports", "zh": "小结"}


class Tending(Waiting):
    """Nothing here changes memory: a sweep proposes, a report is a note of its own."""

    _owed = False  # a report whose week has come, and that could not be written

    @cached_property
    def _not_before(self) -> dict[str, float]:
        return {}

    @cached_property
    def sweeping(self) -> "Sweep":
        from deepseedian.memory.pair_judge import PairJudge
        from deepseedian.memory.sweep import Sweep

        near = (lambda ids: self.similarity.near(ids)) if self.resident else None
        judge = PairJudge(self.ledger, self.config, self._chat, self.seam.clock.stamp)
        return Sweep(self.review, self.instance.folder / "sweep.json", near, judge)

    def sweep(self) -> Document:
        """Look over the whole memory now: {"at","findings":[…],"proposals":[ids]}."""
        snapshot, now = self._warm(), self.seam.clock.stamp()
        done = self.sweeping.run(snapshot, now)
        self.broadcast.publish("sweep.finished", findings=len(done.findings), proposals=list(done.proposals))
        found = [self._told_finding(item, snapshot) for item in done.findings]
        return {"at": done.at, "findings": found, "proposals": list(done.proposals)}

    def conflicts(self) -> Document:
        """{"at","conflicts":[{"kind","entries":[{"id","topic","summary","at"}],"detail"}]}: of the last sweep, what is still so.

        Without one, or after a change that it could not know, the look is taken now; nothing is proposed.
        """
        snapshot, last = self._warm(), self.sweeping.last()
        if not last.at or any(_changed(snapshot.entries.get(key), last.at) for item in last.findings for key in item.entries):
            last = self.sweeping.look(snapshot, self.seam.clock.stamp())
        return {"at": last.at, "conflicts": [self._told_finding(item, snapshot) for item in last.findings]}

    def _told_finding(self, item: "Finding", snapshot: "Snapshot") -> Document:
        entries = [snapshot.entries[key] for key in item.entries if key in snapshot.entries]
        rows = [{"id": entry.id, "topic": entry.topic, "summary": summary(entry.text),
                 "at": str(entry.meta.get("updatedAt") or entry.created_at)} for entry in entries]
        return {"kind": item.kind, "entries": rows, "detail": item.detail}

    def _cleared(self) -> None:
        """The last sweep names entries, and topics by their words."""
        super()._cleared()
        self.sweeping.forget()

    def report(self, days: int = 7, write: bool = True) -> Document:
        """The report of the last days, as a note unless `write` is off: {"note","since","until","text"}."""
        from deepseedian.memory import report

        if not 1 <= days <= MOST_DAYS:
            raise BadInput(f"days goes from 1 to {MOST_DAYS}", "receipts are not kept longer")
        facts, language = self._facts(days), self.config.text("language")
        text = report.text(facts, language)
        if not write:
            return {"note": None, "since": facts.since, "until": facts.until, "text": text}
        folder = f"{self.config.text('review.folder')}/{REPORTS[language]}"
        notes, root = self.review.notes, self.vault.root
        path = report.path(folder, facts.until, lambda name: not (root / name).exists() and notes.create(folder, name, text))
        return {"note": path, "since": facts.since, "until": facts.until, "text": text}

    def _facts(self, days: int) -> "Facts":
        from deepseedian.memory.report import Facts

        snapshot, now = self._warm(), self.seam.clock.time()
        since = stamp(now - days * DAY)
        learned = sorted((entry for entry in snapshot.entries.values() if entry.created_at >= since), key=lambda entry: entry.created_at)
        rows = [row for row in reversed(self.store.history.newest(HISTORY)) if row.at >= since and row.kind not in ("add", "propose")]
        counts = self.recalls.most_recalled(since, RECALLED)
        recalled = [(snapshot.entries[key], count) for key, count in counts if key in snapshot.entries]
        corrected = [snapshot.entries[key] for key in self.recalls.corrected(since) if key in snapshot.entries]
        open_ones = [item for item in self.review.all() if item.open]
        note = next((item.note for item in reversed(open_ones) if item.note), "")
        spent = [self.ledger.spent(stamp(now - day * DAY)[:10]) for day in range(days)]
        return Facts(_day(now - days * DAY), _day(now), learned, [row.summary for row in rows], recalled, corrected, (len(open_ones), note),
                     self.recalls.stats(days, now), (sum(item.runs for item in spent), sum(item.chars for item in spent)))

    def tick(self) -> None:
        """What happens by the clock."""
        super().tick()
        self.upkeep()

    def upkeep(self) -> None:
        """What the clock asks for: the sweep and the weekly report, each once in its time, also across restarts. Never raises."""
        now = self.seam.clock.stamp()
        if not self.config.on("enabled") or self.store.original or not self.ready.is_set():
            return
        self._at_times("sweep", lambda: self.sweep() if self.sweeping.due(self.config.text("sweep"), now) else None)
        self._at_times("report", self._weekly)

    def _weekly(self) -> None:
        if self.config["report"] != "weekly":
            self._owed = False
        elif self._owed or self.ledger.once("report", self.seam.clock.time(), 7 * DAY):
            self._owed = True
            self.report()
            self._owed = False

    def _at_times(self, name: str, work: Callable[[], object]) -> None:
        """What failed, as where nothing may be written, is tried again in an hour and not at every tick."""
        now = self.seam.clock.monotonic()
        if now < self._not_before.get(name, now):
            return
        try:
            work()
        except (DeepseedianError, OSError):
            self._not_before[name] = now + AGAIN_SECONDS


def _day(seconds: float) -> str:
    """As the owner's calendar has it, and as review notes are named."""
    return time.strftime("%Y-%m-%d", time.localtime(seconds))


def _changed(entry: "Entry | None", since: str) -> bool:
    return entry is None or str(entry.meta.get("updatedAt") or "") > since
