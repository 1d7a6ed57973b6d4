"""Operations on memory, planned as pure functions from file bytes to file bytes.

An operation replaces one block of one file: `before` None adds, `after` None removes. It holds the raw
text of the block, so that undo puts back the very bytes, and anchors that find the place again after
other edits. `plan` never reads a clock or makes an id: both are in the operation already.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from hashlib import sha256 as hashing
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from deepseedian.core import comment, markup
from deepseedian.core.entry import Entry, derived
from deepseedian.core.snapshot import sha256
from deepseedian.core.topic import safe_path
from deepseedian.errors import BadInput, Conflict, EditedSince

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

HASHED_REST = 256 * 1024  # what follows a row of thousands of blocks is hashed with each of them


@dataclass(frozen=True, slots=True)
class Operation:
    """`lead` and `tail` are the blank bytes that go in or out with the block; `next` is the id after it.

    `offset` and `result` (hash of the whole file afterwards) let the inverse, whose `base` that hash is,
    restore the exact bytes when nothing else changed meanwhile. An operation that `created` its file takes it away again on undo,
    unless something else is in it by then (`uncreate`).
    """

    path: str
    id: str
    before: str | None
    after: str | None
    lead: str = ""
    tail: str = ""
    next: str = ""
    offset: int = -1
    result: str = ""
    base: str = ""
    created: bool = False
    uncreate: bool = False

    def document(self) -> dict[str, object]:
        """What a journal keeps; `from_document` reads it back."""
        return {name: getattr(self, name) for name in self.__slots__}

    def inverse(self) -> "Operation":
        """The operation that takes this one back."""
        return replace(self, before=self.after, after=self.before, result="", base=self.result, created=False,
                       uncreate=self.created)


def from_document(value: object) -> Operation:
    """Raises BadInput when a journal holds something else than an operation."""
    if not isinstance(value, Mapping):
        raise BadInput("an operation must be an object")
    try:
        operation = Operation(**{str(key): item for key, item in value.items()})
    except TypeError:
        raise BadInput("an operation with unknown keys") from None
    texts = (operation.path, operation.id, operation.lead, operation.tail, operation.next, operation.result, operation.base)
    blocks = (operation.before, operation.after)
    numbers = isinstance(operation.offset, int) and isinstance(operation.created, bool) and isinstance(operation.uncreate, bool)
    if not numbers or not all(isinstance(text, str) for text in texts):
        raise BadInput("an operation with wrong types")
    if not all(block is None or isinstance(block, str) for block in blocks):
        raise BadInput("an operation with wrong types")
    if not safe_path(operation.path) or not operation.path.startswith(("topics/", "archive/")) or not operation.path.endswith(".md"):
        raise BadInput("an operation on a file that is no topic")  # a synced journal is untrusted
    return operation


def add(path: str, meta: Mapping[str, object], text: str, *, family: str) -> Operation:
    """A new entry at the end of a file. Raises BadText for text that would not come back identical."""
    markup.check_text(text)
    block = markup.encode(meta, text, family=family).decode()
    return Operation(path, str(meta["id"]), None, block)


def add_raw(path: str, data: bytes, block: markup.Block) -> Operation:
    """A block of another file as it stands there, closed, at the end of this one."""
    return Operation(path, block.entry.id, None, _copied(data, block, {}))


def rewrite(data: bytes, entry: Entry, *, text: str | None = None, meta: Mapping[str, object] | None = None) -> Operation:
    """Another text or other metadata (None drops a key) for an entry of this file."""
    block = find(data, entry)
    if text is not None:
        markup.check_text(text)
    return Operation(entry.path, entry.id, _raw(data, block), _rewritten(data, block, text, meta or {}))


def remove(data: bytes, entry: Entry) -> list[Operation]:
    """Take an entry out of its file."""
    block = find(data, entry)
    return [*_closing(data, block), Operation(entry.path, entry.id, _raw(data, block), None)]


def _closing(data: bytes, block: markup.Block) -> list[Operation]:
    """An entry before it that has no closing marker gets one where it would swallow what follows the block."""
    found = markup.scan(data, block.entry.path).blocks
    at = found.index(block)
    following = found[at + 1].start if at + 1 < len(found) else len(data)
    if at == 0 or found[at - 1].closed or not data[block.end: following].strip():
        return []
    last = found[at - 1]
    raw = _raw(data, last)
    newline = "\r\n" if raw.endswith("\r\n") else "\n"
    closed = raw.removesuffix(newline) + f"{newline}<!-- /{last.family}-entry -->{newline}"
    return [Operation(last.entry.path, last.entry.id, raw, closed)]


def transfer(data: bytes, entry: Entry, path: str, meta: Mapping[str, object]) -> list[Operation]:
    """Move an entry to another file, its text untouched, with these metadata members set (None drops one)."""
    block = find(data, entry)
    return [*remove(data, entry),
            Operation(path, str(meta.get("id", entry.id)), None, _copied(data, block, meta))]


def copy(data: bytes, entry: Entry, path: str, meta: Mapping[str, object]) -> Operation:
    """A second version of an entry in another file; `meta` must give it a new id."""
    return Operation(path, str(meta["id"]), None, _copied(data, find(data, entry), meta))


def _copied(data: bytes, block: markup.Block, meta: Mapping[str, object]) -> str:
    fields = comment.merged(data[block.meta: block.meta_end].decode(), meta)
    return markup.raw_block(fields, data[block.text: block.text_end].decode(), family=block.family, newline="\n").decode()


def find(data: bytes, entry: Entry) -> markup.Block:
    for block in markup.scan(data, entry.path).blocks:
        if block.entry.id == entry.id:
            return block
    raise EditedSince(f"the entry {entry.id} is no longer in {entry.path}", "look at it again and repeat")


def _raw(data: bytes, block: markup.Block) -> str:
    return data[block.start: block.end].decode()


def _rewritten(data: bytes, block: markup.Block, text: str | None, meta: Mapping[str, object]) -> str:
    """The block with only the changed members and text replaced.

    A new text gets a closing marker when the entry had none: without one, blank lines at its ends or
    a fence it leaves open would change what is read back.
    """
    head = data[block.start: block.meta].decode()
    fields = comment.merged(data[block.meta: block.meta_end].decode(), meta)
    if text is None:
        return head + fields + data[block.meta_end: block.end].decode()
    newline = "\r\n" if data[block.meta_end: block.text].rstrip(b" \t").endswith(b"\r\n") else "\n"
    tail = data[block.text_end: block.end].decode() if block.closed else f"{newline}<!-- /{block.family}-entry -->{newline}"
    return head + fields + f" -->{newline}" + text + tail


def surplus(files: Mapping[str, bytes], ids: Set[str], at: str) -> list[Operation]:
    """Operations that leave one block of each of these entries, the first; another text goes to the archive, ended `at`."""
    texts: dict[str, set[str]] = {}
    found: list[Operation] = []
    for path, data in files.items():
        for block in markup.scan(data, path).blocks:
            entry = block.entry
            if entry.id not in ids:
                continue
            if entry.id in texts:
                found.append(Operation(path, entry.id, _raw(data, block), None))
                if entry.text not in texts[entry.id]:
                    found.append(_superseded(data, block, at))
            texts.setdefault(entry.id, set()).add(entry.text)
    return found


def _superseded(data: bytes, block: markup.Block, at: str) -> Operation:
    entry = block.entry
    meta = {"id": derived(entry.id, entry.text), "status": "superseded", "supersededBy": entry.id, "endedAt": at, "pinned": None}
    return Operation(entry.path.replace("topics/", "archive/", 1), str(meta["id"]), None, _copied(data, block, meta))


def without(data: bytes, path: str, ids: Set[str]) -> bytes:
    """The file without any block of these entries."""
    while block := next((block for block in markup.scan(data, path).blocks if block.entry.id in ids), None):
        for item in (*_closing(data, block), Operation(path, block.entry.id, _raw(data, block), None)):
            data, _ = _replaced(data, item)
    return data


def applied(data: bytes | None, operation: Operation) -> tuple[bytes | None, Operation]:
    """The file after the operation (None: it is gone), and the operation with its place filled in.

    Raises EditedSince when the block is not the one the operation was made for.
    """
    first = markup.heading(operation.path.partition("/")[2].removesuffix(".md"))
    after, done = _applied(data if data is not None else first, operation)
    done = replace(done, result=sha256(after), created=data is None)
    if operation.uncreate and operation.after is None and after == first:
        return None, replace(done, result="", created=False)
    return after, done


def _applied(content: bytes, operation: Operation) -> tuple[bytes, Operation]:
    if operation.base and operation.offset >= 0 and sha256(content) == operation.base:
        return _exact(content, operation)
    return _inserted(content, operation) if operation.before is None else _replaced(content, operation)


def _exact(content: bytes, operation: Operation) -> tuple[bytes, Operation]:
    """Nothing else happened since: put the recorded bytes at the recorded place."""
    whole = operation.before is None or operation.after is None
    lead, tail = (operation.lead.encode(), operation.tail.encode()) if whole else (b"", b"")
    old = b"" if operation.before is None else lead + operation.before.encode() + tail
    new = b"" if operation.after is None else lead + operation.after.encode() + tail
    at = operation.offset
    if content[at: at + len(old)] != old:
        raise EditedSince(f"{operation.path} does not hold what was recorded", "look at it again and repeat")
    after = content[:at] + new + content[at + len(old):]
    return after, operation


def _inserted(content: bytes, operation: Operation) -> tuple[bytes, Operation]:
    scan = markup.scan(content, operation.path)
    if any(block.entry.id == operation.id for block in scan.blocks):
        raise EditedSince(f"the entry {operation.id} is in {operation.path} already", "look at it again and repeat")
    assert operation.after is not None
    newline = markup.newline_of(content)
    block = _with_newline(operation.after, newline)
    following = [found.start for found in scan.blocks if operation.next and found.entry.id == operation.next]
    at = following[0] if following else scan.room
    lead, tail = _gaps(content, at, newline)
    after = content[:at] + (lead + block + tail).encode() + content[at:]
    return after, replace(operation, after=block, lead=lead, tail=tail, offset=at, next=_next_id(scan, at))


def _with_newline(block: str, newline: str) -> str:
    """Marker lines in the file's line ends; the text between them is never touched."""
    if newline == "\n" or not block.endswith("-entry -->\n"):
        return block
    start, _, rest = block.partition("\n")
    text, _, close = rest[:-1].rpartition("\n")
    return start.removesuffix("\r") + newline + text.removesuffix("\r") + newline + close.removesuffix("\r") + newline


def _gaps(content: bytes, at: int, newline: str) -> tuple[str, str]:
    before, after = content[:at], content[at:]
    if not before.strip(b"\xef\xbb\xbf"):
        lead = ""
    elif not before.endswith(b"\n"):
        lead = newline * 2
    else:
        lead = "" if before[len(before.rstrip(b" \t\r\n")):].count(b"\n") >= 2 else newline
    return lead, newline if after.strip() else ""


def _next_id(scan: markup.Scan, at: int) -> str:
    return next((block.entry.id for block in scan.blocks if block.start >= at), "")


def _replaced(content: bytes, operation: Operation) -> tuple[bytes, Operation]:
    scan = markup.scan(content, operation.path)
    alike = [block for block in scan.blocks if block.entry.id == operation.id]
    found = next((block for block in reversed(alike) if _raw(content, block) == operation.before), None)
    if found is None:
        raise EditedSince(f"the entry {operation.id} was changed in {operation.path} since", "look at it again and repeat")
    if operation.after is not None:
        after = content[: found.start] + operation.after.encode() + content[found.end:]
        return after, replace(operation, offset=found.start, lead="", tail="")
    lead, tail = _blank_around(content, found)
    start, end = found.start - len(lead), found.end + len(tail)
    after = content[:start] + content[end:]
    return after, replace(operation, lead=lead.decode(), tail=tail.decode(), offset=start, next=_next_id(scan, found.end))


def _blank_around(content: bytes, block: markup.Block) -> tuple[bytes, bytes]:
    """The blank lines that leave with a block: those after it, or at the file's end those before."""
    rest = content[block.end:]
    tail = rest[: len(rest) - len(rest.lstrip(b" \t\r\n"))]
    if len(tail) < len(rest):
        return b"", tail[: tail.rfind(b"\n") + 1]
    before = content[: block.start]
    kept = len(before.rstrip(b"\r\n"))
    lead = before[kept:]
    line_end = 2 if lead.startswith(b"\r\n") else 1
    return lead[line_end:], tail


def planned(files: Mapping[str, bytes], operations: Sequence[Operation]) -> tuple[dict[str, bytes | None], list[Operation]]:
    """All operations in order: the new content of each touched file (None: it goes), and the operations as done."""
    after: dict[str, bytes | None] = dict(files)
    done: list[Operation] = []
    while len(done) < len(operations):
        item = operations[len(done)]
        data, many = _together(after.get(item.path), operations, len(done))
        if not many:
            data, finished = applied(after.get(item.path), item)
            many = [finished]
        after[item.path] = data
        done += many
    return {path: data for path, data in after.items() if files.get(path) != data}, done


# Thousands at once. One by one each would look through the whole file and copy it, which takes minutes


def appended(path: str, content: bytes | None, entries: Iterable[tuple[Mapping[str, object], str]], family: str) -> list[Operation]:
    """New entries (metadata, text) at the end of a file, as operations that name the exact bytes at the exact place.

    Raises BadText, and BadInput for a file in which nothing can follow.
    """
    content = content if content is not None else markup.heading(path.partition("/")[2].removesuffix(".md"))
    if markup.scan(content, path).room != len(content):
        raise BadInput(f"{path} has a code fence that is never closed", "close it, then repeat the command")
    newline = markup.newline_of(content)
    found, hashed, size = [], hashing(content), len(content)
    lead, _ = _gaps(content, size, newline)
    for meta, text in entries:
        markup.check_text(text)
        block = markup.encode(meta, text, family=family, newline=newline).decode()
        found.append(Operation(path, str(meta["id"]), None, block, lead=lead, offset=size, base=hashed.hexdigest()))
        data = (lead + block).encode()
        hashed.update(data)
        size += len(data)
        lead = newline
    return found


def _together(data: bytes | None, operations: Sequence[Operation], start: int) -> tuple[bytes | None, list[Operation]]:
    """What a row of operations on one file does that add, or take away, blocks side by side; none done where there is no such row."""
    if data is None or start + 1 >= len(operations) or operations[start + 1].path != operations[start].path:
        return data, []
    for way in (_grown, _shrunk, _followed):
        new, done = way(data, operations, start)
        if len(done) > 1:
            return new, done
    return data, []


def _row(operations: Sequence[Operation], start: int) -> Iterable[Operation]:
    """The operations from here on that are about the same file."""
    path = operations[start].path
    return takewhile(lambda item: item.path == path, islice(operations, start, None))


def _grown(data: bytes, operations: Sequence[Operation], start: int) -> tuple[bytes, list[Operation]]:
    """Blocks put in one behind the other where they are known to have been, in the very file that they were taken from."""
    place = operations[start].offset
    if operations[start].before is not None or not 0 <= place <= len(data) or not operations[start].base:
        return data, []
    head, rest, size = hashing(data[:place]), data[place:], place
    pieces, done, result = [data[:place]], list[Operation](), sha256(data)
    for item in _row(operations, start):
        if item.before is not None or item.after is None or item.offset != size or item.base != result:
            break
        piece = (item.lead + item.after + item.tail).encode()
        head.update(piece)
        result = _hash_with(head, rest)
        size += len(piece)
        pieces.append(piece)
        done.append(replace(item, result=result, created=False))
    return b"".join([*pieces, rest]), done


def _shrunk(data: bytes, operations: Sequence[Operation], start: int) -> tuple[bytes, list[Operation]]:
    """Blocks taken out one before the other, the last one first, wherever in the file they stand side by side now."""
    row: list[tuple[Operation, int]] = []
    end = shift = None
    for item in _row(operations, start):
        if item.after is not None or item.before is None or item.offset < 0 or item.uncreate:
            break
        old = (item.lead + item.before + item.tail).encode()
        if end is None:
            at = item.offset if data.startswith(old, item.offset) else data.rfind(old)
            end, shift = at + len(old), at - item.offset
        at = item.offset + (shift or 0)
        if at < 0 or at + len(old) != (row[-1][1] if row else end) or not data.startswith(old, at):
            break
        row.append((item, at))
    if len(row) < 2 or end is None:
        return data, []
    last, rest = row[-1][1], data[end:]
    head, known, results = hashing(data[:last]), last, list[str]()
    for _, at in reversed(row):  # one pass over the file gives the hash of each length it has on the way
        head.update(data[known: at])
        known = at
        results.append(_hash_with(head, rest) if len(rest) <= HASHED_REST or at == last else "")
    done = [replace(item, offset=at, result=result, created=False) for (item, at), result in zip(row, reversed(results), strict=True)]
    return data[:last] + rest, done


def _followed(data: bytes, operations: Sequence[Operation], start: int) -> tuple[bytes, list[Operation]]:
    """New blocks one behind the other at the end of the file."""
    if operations[start].before is not None:
        return data, []
    scan = markup.scan(data, operations[start].path)
    if scan.room != len(data):
        return data, []
    there = {block.entry.id for block in scan.blocks}
    newline = markup.newline_of(data)
    lead, _ = _gaps(data, len(data), newline)
    head, size = hashing(data), len(data)
    pieces, done = [data], list[Operation]()
    for item in _row(operations, start):
        if item.before is not None or item.after is None or item.next or item.id in there or not item.after.endswith("-entry -->\n"):
            break
        block = _with_newline(item.after, newline)
        piece = (lead + block).encode()
        head.update(piece)
        done.append(replace(item, after=block, lead=lead, tail="", offset=size, result=head.hexdigest(), created=False))
        there.add(item.id)
        size += len(piece)
        pieces.append(piece)
        lead = newline
    return b"".join(pieces), done


def _hash_with(head: "Hash", rest: bytes) -> str:
    whole = head.copy()
    whole.update(rest)
    return whole.hexdigest()


def verify(path: str, old: bytes | None, new: bytes | None, done: Sequence[Operation]) -> None:
    """The last look before writing: untouched entries read the same, and each operation did what it says. Raises Conflict."""
    touched = {item.id for item in done if item.path == path}
    before = {block.entry.id: block.entry for block in markup.scan(old or b"", path).blocks}
    after = {block.entry.id: block.entry for block in markup.scan(new or b"", path).blocks}
    kept = [entry for key, entry in before.items() if key not in touched and after.get(key) is not entry]
    expected = {item.id: item.after is not None for item in done if item.path == path}
    wrong = any(after.get(entry.id) != entry for entry in kept) or any((key in after) != there for key, there in expected.items())
    if wrong or after.keys() - before.keys() - touched:
        raise Conflict(f"{path} could not be changed without touching other entries", "run deepseedian check")
