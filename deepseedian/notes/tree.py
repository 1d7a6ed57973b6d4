"""The vault's note files: which there are, and their text as it is on disk right now.

Nothing hidden, nothing excluded, nothing outside the vault: links are followed only to a file that is itself a note of
this vault, folders that are links are not entered (their notes are found at their real place, and a circle has no end),
and while a file is opened no step of its path may turn into a link.
"""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from deepseedian.config.files import READ_FLAGS
from deepseedian.errors import BadInput, NotFound
from deepseedian.notes import paths

READ_LIMIT = 16_000_000
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_STEPS = os.open in os.supports_dir_fd
_BIGGEST = (1 << 63) - 1
_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a file; the line is 0 where there is none."""

    path: str
    line: int
    code: str
    message: str

    def document(self) -> dict[str, object]:
        return {"path": self.path, "line": self.line, "code": self.code, "message": self.message}


@dataclass(frozen=True, slots=True)
class Found:
    """A file by the path that is shown; `raw` is the system's own name where that is no text."""

    path: str
    raw: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Source:
    """A file's text with `\\n` alone as line end. `revision` is the same whatever the line ends were."""

    path: str
    text: str
    stamp: Stamp
    sha: str
    revision: str
    problems: tuple[Problem, ...] = ()

    @property
    def lines(self) -> list[str]:
        found = self.text.split("\n")
        return found[:-1] if found[-1] == "" else found


@dataclass(slots=True)
class Tree:
    """One vault's files. `root` is a real path; `excluded` gives folders relative to it that are none of the notes'."""

    root: str
    excluded: Callable[[], tuple[str, ...]]
    problems: list[Problem] = field(default_factory=list)

    def walk(self, folder: str = "") -> Iterator[Found]:
        """Every file below the folder; what is wrong with names and links is put into `problems`."""
        excluded = self._excluded()
        pending = [folder]
        while pending:
            beginning = pending.pop()
            for entry in self._entries(beginning):
                raw = f"{beginning}/{entry.name}" if beginning else entry.name
                if not _allowed(raw, excluded):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(raw)
                elif entry.is_symlink():
                    yield from self._linked(raw)
                elif _counts(raw) and entry.is_file(follow_symlinks=False):
                    yield from self._named(raw, entry.stat(follow_symlinks=False))

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self.root, folder)) as entries:
                return list(entries)
        except OSError as error:
            if not folder:
                raise
            self._problem(folder, "folder_unreadable", f"the folder cannot be read: {error.strerror}")
            return []

    def _linked(self, raw: str) -> Iterator[Found]:
        full = os.path.join(self.root, raw)
        if os.path.isdir(full):
            self._problem(raw, "linked_folder", "a link to a folder is not entered; notes of this vault are found at their real place")
        elif _counts(raw):
            try:
                self._real(raw)
                yield from self._named(raw, os.stat(full))
            except (OSError, BadInput, NotFound):
                self._problem(raw, "link_outside", "the link leads to nothing, or to no note of this vault")

    def _named(self, raw: str, info: os.stat_result) -> Iterator[Found]:
        path = shown(raw)
        if not paths.askable(path):
            self._problem(raw, "name_not_allowed", "found by search, but no tool takes a path with such a name: rename it")
        yield Found(path, raw, _stamp(info))

    def _problem(self, raw: str, code: str, message: str) -> None:
        self.problems.append(Problem(shown(raw), 0, code, message))

    def find(self, raw: str) -> Found | None:
        """One file by its path as the system has it; None when it is gone or counts for nothing."""
        try:
            self._real(raw)
            info = os.stat(os.path.join(self.root, raw))
        except (OSError, ValueError, BadInput, NotFound):
            return None
        return Found(shown(raw), raw, _stamp(info)) if _counts(raw) and stat.S_ISREG(info.st_mode) else None

    def is_folder(self, raw: str) -> bool:
        full = os.path.join(self.root, raw)
        return _allowed(raw, self._excluded()) and os.path.isdir(full) and os.path.realpath(full) == os.path.normpath(full)

    def read(self, raw: str) -> Source | None:
        """What the file says now; None when it is not there. Raises BadInput and NotFound for what is no note of this vault."""
        try:
            data, info, whole = _read(self.root, self._real(raw))
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return None
        except OSError as error:
            raise BadInput(f"{shown(raw)} cannot be read: {error.strerror}", "check its permissions") from None
        path = shown(raw)
        text, faults = decoded(data)
        if not whole:
            faults.append(("note_cut", f"only the first {READ_LIMIT} bytes are read"))
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        problems = tuple(Problem(path, 0, code, message) for code, message in faults)
        revision = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return Source(path, text, _stamp(info), hashlib.sha256(data).hexdigest(), revision, problems)

    def _real(self, raw: str) -> str:
        """Where the file really lies, relative to the vault. Raises BadInput when that is outside, NotFound for what is left out."""
        excluded = self._excluded()
        real = os.path.realpath(os.path.join(self.root, raw))
        if not real.startswith(self.root.rstrip(os.sep) + os.sep):
            raise BadInput(f"{shown(raw)} leads out of the vault", "only notes of this vault are read")
        relative = real[len(self.root.rstrip(os.sep)) + 1:].replace(os.sep, "/")
        if not (_allowed(raw, excluded) and _allowed(relative, excluded) and _counts(relative)):
            raise NotFound(f"{shown(raw)} is not one of the notes", "memory, review notes, hidden and excluded folders are left out")
        return relative

    def _excluded(self) -> tuple[str, ...]:
        return tuple(paths.key(folder) for folder in self.excluded() if folder)


def shown(raw: str) -> str:
    """The system's name as text: bytes that are none are written as `\\xe9`."""
    return raw.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _allowed(raw: str, excluded: tuple[str, ...]) -> bool:
    folded = paths.key(raw)
    return not any(part.startswith(".") for part in folded.split("/")) and not any(
        folded == folder or folded.startswith(f"{folder}/") for folder in excluded)


def _counts(raw: str) -> bool:
    return raw.casefold().endswith((paths.NOTE, *paths.RAW))


def _stamp(info: os.stat_result) -> Stamp:
    return info.st_mtime_ns, info.st_size, info.st_ino & _BIGGEST


def _read(root: str, relative: str) -> tuple[bytes, os.stat_result, bool]:
    """The bytes of a regular file, what it was then, and whether these are all. Raises OSError, for a link in its path too."""
    handle = _opened(root, relative)
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            raise FileNotFoundError(relative)
        chunks, left = [], READ_LIMIT
        while left > 0 and (chunk := os.read(handle, min(left, 1 << 20))):
            chunks.append(chunk)
            left -= len(chunk)
        return b"".join(chunks), info, left > 0 or not os.read(handle, 1)
    finally:
        os.close(handle)


def _opened(root: str, relative: str) -> int:
    if not _STEPS:
        return os.open(os.path.join(root, relative), READ_FLAGS)
    *steps, name = relative.split("/")
    folder = os.open(root, _FOLDER & ~getattr(os, "O_NOFOLLOW", 0))
    try:
        for step in steps:
            inner = os.open(step, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(name, READ_FLAGS, dir_fd=folder)
    finally:
        os.close(folder)


def decoded(data: bytes) -> tuple[str, list[tuple[str, str]]]:
    """The text of a file whatever it was written in, and what is wrong with it."""
    encoding = _MARKS.get(data[:2], "utf-8-sig")
    if encoding != "utf-8-sig":
        return data.decode(encoding, "replace"), [("not_utf8", "the note is UTF-16: save it as UTF-8")]
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        return _guessed(data), [("not_utf8", f"the note is not UTF-8 (byte {error.start}): save it as UTF-8")]
    return text, [("nul", "the note holds NUL characters")] if "\0" in text else []


def _guessed(data: bytes) -> str:
    """Older Chinese notes are GB 18030; anything else keeps what can be read of it."""
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return data.decode("utf-8-sig", "replace")
    foreign = [char for char in text if char > "\x7f"]
    chinese = sum("\u3000" <= char <= "\u9fff" or "\uff00" <= char <= "\uffef" for char in foreign)
    return text if chinese >= 0.9 * len(foreign) else data.decode("utf-8-sig", "replace")
