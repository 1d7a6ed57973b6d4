"""Taking texts out of a conversation's file: messages, titles, goals and what is kept with a turn; all else stays as it was."""

import json
from collections.abc import Callable

from deepseedian.core.erasure import everywhere
from deepseedian.store.session_log import SESSION, Log, encoded, mended

Clean = Callable[[str, str], str]
_NAMES = ("session", "turn", "parent", "device", "id", "key")
_SHORT = {"at": 40, "time": 40, "ended": 40, "kind": 20, "state": 20, "role": 20}


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
        if isinstance(body, dict) and isinstance(start := body.get("contribute_from"), dict) and _in_force(session, lines[number]):
            start["key"] = _log(session, lines).range(int(start["index"]))[1]
            lines[number] = encoded(body).rstrip(b"\n")
            return


def _in_force(session: str, line: bytes) -> bool:
    """Whether a line sets a range; one of another conversation, as in a conflict copy, does not."""
    return _log(session, [line]).ranged


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
        elif name in ("from", "contribute_from") and isinstance(value, dict):
            found[name] = _body(value, clean)
        else:
            found[name] = value if _is_name(name, value) else everywhere(value, lambda text: clean("", text))
    return found


def _message(value: object, clean: Clean) -> object:
    if not isinstance(value, dict) or not isinstance(value.get("id"), str) or not isinstance(value.get("text"), str):
        return everywhere(value, lambda text: clean("", text))
    return {name: clean(value["id"], mended(one)) if name == "text" else one if _is_name(name, one)
            else everywhere(one, lambda text: clean("", text)) for name, one in value.items()}


def _is_name(name: str, value: object) -> bool:
    """Whether it is a name by which others find it, a time or a kind, and not a text in the place of one."""
    return isinstance(value, str) and (len(value) <= _SHORT.get(name, 0) or (name in _NAMES and SESSION.fullmatch(value) is not None))
