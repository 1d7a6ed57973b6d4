"""Mistakes in watching: events taken for the truth, silence taken for quiet, half a file taken for a file."""

import pytest
from watchdog.events import FileSystemEvent

from deepseedian.core.snapshot import MemoryFile
from deepseedian.daemon import watcher
from deepseedian.daemon.watcher import Watcher
from deepseedian.store.reading import Reader
from tests.naive import mutation


@mutation
def overflow_unheard(patch: pytest.MonkeyPatch) -> None:
    """Nobody listens to the library's log, the only place that tells of lost events."""
    patch.setattr(watcher._Overflow, "filter", lambda self, record: True)


@mutation
def deafness_unnoticed(patch: pytest.MonkeyPatch) -> None:
    """A watcher that lives is taken for one that hears."""
    patch.setattr(Watcher, "_prove", lambda self: None)


@mutation
def deaf_without_polling(patch: pytest.MonkeyPatch) -> None:
    """The fault is shown, and the next look comes with the timed reconcile."""
    patch.setattr(Watcher, "_interval", lambda self: float(self.watched.reconcile_seconds() or 3600))


@mutation
def deaf_to_notes(patch: pytest.MonkeyPatch) -> None:
    """Polling covers memory, but not what is ticked in review notes."""
    patch.setattr(Watcher, "_poll_notes", lambda self: None)


@mutation
def deaf_for_good(patch: pytest.MonkeyPatch) -> None:
    """Once deaf, nobody tries to watch again."""
    patch.setattr(Watcher, "_verify", lambda self: None)


def _heard(patch: pytest.MonkeyPatch, *kinds: str) -> None:
    heard = Watcher.on_any_event

    def some(self: Watcher, event: FileSystemEvent) -> None:
        if event.event_type in kinds and not event.is_directory:
            heard(self, event)

    patch.setattr(Watcher, "on_any_event", some)


@mutation
def only_modified_counts(patch: pytest.MonkeyPatch) -> None:
    """A save is taken to be a `modified` event of the file."""
    _heard(patch, "modified")


@mutation
def only_renames_count(patch: pytest.MonkeyPatch) -> None:
    """A save is taken to be a rename over the file."""
    _heard(patch, "moved", "created")


@mutation
def moves_are_deletions(patch: pytest.MonkeyPatch) -> None:
    """What was renamed away or deleted is gone, as the event says."""
    heard = Watcher.on_any_event

    def believe(self: Watcher, event: FileSystemEvent) -> None:
        relative = watcher._below(str(event.src_path), self.memory)
        if relative and event.event_type in ("moved", "deleted"):
            store = self.watched.sidecar.store  # type: ignore[attr-defined]
            gone = [path for path in store.reader.files if path == relative or path.startswith(f"{relative}/")]
            for path in gone:
                store.reader.drop(path)
            store._publish(None)
        heard(self, event)

    patch.setattr(Watcher, "on_any_event", believe)


@mutation
def woken_by_reading(patch: pytest.MonkeyPatch) -> None:
    """Opening and closing a file without writing counts as a change."""
    patch.setattr(watcher, "_CHANGES", None)
    patch.setattr(watcher, "_READS", ())


@mutation
def reading_overflows(patch: pytest.MonkeyPatch) -> None:
    """Our own reading is filtered out only after it has filled the kernel's queue."""
    patch.setattr(watcher, "_CHANGES", None)


@mutation
def half_written_believed(patch: pytest.MonkeyPatch) -> None:
    """Whatever a file says right now is what it says."""
    def accept(self: Reader, path: str, file: MemoryFile, *_: object) -> bool:
        self._accept(path, file)
        return False

    patch.setattr(Reader, "_judge", accept)


@mutation
def old_names_kept(patch: pytest.MonkeyPatch) -> None:
    """After folders were renamed the library's books are trusted to be right."""
    patch.setattr(Watcher, "_moved", property(lambda self: False, lambda self, value: None), raising=False)
