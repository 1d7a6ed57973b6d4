"""journal.json: the last changes by our doors as operations, and the two stacks undo and redo walk.

Records of several devices are merged by id. The full history is in the history database; this file
travels with the vault and is bounded.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from deepseedian.core import comment, erasure
from deepseedian.core.entry import Entry
from deepseedian.core.markup import scan
from deepseedian.core.operation import Operation, from_document
from deepseedian.errors import BadInput, ReadOnly

NAME = "journal.json"
VERSION = 2
ERASE, JOIN = "erase", "join"  # changes that undo passes by: nothing takes an erasure back, and the owner asked for no join
MOST_RECORDS = 100
MOST_BYTES = 512 * 1024


@dataclass(frozen=True, slots=True)
class Record:
    """One change. `undoes` and `redoes` name the change they take back or repeat; `key` is the caller's
    idempotency key; `origin` tells an approval or host from the owner's own command; `seal` proves the device."""

    id: str
    at: str
    device: str
    kind: str
    summary: str
    revision: str
    operations: tuple[Operation, ...]
    undoes: str = ""
    redoes: str = ""
    key: str = ""
    origin: str = ""
    seal: str = ""

    def __hash__(self) -> int:
        return hash(self.id)  # a whole journal is looked up at each commit

    def document(self) -> dict[str, object]:
        fields = {name: getattr(self, name) for name in self.__slots__ if name != "operations"}
        kept = {name: value for name, value in fields.items() if value}
        return kept | {"operations": [operation.document() for operation in self.operations]}


def record_from(value: object) -> Record:
    """Raises BadInput for anything but a record."""
    if not isinstance(value, dict) or not isinstance(value.get("operations"), list):
        raise BadInput("not a record")
    texts = {key: item for key, item in value.items() if key in Record.__slots__ and key != "operations"}
    if not all(isinstance(item, str) for item in texts.values()) or not texts.get("id"):
        raise BadInput("a record with wrong types")
    operations = tuple(from_document(item) for item in value["operations"])
    return Record(**{name: texts.get(name, "") for name in Record.__slots__ if name != "operations"}, operations=operations)


@lru_cache(maxsize=2)
def decoded(data: bytes | None) -> tuple[Record, ...]:
    """Raises BadInput for a damaged journal, ReadOnly for a newer version's."""
    if data is None:
        return ()
    try:
        body = comment.loads(data.decode())
    except UnicodeDecodeError:
        raise BadInput("not UTF-8") from None
    if not isinstance(body, dict) or not isinstance(body.get("records"), list):
        raise BadInput("not a journal")
    version = body.get("version")
    if isinstance(version, int) and version > VERSION:
        raise ReadOnly(f"{NAME} was written by a newer version", "upgrade this installation")
    if version != VERSION:
        raise BadInput(f"version {version!r} is not ours")
    return tuple(record_from(value) for value in body["records"])


def united(first: Iterable[Record], second: Iterable[Record]) -> tuple[Record, ...]:
    """The records of two devices, each once, in the order of their times."""
    return tuple(sorted({record.id: record for record in (*second, *first)}.values(), key=lambda record: (record.at, record.id)))


def fitted(records: Iterable[Record]) -> tuple[tuple[Record, ...], bytes]:
    """The newest records that fit, at least the very last one, and the file with them."""
    found = list(records)[-MOST_RECORDS:]
    lines = list(map(_line, found))
    size = sum(map(len, lines))
    while size > MOST_BYTES and len(found) > 1:
        size -= len(lines.pop(0))
        found.pop(0)
    return tuple(found), b'{"version":%d,"records":[\n%b\n]}\n' % (VERSION, b",\n".join(lines))


def kept(records: Iterable[Record]) -> tuple[Record, ...]:
    """The newest records that fit; at least the very last one."""
    return fitted(records)[0]


def encoded(records: Iterable[Record]) -> bytes:
    """The file with the newest records that fit."""
    return fitted(records)[1]


@lru_cache(maxsize=2 * MOST_RECORDS)
def _line(record: Record) -> bytes:
    """Records never change, and every commit writes them all."""
    return comment.dumps(record.document()).encode()


def forget() -> None:
    """Let go of the records that were looked at last."""
    decoded.cache_clear()
    _line.cache_clear()


def without(record: Record, ids: Set[str]) -> Record | None:
    """The record without the operations on these entries; None when it told of nothing else. The erasure itself stays:
    it explains why the entries vanished."""
    if record.kind == ERASE or ids.isdisjoint(item.id for item in record.operations):
        return record
    left = tuple(item for item in record.operations if item.id not in ids)
    gone = erasure.said(block for item in record.operations if item.id in ids for block in (item.before, item.after))
    return replace(record, operations=left, summary=erasure.told(record.summary, gone)) if left else None


def written(records: Iterable[Record]) -> Iterator[Entry]:
    """The entries that these changes wrote, as they wrote them."""
    for item in (item for record in records for item in record.operations if item.after is not None):
        yield from (block.entry for block in scan((item.after or "").encode(), item.path).blocks)


Ours = tuple[str | None, frozenset[str]]


def ours(records: Sequence[Record]) -> dict[str, Ours]:
    """Path → (hash that our last change left, empty where it took the file away; ids that our changes took out)."""
    results: dict[str, str] = {}
    removed: dict[str, set[str]] = {}
    for item in (item for record in records for item in record.operations):
        results[item.path] = item.result
        gone = removed.setdefault(item.path, set())
        if item.after is None:
            gone.add(item.id)
        else:
            gone.discard(item.id)
    return {path: (result, frozenset(removed[path])) for path, result in results.items()}


@dataclass(frozen=True, slots=True)
class Stacks:
    """(id of the change, record whose operations take it back or repeat it), newest last."""

    undo: tuple[tuple[str, Record], ...]
    redo: tuple[tuple[str, Record], ...]


def stacks(records: Sequence[Record]) -> Stacks:
    undo: list[tuple[str, Record]] = []
    redo: list[tuple[str, Record]] = []
    for record in records:
        if record.kind in (ERASE, JOIN):
            continue
        if record.undoes:
            undo = [item for item in undo if item[0] != record.undoes]
            redo.append((record.undoes, record))
        elif record.redoes:
            redo = [item for item in redo if item[0] != record.redoes]
            undo.append((record.redoes, record))
        else:
            undo.append((record.id, record))
            redo.clear()
    return Stacks(tuple(undo), tuple(redo))
