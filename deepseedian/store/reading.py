"""Reading the memory folder: what the files say, and when not to believe them.

The truth is content; sizes and times only save reading what cannot have changed. A file that is missing,
empty, torn or unreadable is *unknown*: its last good content is served with a fault, and never
forgotten. A file that lost entries is believed after two scans that agree. An entry found in another
file has moved.
"""

import os
import re
import stat
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from deepseedian.core.markup import Problem, scan
from deepseedian.core.snapshot import RULES, MemoryFile, sha256
from deepseedian.core.topic import SYNC_CONFLICT, identity
from deepseedian.errors import DeepseedianError
from deepseedian.store.copies import Copies
from deepseedian.store.disk import Found, below
from deepseedian.store.journal import Ours
from deepseedian.store.seam import Seam

SETTLE_SECONDS = 0.25
OLD_SECONDS = 2.0
MASS = 3
UNKNOWN = ("missing", "empty", "torn", "unreadable", "mass_change")
# What sync tools append to the name of a copy: Dropbox and its like and Obsidian Sync say what it is. Of "plan 2", "plan (2)" and
# "plan-LAPTOP" (iCloud, Google Drive, OneDrive) only the content can tell, and the owner may have made them.
_SAYS_SO = re.compile(r"(.+?) ?[(（][^()（）]*(?:[Cc]onflicted copy|冲突副本)[^()（）]*[)）]")
_MAY_BE = re.compile(r"(.+?)(?: \d{1,2}| ?\(\d{1,2}\)|-(?=[A-Z0-9-]{0,14}[A-Z])[A-Z0-9-]{3,15})")


def original_of(path: str) -> str:
    """The file that a conflict copy's name says it is a copy of; empty for a name that says no such thing."""
    stem = path.removesuffix(".md")
    syncthing = SYNC_CONFLICT.search(stem)
    if syncthing:
        return f"{stem[: syncthing.start()]}.md"
    copied = _SAYS_SO.fullmatch(stem) or _MAY_BE.fullmatch(stem)
    return f"{copied[1]}.md" if copied else ""


def surely_a_copy(path: str) -> bool:
    """Whether the name alone says that a sync tool made the file."""
    stem = path.removesuffix(".md")
    return bool(SYNC_CONFLICT.search(stem) or _SAYS_SO.fullmatch(stem))


def parsed(path: str, data: bytes) -> MemoryFile:
    found = scan(data, path) if path != RULES else None
    entries = tuple(block.entry for block in found.blocks) if found else ()
    return MemoryFile(path, sha256(data), len(data), entries, found.problems if found else ())


class Reader:
    """The files of one memory folder as last believed. Not locked: its owner serialises calls."""

    def __init__(self, root: Path, seam: Seam, copies: Copies, ours: Callable[[], Mapping[str, Ours]]) -> None:
        """`ours` tells what our own changes did to each path: an undo is no loss."""
        self.root, self.seam, self.copies, self.ours = root, seam, copies, ours
        seam.disk.confine(root)
        self._folders = tuple((name, root / name) for name in ("topics", "archive"))
        self._names: frozenset[str] = frozenset()
        self._alike: tuple[str, ...] = ()
        self._topics: frozenset[str] = frozenset()
        self._collisions: tuple[Problem, ...] = ()
        self.files: dict[str, MemoryFile] = {}
        self.problems: tuple[Problem, ...] = ()
        self._stats: dict[str, Found] = {}
        self._pending: dict[str, tuple[str, float]] = {}
        self._owed = {path: sha for path, sha in copies.known().items() if path.endswith(".md")}
        self._blank: set[str] = set()
        self.conflict_copies: tuple[str, ...] = ()
        self.believing = False
        self.erased: Callable[[], Set[str]] = frozenset  # ids that were erased, here or elsewhere: that they vanish needs no question
        self.erased_here: Set[str] = frozenset()  # those erased on this device: a sync tool that brings one back is not believed

    def refresh(self, *, deep: bool = False, hinted: Iterable[str] = ()) -> bool:
        """Read what changed; True when something is unsettled and wants another look soon.

        `deep` compares the content of every file, else only of hinted ones and those whose stat changed.
        """
        if not self.root.is_dir():
            for path in {**self.files, **self._owed}:
                self._missing(path, _Seen({}, {}, self._copied))
            return False
        listing, stats, files = self._listing(), self._stats, self.files
        read = {path: self._read(path) for path, found in listing.items()
                if deep or stats.get(path) != found or (known := files.get(path)) is None or known.fault or path in hinted}
        self._stats = dict(listing)
        self._blank = {path for path, data in read.items() if data is not None and not data.strip(b"\0 \t\r\n\xef\xbb\xbf")}
        fresh = {path: self._parse(path, data) for path, data in read.items() if data is not None}
        return self._believe(fresh, listing)

    def _listing(self) -> dict[str, Found]:
        found: dict[str, Found] = {}
        problems: list[Problem] = []
        self._closed: list[str] = []
        for folder, place in self._folders:
            try:
                kind = _status(place)
                if kind is not None and stat.S_ISLNK(kind.st_mode):
                    problems.append(Problem("link", folder, 0, "a link is not followed; replace it by a folder"))
                elif kind is not None and stat.S_ISDIR(kind.st_mode):
                    found.update((f"{folder}/{item.path}", item) for item in self.seam.disk.walk(place))
            except OSError as error:
                self._closed.append(f"{folder}/")
                problems.append(Problem("unreadable", folder, 0, f"the folder cannot be listed: {error.strerror}"))
        if found.keys() != self._names:  # they change seldom, and every commit asks what they say
            self._names, self._alike = frozenset(found), _alike(found)
        self.conflict_copies = tuple(path for path in self._alike if self._conflict_copy(path, found))
        for path in self.conflict_copies:
            problems.append(Problem("conflict_copy", path, 0, "a sync tool's conflict copy, to be merged"))
            del found[path]
        rules = _status(below(self.root, RULES))
        if rules is not None and stat.S_ISREG(rules.st_mode):
            found[RULES] = Found(RULES, rules.st_size, rules.st_mtime_ns, rules.st_ino)
        if found.keys() != self._topics:
            self._topics, self._collisions = frozenset(found), _collisions(found)
        self.problems = (*problems, *self._collisions)
        return found

    def _conflict_copy(self, path: str, listing: dict[str, Found]) -> bool:
        """Syncthing's names are nobody's topic; others count when the file they copy is there and shares most entries."""
        if SYNC_CONFLICT.search(path):
            return True
        original = original_of(path)
        return original in listing and self._shares_ids(path, original)

    def _shares_ids(self, path: str, original: str) -> bool:
        """`general 2.md` is a topic of its own unless most of its entries are those of `general.md`."""
        known = self.files.get(path)
        if known is not None and known.entries and not known.fault:
            return False
        first, believed = self._read(path), self.files.get(original)
        if first is None:
            return False
        there = scan(self._read(original) or b"", original).blocks  # what was believed counts too: it may be empty for a moment
        ids = {block.entry.id for block in there} | {entry.id for entry in (believed.entries if believed else ())}
        copied = [block.entry.id in ids for block in scan(first, path).blocks]
        return sum(copied) * 2 > len(copied)

    def _read(self, path: str) -> bytes | None:
        try:
            return self.seam.disk.read(below(self.root, path))
        except (OSError, DeepseedianError) as error:
            self._keep(path, "unreadable", str(error))
            return None

    def _parse(self, path: str, data: bytes) -> MemoryFile:
        known = self.files.get(path)
        if known is not None and known.sha256 == sha256(data):
            return replace(known, fault="", problems=_without_faults(known)) if known.fault else known
        return self._parsed(path, data)

    def _parsed(self, path: str, data: bytes) -> MemoryFile:
        """What the file says, without entries that were erased on this device; their bytes stay until the owner says so."""
        file = parsed(path, data)
        back = [entry for entry in file.entries if entry.id in self.erased_here]
        if not back:
            return file
        found = tuple(Problem("erased", path, 0, f"an entry that was erased stands here again; deepseedian erase {entry.id} takes it out")
                      for entry in back)
        return replace(file, entries=tuple(entry for entry in file.entries if entry not in back), problems=(*file.problems, *found))

    def _believe(self, fresh: dict[str, MemoryFile], listing: dict[str, Found]) -> bool:
        seen = _Seen(listing, self.files | fresh, self._copied)
        again = False
        for path, file in fresh.items():
            again |= self._judge(path, file, seen)
        for path in [path for path in {**self.files, **self._owed} if path not in listing]:
            if path.startswith(tuple(self._closed)):
                self._keep(path, "unreadable", "its folder cannot be listed; its last good content is served")
            else:
                self._missing(path, seen)
        return again

    def _copied(self) -> set[str]:
        """The ids in conflict copies: what a sync tool moved there has not vanished, it waits to be merged."""
        copies = ((path, self._read(path)) for path in self.conflict_copies if surely_a_copy(path))
        return {block.entry.id for path, data in copies if data for block in scan(data, path).blocks}

    def _judge(self, path: str, file: MemoryFile, seen: "_Seen") -> bool:
        if self._owed.get(path) == file.sha256 or self.believing:
            self._accept(path, file)
            return False
        known = self._known(path)
        ids = {entry.id for entry in file.entries}
        lost = [entry.id for entry in known.entries if entry.id not in ids] if known is not None else []
        lost = [entry_id for entry_id in lost if entry_id not in seen.ids and (path in self._blank or entry_id not in seen.copied)]
        if lost and path not in self._blank:
            lost = [entry_id for entry_id in lost if entry_id not in self.erased()]
        if not lost or known is None or known.sha256 == file.sha256 or self._removed_by_us(path, file.sha256, lost):
            self._accept(path, file)
            return False
        fault, message = self._suspicion(path, file, known, lost)
        if fault:
            self._keep(path, fault, f"{message}; its last good content is served", known)
            return self._recent(path)
        return self._settle(path, file, known)

    def _removed_by_us(self, path: str, sha: str, lost: Iterable[str]) -> bool:
        """Whether the file is as our own last change left it, and that took out every entry that is missing."""
        result, removed = self.ours().get(path, (None, frozenset()))
        return result == sha and removed.issuperset(lost)

    def _suspicion(self, path: str, file: MemoryFile, known: MemoryFile, lost: Sequence[str]) -> tuple[str, str]:
        """Why a file that lost entries is not believed: (fault, what it means), both empty when it may be."""
        if path in self._blank:
            return "empty", "the file is empty"
        if any(problem.code == "torn_marker" for problem in file.problems):
            return "torn", "the file ends in the middle of a marker"
        if len(lost) >= MASS and len(lost) * 2 > len(known.entries):
            return "mass_change", f"{len(lost)} entries vanished at once"
        return "", ""

    def _settle(self, path: str, file: MemoryFile, known: MemoryFile) -> bool:
        """Believe a file that lost entries once it has looked the same for a quarter of a second.

        A file that nobody has written to for seconds was settled before we looked.
        """
        now = self.seam.clock.monotonic()
        if self._age(path) > OLD_SECONDS:
            self._accept(path, file)
            return False
        first = self._pending.get(path)
        if first is not None and first[0] == file.sha256 and now - first[1] >= SETTLE_SECONDS:
            self._accept(path, file)
            return False
        if first is None or first[0] != file.sha256:
            self._pending[path] = (file.sha256, now)
        self._keep(path, "settling", "entries are missing; waiting for a second look", known)
        return True

    def _age(self, path: str) -> float:
        """Seconds since somebody wrote to the file; negative when its time lies ahead of our clock."""
        found = self._stats.get(path)
        return self.seam.clock.time() - found.modified / 1e9 if found is not None else 0.0

    def _recent(self, path: str) -> bool:
        """Whether somebody may still be at it."""
        return -OLD_SECONDS <= self._age(path) <= OLD_SECONDS

    def _known(self, path: str) -> MemoryFile | None:
        """The last good version: in memory, or from the copies of an earlier run."""
        if path in self.files:
            return self.files[path]
        if path not in self._owed:
            return None
        data = self.copies.newest(path)
        return self._parsed(path, data) if data is not None else None

    def _accept(self, path: str, file: MemoryFile) -> None:
        self._pending.pop(path, None)
        self._owed.pop(path, None)
        self.files[path] = file

    def _missing(self, path: str, seen: "_Seen") -> None:
        known = self._known(path)
        elsewhere = known is not None and bool(known.entries) and all(
            entry.id in seen.ids or entry.id in seen.copied for entry in known.entries)
        taken = known is not None and bool(known.entries) and self._removed_by_us(path, "", [entry.id for entry in known.entries])
        if self.believing or known is None or elsewhere or taken or (not known.entries and path != RULES):
            self.drop(path)
            return
        self._keep(path, "missing", "the file is gone; its last good content is served", known)

    def _keep(self, path: str, fault: str, message: str, known: MemoryFile | None = None) -> None:
        known = known or self._known(path)
        problem = Problem(fault, path, 0, message)
        if known is not None and known.fault == fault and path in self.files:
            return  # nothing new: the same object tells the store that nothing changed
        if known is None:
            self.problems = (*self.problems, problem)
            return
        self._owed.pop(path, None)
        self.files[path] = replace(known, fault=fault, problems=(*_without_faults(known), problem))

    def drop(self, path: str) -> None:
        """Give up a file that is really gone."""
        self.files.pop(path, None)
        self._owed.pop(path, None)
        self._stats.pop(path, None)
        self.copies.forget(path)

    def wrote(self, path: str, data: bytes | None) -> None:
        """Take over content that we have just written, or a file that we have taken away, ourselves."""
        if data is None:
            self.drop(path)
            return
        self._accept(path, self._parsed(path, data))
        self._stats.pop(path, None)

    def faults(self) -> dict[str, str]:
        """Path → why its last good content is served."""
        return {path: file.fault for path, file in self.files.items() if file.fault}


class _Seen:
    """The ids in all files that are there now, and in conflict copies; gathered only when some file lost one."""

    def __init__(self, listing: Mapping[str, Found], files: Mapping[str, MemoryFile], copied: Callable[[], set[str]]) -> None:
        self._listing, self._files, self._copied = listing, files, copied

    @cached_property
    def ids(self) -> set[str]:
        return {entry.id for path in self._listing if path in self._files for entry in self._files[path].entries}

    @cached_property
    def copied(self) -> set[str]:
        return self._copied()


def _without_faults(file: MemoryFile) -> tuple[Problem, ...]:
    return tuple(problem for problem in file.problems if problem.code not in (*UNKNOWN, "settling"))


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _alike(names: Collection[str]) -> tuple[str, ...]:
    """Those that say they are a sync tool's copy of a file, or that they may be one of a file that is there."""
    return tuple(path for path in sorted(names) if SYNC_CONFLICT.search(path) or original_of(path) in names)


def _collisions(names: Collection[str]) -> tuple[Problem, ...]:
    """Names that another system would take for one file."""
    found: dict[str, str] = {}
    problems = []
    for path in sorted(names):
        other = found.setdefault(identity(path), path)
        if other != path:
            problems.append(Problem("topic_collision", path, 0, f"some systems cannot tell it from {other}"))
    return tuple(problems)
