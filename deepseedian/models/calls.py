"""Tool calls put together from their pieces, as servers send them.

The rule is one number for each call, with id and name in its first piece. Met as well: no numbers, no ids, the same number
for all calls, a new id with each piece, the name in parts or after the arguments, arguments repeated whole at the end. What
belongs together is decided by number first, then by id, then by whether a new name begins and the last call is whole.
"""

import json
import secrets
from dataclasses import dataclass

from deepseedian.errors import ModelFailed
from deepseedian.models.pieces import ToolCall

MOST_CALLS = 128
ARGUMENTS_LIMIT = 1_000_000


@dataclass(slots=True)
class _Slot:
    """One call so far."""

    index: int | None
    id: str = ""
    name: str = ""
    arguments: str = ""

    @property
    def whole(self) -> bool:
        """Whether the arguments are a whole JSON object, so that whatever begins now is another call."""
        if not self.arguments.rstrip().endswith("}"):
            return False
        try:
            return isinstance(json.loads(self.arguments), dict)
        except (ValueError, RecursionError):
            return False


class Calls:
    """Take pieces, then `finished` gives the calls."""

    def __init__(self) -> None:
        self._slots: list[_Slot] = []
        self._last: _Slot | None = None

    def take(self, piece: object) -> bool:
        """One piece as it came; False when there was nothing in it. Raises ModelFailed."""
        if not isinstance(piece, dict):
            return False
        function = piece.get("function")
        function = function if isinstance(function, dict) else {}
        index, id, name = _number(piece.get("index")), _text(piece.get("id")), _text(function.get("name"))
        arguments = function.get("arguments")
        given = arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
        if not (id or name or given):
            return False
        slot = self._last = self._slot(index, id, name)
        slot.id = slot.id or id
        slot.name = _joined(slot.name, name, open=not slot.arguments)
        slot.arguments = _continued(slot, given)
        if len(slot.arguments) > ARGUMENTS_LIMIT or len(slot.name) > 200:
            raise ModelFailed("the model's tool call is without end", "nothing was done", code="model_answer")
        return True

    def _slot(self, index: int | None, id: str, name: str) -> _Slot:
        alike = [slot for slot in self._slots if slot.index == index]
        known = next((slot for slot in alike if id and slot.id == id), None)
        if known is not None:
            return known if index is not None or not (name and known.whole) else self._new(index)
        if not alike:
            return self._new(index)
        last = self._last if self._last in alike else alike[-1]
        assert last is not None
        return self._new(index) if _begins(last, id, name) else last

    def _new(self, index: int | None) -> _Slot:
        if len(self._slots) >= MOST_CALLS:
            raise ModelFailed(f"the model called more than {MOST_CALLS} tools at once", "nothing was done", code="model_answer")
        self._slots.append(_Slot(index))
        return self._slots[-1]

    def finished(self) -> list[ToolCall]:
        """In the order of their numbers; each with an id of its own. Raises ModelFailed for a call without a name."""
        found, ids = [], set[str]()
        for slot in sorted(self._slots, key=lambda slot: slot.index or 0):
            if not slot.name:
                raise ModelFailed("the model called a tool without naming it", "ask again", code="model_answer")
            id = slot.id if slot.id and slot.id not in ids else f"call_{secrets.token_hex(8)}"
            ids.add(id)
            found.append(ToolCall(id, slot.name, slot.arguments.strip() or "{}"))
        return found

    def __bool__(self) -> bool:
        return bool(self._slots)


def _begins(last: _Slot, id: str, name: str) -> bool:
    """Whether a piece that fits no call by its id begins another one after `last`."""
    if not name:
        return bool(id and last.id) and last.index is None
    if not last.name:
        return bool(id and last.id)
    return last.whole or (bool(last.arguments) and name != last.name) or (bool(id and last.id) and name != last.name)


def _joined(name: str, more: str, *, open: bool) -> str:
    """A name in parts, sent again, or sent longer each time."""
    if not more or more == name:
        return name
    if not name or more.startswith(name):
        return more
    return name + more if open else name


def _continued(slot: _Slot, more: str) -> str:
    """Arguments and their next piece; a whole object after a whole one is the same again, the last one counts."""
    return more if more.lstrip().startswith("{") and slot.whole else slot.arguments + more


def _number(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 10_000 else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
