"""The route of inline completion: one short answer, and no call of a model that nobody waits for."""

import asyncio
import threading
from functools import partial

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from deepseedian.api import schemas
from deepseedian.api.answer import Answer
from deepseedian.api.routes import Serving

router = APIRouter()
LOOK_SECONDS = 0.1


@router.post("/complete")
async def complete(host: Serving, body: schemas.CompleteRequest, request: Request) -> Answer:
    """A text for the cursor, or why there is none; going away ends the call of the model."""
    cancelled = threading.Event()
    asked = partial(host.sidecar.complete, **body.model_dump(), cancelled=cancelled)
    answered = asyncio.ensure_future(run_in_threadpool(asked))
    try:
        while not (await asyncio.wait({answered}, timeout=LOOK_SECONDS))[0]:
            if host.stopping() or await request.is_disconnected():
                cancelled.set()
    finally:
        cancelled.set()
    return Answer(answered.result())
