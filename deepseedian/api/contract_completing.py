"""What the route of inline completion answers, for OpenAPI."""

from pydantic import BaseModel


class CompletionMemory(BaseModel):
    id: str
    summary: str


class Completion(BaseModel):
    """With an empty `text` the `reason` says why, and `wait` in how many seconds a budget allows the next one.

    `memory` holds the entries that went along.
    """

    text: str
    reason: str | None = None
    message: str | None = None
    hint: str | None = None
    wait: float | None = None
    memory: list[CompletionMemory] | None = None


ANSWERS: dict[str, type[BaseModel]] = {"complete": Completion}
