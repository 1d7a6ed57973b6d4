"""A kill, an I/O error and a full disk at every system call of an operation that touches memory or state.

For each operation a trace of an undisturbed run lists its calls; then it runs again from the same bytes, once
for each of them and each fault. No call is left out. Two things are tried once where twice would show the same:
a full disk has nothing to say to a call that only opens for reading, and a kill at such a call leaves the bytes
that a kill at the call before it left, when that one changed nothing either. Two rigs share the points, one for
each core.
"""

from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.counts import count
from tests.faults.checking import Seen, ended_well, kept, leftovers, started, wholly
from tests.faults.rig import Ended, Point, Rig, Tree, fast_folder, needs_strace, rigged, two_entries

FAULTS = {"kill": "signal=KILL", "EIO": "error=EIO", "ENOSPC": "error=ENOSPC"}
RIGS = 2
Words = dict[str, Any]
Check = Callable[[Rig, Any, Ended, list[str]], None]
pytestmark = needs_strace


@dataclass
class Scene:
    """An operation on a vault that can be had back as it was before it."""

    rig: Rig
    operation: str
    words: Words
    check: Check
    before: Any = None
    tree: Tree = field(init=False)

    def __post_init__(self) -> None:
        self.tree = Tree.of(self.rig.base)

    def points(self) -> list[Point]:
        self.tree.restore()
        return self.rig.points(self.operation, **self.words)

    def attempt(self, point: Point, fault: str) -> list[str]:
        """What is wrong after this fault at this point; empty is right."""
        self.tree.restore()
        ended = self.rig.hit(point, FAULTS[fault], self.operation, **self.words)
        wrong = list(ended_well(ended, fault == "kill"))
        try:
            self.check(self.rig, self.before, ended, wrong)
        except AssertionError as error:
            wrong.append(f"no start after it: {error}")
        return [f"{fault} at {point.call} {point.number}: {text}\n    {point.line}" for text in wrong]


def run(tmp_path: Path, name: str, prepare: Callable[[Rig], Scene], floor: int, faults: Collection[str] = tuple(FAULTS)) -> None:
    """Every fault at every point; `floor` is how many there must be at least."""
    with fast_folder(tmp_path) as folder, ExitStack() as open_rigs:
        scenes = [prepare(open_rigs.enter_context(rigged(folder / f"rig{number}"))) for number in range(RIGS)]
        points = scenes[0].points()
        tasks = [(point, fault) for point, fault in attempts(points) if fault in faults]

        def share(number: int) -> list[str]:
            return [text for point, fault in tasks[number::RIGS] for text in scenes[number].attempt(point, fault)]

        with ThreadPoolExecutor(RIGS) as pool:
            wrong = [text for found in pool.map(share, range(RIGS)) for text in found]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(tasks)}:", *wrong[:12]])
    for fault in faults:
        count(f"L2 {name} {fault} points of {len(points)} calls", sum(kind == fault for _, kind in tasks))
    assert len(tasks) >= floor, f"{len(tasks)} points, {floor} were tried before"


def attempts(points: list[Point]) -> Iterator[tuple[Point, str]]:
    """Every fault at every call, without those that show nothing new."""
    changed = True
    for point in points:
        yield point, "EIO"
        if point.changes:
            yield point, "ENOSPC"
        if point.changes or changed:
            yield point, "kill"
        changed = point.changes


@pytest.mark.parametrize("failpoint", ["after_record", "after_swap_0"])
def test_recovery(tmp_path: Path, failpoint: str) -> None:
    text = "Release on Thursdays only."

    def check(rig: Rig, before: Any, ended: Ended, wrong: list[str]) -> None:
        seen = started(rig, wrong)
        wrong += kept(before["entries"], seen.first["entries"])
        wrong += wholly(seen, before, [text], [text])

    def prepare(rig: Rig) -> Scene:
        before = two_entries(rig)
        died = rig.do("save", text=text, environment={"DEEPSEEDIAN_FAILPOINT": failpoint})
        assert died.status == -9 and (rig.memory / "transaction.json").exists()
        return Scene(rig, "start", {}, check, before)

    run(tmp_path, f"RECOVERY {failpoint}", prepare, 260)


def test_migration_of_a_database(tmp_path: Path) -> None:
    rows = ["one", "二"]

    def check(rig: Rig, before: Any, ended: Ended, wrong: list[str]) -> None:
        if ended.answered is not None and ended.answered != before:
            wrong.append(f"answered {ended.answered}")
        for _ in range(2):
            found = rig.done("migrate", path=str(rig.state / "old.db"))
            if found != before:
                wrong.append(f"lost or changed: {found}")
        wrong += [f"left over: {path}" for path in leftovers(rig.state)]

    def prepare(rig: Rig) -> Scene:
        path = str(rig.state / "old.db")
        rig.state.mkdir()
        rig.done("migrate", path=path, upto=1, rows=rows)
        after = {"version": 3, "columns": ["number", "text", "at"], "rows": [[1, "one", "then"], [2, "二", "then"]], "set_aside": ""}
        return Scene(rig, "migrate", {"path": path}, check, after)

    run(tmp_path, "MIGRATION database", prepare, 90)


def test_the_checker_sees_what_it_must(tmp_path: Path) -> None:
    """A lost entry, a doubled one, a left-over name and a write at the second start are each told."""
    with fast_folder(tmp_path) as folder, rigged(folder / "rig") as rig:
        before = two_entries(rig)
        general = rig.memory / "topics/general.md"
        whole = general.read_bytes()
        (rig.memory / "writer.lock.tmp").write_bytes(b"")
        wrong: list[str] = []
        seen = started(rig, wrong)
        assert [text for text in wrong if "left over" in text] and not list(kept(before["entries"], seen.first["entries"]))
        assert list(kept(before["entries"] | {"x": "gone"}, seen.first["entries"]))
        key = next(iter(before["entries"])).encode()
        general.write_bytes(whole + whole[whole.index(b"<!--"):].replace(key, b"0" * 8 + key[8:]))
        doubled = Seen(rig.done("start"), None)
        assert list(wholly(doubled, before, [], [])) and list(wholly(doubled, before, ["never saved"], ["never saved"]))
    assert list(ended_well(Ended(0, ({"fault": "KeyError: x"},)), False)) and list(ended_well(Ended(0, ({},)), True))
