"""Public bug cases of stores like this one: jobs that were missed, and clocks that were set."""

import datetime as real
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise

import pytest
from apscheduler.schedulers import base

from deepseedian.daemon import schedule
from tests import naive
from tests.commands import ROOT, until
from tests.naive import bites

# The case in the small: a tick every 5 s, suspended at 4 s for 4.5 s, all times 0.6 of that.
SCALE = 0.6
EVERY, AT, FOR = 5 * SCALE, 4 * SCALE, 4.5 * SCALE
CHILD = """
import sys, time
from contextlib import nullcontext
from deepseedian.daemon import schedule
from tests.naive import applied
every, name = float(sys.argv[1]), sys.argv[2]
with applied(name) if name else nullcontext():
    schedule.TICK_SECONDS = every
    def tick():
        print("begin", time.monotonic(), flush=True)
        time.sleep(0.2)
        print("end", time.monotonic(), flush=True)
    timetable = schedule.Schedule(tick)
    timetable.start()
    print("start", time.monotonic(), flush=True)
    sys.stdin.read()
    timetable.stop()
"""


def slept(seconds: float) -> None:
    time.sleep(max(0.0, seconds))


@bites("missed_is_skipped")
def test_p25_a_suspended_machine_catches_up_once() -> None:
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(EVERY), naive.active()], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             encoding="utf-8", cwd=ROOT)
    assert child.stdin is not None and child.stdout is not None
    try:
        started = float(child.stdout.readline().split()[1])
        slept(started + AT - time.monotonic())
        os.kill(child.pid, signal.SIGSTOP)
        slept(FOR)
        woken = time.monotonic()
        os.kill(child.pid, signal.SIGCONT)
        lines = [child.stdout.readline().split() for _ in range(2)]
        first = float(lines[0][1])
        assert woken <= first < started + 2 * EVERY - 0.2, "the missed run did not come when the machine woke"
        lines += [child.stdout.readline().split() for _ in range(2)]
    finally:
        child.stdin.close()
        child.wait(10)
        child.stdout.close()
    assert [word for word, _ in lines] == ["begin", "end"] * 2, "two runs at the same time"
    assert float(lines[2][1]) > started + 2 * EVERY - 0.2, "the missed run came twice"


class Wall(real.datetime):
    """The wall clock as the scheduler reads it, set by the test."""

    shift = real.timedelta()

    @classmethod
    def now(cls, tz: real.tzinfo | None = None) -> "Wall":  # type: ignore[override]
        return super().now(tz) + cls.shift  # type: ignore[return-value]


def ticking(monkeypatch: pytest.MonkeyPatch) -> tuple[schedule.Schedule, list[float]]:
    for module in (base, schedule):
        monkeypatch.setattr(module, "datetime", Wall, raising=False)
    monkeypatch.setattr(Wall, "shift", real.timedelta())
    monkeypatch.setattr(schedule, "TICK_SECONDS", 0.1)
    came: list[float] = []
    timetable = schedule.Schedule(lambda: came.append(time.monotonic()))
    timetable.start()
    assert until(lambda: came)
    return timetable, came


def test_p25_a_clock_set_forward_doubles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    timetable, came = ticking(monkeypatch)
    try:
        Wall.shift = real.timedelta(days=1)
        before = len(came)
        assert until(lambda: len(came) > before + 3)
        steps = [second - first for first, second in pairwise(came)]
        assert sum(step < 0.02 for step in steps) <= 1, steps  # one catch-up, not a day's worth of them
    finally:
        timetable.stop()


def test_p25_a_clock_set_back_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    timetable, came = ticking(monkeypatch)
    try:
        Wall.shift = real.timedelta(hours=-1)
        before = len(came)
        assert until(lambda: len(came) > before + 3), "no tick for an hour"
    finally:
        timetable.stop()
