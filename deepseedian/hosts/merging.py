"""What we add to a host's configuration, in the forms that hosts use: merged into what is there, and taken out again.

A form never guesses. A text it cannot read, or whose other content a change would touch, raises ValueError, and the caller
shows what to paste.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from deepseedian.hosts import jsonc

Path = tuple[str, ...]
BEGIN, END = "deepseedian begin", "deepseedian end"
_OURS = re.compile(r"deepseedian.* hook [A-Za-z]+(?:\s|\Z)", re.S)


class Form(Protocol):
    """`removed` takes away what `merged` added, and empty tables that are named in `made`."""

    def merged(self, text: str) -> str: ...
    def removed(self, text: str, made: Iterable[Sequence[str]] = ()) -> str: ...
    def made(self, text: str) -> list[Path]: ...
    def snippet(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Json:
    """Members by path, and hooks as elements of lists by path; comments of the file stay."""

    members: tuple[tuple[Path, Mapping[str, Any]], ...] = ()
    hooks: tuple[tuple[Path, Mapping[str, Any]], ...] = ()

    def merged(self, text: str) -> str:
        new = text
        for path, value in self.members:
            if jsonc.at(new, path) != value:
                new = jsonc.put(new, path, value)
        for path, value in self.hooks:
            if [hook for *_, hook in _hooks(jsonc.at(new, path))] != [value]:
                new = jsonc.append(self._unhooked(new, path), path, {"hooks": [value]})
        self._check(text, new)
        return new

    def removed(self, text: str, made: Iterable[Sequence[str]] = ()) -> str:
        for path, _ in self.hooks:
            text = self._unhooked(text, path)
        for path, _ in self.members:
            text = jsonc.drop(text, path)
        for empty in sorted(made, key=len, reverse=True):
            if jsonc.at(text, tuple(empty)) in ({}, []):
                text = jsonc.drop(text, tuple(empty))
        return text

    def made(self, text: str) -> list[Path]:
        wanted = {path[:length] for path, _ in self.members for length in range(1, len(path))}
        wanted |= {path[:length] for path, _ in self.hooks for length in range(1, len(path) + 1)}
        return sorted(path for path in wanted if jsonc.at(text, path) is None)

    def snippet(self) -> str:
        text = ""
        for path, value in self.members:
            text = jsonc.put(text, path, value)
        for path, value in self.hooks:
            text = jsonc.append(text, path, {"hooks": [value]})
        return text

    def _unhooked(self, text: str, path: Path) -> str:
        """Without our hooks at `path`; a group that held others too keeps them."""
        for group, place, _ in reversed(list(_hooks(jsonc.at(text, path)))):
            alone = len(jsonc.at(text, (*path, group))["hooks"]) == 1
            text = jsonc.drop(text, (*path, group) if alone else (*path, group, "hooks", place))
        return text

    def _check(self, old: str, new: str) -> None:
        before = jsonc.parsed(self.removed(old)).value if old.strip() else {}
        if jsonc.parsed(self.removed(new, self.made(old))).value != before:
            raise ValueError("it is not written as expected")


def _hooks(groups: object) -> Iterable[tuple[int, int, Any]]:
    """Our hooks in the groups of one event: where they stand, and each itself."""
    for group, body in enumerate(groups if isinstance(groups, list) else []):
        hooks = body.get("hooks") if isinstance(body, dict) else None
        for place, hook in enumerate(hooks if isinstance(hooks, list) else []):
            if isinstance(hook, dict) and _OURS.search(str(hook.get("command", ""))):
                yield group, place, hook


@dataclass(frozen=True, slots=True)
class Toml:
    """One table by its path; comments and order of the file stay."""

    path: Path
    value: Mapping[str, Any]

    def merged(self, text: str) -> str:
        import tomlkit

        data = _toml(text)
        if _within(data, self.path) == self.value:
            return text
        document = tomlkit.parse(text)
        table: Any = document
        for name in self.path[:-1]:
            table = table.setdefault(name, tomlkit.table(is_super_table=True))
        table[self.path[-1]] = dict(self.value)
        new = tomlkit.dumps(document)
        if _toml(self.removed(new, self.made(text))) != _toml(self.removed(text)) or _within(_toml(new), self.path) != self.value:
            raise ValueError("it is not written as expected")
        return new

    def removed(self, text: str, made: Iterable[Sequence[str]] = ()) -> str:
        import tomlkit

        if _within(_toml(text), self.path) is None:
            return text
        document = tomlkit.parse(text)
        tables: list[Any] = [document]
        for name in self.path[:-1]:
            tables.append(tables[-1][name])
        del tables[-1][self.path[-1]]
        for depth in range(len(self.path) - 1, 0, -1):
            if not tables[depth] and (self.path[:depth] in {tuple(path) for path in made}):
                del tables[depth - 1][self.path[depth - 1]]
        return tomlkit.dumps(document)

    def made(self, text: str) -> list[Path]:
        data = _toml(text)
        return [self.path[:length] for length in range(1, len(self.path)) if _within(data, self.path[:length]) is None]

    def snippet(self) -> str:
        return self.merged("")


def _toml(text: str) -> dict[str, Any]:
    return tomllib.loads(text)


def _within(data: Any, path: Path) -> Any:
    for name in path:
        data = data.get(name) if isinstance(data, dict) else None
    return data


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a program between two comment lines. Nothing of the rest is read or rewritten."""

    lines: tuple[str, ...]
    comment: str = "--"

    def merged(self, text: str) -> str:
        newline = "\r\n" if "\r\n" in text else "\n"
        block = newline.join([f"{self.comment} {BEGIN}", *self.lines, f"{self.comment} {END}"]) + newline
        found = _block(text, self.comment)
        if found:
            return text[:found[0]] + block + text[found[1]:]
        return text + ("" if not text or text.endswith("\n") else newline) + block

    def removed(self, text: str, made: Iterable[Sequence[str]] = ()) -> str:
        found = _block(text, self.comment)
        return text[:found[0]] + text[found[1]:] if found else text

    def made(self, text: str) -> list[Path]:
        return []

    def snippet(self) -> str:
        return "\n".join(self.lines) + "\n"


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a YAML list, likewise. Only a plain block list can be added to."""

    lines: tuple[str, ...]

    def merged(self, text: str) -> str:
        _check_list(self.removed(text))
        return self._between.merged("" if text.strip() == "[]" else text)

    def removed(self, text: str, made: Iterable[Sequence[str]] = ()) -> str:
        return self._between.removed(text)

    def made(self, text: str) -> list[Path]:
        return []

    def snippet(self) -> str:
        return self._between.snippet()

    @property
    def _between(self) -> Lines:
        return Lines(self.lines, "#")


def _block(text: str, comment: str) -> tuple[int, int] | None:
    """From our first line to the end of our last. Raises ValueError when only one of them is there."""
    lines, marks = text.split("\n"), (f"{comment} {BEGIN}", f"{comment} {END}")
    begins, ends = ([at for at, line in enumerate(lines) if line.startswith(mark) and not line[len(mark):][:1].isalnum()]
                    for mark in marks)
    if not begins and not ends:
        return None
    rest = [lines[at][len(mark):].strip() for found, mark in zip((begins, ends), marks, strict=True) for at in found]
    if len(begins) != 1 or len(ends) != 1 or begins > ends or any(rest):
        raise ValueError(f"the lines '{marks[0]}' and '{marks[1]}' do not belong together")
    start = sum(len(line) + 1 for line in lines[: begins[0]])
    return start, min(len(text), start + sum(len(line) + 1 for line in lines[begins[0]: ends[0] + 1]))


def _check_list(text: str) -> None:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith(("- ", "  ", "#")) and line.rstrip() != "-" and text.strip() != "[]":
            raise ValueError(f"line {number}: not a plain list of rows")


def quoted(text: str) -> str:
    """A YAML scalar that means exactly this text."""
    return json.dumps(text, ensure_ascii=False)
