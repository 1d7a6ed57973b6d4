"""`erase`: a text is gone from everywhere we keep it, and the answer names what lies beyond our reach.

One commit takes it out of topics, archive, journal and proposals; then everything outside the vault is
cleaned: history, copies, quarantine, backups, conversations, the search index; and our review notes. What is
to be erased is noted on this device first, so that a kill in between is made good at the next start.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from deepseedian.config.files import read_regular, replace_file
from deepseedian.config.folders import state_folder
from deepseedian.core import review_note
from deepseedian.core.entry import Entry
from deepseedian.core.proposal import Proposal, same_words
from deepseedian.core.snapshot import Snapshot
from deepseedian.errors import DeepseedianError, NotFound
from deepseedian.store.disk import FILE_LIMIT
from deepseedian.store.entries import Store
from deepseedian.store.notes import NOTE_LIMIT, Notes
from deepseedian.store.sessions import Sessions

WORD = "(erased)"
TELLING = 6  # a shorter text says little, and stands in too much else: it is taken out only where it came from
MOST_NOTES = 20
BEYOND = {
    "sync_history": "versions that a sync or cloud service keeps",
    "other_devices": "copies on other devices until they sync; their own history: erase there as well",
    "editors": "recovery, swap and undo files of editors, such as Obsidian's File recovery",
    "backups": "backups and snapshots of the disk",
    "git": "earlier commits of the vault's git repository",
    "provider": "what a model's provider has logged",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an erasure takes away: entry ids, proposal ids, texts, and the messages it came from."""

    ids: tuple[str, ...]
    proposals: tuple[str, ...]
    texts: tuple[str, ...]
    sources: tuple[str, ...]


def wanted(entry_id: str, snapshot: Snapshot, proposals: Sequence[Proposal]) -> Wanted:
    """The entry with all its earlier versions, and the proposals about it. Raises NotFound."""
    found = _versions(entry_id, [*snapshot.entries.values(), *snapshot.archive.values()])
    ids = {entry.id for entry in found}
    words = {same_words(entry.text) for entry in found}
    about = [item for item in proposals if item.entry_id in ids or {target.id for target in item.targets} & ids
             or same_words(item.text) in words or {same_words(text) for text in item.before} & words]
    if not found and not about:
        raise NotFound(f"there is no entry {entry_id}", "deepseedian list shows the ids")
    sources = {key for entry in found for key in entry.source_keys} | {key for item in about for key in item.source_keys}
    texts = [entry.text for entry in found] + [item.text for item in about] + [e.quote for item in about for e in item.evidence]
    longest = sorted({text.strip() for text in texts if text.strip()}, key=lambda text: (-len(text), text))
    return Wanted(tuple(sorted(ids)), tuple(item.id for item in about), tuple(longest), tuple(sorted(sources)))


def _versions(entry_id: str, entries: Sequence[Entry]) -> list[Entry]:
    ids = {entry_id}
    while more := {entry.id for entry in entries if entry.meta.get("supersededBy") in ids} - ids:
        ids |= more
    return [entry for entry in entries if entry.id in ids]


class Erasing:
    """Erasures of one store. `cleared` makes the caller drop what it holds in memory or in its caches."""

    def __init__(self, store: Store, notes: Notes, sessions: Sessions, review_folder: Callable[[], str],
                 cleared: Callable[[], None]) -> None:
        self.store, self.notes, self.sessions, self.review_folder, self.cleared = store, notes, sessions, review_folder, cleared

    def erase(self, entry_id: str) -> dict[str, int]:
        """How much was removed, by place. Raises NotFound and what a commit raises."""
        what = wanted(entry_id, self.store.snapshot, self.store.proposals())
        self.store.known.begin_erasing(entry_id, asdict(what))
        return self._done(entry_id, what)

    def finish(self) -> None:
        """Complete what a kill interrupted."""
        for entry_id, document in self.store.known.erasing().items():
            if isinstance(document, dict):
                self._done(entry_id, Wanted(**{key: tuple(value) for key, value in document.items()}))

    def _done(self, entry_id: str, what: Wanted) -> dict[str, int]:
        removed = self.store.erase(what.ids, what.proposals, what.texts, what.sources)
        self.cleared()
        removed["notes"] = sum(self._clean_note(path, what) for path in self._review_notes())
        removed["conversations"] = self.sessions.erase(lambda message, text: _cleaned(text, what, message in what.sources))
        removed["history"] = self.store.history.erase(what.ids, what.texts)
        removed["copies"] = self.store.copies.erase(lambda data: _holds(data, what))
        self.store.keeping.again()
        folders = [self.store.quarantine.folder, state_folder() / "backups"]
        removed["set_aside"] = sum(_clean_file(path, what) for folder in folders for path in _files(folder))
        self.store.known.end_erasing(entry_id)
        return removed

    def _review_notes(self) -> Iterator[str]:
        folder = self.notes.root / self.review_folder()
        for path in sorted(folder.rglob("*.md")) if folder.is_dir() else ():
            yield path.relative_to(self.notes.root).as_posix()

    def _clean_note(self, path: str, what: Wanted) -> bool:
        text = self.notes.read(path)
        if text is None or review_note.erased(text, what.proposals, what.texts, WORD) == text:
            return False
        return self.notes.change(path, lambda now: review_note.erased(now, what.proposals, what.texts, WORD))

    def elsewhere(self, texts: Sequence[str]) -> list[str]:
        """Notes of the owner that say the same; they are the owner's own."""
        told = [text.encode() for text in texts if len(text) >= TELLING]
        own = (self.store.root, self.notes.root / self.review_folder())
        found: list[str] = []
        for path in sorted(self.notes.root.rglob("*.md")) if told else ():
            if len(found) < MOST_NOTES and not any(path.is_relative_to(folder) for folder in own):
                with suppress(OSError):
                    data = read_regular(path, NOTE_LIMIT) or b""
                    found += [path.relative_to(self.notes.root).as_posix()] if any(text in data for text in told) else []
        return found


def _cleaned(text: str, what: Wanted, source: bool) -> str:
    """A message without the texts; one that it came from says nothing more where none of them stands in it verbatim."""
    new = text
    for erased in what.texts:
        if source or len(erased) >= TELLING:
            new = new.replace(erased, WORD)
    return WORD if source and new == text else new


def _holds(data: bytes, what: Wanted) -> bool:
    return any(form in data for form in _forms(what))


def _forms(what: Wanted) -> Iterator[bytes]:
    """The ways the texts and ids stand in files: as they are, and inside JSON."""
    for text in (*what.ids, *(text for text in what.texts if len(text) >= TELLING)):
        yield from {text.encode(), json.dumps(text)[1:-1].encode(), json.dumps(text, ensure_ascii=False)[1:-1].encode()}


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()] if folder.is_dir() else []


def _clean_file(path: Path, what: Wanted) -> bool:
    """Bytes set aside keep their place, without the texts."""
    data: bytes | None = None
    with suppress(OSError, DeepseedianError):
        data = read_regular(path, FILE_LIMIT)
    if not data or not _holds(data, what):
        return False
    for form in sorted(_forms(what), key=len, reverse=True):
        data = data.replace(form, WORD.encode())
    replace_file(path, data)
    return True
