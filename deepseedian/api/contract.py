"""What each route answers, as models for OpenAPI only: put together when the contract is first asked for.

Routes build their JSON themselves, so that a start pays for none of this and a long answer is not
validated again on its way out.
"""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import models_json_schema

from deepseedian.api import (
    contract_browsing,
    contract_completing,
    contract_importing,
    contract_models,
    contract_notes,
    contract_reviewing,
    contract_talking,
    contract_tending,
    contract_tools,
)

STATUSES = ("400", "401", "403", "404", "409", "413", "500", "503")
REF = "#/components/schemas/{model}"


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
    semantic: dict[str, Any] | None = None
    judge: dict[str, Any] | None = None
    notes: dict[str, Any] | None = None
    review: dict[str, Any] | None = None
    idle: dict[str, Any] | None = None
    health: Health


class IndexRow(BaseModel):
    id: str
    summary: Annotated[str, Field(max_length=160)]


class Recall(BaseModel):
    """`reason` is why nothing, or not only what matches, is offered; `text` comes with `inject`, `receiptId` with it or a session.

    `notice` is one line for the person, when `delivery` asks for it.
    """

    vault: str
    revision: str
    total: int
    index: list[IndexRow]
    reason: str | None = None
    text: str | None = None
    notice: str | None = None
    receiptId: str | None = None
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
    setAside: list[str]


class Setting(BaseModel):
    name: str
    value: str | int | float | bool
    origin: str
    meaning: str
    warning: str | None = None


class Settings(BaseModel):
    settings: list[Setting]
    faults: list[str]


class Observed(BaseModel):
    """`corrected` are entries of the last injection that a message took back."""

    session: str
    messages: list[str]
    proposals: list[str]
    corrected: list[str]
    reason: str | None = None


class Organized(BaseModel):
    proposals: list[str]
    note: str | None
    model: bool
    fault: str | None = None
    skipped: str | None = None


class Proposed(BaseModel):
    proposals: list[str]
    note: str | None
    leftOut: list[str]


class Erased(BaseModel):
    """How much was removed, by place; what cannot be reached; the owner's own notes that say the same."""

    id: str
    removed: dict[str, int]
    beyond: dict[str, str]
    notes: list[str]


class Claims(BaseModel):
    """Pinned entries and the change of the rules (a unified diff) that nobody has confirmed on this device."""

    pins: list[Entry]
    rules: str


class Confirmed(BaseModel):
    confirmed: int
    rules: bool


class Judged(BaseModel):
    """`state` is empty where no judge was asked."""

    state: Literal["", "judged", "cached", "arrived", "late", "skipped", "failed"]
    kept: list[str]
    dropped: list[str]
    milliseconds: float


class AnyReceipt(BaseModel):
    id: str
    at: str
    session: str
    door: str
    question: str
    revision: str
    chars: int
    tokens: int
    milliseconds: float
    shadow: bool
    judge: Judged


class ReceiptRow(AnyReceipt):
    matched: int
    offered: list[str]
    reason: str


class Receipts(BaseModel):
    total: int
    offset: int
    receipts: list[ReceiptRow]


class Receipt(AnyReceipt):
    """`receipt` is what `recall` answers with `why`; `verdicts` are the owner's words by entry."""

    injected: list[str]
    verdicts: dict[str, Literal["right", "wrong"]]
    receipt: dict[str, Any]


class Verdict(BaseModel):
    receipt: str
    entry: str
    kept: bool
    verdict: Literal["right", "wrong"]


class Feedback(BaseModel):
    id: str
    feedback: Literal["useful", "wrong"]


class Stats(BaseModel):
    """Sums since the day `since` in UTC; `withMemory` are recalls that gave something, `shadow` those that only looked."""

    days: int
    since: str
    recalls: int
    shadow: int
    withMemory: int
    injectedChars: int
    estimatedTokens: int
    judgeKept: int
    judgeDropped: int
    judgeCalls: int
    embeddingCalls: int
    verdictsChecked: int
    verdictsWrong: int
    corrections: int
    useful: int
    wrong: int
    newEntries: int


class Done(BaseModel):
    done: bool


# Route function → its answer; routes that stream have none.
ANSWERS: dict[str, type[BaseModel]] = {
    "health": Health,
    "status": Status,
    "recall": Recall,
    "search": Search,
    "entries": Entries,
    "entry": EntryAt,
    "remember": Remembered,
    "change": EntryAt,
    "forget": EntryAt,
    "erase": Erased,
    "claims": Claims,
    "confirm": Confirmed,
    "history": History,
    "undo": Step,
    "redo": Step,
    "observe": Observed,
    "organize": Organized,
    "activity": Done,
    "propose": Proposed,
    "receipts": Receipts,
    "receipt": Receipt,
    "verdict": Verdict,
    "feedback": Feedback,
    "stats": Stats,
    "check": Check,
    "settings": Settings,
    "get_setting": Setting,
    "set_setting": Setting,
    "stop": Done,
}
for _part in (contract_browsing, contract_completing, contract_importing, contract_models, contract_notes, contract_reviewing,
              contract_talking, contract_tending, contract_tools):
    ANSWERS |= _part.ANSWERS


def contract(title: str, version: str, routes: Iterable[Any], named: Iterable[APIRoute], prefix: str) -> dict[str, Any]:
    """The OpenAPI document. `named` are the routes with the functions' names, `prefix` where they are mounted."""
    document = get_openapi(title=title, version=version, routes=list(routes))
    models: set[type[BaseModel]] = {*ANSWERS.values(), Error}
    _, found = models_json_schema([(model, "serialization") for model in models], ref_template=REF)
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    schemas |= found["$defs"]
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    for route in named:
        for method in route.methods or ():
            _describe(document["paths"][prefix + route.path.replace(":path}", "}")][method.lower()], ANSWERS.get(route.name))
    return document


def _describe(operation: dict[str, Any], answer: type[BaseModel] | None) -> None:
    responses = operation["responses"]
    responses.pop("422", None)
    if answer is not None:
        responses["200"]["content"] = {"application/json": {"schema": {"$ref": REF.format(model=answer.__name__)}}}
    error = {"application/json": {"schema": {"$ref": REF.format(model=Error.__name__)}}}
    responses |= {status: {"description": "An error document", "content": error} for status in STATUSES}
