"""Watching the vault. Events are hints that shorten the wait; truth is content.

An event in memory starts a 300 ms quiet time, then the hinted files are read. A full reconcile by content
runs every few minutes and after any fault of the watcher: lost events, out of watches, folder swapped. Each
fault is visible in health and goes away with its cause. Where the system tells (Linux), every full reconcile
also proves that the folders are watched at all; a deaf watcher polls content, and tries again to watch.
"""

import logging
import os
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Protocol

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirModifiedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

from deepseedian.config.files import read_regular
from deepseedian.core.snapshot import sha256
from deepseedian.daemon import watches

QUIET_SECONDS = 0.3
PATIENCE_SECONDS = 2.0
POLL_SECONDS = 2.0
SAVE_SECONDS = 2.0
PRESENCE_SECONDS = 2.0
RETRY_SECONDS = 30.0
MOST_HINTS = 4096
NOTE_LIMIT = 2_000_000
NOTES = (".md", ".base", ".canvas")
_LOOKS, _LOOK_SECONDS = 4, 0.25
# Asked of the kernel by name, so that our own reading fills no queue: a full reconcile of many files would overflow it,
# and the next full reconcile again, for ever.
_CHANGES: list[type[FileSystemEvent]] | None = [
    FileCreatedEvent, FileModifiedEvent, FileClosedEvent, FileMovedEvent, FileDeletedEvent,
    DirCreatedEvent, DirModifiedEvent, DirMovedEvent, DirDeletedEvent,
]
_READS = ("opened", "closed_no_write", "attrib")
# A folder that is told of twice while it is being made is watched once, and a line on it, with its path, belongs into no log;
# under `python -W error` the same line would end the thread that reads the kernel's events.
_TWICE = "Callback with id "
warnings.filterwarnings("ignore", _TWICE, RuntimeWarning)
log = logging.getLogger("deepseedian.watcher")


class Watched(Protocol):
    """What the watcher drives; the daemon hands in its sidecar."""

    def reconcile(self, hinted: frozenset[str], deep: bool) -> bool: ...
    def settle(self) -> None: ...
    def edited(self, path: str) -> None: ...
    def is_review(self, path: str) -> bool: ...
    def review_folder(self) -> str: ...
    def review(self, paths: frozenset[str]) -> None: ...
    def fault(self, code: str, message: str) -> None: ...
    def clear(self, code: str) -> None: ...
    def reconcile_seconds(self) -> int: ...
    def present(self) -> bool: ...


class Watcher(FileSystemEventHandler):
    """One thread that turns hints into reconciles. `clock` is monotonic seconds."""

    def __init__(self, vault: Path, memory: Path, watched: Watched, clock: Callable[[], float] = time.monotonic,
                 observer: Callable[[], BaseObserver] | None = None, noted: Callable[[str], None] = lambda path: None) -> None:
        """`noted` hears of every file and folder outside memory that is one of the vault's notes, or may hold some."""
        self.noted = noted
        self.vault, self.memory, self.watched, self.clock = vault, memory, watched, clock
        self._new_observer = observer
        self._wake = threading.Condition()
        self._hints: set[str] = set()
        self._reviews: set[str] = set()
        self._first = self._last = 0.0
        self._deep = False
        self._stopping = False
        self._deaf = self._moved = self._lost = False
        self._retry = 0.0
        self._places: tuple[Path, ...] = (memory,)
        self._notes: dict[str, str] = {}
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._observer: BaseObserver | None = None
        self._tells = True
        self._overflow = _Overflow(self.lost_events)

    def start(self) -> None:
        """Begin watching; where the system has no watches left, polling by content takes over. After `stop` nothing begins."""
        for name in _Overflow.names:
            logging.getLogger(name).addFilter(self._overflow)
        self._guarded("watcher_check", self._listen)
        self._guarded("review_folder", self._look_at_notes)  # what they say now is read by the daemon at its start
        with self._wake:
            if not self._stopping:
                self._thread.start()
                return
        self._end_listening()  # a daemon that was told to stop while it was still starting

    def compare(self) -> None:
        """Read everything now: what happened before the start was heard by nobody. What is unsettled, or fails, is looked at again."""
        self._reconcile(frozenset(), True)

    def stop(self) -> None:
        with self._wake:
            self._stopping = True
            self._wake.notify_all()
        if self._thread.ident is not None:
            self._thread.join(5)
        self._end_listening()

    def _end_listening(self) -> None:
        _end(self._observer)
        for name in _Overflow.names:
            logging.getLogger(name).removeFilter(self._overflow)

    # Watching, and knowing that it works

    def _listen(self) -> None:
        """Watch with a fresh observer and prove it. The old one goes first, for both might not find watches enough;
        what happens in between is found by the full reconcile that follows."""
        self._moved = False
        self._retry = self.clock() + RETRY_SECONDS
        self._places = (self.memory, Path(os.path.realpath(self.memory)))
        _end(self._observer)
        self._observer = None
        try:
            self._observer = self._observing()
        except Exception as error:  # out of watches, or of threads: content tells the same, later
            why = error.strerror if isinstance(error, OSError) else type(error).__name__
            self._become_deaf(f"the system cannot watch the vault ({why})")
        else:
            self._prove()

    def _observing(self) -> BaseObserver:
        """A started observer of the vault, and of memory where a link leads out of it. Raises what the library does."""
        made = (self._new_observer or Observer)()
        try:
            made.schedule(self, str(self.vault), recursive=True, event_filter=_CHANGES)
            if not self._places[1].is_relative_to(os.path.realpath(self.vault)) and self._places[1].is_dir():
                made.schedule(self, str(self._places[1]), recursive=True, event_filter=_CHANGES)
            made.start()
        except Exception:
            _end(made)
            raise
        inodes = watches.watched_inodes()
        self._tells = inodes is not None and watches.inode(self.vault) in inodes  # it was just added: else the list is no use here
        return made

    def _prove(self) -> None:
        """Deaf when a folder that matters stays unwatched, or the observer died; hearing again ends the fault."""
        missed = self._unwatched() if self._tells else {}
        if missed:
            self._become_deaf(f"{len(missed)} folders are not watched, such as {sorted(missed.values())[0]}")
        elif self._deaf:
            self._deaf = False
            self.watched.clear("watcher")
            self._note("", deep=True)

    def _unwatched(self) -> dict[int, str]:
        """Folders that no look found watched; the watch of a new folder may come a moment after it."""
        missed: dict[int, str] = {}
        for look in range(_LOOKS):
            time.sleep(_LOOK_SECONDS if look else 0)
            found = watches.watched_inodes() or frozenset()
            now = watches.needed(self.memory, self.vault / self.watched.review_folder())
            missed = {key: path for key, path in now.items() if key not in found and (not look or key in missed)}
            if not missed or self._stopping:
                return {}
        return missed

    def _become_deaf(self, why: str) -> None:
        if not self._deaf:
            log.warning("not every change is heard; content is polled")
        self._deaf = True
        self.watched.fault("watcher", f"{why}; content is polled every {POLL_SECONDS:g} seconds")

    # Hints

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in _READS:
            return
        try:
            for raw in (event.src_path, event.dest_path):
                if raw:
                    self.hint(os.fsdecode(raw), event.event_type if event.is_directory else "")
        except Exception as error:  # raising here would end the library's thread
            log.error("an event failed: %s", type(error).__name__)
            self._note("", deep=True)

    def hint(self, path: str, folder: str = "") -> None:
        """Something happened at this path; `folder` says what when it is one. A folder is `modified` with each file
        in it: that alone is worth a look at names and times, not at everything."""
        relative = next((found for place in self._places if (found := _below(path, place)) is not None), None)
        if relative is not None:
            if folder or relative == "" or _counts(relative):
                self._moved |= folder == "moved"  # the library may report what lies in it under another name from now on
                self._note(relative, deep=folder not in ("", "modified"))
        elif folder not in ("", "modified") and any(place.is_relative_to(path) for place in self._places):
            self._moved |= folder == "moved"
            self._note("", deep=True)  # the memory folder itself came, went or was swapped
        elif not _hidden(path, self.vault) and (path.endswith(NOTES) if not folder else folder != "modified"):
            below = _below(path, self.vault) or ""
            self.noted(below)
            if path.endswith(".md"):
                self._note_edited(below)

    def _note_edited(self, path: str) -> None:
        self.watched.edited(path)
        if self.watched.is_review(path):
            with self._wake:
                self._reviews.add(path)
            self._note("", deep=False)

    def lost_events(self) -> None:
        """The kernel's queue overflowed: nothing is certain until everything has been read."""
        if not self._lost:
            self._lost = True
            log.warning("file events were lost; everything is being compared")
            self.watched.fault("watcher_overflow", "file events were lost; everything is being compared")
        self._note("", deep=True)

    def _note(self, relative: str, *, deep: bool) -> None:
        with self._wake:
            now = self.clock()
            self._first = self._first or now
            self._last = now
            self._deep = self._deep or deep or len(self._hints) >= MOST_HINTS
            if not deep and len(self._hints) < MOST_HINTS:
                self._hints.add(relative)
            self._wake.notify_all()

    def _run(self) -> None:
        reconciled = self.clock()
        unsaved = 0.0
        while not self._stopping:
            hints, deep = self._wait(min(PRESENCE_SECONDS, self._patience(reconciled, unsaved)))
            if self._stopping or not self.watched.present():
                return
            now = self.clock()
            self._lost &= not deep  # what is lost from here on is another loss
            full = deep or now >= reconciled + self._interval() or self._died()
            if full:
                self._guarded("watcher_check", self._verify)
                self._guarded("review_folder", self._poll_notes)
            if hints or full:
                self._reconcile(hints, full)
                reconciled, unsaved = (now if full else reconciled), now + SAVE_SECONDS
            elif unsaved and now >= unsaved:
                unsaved = 0.0 if self._guarded("copies", self.watched.settle) else now + RETRY_SECONDS
            self._review()

    def _died(self) -> bool:
        return not self._deaf and not (self._observer and _alive(self._observer))

    def _verify(self) -> None:
        """Before everything is read: what happens from here on is heard, or polled."""
        # A folder that came and went while it was being added may be missed once: that is no deafness yet.
        again = self.clock() >= self._retry if self._deaf else self._died() or bool(self._tells and self._unwatched())
        if again or self._moved:
            self._listen()

    def _poll_notes(self) -> None:
        """Review notes whose content is not the one seen last: a tick may have come without an event."""
        before = self._notes
        self._look_at_notes()
        with self._wake:
            self._reviews |= {path for path, sha in self._notes.items() if before.get(path) != sha}

    def _look_at_notes(self) -> None:
        folder = self.vault / self.watched.review_folder()
        found: dict[str, str] = {}
        for note in folder.rglob("*.md") if folder.is_dir() else ():
            path = _below(str(note), self.vault)
            with suppress(OSError):
                data = read_regular(note, NOTE_LIMIT)
                if path and data is not None and self.watched.is_review(path):
                    found[path] = sha256(data)
        self._notes = found

    def _interval(self) -> float:
        return POLL_SECONDS if self._deaf else float(self.watched.reconcile_seconds() or 3600)

    def _patience(self, reconciled: float, unsaved: float) -> float:
        due = reconciled + self._interval()
        return max(0.0, min(due, unsaved or due) - self.clock())

    def _wait(self, seconds: float) -> tuple[frozenset[str], bool]:
        """Until hints have been quiet for 300 ms, two seconds at most, or the time is up."""
        with self._wake:
            until = self.clock() + seconds
            while not self._stopping:
                now = self.clock()
                due = min(self._last + QUIET_SECONDS, self._first + PATIENCE_SECONDS) if self._first else until
                if now >= due:
                    break
                self._wake.wait(due - now)
            hints, deep = frozenset(self._hints), self._deep
            self._hints, self._deep, self._first, self._last = set(), False, 0.0, 0.0
            return hints, deep

    def _review(self) -> None:
        """Read the notes that changed; what failed, such as a tick while another program was writing, is tried again."""
        with self._wake:
            reviews, self._reviews = self._reviews, set()
        failed = {path for path in sorted(reviews) if not self._guarded("review", partial(self.watched.review, frozenset({path})))}
        with self._wake:
            self._reviews |= failed

    def _guarded(self, what: str, work: Callable[[], object]) -> bool:
        try:
            work()
        except Exception as error:  # one bad moment of the disk must not make the watcher deaf
            log.error("%s failed: %s", what, type(error).__name__)
            self.watched.fault(what, f"it failed: {type(error).__name__}")
            return False
        self.watched.clear(what)
        return True

    def _reconcile(self, hints: frozenset[str], deep: bool) -> None:
        try:
            again = self.watched.reconcile(hints, deep)
        except Exception as error:  # one bad moment of the disk must not make the watcher deaf
            if self._stopping:
                return  # the store was closed under it
            log.error("reconcile failed: %s", type(error).__name__)
            self.watched.fault("reconcile", f"the memory folder could not be read: {type(error).__name__}")
            again = True
        else:
            self.watched.clear("reconcile")
            if deep and not self._lost:
                self.watched.clear("watcher_overflow")
        if again:
            self._note("", deep=False)


def _alive(observer: BaseObserver) -> bool:
    """All its threads, also the one that reads the kernel's events."""
    threads = (observer, *observer.emitters, getattr(observer, "_inotify_fd", None))
    return all(thread.is_alive() for thread in threads if thread is not None)


def _end(observer: BaseObserver | None) -> None:
    """Stop it, started or not. The library's books may be wrong after folders were swapped, which must not matter here."""
    if observer is None:
        return
    try:
        observer.stop()
        if observer.is_alive():
            observer.join(5)
    except Exception as error:
        log.warning("the observer ended with %s", type(error).__name__)


class _Overflow(logging.Filter):
    """watchdog tells of lost events only in its log, in two lines each time, hundreds of times in a storm."""

    names = ("watchdog.observers.inotify_c", "watchdog.observers.inotify", "watchdog.observers.winapi")

    def __init__(self, lost: Callable[[], None]) -> None:
        super().__init__()
        self._lost = lost

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING or "overflow" not in record.getMessage().lower():
            return True
        self._lost()
        return False


def _below(path: str, folder: Path) -> str | None:
    """The path relative to the folder with `/`; None when it lies elsewhere."""
    try:
        relative = Path(path).relative_to(folder).as_posix()
    except ValueError:
        return None
    return "" if relative == "." else relative


def _counts(relative: str) -> bool:
    """Topics, archive, rules and a foreign record; our own lock and temporary names are noise."""
    name = relative.rpartition("/")[2]
    return relative == "RULES.md" or (relative.startswith(("topics/", "archive/")) and not name.startswith((".", "~")))


def _hidden(path: str, vault: Path) -> bool:
    relative = _below(path, vault)
    return relative is None or any(part.startswith(".") for part in relative.split("/"))
