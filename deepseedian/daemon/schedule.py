"""What happens by the clock: idle consolidation. Jobs that a sleeping machine missed run once when it wakes."""

from collections.abc import Callable

from apscheduler.schedulers.background import BackgroundScheduler

TICK_SECONDS = 15


class Schedule:
    """Calls `tick` every few seconds; a tick that takes long is never doubled."""

    def __init__(self, tick: Callable[[], object]) -> None:
        self._scheduler = BackgroundScheduler(timezone="UTC")
        self._scheduler.add_job(tick, "interval", seconds=TICK_SECONDS, misfire_grace_time=None, coalesce=True, max_instances=1)

    def start(self) -> None:
        self._scheduler.start()

    def stop(self) -> None:
        self._scheduler.shutdown(wait=False)
