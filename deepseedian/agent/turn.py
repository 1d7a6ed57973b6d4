"""One running turn of a conversation: prepared, run beside everything else, told live, kept step by step.

Its question is durable before a model is called, its answer when the turn has ended, however it ended. Listeners may
come late and leave early; a turn goes on until it is done or stopped.
"""

import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from deepseedian.errors import DeepseedianError, from_os_error

Event = tuple[str, dict[str, object]]
MOST_EVENTS = 100_000


class Running:
    """A turn's thread and its events: `turn`, `recall`, `notice`, `reasoning`, `delta`, `tool`, `usage`, `error`, `done`.

    `work` gets this object and tells through it; what it raises ends the turn with an `error` event.
    """

    def __init__(self, session: str, id: str, work: "Callable[[Running], None]") -> None:
        self.session, self.id = session, id
        self.cancelled = threading.Event()
        self._work: Callable[[Running], None] | None = work
        self._events: list[Event] = []
        self._listeners: list[Callable[[Event | None], None]] = []
        self._lock = threading.Lock()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="turn", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End it at the next moment; what was answered stays."""
        self.cancelled.set()

    def join(self, seconds: float) -> None:
        if self._thread.ident is not None:
            self._thread.join(seconds)

    @property
    def ended(self) -> bool:
        return self._ended

    def tell(self, kind: str, data: Mapping[str, object]) -> None:
        """Give an event to all who listen, and to those who will."""
        with self._lock:
            if len(self._events) < MOST_EVENTS or kind in ("done", "error"):
                self._events.append((kind, dict(data)))
                self._pass_on((kind, dict(data)))

    def _pass_on(self, event: Event | None) -> None:
        for listener in self._listeners:
            with suppress(Exception):  # who no longer listens must not end the turn
                listener(event)

    def listen(self, listener: Callable[[Event | None], None]) -> None:
        """`listener` gets every event from the first one on, and None at the end."""
        with self._lock:
            for event in self._events:
                listener(event)
            if self._ended:
                listener(None)
            else:
                self._listeners.append(listener)

    def leave(self, listener: Callable[[Event | None], None]) -> None:
        with self._lock, suppress(ValueError):
            self._listeners.remove(listener)

    def events(self) -> Iterator[Event]:
        """Every event until the end; leaving early stops the turn."""
        waiting: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self.listen(waiting.put)
        try:
            while (event := waiting.get()) is not None:
                yield event
        finally:
            self.leave(waiting.put)
            self.stop()

    def forget(self) -> None:
        """Nothing of what was told stays: a text in it may just have been erased."""
        with self._lock:
            self._events.clear()

    def _run(self) -> None:
        work, self._work = self._work, None  # what it was asked with, pictures too, goes when it has ended
        try:
            if work is not None:
                work(self)
        except Exception as error:  # it ends this turn, not the daemon
            self.tell("error", failure(named(error)))
        finally:
            with self._lock:
                self._ended = True
                self._pass_on(None)
                self._listeners.clear()


def named(error: Exception) -> DeepseedianError:
    """Any failure as one of ours; of a fault inside only the kind is told, for its text could hold memory."""
    if isinstance(error, DeepseedianError):
        return error
    if isinstance(error, OSError):
        return from_os_error(error)
    return DeepseedianError(f"something went wrong inside: {type(error).__name__}", "deepseedian check, then ask again")


def failure(error: DeepseedianError) -> dict[str, object]:
    """The data of an `error` event: code, message, hint, and the HTTP status that the same failure has elsewhere."""
    return {"code": error.code, "message": error.message, "hint": error.hint, "status": error.status}
