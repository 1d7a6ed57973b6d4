"""What a change of ours does to confirmations: which claims it puts in force on this device, which end with it.

A change by our doors is the owner's word for what the owner said with it, and for nothing more. Text that is
added, and a pin that is set, are said outright. Moving or editing an entry says nothing about the pin that
somebody else wrote there: it is in force afterwards if it was before. What a change takes away is over, so that
an older file that a sync tool brings back cannot claim it again; undo and redo bring back only what the change
that they take back, or repeat, has ended here.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

from deepseedian.core.entry import Entry
from deepseedian.core.markup import scan
from deepseedian.core.snapshot import sha256
from deepseedian.store.journal import Record

_STEPS = ("undo", "redo")


@dataclass(frozen=True, slots=True)
class Standing:
    """How things stand before a change: whether a mark is in force, and whether that change has ever ended it."""

    confirmed: Callable[[bytes], bool]
    ended: Callable[[bytes, str], bool]


@dataclass(frozen=True, slots=True)
class Settled:
    """The marks that are in force after a change, and those that it ends; `change` is the change done, undone or redone."""

    change: str
    confirmed: frozenset[bytes]
    ended: frozenset[bytes]


def mark(entry: Entry) -> bytes:
    """What a confirmation holds for: id, text and the properties that have effects.

    Moving an entry changes nothing, nor do the line ends that an editor saves the file with.
    """
    claims = [entry.id, entry.text.replace("\r\n", "\n"), entry.pinned, *_properties(entry)]
    return bytes.fromhex(sha256(json.dumps(claims).encode())[:32])


def settled(record: Record, standing: Standing) -> Settled:
    """What a record does, as things stand before it."""
    change = record.undoes or record.redoes or record.id
    now: dict[str, tuple[Entry, bool]] = {}  # what each entry was last, and whether that was in force
    left: dict[str, bytes] = {}
    taken: set[bytes] = set()
    for item in record.operations:
        if not item.path.startswith("topics/"):
            continue
        old, new = _entry(item.before, item.path), _entry(item.after, item.path)
        if old is not None and (item.id not in now or mark(now[item.id][0]) != mark(old)):
            now[item.id] = old, standing.confirmed(mark(old))
            taken |= {mark(old)} if now[item.id][1] else set()
        left.pop(item.id, None)
        if new is not None:
            good = _good(record.kind, change, now.get(item.id), new, standing)
            now[item.id] = new, good
            left |= {item.id: mark(new)} if good else {}
    confirmed = frozenset(left.values())
    return Settled(change, confirmed, frozenset(taken - confirmed))


def _good(kind: str, change: str, was: tuple[Entry, bool] | None, new: Entry, standing: Standing) -> bool:
    if was is not None and mark(was[0]) == mark(new):
        return was[1]
    if kind in _STEPS:
        return standing.confirmed(mark(new)) or standing.ended(mark(new), change)
    if was is None or kind == "pin":
        return True
    old, good = was
    return good and _properties(old) == _properties(new) and (old.pinned or not new.pinned)


def _properties(entry: Entry) -> list[str]:
    return [str(entry.meta.get("trust", "")), str(entry.meta.get("kind", ""))]


def _entry(block: str | None, path: str) -> Entry | None:
    blocks = scan(block.encode(), path).blocks if block else ()
    return blocks[0].entry if blocks else None
