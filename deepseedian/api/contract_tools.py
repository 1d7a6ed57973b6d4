"""What the routes of tools answer, for OpenAPI."""

from typing import Any, Literal

from pydantic import BaseModel


class ToolRow(BaseModel):
    name: str
    title: str
    description: str
    effect: Literal["reads", "proposes", "writes"]
    parameters: dict[str, Any]


class Tools(BaseModel):
    tools: list[ToolRow]


class ToolResult(BaseModel):
    """What the tool answers; each has its own keys."""

    model_config = {"extra": "allow"}


class StoppedTurn(BaseModel):
    id: str
    session: str
    state: Literal["ended", "stopping"]


ANSWERS: dict[str, type[BaseModel]] = {"tools": Tools, "call_tool": ToolResult, "stop_turn": StoppedTurn}
