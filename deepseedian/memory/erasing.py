"""`erase`: a text is gone from everywhere we keep it, and the answer names what lies beyond our reach.

One commit takes it out of topics, archive, journal and proposals; then everything outside the vault is
cleaned: history, copies, quarantine, backups, conversations, the search index; and our review notes. What is
to be erased is noted on this device first, and crossed out when every place is done: what a kill, a locked
file or a note in use left over is named in health and tried again.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from deepseedian.config.files import read_regular, replace_file
from deepseedian.config.folders import state_folder
from deepseedian.core import erased_note, erasure
from deepseedian.core.erasure import Wanted, belongs, same, telling
from deepseedian.errors import Busy, DeepseedianError, NotFound
from deepseedian.memory import report
from deepseedian.store.database import values
from deepseedian.store.disk import FILE_LIMIT
from deepseedian.store.entries import Store
from deepseedian.store.erasure import NOTHING, Erasure
from deepseedian.store.notes import NOTE_LIMIT, Notes
from deepseedian.store.receipts import Receipts
from deepseedian.store.sessions import Sessions
from deepseedian.store.traces import Traces
from deepseedian.store.turn_trace import TurnTrace

MOST_NOTES = 20
_TRIES = 5
BEYOND = {
    "sync_history": "versions that a sync or cloud service keeps",
    "other_devices": "copies on other devices until they sync; their own history: erase there as well",
    "editors": "recovery, swap and undo files of editors, such as Obsidian's File recovery",
    "backups": "backups and snapshots of the disk",
    "git": "earlier commits of the vault's git repository",
    "provider": "what a model's provider has logged",
}



@dataclass(frozen=True, slots=True)
class Erased:
    """How much was removed, by place; the texts; and what could not be cleaned yet, with why."""

    removed: dict[str, int]
    texts: tuple[str, ...]
    pending: tuple[str, ...]


def wanted(entry_id: str, store: Store) -> Wanted:
    """The entry with all its earlier versions, and the proposals about it; or a proposal that never became one. Raises NotFound."""
    proposals, active, traces = store.proposals(), store.snapshot.entries, Traces(store)
    named = next((item for item in proposals if item.id == entry_id), None)
    if named is not None and named.status == "approved":
        raise NotFound(f"the proposal {entry_id} was approved", f"deepseedian erase {belongs(named)} takes the entry out")
    ids = traces.versions(named.entry_id if named else entry_id, active)
    if named is not None:
        ids -= active.keys()
    found = [entry for entry in traces.entries if entry.id in ids]
    forms = {same(entry.text) for entry in found} - {""}
    own = [item for item in proposals if item is named or {belongs(item), item.entry_id} & ids or (
        same(item.text) in forms and not (item.status == "approved" and belongs(item) in active))]
    about = [item for item in proposals if item not in own and {target.id for target in item.targets} & ids]
    if not found and not own and not about:
        raise NotFound(f"there is no entry {entry_id}", "deepseedian list shows the ids")
    texts = [entry.text for entry in found] + [item.text for item in own] + [quote.quote for item in own for quote in item.evidence]
    texts += [text for item in (*own, *about) for target, text in zip(item.targets, item.before, strict=False) if target.id in ids]
    sources = {key for entry in found for key in entry.source_keys} | {key for item in own for key in item.source_keys}
    others = {key for entry in active.values() if entry.id not in ids for key in entry.source_keys}
    shared = sources & others.union(*(item.source_keys for item in proposals if item not in own))
    longest = sorted({text.strip() for text in texts if text.strip()}, key=lambda text: (-len(text), text))
    whole = [item.id for item in proposals if item in own or (item in about and item.open)]  # one that waits would bring it back
    return Wanted(tuple(sorted(ids)), tuple(whole), tuple(item.id for item in about if not item.open), tuple(longest),
                  tuple(sorted(sources)), tuple(sorted(shared)))


class Erasing:
    """Erasures of one store. `cleared` makes the caller drop what it holds in memory or in its caches."""

    def __init__(self, store: Store, notes: Notes, sessions: Sessions, receipts: Receipts, review_folder: Callable[[], str],
                 cleared: Callable[[], None], vectors: Callable[[Sequence[str]], int] = lambda texts: 0,
                 steps: TurnTrace | None = None) -> None:
        """`vectors` takes the texts out of what an embedding model made of them; `steps` are the traces of turns."""
        self.store, self.notes, self.sessions, self.receipts = store, notes, sessions, receipts
        self.review_folder, self.cleared = review_folder, cleared
        self.erasure, self.vectors, self.steps = Erasure(store), vectors, steps

    def erase(self, entry_id: str) -> Erased:
        """Raises NotFound and what a commit raises; nothing is changed then."""
        with self.erasure.writing():
            what = self._what(entry_id)
            removed = self.erasure.begin(entry_id, what, asdict(what))
        return self._done(entry_id, what, removed)

    def finish(self) -> None:
        """Complete what a kill interrupted, or what was in use."""
        for entry_id in self.store.known.erasing():
            try:
                self.erase(entry_id)
            except DeepseedianError as error:
                self._tell([error.message])
        if not self.store.known.erasing():
            self._tell([])

    def _what(self, entry_id: str) -> Wanted:
        """As it is now, with what was noted when the erasure was begun."""
        noted = self.store.known.erasing().get(entry_id)
        names = {field.name for field in fields(Wanted)}
        old = Wanted(**{key: tuple(value) for key, value in noted.items() if key in names}) if isinstance(noted, dict) else None
        try:
            now = wanted(entry_id, self.store)
        except NotFound:
            if old is None:
                raise
            return old
        return now.joined(old) if old else now

    def _done(self, entry_id: str, what: Wanted, removed: dict[str, int]) -> Erased:
        """Everything outside the commit, place by place: one that fails keeps no other from being cleaned."""
        self.cleared()
        places: dict[str, Callable[[Wanted], int]] = {
            "mended": self._mend, "notes": self._notes, "conversations": self._conversations, "history": self._history,
            "receipts": self._receipts, "traces": self._traces,
            "copies": self._copies, "set_aside": self._set_aside, "overview": self._overview,
            "vectors": lambda what: self.vectors(what.texts)}
        pending, counts = [], dict(NOTHING) | removed | dict.fromkeys(places, 0)
        for name, clean in places.items():
            try:
                counts[name] = clean(what)
            except (OSError, DeepseedianError) as error:
                pending.append(error.message if isinstance(error, DeepseedianError) else str(error))
        if not pending:
            try:
                self.store.known.end_erasing(entry_id)
            except DeepseedianError as error:
                pending.append(error.message)
        self._tell(pending)
        shown = {name: number for name, number in counts.items() if name not in ("mended", "overview", "vectors")}
        return Erased(shown, what.texts, tuple(pending))

    def _tell(self, pending: Sequence[str]) -> None:
        if pending:
            self.store.faults["erasing"] = f"an erasure is not finished, the next start tries again: {'; '.join(pending)}"
        else:
            self.store.faults.pop("erasing", None)

    # Places

    def _mend(self, what: Wanted) -> int:
        """Conflict copies of books are taken in and set aside first, so that they are cleaned there."""
        return len(self.store.mend())

    def _conversations(self, what: Wanted) -> int:
        return self.sessions.erase(lambda key, text: erasure.message(text, what, key))

    def _history(self, what: Wanted) -> int:
        return self.store.history.erase({*what.ids}, what.texts)

    def _receipts(self, what: Wanted) -> int:
        return self.receipts.erase({*what.ids}, what.texts)

    def _traces(self, what: Wanted) -> int:
        """Steps of turns: what the model was told, what it said, and which entries it was given."""
        if self.steps is None:
            return 0
        forms = (*what.texts, *erasure.shortened(what.texts))
        return self.steps.erase(lambda text: erasure.without_ids(erasure.cleaned(text, forms), what.ids),
                                lambda text: erasure.torn(text, what.texts))

    def _copies(self, what: Wanted) -> int:
        changed = self.store.copies.erase(lambda path, data: erasure.file(data, what, prose=False))
        self.store.keeping.again()
        return changed

    def _overview(self, what: Wanted) -> int:
        return int(self.store.derive())

    def _set_aside(self, what: Wanted) -> int:
        """Quarantine, what was set aside beside the books, and backups of a folder that had the entry."""
        root = self.store.root
        files = [*_files(self.store.quarantine.folder), *root.glob("*.set-aside"), root / "journal.v1.json"]
        files += [path for folder in sorted((state_folder() / "backups").glob("*")) if _named(folder, what) for path in _files(folder)]
        changed = sum(_clean_file(path, what) for path in files)
        for path in self.databases():
            if _tells(path, what):
                path.unlink()
                changed += 1
        for log in self.store.instance.folder.glob("*.unreadable-*"):  # packed pages without their database: nobody can say what they tell
            log.unlink()
            changed += 1
        return changed

    def databases(self) -> list[Path]:
        """Databases that were set aside because nobody could read them any more, or as an older version's."""
        folder = self.store.instance.folder
        return sorted([*folder.glob("*.unreadable"), *folder.glob("*.version-*.backup")])

    def _notes(self, what: Wanted) -> int:
        changed, failed = 0, []
        for path, data in self.notes.orphans(self.review_folder()):
            self.store.quarantine.keep(path, data, "a kill left it while a review note was being written", fault=False)
        for path in self._review_notes():
            try:
                changed += self._clean_note(path, what)
            except (OSError, DeepseedianError):
                failed.append(path)
        if failed:
            raise Busy(f"the note {', '.join(failed)} could not be changed", "try again in a moment")
        return changed

    def _review_notes(self) -> Iterator[str]:
        """Ours, in the folder that we write to; one that the owner has moved away is the owner's, and is named."""
        folder = self.notes.root / self.review_folder()
        for path in sorted(folder.rglob("*.md")) if folder.is_dir() else ():
            yield path.relative_to(self.notes.root).as_posix()

    def _vault_notes(self) -> Iterator[tuple[Path, bytes]]:
        for path in sorted(self.notes.root.rglob("*.md")):
            if not path.is_relative_to(self.store.root):
                with suppress(OSError):
                    yield path, read_regular(path, NOTE_LIMIT) or b""

    def _clean_note(self, path: str, what: Wanted) -> bool:
        """Change a note as it is right now, bytes that are no text included. Raises Busy where an edit keeps coming in between."""
        for _ in range(_TRIES):
            data = self.store.seam.disk.read(self.notes.root / path, NOTE_LIMIT) or b""
            text = data.decode(errors="surrogateescape")
            new = _cleaned(text, what).encode(errors="surrogateescape")
            if new == data:
                return False
            if self.notes.exchanged(path, data, new):
                return True
            self.store.seam.clock.sleep(0.1)
        raise Busy(f"{path} is being changed", "try again in a moment")

    def elsewhere(self, texts: Sequence[str]) -> list[str]:
        """Notes that still say the same; they are the owner's own."""
        patterns = [r"\s+".join(re.escape(word) for word in text.split()) for text in texts if telling(text)]
        told = [re.compile(pattern) for pattern in patterns]
        found: list[str] = []
        for path, data in self._vault_notes() if told else ():
            text = data.decode(errors="replace")
            if len(found) < MOST_NOTES and any(form.search(text) for form in told):
                found.append(path.relative_to(self.notes.root).as_posix())
        return found


def _cleaned(text: str, what: Wanted) -> str:
    """One of our notes without what is erased; any other as it is."""
    if report.is_ours(text):
        return report.without(text, what.texts)
    return erasure.note(text, what) if erased_note.is_ours(text) else text


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()] if folder.is_dir() else []


def _read(path: Path) -> bytes:
    with suppress(OSError):
        return read_regular(path, FILE_LIMIT) or b""
    return b""


def _named(folder: Path, what: Wanted) -> bool:
    """Whether one of the entries is in a backup: another vault's is none of our business."""
    return any(item.encode() in data for path in _files(folder) for data in [_read(path)] for item in what.ids)


def _tells(path: Path, what: Wanted) -> bool:
    forms = [form.encode() for form in (*what.ids, *(text for text in what.texts if telling(text)))]
    return any(form in data for data in (_read(path), *values(path)) for form in forms)


def _clean_file(path: Path, what: Wanted) -> bool:
    """Bytes set aside keep their place, without the texts."""
    data = _read(path)
    new = erasure.file(data, what) if data else data
    if new == data:
        return False
    replace_file(path, new)
    return True
