"""One commit: several files of the memory folder change together, or not at all.

    1  write every new content under a temporary name, flush the files
    2  publish `transaction.json` (names, old and new hashes), flush file and folders: from here on the commit happens
    3  exchange each temporary name with its target, look at what came out, flush the folders
    4  remove `transaction.json`, flush; only now "saved" is said
    5  remove the temporary names, which hold the old content

Recovery of a record after a kill: a file with the new bytes is done, one with the old bytes gets the new ones
from its temporary name. A record whose temporary names a power cut has lost was not flushed with them, so nothing
is in place yet: all stays old. Where a file holds anything else the user was here: their bytes stay, ours become a conflict
record, and every other file of the change gets its old bytes again, so that no change is torn apart. A temporary
name that holds neither old nor new bytes holds an edit that landed between compare and exchange when we
were killed: it goes back to its place.
"""

import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from deepseedian.core import comment
from deepseedian.core.snapshot import sha256
from deepseedian.errors import BadInput, Conflict, DeepseedianError, ReadOnly, TooLarge
from deepseedian.store.disk import Disk, below, failpoint

RECORD = "transaction.json"
RECORD_VERSION = 2
RECORD_LIMIT = 4_000_000
_PREFIX = ".deepseedian-"
_SUFFIX = ".tmp"
_STAGING = "-staging.tmp"
_NAME = re.compile(r"[0-9A-Za-z]{1,64}", re.ASCII)
_HASH = re.compile(r"([0-9a-f]{64})?", re.ASCII)
_STEP_BYTES, _PATH_LIMIT = 255, 2048
_OURS_ALONE = (_STAGING, "-record.tmp", "-overview.tmp")  # names that no exchange can put foreign bytes under


@dataclass(frozen=True, slots=True)
class Change:
    """A file's new content (None: it goes), and the hash it must still have (empty: it must not exist).

    `before` is the content of that hash, where it is at hand: to compare it is cheaper than to hash what is there.
    """

    path: str
    old: str
    new: bytes | None
    before: bytes | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    path: str
    old: str
    new: str
    temporary: str


@dataclass(frozen=True, slots=True)
class ConflictRecord:
    """Our version of a file that somebody else changed meanwhile; kept outside the vault."""

    path: str
    data: bytes
    reason: str
    fault: bool = True


@dataclass(slots=True)
class Recovery:
    """What the next start found and did. `foreign` says why a record was not ours to replay."""

    replayed: bool = False
    foreign: str = ""
    cleaned: list[str] = field(default_factory=list)
    conflicts: list[ConflictRecord] = field(default_factory=list)


class Commit:
    """Commits to one memory folder; the caller holds the write lock.

    `owned` is asked right before each commit point and raises when the lock is no longer ours.
    """

    def __init__(self, root: Path, device: str, disk: Disk, owned: Callable[[], None]) -> None:
        self.root, self.device, self.disk, self.owned = root, device, disk, owned
        self._known: dict[str, bytes] = {}
        disk.confine(root)

    def run(self, changes: Sequence[Change], token: str) -> None:
        """Raises Conflict, with everything as before, when a file is no longer the one that was read."""
        recorded = [self._recorded(change, token, index) for index, change in enumerate(changes)]
        try:
            for change, entry in zip(changes, recorded, strict=True):
                target = self._path(change.path)
                self.disk.make_folder(self._path(_folder(change.path)))
                with self.disk.beside(target):
                    self._stage(change, entry)
            failpoint("after_staging")
            self._publish(recorded, token)
        except Exception:
            self._discard(recorded)
            raise
        failpoint("after_record")
        self._install(recorded)
        failpoint("after_install")
        with suppress(OSError, DeepseedianError):  # the change is durable: what is left to tidy, the next recovery tidies
            self._drop_record()
            failpoint("after_commit")
            self._discard(recorded)

    def _recorded(self, change: Change, token: str, index: int) -> Recorded:
        new = _hash(change.new)
        if change.new is not None:
            self._known[new] = change.new
        if change.before is not None:
            self._known[change.old] = change.before
        return _entry(self.device, token, index, (change.path, change.old, new))

    def _stage(self, change: Change, entry: Recorded) -> None:
        target = self._path(change.path)
        current = self.disk.read(target)
        if not self._is(current, change.old):
            raise Conflict(f"{change.path} changed while it was being written", "repeat the command")
        if change.new is None:
            return
        staging = self.root / f"{entry.temporary.removesuffix(_SUFFIX)}{_STAGING}"
        self.disk.write_new(staging, change.new, self.disk.mode(target))
        self.disk.replace(staging, self._path(entry.temporary))  # so that half-written bytes never bear the name that others' may bear

    def _publish(self, recorded: Sequence[Recorded], token: str) -> None:
        self.owned()
        temporary = self.root / f"{_PREFIX}{self.device}-{token}-record{_SUFFIX}"
        with self.disk.beside(temporary):
            self.disk.write_new(temporary, _encode_record(recorded, self.device, token))
            failpoint("before_record")
            try:
                self.disk.publish(temporary, self._path(RECORD))
            except Exception:
                self.disk.unlink(temporary)
                raise
        try:
            self._flush_folders([*recorded, Recorded(RECORD, "", "", temporary.name)])
        except Exception:
            self._drop_record()  # the prepared files may only go once no record names them
            raise

    def _install(self, recorded: Sequence[Recorded]) -> None:
        done: list[Recorded] = []
        try:
            for index, entry in enumerate(recorded):
                self.owned()
                done.append(entry)  # first: an error right after the exchange must be taken back too
                with self.disk.beside(self._path(entry.path)):
                    self._swap(entry)
                failpoint(f"after_swap_{index}")
            self._flush_folders(recorded)
        except (OSError, DeepseedianError) as error:
            try:
                self._roll_back(recorded, done)
            except (OSError, DeepseedianError):
                raise DeepseedianError("the disk failed in the middle of a change; the next start completes it or takes it back",
                                       "run deepseedian check", code="disk_error") from error
            raise

    def _swap(self, entry: Recorded) -> None:
        """Put the new content in place; whatever stood there is at the temporary name afterwards."""
        target, temporary = self._path(entry.path), self._path(entry.temporary)
        if not entry.old:
            try:
                self.disk.publish(temporary, target)
            except FileExistsError:
                raise Conflict(f"{entry.path} appeared while it was being written", "repeat the command") from None
            return
        current = self.disk.read(target)
        if current is None or not self._is(current, entry.old):
            raise Conflict(f"{entry.path} changed while it was being written", "repeat the command")
        if not entry.new:
            self._take_away(entry, target, temporary)
            return
        failpoint("before_exchange")
        if not self._exchanged(temporary, target):
            self._replace_in_steps(entry, target, temporary)
            return
        failpoint("after_exchange")
        out = self.disk.read(temporary)
        if out is None:  # this file system took no notice of the flag and replaced
            self.disk.write_new(temporary, current, self.disk.mode(target))
            return
        if not self._is(out, entry.old):
            self.disk.put_back(temporary, target, self._known[entry.new])
            raise Conflict(f"{entry.path} was saved by another program at the same moment", "repeat the command")

    def _replace_in_steps(self, entry: Recorded, target: Path, temporary: Path) -> None:
        """Where there is no exchange: take the file away, look at it, and put ours where it was if nobody else did.

        A rename onto the target would be one step, and lose what somebody saved right before it.
        """
        aside = _aside(temporary)
        self.disk.replace(target, aside)
        failpoint("after_aside")
        if _hash(self.disk.read(aside)) != entry.old:
            self.disk.publish(aside, target)
            raise Conflict(f"{entry.path} was saved by another program at the same moment", "repeat the command")
        try:
            self.disk.publish(temporary, target)
        except FileExistsError:
            self.disk.unlink(aside)
            raise Conflict(f"{entry.path} was saved by another program at the same moment", "repeat the command") from None
        self.disk.replace(aside, temporary)

    def _take_away(self, entry: Recorded, target: Path, temporary: Path) -> None:
        self.disk.publish(target, temporary)
        if _hash(self.disk.read(temporary)) != entry.old:
            self.disk.publish(temporary, target)
            raise Conflict(f"{entry.path} was saved by another program at the same moment", "repeat the command")

    def _exchanged(self, temporary: Path, target: Path) -> bool:
        try:
            return self.disk.exchange(temporary, target)
        except FileNotFoundError:
            raise Conflict(f"{target.name} vanished while it was being written", "repeat the command") from None

    def _roll_back(self, recorded: Sequence[Recorded], done: Sequence[Recorded]) -> None:
        """Undo the files already in place, unless somebody has edited them since."""
        for entry in reversed(done):
            target, temporary = self._path(entry.path), self._path(entry.temporary)
            self._return(entry, target, temporary)
            if _hash(self.disk.read(target)) != entry.new:
                continue
            if not entry.old:
                if not temporary.exists():  # else what stands there is somebody else's
                    self.disk.unlink(target)
            elif temporary.exists():
                self.disk.replace(temporary, target)
        self._flush_folders(recorded)
        self._drop_record()
        self._discard(recorded)

    def _return(self, entry: Recorded, target: Path, temporary: Path) -> None:
        """A file that was taken away when we failed, or died, goes back to its place; or where an exchange would leave it."""
        taken = self.disk.read(_aside(temporary))
        if taken is None:
            return
        if self.disk.read(target) is None:
            self.disk.publish(_aside(temporary), target)
        elif _hash(taken) == entry.old and self.disk.read(temporary) is None:
            self.disk.replace(_aside(temporary), temporary)
        elif _hash(taken) == entry.old:
            self.disk.unlink(_aside(temporary))  # anything else is somebody's save: it is set aside at the next start

    def _drop_record(self, name: str = RECORD) -> None:
        self.disk.unlink(self._path(name))
        self.disk.flush_folder(self.root)

    def _discard(self, recorded: Sequence[Recorded]) -> None:
        """Remove temporary names, but never bytes that are neither the old nor the new ones."""
        for entry in recorded:
            path = self._path(entry.temporary)
            with self.disk.beside(path):
                data = self.disk.read(path)
                if data is not None and (self._is(data, entry.old) or self._is(data, entry.new)):
                    self.disk.unlink(path)

    def _path(self, name: str) -> Path:
        return below(self.root, name)

    def _is(self, data: bytes | None, digest: str) -> bool:
        """Whether these bytes have this hash: compared with bytes of that hash seen before where there are some, which is cheaper."""
        if data is None or not digest:
            return data is None and not digest
        known = self._known.get(digest)
        if known is not None:
            return known == data
        found = sha256(data)
        self._known[found] = data
        return found == digest

    def _flush_folders(self, recorded: Sequence[Recorded]) -> None:
        for folder in sorted({_folder(entry.path) for entry in recorded}):
            with suppress(FileNotFoundError, NotADirectoryError):  # somebody has taken the folder away
                self.disk.flush_folder(self._path(folder))

    def leftovers(self) -> bool:
        """Whether a kill left anything: a record, or names of this device."""
        return records(self.root) or any(self._orphans())

    def _orphans(self) -> Iterator[Path]:
        pattern = f"{_PREFIX}{self.device}-*{_SUFFIX}"
        for place in (pattern, f"topics/**/{pattern}", f"archive/**/{pattern}"):
            yield from (path for path in self.root.glob(place) if stat.S_ISREG(path.lstat().st_mode))  # nothing else was ever ours

    def recover(self, *, clean: bool = False) -> Recovery:
        """Bring the folder to one state after a kill; repeating it changes nothing more.

        `clean` also removes orphans of this device. Raises ReadOnly for a newer version's record.
        """
        found = Recovery()
        for name in (RECORD, f"transaction-{self.device}.json"):
            data = self._record_bytes(name)
            if data is not None:
                self._recover_record(name, data, found)
        if clean:
            self._clean(found)
        return found

    def _record_bytes(self, name: str) -> bytes | None:
        try:
            return self.disk.read(self.root / name, RECORD_LIMIT)
        except TooLarge:
            return b""

    def _recover_record(self, name: str, data: bytes, found: Recovery) -> None:
        record = _decode_record(data)
        if record is None:
            found.foreign = "a record that cannot be read"
            found.conflicts.append(ConflictRecord(name, data, found.foreign))
            self._drop_record(name)
        elif record.device != self.device:
            found.foreign = "a record of another device"
            self.disk.replace(self.root / name, self.root / f"transaction-{record.device}.json")
        else:
            self._replay(name, record.files, found)

    def _replay(self, name: str, recorded: Sequence[Recorded], found: Recovery) -> None:
        self.owned()
        for entry in recorded:
            self._return(entry, self.root / entry.path, self.root / entry.temporary)
        step = self._take_back if any(self._edited(entry) for entry in recorded) else self._replay_file
        for entry in recorded:
            step(entry, found)
            failpoint("during_recovery")
        self._flush_folders(recorded)
        self._drop_record(name)
        self._discard(recorded)
        found.replayed = True

    def _edited(self, entry: Recorded) -> bool:
        """Whether a file can no longer get its new content: then no file of the change may have it."""
        current, held = (_hash(self.disk.read(self.root / path)) for path in (entry.path, entry.temporary))
        if held not in ("", entry.old, entry.new):
            return True  # an edit landed between compare and exchange
        if current == entry.old:
            return held != entry.new
        return current != entry.new and held == entry.new

    def _replay_file(self, entry: Recorded, found: Recovery) -> None:
        target, temporary = self._path(entry.path), self._path(entry.temporary)
        if _hash(self.disk.read(target)) != entry.old:
            return
        held = self.disk.read(temporary)
        try:
            self._redo(entry, target, temporary)
        except (Conflict, FileExistsError, FileNotFoundError):
            found.conflicts.append(ConflictRecord(entry.path, held or b"", "the file was edited during recovery"))

    def _take_back(self, entry: Recorded, found: Recovery) -> None:
        """The old content again, where nobody has edited; the user's bytes and ours where somebody has."""
        target, temporary = self._path(entry.path), self._path(entry.temporary)
        current, held = self.disk.read(target), self.disk.read(temporary)
        if _hash(held) not in ("", entry.old, entry.new):
            self._keep_edit(entry, current, held or b"", found)
        elif _hash(current) == entry.new:
            self._put_old(entry, target, temporary, found)
        elif _hash(current) != entry.old and _hash(held) == entry.new:
            found.conflicts.append(ConflictRecord(entry.path, held or b"", "the file was edited before recovery"))

    def _keep_edit(self, entry: Recorded, current: bytes | None, held: bytes, found: Recovery) -> None:
        """An edit was exchanged out by us: it goes back where ours is, else it is kept."""
        target, temporary = self._path(entry.path), self._path(entry.temporary)
        if _hash(current) == entry.new:
            self._put_back(temporary, target)
            found.conflicts.append(ConflictRecord(entry.path, current or b"", "an edit landed at the same moment"))
        else:
            found.conflicts.append(ConflictRecord(entry.path, held, "two edits landed while a change was being written"))
            self.disk.unlink(temporary)

    def _put_old(self, entry: Recorded, target: Path, temporary: Path, found: Recovery) -> None:
        if not entry.old:
            self.disk.unlink(target)
        elif _hash(self.disk.read(temporary)) != entry.old:  # a backup or a sync tool that leaves hidden names out brought the folder here
            current = self.disk.read(target)
            found.conflicts.append(ConflictRecord(entry.path, current or b"", "what it held before an interrupted change is gone"))
        elif not entry.new:
            self.disk.publish(temporary, target)
        elif not self.disk.exchange(temporary, target):
            self._replace_in_steps(Recorded(entry.path, entry.new, entry.old, entry.temporary), target, temporary)

    def _put_back(self, temporary: Path, target: Path) -> None:
        if target.exists():
            self.disk.exchange(temporary, target)
        else:
            self.disk.publish(temporary, target)

    def _redo(self, entry: Recorded, target: Path, temporary: Path) -> None:
        if not entry.new:
            self._take_away(entry, target, temporary)
        elif not entry.old:
            self.disk.publish(temporary, target)
        elif not self.disk.exchange(temporary, target):
            self._replace_in_steps(entry, target, temporary)

    def _keep_foreign(self, path: Path, found: Recovery) -> None:
        data = self.disk.read(path)
        *_, old, new = path.name.removesuffix(_SUFFIX).split("-")
        if data and _short(_hash(data)) not in (old, new):
            found.conflicts.append(ConflictRecord(path.name, data, "bytes of unknown origin under a temporary name"))

    def _clean(self, found: Recovery) -> None:
        """Orphans of this device: staged before a record was published, or left after one was dropped."""
        for path in list(self._orphans()):
            if not path.name.endswith(_OURS_ALONE):
                self._keep_foreign(path, found)
            self.disk.unlink(path)
            found.cleaned.append(path.name)


def records(root: Path) -> bool:
    """Whether there is a record of a change, ours or another device's."""
    try:
        return any(name.startswith("transaction") and name.endswith(".json") for name in os.listdir(root))
    except OSError:
        return False  # no folder, no record; whoever needs the folder says so


def _aside(temporary: Path) -> Path:
    """Where a file is kept that was taken away; like the temporary name it tells the old and the new hash."""
    device, *middle = temporary.name.split("-")
    return temporary.with_name("-".join((device, *middle[:-2], "aside", *middle[-2:])))


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _short(digest: str) -> str:
    return digest[:12] or "none"


def _hash(data: bytes | None) -> str:
    return sha256(data) if data is not None else ""


def _encode_record(recorded: Sequence[Recorded], device: str, token: str) -> bytes:
    files = [{"path": e.path, "old": e.old, "new": e.new, "temporary": e.temporary} for e in recorded]
    body = {"version": RECORD_VERSION, "device": device, "token": token, "files": files}
    return json.dumps(body | {"checksum": _checksum(body)}, ensure_ascii=False).encode()


def _checksum(body: Mapping[str, object]) -> str:
    return sha256(json.dumps(body, ensure_ascii=False, sort_keys=True).encode())


@dataclass(frozen=True, slots=True)
class _Record:
    device: str
    files: tuple[Recorded, ...]


def _decode_record(data: bytes) -> _Record | None:
    """None for a torn record or one of the first version, which only adoption completes."""
    try:
        body = comment.loads(data.decode())
    except (BadInput, UnicodeDecodeError):
        return None
    if not isinstance(body, dict) or not isinstance(body.get("version"), int):
        return None
    if body["version"] > RECORD_VERSION:
        raise ReadOnly(f"{RECORD} was written by a newer version ({body['version']})", "upgrade this installation")
    if body.pop("checksum", "") != _checksum(body):
        return None
    try:
        made = body["device"], body["token"]
        if not all(map(_NAME.fullmatch, made)):
            return None
        return _Record(made[0], tuple(_checked(made, index, file) for index, file in enumerate(body["files"])))
    except (KeyError, TypeError, ValueError):
        return None


def _checked(made: tuple[str, str], index: int, file: Mapping[str, str]) -> Recorded:
    """A synced record is untrusted: only the files and the very names that a commit writes are taken from it.

    With free names a record could have had any two files of the folder change places.
    """
    path, old, new = values = file["path"], file["old"], file["new"]
    if not all(map(_HASH.fullmatch, (old, new))) or not (old or new):
        raise ValueError(file)
    if not isinstance(path, str) or len(path) > _PATH_LIMIT or any(map(_wrong, path.split("/"))):
        raise ValueError(path)
    entry = _entry(*made, index, values)
    if file != {"path": path, "old": old, "new": new, "temporary": entry.temporary}:
        raise ValueError(file)
    return entry


def _wrong(step: str) -> bool:
    return step in ("", ".", "..") or len(step.encode()) > _STEP_BYTES or "\\" in step or "\0" in step


def _entry(device: str, token: str, index: int, values: tuple[str, str, str]) -> Recorded:
    """A file of a change with its temporary name, which tells who made it, in which change, and what from and to."""
    path, old, new = values
    folder = _folder(path)
    name = f"{_PREFIX}{device}-{token}-{index}-{_short(old)}-{_short(new)}{_SUFFIX}"
    return Recorded(path, old, new, f"{folder}/{name}" if folder else name)
