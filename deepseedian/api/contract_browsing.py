"""What the routes that look back answer, for OpenAPI."""

from pydantic import BaseModel, ConfigDict


class Version(BaseModel):
    """An entry as it is or was. More keys may follow: those of its hidden metadata."""

    model_config = ConfigDict(extra="allow")
    id: str
    topic: str
    text: str
    createdAt: str
    source: str


class Archive(BaseModel):
    revision: str
    entries: list[Version]


class TimelineVersion(Version):
    archived: bool


class TimelineChange(BaseModel):
    id: str
    at: str
    kind: str
    summary: str


class TimelineRecall(BaseModel):
    receipt: str
    at: str
    session: str


class Recalled(BaseModel):
    """`total` times; `recalls` are the last ones."""

    total: int
    recalls: list[TimelineRecall]


class Timeline(BaseModel):
    """`versions` and `changes` newest first."""

    id: str
    versions: list[TimelineVersion]
    changes: list[TimelineChange]
    recalled: Recalled


ANSWERS: dict[str, type[BaseModel]] = {"archive": Archive, "timeline": Timeline}
