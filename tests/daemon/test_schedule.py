"""The schedule calls, does not double, and stops."""

import threading

import pytest

from deepseedian.daemon import schedule


def test_ticks_come_and_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "TICK_SECONDS", 0.05)
    came = threading.Event()
    timetable = schedule.Schedule(came.set)
    timetable.start()
    assert came.wait(5)
    job, = timetable._scheduler.get_jobs()
    assert job.coalesce and job.max_instances == 1 and job.misfire_grace_time is None
    timetable.stop()
    assert not timetable._scheduler.running
