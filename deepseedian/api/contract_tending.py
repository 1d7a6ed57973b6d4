"""What the routes that look after memory answer, for OpenAPI."""

from typing import Literal

from pydantic import BaseModel


class FindingEntry(BaseModel):
    id: str
    topic: str
    summary: str
    at: str


class Finding(BaseModel):
    """`entries` the older first; `detail` is a date or a topic."""

    kind: Literal["same", "contradiction", "due", "empty_topic", "large_topic"]
    entries: list[FindingEntry]
    detail: str


class Swept(BaseModel):
    at: str
    findings: list[Finding]
    proposals: list[str]


class Conflicts(BaseModel):
    at: str
    conflicts: list[Finding]


class Report(BaseModel):
    """`note` is where it was written, relative to the vault."""

    note: str | None
    since: str
    until: str
    text: str


ANSWERS: dict[str, type[BaseModel]] = {"sweep": Swept, "conflicts": Conflicts, "report": Report}
