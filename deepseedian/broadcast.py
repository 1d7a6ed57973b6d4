"""The in-process event feed: numbered events, kept for a while so that a client can resume."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

KEPT = 512
log = logging.getLogger("deepseedian.broadcast")


@dataclass(frozen=True, slots=True)
class Event:
    """`kind` is a dotted name such as `memory.changed`; `data` is JSON-able and never holds entry texts."""

    number: int
    kind: str
    data: dict[str, object]


class Broadcast:
    """Publish from any thread; subscribers are called in that thread and must return at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = 0
        self._events: deque[Event] = deque(maxlen=KEPT)
        self._subscribers: list[Callable[[Event], None]] = []

    def publish(self, kind: str, /, **data: object) -> None:
        with self._lock:
            self._number += 1
            event = Event(self._number, kind, data)
            self._events.append(event)
            subscribers = list(self._subscribers)
        for subscriber in subscribers:
            try:
                subscriber(event)
            except Exception as error:  # one who cannot hear, such as at the end of its loop, ends nothing of ours
                log.warning("a subscriber failed: %s", type(error).__name__)

    def subscribe(self, subscriber: Callable[[Event], None], after: int | None = None) -> list[Event]:
        """Start calling a subscriber; returns the kept events numbered above `after`."""
        with self._lock:
            self._subscribers.append(subscriber)
            return [] if after is None else [event for event in self._events if event.number > after]

    def unsubscribe(self, subscriber: Callable[[Event], None]) -> None:
        with self._lock:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)
