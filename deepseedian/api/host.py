"""What the routes need of the process that serves them."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field

from deepseedian.sidecar import Sidecar


@dataclass(slots=True)
class Host:
    """`stopping` tells long-lived streams to end; `stop` asks the server to."""

    sidecar: Sidecar
    token: str
    port: int
    socket: str
    stop: Callable[[], None] = lambda: None
    stopping: Callable[[], bool] = lambda: False
    answered: Callable[[], None] = lambda: None
    start: str = field(default_factory=lambda: os.urandom(4).hex())
