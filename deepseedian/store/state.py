"""state.json: schema version, vault id, tombstones and excluded sources.

The two lists only ever grow as sets, so that two devices' versions can be merged by union. An original
folder has version 1; a higher version than ours opens read-only.
"""

import json
from dataclasses import dataclass, replace

from deepseedian.core import comment
from deepseedian.errors import BadInput

VERSION = 2
NAME = "state.json"


@dataclass(frozen=True, slots=True)
class State:
    """`extra` carries keys that this version does not know."""

    vault_id: str
    deleted: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    version: int = VERSION
    extra: tuple[tuple[str, object], ...] = ()

    def changed(self, *, deleted: set[str], restored: set[str], excluded: set[str]) -> "State":
        gone = [item for item in self.deleted if item not in restored]
        return replace(self, deleted=(*gone, *sorted(deleted - set(gone))),
                       excluded=(*self.excluded, *sorted(excluded - set(self.excluded))))


def decoded(data: bytes) -> State:
    """Raises BadInput for anything but a state."""
    try:
        body = comment.loads(data.decode())
    except UnicodeDecodeError:
        raise BadInput("not UTF-8") from None
    if not isinstance(body, dict):
        raise BadInput("not an object")
    version, vault_id = body.pop("version", None), body.pop("vaultId", None)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise BadInput("no version")
    if not isinstance(vault_id, str) or not vault_id:
        raise BadInput("no vault id")
    deleted, excluded = _texts(body.pop("deleted", [])), _texts(body.pop("excludedSources", []))
    return State(vault_id, deleted, excluded, version, tuple(body.items()))


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadInput("a list of texts was expected")
    return tuple(dict.fromkeys(value))


def encoded(state: State) -> bytes:
    body = {"version": state.version, "vaultId": state.vault_id, "deleted": list(state.deleted),
            "excludedSources": list(state.excluded)} | dict(state.extra)
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
