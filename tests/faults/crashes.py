"""Every disk state that a power cut may leave, after the model of "All file systems are not created equal" (OSDI 2014).

`RecordingDisk` notes each call as it is made. `states` then takes every prefix of them and leaves out any
subset of what was not yet durable by then: names created, renamed, exchanged or removed without a flush of
their folder since, and bytes written without a flush of their file (nothing, half or all of them).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path

from deepseedian.store.disk import Disk

Tree = dict[str, bytes]
FOLDER = b"\0folder"


@dataclass(frozen=True, slots=True)
class Call:
    """`kind`: create, write, fsync, fsync_folder, rename, exchange, unlink, mkdir. Paths are relative, with `/`."""

    kind: str
    path: str
    other: str = ""
    data: bytes = b""


class RecordingDisk(Disk):
    """Does everything and notes it, for paths below `root`. `skipped` kinds of flush are planted faults: neither done nor noted."""

    def __init__(self, root: Path, skipped: frozenset[str] = frozenset()) -> None:
        self.root, self.skipped = root, skipped
        self.calls: list[Call] = []
        self._open: dict[int, str] = {}

    def _note(self, kind: str, path: Path, other: Path | None = None, data: bytes = b"") -> None:
        if path == self.root or path.is_relative_to(self.root):
            self.calls.append(Call(kind, _name(path, self.root), _name(other, self.root) if other else "", data))

    def _create(self, path: Path, mode: int) -> int:
        handle = super()._create(path, mode)
        self._note("create", path)
        self._open[handle] = str(path)
        return handle

    def _write(self, handle: int, data: memoryview) -> int:
        count = super()._write(handle, data)
        self._note("write", Path(self._open[handle]), data=bytes(data[:count]))
        return count

    def _flush(self, handle: int) -> None:
        path = self._open.pop(handle, "")
        kind = "record" if path.endswith("-record.tmp") else "file"
        if path and kind not in self.skipped:
            self._note("fsync", Path(path))

    def flush_folder(self, path: Path) -> None:
        if "folder" not in self.skipped:
            self._note("fsync_folder", path)

    def replace(self, source: Path, target: Path) -> None:
        super().replace(source, target)
        self._note("rename", source, target)

    def exchange(self, first: Path, second: Path) -> bool:
        done = super().exchange(first, second)
        if done:
            self._note("exchange", first, second)
        return done

    def publish(self, source: Path, target: Path) -> None:
        super().publish(source, target)
        self._note("rename", source, target)

    def unlink(self, path: Path) -> None:
        there = path.exists()
        super().unlink(path)
        if there:
            self._note("unlink", path)

    def make_folder(self, path: Path) -> None:
        if not path.is_dir():
            self.make_folder(path.parent)
            path.mkdir(exist_ok=True)
            self._note("mkdir", path)
            self.flush_folder(path.parent)


def _name(path: Path, root: Path) -> str:
    found = path.relative_to(root).as_posix()
    return "" if found == "." else found


@dataclass(slots=True)
class _File:
    """Bytes written and bytes known to be on the platter."""

    written: bytes = b""
    durable: bytes | None = None

    def after_crash(self) -> list[bytes]:
        if self.durable == self.written:
            return [self.written]
        return sorted({self.durable or b"", self.written[: len(self.written) // 2], self.written})


@dataclass(slots=True)
class _Disk:
    """Names that are durable, and the calls on names that may or may not have reached the platter."""

    names: dict[str, int] = field(default_factory=dict)
    files: dict[int, _File] = field(default_factory=dict)
    pending: list[Call] = field(default_factory=list)
    now: dict[str, int] = field(default_factory=dict)

    def do(self, call: Call) -> None:
        if call.kind == "create":
            self.files[len(self.files)] = _File()
            self._rename(Call("create", call.path, str(len(self.files) - 1)))
        elif call.kind == "mkdir":
            self.files[len(self.files)] = _File(FOLDER, FOLDER)
            self._rename(Call("create", call.path, str(len(self.files) - 1)))
        elif call.kind == "write":
            self.files[self.now[call.path]].written += call.data
        elif call.kind == "fsync":
            file = self.files[self.now[call.path]]
            file.durable = file.written
        elif call.kind == "fsync_folder":
            kept = [item for item in self.pending if _parent(item.path) != call.path]
            for item in self.pending:
                if item not in kept:
                    _apply(self.names, item)
            self.pending = kept
        else:
            self._rename(call)

    def _rename(self, call: Call) -> None:
        _apply(self.now, call)
        self.pending.append(call)

    def crashes(self) -> Iterator[Tree]:
        for size in range(len(self.pending) + 1):
            for subset in combinations(self.pending, size):
                names = dict(self.names)
                for call in subset:
                    _apply(names, call)
                yield from self._contents(names)

    def _contents(self, names: dict[str, int]) -> Iterator[Tree]:
        reachable = {path: number for path, number in names.items() if _reachable(path, names, self.files)}
        numbers = sorted(set(reachable.values()))
        for chosen in product(*(self.files[number].after_crash() for number in numbers)):
            content = dict(zip(numbers, chosen, strict=True))
            yield {path: content[number] for path, number in reachable.items()}


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def _reachable(path: str, names: dict[str, int], files: dict[int, _File]) -> bool:
    parent = _parent(path)
    return not parent or (parent in names and files[names[parent]].written == FOLDER and _reachable(parent, names, files))


def _apply(names: dict[str, int], call: Call) -> None:
    """One call on names; one whose source is not there did not happen."""
    if call.kind == "create":
        names[call.path] = int(call.other)
    elif call.kind == "unlink":
        names.pop(call.path, None)
    elif call.kind == "rename" and call.path in names:
        names[call.other] = names.pop(call.path)
    elif call.kind == "exchange" and call.path in names and call.other in names:
        names[call.path], names[call.other] = names[call.other], names[call.path]


def states(before: Tree, calls: list[Call]) -> Iterator[tuple[Tree, bool]]:
    """(tree, whether all calls had returned) for every state that a power cut at any moment may leave; `before` is durable."""
    disk = _Disk()
    for path, data in before.items():
        disk.files[len(disk.files)] = _File(data, data)
        disk.names[path] = len(disk.files) - 1
    disk.now = dict(disk.names)
    for number in range(len(calls) + 1):
        for tree in disk.crashes():
            yield tree, number == len(calls)
        if number < len(calls):
            disk.do(calls[number])


def tree_of(root: Path) -> Tree:
    return {path.relative_to(root).as_posix(): FOLDER if path.is_dir() else path.read_bytes() for path in sorted(root.rglob("*"))}


def write_tree(root: Path, tree: Tree) -> None:
    """Make the folder hold exactly this tree."""
    for path in sorted(root.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    root.mkdir(exist_ok=True)
    for name, data in sorted(tree.items()):
        if data == FOLDER:
            (root / name).mkdir(exist_ok=True)
        else:
            (root / name).write_bytes(data)
