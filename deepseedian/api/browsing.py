"""The routes of the archive and of ids."""

from typing import Literal

from fastapi import APIRouter

from deepseedian.api.answer import Answer
from deepseedian.api.routes import Serving

router = APIRouter()


@router.get("/archive")
def archive(host: Serving) -> Answer:
    return Answer(host.sidecar.archive())


@router.get("/ids")
def matching(host: Serving, kind: Literal["entry", "proposal", "session", "turn"], prefix: str, session: str = "") -> Answer:
    return Answer(host.sidecar.matching(kind, prefix, session))
