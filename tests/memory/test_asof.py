"""The memory of a time: what stood then, edited, forgotten, moved, pinned or archived since."""

from collections.abc import Callable

import pytest

from deepseedian.core.entry import Entry
from deepseedian.core.snapshot import MemoryFile, assemble
from deepseedian.core.succession import standing
from deepseedian.errors import BadInput
from deepseedian.memory.asof import moment
from deepseedian.sidecar import Sidecar
from tests.doubles import FakeClock

DAY = 86_400.0


@pytest.mark.parametrize(("words", "found"), [
    ("2026-03-01", "2026-03-01T15:59:59.999Z"), (" 2026-03-01 ", "2026-03-01T15:59:59.999Z"), ("20260301", "2026-03-01T15:59:59.999Z"),
    ("2026-W09-7", "2026-03-01T15:59:59.999Z"), ("2026-03-01 14:30", "2026-03-01T06:30:00.000Z"), ("2026-03-01T14:30:00Z", "2026-03-01T14:30:00.000Z"),
    ("2026-03-01T14:30+02:00", "2026-03-01T12:30:00.000Z"), ("0999-01-01", "0999-01-01T15:59:59.999Z"[:0])])
def test_a_date_is_its_end_in_local_time(words: str, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    try:
        assert moment(words) == found if found else moment(words).startswith("0999-01-01T")
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("words", ["", " ", "yesterday", "2026-13-01", "2026-02-30", "\0", "🙂", "9" * 5000, "0001-01-01 00:00+14:00", "2026-03-01T25:00", "\ud800"])
def test_nonsense_is_refused(words: str) -> None:
    with pytest.raises(BadInput):
        moment(words)


def offered(sidecar: Sidecar, as_of: str, question: str = "周会几点？") -> list[str]:
    return [row["summary"] for row in sidecar.recall(question, as_of=as_of)["index"]]  # type: ignore[attr-defined]


def test_what_stood_then(opened: Callable[..., Sidecar], clock: FakeClock) -> None:
    sidecar = opened(clock)
    first = str(sidecar.remember("周会是周一上午")["id"])
    other = str(sidecar.remember("周会在三楼会议室")["id"])
    times = [clock.stamp()]
    for act in (lambda: sidecar.edit(first, "周会改到周四下午"), lambda: sidecar.forget(other), lambda: sidecar.move(first, "work"),
                lambda: sidecar.pin(first), lambda: sidecar.edit(first, "周会改到周五下午"), lambda: sidecar.forget(first)):
        clock.now += DAY
        act()
        times.append(clock.stamp())
    told = [set(offered(sidecar, at)) for at in times]
    monday, thursday, friday, room = "周会是周一上午", "周会改到周四下午", "周会改到周五下午", "周会在三楼会议室"
    assert told == [{monday, room}, {thursday, room}, {thursday}, {thursday}, {thursday}, {friday}, set()]
    assert offered(sidecar, "2020-01-01") == [] and offered(sidecar, "0999-01-01") == [] and offered(sidecar, "2999-01-01") == []
    found = sidecar.search("周会", as_of=times[0])
    assert found["total"] == 2 and len(found["results"]) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(("created", "then", "stands"), [
    ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z", True), ("2026-01-02T08:00:00+08:00", "2026-01-02T01:00:00.000Z", True),
    ("2026-01-01T23:00:00-08:00", "2026-01-02T01:00:00.000Z", False), ("nonsense", "2026-01-02T01:00:00.000Z", True),
    ("1960-01-01T00:00:00Z", "2026-01-02T01:00:00.000Z", True)])
def test_times_are_compared_as_times(created: str, then: str, stands: bool) -> None:
    entry = Entry("a", "x", "topics/a.md", {"id": "a", "createdAt": created})
    assert bool(standing(assemble("v", {"topics/a.md": MemoryFile("topics/a.md", "0", 1, (entry,))}), then)) == stands
