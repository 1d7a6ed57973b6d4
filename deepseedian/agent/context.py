"""What a question brings along: the note it is asked in, a selection, files. All of it is data, checked and bounded.

The manifest says exactly what was sent, by name, size and hash, so that a turn can be looked at years later.
"""

import base64
import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deepseedian.core.snapshot import sha256
from deepseedian.errors import BadInput, NotFound, TooLarge

SELECTION_LIMIT = 6000
NEARBY_LIMIT = 10_000
HEADING_LIMIT = 500
REVISION_LENGTH = 64
NEARBY_LINES = 6
PINNED_LINES = 12
NOTE_LIMIT = 1_048_576
MOST_ATTACHMENTS = 4
TEXT_BYTES = 102_400
IMAGE_BYTES = 5_242_880
TEXTS = tuple(".md .base .canvas .txt .json .csv .ts .tsx .js .jsx .py .css .html .yaml .yml".split())
IMAGES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp", ".gif": "image/gif"}
_STARTS = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff", "image/gif": b"GIF8", "image/webp": b"RIFF"}
_HEADING = re.compile(r"#{1,6}[ \t]+(.*?)[ \t#]*$")
Read = Callable[[str, int], bytes]


@dataclass(frozen=True, slots=True)
class NoteContext:
    """Where the person is. Lines count from 1; `revision` is the SHA-256 of the note a pinned selection was taken from."""

    path: str = ""
    selection: str = ""
    nearby: str = ""
    heading: str = ""
    start_line: int = 0
    end_line: int = 0
    revision: str = ""
    pinned: bool = False
    truncated: bool = False
    changed: bool = False

    def document(self) -> dict[str, object]:
        """As the model sees it; present even when empty."""
        found: dict[str, object] = {"path": self.path, "selection": self.selection, "nearby": self.nearby}
        more = {"heading": self.heading, "startLine": self.start_line, "endLine": self.end_line, "pinned": self.pinned,
                "truncated": self.truncated, "changedSincePinned": self.changed}
        return found | {name: value for name, value in more.items() if value}


@dataclass(frozen=True, slots=True)
class Attachment:
    """A text, or an image with its media type."""

    name: str
    text: str = ""
    data: bytes = b""
    media: str = ""

    def item(self) -> dict[str, object]:
        if self.media:
            return {"kind": "image", "label": self.name, "bytes": len(self.data), "hash": sha256(self.data)}
        return {"kind": "attachment", "label": self.name, "chars": len(self.text), "hash": sha256(self.text.encode())}


def note(given: Mapping[str, Any], read: Read) -> NoteContext:
    """The note's context as a caller gives it; with lines and no selection they are taken from the file.

    `read` gives the bytes of a file of the vault, at most so many. Raises BadInput, NotFound, TooLarge.
    """
    path = in_vault(_words(given, "path")) if given.get("path") else ""
    selection, nearby = _words(given, "selection"), _words(given, "nearby")
    start, end = _line(given, "startLine"), _line(given, "endLine")
    pinned, revision, heading = bool(given.get("pinned")), _words(given, "revision"), _words(given, "heading")
    if len(revision) > REVISION_LENGTH:
        raise BadInput("revision is the SHA-256 of the note", "leave it out for none")
    changed = False
    if start and not path.endswith(".md") and not selection:
        raise BadInput("lines are counted in a Markdown note", "name the note, such as 日记/2026.md")
    if path and not (start or revision or selection or nearby):
        read(path, 0)  # a name that is no file is told, not sent
    if path.endswith(".md") and (start or revision):
        data = read(path, NOTE_LIMIT)
        changed = bool(revision) and sha256(data) != revision
        if start and not selection:
            selection, nearby, heading = _taken(data, path, start, end or start, PINNED_LINES if pinned else NEARBY_LINES)
            revision = revision or sha256(data)
    cut = len(selection) > SELECTION_LIMIT or len(nearby) > NEARBY_LIMIT
    return NoteContext(path, selection[:SELECTION_LIMIT], nearby[:NEARBY_LIMIT], heading[:HEADING_LIMIT], start, end or start, revision,
                       pinned, cut or bool(given.get("truncated")), changed)


def _words(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name) or ""
    if not isinstance(value, str):
        raise BadInput(f"{name} is a text", "leave it out for none")
    return value


def _line(given: Mapping[str, Any], name: str) -> int:
    value = given.get(name) or 0
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 10_000_000:
        raise BadInput(f"{name} is a line, counted from 1", "leave it out for none")
    return value


def _taken(data: bytes, path: str, start: int, end: int, around: int) -> tuple[str, str, str]:
    """(selection, nearby lines, the heading above)."""
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not UTF-8 text", "name another note") from None
    if end < start or start > len(lines):
        raise BadInput(f"{path} has {len(lines)} lines", "name lines that exist, such as --lines 3-8")
    nearby = lines[max(0, start - 1 - around): end + around]
    heading = next((found[1] for line in reversed(lines[:start]) if (found := _HEADING.match(line))), "")
    return "\n".join(lines[start - 1: end]), "\n".join(nearby), heading


def attachments(given: Sequence[Mapping[str, Any]], images: bool, read: Read) -> tuple[Attachment, ...]:
    """Texts and images as a caller gives them: `{"name","text"}`, `{"name","data": base64}` or `{"path"}` in the vault.

    Raises BadInput for a type that is not taken, or an image for a model that takes none; TooLarge.
    """
    if len(given) > MOST_ATTACHMENTS:
        raise TooLarge(f"a question may bring {MOST_ATTACHMENTS} files", "leave some out")
    return tuple(_attachment(item, images, read) for item in given)


def _attachment(given: Mapping[str, Any], images: bool, read: Read) -> Attachment:
    path = str(given.get("path") or "")
    name = str(given.get("name") or path)
    if not name or len(name) > 1000 or not name.isprintable():
        raise BadInput("an attachment needs a name, on one line", '{"name": "table.csv", "text": "…"}')
    media = IMAGES.get(_extension(name))
    if media is None and _extension(name) not in TEXTS:
        raise BadInput(f"{name}: this kind of file is not taken", f"one of {', '.join((*TEXTS, *IMAGES))}")
    limit = IMAGE_BYTES if media else TEXT_BYTES
    data = read(path, limit) if path else _given(given, name)
    if len(data) > limit:
        raise TooLarge(f"{name} has {len(data)} bytes, {limit} are allowed", "attach the part that matters")
    if media is None:
        return Attachment(name, _text(data, name))
    if not images:
        raise BadInput(f"{name}: this model takes no images", "set images = true in its profile if it does")
    if not data.startswith(_STARTS[media]):
        raise BadInput(f"{name} does not hold what its name says", "attach the picture itself")
    return Attachment(name, data=data, media=media)


def _extension(name: str) -> str:
    return "." + name.rpartition(".")[2].lower() if "." in name else ""


def _given(given: Mapping[str, Any], name: str) -> bytes:
    if isinstance(given.get("text"), str):
        return str(given["text"]).encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(str(given.get("data") or ""), validate=True)
    except (binascii.Error, ValueError):
        raise BadInput(f"{name}: the data is not base64", '{"name": "a.png", "data": "…"}') from None


def _text(data: bytes, name: str) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{name} is not UTF-8 text", "convert it first") from None
    if "\0" in text:
        raise BadInput(f"{name} is not text", "it holds NUL characters")
    return text


def in_vault(path: str) -> str:
    """A path that a caller named, as it may be read: inside the vault, nothing hidden. Raises BadInput."""
    parts = path.split("/")
    hidden = any(not part or part.startswith(".") for part in parts)
    if hidden or len(path) > 1000 or "\\" in path or ":" in path or not path.isprintable():
        raise BadInput(f"{path[:80]!r} is no path inside the vault", "write it with /, from the vault's folder, such as 日记/2026.md")
    return path


def missing(path: str) -> NotFound:
    return NotFound(f"there is no file {path} in the vault", "the path counts from the vault's folder")
