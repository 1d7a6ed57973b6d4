"""Conversations as their owner sees and keeps them, and what happened in each turn."""

from typing import TYPE_CHECKING

from deepseedian.errors import NotFound
from deepseedian.sidecar.opened import Document, Opened

if TYPE_CHECKING:
    from deepseedian.store.sessions import About


class Talking(Opened):
    """Sessions and traces; nothing here changes memory."""

    def session_list(self, query: str = "", offset: int = 0, limit: int = 20) -> Document:
        """{"total","offset","sessions":[…]}, the one added to last first; with `query` those in which every word of it occurs."""
        page = self.sessions.search(query, offset, limit)
        return {"total": page.total, "offset": offset, "sessions": [about.document() for about in page.sessions]}

    def session(self, id: str, turn: str = "", all: bool = False) -> Document:
        """A session with the turns from its root to `turn` (the newest unless named), or `all` of its tree, in order."""
        about = self.sessions.about(id)
        turns = self.sessions.turns(id) if all else self.sessions.branch(id, turn)
        return about.document() | {"conversation": [one.document() for one in turns]}

    def session_new(self, id: str = "", title: str = "", goal: str = "", reads: bool = True, contributes: bool = True) -> Document:
        """A session before its first turn; `id` is made where none is given."""
        return self.sessions.create(id or self.seam.new_id(), title=title, goal=goal, reads=reads, contributes=contributes).document()

    def session_set(self, id: str, title: str | None = None, goal: str | None = None, reads: bool | None = None,
                    contributes: bool | None = None, contribute_from: str | None = None) -> Document:
        """Change what is named: title and goal, whether memory is read for it, what of it may be learned from (`now` or `all`)."""
        self.sessions.about(id)
        given = {"title": title, "goal": goal, "reads": reads, "contributes": contributes, "contribute_from": contribute_from}
        about = self.sessions.set(id, **{name: value for name, value in given.items() if value is not None})
        if contribute_from is not None:
            self.ledger.restart(id)
        if contributes is False or contribute_from is not None:
            self._stop_learning()
        return self._told_of(about)

    def _stop_learning(self) -> None:
        """A consolidation that is under way read the session as it was."""
        if "idle" in self.__dict__:
            self.idle.activity()

    def session_fork(self, id: str, turn: str, new: str = "") -> Document:
        """A new session that goes on from a completed answer; the turns up to it come along, and nothing is learned from them again."""
        return self._told_of(self.sessions.fork(id, turn, new or self.seam.new_id()))

    def session_delete(self, id: str) -> Document:
        """Take a session away, with its traces; its recalls stay and no longer say whose they were."""
        self.sessions.deletable(id)
        steps = self.turn_trace.delete(id)
        self.recalls.leave(id)
        self.ledger.restart(id)
        self.sessions.delete(id)
        self.broadcast.publish("session.changed", session=id, deleted=True)
        return {"id": id, "steps": steps}

    def _told_of(self, about: "About") -> Document:
        self.broadcast.publish("session.changed", session=about.id)
        return about.document()

    def trace_list(self, session: str = "", limit: int = 20) -> Document:
        """{"turns":[…]}, newest first, each with its question and what it cost."""
        return {"turns": [one.document() for one in self.turn_trace.turns(session, limit)]}

    def trace(self, turn: str) -> Document:
        """{"turn","session","state","manifest","usage","steps":[…]}: everything that happened, in order."""
        from deepseedian.store.turn_trace import summed

        steps, session = self.turn_trace.steps(turn), self.turn_trace.session(turn)
        found = None
        if session:
            try:
                found = next((one for one in self.sessions.turns(session) if one.id == turn), None)
            except NotFound:
                found = None
        usage = summed([(step.kind, step.usage) for step in steps if step.usage])
        given = next((dict(step.detail) for step in steps if step.kind == "context"), None)
        return {"turn": turn, "session": session, "state": found.state if found else None,
                "manifest": (found.extra.get("manifest") if found else None) or given, "usage": usage,
                "steps": [step.document() for step in steps]}
