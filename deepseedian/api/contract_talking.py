"""What the routes of conversations and traces answer."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class Forked(BaseModel):
    """The session and the turn that a fork goes on from."""

    session: str
    turn: str


class Range(BaseModel):
    """From which message on a session contributes, and the key of those before it."""

    index: int
    key: str


class SessionRow(BaseModel):
    """`fault` is why nothing is learned from it though it contributes; `excerpt` where a search found a word."""

    id: str
    title: str
    goal: str
    reads: bool
    contributes: bool
    fork: Forked | None
    created: str
    changed: str
    turns: int
    contributeFrom: Range | None
    fault: str | None = None
    excerpt: str | None = None


class SessionMessage(BaseModel):
    id: str
    role: Literal["user", "assistant", "system", "tool"]
    text: str
    sender: str | None = None


class SessionTurn(BaseModel):
    """A turn goes on from its `parent`. More keys may follow: what its host told of it."""

    model_config = ConfigDict(extra="allow")
    id: str
    parent: str
    at: str
    ended: str | None
    state: Literal["running", "done", "stopped", "failed", "interrupted"]
    inherited: bool
    contributes: bool
    messages: list[SessionMessage]
    extra: dict[str, Any] | None = None


class SessionPage(BaseModel):
    total: int
    offset: int
    sessions: list[SessionRow]


class Session(SessionRow):
    conversation: list[SessionTurn]


class SessionDeleted(BaseModel):
    """`steps` of its turns went with it."""

    id: str
    steps: int


class TurnUsage(BaseModel):
    """Tokens, and the cost where prices are set; `cached` is a part of `input`, `reasoning` of `output`."""

    model_config = ConfigDict(extra="allow")
    input: int = 0
    output: int = 0
    cached: int = 0
    reasoning: int = 0
    cost: float | None = None


class TraceStep(BaseModel):
    number: int
    at: str
    kind: Literal["question", "memory", "context", "request", "reasoning", "tool_call", "tool_result", "answer", "usage", "error", "end"]
    detail: dict[str, Any]
    preview: str
    usage: TurnUsage | None


class TraceRow(BaseModel):
    turn: str
    session: str
    at: str
    steps: int
    question: str
    usage: TurnUsage


class Traces(BaseModel):
    turns: list[TraceRow]


class Trace(BaseModel):
    """`manifest` is what was given to the model besides the conversation."""

    turn: str
    session: str
    state: str | None
    manifest: Any | None
    usage: TurnUsage
    steps: list[TraceStep]


ANSWERS: dict[str, type[BaseModel]] = {
    "session_list": SessionPage,
    "session_new": SessionRow,
    "session": Session,
    "session_set": SessionRow,
    "session_delete": SessionDeleted,
    "session_fork": SessionRow,
    "trace_list": Traces,
    "trace": Trace,
}
