"""The tools, as they are handed to the model of a turn, to MCP hosts and to the API."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from deepseedian.errors import BadInput, NotFound
from deepseedian.sidecar.opened import Document
from deepseedian.sidecar.recalling import Recalling

if TYPE_CHECKING:
    from deepseedian.agent.desk import Desk


class Tooling(Recalling):
    """One table of tools; who asks decides what is in it."""

    def desk(self, door: str, session: str = "") -> "Desk":
        """A hold on the tools for one caller: `mcp`, `api`, or a turn of the `chat`."""
        from deepseedian.agent.desk import Desk

        reads = partial(self._session_reads, session) if session else lambda: True
        contributes = partial(self._session_contributes, session) if session else lambda: True
        return Desk(self, door, partial(self.config.on, "enabled"), session, reads, contributes)  # type: ignore[arg-type]

    def _session_contributes(self, session: str) -> bool:
        """A conversation that is not kept here has no switch that says otherwise."""
        try:
            about = self.sessions.about(session)
        except (NotFound, BadInput):
            return True
        return about.contributes and not about.fault

    def tools(self, door: str = "api") -> Document:
        """{"tools":[{"name","title","description","effect","parameters"}]}: what a door is offered now."""
        return {"tools": [{"name": tool.name, "title": tool.title, "description": tool.description, "effect": tool.effect,
                           "parameters": tool.parameters} for tool in self.desk(door).offered()]}

    def call_tool(self, name: str, arguments: Mapping[str, Any] | None = None, session: str = "") -> Document:
        """What the tool answers. Raises NotFound for an unknown one, BadInput for arguments it does not take."""
        return self.desk("api", session).call(name, arguments or {})

    def suggest(self, draft: Mapping[str, Any], door: str, session: str, source: str, message: str) -> Document:
        """A proposal made through a tool: {"proposals":[ids],"note","leftOut":[reasons]}. Nothing in memory changes.

        What a host hands over as the person's own words is its claim: the proposal is `system_derived`, and says so.
        """
        from deepseedian.core.proposal import Draft, Evidence
        from deepseedian.store.sessions import source_key

        self._warm()
        text, quote = str(draft["text"]).strip(), str(draft["quote"])
        source = source or source_key(session or door, "", 0, quote or text)
        if draft["operation"] == "text":
            drafts = self._looked_through(text, source)
        else:
            evidence = (Evidence(source, quote),) if quote else ()
            drafts = [Draft(draft["operation"], text, str(draft["reason"]) or "suggested in a conversation", evidence,
                            tuple(draft["entries"]), str(draft["topic"]), str(draft["kind"]), "system_derived")]
        batch = self.review.propose(drafts, "host")
        left_out = list(batch.left_out) if drafts else ["nothing in it is worth keeping by the rules of capture"]
        return {"proposals": [item.id for item in batch.proposals], "note": batch.note or None, "leftOut": left_out}

    def _looked_through(self, text: str, source: str) -> list[Any]:
        from dataclasses import replace

        from deepseedian.memory.capture import Manner, from_message
        from deepseedian.store.sessions import Message

        found = from_message(Message(source, "user", text), self.store.snapshot, self.config.text("language"), Manner.of(self.config))
        return [replace(item, trust="system_derived") for item in found]
