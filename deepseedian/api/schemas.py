"""What goes over the wire, for validation of requests and for OpenAPI."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictStr


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class RecallRequest(_Request):
    """A question, and whether the receipt is wanted. `revision` reads a snapshot of this turn again."""

    question: StrictStr
    why: StrictBool = False
    revision: StrictStr = ""


class RememberRequest(_Request):
    text: StrictStr
    topic: StrictStr = "general"
    kind: StrictStr = ""
    source: StrictStr = ""
    trust: StrictStr = "user_stated"
    allow_secret: StrictBool = False


class ChangeRequest(_Request):
    """Exactly one of `text` (edit), `topic` (move) and `on` (pin) per request."""

    text: StrictStr | None = None
    topic: StrictStr | None = None
    on: StrictBool | None = None
    allow_secret: StrictBool = False


class ObserveRequest(_Request):
    """A finished turn. A message is `{"role": user | assistant | system | tool, "text", "sender"?}`."""

    session: StrictStr
    messages: list[dict[str, Any]]
    at: StrictStr | None = None
    preset: StrictStr = ""
    origin: StrictStr = ""
    cwd: StrictStr = ""


class Quote(_Request):
    source: StrictStr
    quote: StrictStr


class ProposeRequest(_Request):
    text: StrictStr
    reason: StrictStr
    operation: Literal["add", "edit", "merge", "move", "archive"] = "add"
    topic: StrictStr = ""
    kind: StrictStr = ""
    entries: list[StrictStr] = []
    evidence: list[Quote] = []


class DecisionRequest(_Request):
    """`text` is the owner's own version of a proposed text, for an approval."""

    decision: Literal["approve", "dismiss"]
    text: StrictStr | None = None


class CheckRequest(_Request):
    restore: StrictBool = False
    accept: StrictBool = False


class SettingRequest(_Request):
    value: StrictStr


class EmptyRequest(_Request):
    """A request without parameters: `{}`."""


class ErrorBody(BaseModel):
    code: str
    message: str
    hint: str


class Error(BaseModel):
    error: ErrorBody


class Fault(BaseModel):
    code: str
    message: str


class Health(BaseModel):
    status: Literal["ok", "degraded"]
    faults: list[Fault]


class Status(BaseModel):
    running: bool
    pid: int
    socket: str
    vault: str
    memory: str
    revision: str
    entries: int
    health: Health


class IndexRow(BaseModel):
    id: str
    summary: Annotated[str, Field(max_length=160)]


class Recall(BaseModel):
    vault: str
    revision: str
    total: int
    index: list[IndexRow]
    receipt: dict[str, Any] | None = None


class Search(BaseModel):
    revision: str
    total: int
    offset: int
    results: list[IndexRow]


class Entry(BaseModel):
    """More keys may follow: those of the entry's hidden metadata."""

    model_config = ConfigDict(extra="allow")
    id: str
    topic: str
    text: str
    createdAt: str
    source: str


class Entries(BaseModel):
    revision: str
    entries: list[Entry]


class EntryAt(Entry):
    archived: bool
    revision: str


class Remembered(BaseModel):
    id: str
    topic: str
    revision: str


class Change(BaseModel):
    id: str
    at: str
    kind: str
    summary: str
    undoable: bool


class History(BaseModel):
    revision: str
    changes: list[Change]


class Step(BaseModel):
    id: str
    kind: str
    summary: str
    entries: list[str]
    revision: str


class Problem(BaseModel):
    code: str
    file: str
    line: int
    message: str
    repaired: bool


class Check(BaseModel):
    ok: bool
    problems: list[Problem]
    restored: list[str]
    accepted: list[str]


class Setting(BaseModel):
    name: str
    value: str | int | float | bool
    origin: str
    meaning: str


class Settings(BaseModel):
    settings: list[Setting]
    faults: list[str]


class Observed(BaseModel):
    session: str
    messages: list[str]
    proposals: list[str]


class Organized(BaseModel):
    proposals: list[str]
    note: str | None
    model: bool
    fault: str | None = None


class Proposed(BaseModel):
    proposals: list[str]
    note: str | None
    leftOut: list[str]


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


class ProposalAt(Proposal):
    revision: str


class Proposals(BaseModel):
    proposals: list[Proposal]


class Done(BaseModel):
    done: bool
