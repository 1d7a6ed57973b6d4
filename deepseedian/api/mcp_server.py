"""MCP by the protocol's own library. It takes half a second and 25 MB to import, so this module is loaded when a host calls
a tool, not when the daemon starts; what comes before the first call is answered by `api/mcp_entry.py`.

Nothing is kept between requests: a daemon that was restarted goes on with any host, and a thousand hosts cost nothing.
"""

import json
import logging
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, unquote

import mcp_types as types
from anyio.to_thread import run_sync
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError

from deepseedian import __version__
from deepseedian.api import mcp_words as words
from deepseedian.api.host import Host
from deepseedian.api.mcp_session import session_of
from deepseedian.core.secret import masked_in
from deepseedian.errors import DeepseedianError, NotFound, from_os_error

Answered = TypeVar("Answered")
Document = dict[str, Any]
Context = ServerRequestContext[Any, Any]
PAGE = 100
ENTRY = "memory://entry/"
RESOURCE_NOT_FOUND = -32002
log = logging.getLogger("deepseedian.api")


def opened(host: Host) -> StreamableHTTPSessionManager:
    """The server over one daemon; `run` it before requests are handed to it."""
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # its messages repeat what was sent, which may be memory
    return StreamableHTTPSessionManager(_server(host), json_response=True, stateless=True)


def _server(host: Host) -> Server[Any]:
    """Each handler leaves the event loop for the sidecar, as every route does."""
    async def list_tools(context: Context, given: Any) -> types.ListToolsResult:
        offered = host.sidecar.desk("mcp").offered()
        return types.ListToolsResult(tools=[types.Tool.model_validate(words.listed(tool)) for tool in offered])

    async def call_tool(context: Context, given: types.CallToolRequestParams) -> types.CallToolResult:
        session = _session(context)
        return await run_sync(lambda: _called(host, session, given.name, given.arguments or {}))

    async def list_resources(context: Context, given: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return await run_sync(lambda: _protocol(lambda: _resources(host, given.cursor if given else None)))

    async def list_templates(context: Context, given: Any) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[types.ResourceTemplate.model_validate(words.TEMPLATE)])

    async def read_resource(context: Context, given: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        session = _session(context)
        return await run_sync(lambda: _protocol(lambda: _read(host, session, str(given.uri))))

    async def list_prompts(context: Context, given: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[types.Prompt.model_validate(words.PROMPT)])

    async def get_prompt(context: Context, given: types.GetPromptRequestParams) -> types.GetPromptResult:
        return _prompt(given.name, given.arguments or {})

    server: Server[Any] = Server(
        words.NAME, version=__version__, title=words.TITLE, instructions=words.INSTRUCTIONS,
        on_list_tools=list_tools, on_call_tool=call_tool,
        on_list_resources=list_resources, on_list_resource_templates=list_templates, on_read_resource=read_resource,
        on_list_prompts=list_prompts, on_get_prompt=get_prompt)
    server.middleware.clear()  # telemetry, which nobody here asked for
    return server


def _session(context: Context) -> str:
    headers = context.request.headers if context.request is not None else {}
    return session_of(headers, context.meta)


def _called(host: Host, session: str, name: str, arguments: Document) -> types.CallToolResult:
    """One document, as text and as structure: some hosts show the model the one, some the other."""
    failed = False
    try:
        found = host.sidecar.desk("mcp", session).call(name, arguments)
    except Exception as error:
        found, failed = _known(error).document(), True  # type: ignore[assignment]
    host.answered()
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=found, is_error=failed)


def _known(error: Exception) -> DeepseedianError:
    if isinstance(error, DeepseedianError):
        return error
    if isinstance(error, OSError):
        return from_os_error(error)
    place = traceback.extract_tb(error.__traceback__)[-1]  # its text could hold memory: only kind and place are logged
    log.error("%s in an MCP request at %s:%s", type(error).__name__, Path(place.filename).name, place.lineno)
    return DeepseedianError("something went wrong inside the daemon", "deepseedian check, then try again")


def _protocol(act: Callable[[], Answered]) -> Answered:
    """What a resource cannot answer becomes an error of the protocol, with our own document as its data."""
    try:
        return act()
    except Exception as error:
        known = _known(error)
        code = RESOURCE_NOT_FOUND if isinstance(known, NotFound) else types.INVALID_PARAMS if known.status < 500 else types.INTERNAL_ERROR
        raise MCPError(code, known.message, known.document()) from None


def _resources(host: Host, cursor: str | None) -> types.ListResourcesResult:
    """The index, then the newest entries page by page. Before memory is read only the index is named: a host asks at its start."""
    offset = 0
    if cursor is not None:
        if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 6):
            raise MCPError(types.INVALID_PARAMS, "this cursor is not one of ours", None)
        offset = int(cursor)
    index = [types.Resource.model_validate(words.INDEX)] if cursor is None else []
    if not host.sidecar.ready.is_set():
        return types.ListResourcesResult(resources=index)
    found: Document = masked_in(host.sidecar.memory_entries(offset, PAGE), named=True)
    more = offset + PAGE < found["total"]
    return types.ListResourcesResult(resources=index + [_resource(row) for row in found["entries"]],
                                     next_cursor=str(offset + PAGE) if more else None)


def _resource(row: Document) -> types.Resource:
    return types.Resource(uri=ENTRY + quote(row["id"], safe=""), name=row["id"], title=f"{row['topic']}: {row['summary']}"[:120],
                          mime_type="application/json")


def _read(host: Host, session: str, uri: str) -> types.ReadResourceResult:
    if uri == words.INDEX["uri"]:
        found = masked_in(host.sidecar.memory_index(), named=True)
    elif uri.startswith(ENTRY):
        found = host.sidecar.desk("mcp", session).call("memory_read", {"id": unquote(uri.removeprefix(ENTRY))})
    else:
        raise NotFound("there is no such resource", f"{words.INDEX['uri']} lists topics and entries")
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type="application/json", text=text)])


def _prompt(name: str, arguments: dict[str, str]) -> types.GetPromptResult:
    topic = arguments.get("topic", "").strip()
    if name != words.PROMPT["name"]:
        raise MCPError(types.INVALID_PARAMS, "there is no such prompt", None)
    if not topic or len(topic) > 400:
        raise MCPError(types.INVALID_PARAMS, "topic is a text of 1 to 400 characters", None)
    content = types.TextContent(type="text", text=words.asked(topic))
    return types.GetPromptResult(description=str(words.PROMPT["description"]), messages=[types.PromptMessage(role="user", content=content)])
