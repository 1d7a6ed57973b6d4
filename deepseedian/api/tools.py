"""Routes of the tools: what an agent that speaks neither MCP nor our chat may ask for."""

from fastapi import APIRouter

from deepseedian.api import schemas
from deepseedian.api.answer import Answer
from deepseedian.api.routes import Serving

router = APIRouter()


@router.get("/tools")
def tools(host: Serving) -> Answer:
    return Answer(host.sidecar.tools())


@router.post("/tools/{name}")
def call_tool(host: Serving, name: str, body: schemas.ToolRequest) -> Answer:
    return Answer(host.sidecar.call_tool(name, body.arguments, body.session))
