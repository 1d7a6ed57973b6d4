"""When the owner has been quiet: one run over what is new, ended by any activity.

Time is a monotonic clock that is handed in; `tick` is called now and then by the schedule and decides.
A failure waits ten minutes, then twice as long each time, up to a day; the ledger knows of failures before a
restart, so that a daemon that is started again and again does not spend a day's budget in an hour.
"""

import threading
from collections.abc import Callable
from contextlib import suppress

from deepseedian.config.layers import Config
from deepseedian.errors import Busy, DeepseedianError
from deepseedian.memory.organize import RETRY_SECONDS, Organized, Organizer
from deepseedian.store.seam import Clock

LONGEST_RETRY = 24 * 3600.0


class Idle:
    """`done` is told what each run did."""

    def __init__(self, organizer: Organizer, config: Config, clock: Clock, done: Callable[[Organized], None]) -> None:
        self.organizer, self.config, self.clock, self.done = organizer, config, clock, done
        self._last = clock.monotonic()
        self._retry_at = 0.0
        self._failures = 0
        with suppress(DeepseedianError):
            self._failures = organizer.ledger.failures()
        if self._failures:
            self._retry_at = self._last + self._wait()
        self._ran_since = False
        self._cancelled = threading.Event()
        self._running = threading.Lock()
        self._state = threading.Lock()

    def activity(self) -> None:
        """A question, a key press reported by an editor, or an edit in the vault: cancels a run at once."""
        with self._state:
            self._last = self.clock.monotonic()
            self._ran_since = False
            self._cancelled.set()

    def quiet_seconds(self) -> float:
        return self.clock.monotonic() - self._last

    def due(self) -> bool:
        """Quiet long enough, switched on, not yet run in this pause, and no failure to wait for."""
        now = self.clock.monotonic()
        return (bool(self.config["idle.enabled"]) and not self._ran_since and now >= self._retry_at
                and now - self._last >= self.config.number("idle.minutes") * 60)

    def tick(self) -> Organized | None:
        """Run when it is due; a tick during a run does nothing."""
        if not self._running.acquire(blocking=False):
            return None
        try:
            with self._state:  # activity that comes in from here on cancels this very run
                if not self.due():
                    return None
                cancelled = self._cancelled = threading.Event()
            result = self._run(cancelled)
            if result is None:
                return None
            self._note(result, cancelled)
            self.done(result)
            return result
        finally:
            self._running.release()

    def _run(self, cancelled: threading.Event) -> Organized | None:
        try:
            return self.organizer.run("idle", cancelled)
        except Busy:  # another process is at it: this pause is looked at again at the next tick
            return None
        except Exception as error:  # whatever it is, it must not be tried again every few seconds
            return Organized(fault=error.message if isinstance(error, DeepseedianError) else type(error).__name__)

    def _note(self, result: Organized, cancelled: threading.Event) -> None:
        with self._state:
            if cancelled.is_set():
                return
            self._failures = self._failures + 1 if result.fault else 0
            if result.fault:
                self._retry_at = self.clock.monotonic() + self._wait()
            else:
                self._ran_since = True

    def _wait(self) -> float:
        return min(RETRY_SECONDS * 2.0 ** (self._failures - 1), LONGEST_RETRY)

    def status(self) -> dict[str, object]:
        """Whether a run is under way, and in how many seconds the next may be tried after failures."""
        with self._state:
            waits = max(0.0, self._retry_at - self.clock.monotonic()) if self._failures else 0.0
            return {"running": self._running.locked(), "failures": self._failures, "retryInSeconds": round(waits)}

    def stop(self) -> None:
        """End a run without counting it as activity."""
        self._cancelled.set()
