"""The bytes of a model's answer as JSON documents: server-sent events, or one document from a server that does not stream.

Forgiving in form (no blank lines, no space after the colon, comments, other fields), never in content: an event that
cannot be read is an error, since leaving it out would change what the model said without a trace.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from deepseedian.errors import ModelFailed

LINE_LIMIT = 4_000_000
WHOLE_LIMIT = 8_000_000
PINGS = ("ping", "keepalive", "keep-alive", "heartbeat")


@dataclass(frozen=True, slots=True)
class Event:
    """`kind` is done, data, error (as the server called it) or whole (no stream); `damaged`: some of its bytes were no UTF-8."""

    kind: str
    document: dict[str, object]
    damaged: bool = False


class Events:
    """Feed it bytes as they come; `end` when there are no more. Raises ModelFailed."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._kind = ""
        self._lines: list[bytes] = []
        self._other: list[bytes] = []  # what belongs to no event stream, while there was no event
        self._size = 0
        self._spoken = False

    def feed(self, data: bytes) -> Iterator[Event]:
        self._rest += data
        if b"\n" in data:
            *lines, rest = bytes(self._rest).split(b"\n")
            self._rest = bytearray(rest)
            for line in lines:
                yield from self._line(line.rstrip(b"\r"))
        if len(self._rest) > (LINE_LIMIT if self._spoken else WHOLE_LIMIT):
            raise unreadable("a line without end")

    def end(self) -> Iterator[Event]:
        """What the last bytes hold; a part of an event is dropped: the stream was cut off there."""
        try:
            yield from self._line(bytes(self._rest).rstrip(b"\r"))
            yield from self._line(b"")
        except ModelFailed:
            return
        if self._other and not self._spoken:
            found = _parsed(b"\n".join(self._other))
            if found is None:
                raise unreadable("something else than an answer")
            yield Event("whole", found, not _is_text(b"\n".join(self._other)))

    def _line(self, line: bytes) -> Iterator[Event]:
        if not line:
            yield from self._dispatched()
            return
        name, _, value = line.removeprefix(b"\xef\xbb\xbf").partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._spoken = True
            yield from self._data(value)
        elif name == b"event":
            self._kind = value.decode(errors="replace").strip().lower()
        elif name and not self._spoken:
            self._other.append(line)
            self._bounded(len(line))

    def _data(self, value: bytes) -> Iterator[Event]:
        """A line that says something by itself is told at once: some servers send no blank lines between events."""
        if value.strip().startswith(b"[DONE]"):
            yield Event("done", {})
        elif value.strip() and not self._lines and (found := _parsed(value)) is not None:
            yield self._event(found, value)
        elif value.strip():
            self._lines.append(value)
            self._bounded(len(value))

    def _dispatched(self) -> Iterator[Event]:
        if self._lines and self._kind not in PINGS:
            whole = b"\n".join(self._lines)
            found = _parsed(whole)
            if found is None and whole.strip() != b"null":
                raise unreadable("an event that is no JSON object")
            if found is not None:
                yield self._event(found, whole)
        self._lines, self._kind, self._size = [], "", self._size if self._other else 0

    def _event(self, document: dict[str, object], raw: bytes) -> Event:
        kind = "error" if self._kind == "error" else "data"
        return Event(kind, document, not _is_text(raw))

    def _bounded(self, more: int) -> None:
        self._size += more
        if self._size > WHOLE_LIMIT:
            raise unreadable("an event without end")


def _is_text(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _parsed(raw: bytes) -> dict[str, object] | None:
    try:
        found = json.loads(raw.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None
    if isinstance(found, list) and len(found) == 1:  # an error in a list, as one large provider sends it
        found = found[0]
    return found if isinstance(found, dict) else None


def unreadable(what: str) -> ModelFailed:
    return ModelFailed(f"the model's server sent {what}", "is it a server for chat completions?", code="model_answer")
