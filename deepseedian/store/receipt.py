"""One receipt: what a recall was asked, what it gave, and how that came about; as a row, as a document, and with an entry erased.

It holds ids, scores and the question, never an entry's text.
"""

import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from deepseedian.core import erasure
from deepseedian.core.receipt import document as long

Row = tuple[object, ...]
JUDGED = ("judged", "cached", "arrived")  # states in which a verdict stands
COLUMNS = "id, at, session, door, question, revision, chars, tokens, milliseconds, shadow, judge, document"


@dataclass(frozen=True, slots=True)
class Judged:
    """What the judge made of a recall: ids kept and dropped, and how it came about: a state of `judging.Verdict`."""

    state: str = ""
    kept: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    milliseconds: float = 0.0

    def without(self, ids: Set[str]) -> "Judged":
        kept, dropped = (tuple(key for key in keys if key not in ids) for keys in (self.kept, self.dropped))
        return replace(self, kept=kept, dropped=dropped)

    def document(self) -> dict[str, object]:
        return {"state": self.state, "kept": list(self.kept), "dropped": list(self.dropped), "milliseconds": round(self.milliseconds, 1)}


@dataclass(frozen=True, slots=True)
class Receipt:
    """One recall. `injected` are the entries the asker was given, `again` those held back because the session has them already, each
    with the name of its content; `document` is what core.receipt tells of the recall, in either form, or gives
    it when the receipt is written. Whoever fills it never changes it afterwards.
    """

    id: str
    at: str
    question: str
    document: Mapping[str, object] | Callable[[], Mapping[str, object]]
    door: str = ""
    session: str = ""
    revision: str = ""
    injected: Mapping[str, str] = field(default_factory=dict)
    again: Mapping[str, str] = field(default_factory=dict)
    chars: int = 0
    tokens: int = 0
    milliseconds: float = 0.0
    shadow: bool = False
    judged: Judged = Judged()


@dataclass(frozen=True, slots=True)
class Injection:
    """What a session had before it when its owner answered: entries with the names of their contents, and the question's terms."""

    receipt: str
    at: str
    question: str
    terms: tuple[str, ...]
    entries: Mapping[str, str]


def row(receipt: Receipt) -> Row:
    document = receipt.document() if callable(receipt.document) else receipt.document
    return (receipt.id, receipt.at, receipt.session, receipt.door, receipt.question, receipt.revision, receipt.chars, receipt.tokens,
            receipt.milliseconds, int(receipt.shadow), packed_judge(receipt.judged), packed(document))


def injections(receipt: Receipt) -> Iterable[tuple[object, ...]]:
    for again, entries in enumerate((receipt.injected, receipt.again)):
        for entry, content in entries.items():
            yield receipt.id, receipt.session, receipt.at, entry, content, again


def packed(document: Mapping[str, object]) -> bytes:
    return zlib.compress(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(errors="replace"))


def loaded(blob: bytes) -> dict[str, object] | None:
    """The long form of a document; None for what cannot be read."""
    try:
        found = json.loads(zlib.decompress(blob)) if blob else {}
        return long(found) if isinstance(found, dict) else None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, zlib.error):
        return None


def packed_judge(judged: Judged) -> str:
    """Entries that passed because nobody judged them were not kept by the judge."""
    told = judged if judged.state in JUDGED else Judged(judged.state, milliseconds=judged.milliseconds)
    return json.dumps(told.document()) if judged.state else ""


def judge_of(text: str) -> Judged:
    try:
        body = json.loads(text) if text else {}
        return Judged(body.get("state", ""), tuple(body.get("kept", ())), tuple(body.get("dropped", ())), body.get("milliseconds", 0.0))
    except (ValueError, AttributeError, TypeError):
        return Judged()


def document_of(row: Sequence[object]) -> dict[str, object]:
    key, at, session, door, question, revision, chars, tokens, milliseconds, shadow, judge, _ = row
    return {"id": key, "at": at, "session": session, "door": door, "question": question, "revision": revision, "chars": chars,
            "tokens": tokens, "milliseconds": milliseconds, "shadow": bool(shadow), "judge": judge_of(str(judge)).document()}


def brief(document: Mapping[str, object]) -> dict[str, object]:
    """What a list shows of the scores: how many matched, which were offered, why nothing was."""
    offered = document.get("offered")
    ids = [item.get("id") for item in offered if isinstance(item, dict)] if isinstance(offered, list) else []
    return {"matched": document.get("matched", 0), "offered": ids, "reason": document.get("reason", "")}


def erased(question: str, judge: str, blob: bytes, ids: Set[str], texts: Sequence[str]) -> tuple[str, str, bytes] | None:
    """A receipt's question, judge and document without the entries; None when it does not tell of them.

    A question that says one of the texts goes with everything made of its words: its terms, and those of each score.
    """
    if not _mentions(judge, blob, ids) and not _says(question, texts, False):
        return None
    document, judged = loaded(blob), judge_of(judge)
    told = packed_judge(judged.without(ids)) if judge else ""
    left = {key: _without(value, ids) for key, value in (document or {}).items()}
    about = left != document  # it is known to be about them: a short text counts too
    if document is None or _says(question, texts, about):
        return erasure.WORD, told, b""
    return (question, told, packed(left)) if about or told != judge else None


def _mentions(judge: str, blob: bytes, ids: Set[str]) -> bool:
    """Whether a look at the document is worth it; one that cannot be unpacked is looked at."""
    try:
        data = zlib.decompress(blob) if blob else b""
    except zlib.error:
        return True
    return any(key in judge or key.encode() in data for key in ids)


def _says(question: str, texts: Sequence[str], about: bool) -> bool:
    """A log loses nothing by letting go of a question too many: as a part of a longer sentence a text counts too."""
    asked = " ".join(question.casefold().split())
    told = (erasure.same(text) for text in texts if erasure.telling(text))
    return any(text in asked for text in told if text) or erasure.cleaned(question, texts, short=about) != question


def _without(value: object, ids: Set[str]) -> object:
    """A document without every part that has one of these ids, or is one."""
    if isinstance(value, dict):
        return {key: _without(item, ids) for key, item in value.items() if key not in ids and not _is(item, ids)}
    if isinstance(value, list):
        return [_without(item, ids) for item in value if not _is(item, ids)]
    return value


def _is(value: object, ids: Set[str]) -> bool:
    return (isinstance(value, str) and value in ids) or (isinstance(value, dict) and value.get("id") in ids)
