"""An explicit request of this turn, carried out at once: add, edit or remove an entry.

Permission is asked for again under the lock, right before the commit: a switch turned off, a turn that was stopped or
an entry that somebody changed since the turn began means that nothing happens.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from deepseedian.core.snapshot import Snapshot
from deepseedian.errors import Conflict, Forbidden, NotFound, Stale
from deepseedian.memory import changes
from deepseedian.store import journal
from deepseedian.store.entries import Contents, Plan, Store

SOURCE = {"en": "asked for in a conversation", "zh": "对话中要求保存"}
NOTE = {"en": "deepseedian undo takes it back", "zh": "deepseedian undo 可以撤销"}


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for. `seen` is the snapshot the turn read, `source` the key of the message that asks."""

    action: str
    id: str
    text: str
    source: str
    seen: Snapshot


def carry_out(store: Store, request: Request, permitted: Callable[[], bool], language: str, family: str) -> dict[str, object]:
    """{"status":"committed","action","id","revision","note"}. Raises Forbidden, NotFound, Stale, Conflict, BadText, SecretFound."""
    _check(request)
    at, other, new = store.seam.clock.stamp(), store.seam.new_id(), store.seam.new_id()

    def plan(snapshot: Snapshot, contents: Contents) -> Plan:
        if not permitted():
            raise Forbidden("memory may not be changed in this conversation any more", "nothing was changed", code="disabled")
        if request.action == "add":
            return _added(store, snapshot, request, new, at, SOURCE[language], family)
        _unchanged(request, snapshot)
        if request.action == "edit":
            return changes.edited(snapshot, contents, request.id, request.text, at=at, old_id=other, source_keys=(request.source,))
        return changes.forgotten(snapshot, contents, request.id, at=at, archive_id=other)

    outcome = store.apply(plan)
    done = next(journal.written([outcome.record])).id if outcome.record and request.action == "add" else request.id
    return {"status": "committed", "action": request.action, "id": done, "revision": outcome.snapshot.revision, "note": NOTE[language]}


def _check(request: Request) -> None:
    if request.action in ("add", "edit"):
        changes.check_new(request.text, "", "", "user_stated", allow_secret=False)
    if request.id and request.id not in request.seen.entries:
        raise NotFound(f"there is no entry {request.id} in this turn's memory", "search for it; it may be deleted")


def _added(store: Store, snapshot: Snapshot, request: Request, new: str, at: str, source: str, family: str) -> Plan:
    if store.with_text(request.text) is not None:
        raise Conflict("memory says so already", "tell the person so")
    addition = changes.Addition(request.text, new, at, source, source_keys=(request.source,))
    return changes.added(snapshot, addition, family)


def _unchanged(request: Request, snapshot: Snapshot) -> None:
    seen, now = request.seen.entries[request.id], snapshot.entries.get(request.id)
    if now is not None and now.text != seen.text:
        raise Stale("the entry was changed since this turn began", "read it again in the next turn")


def of(wanted: Mapping[str, Any], source: str, seen: Snapshot) -> Request:
    """The request as the tool took it."""
    return Request(wanted["action"], wanted["id"], wanted["text"], source, seen)
