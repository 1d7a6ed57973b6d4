"""The routes about chat models. Keys never go over them: only whether one is set, and where it comes from."""

from fastapi import APIRouter

from deepseedian.api import schemas
from deepseedian.api.answer import Answer
from deepseedian.api.routes import Serving

router = APIRouter()


@router.get("/models")
def models(host: Serving, profile: str = "") -> Answer:
    return Answer(host.sidecar.models(profile))


@router.get("/models/profiles")
def model_profiles(host: Serving) -> Answer:
    return Answer(host.sidecar.model_profiles())


@router.post("/models/test")
def model_test(host: Serving, body: schemas.ModelTestRequest) -> Answer:
    return Answer(host.sidecar.model_test(body.profile))
