"""Keeping the note index up to date in a daemon, behind everything else.

One thread takes hints of edited notes and, now and then, compares all. It works in pieces and rests as long as each
piece took, so that whoever asks something meanwhile has the interpreter at least half of the time.
"""

import logging
import threading
import time
from collections.abc import Callable

from deepseedian.core.text import word_terms
from deepseedian.notes.index import NoteIndex

QUIET_SECONDS = 0.3
PATIENCE_SECONDS = 2.0
RETRY_SECONDS = 30.0
REST = 1.0  # for as long as the work took
MOST_REST_SECONDS = 0.25
COMPARE_REST = 20.0  # comparing everything may take a twentieth of the time
MOST_HINTS = 1024
CLOSE_SECONDS = 5.0
MANY = 500
log = logging.getLogger("deepseedian.notes")


class Upkeep:
    """One index's. `begin` compares everything; until then nothing is done."""

    def __init__(self, index: NoteIndex, clock: Callable[[], float] = time.monotonic) -> None:
        self.index, self._clock = index, clock
        self._wake = threading.Condition()
        self._ended = threading.Event()
        self._hints: set[str] = set()
        self._all = False
        self._first = self._last = 0.0
        self._not_before = 0.0
        self._thread: threading.Thread | None = None

    @property
    def begun(self) -> bool:
        return self._thread is not None

    def begin(self) -> None:
        with self._wake:
            if self._thread is None and not self._ended.is_set():
                self._all = True
                self.index.pace = self._pace
                self._thread = threading.Thread(target=self._run, name="notes", daemon=True)
                self._thread.start()

    def hint(self, path: str) -> None:
        """Something happened at this path below the vault, be it a file or a folder."""
        with self._wake:
            self._first, self._last = self._first or self._clock(), self._clock()
            if len(self._hints) < MOST_HINTS:
                self._hints.add(path)
            else:
                self._all = True
            self._wake.notify_all()

    def compare(self) -> None:
        """Events may have been lost: look at everything, soon."""
        with self._wake:
            self._all = True
            self._wake.notify_all()

    def close(self) -> None:
        with self._wake:
            self._ended.set()
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join(CLOSE_SECONDS)

    def _run(self) -> None:
        while (work := self._wait()) is not None:
            begun = self._clock()
            try:
                self.index.refresh(None if work.all else work.hints)
            except Exception as error:  # the index says so in health; the thread goes on
                log.error("notes are not indexed: %s", type(error).__name__)
                self._again(work)
                continue
            if work.all:
                self._not_before = self._clock() + COMPARE_REST * (self._clock() - begun)
                if self.index.taken > MANY:
                    word_terms.cache_clear()  # the words of a whole vault are of no use to a recall

    def _again(self, work: "_Work") -> None:
        with self._wake:
            self._hints |= work.hints
            self._all |= work.all
            self._first = self._first or self._clock()
            self._not_before = self._last = self._clock() + RETRY_SECONDS

    def _wait(self) -> "_Work | None":
        """The next work once it is quiet; None at the end."""
        with self._wake:
            while not self._ended.is_set():
                now, due = self._clock(), self._due()
                if due is not None and now >= due:
                    work = _Work(frozenset(self._hints), self._all and now >= self._not_before)
                    self._hints, self._first = set(), 0.0
                    self._all &= not work.all
                    return work
                self._wake.wait(None if due is None else due - now)
        return None

    def _due(self) -> float | None:
        whole = self._not_before if self._all else None
        hinted = min(self._last + QUIET_SECONDS, max(self._first + PATIENCE_SECONDS, self._last)) if self._hints else None
        return min((one for one in (whole, hinted) if one is not None), default=None)

    def _pace(self, seconds: float) -> bool:
        if threading.current_thread() is not self._thread:  # somebody waits for this
            return True
        return not self._ended.wait(min(MOST_REST_SECONDS, REST * seconds))


class _Work:
    def __init__(self, hints: frozenset[str], whole: bool) -> None:
        self.hints, self.all = hints, whole
