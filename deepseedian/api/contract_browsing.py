"""What the routes of the archive and of ids answer, for OpenAPI."""

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


class Match(BaseModel):
    """`text` is the beginning of an entry, a proposal or a question, or the title of a session."""

    id: str
    text: str


class Matches(BaseModel):
    matches: list[Match]


ANSWERS: dict[str, type[BaseModel]] = {"archive": Archive, "matching": Matches}
