"""What a request may hold; anything else is refused."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictStr


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


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
    """A finished turn. A message is `{"role": user | assistant | system | tool, "text", "sender"?}`."""

    session: Any
    messages: Any
    at: Any = None
    preset: Any = ""
    origin: Any = ""
    cwd: Any = ""


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


class ModelTestRequest(_Request):
    """`profile` is a name from config.toml; empty means the one in force."""

    profile: StrictStr = ""
