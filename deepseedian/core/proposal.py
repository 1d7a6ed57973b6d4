"""A proposal: a change that waits for the owner, with its reason and the words it came from.

Everything a later approval writes is minted here (entry ids, time stamps), so that applying a proposal
twice, on two devices, gives the same bytes.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from deepseedian.core.entry import Entry
from deepseedian.core.snapshot import sha256
from deepseedian.core.topic import safe_path
from deepseedian.errors import BadInput

OPERATIONS = ("add", "edit", "merge", "move", "archive")
STATUSES = ("open", "approved", "dismissed", "stale", "expired", "undone")
ORIGINS = ("capture", "idle", "asked", "sweep", "host", "sync", "import")
SYSTEM_MADE = ("idle", "asked", "sweep", "host")  # made by a program, whoever's words it cites; they may expire
REASON_LIMIT = 500
QUOTE_LIMIT = 500


@dataclass(frozen=True, slots=True)
class Evidence:
    """`source` is the key of the message the quote stands in, verbatim."""

    source: str
    quote: str


@dataclass(frozen=True, slots=True)
class Target:
    """An entry the proposal touches, with the hash it had; `archive_id` is minted for its old version."""

    id: str
    hash: str
    archive_id: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """`base` is the revision it was made against, `note` its review note relative to the vault.

    For add and merge `entry_id` is the id of the new entry; `meta` are the properties of an entry that exists
    elsewhere already, such as in a conflict copy. `message` says why it is stale or what came of it.
    """

    id: str
    batch: str
    at: str
    operation: str
    text: str
    topic: str
    kind: str
    reason: str
    evidence: tuple[Evidence, ...]
    base: str
    origin: str
    entry_id: str
    targets: tuple[Target, ...] = ()
    before: tuple[str, ...] = ()
    trust: str = "user_stated"
    status: str = "open"
    note: str = ""
    noted: bool = False
    decided_at: str = ""
    message: str = ""
    meta: tuple[tuple[str, object], ...] = ()
    review_at: str = ""

    @property
    def system_made(self) -> bool:
        return self.origin in SYSTEM_MADE

    @property
    def contested(self) -> bool:
        """A new statement beside one that it differs from without showing it to be outdated: both stay, and say so."""
        return self.operation == "add" and bool(self.targets)

    @property
    def mechanical(self) -> bool:
        """Exact duplicates, and nothing but white space: no meaning changes."""
        words = {" ".join(text.split()) for text in (*self.before, self.text)}
        return self.operation in ("edit", "merge") and bool(self.before) and len(words) == 1 and not self.review_at

    @property
    def one_click(self) -> bool:
        """Whether `Approve all` covers it: what changes or ends what memory says is decided one by one."""
        return self.mechanical or (self.operation in ("add", "move") and not self.contested)

    @property
    def source_keys(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(item.source for item in self.evidence if item.source))

    @property
    def open(self) -> bool:
        return self.status == "open"

    def document(self) -> dict[str, object]:
        """The proposal as it is stored."""
        found = asdict(self)
        found["meta"] = dict(self.meta)
        return {key: value for key, value in found.items() if key not in ("meta", "review_at") or value}

    def summary(self) -> dict[str, object]:
        """The proposal as it goes over the wire."""
        shown = ("id", "batch", "at", "operation", "kind", "topic", "text", "reason", "status", "note", "base", "origin", "message")
        found: dict[str, object] = {name: getattr(self, name) for name in shown}
        found["note"] = self.note or None
        if self.review_at:
            found["reviewAt"] = self.review_at
        return found | {"oneClick": self.one_click, "contested": self.contested,
                        "evidence": [asdict(item) for item in self.evidence], "entries": [target.id for target in self.targets],
                        "before": list(self.before)}


def from_document(value: object) -> Proposal:
    """Raises BadInput for anything but a proposal."""
    if not isinstance(value, Mapping):
        raise BadInput("not a proposal")
    try:
        fields = {str(key): item for key, item in value.items()}
        fields["evidence"] = tuple(Evidence(**item) for item in fields["evidence"])
        fields["targets"] = tuple(Target(**item) for item in fields.get("targets", ()))
        fields["before"] = tuple(fields.get("before", ()))
        fields["meta"] = tuple(fields.get("meta", {}).items())
        found = Proposal(**fields)
    except (TypeError, KeyError, AttributeError):
        raise BadInput("a proposal lacks something") from None
    pieces = [piece for quote in found.evidence for piece in (quote.source, quote.quote)]
    pieces += [piece for target in found.targets for piece in (target.id, target.hash, target.archive_id)]
    texts = [value for name, value in fields.items() if name not in ("evidence", "targets", "before", "meta", "noted")]
    if not all(isinstance(text, str) for text in (*texts, *pieces, *found.before)) or not isinstance(found.noted, bool):
        raise BadInput("a proposal with wrong types")
    if found.operation not in OPERATIONS or found.status not in STATUSES or not found.id:
        raise BadInput("a proposal with wrong values")
    shown = found.note == "" or (safe_path(found.note) and found.note.endswith(".md") and not any(
        part.startswith(".") for part in found.note.split("/")))
    if not shown:
        raise BadInput("a proposal with a note elsewhere")  # a synced file is untrusted
    return found


@dataclass(frozen=True, slots=True)
class Draft:
    """What somebody wants to propose, before it is checked and minted. `entries` are the ids it touches.

    `id`, `at` and `meta` are given where two devices make the same proposal from the same file.
    """

    operation: str
    text: str
    reason: str
    evidence: tuple[Evidence, ...] = ()
    entries: tuple[str, ...] = ()
    topic: str = ""
    kind: str = ""
    trust: str = "user_stated"
    id: str = ""
    at: str = ""
    meta: tuple[tuple[str, object], ...] = ()
    review_at: str = ""


def entry_hash(entry: Entry) -> str:
    """What tells that a touched entry is still the one the proposal was made for; moving it changes nothing."""
    return sha256(entry.text.encode())


def decided(proposal: Proposal, status: str, at: str, message: str = "") -> Proposal:
    return replace(proposal, status=status, decided_at=at, message=message)


def told(text: str) -> str:
    """What two texts share that differ in spacing, case or the sign at the end only; every other sign counts: C is not C++."""
    return " ".join(text.casefold().split()).rstrip(" .!?。！？…")


def same_words(text: str) -> str:
    """What two texts share that say the same with other spacing, case or punctuation."""
    return "".join(char for char in text.casefold() if char.isalnum())
