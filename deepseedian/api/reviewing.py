"""Routes about what waits for the owner: effect of a proposal, a fresh one for a stale one, the reminder, what runs have cost."""

from fastapi import APIRouter

from deepseedian.api import schemas
from deepseedian.api.answer import Answer
from deepseedian.api.routes import Serving

router = APIRouter()


@router.get("/previews/{id:path}")
def preview_of(host: Serving, id: str) -> Answer:
    return Answer(host.sidecar.preview_of(id))


@router.post("/proposals/{id:path}/refresh")
def refresh(host: Serving, id: str, body: schemas.EmptyRequest) -> Answer:
    return Answer(host.sidecar.refresh(id))


@router.post("/reminder")
def remind(host: Serving, body: schemas.EmptyRequest) -> Answer:
    return Answer(host.sidecar.remind())


@router.get("/ledger")
def spending(host: Serving, days: int = 30) -> Answer:
    return Answer(host.sidecar.spending(days))
