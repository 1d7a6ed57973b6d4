"""Routes for looking back: the archive, and the life of one entry."""

from fastapi import APIRouter

from deepseedian.api.answer import Answer
from deepseedian.api.routes import Serving

router = APIRouter()


@router.get("/archive")
def archive(host: Serving) -> Answer:
    return Answer(host.sidecar.archive())


@router.get("/timelines/{id}")
def timeline(host: Serving, id: str) -> Answer:
    return Answer(host.sidecar.timeline(id))
