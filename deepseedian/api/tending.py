"""Routes of what looks after memory as a whole: the sweep, what contradicts, the report."""

from fastapi import APIRouter

from deepseedian.api import schemas
from deepseedian.api.answer import Answer
from deepseedian.api.routes import Serving

router = APIRouter()


@router.post("/sweep")
def sweep(host: Serving, body: schemas.EmptyRequest) -> Answer:
    return Answer(host.sidecar.sweep())


@router.get("/conflicts")
def conflicts(host: Serving) -> Answer:
    return Answer(host.sidecar.conflicts())


@router.post("/report")
def report(host: Serving, body: schemas.ReportRequest) -> Answer:
    return Answer(host.sidecar.report(body.days, body.write))
