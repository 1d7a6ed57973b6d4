"""Our notes in the vault: created once, changed line by line, never over an edit that came in between.

A note is made below the review folder only, and changed only while it is the review note of that batch:
the path of a note comes from proposals.json, which is synced, and may name any note of the owner. Links are
not followed, and what cannot be written is left for the next time. A daemon does not touch a note that changed
in the last seconds: the person may be typing in it, and a sync tool may be bringing it. What there is to write
waits until the note is still; after a kill it is found again from the proposals themselves.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from deepseedian.core import review_note
from deepseedian.core.snapshot import sha256
from deepseedian.errors import BadInput, DeepseedianError
from deepseedian.store.instance import device_id
from deepseedian.store.seam import Seam

NOTE_LIMIT = 2_000_000
STILL_SECONDS = 2.0  # how long a note has not changed before a daemon writes to it
DONE = "Done"
_TRIES = 4
_PREFIX, _SUFFIX = ".deepseedian-", ".tmp"


class Notes:
    """Review notes by their path relative to the vault, with `/`."""

    def __init__(self, root: Path, seam: Seam, still: float = 0.0) -> None:
        """`still` is how long a note has to be unchanged before it is written to; a command, which ends, does not wait."""
        self.root, self.seam, self.still = root, seam, still
        self._waiting: dict[str, list[tuple[Callable[[str], str], str | None]]] = {}
        self._signs: dict[str, tuple[object, float]] = {}
        self._ours: dict[str, bytes] = {}
        self._mutex = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        seam.disk.confine(root)

    def name(self, folder: str, seconds: float, batch: str) -> str:
        """`<folder>/<local date> <HHMM>-<4 hex>.md`, a name that is free."""
        when = time.strftime("%Y-%m-%d %H%M", time.localtime(seconds))
        for start in range(0, 12, 4):
            path = f"{folder}/{when}-{batch.replace('-', '')[start: start + 4]}.md"
            if not (self.root / path).exists():
                return path
        return f"{folder}/{when}-{batch}.md"

    def create(self, folder: str, path: str, text: str) -> bool:
        """Durably write a new note; False where one is there already, which stays. Raises BadInput for a path outside the folder."""
        if not path.startswith(f"{folder}/"):
            raise BadInput(f"{path} is not in {folder}", "review notes are made there only")
        target = self.root / path
        self.seam.disk.make_folder(target.parent)
        temporary = self._temporary(target, text.encode())
        self.seam.disk.write_new(temporary, text.encode(), 0o644)
        made = False
        with suppress(FileExistsError):
            self.seam.disk.publish(temporary, target)
            made = True
        self.seam.disk.unlink(temporary)
        self.seam.disk.flush_folder(target.parent)
        return made

    def read(self, path: str) -> str | None:
        """The note's text with its line ends; None when it is gone, a link, too large or not UTF-8."""
        try:
            data = self.seam.disk.read(self.root / path, NOTE_LIMIT)
            return data.decode() if data is not None else None
        except (OSError, DeepseedianError, UnicodeDecodeError):
            return None

    def shows(self, path: str, batch: str) -> bool:
        """Whether this is the review note of that batch right now."""
        return _of_batch(self.read(path), batch)

    def remark(self, path: str, batch: str, line: str) -> None:
        """Add a line at the end, once."""
        self.change(path, lambda text: review_note.with_remark(text, line), batch)

    def change(self, path: str, edit: Callable[[str], str], batch: str | None = None) -> bool:
        """Change a review note, of this batch if one is given, as it is when it is written to.

        An edit that comes in between wins and is looked at again; a note that is none, or another batch's, stays as it is.
        False too while it waits for the note to be still.
        """
        with self._mutex:
            waits = path in self._waiting or not self._at_rest(path)
            if waits:
                self._waiting.setdefault(path, []).append((edit, batch))
        if waits:
            self._wait()
            return False
        return self._changed(path, edit, batch)

    def _changed(self, path: str, edit: Callable[[str], str], batch: str | None) -> bool:
        for _ in range(_TRIES):
            old = self.read(path)
            if old is None or not _of_batch(old, batch):
                return False
            new = edit(old)
            if new == old or self.exchanged(path, old.encode(), new.encode()):
                self._ours[path] = sha256(new.encode()).encode()
                return True
            self.seam.clock.sleep(0.1)
        return False

    # Waiting until nobody is at it

    def _at_rest(self, path: str) -> bool:
        """Whether a note has not changed for a while: by its times, or, where these cannot be trusted, by watching it."""
        if not self.still:
            return True
        sign = self._sign(path)
        if sign is None:
            return True  # it is gone: nobody is typing in it
        if self._ours.get(path) == _content(self.read(path)):
            return True
        if self.seam.clock.time() - sign[0] / 1e9 >= self.still:
            return True
        now = self.seam.clock.monotonic()  # a note from a clock that is ahead would seem to be new for ever
        known, since = self._signs.get(path, (None, now))
        if known != sign:
            self._signs[path], since = (sign, now), now
        return now - since >= self.still

    def _sign(self, path: str) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self.root / path, follow_symlinks=False)
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _wait(self) -> None:
        with self._mutex:
            if self._thread is None and not self._stopped.is_set():
                self._thread = threading.Thread(target=self._settling, name="notes", daemon=True)
                self._thread.start()

    def _settling(self) -> None:
        while not self._stopped.wait(self.still / 4):
            with self._mutex:
                if not self._waiting:
                    self._thread = None
                    return
            self.settle()

    def settle(self) -> bool:
        """Write what waits for notes that are still by now; whether nothing waits any more."""
        with self._mutex:
            due = {path: self._waiting.pop(path) for path in [*self._waiting] if self._at_rest(path)}
        for path, edits in due.items():
            for edit, batch in edits:
                with suppress(OSError, DeepseedianError):
                    self._changed(path, edit, batch)
        return not self._waiting

    def drop(self) -> None:
        """Nothing that waits is written any more: what it says may just have been erased."""
        with self._mutex:
            self._waiting.clear()

    def close(self) -> None:
        """What still waits is told at the next start."""
        self._stopped.set()
        thread = self._thread
        if thread is not None:
            thread.join(5)
        self.settle()

    def put_away(self, path: str, folder: str) -> str:
        """Move a note, whatever is in it by now, to the folder of what is done; its new path, empty when it could not be moved."""
        target = f"{folder}/{DONE}/{path.rpartition('/')[2]}"
        with self._mutex:
            if path in self._waiting or not self._at_rest(path):
                return ""
        try:
            self.seam.disk.make_folder((self.root / target).parent)
            self.seam.disk.publish(self.root / path, self.root / target)
            self.seam.disk.flush_folder((self.root / target).parent)
            self.seam.disk.flush_folder((self.root / path).parent)
        except (OSError, DeepseedianError):
            return ""
        return target

    def exchanged(self, path: str, old: bytes, new: bytes) -> bool:
        """Put new bytes where the old ones are; False when something else is there by now."""
        target = self.root / path
        temporary = self._temporary(target, old, new)
        try:
            self.seam.disk.write_new(temporary, new, self.seam.disk.mode(target))
            if not self.seam.disk.exchange(temporary, target):
                if self.seam.disk.read(target) != old:
                    return False
                self.seam.disk.replace(temporary, target)
                return True
            if self.seam.disk.read(temporary) == old:
                return True
            self.seam.disk.put_back(temporary, target, new)  # somebody saved in between: theirs goes back
            return False
        except OSError:
            return False
        finally:
            with suppress(OSError, DeepseedianError):  # what is left of it goes at the next start
                if self.seam.disk.read(temporary) in (old, new, None):
                    self.seam.disk.unlink(temporary)  # anything else is somebody's save; it is set aside at the next start

    def _temporary(self, target: Path, *held: bytes) -> Path:
        """A name that tells which contents it may hold: anything else there is somebody's save."""
        marks = "".join(f"-{sha256(data)[:12]}" for data in held)
        return target.with_name(f"{_PREFIX}{device_id()}-{self.seam.token()}{marks}{_SUFFIX}")

    def orphans(self, folder: str) -> Iterator[tuple[str, bytes]]:
        """What a kill left of our temporary names: handed over first, removed when the caller comes back for more."""
        for path in sorted((self.root / folder).glob(f"{_PREFIX}{device_id()}-*{_SUFFIX}")):
            with suppress(OSError, DeepseedianError):
                data = self.seam.disk.read(path)
                notes = (self.read(f"{folder}/{note.name}") for note in path.parent.glob("*.md"))
                if data and sha256(data)[:12] not in path.stem.split("-") and data.decode(errors="replace") not in notes:
                    yield f"{folder}/{path.name}", data
                self.seam.disk.unlink(path)


def _content(text: str | None) -> bytes:
    return sha256(text.encode()).encode() if text is not None else b""


def _of_batch(text: str | None, batch: str | None) -> bool:
    note = review_note.parse(text) if text is not None else None
    return note is not None and batch in (None, note.batch)
