"""Our notes in the vault: created once, changed line by line, never over an edit that came in between.

A note is made below the review folder only, and changed only while it is the review note of that batch:
the path of a note comes from proposals.json, which is synced, and may name any note of the owner. Links are
not followed, and what cannot be written is left for the next time.
"""

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
_TRIES = 4
_PREFIX, _SUFFIX = ".deepseedian-", ".tmp"


class Notes:
    """Review notes by their path relative to the vault, with `/`."""

    def __init__(self, root: Path, seam: Seam) -> None:
        self.root, self.seam = root, seam
        seam.disk.confine(root)

    def name(self, folder: str, seconds: float, batch: str) -> str:
        """`<folder>/<local date> <HHMM>-<4 hex>.md`, a name that is free."""
        when = time.strftime("%Y-%m-%d %H%M", time.localtime(seconds))
        for start in range(0, 12, 4):
            path = f"{folder}/{when}-{batch.replace('-', '')[start: start + 4]}.md"
            if not (self.root / path).exists():
                return path
        return f"{folder}/{when}-{batch}.md"

    def create(self, folder: str, path: str, text: str) -> None:
        """Durably write a new note; one that is there already is left alone. Raises BadInput for a path outside the folder."""
        if not path.startswith(f"{folder}/"):
            raise BadInput(f"{path} is not in {folder}", "review notes are made there only")
        target = self.root / path
        self.seam.disk.make_folder(target.parent)
        temporary = self._temporary(target, text.encode())
        self.seam.disk.write_new(temporary, text.encode(), 0o644)
        with suppress(FileExistsError):
            self.seam.disk.publish(temporary, target)
        self.seam.disk.unlink(temporary)
        self.seam.disk.flush_folder(target.parent)

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
        """Change a review note, of this batch if one is given, as it is right now.

        An edit that comes in between wins and is looked at again; a note that is none, or another batch's, stays as it is.
        """
        for _ in range(_TRIES):
            old = self.read(path)
            if old is None or not _of_batch(old, batch):
                return False
            new = edit(old)
            if new == old or self.exchanged(path, old.encode(), new.encode()):
                return True
            self.seam.clock.sleep(0.1)
        return False

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


def _of_batch(text: str | None, batch: str | None) -> bool:
    note = review_note.parse(text) if text is not None else None
    return note is not None and batch in (None, note.batch)
