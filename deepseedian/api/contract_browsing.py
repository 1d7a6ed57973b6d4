"""What the route of the archive answers, for OpenAPI."""

from pydantic import BaseModel, ConfigDict


class ArchivedEntry(BaseModel):
    """An entry as it was. More keys may follow: those of its hidden metadata, `supersededBy` and `endedAt` among them."""

    model_config = ConfigDict(extra="allow")
    id: str
    topic: str
    text: str
    createdAt: str
    source: str


class Archive(BaseModel):
    """The one that ended last first."""

    revision: str
    entries: list[ArchivedEntry]


ANSWERS: dict[str, type[BaseModel]] = {"archive": Archive}
