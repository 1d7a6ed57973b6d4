"""The JSON inside a hidden comment: read strictly, written so that it can never end the comment.

An edit replaces the bytes of one member and leaves key order, spacing and number forms of the others
as their writer left them.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from json.decoder import JSONDecoder, scanstring  # type: ignore[attr-defined]

from deepseedian.errors import BadInput

_BLANK = re.compile(r"[ \t\r\n]*")
_UNSAFE = re.compile("[>\x7f-\x9f\u2028\u2029\ufeff]|--+")
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
DEPTH_LIMIT = 32


def _refuse(name: str) -> object:
    raise BadInput(f"{name} is not JSON")


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadInput("a key appears twice")
    return found


_DECODER = JSONDecoder(parse_constant=_refuse, object_pairs_hook=_pairs)


def loads(text: str) -> object:
    """Strict JSON: no NaN, no key twice, no deep nesting. Raises BadInput."""
    brackets = text.count("[") + text.count("{")
    if brackets > 100_000:
        raise BadInput("too deeply nested")
    try:
        value: object = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"not JSON: {error}") from None
    if brackets > DEPTH_LIMIT:
        _check_depth(value)
    if _HALF.search(text):
        _check_characters(value)
    return value


def _check_characters(value: object) -> None:
    """JSON can write half a character (a lone surrogate); no file, and no answer over the wire, can hold one."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise BadInput("half a character (a lone surrogate)") from None


def _check_depth(value: object) -> None:
    """A limit of our own: the decoder's is what the caller has left of the stack, so that the same entry
    was there for one caller and unreadable for another."""
    level = [value]
    for _ in range(DEPTH_LIMIT):
        level = [inner for outer in level for inner in _inside(outer) if isinstance(inner, (dict, list))]
        if not level:
            return
    raise BadInput("too deeply nested")


def _inside(value: object) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def dumps(value: object) -> str:
    """Compact JSON without `--`, `>`, raw line separators or control characters."""
    return _escape(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _escape(text: str) -> str:
    return _UNSAFE.sub(lambda match: "".join(f"\\u{ord(char):04x}" for char in match[0]), text)


@dataclass(frozen=True, slots=True)
class Member:
    """One key of an object; `start` is where its key begins, the value spans [value, end)."""

    key: str
    start: int
    value: int
    end: int


def members(text: str) -> list[Member]:
    """The top-level members of a JSON object with their places in its text."""
    found = []
    at = _skip(text, 1 + text.index("{"))
    while text[at] != "}":
        start = at
        key, at = scanstring(text, at + 1)
        value = _skip(text, _skip(text, at) + 1)
        end = _DECODER.raw_decode(text, value)[1]
        found.append(Member(key, start, value, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def merged(text: str, changes: Mapping[str, object]) -> str:
    """The object's text with these members set, or dropped where the change is None."""
    for key, value in changes.items():
        text = _dropped(text, key) if value is None else _set(text, key, dumps(value))
    return text


def _set(text: str, key: str, value: str) -> str:
    present = members(text)
    for member in present:
        if member.key == key:
            return text[: member.value] + value + text[member.end:]
    at = present[-1].end if present else text.index("{") + 1
    comma = "," if present else ""
    return f"{text[:at]}{comma}{dumps(key)}:{value}{text[at:]}"


def _dropped(text: str, key: str) -> str:
    present = members(text)
    for index, member in enumerate(present):
        if member.key == key:
            if index + 1 < len(present):
                return text[: member.start] + text[present[index + 1].start:]
            begin = present[index - 1].end if index else member.start
            return text[:begin] + text[member.end:]
    return text
