"""Topic files: finding entries between hidden comments, and changing them by splices.

The scanner works on bytes, so that a splice moves no byte it does not have to: byte order mark,
line ends, invalid UTF-8 and prose around entries stay as they are. A marker counts only at column 0,
alone on its line, outside fenced code; what looks like a fence in front matter is none. Without a closing
marker an entry runs to the next start marker or the end of the file, outer blank lines dropped.
"""

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from deepseedian.core import comment
from deepseedian.core.entry import TEXT_LIMIT, Entry
from deepseedian.errors import BadInput, BadText

FAMILIES = ("deepseedian", "deepsidian")
META_BYTES = 65_536
REMEMBERED_BYTES = 2_000_000
EARLIER = 6
_BOM = b"\xef\xbb\xbf"
_LINE = re.compile(
    rb"^(?:(?:\A\xef\xbb\xbf)?<!-- ?/?(?:deepseedian|deepsidian)-entry|\x20{0,3}(?:`{3}|~{3}))[^\n]*\n?", re.M)
_FENCE = re.compile(rb"\x20{0,3}(`{3,}|~{3,})([^\n]*)")
_START = re.compile(rb"(?:\xef\xbb\xbf)?<!-- (deepseedian|deepsidian)-entry (\{.*\}) -->[ \t]*\r?\n?", re.S)
_CLOSE = re.compile(rb"<!-- /(deepseedian|deepsidian)-entry -->[ \t]*\r?\n?")
_FRONT = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n")
_FRONT_END = re.compile(rb"^(?:---|\.\.\.)[ \t]*\r?$\n?", re.M)
_ID = re.compile(r"[0-9a-fA-F-]{36}")
_BLANK_LINES = re.compile(rb"(?:[ \t]*\r?\n)+")
_RESERVED = re.compile(r"<!--\s*/?\s*(?:deepseedian|deepsidian)-(?:entry|proposal|catalog)", re.I)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]|\r(?!\n)")


@dataclass(frozen=True, slots=True)
class Block:
    """An entry's place in its file, in bytes: marker, text and, where there is one, closing marker.

    [start, end) is the whole block with its last line end; [meta, meta_end) the JSON, [text, text_end) the text.
    """

    start: int
    meta: int
    meta_end: int
    text: int
    text_end: int
    end: int
    closed: bool
    family: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that could not be read; the bytes stay. `line` counts from 1."""

    code: str
    file: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Scan:
    """A file as read. `room` is the offset at which a new entry is outside every fence."""

    blocks: tuple[Block, ...]
    problems: tuple[Problem, ...]
    room: int

    @property
    def torn(self) -> bool:
        """True when the file seems cut in the middle of a marker, as half-written files are."""
        return any(problem.code == "torn_marker" for problem in self.problems)


def scan(data: bytes, path: str) -> Scan:
    """Read a topic or archive file; never raises, what cannot be read becomes a problem."""
    return _remembered(data, path) if len(data) <= REMEMBERED_BYTES else _Scanner(data, path).run()


@lru_cache(maxsize=6)
def _remembered(data: bytes, path: str) -> Scan:
    """One change looks at the same bytes several times: to plan, to verify, to publish."""
    scanner = _Scanner(data, path, tuple(_earlier))
    found = scanner.run()
    _earlier.append(_Earlier(path, data, scanner.front, found, tuple(scanner.rests)))
    return found


def clear() -> None:
    """Let go of the files that were looked at last."""
    _remembered.cache_clear()
    _earlier.clear()


@dataclass(frozen=True, slots=True)
class _Rest:
    """A place where nothing is open: what stands before it reads the same whatever follows."""

    at: int
    blocks: int
    problems: int


@dataclass(frozen=True, slots=True)
class _Earlier:
    """A file as scanned before; its next version is scanned only from where it differs."""

    path: str
    data: bytes
    front: int
    scan: Scan
    rests: tuple[_Rest, ...]

    def rest(self, data: bytes) -> int:
        """How many of its resting places lie in what it and the other bytes have in common."""
        if self.rests and data.startswith(self.data[: self.rests[-1].at]):
            return len(self.rests)
        return bisect_left(self.rests, True, key=lambda rest: not data.startswith(self.data[: rest.at]))


_earlier: deque[_Earlier] = deque(maxlen=EARLIER)


class _Scanner:
    """`earlier` are scans made before, of this or other files; the result is the same without them."""

    def __init__(self, data: bytes, path: str, earlier: Sequence[_Earlier] = ()) -> None:
        self.data, self.path = data, path
        self.blocks: list[Block] = []
        self.problems: list[Problem] = []
        self.rests: list[_Rest] = []
        self.front = _front_end(data)
        self.lines = list(_LINE.finditer(data, self._resume(earlier)))
        self.counted = (0, 1)
        self.fence: tuple[bytes, int, int] | None = None
        self.open: re.Match[bytes] | None = None
        self.orphan = False
        self.region: int | None = None  # where the present entry began, be it readable or not

    def _resume(self, earlier: Sequence[_Earlier]) -> int:
        """Take over what stands before the first difference to an earlier scan of this file; where to go on."""
        alike = [(count, known) for known in earlier
                 if known.path == self.path and known.front == self.front and (count := known.rest(self.data))]
        if not alike:
            return 0
        count, known = max(alike, key=lambda pair: pair[1].rests[pair[0] - 1].at)
        rest = known.rests[count - 1]
        self.rests += known.rests[:count]
        self.blocks += known.scan.blocks[: rest.blocks]
        self.problems += known.scan.problems[: rest.problems]
        return rest.at

    def run(self) -> Scan:
        for index, line in enumerate(self.lines):
            if line[0].removeprefix(_BOM).startswith(b"<"):
                self._marker(index, line)
            elif line.start() >= self.front:
                self._fence_line(line)
        fence = self.fence
        self._finish(len(self.data))
        self._check_last_line()
        room = self._room(fence)
        return Scan(tuple(self.blocks), tuple(self.problems), room)

    def _check_last_line(self) -> None:
        start = self.data.rfind(b"\n") + 1
        last = self.data[start: start + META_BYTES]
        if last.startswith(b"<!--") and b"-->" not in last and not any(p.code == "torn_marker" for p in self.problems):
            self._problem("torn_marker", start, "the file ends in the middle of a comment")

    def _fence_line(self, line: re.Match[bytes]) -> None:
        match = _FENCE.match(line[0])
        if match is None:
            return
        mark, rest = match[1], match[2]
        if self.fence is None:
            if mark[:1] != b"`" or b"`" not in rest:
                self.fence = (mark[:1], len(mark), line.start() if self.region is None else self.region)
        elif mark[:1] == self.fence[0] and len(mark) >= self.fence[1] and not rest.strip():
            self.fence = None

    def _marker(self, index: int, line: re.Match[bytes]) -> None:
        close = _CLOSE.fullmatch(line[0])
        if close is not None and self._closes(index, close[1]):
            self._close(line)
        elif self.fence is not None:
            return
        elif close is not None:
            if not self.orphan:
                self._problem("orphan_marker", line.start(), "a closing marker without an entry")
            self.orphan, self.region = False, None
        else:
            self._begin(line)

    def _begin(self, line: re.Match[bytes]) -> None:
        self._finish(line.start())
        self.region = line.start()
        start = _START.fullmatch(line[0])
        if start is None:
            torn = line.end() == len(self.data) and not line[0].endswith(b"\n")
            self._problem("torn_marker" if torn else "bad_marker", line.start(), "a marker that cannot be read")
            self.orphan = True
            return
        self.open, self.orphan = line, False

    def _closes(self, index: int, family: bytes) -> bool:
        if self.open is None:
            return False
        start = _START.fullmatch(self.open[0])
        if start is None or start[1] != family:
            return False
        return self.fence is None or not self._quoted(index)

    def _quoted(self, index: int) -> bool:
        """Whether the closing marker at `index` stands inside a fence that the entry's own text closes.

        The fence must end before the next marker, and that marker must close the entry: else the
        fence was left open by the text, and the marker before us is the real end.
        """
        assert self.fence is not None
        ended = False
        for line in self.lines[index + 1:]:
            if line[0].startswith(b"<"):
                return ended and _CLOSE.fullmatch(line[0]) is not None
            match = _FENCE.match(line[0])
            if match and match[1][:1] == self.fence[0] and len(match[1]) >= self.fence[1] and not match[2].strip():
                ended = not ended
        return False

    def _close(self, line: re.Match[bytes]) -> None:
        assert self.open is not None
        text, text_end, plain = self.open.end(), line.start(), self.fence is None and line[0].endswith(b"\n")
        if text_end > text:
            text_end -= 2 if self.data[text_end - 2: text_end] == b"\r\n" and text_end - 2 >= text else 1
        self._add(text, text_end, line.end(), closed=True)
        if plain:  # a marker inside a fence was believed for what follows it, and a last line may go on
            self.rests.append(_Rest(line.end(), len(self.blocks), len(self.problems)))

    def _finish(self, limit: int) -> None:
        """End an entry that has no closing marker at `limit`."""
        if self.open is None:
            return
        text, text_end = self.open.end(), limit
        blank = _BLANK_LINES.match(self.data, text, text_end)
        text = blank.end() if blank else text
        text_end = _last_text(self.data, text, limit)
        end = text_end + len(_first_line_end(self.data[text_end: min(limit, text_end + 2)]))
        self._add(text, text_end, end, closed=False)

    def _add(self, text: int, text_end: int, end: int, *, closed: bool) -> None:
        line, self.open, self.fence, self.region = self.open, None, None, None
        assert line is not None
        start = _START.fullmatch(line[0])
        assert start is not None
        try:
            entry = _entry(start[2], self.data[text:text_end], self.path)
        except BadInput as error:
            self._problem("bad_entry", line.start(), error.message)
            return
        at = line.start()
        self.blocks.append(Block(at, at + start.start(2), at + start.end(2), text, text_end, end,
                                 closed, start[1].decode(), entry))

    def _problem(self, code: str, at: int, message: str) -> None:
        offset, line = self.counted
        line = line + self.data.count(b"\n", offset, at) if at >= offset else self.data.count(b"\n", 0, at) + 1
        self.counted = (at, line)
        self.problems.append(Problem(code, self.path, line, message))

    def _room(self, fence: tuple[bytes, int, int] | None) -> int:
        if fence is None:
            return len(self.data)
        self._problem("open_fence", fence[2], "a code fence that is never closed hides what follows")
        return fence[2]


def _front_end(data: bytes) -> int:
    front = _FRONT.match(data)
    end = _FRONT_END.search(data, front.end()) if front else None
    return end.end() if end else 0


def _last_text(data: bytes, start: int, limit: int) -> int:
    """Where the last line with text ends, its line end left out."""
    body = data[start:limit]
    line_end = body.find(b"\n", len(body.rstrip(b" \t\r\n")))
    if line_end < 0:
        return limit
    return start + line_end - (1 if body[line_end - 1: line_end] == b"\r" else 0)


def _first_line_end(data: bytes) -> bytes:
    return b"\r\n" if data.startswith(b"\r\n") else data[:1] if data.startswith(b"\n") else b""


def _entry(meta: bytes, body: bytes, path: str) -> Entry:
    if len(meta) > META_BYTES:
        raise BadInput("metadata over 64 KiB")
    try:
        fields, text = comment.loads(meta.decode()), body.decode()
    except UnicodeDecodeError:
        raise BadInput("not valid UTF-8") from None
    if not isinstance(fields, dict) or not _ID.fullmatch(str(fields.get("id", ""))):
        raise BadInput("metadata without a valid id")
    if not all(isinstance(fields.get(key, ""), str) for key in ("id", "createdAt", "source")):
        raise BadInput("id, createdAt and source must be text")
    if not text.strip():
        raise BadInput("an entry without text")
    return Entry(str(fields["id"]), text, path, fields)


def check_text(text: str) -> None:
    """Refuse what could not come back identical, or would be read as structure. Raises BadText."""
    if not text.strip():
        raise BadText("the text is empty", "say what to remember")
    if len(text) > TEXT_LIMIT:
        raise BadText(f"the text has {len(text)} characters, {TEXT_LIMIT} are allowed", "split it into several entries")
    if _RESERVED.search(text):
        raise BadText("the text holds a marker that memory itself uses", "leave the <!-- deepseedian… --> comment out")
    check_characters(text)


def check_characters(text: str, what: str = "the text") -> None:
    """Refuse control characters and lone surrogates. Raises BadText."""
    bad = _CONTROL.search(text) or re.search("[\ud800-\udfff]", text)
    if bad:
        raise BadText(f"{what} holds the control character U+{ord(bad[0][0]):04X} at {bad.start() + 1}",
                      "only tabs and line breaks are allowed")


def encode(meta: Mapping[str, object], text: str, *, family: str = FAMILIES[0], newline: str = "\n") -> bytes:
    """One entry as a block of bytes, closing marker and last line end included."""
    return raw_block(comment.dumps(dict(meta)), text, family=family, newline=newline)


def raw_block(meta: str, text: str, *, family: str, newline: str) -> bytes:
    lines = (f"<!-- {family}-entry {meta} -->", text, f"<!-- /{family}-entry -->", "")
    return newline.join(lines).encode()


def newline_of(data: bytes) -> str:
    """The line end most of the file uses."""
    windows = data.count(b"\r\n")
    return "\r\n" if windows * 2 > data.count(b"\n") else "\n"


def family_of(blocks: Sequence[Block], default: str) -> str:
    return blocks[-1].family if blocks else default


def heading(name: str) -> bytes:
    """What a new file begins with."""
    return f"# {name}\n".encode()
