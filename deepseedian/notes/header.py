"""The front matter of a note, read as Obsidian reads it: never written, never trusted.

Only `true`, `false`, `null` and numbers are more than text; dates stay as they are written, so that no odd date ends the
reading. What is no YAML (templates, notes of other programs) gives no properties and is reported; so do aliases that
refer to each other for ever.
"""

import json
import math
import re
from dataclasses import dataclass, field
from typing import Any, ClassVar

import yaml
from frontmatter.default_handlers import YAMLHandler

from deepseedian.notes import paths

HEADER_LIMIT = 65_536
MOST_VALUES, DEEPEST = 2000, 8
NAME_LIMIT, TAG_LIMIT = 200, 300
_FENCE = re.compile(r"---[ \t]*$")
_KEY = re.compile(r"[\w\"'][^:\n]{0,80}:(\s|$)")
_TEMPLATE = re.compile(r"\{\{|<%")
_SPLIT = re.compile(r"[,\s]+")
_BASE: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_BASE):  # type: ignore[misc]
    """YAML without its surprises: no dates, no `yes`, no sixties, no types of a program."""

    yaml_implicit_resolvers: ClassVar[dict[str, object]] = {}


def _any(loader: yaml.SafeLoader, node: yaml.Node) -> object:
    """A value of any explicit type as what it is written as."""
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    found = loader.construct_mapping(node, deep=True)
    return list(found) if node.tag.endswith(":set") else found


_TYPES = "tag:yaml.org,2002:"
for _kind, _pattern, _first in (("bool", r"(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
                                ("null", r"(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
                                ("int", r"[-+]?(?:0|[1-9][0-9]{0,14})$", "-+0123456789"),
                                ("float", r"[-+]?[0-9]{1,15}\.[0-9]{1,15}$", "-+0123456789")):
    _Loader.add_implicit_resolver(_TYPES + _kind, re.compile(_pattern), list(_first))
for _kind in ("timestamp", "binary", "set", "omap", "pairs", "merge", "value"):
    _Loader.add_constructor(_TYPES + _kind, _any)
_Loader.add_constructor(None, _any)


@dataclass(frozen=True, slots=True)
class Header:
    """`lines` are those of the front matter with its fences; faults are (line, code, message)."""

    properties: dict[str, object] = field(default_factory=dict)
    lines: int = 0
    faults: tuple[tuple[int, str, str], ...] = ()

    def listed(self, *names: str) -> list[str]:
        """The texts of a property that holds one or several, such as tags."""
        found: list[str] = []
        for name, value in self.properties.items():
            if paths.key(name) in names:
                items = value if isinstance(value, list) else value.split(",") if isinstance(value, str) else [value]
                found += [str(item).strip() for item in items if item is not None and not isinstance(item, list | dict)]
        return list(dict.fromkeys(filter(None, found)))

    def tags(self) -> list[str]:
        found = self.listed("tags", "tag")
        return list(dict.fromkeys(part[:TAG_LIMIT] for item in found for part in _SPLIT.split(item.lstrip("#")) if part.strip("#/")))


def read(lines: list[str]) -> Header:
    """The front matter of a note given by its lines; whatever it holds, this ends well."""
    if not lines or not _FENCE.match(lines[0]):
        return Header()
    end = next((at for at in range(1, len(lines)) if _FENCE.match(lines[at])), 0)
    if not end:
        first = next((line for line in lines[1:] if line.strip()), "")
        looks = ((1, "front_matter_unclosed", "front matter has no end: close it with a line ---"),) if _KEY.match(first) else ()
        return Header({}, 0, looks)
    text = "\n".join(lines[1:end])
    if len(text) > HEADER_LIMIT:
        return Header({}, end + 1, ((1, "front_matter_large", f"front matter of more than {HEADER_LIMIT} characters is not read"),))
    return _parsed(text, end + 1)


def _parsed(text: str, lines: int) -> Header:
    try:
        found = YAMLHandler().load(text, Loader=_Loader)
        left = [MOST_VALUES]
        properties = {_text(name)[:NAME_LIMIT]: plain(value, left) for name, value in found.items()} if isinstance(found, dict) else {}
    except Exception as error:  # whatever a reader of YAML stumbles over is a fault of the note
        line = getattr(getattr(error, "problem_mark", None), "line", 0) + 2
        if _TEMPLATE.search(text):
            return Header({}, lines, ((line, "front_matter_template", "front matter is a template: it has no properties"),))
        why = getattr(error, "problem", None) or type(error).__name__
        return Header({}, lines, ((line, "front_matter_invalid", f"front matter cannot be read: {why}"),))
    if found is not None and not isinstance(found, dict):
        return Header({}, lines, ((2, "front_matter_invalid", "front matter holds no properties"),))
    cut = ((1, "front_matter_cut", f"more than {MOST_VALUES} values are not read"),) if left[0] <= 0 else ()
    return Header(properties, lines, cut)


def plain(value: object, left: list[int], depth: int = 0) -> object:
    """A value as JSON can say it; what is endless or too deep is cut, `left` counts down."""
    left[0] -= 1
    if left[0] <= 0 or depth > DEEPEST:
        return None
    if isinstance(value, dict):
        return {_text(name)[:NAME_LIMIT]: plain(item, left, depth + 1) for name, item in _some(list(value.items()), left)}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item, left, depth + 1) for item in _some(list(value), left)]
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return _text(value)


def _some(items: list[Any], left: list[int]) -> list[Any]:
    return items[:max(0, left[0])]


def _text(value: object) -> str:
    """Text without halves of characters."""
    found = value if isinstance(value, str) else json.dumps(value) if value is None or isinstance(value, bool) else str(value)
    return paths.whole(found)
