"""What an erasure takes away, and how its texts are told from everybody else's.

Structure decides, never the bytes: an entry's block goes by its id, a record by the ids it is about, a
proposal by what it belongs to. Outside structure, in conversations and in files set aside, a text counts
only as a whole: once erasing "tea" tore "steam" apart, and "I like C" took "I like C++" with it.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

from deepseedian.core import comment, markup, operation
from deepseedian.core.proposal import Proposal, from_document
from deepseedian.core.text import WIDE, summary
from deepseedian.errors import BadInput

WORD = "(erased)"
TELLING = 6.0  # letters and digits, a Chinese character counting one and a half: a shorter text says little
LONG_WORD = 16  # a single word is no statement, unless it is as long as a key, or has digits in it as one
LINES = (120, 160)  # those to which an index and injected text cut one
SUMMARIES = (60, 90)  # the lengths to which journal, notes and MEMORY.md cut a text
_TOLD = re.compile(r"((?:(?:undo|redo): )*[a-z]+(?: to [^:\n]*)?: )(.*)", re.S)
_END = " \t\r\n.!?。！？…"
_LISTED = re.compile(r"(- )(.*)( `([0-9a-fA-F-]{36})`)")
_ANY_MARKER = re.compile(rb"^<!-- ?/?(?:deepseedian|deepsidian)-entry[^\n]*(?:\n|\Z)", re.M)
_BAD_START = re.compile(rb"^<!-- ?(?:deepseedian|deepsidian)-entry ([^\n]*)\n", re.M)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an erasure takes away: entries, whole proposals, texts, and the messages they came from.

    Of the `partly` proposals only what was an erased entry's goes. `shared` are sources that another entry has too.
    """

    ids: tuple[str, ...] = ()
    proposals: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()

    def joined(self, other: "Wanted") -> "Wanted":
        return Wanted(*(tuple(dict.fromkeys((*getattr(self, name), *getattr(other, name)))) for name in self.__slots__))


def same(text: str) -> str:
    """What two ways to write one statement share: spacing, case and the sign at its end do not count, every other sign does."""
    return " ".join(text.casefold().split()).rstrip(_END)


def telling(text: str) -> bool:
    """Whether a text says so much that it is meant wherever it stands as a whole."""
    chars = [char for char in text if char.isalnum()]
    chinese = sum(WIDE.match(char) is not None for char in chars)
    if len(chars) + chinese / 2 < TELLING:
        return False
    return len(text.split()) > 1 or chinese > 1 or len(chars) >= LONG_WORD or any(char.isdigit() for char in chars)


@lru_cache(maxsize=64)
def _whole(text: str) -> re.Pattern[str]:
    """The text with any spacing, not as a part of a longer word or name such as C++, .NET or it's."""
    words = r"\s+".join(re.escape(word) for word in text.split())
    pattern = rf"(?<!\w)(?<!\w['’./@&*+#-]){words}(?![\w+#]|['’./@&*-]\w)"
    return re.compile(pattern)


def forget() -> None:
    """Let go of the texts that were looked for last."""
    _whole.cache_clear()


def cleaned(text: str, texts: Iterable[str], *, short: bool = False) -> str:
    """The text without these; `short` ones too, where it is known to be about them."""
    for erased in texts:
        if erased.strip() and (short or telling(erased)):
            text = _whole(erased).sub(WORD, text)
    return text


def message(text: str, what: Wanted, key: str) -> str:
    """A message of a conversation; one that nothing but the entry came from says nothing more where no text stands in it."""
    source = key in what.sources
    new = cleaned(text, what.texts, short=source)
    return WORD if source and new == text and key not in what.shared else new


def everywhere(value: object, clean: Callable[[str], str]) -> object:
    """The value with every text in it cleaned, also where a text is a document itself; names of fields too."""
    if isinstance(value, dict):
        return {clean(name) if isinstance(name, str) else name: everywhere(one, clean) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [everywhere(one, clean) for one in value]
    if not isinstance(value, str):
        return value
    if value.lstrip()[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            inner = json.loads(value)
            new = everywhere(inner, clean)
            if new != inner:
                value = json.dumps(new, ensure_ascii=False)
    return clean(value)


def shortened(texts: Iterable[str]) -> list[str]:
    """The forms in which long texts stand in an index or in injected text, longest first."""
    found = {form for text in texts if telling(text) for limit in LINES if (form := summary(text, limit)).endswith("…")}
    return sorted(found, key=lambda form: (-len(form), form))


def without_ids(text: str, ids: Iterable[str]) -> str:
    for entry in ids:
        text = text.replace(entry, WORD)
    return text


def torn(text: str, texts: Iterable[str]) -> bool:
    """Whether a text that was cut ends within one of these: what is left of it is enough to be told by."""
    end = "".join(text.removesuffix("…").split())
    for whole in texts:
        form = "".join(whole.split())
        if any(end.endswith(form[:size]) for size in range(min(len(form), len(end)), int(TELLING) - 1, -1)):
            return True
    return False


# Summaries


def summaries(texts: Iterable[str]) -> set[str]:
    return {form for text in texts for form in (text, *(summary(text, limit) for limit in SUMMARIES))}


def told(line: str, texts: Iterable[str]) -> str:
    """A record's summary, such as `edit: I drink tea`, without its text."""
    found = _TOLD.fullmatch(line)
    return found[1] + WORD if found and found[2] in summaries(texts) else line


# Records, as documents


def record(document: Mapping[str, object], ids: Set[str]) -> dict[str, object] | None:
    """A journal's record without the operations on these entries; None when nothing else is in it."""
    operations = document.get("operations")
    if document.get("kind") == "erase" or not isinstance(operations, list):
        return dict(document)
    gone = [item for item in operations if isinstance(item, dict) and item.get("id") in ids]
    left = [item for item in operations if item not in gone]
    if not gone:
        return dict(document)
    texts = said(item.get(name) for item in gone for name in ("before", "after"))
    return dict(document) | {"operations": left, "summary": told(str(document.get("summary", "")), texts)} if left else None


def said(blocks: Iterable[object]) -> set[str]:
    """The texts of entries' blocks."""
    return {found.entry.text for block in blocks if isinstance(block, str)
            for found in markup.scan(block.encode(errors="replace"), "topics/x.md").blocks}


def outside(document: Mapping[str, object], ids: Set[str]) -> dict[str, object] | None:
    """An edit seen from outside, in the same way: texts before and after by entry."""
    found = dict(document)
    for name in ("added", "removed", "changed"):
        items = document.get(name)
        if isinstance(items, list):
            found[name] = [item for item in items if not ids & {_brief_id(one) for one in (item if isinstance(item, list) else [item])}]
    if found == document:
        return found
    return found if any(found.get(name) for name in ("added", "removed", "changed")) else None


def _brief_id(value: object) -> str:
    meta = value.get("meta") if isinstance(value, dict) else None
    return str(meta.get("id", "")) if isinstance(meta, dict) else ""


def proposal(item: Proposal, what: Wanted) -> Proposal | None:
    """None for one that goes; of one that only names an erased entry beside others, that entry and its text go."""
    return None if item.id in what.proposals else kept(item, {*what.ids})


def belongs(item: Proposal) -> str:
    """The entry that says, or would say, a proposal's text."""
    return item.targets[0].id if item.targets and item.operation != "add" else item.entry_id


def kept(item: Proposal, ids: Set[str]) -> Proposal | None:
    """The proposal as it may stay when these entries, or proposals, are erased. One that waits would bring them back."""
    touched = [target.id in ids for target in item.targets]
    if {item.id, item.entry_id, belongs(item)} & ids or (item.open and any(touched)):
        return None
    if not any(touched):
        return item
    before = tuple(text for index, text in enumerate(item.before) if index >= len(touched) or not touched[index])
    return replace(item, targets=tuple(target for target in item.targets if target.id not in ids), before=before)


# Files


def _is_note(text: str) -> bool:
    from deepseedian.core import erased_note

    return erased_note.is_ours(text)


def note(text: str, what: Wanted) -> str:
    """A review note; what it is read with is loaded only now, since every start loads this module."""
    from deepseedian.core import erased_note
    from deepseedian.core.review_note import visible

    forms = {" ".join(form.split()) for form in summaries(what.texts)}
    shown = {visible(form).replace("<!--", "<! --") for form in forms}
    return erased_note.erased(text, what.proposals, what.partly, what.texts, WORD, telling, shown)


def blocks(data: bytes, path: str, ids: Set[str], texts: Sequence[str] = ()) -> bytes:
    """A topic or archive file without the entries, and without a block of theirs that cannot be read."""
    if not any(item.encode() in data for item in ids):
        return data
    return _unreadable(operation.without(data, path, ids), ids, {text.strip() for text in texts})


def _unreadable(data: bytes, ids: Set[str], texts: Set[str]) -> bytes:
    """A marker that cannot be read goes with the text after it, when that is one of the texts to its last letter."""
    for start in reversed(list(_BAD_START.finditer(data))):
        if any(item.encode() in start[1] for item in ids):
            close = _ANY_MARKER.search(data, start.end())
            end, closed = (close.start(), close[0].startswith(b"<!-- /")) if close else (len(data), False)
            if data[start.end(): end].decode(errors="replace").replace("\r\n", "\n").strip() in texts:
                data = data[: start.start()] + data[close.end() if close and closed else end:]
    return data


def file(data: bytes, what: Wanted, *, prose: bool = True) -> bytes:
    """Bytes that were set aside, whatever they are: a book, a review note, a topic file. `prose`: texts outside entries too."""
    ids = {*what.ids}
    found = _book(data, what)
    if found is not None:
        return found
    text = data.decode(errors="surrogateescape")
    if "deepseedian-proposal" in text and _is_note(text):
        return note(text, what).encode(errors="surrogateescape")
    data = blocks(data, "topics/x.md", ids, what.texts)
    return _around(data, lambda part: _prose(part, what)) if prose else data


def without(data: bytes, ids: Set[str]) -> bytes:
    """A file without entries, records and proposals that were erased; what these said is not known any more."""
    return file(data, Wanted(ids=tuple(ids), proposals=tuple(ids))) if ids else data


def _prose(part: bytes, what: Wanted) -> bytes:
    text = part.decode(errors="surrogateescape")
    new = "".join(_listed(line, what) for line in text.splitlines(keepends=True))
    return cleaned(new, what.texts).encode(errors="surrogateescape")


def _listed(line: str, what: Wanted) -> str:
    """A line of MEMORY.md; it names the entry."""
    found = _LISTED.fullmatch(line.rstrip("\r\n"))
    return line.replace(found[0], found[1] + WORD + found[3]) if found and found[4] in what.ids else line


def _around(data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """What stands between the entries of other ids, changed; those stay to the last byte."""
    pieces, at = [], 0
    for block in markup.scan(data, "topics/x.md").blocks:
        pieces += [change(data[at: block.start]), data[block.start: block.end]]
        at = block.end
    return b"".join([*pieces, change(data[at:])])


def _book(data: bytes, what: Wanted) -> bytes | None:
    """A journal or a list of proposals, a line each, also one that is torn; None for anything else."""
    if not re.match(rb'\s*\{\s*"version"', data):
        return None
    new = b"".join(_line(line, what) for line in data.splitlines(keepends=True))
    if new == data:
        return data
    return re.sub(rb",(\s*\]\s*\}\s*)\Z", rb"\1", new)  # the last of them may be gone


def _line(line: bytes, what: Wanted) -> bytes:
    body = line.strip()
    comma = b"," if body.endswith(b",") else b""
    try:
        document = comment.loads(body.removesuffix(b",").decode())
    except (BadInput, UnicodeDecodeError):
        return b"" if _tells(body, what) else line
    if not isinstance(document, dict):
        return line
    new = _document(document, what)
    if new == document:
        return line
    return comment.dumps(new).encode() + comma + line[len(line.rstrip()):] if new is not None else b""


def _document(document: dict[str, object], what: Wanted) -> dict[str, object] | None:
    """A whole book on one line, a record, or a proposal."""
    found = dict(document)
    for name in ("records", "proposals"):
        items = document.get(name)
        if isinstance(items, list):
            left = [_document(item, what) if isinstance(item, dict) else item for item in items]
            found[name] = [item for item in left if item is not None]
    if "operations" in document:
        return record(document, {*what.ids})
    if document.get("id") in what.proposals:
        return None
    if "evidence" in document:
        with suppress(BadInput):
            item = from_document(document)
            stays = proposal(item, what)
            return None if stays is None else found if stays == item else stays.document()
    return found


def _tells(line: bytes, what: Wanted) -> bool:
    """Whether a torn line of a book tells of what is erased."""
    text = line.decode(errors="replace")
    forms = [*what.ids, *what.proposals, *(form for told in what.texts if telling(told) for form in (
        json.dumps(told, ensure_ascii=False)[1:-1], json.dumps(told)[1:-1], comment.dumps(told)[1:-1]))]
    return any(form in text for form in forms)
