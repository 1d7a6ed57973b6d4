"""JSON with comments and trailing commas, changed in place: what is not ours keeps every byte.

A file is read into nodes that know where they stand in the text; a change is a splice of that text. What cannot be read
is refused, never guessed at.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

DEEPEST = 100
_SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.S)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_PLAIN = re.compile(r"-?\d[\d.eE+-]*|true|false|null")
_LINE_END = re.compile(r"[ \t]*(?:(?://[^\n\r]*)|(?:/\*[^\n\r]*?\*/[ \t]*(?=[\r\n])))?")

Path = Sequence[str | int]


@dataclass(slots=True)
class Node:
    """A value and where it stands; `comma` is the place after the comma that follows it, 0 without one."""

    value: Any
    start: int
    end: int
    key: int = 0
    comma: int = 0
    inside: "dict[str | int, Node]" = field(default_factory=dict)

    @property
    def first(self) -> int:
        """Where its member or element begins."""
        return self.key or self.start


def parsed(text: str) -> Node:
    """The whole text as one value. Raises ValueError with the line."""
    at = _space(text, 0)
    node = _value(text, at, 0)
    rest = _space(text, node.end)
    if rest != len(text):
        raise _error(text, rest, "more after the end")
    return node


def put(text: str, path: Path, value: object) -> str:
    """The text with the member at `path` set; objects on the way are made. Raises ValueError."""
    if not text.strip():
        text = "{}\n"
    root = node = parsed(text)
    for depth, name in enumerate(path):
        if not isinstance(node.value, dict):
            raise ValueError(f"{_said(path[:depth]) or 'the file'} is no object")
        if name not in node.inside:
            for step in reversed(path[depth + 1:]):
                value = {step: value}
            return _added(text, root, node, f"{json.dumps(name, ensure_ascii=False)}: ", value)
        node = node.inside[name]
    return _spliced(text, node.start, node.end, _written(value, _indent(text, node.first), _unit(text, root), _newline(text)))


def append(text: str, path: Path, value: object) -> str:
    """The text with one element more in the array at `path`; the array and objects on the way are made. Raises ValueError."""
    root = parsed(text) if text.strip() else None
    node = _found(root, path) if root else None
    if root is None or node is None:
        return put(text, path, [value])
    if not isinstance(node.value, list):
        raise ValueError(f"{_said(path)} is no list")
    return _added(text, root, node, "", value)


def drop(text: str, path: Path) -> str:
    """The text without the member or element at `path`; as it is when there is none."""
    root = parsed(text) if text.strip() else None
    parent, node = (_found(root, path[:-1]), _found(root, path)) if root else (None, None)
    if parent is None or node is None:
        return text
    inside = list(parent.inside.values())
    number = inside.index(node)
    start, end = node.first, node.comma or node.end
    while start > parent.start + 1 and text[start - 1] in " \t":
        start -= 1
    if start > parent.start + 1 and text[start - 1] == "\n":
        start -= 2 if text[start - 2] == "\r" else 1
    if number + 1 == len(inside) and number and not node.comma:  # the comma before it went with it
        before = inside[number - 1]
        return text[:before.comma - 1] + text[before.comma:start] + text[end:]
    if len(inside) == 1 and not text[parent.start + 1:start].strip() and not text[end:parent.end - 1].strip():
        start, end = parent.start + 1, parent.end - 1
    return text[:start] + text[end:]


def at(text: str, path: Path) -> Any:
    """The value at `path`, None when there is none. Raises ValueError."""
    node = _found(parsed(text), path) if text.strip() else None
    return node.value if node else None


def _found(node: Node | None, path: Path) -> Node | None:
    for name in path:
        node = node.inside.get(name) if node else None
    return node


def _added(text: str, root: Node, node: Node, head: str, value: object) -> str:
    """One member or element more, after the last."""
    newline, unit, inside = _newline(text), _unit(text, root), list(node.inside.values())
    outer = _indent(text, node.first)
    if not inside:
        kept = text[node.start + 1:node.end - 1].rstrip()
        line = f"{newline}{outer}{unit}{head}{_written(value, outer + unit, unit, newline)}{newline}{outer}"
        return _spliced(text, node.start + 1, node.end - 1, kept + line)
    last = inside[-1]
    if "\n" not in text[node.start:last.first]:  # all on one line
        more = f", {head}{json.dumps(value, ensure_ascii=False)}"
        return _spliced(text, last.comma or last.end, last.comma or last.end, more.removeprefix(",") + "," if last.comma else more)
    indent = _indent(text, last.first)
    line = f"{newline}{indent}{head}{_written(value, indent, unit, newline)}"
    place = _LINE_END.match(text, last.comma or last.end).end()  # type: ignore[union-attr]  # it matches nothing, too
    if last.comma:
        return _spliced(text, place, place, line + ",")
    return text[:last.end] + "," + text[last.end:place] + line + text[place:]


def _spliced(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _written(value: object, indent: str, unit: str, newline: str) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=unit).split("\n")
    return (newline + indent).join(lines)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent(text: str, place: int) -> str:
    """The white space that begins the line of a place."""
    begin = text.rfind("\n", 0, place) + 1
    return re.match(r"[ \t]*", text[begin:place])[0]  # type: ignore[index]  # it matches nothing, too


def _unit(text: str, root: Node) -> str:
    """One step of indentation, as the file has it."""
    first = next(iter(root.inside.values()), None)
    return (_indent(text, first.first) if first and "\n" in text[root.start:first.first] else "") or "  "


def _value(text: str, at: int, depth: int) -> Node:
    if depth > DEEPEST:
        raise _error(text, at, "nested too deeply")
    if text[at:at + 1] in ("{", "["):
        return _container(text, at, depth)
    found = _STRING.match(text, at) or _PLAIN.match(text, at)
    if not found:
        raise _error(text, at, "a value is missing")
    try:
        return Node(json.loads(found[0]), at, found.end())
    except ValueError:
        raise _error(text, at, "a value that is no JSON") from None


def _container(text: str, start: int, depth: int) -> Node:
    closing = "}" if text[start] == "{" else "]"
    node = Node({} if closing == "}" else [], start, 0)
    at = _space(text, start + 1)
    while text[at:at + 1] != closing:
        name, key, at = _key(text, at) if closing == "}" else (len(node.value), 0, at)
        child = _value(text, at, depth + 1)
        child.key = key
        if isinstance(name, int):
            node.value.append(child.value)
        else:
            node.value[name] = child.value
        node.inside.pop(name, None)  # the last one of the same name counts
        node.inside[name] = child
        at = _space(text, child.end)
        if text[at:at + 1] == ",":
            child.comma = at + 1
            at = _space(text, at + 1)
        elif text[at:at + 1] != closing:
            raise _error(text, at, f"a comma or {closing} is missing")
    node.end = at + 1
    return node


def _key(text: str, at: int) -> tuple[str, int, int]:
    """A member's name, where it begins, and where its value does."""
    found = _STRING.match(text, at)
    colon = _space(text, found.end()) if found else at
    if not found or text[colon:colon + 1] != ":":
        raise _error(text, at, "a name in quotes and a colon are missing")
    try:
        return json.loads(found[0]), at, _space(text, colon + 1)
    except ValueError:
        raise _error(text, at, "a name that is no JSON") from None


def _space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too


def _said(path: Path) -> str:
    return ".".join(map(str, path))


def _error(text: str, at: int, what: str) -> ValueError:
    return ValueError(f"line {text.count(chr(10), 0, at) + 1}: {what}")
