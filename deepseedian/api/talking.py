"""The routes of conversations and of what happened in their turns."""

from fastapi import APIRouter

from deepseedian.api import schemas
from deepseedian.api.answer import Answer
from deepseedian.api.routes import Serving

router = APIRouter()


@router.get("/sessions")
def session_list(host: Serving, query: str = "", offset: int = 0, limit: int = 20) -> Answer:
    return Answer(host.sidecar.session_list(query, offset, limit))


@router.post("/sessions")
def session_new(host: Serving, body: schemas.SessionRequest) -> Answer:
    return Answer(host.sidecar.session_new(**body.model_dump()))


@router.get("/sessions/{id}")
def session(host: Serving, id: str, turn: str = "", all: bool = False) -> Answer:
    return Answer(host.sidecar.session(id, turn, all))


@router.patch("/sessions/{id}")
def session_set(host: Serving, id: str, body: schemas.SessionChangeRequest) -> Answer:
    return Answer(host.sidecar.session_set(id, **body.model_dump()))


@router.delete("/sessions/{id}")
def session_delete(host: Serving, id: str) -> Answer:
    return Answer(host.sidecar.session_delete(id))


@router.post("/sessions/{id}/fork")
def session_fork(host: Serving, id: str, body: schemas.ForkRequest) -> Answer:
    return Answer(host.sidecar.session_fork(id, **body.model_dump()))


@router.get("/traces")
def trace_list(host: Serving, session: str = "", limit: int = 20) -> Answer:
    return Answer(host.sidecar.trace_list(session, limit))


@router.get("/traces/{turn}")
def trace(host: Serving, turn: str) -> Answer:
    return Answer(host.sidecar.trace(turn))
