"""Conversations that hosts hand in: one append-only file of JSON lines per session, a turn a line.

A turn is one write and is flushed before it is answered. A line that a kill left torn is skipped by
readers and closed by the next writer; two processes may append.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock

from filelock import FileLock, Timeout

from deepseedian.config.files import replace_file
from deepseedian.config.folders import private
from deepseedian.core.snapshot import sha256
from deepseedian.errors import BadInput, BadText, Busy, NotFound, TooLarge
from deepseedian.store.disk import flush

ROLES = ("user", "assistant", "system", "tool")
MOST_MESSAGES = 200
MESSAGE_LIMIT = 200_000
LABEL_LIMIT = 500
KEPT_DAYS = 90
WAIT_SECONDS = 30.0
_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Message:
    """`id` is the message's source key: the same message handed in twice has the same one."""

    id: str
    role: str
    text: str
    sender: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    session: str
    at: str
    messages: tuple[Message, ...]
    about: Mapping[str, str] = field(default_factory=dict)

    def line(self) -> bytes:
        messages = [{"id": m.id, "role": m.role, "text": m.text} | ({"sender": m.sender} if m.sender else {}) for m in self.messages]
        body = {"session": self.session, "at": self.at, "messages": messages} | dict(self.about)
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def source_key(session: str, at: str, number: int, text: str) -> str:
    """SHA-256 over session, time of the turn, place in the turn and text."""
    return sha256(json.dumps([session, at, number, text], ensure_ascii=False, separators=(",", ":")).encode())


def checked(session: object, at: object, messages: object, about: Mapping[str, object], now: str) -> Turn:
    """A turn from outside. Raises BadInput, BadText, TooLarge."""
    name = checked_session(session)
    time = now if at in (None, "") else at
    if not isinstance(time, str) or len(time) > 40 or not re.fullmatch(r"[0-9T:.,+\-Z ]+", time):
        raise BadInput("at must be a time such as 2026-11-30T09:12:31Z", "leave it out for now")
    if not isinstance(messages, list) or not messages:
        raise BadInput("a turn needs at least one message", '"messages": [{"role": "user", "text": "…"}]')
    if len(messages) > MOST_MESSAGES:
        raise TooLarge(f"a turn may have {MOST_MESSAGES} messages", "hand in fewer at once")
    found = tuple(_message(name, time, number, message) for number, message in enumerate(messages))
    return Turn(name, time, found, {key: _label(value, key) for key, value in about.items() if value})


def checked_session(session: object) -> str:
    if not isinstance(session, str) or not _SESSION.fullmatch(session) or session.endswith("."):
        raise BadInput("a session id is letters, digits, dots, - and _, 120 at most", "it becomes a file name")
    return session


def _message(session: str, at: str, number: int, message: object) -> Message:
    if not isinstance(message, dict) or message.get("role") not in ROLES:
        raise BadInput(f"message {number + 1} needs a role: {', '.join(ROLES)}", "and a text")
    text = message.get("text")
    if not isinstance(text, str):
        raise BadInput(f"message {number + 1} needs a text", '{"role": "user", "text": "…"}')
    if len(text) > MESSAGE_LIMIT:
        raise TooLarge(f"message {number + 1} has {len(text)} characters, {MESSAGE_LIMIT} are allowed", "hand in the part that matters")
    _check_surrogates(text, f"message {number + 1}")
    return Message(source_key(session, at, number, text), message["role"], text, _label(message.get("sender") or "", "sender"))


def _label(value: object, name: str) -> str:
    if not isinstance(value, str) or len(value) > LABEL_LIMIT:
        raise BadInput(f"{name} is a text of at most {LABEL_LIMIT} characters", "shorten it")
    _check_surrogates(value, name)
    return value


def _check_surrogates(text: str, what: str) -> None:
    if _SURROGATE.search(text):
        raise BadText(f"{what} holds half a character (a lone surrogate)", "send valid Unicode")


class Sessions:
    """The session files of one store."""

    def __init__(self, folder: Path) -> None:
        self.folder = private(folder)
        self._mutex = RLock()
        self._lock = FileLock(self.folder / ".lock", fallback_to_soft=False, mode=0o600)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One writer at a time, in whichever process: else a turn added while a file is rewritten would be lost. Raises Busy."""
        with self._mutex:
            try:
                self._lock.acquire(timeout=WAIT_SECONDS)
            except Timeout:
                raise Busy("another program is writing to the conversations", "try again in a moment") from None
            try:
                yield
            finally:
                self._lock.release()

    def append(self, turn: Turn) -> bool:
        """Durably add a turn; False when exactly this turn is there already."""
        with self._writing():
            return self._append(turn)

    def _append(self, turn: Turn) -> bool:
        path = self.folder / f"{turn.session}.jsonl"
        if path.exists() and any(known.messages == turn.messages for known in self.turns(turn.session)):
            return False
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            size = os.fstat(handle).st_size
            torn = size > 0 and os.lseek(handle, size - 1, os.SEEK_SET) >= 0 and os.read(handle, 1) != b"\n"
            view = memoryview((b"\n" if torn else b"") + turn.line())
            while view:
                view = view[os.write(handle, view):]
            flush(handle)
        finally:
            os.close(handle)
        return True

    def repeated(self, turn: Turn) -> Turn | None:
        """The session's last turn when it says exactly the same: a host without times has sent it again."""
        try:
            *_, last = self.turns(turn.session)
        except (NotFound, ValueError):
            return None
        words = [(message.role, message.text) for message in turn.messages]
        return last if words == [(message.role, message.text) for message in last.messages] else None

    def names(self) -> list[str]:
        """Sessions, the one that was added to last first."""
        found = sorted(self.folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        return [path.stem for path in found]

    def turns(self, session: str) -> Iterator[Turn]:
        """The turns of a session, oldest first; torn lines left out. Raises NotFound."""
        path = self.folder / f"{checked_session(session)}.jsonl"
        try:
            lines = path.read_bytes().split(b"\n")
        except FileNotFoundError:
            raise NotFound(f"there is no session {session}", "observe a turn of it first") from None
        for line in lines:
            turn = _decoded(line)
            if turn is not None:
                yield turn

    def messages(self, session: str) -> list[Message]:
        return [message for turn in self.turns(session) for message in turn.messages]

    def erase(self, cleaned: Callable[[str, str], str]) -> int:
        """Rewrite messages; `cleaned` gets a message's id and text and gives its new text. How many sessions changed."""
        return sum(self._erase(path, cleaned) for path in sorted(self.folder.glob("*.jsonl")))

    def _erase(self, path: Path, cleaned: Callable[[str, str], str]) -> bool:
        with self._writing():
            old = path.read_bytes()
            new = b"\n".join(_cleaned(line, cleaned) for line in old.split(b"\n"))
            if new == old:
                return False
            modified = path.stat().st_mtime_ns
            replace_file(path, new)
            os.utime(path, ns=(modified, modified))  # when a conversation was last added to decides how long it is kept
        return True

    def prune(self, now: float) -> int:
        """Delete sessions that nothing was added to for 90 days; `now` is Unix time."""
        with self._writing():
            old = [path for path in self.folder.glob("*.jsonl") if path.stat().st_mtime < now - KEPT_DAYS * 86_400]
            for path in old:
                path.unlink()
        return len(old)


def _cleaned(line: bytes, cleaned: Callable[[str, str], str]) -> bytes:
    """A line with its messages cleaned, all else in it as it was; of a torn one nothing stays if one of the texts is in it."""
    turn = _decoded(line)
    if turn is None:
        text = line.decode(errors="replace")
        return line if cleaned("", text) == text else b""
    texts = [cleaned(message.id, message.text) for message in turn.messages]
    if texts == [message.text for message in turn.messages]:
        return line
    body = json.loads(line)
    for message, text in zip(body["messages"], texts, strict=True):
        message["text"] = text
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _decoded(line: bytes) -> Turn | None:
    try:
        body = json.loads(line)
        messages: Sequence[Message] = [Message(m["id"], m["role"], m["text"], m.get("sender", "")) for m in body["messages"]]
        about = {key: body[key] for key in ("preset", "origin", "cwd") if key in body}
        return Turn(body["session"], body["at"], tuple(messages), about)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
