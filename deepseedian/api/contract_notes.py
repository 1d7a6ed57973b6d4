"""What the routes under /v1/notes answer, for OpenAPI only."""

from typing import Any, Literal

from pydantic import BaseModel


class Indexing(BaseModel):
    """There while notes are being indexed for the first time: the answer knows only those that are done."""

    done: int
    of: int


class NoteHit(BaseModel):
    path: str
    title: str
    line: int
    snippet: str
    score: float


class NoteSearch(BaseModel):
    query: str
    total: int
    offset: int
    nextOffset: int | None
    results: list[NoteHit]
    indexing: Indexing | None = None


class NoteText(BaseModel):
    """Of a note `lines` and `nextOffset`, both lines counted from 1; of a .base or .canvas file `kind`, `truncated` and its raw text."""

    path: str
    text: str
    revision: str
    offset: int | None = None
    lines: int | None = None
    nextOffset: int | None = None
    title: str | None = None
    kind: Literal["raw"] | None = None
    line: int | None = None
    endLine: int | None = None
    truncated: bool | None = None


class NoteHeading(BaseModel):
    level: int
    text: str
    line: int


class NoteLink(BaseModel):
    link: str
    path: str | None


class NoteBacklink(BaseModel):
    path: str
    line: int


class NoteFault(BaseModel):
    line: int
    code: str
    message: str


class NoteMetadata(BaseModel):
    path: str
    title: str
    lines: int
    revision: str
    properties: dict[str, Any]
    headings: list[NoteHeading]
    tags: list[str]
    links: list[NoteLink]
    backlinks: list[NoteBacklink]
    totals: dict[str, int]
    problems: list[NoteFault]
    truncated: bool | None = None
    indexing: Indexing | None = None


class NoteRow(BaseModel):
    path: str
    title: str
    tags: list[str]
    properties: dict[str, Any]
    moreProperties: int | None = None


class NoteQuery(BaseModel):
    total: int
    offset: int
    nextOffset: int | None
    notes: list[NoteRow]
    indexing: Indexing | None = None


class NotePart(BaseModel):
    path: str
    title: str
    kind: Literal["note", "heading", "block", "raw"]
    line: int
    endLine: int
    text: str
    truncated: bool
    revision: str


class NoteNeighbour(BaseModel):
    path: str
    title: str
    points: int
    reasons: list[str]


class NoteRelated(BaseModel):
    path: str
    related: list[NoteNeighbour]
    indexing: Indexing | None = None


class NoteProblem(NoteFault):
    path: str


class NoteProblems(BaseModel):
    total: int
    offset: int
    nextOffset: int | None
    problems: list[NoteProblem]


ANSWERS: dict[str, type[BaseModel]] = {
    "notes_search": NoteSearch,
    "notes_read": NoteText,
    "notes_metadata": NoteMetadata,
    "notes_query": NoteQuery,
    "notes_resolve": NotePart,
    "notes_related": NoteRelated,
    "notes_problems": NoteProblems,
}
