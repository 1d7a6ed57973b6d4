"""Routes of imports, and the timeline of an entry."""

from fastapi import APIRouter

from deepseedian.api import schemas
from deepseedian.api.answer import Answer
from deepseedian.api.routes import Serving

router = APIRouter()


@router.post("/import")
def import_items(host: Serving, body: schemas.ImportRequest) -> Answer:
    return Answer(host.sidecar.import_items(**body.model_dump()))


@router.post("/import/sessions")
def import_sessions(host: Serving, body: schemas.ImportSessionsRequest) -> Answer:
    return Answer(host.sidecar.import_sessions(**body.model_dump()))


@router.get("/entries/{id}/timeline")
def timeline(host: Serving, id: str, limit: int = 200) -> Answer:
    return Answer(host.sidecar.timeline(id, limit))
