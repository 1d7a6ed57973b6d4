"""One caller's hold on the tools: a turn of the chat, an MCP connection, one call of the API.

A turn of the chat reads one frozen snapshot, has a budget of what tools may answer, and knows the person's current
message, which is the only thing that a change of memory can rest on.
"""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Protocol

from deepseedian.agent import arguments, tools
from deepseedian.agent.tools import Document, Tool
from deepseedian.core.secret import masked_in
from deepseedian.core.text import cut
from deepseedian.errors import BadInput, DeepseedianError, Forbidden, NotFound, TooLarge

RESULT_LIMIT = 24_000
MEMORY_LIMIT = 24_000
NOTES_LIMIT = 48_000
NOTES_CALLS = 16
MANAGE_CALLS = 5
PAGE = 8
INBOX = 20
CONFLICTS = 20
SHOWN = 8  # entries of one conflict
CUT = 400


class Memory(Protocol):
    """What the tools are carried out with: an opened vault."""

    def search(self, query: str, offset: int = 0, limit: int = 8, revision: str = "", as_of: str = "") -> Document: ...
    def show(self, id: str, revision: str = "") -> Document: ...
    def recall(self, question: str, why: bool = False, revision: str = "", session: str = "", as_of: str = "", inject: bool = False,
               door: str = "") -> Document: ...
    def suggest(self, draft: Mapping[str, Any], door: str, session: str, source: str, message: str) -> Document: ...
    def proposals(self, all: bool = False) -> Document: ...
    def status(self) -> Document: ...
    def feedback(self, id: str, feedback: str, question: str = "", receipt: str = "") -> Document: ...
    def conflicts(self) -> Document: ...
    def report(self, days: int = 7, write: bool = True) -> Document: ...
    def organize(self, session: str = "", topic: str = "", cancelled: threading.Event | None = None) -> Document: ...
    def notes_search(self, query: str, offset: int = 0, limit: int = 8, folder: str = "") -> Document: ...
    def notes_read(self, path: str, offset: int = 1) -> Document: ...
    def notes_metadata(self, path: str) -> Document: ...
    def notes_query(self, folder: str = "", tag: str = "", property: str = "", value: str = "", query: str = "", offset: int = 0,
                    limit: int = 20) -> Document: ...
    def notes_resolve(self, link: str, source: str = "") -> Document: ...
    def notes_related(self, path: str) -> Document: ...


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn of the chat allows. `manage` carries out one change of memory, `hold` keeps the turn's snapshot at hand.

    `reads` and `manages` are asked at each call: a switch turned off in the middle of a turn is off. What takes long ends
    when the turn is `cancelled`.
    """

    message: str
    source: str
    revision: str
    reads: Callable[[], bool]
    manages: Callable[[], bool]
    manage: Callable[[Mapping[str, Any], str], Document]
    hold: Callable[[str], None]
    cancelled: threading.Event = field(default_factory=threading.Event)


@dataclass(slots=True)
class Desk:
    """`door` is who calls; `turn` is given in the chat alone, `reads` and `contributes` are switches of the session.

    What looks like a key is shortened for every door but the owner's own API. Calls are carried out one after the other.
    """

    memory: Memory
    door: str
    enabled: Callable[[], bool]
    session: str = ""
    reads: Callable[[], bool] = lambda: True
    contributes: Callable[[], bool] = lambda: True
    turn: Turn | None = None
    revision: str = ""
    _memory_left: int = MEMORY_LIMIT
    _notes_left: int = NOTES_LIMIT
    _notes_calls: int = NOTES_CALLS
    _managed: int = 0
    _last: tuple[str, Document] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        if self.turn is not None:
            self.revision = self.turn.revision

    def offered(self) -> list[Tool]:
        """What this door gets under the switches of this moment."""
        if not self.enabled():
            return []
        return [tool for tool in tools.table().values() if self.door in tool.doors and not self._withheld(tool)]

    def _withheld(self, tool: Tool) -> bool:
        if not tool.name.startswith("memory_"):
            return False
        if tool.name == "memory_propose" and not self.contributes():
            return True  # nothing is learned from this conversation, by no door
        if self.turn is None:
            return not self.reads()
        return not self.turn.reads() or (tool.effect == "writes" and not self.turn.manages())

    def call(self, name: str, given: object) -> Document:
        """Raises NotFound for a tool this door does not have, BadInput, Forbidden, TooLarge, or what the tool does."""
        tool = tools.table().get(name)
        if tool is None or self.door not in tool.doors:
            known = ", ".join(tool.name for tool in self.offered())
            raise NotFound(f"there is no tool {name[:80]!r}", f"there are {known or 'none while enabled is off'}")
        if not self.enabled():
            raise Forbidden("Deepseedian is switched off", "deepseedian config set enabled on", code="disabled")
        if self._withheld(tool):
            raise Forbidden(f"{name} is switched off for this conversation", "go on without it", code="disabled")
        checked = tool.checked(given)
        with self._lock:
            return self._carried_out(tool, checked)

    def _carried_out(self, tool: Tool, given: object) -> Document:
        if self.turn is not None:
            self.turn.hold(self.revision)
        if self.turn is not None and tool.name.startswith("notes_") and self._notes_calls <= 0:
            raise TooLarge(f"a turn may look into notes {NOTES_CALLS} times", "answer with what you have", code="tool_budget")
        self._notes_calls -= tool.name.startswith("notes_")
        found = tool.run(self, given)
        if self.door != tools.API:  # it goes to a model
            found = masked_in(found, named=tool.name.startswith("memory_"))
        self._charge(tool, len(json.dumps(found, ensure_ascii=False)))
        return found

    def _charge(self, tool: Tool, size: int) -> None:
        """What a call answers counts, and one that would go over the turn's budget fails; those before it stand."""
        if size > RESULT_LIMIT and tool.effect == "reads":
            raise TooLarge(f"the answer has {size} characters, {RESULT_LIMIT} are allowed", "ask for less at once", code="tool_budget")
        if self.turn is None:
            return
        kind = "_notes_left" if tool.name.startswith("notes_") else "_memory_left" if tool.effect == "reads" else ""
        if kind and size > getattr(self, kind):
            raise TooLarge("what tools may answer in one turn is used up", "answer with what you have", code="tool_budget")
        if kind:
            setattr(self, kind, getattr(self, kind) - size)


# The tools themselves

def memory_recall(desk: Desk, given: arguments.MemoryRecall) -> Document:
    return desk.memory.recall(given.question, session=desk.session, as_of=given.as_of, door=desk.door)


def memory_search(desk: Desk, given: arguments.MemorySearch) -> Document:
    return desk.memory.search(given.query.strip(), given.offset, PAGE, "" if given.as_of else desk.revision, given.as_of)


def memory_read(desk: Desk, given: arguments.MemoryRead) -> Document:
    """{"revision","entry":{…}}; in a chat only what this turn's snapshot holds."""
    found = desk.memory.show(given.id, desk.revision)
    return {"revision": found.pop("revision"), "entry": found}


def memory_propose(desk: Desk, given: arguments.MemoryPropose) -> Document:
    message = desk.turn.message if desk.turn else ""
    if desk.turn is not None and given.quote and given.quote not in message:
        raise BadInput("the quote does not stand in the person's current message", "quote it verbatim, or leave it out")
    source = desk.turn.source if desk.turn else ""
    return desk.memory.suggest(given.model_dump(), desk.door, desk.session, source, message)


def memory_manage(desk: Desk, given: arguments.MemoryManage) -> Document:
    """{"status":"committed","action","id","revision","entry"?,"note"}; repeating the last one exactly gives its result again."""
    turn = desk.turn
    assert turn is not None
    wanted = given.model_dump() | {"text": given.text.strip()}
    same = json.dumps(wanted, sort_keys=True)
    if desk._last is not None and desk._last[0] == same:
        return desk._last[1]
    if not given.quote.strip() or given.quote not in turn.message:
        raise BadInput("the quote does not stand in the person's current message", "quote their request verbatim")
    if desk._managed >= MANAGE_CALLS:
        raise TooLarge(f"a turn may change memory {MANAGE_CALLS} times", "tell the person what is left to do", code="tool_budget")
    if (given.action == "add") != (not given.id) or (given.action == "remove") == bool(wanted["text"]):
        raise BadInput(f"{given.action} takes {_MANAGE[given.action]}", "see the tool's description")
    done = turn.manage(wanted, desk.revision)
    desk._managed += 1
    desk.revision = str(done["revision"])
    desk._last = (same, done)
    return done


_MANAGE = {"add": "a text and no id", "edit": "an id and a text", "remove": "an id and no text"}


def memory_organize(desk: Desk, given: arguments.MemoryOrganize) -> Document:
    return desk.memory.organize(given.session, given.topic, desk.turn.cancelled if desk.turn else None)


def memory_inbox(desk: Desk, given: arguments.Nothing) -> Document:
    """{"total","proposals":[…]}: the newest that wait, each with the note where the person decides."""
    found = desk.memory.proposals()["proposals"]
    rows = found if isinstance(found, list) else []
    shown = ("id", "at", "operation", "topic", "text", "reason", "note")
    short = [{name: cut(row[name], CUT) if isinstance(row[name], str) else row[name] for name in shown} for row in rows[-INBOX:]]
    return {"total": len(rows), "proposals": _fitting(short[::-1])[::-1]}


def memory_status(desk: Desk, given: arguments.Nothing) -> Document:
    found = desk.memory.status()
    return {name: found[name] for name in ("revision", "entries", "health")}


def memory_feedback(desk: Desk, given: arguments.MemoryFeedback) -> Document:
    return desk.memory.feedback(given.id, given.feedback, given.question)


def memory_conflicts(desk: Desk, given: arguments.Nothing) -> Document:
    """{"at","total","conflicts":[…]}: the first of them."""
    found = desk.memory.conflicts()
    rows = found["conflicts"] if isinstance(found["conflicts"], list) else []
    short = [row | {"entries": row["entries"][:SHOWN]} for row in rows[:CONFLICTS]]
    return {"at": found["at"], "total": len(rows), "conflicts": _fitting(short)}


def _fitting(rows: list[Document]) -> list[Document]:
    """The first rows that fit into an answer: these tools take no page, and too long an answer would be none."""
    sizes = accumulate(len(json.dumps(row, ensure_ascii=False)) + 2 for row in rows)
    return [row for row, size in zip(rows, sizes, strict=True) if size <= RESULT_LIMIT - 500]


def memory_report(desk: Desk, given: arguments.MemoryReport) -> Document:
    found = desk.memory.report(given.days, write=False)
    return {name: found[name] for name in ("since", "until", "text")}


def notes_search(desk: Desk, given: arguments.NotesSearch) -> Document:
    return desk.memory.notes_search(given.query, given.offset, given.limit, given.folder)


def notes_read(desk: Desk, given: arguments.NotesRead) -> Document:
    return desk.memory.notes_read(given.path, given.offset)


def notes_metadata(desk: Desk, given: arguments.NotePath) -> Document:
    return desk.memory.notes_metadata(given.path)


def notes_query(desk: Desk, given: arguments.NotesQuery) -> Document:
    return desk.memory.notes_query(given.folder, given.tag, given.property, given.value, given.query, given.offset, given.limit)


def notes_resolve(desk: Desk, given: arguments.NotesResolve) -> Document:
    return desk.memory.notes_resolve(given.link, given.source)


def notes_related(desk: Desk, given: arguments.NotePath) -> Document:
    return desk.memory.notes_related(given.path)


def told(error: DeepseedianError) -> Document:
    """A failure as a tool's result, which the model can act on."""
    return error.document()  # type: ignore[return-value]
