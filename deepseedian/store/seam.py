"""What is taken from the world: file system, clock, ids, file events, a model. Handed in as one value, so that a
test can inject every fault and a failing seed replays with no real time passing."""

import secrets
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from deepseedian.core.entry import stamp
from deepseedian.store.disk import Disk


class Clock:
    """Wall time in Unix seconds, monotonic seconds, and waiting."""

    def time(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def stamp(self) -> str:
        return stamp(self.time())


def _uuid() -> str:
    return str(uuid.uuid4())


def _token() -> str:
    return secrets.token_hex(6)


@dataclass(frozen=True, slots=True)
class Seam:
    """`observer` makes a watchdog observer, `chat` a model (`models.chat.Chat`), `streaming` one that answers in pieces
    (`models.pieces.Streaming`); None: the real ones, loaded when they are needed."""

    disk: Disk = field(default_factory=Disk)
    clock: Clock = field(default_factory=Clock)
    new_id: Callable[[], str] = _uuid
    token: Callable[[], str] = _token
    observer: Callable[[], Any] | None = None
    chat: Callable[[], Any] | None = None
    streaming: Callable[[], Any] | None = None
