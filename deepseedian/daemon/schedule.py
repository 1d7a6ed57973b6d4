"""What happens by the clock: idle consolidation. Jobs that a sleeping machine missed run once when it wakes."""

from collections.abc import Callable
from datetime import datetime, timedelta

from apscheduler.schedulers.background import BackgroundScheduler

TICK_SECONDS = 15


class _Unmoved(BackgroundScheduler):  # type: ignore[misc]
    """Looks at least once a tick, by a clock nobody sets: after the wall clock was set back by an hour, all jobs would wait for it."""

    def _process_jobs(self) -> float | None:
        latest = datetime.now(self.timezone) + timedelta(seconds=TICK_SECONDS)
        for job in self.get_jobs():
            if job.next_run_time is not None and job.next_run_time > latest:
                job.modify(next_run_time=latest)
        wait: float | None = super()._process_jobs()
        return wait if wait is None else min(wait, TICK_SECONDS)


class Schedule:
    """Calls `tick` every few seconds; a tick that takes long is never doubled."""

    def __init__(self, tick: Callable[[], object]) -> None:
        self._scheduler = _Unmoved(timezone="UTC")
        self._scheduler.add_job(tick, "interval", seconds=TICK_SECONDS, misfire_grace_time=None, coalesce=True, max_instances=1)

    def start(self) -> None:
        self._scheduler.start()

    def stop(self) -> None:
        self._scheduler.shutdown(wait=False)
