"""Conversations under real kills: two programs that add to one at once, a death in the middle of a line, and one while files move."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deepseedian.store.sessions import Sessions
from tests import counts
from tests.commands import ROOT, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
POINTS = ("session_move_begun", "session_moved", "session_move_unlinked")


def started(*words: str, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-m", "tests.chaos.talker", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                            cwd=ROOT, env=os.environ | environment)


def said(file: Path) -> list[tuple[str, str]]:
    """What a program told that it had done, whole lines alone."""
    lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("\n")]
    return [(what, turn) for what, turn in lines]


def test_nothing_acknowledged_is_lost_when_programs_die_at_any_moment(tmp_path: Path) -> None:
    files = [tmp_path / f"said-{number}" for number in range(4)]
    for round_ in range(2):
        programs = []
        for name, file in zip("ab", files[round_ * 2:], strict=False):
            with file.open("wb") as target:
                programs.append(subprocess.Popen([sys.executable, "-m", "tests.chaos.talker", str(tmp_path / "s"), name], stdout=target, cwd=ROOT))
        assert until(lambda round_=round_: all(said(file) for file in files[round_ * 2: round_ * 2 + 2]), 60)  # type: ignore[misc]
        time.sleep(0.07 * round_)
        for program in programs:
            program.kill()
            program.wait(30)
    counts.count("kills of programs that talk", 4)
    told = [one for file in files for one in said(file)]
    store = Sessions(tmp_path / "s", device="d")
    turns = {turn.id: turn for turn in store.turns("chat")}
    for what, turn in told:
        assert turns[turn].question == f"问题 {turn}"
        assert turns[turn].state == "done" and turns[turn].answer.startswith(f"回答 {turn}") if what == "ended" else True
    assert {turn.state for turn in turns.values()} <= {"done", "interrupted"} and len(turns) >= 4
    for turn in turns.values():
        assert not turn.parent or turns[turn.parent].state == "done"
    store.begin("chat", "last", told[-1][1], "still there?")
    assert store.branch("chat")[-1].question == "still there?"


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_death_in_the_middle_of_a_line_costs_that_line_alone(tmp_path: Path, number: int) -> None:
    program = started(str(tmp_path), "a", "torn", str(number))
    out, err = program.communicate(timeout=30)
    assert program.returncode == -9 and err == ""
    data = (tmp_path / "chat.jsonl").read_bytes()
    assert not data.endswith(b"\n") and len(out.splitlines()) == number - 1
    store = Sessions(tmp_path, device="d")
    assert [turn.state for turn in store.turns("chat")] == {1: [], 2: ["interrupted"], 3: ["done"]}[number]
    store.begin("chat", "next", "", "and now?")
    other = Sessions(tmp_path, device="d")
    assert [turn.question for turn in other.turns("chat")][-1] == "and now?" and len(other.turns("chat")) == (1 if number == 1 else 2)
    assert (tmp_path / "chat.jsonl").read_bytes().startswith(data + b"\n"), "what was torn is kept"


@pytest.mark.parametrize("point", POINTS)
def test_a_death_while_conversations_move_loses_none(tmp_path: Path, point: str) -> None:
    """Into the vault and out of it; what the death left is found whole, and the next look finishes the move."""
    home, vault = tmp_path / "home", tmp_path / "plugin/sessions"
    vault.parent.mkdir()
    store = Sessions(home, device="d")
    for name in ("one", "two"):
        store.begin(name, "a", "", f"in {name}")
    for where, goal, source in (("in", vault, home), ("out", home, vault)):
        program = started("move", str(home), str(vault), where, DEEPSEEDIAN_FAILPOINT=point)
        program.communicate(timeout=30)
        assert program.returncode == -9
        left = [path.name for folder in (home, vault) for path in folder.glob("*.jsonl")]
        assert {*left} == {"one.jsonl", "two.jsonl"} and len(list(source.glob("*.jsonl"))) >= 1
        after = Sessions(home, vault=vault, in_vault=lambda where=where: where == "in", device="d")  # type: ignore[misc]
        assert {name: [turn.question for turn in after.turns(name)] for name in after.names()} == {"one": ["in one"], "two": ["in two"]}
        assert sorted(path.name for path in goal.glob("*.jsonl")) == ["one.jsonl", "two.jsonl"] and not list(source.glob("*.jsonl"))
        assert len(after.contributing("one")) == 1
    counts.count("deaths while conversations move", 2)
