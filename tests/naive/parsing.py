"""Mistakes with text: data that becomes structure, patterns instead of a grammar, parsers without limits."""

import json
import re
import sys
from collections.abc import Mapping

import pytest

from deepseedian.cli import review as cli_review
from deepseedian.core import comment, markup, matching, operation, review_note, text, topic
from deepseedian.store import books, disk
from tests.naive import mutation


@mutation
def comments_not_escaped(patch: pytest.MonkeyPatch) -> None:
    """Metadata goes into the comment as it is, so that `-->` in it ends the comment."""
    patch.setattr(comment, "dumps", lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":")))


@mutation
def markers_in_texts_accepted(patch: pytest.MonkeyPatch) -> None:
    """Any text goes into the file as it is."""
    patch.setattr(markup, "check_text", lambda said: None)


@mutation
def header_in_text_taken_for_fields(patch: pytest.MonkeyPatch) -> None:
    """Lines between `---` are fields, whoever wrote them."""
    encode = markup.encode

    def with_fields(meta: Mapping[str, object], said: str, **options: str) -> bytes:
        fields = dict(re.findall(r"^(\w+): (.+)$", said, re.M)) if said.startswith("---") else {}
        return encode(dict(meta) | fields, said, **options)

    patch.setattr(markup, "encode", with_fields)


@mutation
def entries_not_closed(patch: pytest.MonkeyPatch) -> None:
    """Without a closing marker a fence left open in a text makes code of what follows."""
    patch.setattr(markup, "raw_block", lambda meta, said, *, family, newline: f"<!-- {family}-entry {meta} -->{newline}{said}{newline}".encode())


@mutation
def names_and_sources_unchecked(patch: pytest.MonkeyPatch) -> None:
    """A name that the file system takes is a good name; a source is anything."""
    patch.setattr(topic, "checked", lambda name: name)
    patch.setattr(markup, "check_characters", lambda said, what="": None)


@mutation
def notes_not_quoted(patch: pytest.MonkeyPatch) -> None:
    """Foreign text stands in a note as it is."""
    patch.setattr(review_note, "_quoted", lambda said: said.splitlines())
    patch.setattr(review_note, "_plain", lambda said: said)


@mutation
def markers_found_by_pattern(patch: pytest.MonkeyPatch) -> None:
    """Every marker counts, wherever it stands: in code, in a quotation, indented."""
    patch.setattr(markup, "_LINE", re.compile(rb"<!-- ?/?(?:deepseedian|deepsidian)-entry[^\n]*\n?"))


@mutation
def comments_run_to_the_next_end(patch: pytest.MonkeyPatch) -> None:
    """A comment that is not closed goes on to the next `-->`, and takes the next marker with it."""
    patch.setattr(markup, "_LINE", re.compile(
        rb"^(?:<!-- ?/?(?:deepseedian|deepsidian)-entry.*?-->[^\n]*|\x20{0,3}(?:`{3}|~{3})[^\n]*)\n?", re.M | re.S))


@mutation
def nesting_cut_off(patch: pytest.MonkeyPatch) -> None:
    """A Markdown parser gives up beyond its nesting limit, silently: the words in there are never indexed."""
    def shallow(said: str) -> tuple[list[str], set[str]]:
        depth = len(said) - len(said.lstrip(">- "))
        return terms_of(said) if depth < 100 else ([], set())

    terms_of = text.terms_of
    patch.setattr(matching, "terms_of", shallow)


@mutation
def comments_looked_for_by_pattern(patch: pytest.MonkeyPatch) -> None:
    """A pattern that starts anew at each `<!--` and runs to the end takes quadratic time."""
    start = markup.scan

    def slow(data: bytes, path: str) -> markup.Scan:
        re.sub(rb"<!--(?:.|\n)*?-->", b"", data)
        return start(data, path)

    for module in [module for name, module in sys.modules.items() if name.startswith("deepseedian.")]:
        if getattr(module, "scan", None) is start:
            patch.setattr(module, "scan", slow)


_FRONT = re.compile(rb"---[ \t]*\r?\n(.*?)^---[ \t]*\r?\n?", re.S | re.M)
_TYPES = {"NO": "false", "1.10": "1.1", "12:30": "750", "010": "8"}


def _values(header: bytes) -> dict[str, str]:
    """A header the way a YAML library takes it: no comments, other types. Raises ValueError where one would."""
    found = {}
    for line in header.decode().splitlines():
        key, colon, value = line.split(" #")[0].partition(": ")
        if line.startswith("\t") or key == "1" or value in ("2026-02-30", "=") or value.startswith("@") or ": " in value:
            raise ValueError(f"not YAML: {line}")
        if colon:
            found[{"on": "true"}.get(key, key)] = _TYPES.get(value, value)
    return found


@mutation
def headers_parsed_while_reading(patch: pytest.MonkeyPatch) -> None:
    """A header that the YAML library does not like ends the scan of all files."""
    front_end = markup._front_end

    def parsed(data: bytes) -> int:
        front = _FRONT.match(data)
        if front:
            _values(front[1])
        return front_end(data)

    patch.setattr(markup, "_front_end", parsed)


@mutation
def headers_expanded(patch: pytest.MonkeyPatch) -> None:
    """A header is loaded as a document: aliases are copied out, and each bracket is one call deeper."""
    front_end = markup._front_end

    def depth(said: bytes) -> int:
        return 1 + depth(said[1:]) if said.startswith(b"[") else 0

    def loaded(data: bytes) -> int:
        front = _FRONT.match(data)
        known: dict[bytes, list[object]] = {}
        for key, value in re.findall(rb"^(\w): (.+)$", front[1], re.M) if front else ():
            depth(value)
            names = re.findall(rb"\*(\w)", value)
            known[key] = [item for name in names for item in known.get(name, ())] or [value] * 9
        return front_end(data)

    patch.setattr(markup, "_front_end", loaded)


@mutation
def headers_written_anew(patch: pytest.MonkeyPatch) -> None:
    """Load and dump by a front matter library at every save: what it does not model is lost."""
    planned = operation.planned

    def anew(files: object, operations: object) -> object:
        contents, done = planned(files, operations)  # type: ignore[arg-type]
        return {path: data and _dumped(data) for path, data in contents.items()}, done

    patch.setattr(operation, "planned", anew)


def _dumped(data: bytes) -> bytes:
    front = _FRONT.match(data)
    body = data[front.end():] if front else data
    try:
        values = _values(front[1]) if front else {}
    except ValueError:
        values = {}
    header = "".join(f"{key}: {values[key]}\n" for key in sorted(values)) or "{}\n"
    return f"---\n{header}---\n\n".encode() + body.replace(b"\r\n", b"\n").strip() + b"\n"


@mutation
def json_without_limits(patch: pytest.MonkeyPatch) -> None:
    """The library's defaults: NaN is a number, the last of two keys wins, depth is what the stack bears."""
    patch.setattr(comment, "loads", json.loads)


@mutation
def turns_read_trustingly(patch: pytest.MonkeyPatch) -> None:
    """What comes in is JSON, and ordinary JSON at that."""
    patch.setattr(cli_review, "_turn", lambda file: json.loads(sys.stdin.buffer.read()))


@mutation
def files_read_whole(patch: pytest.MonkeyPatch) -> None:
    """A file is as long as it is."""
    patch.setattr(books, "_size", lambda path: 0)
    patch.setattr(disk.Disk, "read", lambda self, path, limit=0: path.read_bytes() if path.exists() else None)


@mutation
def nested_quantifier(patch: pytest.MonkeyPatch) -> None:
    """Each way to split a run of spaces is tried before the pattern gives up."""
    patch.setattr(markup, "_BLANK_LINES", re.compile(rb"(?:[ \t]+\r?\n?)+x"))
