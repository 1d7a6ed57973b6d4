"""What happened to one entry, put together from history, receipts, proposals and the archive."""

from collections.abc import Iterable, Mapping, Sequence, Set

from deepseedian.core.entry import Entry, moment
from deepseedian.core.markup import scan
from deepseedian.core.proposal import Proposal
from deepseedian.core.snapshot import Snapshot
from deepseedian.core.topic import from_path
from deepseedian.store.history import History

MOST = 1000
SAME_MOMENT = 5_000  # milliseconds between an entry's own date and the change that wrote it
Event = dict[str, object]


def versions(entry_id: str, snapshot: Snapshot) -> list[Entry]:
    """Earlier texts of the entry, the oldest first: what the archive says was superseded by it."""
    found: dict[str, Entry] = {}
    wanted = {entry_id}
    while wanted:
        newer = {entry.id: entry for entry in snapshot.archive.values()
                 if entry.meta.get("supersededBy") in wanted and entry.id not in found and entry.id != entry_id}
        found |= newer
        wanted = set(newer)
    return sorted(found.values(), key=lambda entry: str(entry.meta.get("endedAt", "")))


def history(entry_id: str, ids: Set[str], kept: History) -> list[Event]:
    """The changes that touched it, by our doors and from outside. `ids` are the entry's own and those of its earlier texts."""
    found = []
    for row, document in kept.touching(entry_id):
        event: Event = {"at": row.at, "kind": row.kind, "change": row.id, "outside": not row.door}
        told = _operated(document, entry_id, ids) if row.door else _seen(document, entry_id)
        if told is not None:
            found.append(event | told)
    return found


def _operated(document: Mapping[str, object], entry_id: str, ids: Set[str]) -> Event | None:
    """What a record of ours did to it: {"before","after","from","to","versions"}, each where there is one."""
    items = document.get("operations")
    mine = [item for item in items if isinstance(item, dict) and item.get("id") in ids] if isinstance(items, list) else []
    own = [item for item in mine if item["id"] == entry_id]
    if not own:
        return None
    before = next((found for item in own if (found := _block(item, "before")) is not None), None)
    after = next((found for item in reversed(own) if (found := _block(item, "after")) is not None), None)
    event = _difference((before.text, before.path) if before else None, (after.text, after.path) if after else None)
    archived = [str(item["id"]) for item in mine if item["id"] != entry_id and item.get("after")]
    return event | ({"versions": archived} if archived else {})


def _block(item: Mapping[str, object], side: str) -> Entry | None:
    text = item.get(side)
    blocks = scan(text.encode(errors="replace"), str(item.get("path", ""))).blocks if isinstance(text, str) else ()
    return blocks[0].entry if blocks else None


def _seen(document: Mapping[str, object], entry_id: str) -> Event | None:
    """What an edit from outside did to it."""
    for name in ("added", "removed", "changed"):
        rows = document.get(name)
        for row in rows if isinstance(rows, list) else []:
            old, new = (row if isinstance(row, list) and len(row) == 2 else (None, row) if name == "added" else (row, None))
            if entry_id in (_id(old), _id(new)):
                return _difference(_brief(old), _brief(new))
    return None


def _id(row: object) -> object:
    meta = row.get("meta") if isinstance(row, dict) else None
    return meta.get("id") if isinstance(meta, dict) else None


def _brief(row: object) -> tuple[str, str] | None:
    return (str(row.get("text", "")), str(row.get("path", ""))) if isinstance(row, dict) else None


def _difference(before: tuple[str, str] | None, after: tuple[str, str] | None) -> Event:
    """Texts where they differ, places where they do."""
    event: Event = {}
    if before is None or after is None or before[0] != after[0]:
        event |= ({"before": before[0]} if before else {}) | ({"after": after[0]} if after else {})
    if before is None or after is None or before[1] != after[1]:
        event |= ({"from": _place(before[1])} if before else {}) | ({"to": _place(after[1])} if after else {})
    return event


def _place(path: str) -> str:
    """A topic; in the archive it says so."""
    return from_path(path) if path.startswith("topics/") else path.removesuffix(".md")


def lived(entry_id: str, snapshot: Snapshot, earlier: Sequence[Entry], events: list[Event]) -> list[Event]:
    """With its beginning and its end, as far as history does not tell them: it may be younger than the entry."""
    entry = snapshot.find(entry_id)
    if entry is None:
        return events
    written: Event = {"at": entry.created_at, "kind": "written", "source": entry.source}
    first = next((event for event in events if event["kind"] == "add" and "before" not in event), None)
    if first is not None and abs(moment(str(first["at"])) - moment(entry.created_at)) <= SAME_MOMENT:
        written |= {key: value for key, value in first.items() if key not in ("at", "kind")}
        events.remove(first)
    told = {str(key) for event in events for key in (event["versions"] if isinstance(event.get("versions"), list) else [])}  # type: ignore[attr-defined]
    ends: list[Event] = [{"at": str(old.meta.get("endedAt", "")), "kind": "superseded", "before": old.text, "versions": [old.id]}
                         for old in earlier if old.id not in told]
    if entry.archived and not any(event["kind"] in ("forget", "archive") for event in events):
        ends.append({"at": str(entry.meta.get("endedAt", "")), "kind": str(entry.meta.get("status") or "archived")})
    return [written, *events, *ends]


def recalls(found: Mapping[str, object]) -> list[Event]:
    rows = found["recalls"]
    assert isinstance(rows, list)
    return [{"at": row["at"], "kind": "recalled", "receipt": row["receipt"], "session": row["session"]} for row in rows]


def signals(rows: Iterable[tuple[str, str, str]]) -> list[Event]:
    """Feedback and corrections."""
    return [{"at": at, "kind": kind, "receipt": receipt} for at, kind, receipt in rows]


def proposals(entry_id: str, known: Iterable[Proposal]) -> list[Event]:
    """Proposals about it; an approved one is told by the change that it made."""
    events: list[Event] = []
    for item in known:
        if entry_id == item.entry_id or any(target.id == entry_id for target in item.targets):
            about: Event = {"proposal": item.id, "operation": item.operation, "status": item.status}
            events.append({"at": item.at, "kind": "proposed"} | about)
            if item.decided_at and item.status != "approved":
                events.append({"at": item.decided_at, "kind": item.status} | about)
    return events
