"""A conversation as its file tells it: lines of JSON, read into turns that form a tree.

A line is a turn that a host handed in, the beginning or the end of one of our own, a turn that a fork inherited,
or a change of the session itself (title, goal, switches). Lines are only added; what a line says can be told from
those before it. One that is torn, foreign or of the wrong shape is passed over and stays where it is.
"""

import json
import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace

from deepseedian.core.entry import derived
from deepseedian.core.snapshot import sha256
from deepseedian.core.text import cut

ROLES = ("user", "assistant", "system", "tool")
ENDS = ("done", "stopped", "failed")
TITLE_CHARS = 28
RANGE_FAULT = "its earlier messages are not the ones that were left out when it began to contribute; nothing is learned from it"
SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")
SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBERED = re.compile(r"（\d{1,9}）$")
_ABOUT = ("preset", "origin", "cwd")


@dataclass(frozen=True, slots=True)
class Message:
    """`id` is the message's source key: the same message handed in twice has the same one."""

    id: str
    role: str
    text: str
    sender: str = ""

    def document(self) -> dict[str, str]:
        return {"id": self.id, "role": self.role, "text": self.text} | ({"sender": self.sender} if self.sender else {})


@dataclass(frozen=True, slots=True)
class Turn:
    """`id` of a turn from a host is derived from its messages, or from the host's own id (`host`); it goes on from `parent`.

    `state` is running, done, stopped, failed, or interrupted: begun by a program that died. `contributes`: something may be
    learned from what the owner said in it.
    """

    session: str
    at: str
    messages: tuple[Message, ...]
    about: Mapping[str, str] = field(default_factory=dict)
    id: str = ""
    parent: str = ""
    state: str = "done"
    inherited: bool = False
    contributes: bool = True
    extra: Mapping[str, object] = field(default_factory=dict)
    ended: str = ""
    host: str = ""

    @property
    def question(self) -> str:
        return next((message.text for message in self.messages if message.role == "user"), "")

    @property
    def answer(self) -> str:
        return next((message.text for message in reversed(self.messages) if message.role == "assistant"), "")

    def body(self) -> dict[str, object]:
        """A host's turn as a line says it."""
        found: dict[str, object] = {"session": self.session, "at": self.at, "messages": [one.document() for one in self.messages]}
        return found | ({"turn": self.host} if self.host else {}) | dict(self.about)

    def inherited_body(self, session: str, at: str) -> dict[str, object]:
        """The turn as a fork keeps it: message ids stay, so that what was excluded or erased is found in the fork too."""
        found: dict[str, object] = {"kind": "inherited", "session": session, "at": at, "turn": self.id, "parent": self.parent,
                                    "time": self.at, "ended": self.ended, "state": self.state,
                                    "messages": [one.document() for one in self.messages]}
        return found | ({"extra": dict(self.extra)} if self.extra else {}) | dict(self.about)

    def document(self) -> dict[str, object]:
        found: dict[str, object] = {"id": self.id, "parent": self.parent, "at": self.at, "ended": self.ended or None, "state": self.state,
                                    "inherited": self.inherited, "contributes": self.contributes,
                                    "messages": [one.document() for one in self.messages]}
        return found | dict(self.about) | ({"extra": dict(self.extra)} if self.extra else {})


@dataclass(frozen=True, slots=True)
class About:
    """A session at a glance. `fork` names where it comes from; `fault` why nothing is learned from it though it should be."""

    id: str
    title: str
    goal: str = ""
    reads: bool = True
    contributes: bool = True
    fork: Mapping[str, str] | None = None
    created: str = ""
    changed: str = ""
    turns: int = 0
    contribute_from: Mapping[str, object] | None = None
    fault: str = ""
    excerpt: str = ""

    def document(self) -> dict[str, object]:
        found: dict[str, object] = {
            "id": self.id, "title": self.title, "goal": self.goal, "reads": self.reads, "contributes": self.contributes,
            "fork": dict(self.fork) if self.fork else None, "created": self.created, "changed": self.changed, "turns": self.turns,
            "contributeFrom": dict(self.contribute_from) if self.contribute_from else None}
        return found | ({"fault": self.fault} if self.fault else {}) | ({"excerpt": self.excerpt} if self.excerpt else {})


@dataclass(slots=True)
class _Piece:
    """What one line adds to the conversation: messages of a turn, and the device that wrote them."""

    turn: str
    messages: tuple[Message, ...]
    device: str
    inherited: bool = False


def source_key(session: str, at: str, number: int, text: str) -> str:
    """SHA-256 over session, time of the turn, place in the turn and text."""
    return sha256(json.dumps([session, at, number, text], ensure_ascii=False, separators=(",", ":")).encode())


def range_key(session: str, messages: list[tuple[str, str]]) -> str:
    """SHA-256 over the session and the role and text of each message."""
    body = [session, [list(message) for message in messages]]
    return sha256(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())


def encoded(body: Mapping[str, object]) -> bytes:
    """One line; half a character, which only a foreign line can hold, becomes a question mark."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(errors="replace") + b"\n"


def mended(text: str) -> str:
    """The text with halves of characters joined, or replaced where the other half is missing."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if SURROGATE.search(text) else text


class Log:
    """A session as far as its lines were read. `device` is this one: only what it wrote is learned from here."""

    def __init__(self, session: str, device: str = "") -> None:
        self.session, self.device = session, device
        self._turns: dict[str, Turn] = {}
        self._pieces: list[_Piece] = []
        self._title, self.goal, self.reads, self.contributes = "", "", True, True
        self._from: tuple[int, str] | None = None
        self._fork: dict[str, str] | None = None
        self._number = 0
        self._claim = ""
        self._devices: set[str] = set()
        self.created = self.changed = ""

    def add(self, line: bytes) -> None:
        """One line, with or without its end."""
        try:
            body = json.loads(line)
            self._take(body)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return

    def _take(self, body: dict[str, object]) -> None:
        kind = body.get("kind", "")
        if _text(body["session"]).casefold() != self.session.casefold():
            return  # a line of somebody else's conversation, as in a conflict copy
        at = _text(body["at"])
        takes = {"": self._observed, "begin": self._begun, "end": self._ended, "inherited": self._inherited, "set": self._set,
                 "fork": self._forked, "device": self._claimed}
        if not isinstance(kind, str) or kind not in takes:
            return
        self._devices.add(_text(body.get("device", "")))
        if takes[kind](body, at):
            self.created = self.created or at
            self.changed = at

    def _observed(self, body: dict[str, object], at: str) -> bool:
        messages = _messages(body["messages"])
        host = _text(body.get("turn", ""))
        key = derived(self.session, host) if host else derived(self.session, *(message.id for message in messages))
        old = self._turns.get(key)
        parent = old.parent if old else next(reversed(self._turns), "")
        about = {name: _text(body[name]) for name in _ABOUT if name in body}
        self._turns[key] = Turn(self.session, at, messages, about, key, parent, host=host)
        piece = _Piece(key, messages, _text(body.get("device", "")))
        if old is None:
            self._pieces.append(piece)
        else:  # the host says that the turn went otherwise: in its place, so that whatever counted on it finds out
            self._pieces = [piece if known.turn == key else known for known in self._pieces]
        return True

    def _begun(self, body: dict[str, object], at: str) -> bool:
        key, parent, messages = _text(body["turn"]), _text(body.get("parent", "")), _messages(body["messages"])
        if not key or key in self._turns:
            return False
        self._turns[key] = Turn(self.session, at, messages, id=key, parent=self._known(parent), state="", extra=_extra(body))
        self._pieces.append(_Piece(key, messages, _text(body.get("device", ""))))
        return True

    def _ended(self, body: dict[str, object], at: str) -> bool:
        turn, state, messages = self._turns.get(_text(body["turn"])), body["state"], _messages(body["messages"])
        if turn is None or turn.state or state not in ENDS:
            return False
        self._turns[turn.id] = replace(turn, messages=turn.messages + messages, state=str(state), ended=at,
                                       extra=dict(turn.extra) | _extra(body))
        self._pieces.append(_Piece(turn.id, messages, _text(body.get("device", ""))))
        return True

    def _inherited(self, body: dict[str, object], at: str) -> bool:
        key, state, messages = _text(body["turn"]), _text(body["state"]), _messages(body["messages"])
        if not key or key in self._turns:
            return False
        about = {name: _text(body[name]) for name in _ABOUT if name in body}
        self._turns[key] = Turn(self.session, _text(body["time"]), messages, about, key, self._known(_text(body.get("parent", ""))),
                                state if state in ENDS else "interrupted", True, False, _extra(body), _text(body.get("ended", "")))
        self._pieces.append(_Piece(key, messages, "", True))
        return True

    def _set(self, body: dict[str, object], at: str) -> bool:
        if "title" in body:
            self._title = _text(body["title"])
            self._number = 0
        if "goal" in body:
            self.goal = _text(body["goal"])
        if "reads" in body:  # a switch that says neither on nor off is off
            self.reads = body["reads"] is True
        if "contributes" in body:
            self.contributes = body["contributes"] is True
        if "contribute_from" in body:
            self._from = _range(body["contribute_from"])
        return True

    def _forked(self, body: dict[str, object], at: str) -> bool:
        origin, number = body["from"], body["number"]
        if not isinstance(origin, dict) or not isinstance(number, int):
            return False
        self._fork = {"session": _text(origin["session"]), "turn": _text(origin["turn"])}
        self._number = number
        self._title = _text(body.get("title", ""))
        return True

    def _claimed(self, body: dict[str, object], at: str) -> bool:
        self._claim = self._claim or _text(body["device"])
        return False

    def _known(self, turn: str) -> str:
        return turn if turn in self._turns else ""

    # What it comes to

    def turns(self, running: Set[str] = frozenset()) -> list[Turn]:
        """In the order in which they began; a turn that has not ended is running here, or was interrupted."""
        own = {message.id for message in self.contributing()}
        return [self._now(turn, running, own) for turn in self._turns.values()]

    def turn(self, key: str, running: Set[str] = frozenset()) -> Turn | None:
        turn = self._turns.get(key)
        return None if turn is None else self._now(turn, running, {message.id for message in self.contributing()})

    def _now(self, turn: Turn, running: Set[str], own: Set[str]) -> Turn:
        state = turn.state or ("running" if turn.id in running else "interrupted")
        contributes = not turn.inherited and any(message.id in own for message in turn.messages)
        return replace(turn, state=state, contributes=contributes)

    def last(self) -> str:
        """The newest turn: nothing goes on from it."""
        return next(reversed(self._turns), "")

    def path(self, turn: str) -> list[str]:
        """The ids from the root to a turn."""
        found = []
        while turn:
            found.append(turn)
            turn = self._turns[turn].parent
        return found[::-1]

    def messages(self) -> list[Message]:
        """In the order of the lines, which later lines never change."""
        return [message for piece in self._pieces for message in piece.messages]

    def contributing(self) -> list[Message]:
        """What may be learned from: the owner's own messages, written on this device, not inherited, within the range."""
        if not self.contributes or self.fault():
            return []
        start = self._from[0] if self._from else 0
        found, number = [], 0
        for piece in self._pieces:
            own = not piece.inherited and (piece.device or self._claim or self.device) == self.device
            found += [message for place, message in enumerate(piece.messages, number) if own and message.role == "user" and place >= start]
            number += len(piece.messages)
        return found

    def fault(self) -> str:
        """Why the range cannot be trusted."""
        return "" if self._from is None or self._from == self.range(self._from[0]) else RANGE_FAULT

    def range(self, index: int = -1) -> tuple[int, str]:
        """The first `index` messages, or all, as a range is stored."""
        messages = [(message.role, message.text) for message in self.messages()]
        kept = messages if index < 0 else messages[:index]
        return len(kept), range_key(self.session, kept)

    @property
    def ranged(self) -> bool:
        return self._from is not None

    def unclaimed(self) -> bool:
        """Whether something in it names no device."""
        return not self._claim and any(not piece.device and not piece.inherited for piece in self._pieces)

    def devices(self) -> set[str]:
        """Who wrote in it; an empty name is nobody's in particular."""
        return {device or self._claim for device in self._devices}

    def about(self) -> About:
        start = {"index": self._from[0], "key": self._from[1]} if self._from else None
        return About(self.session, self.title, self.goal, self.reads, self.contributes, self._fork, self.created, self.changed,
                     len(self._turns), start, self.fault() if self.contributes else "")

    @property
    def title(self) -> str:
        return self.base + (f"（{self._number}）" if self._number else "")

    @property
    def given(self) -> str:
        """The title that somebody gave it, without a fork's number; empty while it is the first question's."""
        return _NUMBERED.sub("", self._title) if self._fork else self._title

    @property
    def base(self) -> str:
        """The title without the number of a fork."""
        return self._title or cut(" ".join(self._first().split()), TITLE_CHARS).rstrip()

    @property
    def stem(self) -> str:
        """What forks of it are named by: its own number does not count."""
        return self.given or self.base

    def _first(self) -> str:
        return next((message.text for piece in self._pieces for message in piece.messages
                     if message.role == "user" and message.text.strip()), "")


def _text(value: object) -> str:
    """Raises TypeError."""
    if not isinstance(value, str):
        raise TypeError("a text was expected")
    return mended(value)


def _messages(value: object) -> tuple[Message, ...]:
    """Raises TypeError, KeyError."""
    if not isinstance(value, list):
        raise TypeError("a list of messages was expected")
    found = tuple(Message(_text(one["id"]), _text(one["role"]), _text(one["text"]), _text(one.get("sender", ""))) for one in value)
    if not all(message.role in ROLES for message in found):
        raise TypeError("an unknown role")
    return found


def _extra(body: Mapping[str, object]) -> dict[str, object]:
    value = body.get("extra", {})
    return dict(value) if isinstance(value, dict) else {}


def _range(value: object) -> tuple[int, str] | None:
    """None for the whole session; what cannot be read is a range that nothing fits."""
    if value is None:
        return None
    index, key = (value.get("index"), value.get("key")) if isinstance(value, dict) else (None, None)
    good = isinstance(index, int) and not isinstance(index, bool) and index >= 0 and isinstance(key, str)
    return (index, key) if good else (0, "")  # type: ignore[return-value]
