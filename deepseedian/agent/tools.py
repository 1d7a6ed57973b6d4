"""The one table of tools: what the model of a turn, an MCP host and the API may ask for, and through which doors.

A tool is a name, what it takes, what it may do, and one function of the desk it is called at. Nothing here approves,
edits or deletes for a host: `writes` belongs to the chat alone, on the owner's explicit word of this very turn.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ValidationError

from deepseedian.agent import arguments
from deepseedian.errors import BadInput

if TYPE_CHECKING:
    from deepseedian.agent.desk import Desk

Document = dict[str, object]
CHAT, MCP, API = "chat", "mcp", "api"
EVERYWHERE, HOSTS, OWN = frozenset({CHAT, MCP, API}), frozenset({MCP, API}), frozenset({CHAT})


@dataclass(frozen=True, slots=True)
class Tool:
    """`effect` is the most it can do; `takes` checks its arguments, `run` carries it out for a desk. Tools that answer the
    same when called twice are `repeatable`."""

    name: str
    title: str
    description: str
    effect: Literal["reads", "proposes", "writes"]
    doors: frozenset[str]
    takes: type[BaseModel]
    run: "Callable[[Desk, Any], Document]"
    repeatable: bool = True

    @property
    def parameters(self) -> dict[str, object]:
        """The JSON schema of its arguments, without anything that only a reader of our code would need."""
        found: dict[str, object] = _plain(self.takes.model_json_schema())
        return found

    def checked(self, given: object) -> BaseModel:
        """Raises BadInput that names the first argument that is wrong."""
        if not isinstance(given, Mapping):
            raise BadInput(f"{self.name} takes an object of arguments", _usage(self))
        try:
            return self.takes.model_validate(dict(given))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "the arguments"
            raise BadInput(f"{self.name}: {place}: {first['msg']}", _usage(self)) from None


def _usage(tool: Tool) -> str:
    return f"it takes {', '.join(tool.takes.model_fields) or 'nothing'}"


def _plain(schema: object, named: bool = False) -> Any:
    """Without titles, which repeat the names; a property that is called `title` stays."""
    if isinstance(schema, dict):
        kept = schema.items() if named else ((key, value) for key, value in schema.items() if key not in ("title", "default"))
        return {key: _plain(value, key == "properties" and not named) for key, value in kept}
    return [_plain(item) for item in schema] if isinstance(schema, list) else schema


_WORDS = {
    "memory_recall":
        "The entries of long-term memory that bear on a question: at most 12 summaries, with the reason when there are "
        "none. Ask once per question, before answering, in hosts that do not put memory before a turn by themselves.",
    "memory_search":
        "Search all of long-term memory, 8 results a page with ids and summaries; page on with offset. An empty query "
        "pages through everything.",
    "memory_read":
        "The full text of one entry, with its source and dates. Read an entry before relying on it: a summary is cut.",
    "memory_propose":
        "Propose a change of memory. Nothing is changed: the person sees it in a review note and decides. Only what the "
        "person stated and that will still hold in a month.",
    "memory_manage":
        "Carry out the person's explicit request of this very message to remember, correct or forget. The quote must "
        "stand in their current message. At most five changes a turn; say it is done only after this tool says so.",
    "memory_organize":
        "Look through recent conversations for what should be remembered or tidied, when the person asks for that. "
        "Answers with the ids of proposals; nothing is changed.",
    "memory_inbox":
        "The proposals that wait for the person, and the note where they decide.",
    "memory_status":
        "How many entries there are, the revision, and whether every part works.",
    "memory_conflicts":
        "Entries that contradict each other, say the same or are past their review date, as far as rules can tell. The person "
        "decides about them in review notes.",
    "memory_report":
        "What memory did in the last days: learned, changed, recalled most, corrected, what waits, what it cost. As text; no "
        "note is written.",
    "memory_feedback":
        "Note that an entry was useful or wrong for a question. It moves a little in later recalls; nothing is changed "
        "or hidden.",
    "notes_search":
        "Search the person's own notes, best first, with a snippet of each.",
    "notes_read":
        "Up to 100 numbered lines of a note from a line on.",
    "notes_metadata":
        "Properties, headings, tags, links and backlinks of a note.",
    "notes_query":
        "Notes by folder, tag, property or a text in path and title; metadata only, nothing is read.",
    "notes_resolve":
        "What a link points to: a note, a section under a heading, or a block.",
    "notes_related":
        "Notes one step away by links and common tags, with the reasons.",
}


def _tools() -> list[Tool]:
    from deepseedian.agent import desk as at

    return [
        Tool("memory_recall", "Recall", _WORDS["memory_recall"], "reads", HOSTS, arguments.MemoryRecall, at.memory_recall),
        Tool("memory_search", "Search memory", _WORDS["memory_search"], "reads", EVERYWHERE, arguments.MemorySearch, at.memory_search),
        Tool("memory_read", "Read an entry", _WORDS["memory_read"], "reads", EVERYWHERE, arguments.MemoryRead, at.memory_read),
        Tool("memory_propose", "Propose a change", _WORDS["memory_propose"], "proposes", EVERYWHERE,
             arguments.MemoryPropose, at.memory_propose),
        Tool("memory_manage", "Change memory now", _WORDS["memory_manage"], "writes", OWN,
             arguments.MemoryManage, at.memory_manage, repeatable=False),
        Tool("memory_organize", "Consolidate now", _WORDS["memory_organize"], "proposes", OWN,
             arguments.MemoryOrganize, at.memory_organize, repeatable=False),
        Tool("memory_inbox", "Open proposals", _WORDS["memory_inbox"], "reads", HOSTS, arguments.Nothing, at.memory_inbox),
        Tool("memory_status", "State of memory", _WORDS["memory_status"], "reads", HOSTS, arguments.Nothing, at.memory_status),
        Tool("memory_conflicts", "What contradicts", _WORDS["memory_conflicts"], "reads", HOSTS, arguments.Nothing, at.memory_conflicts),
        Tool("memory_report", "Report", _WORDS["memory_report"], "reads", HOSTS, arguments.MemoryReport, at.memory_report),
        Tool("memory_feedback", "Say whether an entry helped", _WORDS["memory_feedback"], "proposes", HOSTS,
             arguments.MemoryFeedback, at.memory_feedback),
        Tool("notes_search", "Search notes", _WORDS["notes_search"], "reads", EVERYWHERE, arguments.NotesSearch, at.notes_search),
        Tool("notes_read", "Read a note", _WORDS["notes_read"], "reads", EVERYWHERE, arguments.NotesRead, at.notes_read),
        Tool("notes_metadata", "A note's metadata", _WORDS["notes_metadata"], "reads", EVERYWHERE,
             arguments.NotePath, at.notes_metadata),
        Tool("notes_query", "List notes", _WORDS["notes_query"], "reads", EVERYWHERE, arguments.NotesQuery, at.notes_query),
        Tool("notes_resolve", "Follow a link", _WORDS["notes_resolve"], "reads", EVERYWHERE, arguments.NotesResolve, at.notes_resolve),
        Tool("notes_related", "Related notes", _WORDS["notes_related"], "reads", EVERYWHERE, arguments.NotePath, at.notes_related),
    ]


def table() -> dict[str, Tool]:
    """Every tool by name, in the order in which they are offered."""
    if not _TABLE:
        _TABLE.update((tool.name, tool) for tool in _tools())
    return _TABLE


_TABLE: dict[str, Tool] = {}
