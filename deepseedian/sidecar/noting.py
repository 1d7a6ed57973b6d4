"""The vault's own notes, as the note tools ask for them.

A daemon keeps the index behind everything else and asks it as it is; a command brings it up to date first. What is
memory, a review note, hidden, or in a folder that Obsidian is told to leave out, is none of these notes.
"""

import json
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from deepseedian.errors import Busy, DeepseedianError
from deepseedian.sidecar.opened import Document, Opened

if TYPE_CHECKING:
    from deepseedian.notes.index import NoteIndex
    from deepseedian.notes.upkeep import Upkeep

APP_LIMIT = 1_000_000
PROBLEMS = 100
_MAKING = threading.Lock()


class Noting(Opened):
    """Reading the owner's notes; nothing here writes one."""

    def notes_search(self, query: str, offset: int = 0, limit: int = 8, folder: str = "") -> Document:
        """Notes by words, names and tags, best first, each with the place that fits."""
        return self._notes().search(query, offset, limit, folder)

    def notes_read(self, path: str, offset: int = 1) -> Document:
        """A note's lines with their numbers from a line on, as they are on disk now."""
        return self._notes().read(path, offset)

    def notes_metadata(self, path: str) -> Document:
        """A note's properties, headings, tags, links and backlinks."""
        return self._notes().metadata(path)

    def notes_query(self, folder: str = "", tag: str = "", property: str = "", value: str = "", query: str = "", offset: int = 0,
                    limit: int = 20) -> Document:
        """Notes by folder, tag, property and name, by path; no text is read."""
        return self._notes().query(folder, tag, property, value, query, offset, limit)

    def notes_resolve(self, link: str, source: str = "") -> Document:
        """What a link shows: a note, a heading with all below it, or a block."""
        return self._notes().resolve(link, source)

    def notes_related(self, path: str) -> Document:
        """Notes one link away, and with tags in common, with the reasons."""
        return self._notes().related(path)

    def notes_problems(self, offset: int = 0, limit: int = PROBLEMS) -> Document:
        """{"total","offset","nextOffset","problems":[{"path","line","code","message"}]}: what is wrong with notes; all are found."""
        from deepseedian.notes.searching import fitted, page

        offset, limit = page(offset, limit, PROBLEMS)
        found = self._notes().problems()
        after = offset + limit if offset + limit < len(found) else None
        return fitted({"total": len(found), "offset": offset, "nextOffset": after, "problems": found[offset: offset + limit]},
                      "problems", offset)

    # The index, and who keeps it

    @property
    def note_index(self) -> "NoteIndex":
        return self._note_parts()[0]

    def follow_notes(self) -> None:
        """A daemon's: index what is new and go on from there, behind everything else."""
        self._note_parts()[1].begin()

    def note_hint(self, path: str) -> None:
        """Something happened at this path outside memory."""
        if "note_upkeep" in self.__dict__:
            self._note_parts()[1].hint(path)

    def compare_notes(self) -> None:
        """Events may have been lost."""
        if "note_upkeep" in self.__dict__:
            self._note_parts()[1].compare()

    def note_status(self) -> Document | None:
        """{"state","notes","files","problems","bytes"}; None where nothing was asked of notes yet."""
        if "note_upkeep" not in self.__dict__:
            return None
        with suppress(OSError, DeepseedianError):
            return self.note_index.status()
        return {"state": "away"}

    def note_faults(self) -> dict[str, str]:
        return self.note_index.faults() if "note_upkeep" in self.__dict__ else {}

    def _note_parts(self) -> "tuple[NoteIndex, Upkeep]":
        """Made once, whichever thread asks first. The upkeep is closed before the index."""
        with _MAKING:
            if self._closed:
                raise Busy("the vault is being closed", "try again in a moment")
            if "note_upkeep" not in self.__dict__:
                from deepseedian.notes.index import NoteIndex
                from deepseedian.notes.upkeep import Upkeep

                self.__dict__["notes"] = NoteIndex(self.vault.root, self.instance.folder / "notes.db", self._not_notes)
                self.__dict__["note_upkeep"] = Upkeep(self.__dict__["notes"])
            return self.__dict__["notes"], self.__dict__["note_upkeep"]

    def _notes(self) -> "NoteIndex":
        """The index as it is in a daemon, brought up to date by a command. What keeps it from that is told in health."""
        index, upkeep = self._note_parts()
        if not upkeep.begun or (index.built and index.outdated):
            with suppress(OSError, DeepseedianError):
                index.refresh()
        return index

    def _not_notes(self) -> tuple[str, ...]:
        """Folders below the vault that hold none of the notes."""
        memory = {self.vault.memory, Path(os.path.realpath(self.vault.memory))}
        own = [path.relative_to(self.vault.root).as_posix() for path in memory if path.is_relative_to(self.vault.root)]
        return (*sorted(own), self.config.text("review.folder").strip("/"), *self._ignored())

    def _ignored(self) -> tuple[str, ...]:
        """The folders that Obsidian itself is told to leave out. Its patterns (`/…/`) are not read: a folder is needed here."""
        from deepseedian.config.files import read_regular

        filters: object = []
        with suppress(OSError, ValueError, AttributeError, RecursionError):
            filters = json.loads(read_regular(self.vault.plugin.parent.parent / "app.json", APP_LIMIT) or b"{}").get("userIgnoreFilters")
        found = filters if isinstance(filters, list) else []
        return tuple(one.strip("/") for one in found if isinstance(one, str) and one.strip("/") and not one.startswith("/"))
