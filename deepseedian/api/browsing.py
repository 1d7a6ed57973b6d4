"""The route of the archive."""

from fastapi import APIRouter

from deepseedian.api.answer import Answer
from deepseedian.api.routes import Serving

router = APIRouter()


@router.get("/archive")
def archive(host: Serving) -> Answer:
    return Answer(host.sidecar.archive())
