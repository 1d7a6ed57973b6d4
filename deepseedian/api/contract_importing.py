"""What the routes of imports and timelines answer, for OpenAPI."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class LeftOut(BaseModel):
    place: str
    reason: str


class Preview(BaseModel):
    id: str
    text: str
    topic: str
    createdAt: str
    source: str
    place: str


class Imported(BaseModel):
    """`there` is in memory or proposed, `before` was forgotten, superseded or decided and is not brought back, `waiting` has no place
    among the open proposals yet. `changes` is how many steps undo takes back; `reasons` are the first of those refused."""

    how: Literal["proposals", "external"]
    dryRun: bool
    revision: str
    items: int
    new: int
    there: int
    before: int
    waiting: int
    entries: list[str]
    proposals: list[str]
    note: str | None
    changes: int
    preview: list[Preview]
    refused: int
    reasons: list[LeftOut]


class ImportedSessions(BaseModel):
    dryRun: bool
    sessions: list[str]
    turns: int
    there: int
    refused: int
    reasons: list[LeftOut]


class TimelineEvent(BaseModel):
    """`kind` is written, a change of history (add, import, edit, move, pin, unpin, forget, approve, undo, outside, …), recalled,
    useful, wrong, corrected, proposed or what became of a proposal. `before`, `after` are texts, `from` and `to` topics."""

    model_config = ConfigDict(extra="allow")

    at: str
    kind: str


class TimelineVersion(BaseModel):
    id: str
    text: str
    endedAt: str


class EntryTimeline(BaseModel):
    id: str
    entry: dict[str, Any]
    recalled: int
    events: list[TimelineEvent]
    versions: list[TimelineVersion]


ANSWERS: dict[str, type[BaseModel]] = {
    "import_items": Imported, "import_sessions": ImportedSessions, "timeline": EntryTimeline}
