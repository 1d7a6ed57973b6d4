"""What waits for the owner, on every surface alike: how much, how old, what it would change; and what model runs have cost."""

import threading
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from deepseedian.core.entry import moment
from deepseedian.errors import BadInput, DeepseedianError
from deepseedian.sidecar.opened import Document, Opened

if TYPE_CHECKING:
    from deepseedian.core.proposal import Proposal
    from deepseedian.memory.write_judge import WriteJudge

DAY_MS = 86_400_000
TIDY_SECONDS = 3600.0
REMINDERS = {"en": "Memory: {0} proposals wait for you, the oldest for {1} days; {2}",
             "zh": "记忆：有 {0} 条提议等你决定，最早的已等 {1} 天；{2}"}


class Waiting(Opened):
    """Counts and ages of proposals, their effects, the ledger of model runs."""

    _tidied = float("-inf")

    @cached_property
    def write_judge(self) -> "WriteJudge":
        from deepseedian.memory.write_judge import WriteJudge

        return WriteJudge(self.review, self.ledger, self.config, self._chat)

    def _shown_proposal(self, item: "Proposal") -> Document:
        """A proposal with its age, why it could not be applied any more, and whether its text hides characters."""
        from deepseedian.core.review_note import visible

        return item.summary() | {"days": self._days(item), "stale": self.review.staleness(item), "hidden": visible(item.text) != item.text}

    def _days(self, item: "Proposal") -> int:
        return max(0, int(self.seam.clock.time() * 1000) - moment(item.at)) // DAY_MS

    def inbox(self) -> Document:
        """{"open","oldestDays","stale","note"}: how much waits, since when, how much of it is out of date, where to decide."""
        found = [item for item in self.review.all() if item.open]
        notes = [item.note for item in found if item.note]
        return {"open": len(found), "oldestDays": max(map(self._days, found), default=0),
                "stale": sum(bool(self.review.staleness(item)) for item in found), "note": notes[-1] if notes else None}

    def reminder(self) -> str:
        """One line when something waits, at most once in `remind.hours`, also across restarts; else empty."""
        hours = self.config.number("remind.hours")
        if not hours or self.store.original:
            return ""
        self._warm()
        with suppress(DeepseedianError):
            found = self.inbox()
            if found["open"] and self.ledger.once("reminder", self.seam.clock.time(), hours * 3600.0):
                where = str(found["note"] or "deepseedian review list")
                return REMINDERS[self.config.text("language")].format(found["open"], found["oldestDays"], where)
        return ""

    def remind(self) -> Document:
        """{"text"}: the reminder, or nothing."""
        return {"text": self.reminder()}

    def preview_of(self, id: str) -> Document:
        """What approving a proposal would change: {"questions","changed":[…],"charactersPerTurn","supersedes","complete","diff"}."""
        from deepseedian.core.review_note import difference

        self._warm()
        item = self.review.get(id)
        return {"id": item.id} | self.preview.effect(item).document() | {"diff": difference(item.before, item.text)}

    def refresh(self, id: str) -> Document:
        """Propose afresh what is out of date or expired: the new proposal."""
        self._warm()
        return self._shown_proposal(self.review.refresh(id)) | {"revision": self.store.snapshot.revision}

    def spending(self, days: int = 30) -> Document:
        """{"day","today":{"runs","chars"},"most":{…},"days":[…],"runs":[…]}: what model runs have cost, day by day in UTC."""
        if not 1 <= days <= 366:
            raise BadInput("days goes from 1 to 366", "for example 30")
        day = self.ledger.today(self.seam.clock.stamp())
        spent = self.ledger.spent(day)
        return {"day": day, "today": {"runs": spent.runs, "chars": spent.chars},
                "most": {"runs": self.config.number("idle.daily_runs"), "chars": self.config.number("idle.daily_chars")},
                "days": self.ledger.days(days), "runs": [run.document() for run in self.ledger.runs()]}

    def _waits(self) -> Document | None:
        """For status; None where nothing can be told yet."""
        if not self.ready.is_set() or self.store.original:
            return None
        with suppress(DeepseedianError):
            return self.inbox()
        return None

    def _idling(self) -> Document | None:
        """For status: today's spending against the budget, the last run, and what idle waits for."""
        with suppress(DeepseedianError):
            found = self.spending(1)
            last = self.ledger.runs(1)
            today = found["days"][0] if isinstance(found["days"], list) and found["days"] else {}
            calls = today.get("calls", 0) if isinstance(today, dict) and today.get("day") == found["day"] else 0
            about: Document = {"day": found["day"], "runs": self.ledger.spent(str(found["day"])).runs, "calls": calls,
                               "chars": self.ledger.spent(str(found["day"])).chars, "mostRuns": self.config.number("idle.daily_runs"),
                               "mostChars": self.config.number("idle.daily_chars"),
                               "last": (last[0].outcome or "not finished") if last else None, "lastAt": last[0].at if last else None}
            return about | (self.idle.status() if "idle" in self.__dict__ else {})
        return None

    def _judged_writes(self, items: "tuple[Proposal, ...]") -> None:
        """Behind the answer in a daemon; at once in a command, which ends afterwards."""
        if not items or not self.config.on("auto_approve") or not self.write_judge.wanted():
            return
        cancelled = threading.Event()
        if self.resident:
            threading.Thread(target=self.write_judge.look, args=(items, cancelled), name="write judge", daemon=True).start()
        else:
            self.write_judge.look(items, cancelled)

    def tick(self) -> None:
        """What happens by the clock: an idle run when it is due, once an hour decided notes are put away."""
        self.idle.tick()
        now = self.seam.clock.monotonic()
        if now - self._tidied >= TIDY_SECONDS and not self.store.original:
            self._tidied = now
            with suppress(DeepseedianError, OSError):
                self.review.tidy()
