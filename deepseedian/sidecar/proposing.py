"""Conversations that come in, and the proposals made of them."""

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from deepseedian.errors import Busy, MemoryGone
from deepseedian.sidecar.opened import Document
from deepseedian.sidecar.waiting import Waiting

if TYPE_CHECKING:  # a first recall needs none of these; they are loaded when a conversation comes in
    from deepseedian.core.proposal import Proposal
    from deepseedian.store.sessions import Message, Turn



class Proposing(Waiting):
    """Nothing here changes memory but a decision of the owner."""

    def observe(self, session: object, messages: object, at: object = None, preset: object = "", origin: object = "",
                cwd: object = "", turn: object = "") -> Document:
        """Keep a finished turn: {"session","messages":[ids],"proposals":[ids],"corrected":[ids of entries]}.

        It answers when a proposal's note is durable. With an id of the host's own (`turn`) a turn that was handed in
        before takes the place of what it was. While `enabled` is off nothing is kept, and `reason` says so.
        """
        from deepseedian.store import sessions

        about = {"preset": preset, "origin": origin, "cwd": cwd}
        given = sessions.checked(session, at, messages, about, self.seam.clock.stamp(), turn)
        if not self.config.on("enabled"):
            return {"session": given.session, "messages": [], "proposals": [], "corrected": [], "reason": "enabled is off"}
        if at in (None, ""):
            given = self.sessions.repeated(given) or given
        self._warm()
        self.idle.activity()
        fresh = self.sessions.append(given)
        return {"session": given.session, "messages": [message.id for message in given.messages],
                "proposals": self.captured(given) if fresh else [], "corrected": self._corrected(given) if fresh else []}

    def captured(self, turn: "Turn") -> list[str]:
        """The ids of the proposals that the rules find in the owner's words of a turn that is kept; their note is durable."""
        from deepseedian.memory.capture import Manner, from_turn

        if self.config.text("capture") == "off" or not self.config.on("enabled") or self.store.original:
            return []
        snapshot, language = self._warm(), self.config.text("language")
        drafts = from_turn(self._learnable(turn, "assistant"), snapshot, language, Manner.of(self.config), turn.at)
        batch = self.review.propose(drafts, "capture")
        self._judged_writes(batch.proposals)
        return [item.id for item in batch.proposals]

    def _learnable(self, turn: "Turn", *beside: str) -> "list[Message]":
        """The owner's messages of a turn that may be learned from, and, where there are any, those of other roles beside them."""
        own = {message.id for message in self.sessions.contributing(turn.session)}
        learned = any(message.id in own for message in turn.messages)
        return [message for message in turn.messages if message.id in own or (learned and message.role in beside)]

    def _corrected(self, turn: "Turn") -> list[str]:
        """Entries of the last injection that a turn takes back: a note for later recalls, which the turn itself never waits to repeat."""
        if not self.config["outcome_feedback"]:
            return []
        try:
            return self.outcomes.observed(turn.session, self._learnable(turn), turn.at)
        except Busy:
            return []

    def organize(self, session: str = "", topic: str = "", cancelled: threading.Event | None = None) -> Document:
        """Consolidate now, all that is new or one session or topic: {"proposals":[ids],"note","model","fault"?,"skipped"?}.

        Nothing in memory changes.
        """
        self._warm()
        result = self.organizer.run("asked", cancelled or threading.Event(), session, topic)
        self._organized(result)
        return result.document()

    def activity(self) -> Document:
        """The owner is at it: a running consolidation stops."""
        self.idle.activity()
        return {"done": True}

    def proposals(self, all: bool = False) -> Document:
        """{"proposals":[…]} and, when something waits, "open","oldestDays","stale","note": the open ones, or every one still known."""
        self._warm()
        inbox = self.inbox()
        found = [self._shown_proposal(item) for item in self.review.all() if all or item.open]
        return {"proposals": found} | (inbox if inbox["open"] else {})

    def proposal(self, id: str) -> Document:
        self._warm()
        return self._proposal(self.review.get(id))

    def propose(self, text: str, reason: str, operation: str = "add", topic: str = "", kind: str = "",
                entries: list[str] | None = None, evidence: list[dict[str, str]] | None = None) -> Document:
        """A host's proposal, checked like any other: {"proposals":[ids],"note","leftOut":[reasons]}."""
        from deepseedian.core.proposal import Draft, Evidence

        self._warm()
        quotes = tuple(Evidence(item["source"], item["quote"]) for item in evidence or [])
        draft = Draft(operation, text, reason, quotes, tuple(entries or []), topic, kind, "system_derived")
        batch = self.review.propose([draft], "host")
        return {"proposals": [item.id for item in batch.proposals], "note": batch.note or None, "leftOut": list(batch.left_out)}

    def decide(self, id: str, decision: str, text: str | None = None) -> Document:
        """Approve (with `text`, the owner's own version) or dismiss: {"id","status","revision",…}."""
        self._warm()
        return self._proposal(self.review.decide(id, decision, text))

    def _proposal(self, item: "Proposal") -> Document:
        return self._shown_proposal(item) | {"revision": self.store.snapshot.revision}

    def catch_up(self) -> None:
        """After a start or lost events: write notes that are due, read ticks, drop old sessions."""
        if self.store.original or not self.store.root.is_dir():
            return
        self._finish_erasing()
        self.review.show_pending()
        self.review.read_notes()
        self.review.tidy()
        try:
            self.sessions.prune(self.seam.clock.time())
        except MemoryGone as error:  # they lay in the plugin folder
            self.sessions.faults["sessions_gone"] = error.message
        with suppress(Busy):
            self.recalls.prune(self.seam.clock.time())
        with suppress(Busy):
            self.turn_trace.prune(self.seam.clock.time())
