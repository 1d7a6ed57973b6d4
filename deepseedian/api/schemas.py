"""What a request may hold; anything else is refused."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", cache_strings="keys")  # short values would stay in memory, also those of erased texts


class RecallRequest(_Request):
    """A question. `why` also gives the receipt, `inject` the text to put before the turn of `session`.

    `revision` reads a snapshot of this turn again, `as_of` the memory of a date or time; the rest is kept with the receipt.
    """

    question: StrictStr
    why: StrictBool = False
    revision: StrictStr = ""
    session: StrictStr = ""
    as_of: StrictStr = ""
    inject: StrictBool = False
    door: StrictStr = ""
    preset: StrictStr = ""
    origin: StrictStr = ""
    cwd: StrictStr = ""


class RememberRequest(_Request):
    text: StrictStr
    topic: StrictStr = "general"
    kind: StrictStr = ""
    source: StrictStr = ""
    trust: StrictStr = "user_stated"
    allow_secret: StrictBool = False


class ChangeRequest(_Request):
    """Exactly one of `text` (edit), `topic` (move) and `on` (pin) per request."""

    text: StrictStr | None = None
    topic: StrictStr | None = None
    on: StrictBool | None = None
    allow_secret: StrictBool = False


class ObserveRequest(_Request):
    """A finished turn, `turn` the host's own id of it.

    A message is `{"role": user | assistant | system | tool, "text", "sender"?}`.
    """

    session: Any
    messages: Any
    at: Any = None
    preset: Any = ""
    origin: Any = ""
    cwd: Any = ""
    turn: Any = ""


class Quote(_Request):
    source: StrictStr
    quote: StrictStr


class ProposeRequest(_Request):
    text: StrictStr
    reason: StrictStr
    operation: Literal["add", "edit", "merge", "move", "archive"] = "add"
    topic: StrictStr = ""
    kind: StrictStr = ""
    entries: list[StrictStr] = []
    evidence: list[Quote] = []


class DecisionRequest(_Request):
    """`text` is the owner's own version of a proposed text, for an approval."""

    decision: Literal["approve", "dismiss"]
    text: StrictStr | None = None


class FeedbackRequest(_Request):
    """`question` is what was asked, `receipt` the recall that gave the entry; both may be left out."""

    id: StrictStr
    feedback: Literal["useful", "wrong"]
    question: StrictStr = Field("", max_length=40_000)
    receipt: StrictStr = ""


class VerdictRequest(_Request):
    """Whether the judge was right to keep or drop an entry."""

    entry: StrictStr
    verdict: Literal["right", "wrong"]


class EraseRequest(_Request):
    id: StrictStr


class ConfirmRequest(_Request):
    """Entries by id, or `all`; and the rules."""

    ids: list[StrictStr] = []
    all: StrictBool = False
    rules: StrictBool = False


class CheckRequest(_Request):
    restore: StrictBool = False
    accept: StrictBool = False


class SettingRequest(_Request):
    value: StrictStr


class EmptyRequest(_Request):
    """A request without parameters: `{}`."""


class ToolRequest(_Request):
    """The tool's own arguments; `session` is whose turn it is."""

    arguments: dict[str, Any] = {}
    session: StrictStr = ""


class AskRequest(_Request):
    """A question. `context` is where the person is: `{"path","selection","nearby","heading","startLine","endLine","revision","pinned"}`.

    An attachment is `{"name","text"}`, `{"name","data": base64}` or `{"path"}` in the vault. `parent` is the turn it goes on
    from, `again` asks the last question once more that got no answer.
    """

    question: StrictStr = ""
    session: StrictStr = Field("", max_length=120)
    parent: StrictStr = Field("", max_length=120)
    context: dict[str, Any] = {}
    attachments: list[dict[str, Any]] = []
    profile: StrictStr = Field("", max_length=200)
    again: StrictBool = False


class ReportRequest(_Request):
    """`days` back from now; `write` off answers with the text alone."""

    days: StrictInt = 7
    write: StrictBool = True


class ModelTestRequest(_Request):
    """`profile` is a name from config.toml; empty means the one in force."""

    profile: StrictStr = ""


class SessionRequest(_Request):
    """A session before its first turn; without `id` one is made."""

    id: StrictStr = ""
    title: StrictStr = ""
    goal: StrictStr = ""
    reads: StrictBool = True
    contributes: StrictBool = True


class SessionChangeRequest(_Request):
    """What is named is changed. `contribute_from`: learn from what is said from `now` on, or from `all` of it."""

    title: StrictStr | None = None
    goal: StrictStr | None = None
    reads: StrictBool | None = None
    contributes: StrictBool | None = None
    contribute_from: Literal["now", "all"] | None = None


class ForkRequest(_Request):
    """From the completed answer of `turn`; `new` is the id of the session that is made."""

    turn: StrictStr
    new: StrictStr = ""


class OrganizeRequest(_Request):
    """One session, or the entries of one topic; both empty: whatever is new."""

    session: StrictStr = Field("", max_length=120)
    topic: StrictStr = Field("", max_length=200)


class ImportRequest(_Request):
    """Items become proposals, or entries of trust external; `topic` is for all of them, `about` names where they come from.

    An item is `{"text","topic"?,"createdAt"?,"source"?,"kind"?,"id"?,"place"?}`, `place` being where it stands in its file. One that
    cannot be read costs no other.
    """

    items: list[Any] = []
    how: Literal["proposals", "external"] = "proposals"
    topic: StrictStr = ""
    about: StrictStr = ""
    dry_run: StrictBool = False


class ImportSessionsRequest(_Request):
    """Chats: `{"session","title"?,"goal"?,"turns":[{"turn"?,"at"?,"messages":[{"role","text"}]}]}` each."""

    sessions: list[Any] = []
    dry_run: StrictBool = False


class CompleteRequest(_Request):
    """The text around a cursor, its note's title and path in the vault; `place` is where the cursor is.

    The model gets at most 3000 units before, 1000 after and 200 of the title, and never the path.
    """

    before: StrictStr = Field("", max_length=40_000)
    after: StrictStr = Field("", max_length=40_000)
    title: StrictStr = Field("", max_length=1000)
    path: StrictStr = Field("", max_length=4000)
    place: Literal["note", "chat"] = "note"
