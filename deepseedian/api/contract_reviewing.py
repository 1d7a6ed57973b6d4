"""Answers of the routes about what waits for the owner, for the OpenAPI document."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class ShownQuote(BaseModel):
    source: str
    quote: str


class Proposal(BaseModel):
    model_config = ConfigDict(extra="allow")
    id: str
    operation: str
    kind: str
    topic: str
    text: str
    reason: str
    evidence: list[ShownQuote]
    status: Literal["open", "approved", "dismissed", "stale", "expired", "undone"]
    note: str | None
    days: int
    stale: str
    oneClick: bool
    contested: bool
    hidden: bool


class ProposalAt(Proposal):
    revision: str


class Proposals(BaseModel):
    """When something waits: `oldestDays` is how long the oldest does, `stale` how many can no longer be applied."""

    proposals: list[Proposal]
    open: int | None = None
    oldestDays: int | None = None
    stale: int | None = None
    note: str | None = None


class ChangedIndex(BaseModel):
    """A recent question whose index would change: entries that come in, and entries that go."""

    model_config = ConfigDict(populate_by_name=True)
    question: str
    comes: list[str] = Field(alias="in")
    goes: list[str] = Field(alias="out")


class Superseded(BaseModel):
    id: str
    summary: str


class PreviewOf(BaseModel):
    """`complete` is false when the time was up before all recent questions had been tried."""

    id: str
    questions: int
    changed: list[ChangedIndex]
    charactersPerTurn: float
    supersedes: list[Superseded]
    complete: bool
    diff: list[str]


class Reminder(BaseModel):
    """Empty when nothing waits, or it was said a while ago."""

    text: str


class SpentDay(BaseModel):
    day: str
    runs: int
    calls: int
    chars: int
    failed: int


class ModelRun(BaseModel):
    """Without an outcome it is under way, or a kill ended it."""

    number: int
    at: str
    kind: str
    calls: int
    chars: int
    outcome: str
    failed: bool


class Spending(BaseModel):
    """`day` is the UTC day that counts now."""

    day: str
    today: dict[str, int]
    most: dict[str, int]
    days: list[SpentDay]
    runs: list[ModelRun]


ANSWERS: dict[str, type[BaseModel]] = {"proposals": Proposals, "proposal": ProposalAt, "decide": ProposalAt, "preview_of": PreviewOf,
                                       "refresh": ProposalAt, "remind": Reminder, "spending": Spending}
