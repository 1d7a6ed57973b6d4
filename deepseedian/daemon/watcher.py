"""Watching the vault. Events are hints that shorten the wait; truth is content.

An event in memory starts a 300 ms quiet time, then the hinted files are read. A full reconcile by content
runs every few minutes and after any fault of the watcher: lost events, out of watches, folder swapped. Each
fault is visible in health and goes away with its cause.
"""

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

QUIET_SECONDS = 0.3
PATIENCE_SECONDS = 2.0
POLL_SECONDS = 2.0
SAVE_SECONDS = 2.0
PRESENCE_SECONDS = 2.0
MOST_HINTS = 4096
_READS = ("opened", "closed_no_write", "attrib")
log = logging.getLogger("deepseedian.watcher")


class Watched(Protocol):
    """What the watcher drives; the daemon hands in its sidecar."""

    def reconcile(self, hinted: frozenset[str], deep: bool) -> bool: ...
    def settle(self) -> None: ...
    def edited(self, path: str) -> None: ...
    def is_review(self, path: str) -> bool: ...
    def review(self, paths: frozenset[str]) -> None: ...
    def fault(self, code: str, message: str) -> None: ...
    def clear(self, code: str) -> None: ...
    def reconcile_seconds(self) -> int: ...
    def present(self) -> bool: ...


class Watcher(FileSystemEventHandler):
    """One thread that turns hints into reconciles. `clock` is monotonic seconds."""

    def __init__(self, vault: Path, memory: Path, watched: Watched, clock: Callable[[], float] = time.monotonic) -> None:
        self.vault, self.memory, self.watched, self.clock = vault, memory, watched, clock
        self._wake = threading.Condition()
        self._hints: set[str] = set()
        self._reviews: set[str] = set()
        self._first = self._last = 0.0
        self._deep = False
        self._stopping = False
        self._deaf = False
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._observer = Observer()
        self._overflow = _Overflow(self.lost_events)

    def start(self) -> None:
        """Begin watching; where the system has no watches left, polling by content takes over."""
        for name in _Overflow.names:
            logging.getLogger(name).addHandler(self._overflow)
        try:
            self._observer.schedule(self, str(self.vault), recursive=True)
            self._observer.start()
        except OSError as error:
            self._deaf = True
            self.watched.fault("watcher", f"the system cannot watch the vault ({error.strerror}); its content is polled")
        self._thread.start()

    def stop(self) -> None:
        with self._wake:
            self._stopping = True
            self._wake.notify_all()
        if self._observer.is_alive():
            self._observer.stop()
            self._observer.join(5)
        self._thread.join(5)
        for name in _Overflow.names:
            logging.getLogger(name).removeHandler(self._overflow)

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in _READS:
            return
        for raw in (event.src_path, event.dest_path):
            if raw:
                self.hint(raw.decode(errors="surrogateescape") if isinstance(raw, bytes) else raw, event.is_directory)

    def hint(self, path: str, folder: bool = False) -> None:
        """Something happened at this path."""
        relative = _below(path, self.memory)
        if relative is not None:
            if folder or relative == "" or _counts(relative):
                self._note(relative, deep=folder)
        elif _below(str(self.memory), Path(path)) is not None and folder:
            self._note("", deep=True)  # the memory folder itself came, went or was swapped
        elif path.endswith(".md") and not _hidden(path, self.vault):
            self._note_edited(_below(path, self.vault) or "")

    def _note_edited(self, path: str) -> None:
        self.watched.edited(path)
        if self.watched.is_review(path):
            with self._wake:
                self._reviews.add(path)
            self._note("", deep=False)

    def lost_events(self) -> None:
        """The kernel's queue overflowed: nothing is certain until everything has been read."""
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
            if hints or deep or now >= reconciled + self._interval():
                full = deep or now >= reconciled + self._interval()
                self._reconcile(hints, full)
                self._review()
                reconciled, unsaved = (now if full else reconciled), now + SAVE_SECONDS
            elif unsaved and now >= unsaved:
                self.watched.settle()
                unsaved = 0.0

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
        with self._wake:
            reviews, self._reviews = frozenset(self._reviews), set()
        if reviews:
            self._guarded("review", lambda: self.watched.review(reviews))

    def _guarded(self, what: str, work: Callable[[], object]) -> None:
        try:
            work()
        except Exception as error:  # one bad moment of the disk must not make the watcher deaf
            log.error("%s failed: %s", what, type(error).__name__)
            self.watched.fault(what, f"it failed: {type(error).__name__}")
        else:
            self.watched.clear(what)

    def _reconcile(self, hints: frozenset[str], deep: bool) -> None:
        try:
            again = self.watched.reconcile(hints, deep)
        except Exception as error:  # one bad moment of the disk must not make the watcher deaf
            log.error("reconcile failed: %s", type(error).__name__)
            self.watched.fault("reconcile", f"the memory folder could not be read: {type(error).__name__}")
            again = True
        else:
            self.watched.clear("reconcile")
            if deep:
                self.watched.clear("watcher_overflow")
        if again:
            self._note("", deep=False)


class _Overflow(logging.Handler):
    """watchdog tells of lost events only in its log."""

    names = ("watchdog.observers.inotify_c", "watchdog.observers.inotify", "watchdog.observers.winapi")

    def __init__(self, lost: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self._lost = lost

    def emit(self, record: logging.LogRecord) -> None:
        if "overflow" in record.getMessage().lower():
            self._lost()


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
