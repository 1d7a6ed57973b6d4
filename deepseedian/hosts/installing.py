"""Changing a host's file: planned as old and new bytes, shown as a diff, backed up, replaced; and taken back.

A record in the state folder holds what we made of which file. While a file still is what we made of it, taking ours back
restores the old bytes; otherwise only what is ours is cut out of it. Between looking at a file and replacing it
nobody else may have written it.
"""

import difflib
import hashlib
import json
import os
import re
import secrets
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deepseedian.config.files import read_regular, replace_file
from deepseedian.config.folders import private, state_folder
from deepseedian.core import secret
from deepseedian.errors import BadInput, Conflict, ReadOnly, from_os_error
from deepseedian.hosts.places import Part

FILE_LIMIT = 64 << 20
BOM = b"\xef\xbb\xbf"
RECORDS = "installed.json"
CONTEXT_LINES = 2
_SECRET_NAME = re.compile(r"(?i)((?:key|token|secret|passw|authorization|bearer)[\w-]{0,40}[\"']?[ \t]{0,20}[:=][ \t]{0,20})(\S.*)")


@dataclass(frozen=True, slots=True)
class Change:
    """`before` and `after` are a file's bytes, None where there is no file; `made` tells which empty tables are ours."""

    file: Path
    what: str
    snippet: str
    before: bytes | None
    after: bytes | None
    made: list[list[str]]

    @property
    def same(self) -> bool:
        return self.before == self.after

    def diff(self) -> str:
        """What will be different, with what looks like a key left out."""
        old, new = ((data or b"").decode(errors="replace").splitlines() for data in (self.before, self.after))
        lines = difflib.unified_diff(old, new, str(self.file), str(self.file), n=CONTEXT_LINES, lineterm="")
        return "\n".join(map(_masked, lines))


def planned(part: Part) -> Change:
    """What connecting changes. Raises BadInput for a file that cannot be read, with what to paste as its hint; ReadOnly."""
    file, before = _looked_at(part.file, part.form.snippet())
    try:
        text, mark = _text(before or b"")
        after, made = part.form.merged(text), part.form.made(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{file} was left as it is: {error}", f"put this into it yourself:\n{part.form.snippet()}") from None
    record = _records().get(str(file), {})
    if record.get("after") == _sum(before):  # what was made the first time stays ours
        made = [*record.get("made", []), *(path for path in made if list(path) not in record.get("made", []))]
    return Change(file, part.what, part.form.snippet(), before, before if after == text else mark + after.encode(), [*map(list, made)])


def planned_removal(part: Part) -> Change:
    """What taking ours back changes. Raises BadInput, ReadOnly."""
    file, before = _looked_at(part.file, "")
    record = _records().get(str(file), {})
    if before is None:
        return Change(file, part.what, "", None, None, [])
    if record.get("after") == _sum(before):
        with suppress(OSError):
            return Change(file, part.what, "", before, _kept(record["before"]), [])
    try:
        text, mark = _text(before)
        after = part.form.removed(text, record.get("made", ()))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{file} was left as it is: {error}", "take what is ours out of it yourself") from None
    return Change(file, part.what, "", before, before if after == text else mark + after.encode(), [])


def install(change: Change, host: str) -> str:
    """Write it and remember it; the backup's path, empty where there was no file. Raises Conflict, ReadOnly."""
    backup = _backed_up(change)
    _write(change)
    records = _records()
    record = records.get(str(change.file), {})
    first = record["before"] if record.get("after") == _sum(change.before) else backup
    records[str(change.file)] = {"host": host, "before": first, "after": _sum(change.after), "made": change.made}
    _keep_records(records)
    return backup


def remove(change: Change) -> str:
    """Take ours back and forget it; the backup's path. Raises Conflict, ReadOnly."""
    backup = _backed_up(change)
    _write(change)
    records = _records()
    if records.pop(str(change.file), None) is not None:
        _keep_records(records)
    return backup


def _looked_at(file: Path, snippet: str) -> tuple[Path, bytes | None]:
    """The file behind links, as dotfiles are often kept, and its bytes. Raises BadInput, ReadOnly."""
    file = Path(os.path.realpath(file))
    before = _read(file)
    if before is not None and not file.stat().st_mode & 0o222:  # it could be replaced all the same, but somebody meant it
        raise ReadOnly(f"{file} is read-only; it was left as it is", f"put this into it yourself:\n{snippet}" if snippet else "")
    return file, before


def _read(file: Path) -> bytes | None:
    """A file's bytes, None when there is none. Raises BadInput for a folder or device, ReadOnly where it may not be read."""
    try:
        data = read_regular(file, FILE_LIMIT)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise from_os_error(error) from None
    if data is None:
        raise BadInput(f"{file} is no ordinary file; it was left as it is", "look at what it is")
    return data


def _write(change: Change) -> None:
    if _read(change.file) != change.before:
        raise Conflict(f"{change.file} was changed by somebody else just now; nothing was written", "try again")
    try:
        if change.after is None:
            change.file.unlink()
        else:
            change.file.parent.mkdir(parents=True, exist_ok=True)
            mode = stat.S_IMODE(change.file.stat().st_mode) if change.before is not None else 0o600
            replace_file(change.file, change.after, mode)
            change.file.chmod(mode)  # the umask took some of it
    except OSError as error:
        raise from_os_error(error) from None


def _text(data: bytes) -> tuple[str, bytes]:
    """The text and the byte order mark before it. Raises ValueError."""
    mark = BOM if data.startswith(BOM) else b""
    return data[len(mark):].decode(), mark


def _masked(line: str) -> str:
    if _SECRET_NAME.search(line):
        return _SECRET_NAME.sub(r"\1…", line)
    return f"{line[:1]} …" if secret.find(line) else line


def _sum(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _folder() -> Path:
    return private(state_folder() / "hosts")


def _backed_up(change: Change) -> str:
    """The old bytes beside our records, where no project and no sync service sees them."""
    if change.before is None:
        return ""
    path = _folder() / f"{time.strftime('%Y%m%d-%H%M%S')}-{_sum(str(change.file).encode())[:8]}-{secrets.token_hex(2)}-{change.file.name}"
    replace_file(path, change.before)
    return str(path)


def _kept(backup: str) -> bytes | None:
    """What a file was before us; None when there was none. Raises OSError."""
    return Path(backup).read_bytes() if backup else None


def _records() -> dict[str, Mapping[str, Any]]:
    """What we made of which file; damaged ones count for nothing."""
    try:
        found = json.loads((_folder() / RECORDS).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return {file: body for file, body in found.items() if _good(body)} if isinstance(found, dict) else {}


def _good(body: object) -> bool:
    return (isinstance(body, dict) and isinstance(body.get("after"), str) and isinstance(body.get("before"), str)
            and isinstance(made := body.get("made"), list) and all(isinstance(path, list) and path for path in made))


def _keep_records(records: Mapping[str, Mapping[str, Any]]) -> None:
    replace_file(_folder() / RECORDS, json.dumps(records, ensure_ascii=False, indent=1).encode(errors="backslashreplace") + b"\n")
