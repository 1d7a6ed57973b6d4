"""Steps of turns: kept in order, cut to what is allowed, erased for good, never in a turn's way."""

import json
import threading
from pathlib import Path

import pytest

from deepseedian.errors import BadInput, NotFound
from deepseedian.store.turn_trace import DETAIL_LIMIT, PREVIEW_LIMIT, TurnTrace

NOW = "2026-11-30T09:00:00.000Z"


@pytest.fixture
def trace(tmp_path: Path) -> TurnTrace:
    return TurnTrace(tmp_path / "trace.db", lambda: NOW)


def test_steps_come_back_in_order_with_what_they_cost(trace: TurnTrace, tmp_path: Path) -> None:
    assert trace.add("s", "t", "question", {"text": "why?\nand how"}) == 1
    assert trace.add("s", "t", "tool_call", {"round": 1, "name": "notes_read", "arguments": '{"path":"a.md"}'}) == 2
    usage = {"input": 10, "output": 2, "cached": 5, "reasoning": 1, "cost": 0.25}
    assert trace.add("s", "t", "usage", {}, usage) == 3 == trace.add("s", "u", "usage", {}, usage) + 2
    assert trace.add("s", "t", "usage", {}, usage | {"cost": None}) == 4
    assert trace.add("s", "u", "end", {"state": "done"}, usage) == 2, "the sum of what was told before"
    for known in (trace, TurnTrace(tmp_path / "trace.db")):
        steps = known.steps("t")
        assert [(step.number, step.kind, step.at) for step in steps] == [
            (1, "question", NOW), (2, "tool_call", NOW), (3, "usage", NOW), (4, "usage", NOW)]
        assert steps[0].preview == "why? and how" and steps[1].preview == 'notes_read {"path":"a.md"}'
        assert steps[2].usage == usage and steps[0].usage is None
        newest, first = known.turns()
        assert (newest.turn, first.turn, first.steps, first.question) == ("u", "t", 4, "why? and how")
        assert first.usage == {"input": 20, "output": 4, "cached": 10, "reasoning": 2, "cost": None} and newest.usage["cost"] == 0.25
        assert known.session("t") == "s" and known.turns("other") == [] and len(known.turns("s", 1)) == 1
        known.close()
    with pytest.raises(NotFound):
        trace.steps("x")
    for act in (lambda: trace.add("s", "t", "gossip", {}), lambda: trace.turns("", 0)):
        with pytest.raises(BadInput):
            act()


@pytest.mark.parametrize("detail", [{"text": "中" * 50_000}, {"text": "x" * 50_000, "kept": "short"}, {str(n): "y" * 90 for n in range(900)},
                                    {"messages": [{"role": "user", "content": "é\u0301" * 9_000}] * 5}, {"deep": ["z" * 25_000, "\ud800"]}])
def test_a_long_detail_is_cut_and_stays_a_document(trace: TurnTrace, detail: dict[str, object]) -> None:
    trace.add("s", "t", "request", detail, {"input": 7})
    step, = trace.steps("t")
    assert len(json.dumps(dict(step.detail), ensure_ascii=False)) <= DETAIL_LIMIT + 1000 and len(step.preview) <= PREVIEW_LIMIT
    assert step.usage == {"input": 7} and step.detail.get("kept", "short") == "short"


def test_erasing_leaves_no_byte(trace: TurnTrace, tmp_path: Path) -> None:
    trace.add("s", "t", "question", {"text": "the word is swordfish today"})
    trace.add("s", "t", "tool_result", {"name": "x", "text": json.dumps({"found": ["swordfish\n"]})})
    trace.add("s", "t", "answer", {"text": "nothing here"})
    trace.add("s", "t", "request", {"text": "a" * 12_000 + "b" * 30_000, "tail": "swordf…"})
    assert trace.erase(lambda text: text.replace("swordfish", "(erased)"), lambda text: text.endswith("swordf…")) == 3
    details = [dict(step.detail) for step in trace.steps("t")]
    assert details[0] == {"text": "the word is (erased) today"} and details[2] == {"text": "nothing here"} and details[3] == {"erased": True}
    assert json.loads(str(details[1]["text"])) == {"found": ["(erased)\n"]}
    trace.close()
    assert not any(b"swordf" in path.read_bytes() for path in tmp_path.glob("trace.db*"))


def test_sessions_and_old_steps_go(trace: TurnTrace, tmp_path: Path) -> None:
    assert trace.prune(0.0) == 0 == trace.delete("s") == trace.erase(str.upper) and trace.turns() == []
    assert not (tmp_path / "trace.db").exists(), "looking makes no file"
    trace.add("s", "t", "question", {"text": "a"})
    trace.add("r", "u", "question", {"text": "b"})
    assert trace.delete("s") == 1 and [turn.turn for turn in trace.turns()] == ["u"]
    assert trace.prune(1_700_000_000.0) == 0 and trace.prune(4_000_000_000.0) == 1 and trace.turns() == []


def test_a_damaged_file_never_fails_a_turn(trace: TurnTrace, tmp_path: Path) -> None:
    trace.add("s", "t", "question", {"text": "a"})
    trace.close()
    (tmp_path / "trace.db").write_bytes(b"not a database" * 100)
    assert trace.add("s", "t", "question", {"text": "b"}) in (0, 1)
    assert trace.add("s", "t", "answer", {"text": "c"}) >= 1 and "trace_set_aside" in trace.faults
    assert (tmp_path / "trace.unreadable").exists()


def test_a_full_disk_is_named(trace: TurnTrace, tmp_path: Path) -> None:
    (tmp_path / "trace.db").mkdir()
    assert trace.add("s", "t", "question", {"text": "a"}) == 0 and "trace" in trace.faults


def test_threads_never_share_a_number(trace: TurnTrace) -> None:
    threads = [threading.Thread(target=lambda: [trace.add("s", "t", "reasoning", {"text": "."}) for _ in range(20)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [step.number for step in trace.steps("t")] == list(range(1, 81))


def test_a_damaged_file_is_put_aside_with_its_log(tmp_path: Path) -> None:
    """A log that stayed could be played into the file that takes its place."""
    from deepseedian.store.database import Database, put_aside

    made = Database(tmp_path / "y.db", ("CREATE TABLE t (v TEXT)",))
    made.close()
    for end in ("-wal", "-shm"):  # as another program's death leaves them
        (tmp_path / f"y.db{end}").write_bytes(b"of another life")
    assert put_aside(tmp_path / "y.db") == tmp_path / "y.unreadable"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["y.unreadable", "y.unreadable-shm", "y.unreadable-wal"]
