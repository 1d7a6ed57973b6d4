"""The FastAPI application over one sidecar: errors as documents, routes by noun."""

from functools import partial
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.routing import Route

from deepseedian import __version__
from deepseedian.api import asking, browsing, completing, importing, models, notes, recalling, reviewing, routes, talking, tending, tools
from deepseedian.api.answer import Answer
from deepseedian.api.host import Host
from deepseedian.api.mcp_entry import PATH, McpEntry
from deepseedian.api.security import Gate
from deepseedian.errors import BadInput, DeepseedianError, NotFound, from_os_error

# each with a `router`; the first that fits answers
PARTS = (recalling, importing, routes, asking, browsing, completing, models, notes, reviewing, talking, tending, tools)


def create(host: Host) -> Gate:
    """The application behind its gate."""
    app = FastAPI(title="Deepseedian", version=__version__, docs_url=None, redoc_url=None, openapi_url="/v1/openapi.json",
                  redirect_slashes=False)
    app.state.host = host
    app.add_exception_handler(DeepseedianError, _known)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(OSError, _system)
    app.add_exception_handler(Exception, _unknown)
    for part in PARTS:
        app.include_router(part.router, prefix="/v1")
    app.router.routes.append(Route(PATH, McpEntry(), include_in_schema=False))
    app.openapi = partial(_contract, app)  # type: ignore[method-assign]
    return Gate(app, token=host.token, port=host.port)


def named_routes() -> list[APIRoute]:
    """Every route under /v1, by its function's name."""
    return [route for part in PARTS for route in part.router.routes if isinstance(route, APIRoute)]


def _contract(app: FastAPI) -> dict[str, Any]:
    """Put together at the first request for it."""
    from deepseedian.api.contract import contract

    if app.openapi_schema is None:
        app.openapi_schema = contract(app.title, app.version, app.routes, named_routes(), "/v1")
    return app.openapi_schema


def _document(error: DeepseedianError, status: int | None = None) -> Answer:
    return Answer(error.document(), status or error.status)


async def _known(request: Request, error: Exception) -> Answer:
    assert isinstance(error, DeepseedianError)
    return _document(error)


async def _system(request: Request, error: Exception) -> Answer:
    assert isinstance(error, OSError)
    return _document(from_os_error(error))


async def _invalid(request: Request, error: Exception) -> Answer:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0] if error.errors() else {"loc": (), "msg": "invalid"}
    place = ".".join(str(part) for part in first["loc"])
    return _document(BadInput(f"{place}: {first['msg']}", "see /v1/openapi.json"))


async def _http(request: Request, error: Exception) -> Answer:
    assert isinstance(error, HTTPException)
    kind = NotFound if error.status_code == 404 else BadInput
    return _document(kind(str(error.detail), "see /v1/openapi.json"), error.status_code)


async def _unknown(request: Request, error: Exception) -> Answer:
    return _document(DeepseedianError("something went wrong inside the daemon", "deepseedian check, then try again"))
