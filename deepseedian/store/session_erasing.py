"""Taking texts out of a conversation's file: messages, titles, goals and what is kept with a turn; all else stays as it was."""

import json
from collections.abc import Callable

from deepseedian.core.erasure import everywhere
from deepseedian.store.session_log import Log, encoded, mended

Clean = Callable[[str, str], str]
_KEPT = ("kind", "session", "at", "turn", "parent", "state", "device", "time", "ended", "number", "from", "contribute_from",
         "preset", "origin", "cwd")


def cleaned(session: str, data: bytes, clean: Clean) -> bytes:
    """The file without the texts; a range that was good stays good, since the owner's erasing is no tampering."""
    old = data.split(b"\n")
    new = [_line(line, clean) for line in old]
    if new != old and _log(session, old).ranged and not _log(session, old).fault():
        _renew(session, new)
    return b"\n".join(new)


def _log(session: str, lines: list[bytes]) -> Log:
    log = Log(session)
    for line in lines:
        log.add(line)
    return log


def _renew(session: str, lines: list[bytes]) -> None:
    """The range in force over the texts as they are now."""
    for number in range(len(lines) - 1, -1, -1):
        try:
            body = json.loads(lines[number])
        except (ValueError, RecursionError):
            continue
        if isinstance(body, dict) and body.get("kind") == "set" and isinstance(start := body.get("contribute_from"), dict):
            start["key"] = _log(session, lines).range(int(start["index"]))[1]
            lines[number] = encoded(body).rstrip(b"\n")
            return


def _line(line: bytes, clean: Clean) -> bytes:
    """Of a line that is torn nothing stays if one of the texts is in it."""
    try:
        body = json.loads(line)
        new = _body(body, clean) if isinstance(body, dict) else everywhere(body, lambda text: clean("", text))
        return line if new == body else json.dumps(new, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    except (ValueError, RecursionError):
        text = line.decode(errors="replace")
        return line if clean("", text) == text else b""


def _body(body: dict[str, object], clean: Clean) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in body.items():
        if name == "messages" and isinstance(value, list):
            found[name] = [_message(one, clean) for one in value]
        elif name in _KEPT:
            found[name] = value
        else:
            found[name] = everywhere(value, lambda text: clean("", text))
    return found


def _message(value: object, clean: Clean) -> object:
    if isinstance(value, dict) and isinstance(value.get("id"), str) and isinstance(value.get("text"), str):
        return value | {"text": clean(value["id"], mended(value["text"]))}
    return everywhere(value, lambda text: clean("", text))
