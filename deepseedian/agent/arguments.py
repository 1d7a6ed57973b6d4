"""What the tools take, as models: checked strictly, and shown to a model as JSON schema with these descriptions."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

AS_OF = "memory as it was then: a date (its end) or a time; empty for now"


class Arguments(BaseModel):
    """What a tool takes; anything else is refused."""

    model_config = ConfigDict(extra="forbid")


class Nothing(Arguments):
    pass


class MemorySearch(Arguments):
    query: StrictStr = Field("", max_length=400, description="what to look for; empty pages through everything, newest first")
    offset: StrictInt = Field(0, ge=0, le=100_000, description="how many results to skip")
    as_of: StrictStr = Field("", max_length=40, description=AS_OF)


class MemoryRead(Arguments):
    id: StrictStr = Field(max_length=200, description="an entry's id from the index or a search")


class MemoryRecall(Arguments):
    question: StrictStr = Field(min_length=1, max_length=40_000, description="the person's question in their own words")
    as_of: StrictStr = Field("", max_length=40, description=AS_OF)


class MemoryPropose(Arguments):
    operation: Literal["add", "edit", "merge", "archive", "text"] = Field(
        description="add a statement, edit or archive one entry, merge entries, or `text`: raw text of the person "
                    "that the rules look through")
    text: StrictStr = Field("", max_length=4000,
        description="the new or edited statement, self-contained; for `text` the person's own words")
    reason: StrictStr = Field("", max_length=500, description="why, in one line, for the person who decides")
    entries: list[StrictStr] = Field([], max_length=12, description="ids of the entries that edit, merge or archive is about")
    topic: StrictStr = Field("", max_length=200, description="a topic for a new statement; empty for the general one")
    kind: StrictStr = Field("", max_length=20,
        description="preference, goal, decision, fact, question, finding or workflow; may be empty")
    quote: StrictStr = Field("", max_length=500,
        description="the person's words it rests on, verbatim; in a chat from their current message")


class MemoryManage(Arguments):
    action: Literal["add", "edit", "remove"]
    quote: StrictStr = Field(min_length=1, max_length=500,
        description="the person's request, verbatim from their current message")
    id: StrictStr = Field("", max_length=200, description="the entry to edit or remove")
    text: StrictStr = Field("", max_length=2000, description="the statement to add, or the entry's whole new text")


class MemoryFeedback(Arguments):
    id: StrictStr = Field(max_length=200, description="the entry")
    feedback: Literal["useful", "wrong"]
    question: StrictStr = Field("", max_length=40_000, description="what was asked when it was given")


class MemoryReport(Arguments):
    days: StrictInt = Field(7, ge=1, le=90, description="how many days back from now")


class MemoryOrganize(Arguments):
    session: StrictStr = Field("", max_length=120, description="only this conversation; empty for all that is new")
    topic: StrictStr = Field("", max_length=200, description="tidy the entries of this topic too; empty for none")


class NotesSearch(Arguments):
    query: StrictStr = Field(min_length=1, max_length=400, description="words to find in titles, headings, tags and text")
    offset: StrictInt = Field(0, ge=0, le=100_000)
    limit: StrictInt = Field(8, ge=1, le=20)
    folder: StrictStr = Field("", max_length=1000, description="only notes below this folder of the vault")


class NotesRead(Arguments):
    path: StrictStr = Field(min_length=1, max_length=1000, description="a note's path in the vault, as a tool returned it")
    offset: StrictInt = Field(1, ge=1, le=10_000_000, description="the first line, counted from 1")


class NotePath(Arguments):
    path: StrictStr = Field(min_length=1, max_length=1000, description="a note's path in the vault")


class NotesQuery(Arguments):
    folder: StrictStr = Field("", max_length=1000)
    tag: StrictStr = Field("", max_length=200)
    property: StrictStr = Field("", max_length=200, description="notes that have this property")
    value: StrictStr = Field("", max_length=200, description="and this value of it")
    query: StrictStr = Field("", max_length=400, description="a text in path or title")
    offset: StrictInt = Field(0, ge=0, le=1_000_000)
    limit: StrictInt = Field(20, ge=1, le=50)


class NotesResolve(Arguments):
    link: StrictStr = Field(min_length=1, max_length=1200,
        description="[[note]], [[note#heading]], [[note#^block]], or a Markdown link's target")
    source: StrictStr = Field("", max_length=1000, description="the note the link stands in")
