"""The owner's explicit changes: add, edit, forget, move, pin, each as a plan on one snapshot."""

from collections.abc import Mapping
from dataclasses import dataclass

from deepseedian.core import markup, operation, secret, topic
from deepseedian.core.entry import DEFAULT_TOPIC, KINDS, SOURCE_LIMIT, TRUSTS, Entry
from deepseedian.core.snapshot import Snapshot
from deepseedian.core.text import summary
from deepseedian.errors import BadInput, BadText, Conflict, NotFound, SecretFound
from deepseedian.store.entries import Contents, Plan

SHORT = 60
BY_HAND = {"en": "saved by the user", "zh": "用户手动保存"}


@dataclass(frozen=True, slots=True)
class Addition:
    """A new entry as asked for; id and time are minted by the caller."""

    text: str
    id: str
    at: str
    source: str
    topic: str = DEFAULT_TOPIC
    kind: str = ""
    trust: str = "user_stated"
    source_keys: tuple[str, ...] = ()
    pinned: bool = False
    review_at: str = ""
    contested: tuple[str, ...] = ()

    def meta(self) -> dict[str, object]:
        found: dict[str, object] = {"id": self.id, "createdAt": self.at, "source": self.source}
        optional = {"sourceKeys": list(self.source_keys), "kind": self.kind, "trust": self.trust, "pinned": self.pinned,
                    "reviewAt": self.review_at, "contested": list(self.contested)}
        return found | {key: value for key, value in optional.items() if value}


def check_new(text: str, source: str, kind: str, trust: str, allow_secret: bool) -> None:
    """Refuse what may not become an entry. Raises BadText, BadInput, SecretFound."""
    markup.check_text(text)
    markup.check_characters(source, "the source")
    if len(source) > SOURCE_LIMIT or "\n" in source:
        raise BadText(f"a source is one line of at most {SOURCE_LIMIT} characters", "shorten it")
    if kind and kind not in KINDS:
        raise BadInput(f"there is no kind {kind!r}", f"one of {', '.join(KINDS)}")
    if trust not in TRUSTS:
        raise BadInput(f"there is no trust {trust!r}", f"one of {', '.join(TRUSTS)}")
    check_secret(text, allow_secret)


def check_secret(text: str, allowed: bool) -> None:
    found = "" if allowed else secret.find(text)
    if found:
        raise SecretFound(f"the text looks like it holds a secret ({found})",
                          "memory is plain text; leave it out, or insist with --allow-secret")


def topic_path(snapshot: Snapshot, name: str, folder: str = "topics") -> str:
    """The file of a topic: an existing one that some system takes for the same name, else a new one."""
    name = topic.checked(name)
    wanted = topic.identity(topic.to_path(name, folder))
    for path in snapshot.files:
        if topic.identity(path) == wanted:
            return path
    return topic.to_path(name, folder)


def added(snapshot: Snapshot, addition: Addition, family: str, origin: str = "") -> Plan:
    path = topic_path(snapshot, addition.topic)
    item = operation.add(path, addition.meta(), addition.text, family=family)
    return Plan("add", f"add: {summary(addition.text, SHORT)}", (item,), origin=origin)


def edited(snapshot: Snapshot, contents: Contents, entry_id: str, text: str, *, at: str, old_id: str,
           source_keys: tuple[str, ...] = (), review_at: str = "") -> Plan:
    """The entry keeps its id; its old version goes to the archive under a new one. A review date or a source alone makes no new version."""
    entry = active(snapshot, entry_id)
    keys = list(dict.fromkeys((*entry.source_keys, *source_keys)))
    beside: dict[str, object] = {"reviewAt": review_at} if review_at else {}
    beside |= {"sourceKeys": keys} if source_keys else {}
    if entry.text == text:
        fresh = {name: value for name, value in beside.items() if entry.meta.get(name) != value}
        return Plan("edit", f"edit: {summary(text, SHORT)}" if fresh else "no change",
                    (operation.rewrite(_bytes(contents, entry), entry, meta=fresh),) if fresh else ())
    data = _bytes(contents, entry)
    fresh = {"updatedAt": at} | beside
    old = {"id": old_id, "status": "superseded", "supersededBy": entry.id, "endedAt": at, "pinned": None}
    archive = topic_path(snapshot, entry.topic, "archive")
    operations = (operation.rewrite(data, entry, text=text, meta=fresh), operation.copy(data, entry, archive, old))
    return Plan("edit", f"edit: {summary(text, SHORT)}", operations)


def forgotten(snapshot: Snapshot, contents: Contents, entry_id: str, *, at: str, archive_id: str) -> Plan:
    """The entry goes to the archive; its sources are never proposed from again."""
    entry = active(snapshot, entry_id)
    archive = topic_path(snapshot, entry.topic, "archive")
    meta = _archive_identity(snapshot, entry, archive_id) | {"status": "forgotten", "endedAt": at}
    moved = operation.transfer(_bytes(contents, entry), entry, archive, meta)
    return Plan("forget", f"forget: {summary(entry.text, SHORT)}", tuple(moved), deleted=frozenset({entry.id}),
                excluded=frozenset(entry.source_keys))


def _archive_identity(snapshot: Snapshot, entry: Entry, archive_id: str) -> dict[str, object]:
    """An entry keeps its id in the archive, unless an older version of it lies there under that id already."""
    return {"id": archive_id} if entry.id in snapshot.archive else {}


def archived(snapshot: Snapshot, contents: Contents, entry_id: str, *, at: str, archive_id: str, successor: str = "") -> Plan:
    """To the archive without excluding its sources; `successor` names the entry that replaces it."""
    entry = active(snapshot, entry_id)
    meta = _archive_identity(snapshot, entry, archive_id)
    meta |= {"status": "superseded", "endedAt": at, "supersededBy": successor or None, "pinned": None}
    path = topic_path(snapshot, entry.topic, "archive")
    gone = operation.transfer(_bytes(contents, entry), entry, path, meta)
    return Plan("archive", f"archive: {summary(entry.text, SHORT)}", tuple(gone))


def moved(snapshot: Snapshot, contents: Contents, entry_id: str, name: str) -> Plan:
    entry = active(snapshot, entry_id)
    path = topic_path(snapshot, name)
    if path == entry.path:
        return Plan("move", "no change", ())
    return Plan("move", f"move to {topic.from_path(path)}: {summary(entry.text, SHORT)}",
                tuple(operation.transfer(_bytes(contents, entry), entry, path, {})))


def pinned(snapshot: Snapshot, contents: Contents, entry_id: str, on: bool) -> Plan:
    entry = active(snapshot, entry_id)
    if entry.pinned == on:
        return Plan("pin", "no change", ())
    meta: Mapping[str, object] = {"pinned": True if on else None}
    kind = "pin" if on else "unpin"
    return Plan(kind, f"{kind}: {summary(entry.text, SHORT)}", (operation.rewrite(_bytes(contents, entry), entry, meta=meta),))


def contested(snapshot: Snapshot, contents: Contents, entry_id: str, other: str) -> Plan:
    """Note at an entry that another one says otherwise; its text stays as it is."""
    entry = active(snapshot, entry_id)
    known = entry.meta.get("contested")
    names = [name for name in known if isinstance(name, str)] if isinstance(known, list) else []
    meta: Mapping[str, object] = {"contested": [*names, other]}
    return Plan("contest", f"contested: {summary(entry.text, SHORT)}", (operation.rewrite(_bytes(contents, entry), entry, meta=meta),))


def active(snapshot: Snapshot, entry_id: str) -> Entry:
    """Raises NotFound; an archived entry is named as such."""
    entry = snapshot.entries.get(entry_id)
    if entry is not None:
        return entry
    if entry_id in snapshot.archive:
        raise Conflict(f"the entry {entry_id} is archived", "deepseedian undo takes back the last change")
    raise NotFound(f"there is no entry {entry_id}", "deepseedian list shows the ids")


def _bytes(contents: Contents, entry: Entry) -> bytes:
    data = contents(entry.path)
    if data is None:
        raise Conflict(f"{entry.path} vanished", "repeat the command")
    return data
