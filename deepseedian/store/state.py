"""state.json: schema version, vault id, tombstones, excluded sources and what was erased.

The lists are sets, written sorted, so that two devices that know the same write the same bytes, and their
versions can be merged by union. An original folder has version 1; a higher version than ours opens read-only.
"""

import json
from collections.abc import Set
from dataclasses import dataclass, replace
from functools import lru_cache

from deepseedian.core import comment
from deepseedian.errors import BadInput

VERSION = 2
NAME = "state.json"


@dataclass(frozen=True, slots=True)
class State:
    """`deleted` and `erased` are entry ids, `excluded` source keys; `extra` carries keys that this version does not know."""

    vault_id: str
    deleted: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    version: int = VERSION
    extra: tuple[tuple[str, object], ...] = ()
    erased: tuple[str, ...] = ()

    def changed(self, *, deleted: Set[str] = frozenset(), restored: Set[str] = frozenset(), excluded: Set[str] = frozenset(),
                erased: Set[str] = frozenset()) -> "State":
        """With these items more, and the restored ids no longer deleted; the very same when that is nothing new."""
        gone = ({*self.deleted} - restored) | deleted
        sets = (gone, {*self.excluded} | excluded, {*self.erased} | erased)
        if sets == ({*self.deleted}, {*self.excluded}, {*self.erased}):
            return self
        first, second, third = (tuple(sorted(items)) for items in sets)
        return replace(self, deleted=first, excluded=second, erased=third)


@lru_cache(maxsize=2)  # every change reads it, few change it
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
    erased = _texts(body.pop("erased", []))
    return State(vault_id, deleted, excluded, version, tuple(body.items()), erased)


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadInput("a list of texts was expected")
    return tuple(dict.fromkeys(value))


def encoded(state: State) -> bytes:
    body = {"version": state.version, "vaultId": state.vault_id, "deleted": list(state.deleted),
            "excludedSources": list(state.excluded)} | ({"erased": list(state.erased)} if state.erased else {}) | dict(state.extra)
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
