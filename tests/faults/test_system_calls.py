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
from tests.faults.checking import Seen, ended_well, kept, leftovers, quiet_start, started, wholly
from tests.faults.rig import Ended, Point, Rig, Tree, fast_folder, needs_strace, rigged, two_entries
from tests.store.test_original import S0, SAMPLE_A, SAMPLE_B, SAMPLE_C

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


SAVED = {"saved": "Release on Thursdays only.", "next": "And never on a Friday."}


def after_a_save(rig: Rig, before: Any, ended: Ended, wrong: list[str]) -> None:
    seen = started(rig, wrong)
    wrong += kept(before["entries"], seen.first["entries"])
    answered = [text for name, text in SAVED.items() if any(name in answer for answer in ended.answers)]
    wrong += wholly(seen, before, SAVED.values(), answered)
    if ended.status == 0 and not answered:
        wrong.append(f"after an error the next save did not work either: {ended.answers}")


def to_be_saved(rig: Rig) -> Scene:
    before = two_entries(rig)
    return Scene(rig, "save", {"text": SAVED["saved"], "next": SAVED["next"]}, after_a_save, before)


def test_save(tmp_path: Path) -> None:
    run(tmp_path, "SAVE", to_be_saved, 390)


def test_save_without_an_atomic_exchange(tmp_path: Path) -> None:
    """Where files are replaced in steps, there are more places to die at."""
    def prepare(rig: Rig) -> Scene:
        scene = to_be_saved(rig)
        rig.without_exchange()
        return scene

    run(tmp_path, "SAVE without exchange", prepare, 110, ("kill",))


def test_approve(tmp_path: Path) -> None:
    old, new = "Two-space indent, no tabs.", "Four-space indent, no tabs."

    def check(rig: Rig, before: Any, ended: Ended, wrong: list[str]) -> None:
        seen = started(rig, wrong)
        changed = next(key for key, text in before["entries"].items() if text == old)
        others = {key: text for key, text in before["entries"].items() if key != changed}
        wrong += kept(others, seen.first["entries"])
        found = (seen.first["entries"].get(changed), seen.first["archive"], [*seen.first["proposals"].values()],
                 len(seen.first["records"]) - len(before["records"]))
        if found not in ((old, [], ["open"], 0), (new, [old], ["approved"], 1)):
            wrong.append(f"neither before nor after: {found}")
        if any("decided" in answer for answer in ended.answers) and found[0] != new:
            wrong.append("answered and gone")

    def prepare(rig: Rig) -> Scene:
        before = two_entries(rig)
        entry = next(key for key, text in before["entries"].items() if text == old)
        made = rig.done("propose", text=new, id=entry)
        assert made["proposals"] and made["note"]
        return Scene(rig, "approve", {"id": made["proposals"][0]}, check, before)

    run(tmp_path, "APPROVE", prepare, 400)


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


def test_migration_of_an_original_folder(tmp_path: Path) -> None:
    """With a transaction of the other plugin pending, so that every part of the adoption has something to do."""
    files = {name: text.encode() for name, text in S0.items()} | {
        "topics/general.md": SAMPLE_A, "journal.json": SAMPLE_B.encode(), "transaction.json": SAMPLE_C.encode()}
    rules = files["RULES.md"] + b"- keep sources\n"

    def check(rig: Rig, before: Any, ended: Ended, wrong: list[str]) -> None:
        entries = rig.done("start")["entries"]
        wrong += kept(before["entries"], entries)
        rig.done("adopt")
        wrong += kept(before["entries"], quiet_start(rig, wrong)["entries"])
        found = {name: (rig.memory / name).read_bytes() for name in ("topics/general.md", "journal.v1.json", "RULES.md")}
        if found != {"topics/general.md": SAMPLE_A, "journal.v1.json": SAMPLE_B.encode(), "RULES.md": rules}:
            wrong.append(f"adopted otherwise: {found}")
        backups = [{path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
                   for folder in (rig.state / "backups").iterdir()]
        if not any(files.items() <= backup.items() for backup in backups):
            wrong.append("no whole backup")

    def prepare(rig: Rig) -> Scene:
        for name, data in files.items():
            (rig.memory / name).parent.mkdir(parents=True, exist_ok=True)
            (rig.memory / name).write_bytes(data)
        before = rig.done("start")
        assert len(before["entries"]) == 2
        return Scene(rig, "adopt", {}, check, before)

    run(tmp_path, "MIGRATION original", prepare, 330)


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
