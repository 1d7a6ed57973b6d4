"""The routes under /v1. Each calls one method of the sidecar."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.responses import StreamingResponse

from deepseedian.api import schemas
from deepseedian.api.answer import Answer
from deepseedian.api.host import Host
from deepseedian.broadcast import Event
from deepseedian.errors import BadInput

router = APIRouter()
HEARTBEAT_SECONDS = 15.0


async def _host(request: Request) -> Host:
    """Async, as the next one: FastAPI sends every other function to a thread and back, 0.2 ms a request."""
    return request.app.state.host  # type: ignore[no-any-return]


async def _key(idempotency_key: Annotated[str, Header(max_length=200)] = "") -> str:
    return idempotency_key


Serving = Annotated[Host, Depends(_host)]
Key = Annotated[str, Depends(_key)]


@router.get("/health")
def health(host: Serving) -> Answer:
    return Answer(host.sidecar.health())


@router.get("/status")
async def status(host: Serving) -> Answer:
    about = {"running": True, "pid": os.getpid(), "socket": host.socket, "port": host.port}
    return Answer(about | host.sidecar.status())


@router.get("/search")
def search(host: Serving, query: str = "", offset: int = 0, limit: int = 8, revision: str = "", as_of: str = "") -> Answer:
    return Answer(host.sidecar.search(query, offset, limit, revision, as_of))


@router.get("/entries")
def entries(host: Serving, topic: str = "") -> Answer:
    return Answer(host.sidecar.entries(topic))


@router.get("/entries/{id:path}")
def entry(host: Serving, id: str, revision: str = "") -> Answer:
    return Answer(host.sidecar.show(id, revision))


@router.post("/entries")
def remember(host: Serving, body: schemas.RememberRequest, key: Key) -> Answer:
    return Answer(host.sidecar.remember(**body.model_dump(), key=key))


@router.patch("/entries/{id:path}")
def change(host: Serving, id: str, body: schemas.ChangeRequest, key: Key) -> Answer:
    wanted = body.model_dump(exclude_none=True, exclude={"allow_secret"})
    if len(wanted) != 1:
        raise BadInput("exactly one of text, topic and on", "send one request per change")
    if body.text is not None:
        return Answer(host.sidecar.edit(id, body.text, body.allow_secret, key))
    if body.topic is not None:
        return Answer(host.sidecar.move(id, body.topic, key))
    return Answer(host.sidecar.pin(id, bool(body.on), key))


@router.delete("/entries/{id:path}")
def forget(host: Serving, id: str, key: Key) -> Answer:
    return Answer(host.sidecar.forget(id, key))


@router.post("/erase")
def erase(host: Serving, body: schemas.EraseRequest) -> Answer:
    return Answer(host.sidecar.erase(body.id))


@router.get("/history")
def history(host: Serving, limit: int = 50) -> Answer:
    return Answer(host.sidecar.history(limit))


@router.post("/undo")
def undo(host: Serving, body: schemas.EmptyRequest) -> Answer:
    return Answer(host.sidecar.undo())


@router.post("/redo")
def redo(host: Serving, body: schemas.EmptyRequest) -> Answer:
    return Answer(host.sidecar.redo())


@router.post("/observe")
def observe(host: Serving, body: schemas.ObserveRequest) -> Answer:
    return Answer(host.sidecar.observe(**body.model_dump()))


@router.post("/organize")
def organize(host: Serving, body: schemas.OrganizeRequest) -> Answer:
    return Answer(host.sidecar.organize(body.session, body.topic))


@router.post("/activity")
def activity(host: Serving, body: schemas.EmptyRequest) -> Answer:
    return Answer(host.sidecar.activity())


@router.get("/claims")
def claims(host: Serving) -> Answer:
    return Answer(host.sidecar.claims())


@router.post("/claims")
def confirm(host: Serving, body: schemas.ConfirmRequest) -> Answer:
    return Answer(host.sidecar.confirm(**body.model_dump()))


@router.get("/proposals")
def proposals(host: Serving, all: bool = False) -> Answer:
    return Answer(host.sidecar.proposals(all))


@router.post("/proposals")
def propose(host: Serving, body: schemas.ProposeRequest) -> Answer:
    return Answer(host.sidecar.propose(**body.model_dump()))


@router.get("/proposals/{id:path}")
def proposal(host: Serving, id: str) -> Answer:
    return Answer(host.sidecar.proposal(id))


@router.post("/proposals/{id:path}/decision")
def decide(host: Serving, id: str, body: schemas.DecisionRequest) -> Answer:
    return Answer(host.sidecar.decide(id, body.decision, body.text))


@router.get("/receipts")
def receipts(host: Serving, session: str = "", offset: int = 0, limit: int = 20) -> Answer:
    return Answer(host.sidecar.receipts(session, offset, limit))


@router.get("/receipts/{id}")
def receipt(host: Serving, id: str) -> Answer:
    return Answer(host.sidecar.receipt(id))


@router.post("/receipts/{id}/verdicts")
def verdict(host: Serving, id: str, body: schemas.VerdictRequest) -> Answer:
    return Answer(host.sidecar.verdict(id, body.entry, body.verdict))


@router.post("/feedback")
def feedback(host: Serving, body: schemas.FeedbackRequest) -> Answer:
    return Answer(host.sidecar.feedback(**body.model_dump()))


@router.get("/stats")
def stats(host: Serving, days: int = 7) -> Answer:
    return Answer(host.sidecar.stats(days))


@router.post("/check")
def check(host: Serving, body: schemas.CheckRequest) -> Answer:
    return Answer(host.sidecar.check(body.restore, body.accept))


@router.get("/export", response_class=StreamingResponse)
def export(host: Serving, format: Literal["jsonl", "markdown"] = "jsonl") -> StreamingResponse:
    kind = "application/x-ndjson" if format == "jsonl" else "text/markdown; charset=utf-8"
    return StreamingResponse(host.sidecar.export(format), media_type=kind)


@router.get("/settings")
def settings(host: Serving) -> Answer:
    return Answer(host.sidecar.settings())


@router.get("/settings/{name:path}")
def get_setting(host: Serving, name: str) -> Answer:
    return Answer(host.sidecar.get_setting(name))


@router.put("/settings/{name:path}")
def set_setting(host: Serving, name: str, body: schemas.SettingRequest) -> Answer:
    return Answer(host.sidecar.set_setting(name, body.value))


@router.get("/embedding/models")
def embedding_models(host: Serving) -> Answer:
    return Answer(host.sidecar.embedding_models())


@router.post("/embedding/test")
def embedding_test(host: Serving, body: schemas.EmptyRequest) -> Answer:
    return Answer(host.sidecar.embedding_test())


@router.post("/embedding/refresh")
def embedding_refresh(host: Serving, body: schemas.EmptyRequest) -> Answer:
    return Answer(host.sidecar.embedding_refresh())


@router.post("/stop")
async def stop(host: Serving, body: schemas.EmptyRequest) -> Answer:
    asyncio.get_running_loop().call_later(0.05, host.stop)
    return Answer({"done": True})


@router.get("/events", response_class=StreamingResponse)
async def events(host: Serving, last_event_id: Annotated[str, Header()] = "",
                 after: Annotated[str, Query()] = "") -> StreamingResponse:
    """Server-sent events; `Last-Event-ID` or `after` resumes where an earlier stream of this daemon ended."""
    return StreamingResponse(_feed(host, last_event_id or after), media_type="text/event-stream",
                             headers={"Cache-Control": "no-store"})


async def _feed(host: Host, last: str) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Event] = asyncio.Queue(maxsize=1024)

    def put(event: Event) -> None:
        loop.call_soon_threadsafe(_offer, queue, event)

    missed = host.sidecar.broadcast.subscribe(put, _resumed(host, last))
    try:
        yield ": connected\n\n"
        for event in missed:
            yield _line(host, event)
        quiet = 0.0
        while not host.stopping():
            try:
                yield _line(host, await asyncio.wait_for(queue.get(), 0.2))
                quiet = 0.0
            except TimeoutError:
                quiet += 0.2
                if quiet >= HEARTBEAT_SECONDS:
                    quiet = 0.0
                    yield ": still here\n\n"
    finally:
        host.sidecar.broadcast.unsubscribe(put)


def _offer(queue: "asyncio.Queue[Event]", event: Event) -> None:
    if queue.full():  # a reader this slow resumes from its last id
        queue.get_nowait()
    queue.put_nowait(event)


def _resumed(host: Host, last: str) -> int | None:
    """The number to go on after; None for a fresh stream, 0 when the daemon was restarted since."""
    start, _, number = last.partition("-")
    if not last:
        return None
    return int(number) if start == host.start and number.isascii() and number.isdigit() and len(number) < 18 else 0


def _line(host: Host, event: Event) -> str:
    data = json.dumps(event.data, ensure_ascii=False).encode(errors="backslashreplace").decode()
    return f"id: {host.start}-{event.number}\nevent: {event.kind}\ndata: {data}\n\n"
