"""The format of retrieval sets: JSON lines, plain or gzip, one store with its documents and questions a line.

    {"store", "docs": [{"id", "text"}], "questions": [{"q", "gold": [doc ids], "kind"?, "allow"?}]}

`allow` says how many of the first documents exist when the question is asked. Ids may be texts or whole
numbers and are compared as texts. What else an object holds is passed over.
"""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from deepseedian.errors import BadInput

SHAPE = 'a line is {"store", "docs": [{"id", "text"}], "questions": [{"q", "gold": [doc ids], "kind"}]}'
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Doc:
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """`allow` None: every document is there. Without gold it is asked but not scored."""

    text: str
    gold: frozenset[str]
    kind: str = ""
    allow: int | None = None


@dataclass(frozen=True, slots=True)
class Bundle:
    """One store of a set."""

    name: str
    docs: tuple[Doc, ...]
    questions: tuple[Question, ...]


def bundles(path: Path) -> Iterator[Bundle]:
    """The stores of a file, one after the other. Raises BadInput with the number of the line that cannot be read."""
    if not path.is_file():
        raise BadInput(f"{path} is not a file", "name a file in the format of the retrieval sets")
    with path.open("rb") as raw:
        if raw.peek(2)[:2] != _GZIP:
            yield from _read(raw, path)
            return
        with gzip.open(raw) as unpacked:
            yield from _read(unpacked, path)


def _read(lines: Iterable[bytes], path: Path) -> Iterator[Bundle]:
    number = 0
    try:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield bundle(_object(line), f"{path}, line {number}")
    except (EOFError, OSError, zlib.error) as error:
        raise BadInput(f"{path}, after line {number}: it cannot be unpacked or read ({error})", "fetch the file again") from None


def _object(line: bytes) -> object:
    try:
        return json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return error


def bundle(value: object, place: str) -> Bundle:
    """Raises BadInput that names the place and what is wrong there."""
    if isinstance(value, Exception):
        raise BadInput(f"{place}: not JSON in UTF-8 ({value})", SHAPE)
    if not isinstance(value, Mapping):
        raise BadInput(f"{place}: not an object", SHAPE)
    docs = [_doc(item, f"{place}, document {number}") for number, item in enumerate(_list(value, "docs", place), 1)]
    questions = [_question(item, f"{place}, question {number}")
                 for number, item in enumerate(_list(value, "questions", place), 1)]
    return Bundle(str(value.get("store", "")), tuple(docs), tuple(questions))


def _list(value: Mapping[str, object], key: str, place: str) -> list[object]:
    found = value.get(key)
    if not isinstance(found, list):
        raise BadInput(f"{place}: `{key}` is not a list", SHAPE)
    return found


def _doc(value: object, place: str) -> Doc:
    if not isinstance(value, Mapping) or not isinstance(value.get("text"), str):
        raise BadInput(f"{place}: no `text`", SHAPE)
    return Doc(_id(value.get("id"), place), whole(value["text"]))


def _question(value: object, place: str) -> Question:
    if not isinstance(value, Mapping) or not isinstance(value.get("q"), str):
        raise BadInput(f"{place}: no `q`", SHAPE)
    gold, allow, kind = value.get("gold") or [], value.get("allow"), value.get("kind")
    if not isinstance(gold, list):
        raise BadInput(f"{place}: `gold` is not a list of ids", SHAPE)
    if allow is not None and (not isinstance(allow, int) or isinstance(allow, bool) or allow < 0):
        raise BadInput(f"{place}: `allow` is not a number of documents", "leave it out where all documents count")
    return Question(whole(value["q"]), frozenset(_id(item, place) for item in gold), str(kind or ""), allow)


def _id(value: object, place: str) -> str:
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise BadInput(f"{place}: an id is a text or a whole number, not {value!r}", SHAPE)
    return str(value)


def whole(text: str) -> str:
    """JSON can hold half characters, which no file can."""
    return text.encode(errors="replace").decode()
