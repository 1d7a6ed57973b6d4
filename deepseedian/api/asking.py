"""Routes of a turn with a model: its events as they come, and stopping it."""

import asyncio
import json
from collections.abc import AsyncIterator

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from deepseedian.agent.turn import Event, Running
from deepseedian.api import schemas
from deepseedian.api.answer import Answer
from deepseedian.api.host import Host
from deepseedian.api.routes import HEARTBEAT_SECONDS, Serving

router = APIRouter()
LOOK_SECONDS = 0.2


@router.post("/ask", response_class=StreamingResponse)
def ask(host: Serving, body: schemas.AskRequest) -> StreamingResponse:
    """Server-sent events from `turn` to `done`; a caller that goes away stops the turn, what was answered is kept."""
    running = host.sidecar.begin_turn(**body.model_dump())
    return _Told(host, running)


@router.post("/ask/{id}/stop")
def stop_turn(host: Serving, id: str, body: schemas.EmptyRequest) -> Answer:
    return Answer(host.sidecar.stop_turn(id))


class _Told(StreamingResponse):
    """Ends its turn however it ends itself: of a caller that left before the first event, no event is ever asked for."""

    def __init__(self, host: Host, running: Running) -> None:
        super().__init__(_events(host, running), media_type="text/event-stream", headers={"Cache-Control": "no-store"})
        self.running = running

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.running.stop()


async def _events(host: Host, running: Running) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Event | None] = asyncio.Queue()

    def put(event: Event | None) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, event)

    running.listen(put)
    quiet = 0.0
    try:
        while not host.stopping():
            try:
                event = await asyncio.wait_for(queue.get(), LOOK_SECONDS)
            except TimeoutError:
                quiet += LOOK_SECONDS
                if quiet >= HEARTBEAT_SECONDS:
                    quiet = 0.0
                    yield ": still here\n\n"
                continue
            if event is None:
                return
            quiet = 0.0
            yield _line(event)
    finally:
        running.leave(put)
        running.stop()


def _line(event: Event) -> str:
    data = json.dumps(event[1], ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
    return f"event: {event[0]}\ndata: {data}\n\n"
