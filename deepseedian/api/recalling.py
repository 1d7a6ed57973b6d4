"""The route of every turn, without the steps that it does not need."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect

from deepseedian.api import schemas
from deepseedian.api.answer import Answer
from deepseedian.api.routes import Serving

_THREADS = ThreadPoolExecutor(40, "recall")  # its own: other routes, however slow and many, never keep a turn waiting


class Direct(APIRoute):
    """A recall as it comes in: FastAPI works out anew at each request what a function is to be told, which took as long as
    looking through a hundred entries. A body that does not fit goes that way all the same: its answer says what is wrong. So
    does one that did not come whole, since its caller left: nobody is told, and it is no fault of ours to be logged.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        usual = super().get_route_handler()

        async def handler(request: Request) -> Response:
            try:
                body = schemas.RecallRequest.model_validate_json(await request.body())
            except (ValueError, ClientDisconnect):
                return await usual(request)
            return await asyncio.get_running_loop().run_in_executor(_THREADS, recall, request.app.state.host, body)
        return handler


router = APIRouter(route_class=Direct)


@router.post("/recall")
def recall(host: Serving, body: schemas.RecallRequest) -> Answer:
    response = Answer(host.sidecar.recall(**body.model_dump()))
    host.answered()
    return response
