"""Every error a caller can meet, as one tree.

    DeepseedianError        internal       HTTP 500   exit 1
    ├── BadInput            bad_input           400        2    what was asked cannot be done as asked
    │   ├── Usage           usage               400        2    a command line that cannot be read
    │   ├── BadText         bad_text            400        2    empty, too long, reserved marker, control character
    │   ├── BadTopic        bad_topic           400        2    a name that some system forbids
    │   ├── SecretFound     secret_found        400        2    text that looks like a secret
    │   ├── BadSetting      bad_setting         400        2    unknown setting, value out of range
    │   ├── BadVault        bad_vault           400        2    not a folder, or outside what we may touch
    │   └── TooLarge        too_large           413        2    a request or file over its limit
    ├── Forbidden           forbidden           403        2    wrong Host, Origin or token
    ├── NotFound            not_found           404        3    unknown id
    │   └── NoMemory        no_memory           404        3    the vault has no memory yet
    ├── Conflict            conflict            409        4    somebody else was faster
    │   ├── Stale           stale               409        4    made against an older revision
    │   ├── NothingToUndo   nothing_to_undo     409        4
    │   ├── EditedSince     edited_since        409        4    undo of an entry that changed afterwards
    │   └── AlreadyRunning  already_running     409        4
    ├── Busy                busy                503        5    a lock or a silent daemon, try again
    ├── ReadOnly            read_only           403        6    the vault cannot be written
    │   ├── AdoptFirst      adopt_first         403        6    an original folder, `init --adopt` takes it over
    │   └── MemoryGone      memory_unknown      403        6    files vanished; nothing is written until the owner decides
    ├── ModelFailed         model_failed        503        5    no usable answer: model_away, model_refused, model_answer,
    │                                                            model_cut, model_timeout, budget or cancelled say how
    └── DaemonAway          daemon_away         503        7    no daemon where one is needed

`code` is stable: the wire, `--json` and the exit status are all derived from the class.
"""

import errno


class DeepseedianError(Exception):
    """A failure with a stable code, a message for people and a hint on what to do."""

    code = "internal"
    status = 500
    exit_status = 1

    def __init__(self, message: str, hint: str = "", *, code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if code:
            self.code = code

    def document(self) -> dict[str, dict[str, str]]:
        """The error as it goes over the wire and to `--json`."""
        return {"error": {"code": self.code, "message": self.message, "hint": self.hint}}


class BadInput(DeepseedianError):
    code = "bad_input"
    status = 400
    exit_status = 2


class Usage(BadInput):
    code = "usage"


class BadText(BadInput):
    code = "bad_text"


class BadTopic(BadInput):
    code = "bad_topic"


class SecretFound(BadInput):
    code = "secret_found"


class BadSetting(BadInput):
    code = "bad_setting"


class BadVault(BadInput):
    code = "bad_vault"


class TooLarge(BadInput):
    code = "too_large"
    status = 413


class Forbidden(DeepseedianError):
    code = "forbidden"
    status = 403
    exit_status = 2


class NotFound(DeepseedianError):
    code = "not_found"
    status = 404
    exit_status = 3


class NoMemory(NotFound):
    code = "no_memory"


class Conflict(DeepseedianError):
    code = "conflict"
    status = 409
    exit_status = 4


class Stale(Conflict):
    code = "stale"


class NothingToUndo(Conflict):
    code = "nothing_to_undo"


class EditedSince(Conflict):
    code = "edited_since"


class AlreadyRunning(Conflict):
    code = "already_running"


class Busy(DeepseedianError):
    code = "busy"
    status = 503
    exit_status = 5


class ReadOnly(DeepseedianError):
    code = "read_only"
    status = 403
    exit_status = 6


class AdoptFirst(ReadOnly):
    code = "adopt_first"


class MemoryGone(ReadOnly):
    code = "memory_unknown"


class ModelFailed(DeepseedianError):
    code = "model_failed"
    status = 503
    exit_status = 5


class DaemonAway(DeepseedianError):
    code = "daemon_away"
    status = 503
    exit_status = 7


def from_os_error(error: OSError) -> DeepseedianError:
    """What a failure of the file system means to a caller; a name in it is told, its content never."""
    place = f" ({error.filename})" if error.filename else ""
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return ReadOnly(f"permission denied{place}", "check the permissions")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DeepseedianError("the disk is full; nothing was changed", "make room and repeat", code="disk_full")
    if error.errno in (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENOENT):
        return BadInput(f"{error.strerror}{place}", "check the path")
    return DeepseedianError(f"the disk reported: {error.strerror}{place}", "repeat, then run deepseedian check", code="disk_error")


def _tree(kind: type[DeepseedianError]) -> dict[str, type[DeepseedianError]]:
    found = {kind.code: kind}
    for child in kind.__subclasses__():
        found |= _tree(child)
    return found


def from_document(document: object, status: int) -> DeepseedianError:
    """The error a daemon answered or ended with, as the class it was raised as; `status` is HTTP's or the exit status."""
    error = document.get("error") if isinstance(document, dict) else None
    if not isinstance(error, dict):
        return DeepseedianError(f"the daemon answered {status} without a reason")
    code = str(error.get("code", "internal"))
    tree = _tree(DeepseedianError)
    alike = (kind for kind in tree.values() if status in (kind.status, kind.exit_status))
    kind = tree.get(code) or next(alike, DeepseedianError)
    return kind(str(error.get("message", "")), str(error.get("hint", "")), code=code)
