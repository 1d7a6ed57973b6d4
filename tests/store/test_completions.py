"""The budget of inline completion: durable, shared by processes, and not to be had anew by turning a clock."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepseedian.store.completions import A_DAY, Completions
from tests.doubles import START

MIDNIGHT = START - START % 86_400 + 86_400


@pytest.fixture
def budget(tmp_path: Path) -> Iterator[Completions]:
    opened = Completions(tmp_path / "complete.db")
    yield opened
    opened.close()


def test_two_seconds_apart(budget: Completions) -> None:
    assert budget.reserve(START) == ("", 0.0)
    assert budget.reserve(START + 1.5) == ("too_soon", 0.5)
    assert budget.reserve(START + 2)[0] == ""


def test_ten_in_a_rolling_minute(budget: Completions) -> None:
    assert [budget.reserve(START + 3 * number)[0] for number in range(10)] == [""] * 10
    assert budget.reserve(START + 30) == ("minute", 30.0)
    assert budget.reserve(START + 59.9)[0] == "minute"
    assert budget.reserve(START + 60)[0] == ""
    assert budget.reserve(START + 62.5) == ("minute", 0.5)


def test_two_hundred_a_day_in_utc_and_again_after_a_restart(tmp_path: Path) -> None:
    budget = Completions(tmp_path / "complete.db")
    begun = MIDNIGHT - 7 * 300
    assert [budget.reserve(begun + 7 * number)[0] for number in range(200)] == [""] * A_DAY
    budget.close()
    budget = Completions(tmp_path / "complete.db")
    assert budget.reserve(MIDNIGHT - 60) == ("day", 60.0)
    assert budget.reserve(MIDNIGHT + 1)[0] == ""
    budget.close()


def test_a_clock_that_is_turned_back_gives_nothing_back(budget: Completions) -> None:
    for number in range(10):
        budget.reserve(START + 3 * number)
    back = START - 3600
    assert budget.reserve(back)[0] == "minute"
    assert budget.reserve(back + 32)[0] == "minute" and budget.reserve(back + 34)[0] == ""  # the first of them is a minute old by then
    assert budget.reserve(back - 5)[0] == "minute"


def test_days_are_added_up_when_the_clock_goes_back_and_it_heals(budget: Completions) -> None:
    """A clock a year ahead opens no second budget today, and does not close the next days."""
    for number in range(150):
        budget.reserve(START + 7 * number)
    ahead = START + 365 * 86_400
    for number in range(100):
        assert budget.reserve(ahead + 7 * number)[0] == ""
    assert budget.reserve(START + 2000)[0] == "day"
    assert budget.reserve(MIDNIGHT + 2000)[0] == ""


CHILD = """import sys
from pathlib import Path
from deepseedian.store.completions import Completions
budget = Completions(Path(sys.argv[1]))
for line in sys.stdin:
    word, _, value = line.strip().partition(" ")
    if word == "reserve":
        print(budget.reserve(float(value))[0] or "counted", flush=True)
    else:
        with budget.alone() as alone:
            print(alone, flush=True)
            sys.stdin.readline()
"""


class Other:
    """The budget in a process of its own."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", CHILD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def tell(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def heard(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=10)


def test_processes_share_it_and_a_kill_gives_nothing_back(tmp_path: Path) -> None:
    path = tmp_path / "complete.db"
    first, second = Other(path), Other(path)
    try:
        for number in range(20):  # both at the same moment: one of them is too soon
            for other in (first, second):
                other.tell(f"reserve {START + 7 * number}")
            assert sorted([first.heard(), second.heard()]) == ["counted", "too_soon"]
        first.kill()
        here = Completions(path)
        for number in range(20, 200):
            assert here.reserve(START + 7 * number)[0] == ""
        second.tell(f"reserve {START + 7 * 200}")
        assert second.heard() == "day"
        here.close()
    finally:
        first.kill()
        second.kill()


def test_one_at_a_time_in_all_processes_and_a_kill_frees_it(tmp_path: Path) -> None:
    here, other = Completions(tmp_path / "complete.db"), Other(tmp_path / "complete.db")
    try:
        with here.alone() as alone:
            assert alone
            with here.alone() as again:
                assert not again
            other.tell("alone")
            assert other.heard() == "False"
            other.tell("")
        other.tell("alone")
        assert other.heard() == "True"
        with here.alone() as alone:
            assert not alone
        other.kill()
        with here.alone() as alone:
            assert alone
    finally:
        other.kill()
        here.close()
