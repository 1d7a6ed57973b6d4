"""What a hook of Claude Code is told, and hosts that speak its dialect: the prompt of a turn, and the turn when it is finished.

A transcript is a file of JSON lines that another program writes and may change the form of: only its tail is read, only lines
that look like a person's message count, and whatever else is in it is passed over.
"""

import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from typing import Any

from deepseedian.config.files import READ_FLAGS
from deepseedian.hosts.block import without

Document = dict[str, object]

QUESTION_LIMIT = 39_000
MESSAGE_LIMIT = 200_000
TAIL_LIMIT = 16 << 20
CHUNK = 1 << 18
_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,118}[A-Za-z0-9_-]|[A-Za-z0-9]")
_COMMAND = re.compile(r"/[A-Za-z][\w:.-]*(?:\s|\Z)")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z")
_NOTICE = re.compile(r"<system-reminder>.*?</system-reminder>\n?", re.S)
_NOT_A_PERSON = re.compile(r"\s*(?:<(?:command-(?:name|message|args)|local-command-\w+|bash-\w+|task-notification)\b"
                           r"|\[Request interrupted by user)")


def event(data: bytes) -> Document:
    """The payload of a hook. Raises ValueError."""
    found = json.loads(data.decode(errors="replace"))
    if not isinstance(found, dict):
        raise ValueError("a hook's payload is an object")
    return found


def session(payload: Mapping[str, object]) -> str:
    """The host's session id; one that could name no file is told by its sum. Empty without one."""
    name = payload.get("session_id")
    if not isinstance(name, str) or not name:
        return ""
    if _SESSION.fullmatch(name):
        return name
    import hashlib

    return "session-" + hashlib.sha256(name.encode(errors="replace")).hexdigest()[:32]


def question(payload: Mapping[str, object]) -> str:
    """What a person asks of the model; empty for a slash command and when there is nothing."""
    prompt = _own(payload.get("prompt"))
    if _COMMAND.match(prompt):
        return ""
    if len(prompt) > QUESTION_LIMIT:
        half = QUESTION_LIMIT // 2
        prompt = f"{prompt[:half]}\n{prompt[-half:]}"
    return prompt


def working_folder(payload: Mapping[str, object]) -> str:
    """The folder the host works in, as one line of at most 200 characters; its end tells most."""
    folder = payload.get("cwd")
    return folder[-200:] if isinstance(folder, str) and folder.isprintable() else ""


def finished(payload: Mapping[str, object]) -> Document | None:
    """The turn that ended, as `observe` takes it; None when nothing of a person is in it."""
    asked, at = _asked(payload.get("transcript_path"))
    if not asked:
        return None
    messages = [{"role": "user", "text": asked[:MESSAGE_LIMIT]}]
    if answer := _own(payload.get("last_assistant_message")):
        messages.append({"role": "assistant", "text": answer[:MESSAGE_LIMIT]})
    return {"messages": messages} | ({"at": at} if at else {})


def _asked(path: object) -> tuple[str, str]:
    """The last message of a person in a transcript, and its time; empty when there is none."""
    if not isinstance(path, str) or not path or "\0" in path:
        return "", ""
    try:
        for line in _backwards(os.path.expanduser(path)):
            if b'"user"' in line and (found := _person(line)):
                return found
    except (OSError, ValueError):
        pass
    return "", ""


def _person(line: bytes) -> tuple[str, str] | None:
    """Text and time of a line that is a person's message."""
    try:
        body: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(body, dict) or body.get("type") != "user" or any(body.get(name) for name in _MARKS):
        return None
    message = body.get("message")
    text = _own(_text(message.get("content"))) if isinstance(message, dict) and message.get("role") == "user" else ""
    if not text or _NOT_A_PERSON.match(text) or _COMMAND.match(text):
        return None
    at = body.get("timestamp")
    return text, at if isinstance(at, str) and _TIME.fullmatch(at) else ""


_MARKS = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly", "toolUseResult")


def _text(content: object) -> str:
    """The text of a message; empty when it carries a tool's result."""
    if isinstance(content, str):
        return content
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    if any(block.get("type") == "tool_result" for block in blocks):
        return ""
    return "\n".join(text for block in blocks if block.get("type") == "text" and isinstance(text := block.get("text"), str))


def _own(text: object) -> str:
    """What somebody wrote: without our block, the host's notices and halves of characters."""
    if not isinstance(text, str):
        return ""
    return _NOTICE.sub("", without(text)).encode(errors="replace").decode().strip()


def _backwards(path: str) -> Iterator[bytes]:
    """The lines of a regular file from its end, no more than its tail of 16 MiB. Raises OSError, for links too."""
    handle = os.open(path, READ_FLAGS)
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            return
        end, least, rest = info.st_size, max(0, info.st_size - TAIL_LIMIT), b""
        while end > least:
            begin = max(least, end - CHUNK)
            os.lseek(handle, begin, os.SEEK_SET)
            first, *lines = (os.read(handle, end - begin) + rest).split(b"\n")
            yield from reversed(lines)
            rest, end = first, begin
        if least == 0:
            yield rest
    finally:
        os.close(handle)
