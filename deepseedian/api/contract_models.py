"""What the routes about chat models answer, for OpenAPI."""

from typing import Literal

from pydantic import BaseModel


class Models(BaseModel):
    """What the server of a profile lists; the name is empty for what the settings say."""

    profile: str
    endpoint: str
    model: str
    models: list[str]


class KeyOrigin(BaseModel):
    """Never the key: whether one is set, and where it comes from."""

    name: str | None = None
    set: bool
    origin: str
    fault: str | None = None


class Prices(BaseModel):
    """Per million tokens."""

    input: float | None
    output: float | None
    cached: float | None


class ModelProfile(BaseModel):
    """`fault` says why it cannot be used, and is empty when it can."""

    name: str
    endpoint: str
    model: str
    key: KeyOrigin
    images: bool
    contextTokens: int
    prices: Prices | None
    fault: str


class ModelProfiles(BaseModel):
    """`inForce` and `judge` name profiles; null without a model."""

    inForce: str | None
    judge: str | None
    profiles: list[ModelProfile]


class ModelTried(BaseModel):
    """`none`: not there, not known or not tried."""

    name: str
    state: Literal["ok", "failed", "none"]
    reason: str
    milliseconds: float | None


class ModelTest(BaseModel):
    """`latencyMs` is the time to the first piece of an answer."""

    profile: str
    endpoint: str
    model: str
    key: KeyOrigin
    lines: list[ModelTried]
    latencyMs: float | None


ANSWERS: dict[str, type[BaseModel]] = {"models": Models, "model_profiles": ModelProfiles, "model_test": ModelTest}
