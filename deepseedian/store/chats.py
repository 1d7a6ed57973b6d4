"""The chats in the public plugin's data.json, as turns that can be kept as conversations."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from deepseedian.core.entry import derived, moment, stamp
from deepseedian.store.session_log import SESSION, mended

MOST_CHATS = 2_000
MOST_TURNS = 5_000
MESSAGE_CHARS = 200_000
TITLE_CHARS, GOAL_CHARS = 200, 2_000
PREFIX = "plugin-"


@dataclass(frozen=True, slots=True)
class Chat:
    """`turns` are as a host would hand them in: {"turn","at","messages"}."""

    session: str
    title: str
    goal: str
    turns: tuple[dict[str, object], ...]

    def document(self) -> dict[str, object]:
        return {"session": self.session, "title": self.title, "goal": self.goal, "turns": list(self.turns)}


def chats(data: bytes, when: str) -> tuple[list[Chat], list[tuple[str, str]]]:
    """The chats, and what was left out: (which chat, why). `when` is the time of what tells none. Never raises."""
    try:
        body = json.loads(data.decode())
        listed = body.get("chats", [])
    except (ValueError, RecursionError, AttributeError):
        return [], [("", "it is not JSON as the plugin writes it")]
    if not isinstance(listed, list):
        return [], [("", "it holds no list of chats")]
    found, left_out = [], []
    for number, chat in enumerate(listed[:MOST_CHATS], 1):
        read = _chat(chat, when)
        if read is not None and read.turns:
            found.append(read)
        elif read is None:
            left_out.append((f"chat {number}", "it cannot be read"))
    if len(listed) > MOST_CHATS:
        left_out.append(("", f"the chats after the first {MOST_CHATS}"))
    return found, left_out


def _chat(chat: object, when: str) -> Chat | None:
    if not isinstance(chat, dict) or not isinstance(chat.get("id"), str) or not isinstance(chat.get("messages"), list):
        return None
    key = PREFIX + chat["id"]
    session = key if SESSION.fullmatch(key) and not key.endswith(".") else PREFIX + derived("chat", chat["id"])
    title = mended(_text(chat.get("title")))[:TITLE_CHARS]
    return Chat(session, title, mended(_text(chat.get("goal")))[:GOAL_CHARS], tuple(_turns(chat["messages"], when)))


def _turns(messages: list[object], when: str) -> Iterator[dict[str, object]]:
    """A question with what follows it is a turn; its number is the place of its first message, which stays when others are added."""
    said: list[dict[str, str]] = []
    begun, number, at = 0, 0, when
    for place, message in enumerate(messages):
        if not isinstance(message, dict) or message.get("role") not in ("user", "assistant") or not _text(message.get("text")).strip():
            continue
        if said and message["role"] == "user":
            yield {"turn": str(begun), "at": at, "messages": said}
            said, number = [], number + 1
            if number >= MOST_TURNS:
                return
        if not said:
            begun = place
            at = _when(message) or at
        said.append({"role": message["role"], "text": mended(message["text"])[:MESSAGE_CHARS]})
    if said:
        yield {"turn": str(begun), "at": at, "messages": said}


def _when(message: dict[str, object]) -> str:
    manifest = message.get("manifest")
    for value in (message.get("startedAt"), manifest.get("createdAt") if isinstance(manifest, dict) else None):
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 4e12:
            return stamp(value / 1000)
        if isinstance(value, str) and moment(value):
            return stamp(moment(value) / 1000)
    return ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
