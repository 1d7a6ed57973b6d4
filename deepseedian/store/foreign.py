"""Memory that other programs keep, read as items that can be imported: never written, never believed.

Four forms: `plugin` (the public plugin's folder, with its chats, or any folder of topic files), `statements` (CLAUDE.md,
AGENTS.md, MEMORY.md: a list item or paragraph each), `notes` (a note each), `jsonl` (a line each). Whoever calls reads with
his own rights. Links are not followed, sizes and numbers are bounded, and what cannot be read is named and costs nothing else.
"""

import errno
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from deepseedian.config.files import read_regular
from deepseedian.core import markup
from deepseedian.core.entry import TEXT_LIMIT, stamp
from deepseedian.core.statement import named, statements
from deepseedian.core.text import parts
from deepseedian.core.topic import from_path
from deepseedian.errors import BadInput
from deepseedian.store.chats import Chat, chats

FORMATS = ("plugin", "statements", "notes", "jsonl")
AGENTS = ("MEMORY.md", "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md")
PLUGINS = ("deepseedian", "deepsidian")
MOST_ITEMS = 50_000
MOST_FILES = 10_000
MOST_PARTS = 20
NOTE_BYTES = 1_000_000
FILE_BYTES = 64 * 1024 * 1024
LINE_CHARS = 200_000
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
_DATE = re.compile(r"^(?:created|createdAt|created_at|date)[ \t]*:[ \t]*[\"']?([0-9T:.+\-Z ]{8,40}?)[\"']?[ \t]*$", re.M | re.I)
_REFERENCE = re.compile(r"\[[^\]\n]*\]\(([^()\n]+\.md)\)")
_ELSEWHERE = re.compile(r"(?:@\S+\s*)+")
_ENTRY = re.compile(rb"^<!-- (?:deepseedian|deepsidian)-entry ", re.M)


@dataclass(frozen=True, slots=True)
class Item:
    """One statement; `place` says where it stands, `source` which file it is from, `at` when it was written as far as that is known."""

    text: str
    place: str
    source: str
    topic: str = ""
    at: str = ""
    kind: str = ""
    id: str = ""

    def document(self) -> dict[str, str]:
        found = {"text": self.text, "place": self.place, "source": self.source, "topic": self.topic, "createdAt": self.at,
                 "kind": self.kind, "id": self.id}
        return {name: value for name, value in found.items() if value}


@dataclass(slots=True)
class Found:
    """What a source holds; `left_out` are (place, why)."""

    form: str
    items: list[Item] = field(default_factory=list)
    chats: list[Chat] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)

    def take(self, items: Iterator[Item]) -> None:
        """Raises BadInput when there are more than anybody can mean."""
        for item in items:
            if len(self.items) >= MOST_ITEMS:
                raise BadInput(f"there are more than {MOST_ITEMS} statements in it", "import a part of it at a time")
            self.items.append(item)


def gathered(source: Path, form: str = "") -> Found:
    """Everything in a file or folder. Raises BadInput for what cannot be read at all, and OSError."""
    if not source.exists():
        raise BadInput(f"{source} does not exist", "name a file or a folder")
    form = form or recognised(source)
    found = Found(form)
    readers: dict[str, Callable[[Path, Found], None]] = {
        "plugin": _plugin, "statements": _statements, "notes": _notes, "jsonl": _jsonl}
    if form not in readers:
        raise BadInput(f"there is no format {form!r}", f"one of {', '.join(FORMATS)}")
    readers[form](source, found)
    return found


def recognised(source: Path) -> str:
    """The form that a source has by its look. Raises BadInput."""
    if source.is_dir():
        if _memory_of(source) is not None or (source / "data.json").is_file():
            return "plugin"
        return "statements" if any((source / name).is_file() for name in AGENTS) else "notes"
    if source.name == "data.json":
        return "plugin"
    if source.suffix in (".jsonl", ".ndjson"):
        return "jsonl"
    if source.suffix.lower() in (".md", ".markdown", ".txt"):
        data = None
        with suppress(OSError):  # told of when it is read
            data = read_regular(source, FILE_BYTES)
        return "plugin" if data and _ENTRY.search(data) else "statements"
    raise BadInput(f"{source.name} is nothing that can be recognised", f"--format says what it is: {', '.join(FORMATS)}")


def lines(data: bytes, name: str, when: str) -> Found:
    """JSON lines from somewhere else than a file."""
    found = Found("jsonl")
    found.take(_rows(data, name, when, found))
    return found


# The public plugin, and folders of topic files


def _memory_of(folder: Path) -> Path | None:
    """The folder that holds `topics`: this one, the one below, or that of a vault's plugin."""
    plugins = [folder / config / "plugins" / name / "memory" for config in (".obsidian",) for name in PLUGINS]
    return next((place for place in (folder, folder / "memory", *plugins) if (place / "topics").is_dir()), None)


def _plugin(source: Path, found: Found) -> None:
    if not source.is_dir():
        if source.name == "data.json":
            _chats(source, found)
        else:
            found.take(_entries(source, source.stem, source.name, found))
        return
    memory = _memory_of(source)
    if memory is not None:
        for path in _files(memory / "topics", found):
            place = path.relative_to(memory).as_posix()
            found.take(_entries(path, from_path(place), place, found))
    holder = memory.parent if memory is not None and memory != source else source
    kept = next((path for path in (source / "data.json", holder / "data.json") if path.is_file()), None)
    if kept is not None:
        _chats(kept, found)


def _entries(path: Path, topic: str, place: str, found: Found) -> Iterator[Item]:
    data = _noted(path, FILE_BYTES, place, found)
    if data is None:
        return
    scan = markup.scan(data, f"topics/{topic}.md")
    found.left_out += [(f"{place}:{problem.line}", problem.message) for problem in scan.problems]
    line, at = 1, 0
    for block in scan.blocks:
        line, at = line + data.count(b"\n", at, block.start), block.start
        entry = block.entry
        yield Item(entry.text.strip(), f"{place}:{line}", _source(place, entry.source), topic, entry.created_at,
                   str(entry.meta.get("kind") or ""), entry.id)


def _chats(path: Path, found: Found) -> None:
    data = _noted(path, FILE_BYTES, path.name, found)
    if data is not None:
        read, left_out = chats(data, _modified(path))
        found.chats += read
        found.left_out += [(f"{path.name}: {place}" if place else path.name, reason) for place, reason in left_out]


# Files that agents keep, and notes


def _statements(source: Path, found: Found) -> None:
    """One file, or those of a folder that agents read; beside a MEMORY.md every other file of the folder is a note of its own."""
    if not source.is_dir():
        found.take(_page(source, source.name, found))
        return
    listed = [source / name for name in AGENTS if (source / name).is_file()]
    for path in listed or _files(source, found):
        found.take(_page(path, path.relative_to(source).as_posix(), found))
    if (source / "MEMORY.md").is_file():
        for path in sorted(source.glob("*.md")):
            if path not in listed:
                found.take(_note(path, path.name, "", found))


def _page(path: Path, place: str, found: Found) -> Iterator[Item]:
    text = _text(path, place, found)
    when = _modified(path)
    for said in statements(text) if text else ():
        at = f"{place}:{said.line}"
        reference = _REFERENCE.match(said.text)
        if _ELSEWHERE.fullmatch(said.text) or (reference and (path.parent / reference[1]).is_file()):
            found.left_out.append((at, "it only names another file"))
            continue
        yield from _cut(said.text, Item("", at, " › ".join((place, *said.headings)), said.topic, when), found)


def _notes(source: Path, found: Found) -> None:
    for path in _files(source, found) if source.is_dir() else [source]:
        place = path.relative_to(source).as_posix() if source.is_dir() else path.name
        found.take(_note(path, place, named(place.partition("/")[0]) if "/" in place else "", found))


def _note(path: Path, place: str, topic: str, found: Found) -> Iterator[Item]:
    text = _text(path, place, found)
    if not text:
        return
    front = _FRONT.match(text)
    date = _DATE.search(front[1]) if front else None
    yield from _cut(text[front.end():] if front else text, Item("", place, place, topic, date[1] if date else _modified(path)), found)


def _cut(text: str, item: Item, found: Found) -> Iterator[Item]:
    """A text as one item, or in parts when it is longer than an entry may be."""
    pieces = parts(text.strip(), TEXT_LIMIT)
    for number, piece in enumerate(pieces[:MOST_PARTS], 1):
        place = f"{item.place} ({number}/{len(pieces)})" if len(pieces) > 1 else item.place
        yield Item(piece, place, item.source, item.topic, item.at)
    if len(pieces) > MOST_PARTS:
        found.left_out.append((item.place, f"what comes after the first {MOST_PARTS} parts of {TEXT_LIMIT} characters"))


# JSON lines


def _jsonl(source: Path, found: Found) -> None:
    data = _noted(source, FILE_BYTES, source.name, found)
    if data is not None:
        found.take(_rows(data, source.name, _modified(source), found))


def _rows(data: bytes, name: str, when: str, found: Found) -> Iterator[Item]:
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        place = f"{name}:{number}"
        try:
            body = json.loads(line.decode()) if len(line) <= LINE_CHARS else "too long"
        except (ValueError, RecursionError):
            found.left_out.append((place, "it is not JSON in UTF-8"))
            continue
        if not isinstance(body, dict) or not isinstance(body.get("text"), str):
            found.left_out.append((place, "it is over 200 kB long" if body == "too long" else "it has no text"))
            continue
        said = {key: value for key in ("topic", "createdAt", "kind", "id", "source") if isinstance(value := body.get(key), str)}
        yield Item(body["text"].strip(), place, _source(name, said.get("source", "")), said.get("topic", ""), said.get("createdAt") or when,
                   said.get("kind", ""), said.get("id", ""))


# Files


def _source(place: str, label: str) -> str:
    return f"{place} · {label}" if label else place


def _files(folder: Path, found: Found) -> Iterator[Path]:
    """Markdown files below a folder in a settled order; hidden ones and links are left out."""
    number = 0
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(here) / name
            if not name.startswith(".") and path.suffix.lower() in (".md", ".markdown") and not path.is_symlink():
                number += 1
                if number > MOST_FILES:
                    found.left_out.append((str(folder.name), f"what comes after the first {MOST_FILES} files"))
                    return
                yield path


def _text(path: Path, place: str, found: Found) -> str:
    data = _noted(path, NOTE_BYTES, place, found)
    try:
        return (data or b"").decode().removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError:
        found.left_out.append((place, "it is not UTF-8"))
        return ""


def _noted(path: Path, limit: int, place: str, found: Found) -> bytes | None:
    try:
        data = read_regular(path, limit)
    except OSError as error:
        reason = f"it is over {limit} bytes long" if error.errno == errno.EFBIG else f"it cannot be read: {error.strerror}"
        found.left_out.append((place, "it is a link" if error.errno == errno.ELOOP else reason))
        return None
    if data is None:
        found.left_out.append((place, "it is no ordinary file"))
    return data


def _modified(path: Path) -> str:
    try:
        return stamp(path.stat().st_mtime)
    except (OSError, ValueError, OverflowError):
        return ""
