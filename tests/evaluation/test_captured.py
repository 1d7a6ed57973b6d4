"""Capture measured on labelled messages: the figures, the command, and files with something wrong in them."""

import json
from pathlib import Path

import pytest

from deepseedian.errors import BadInput
from deepseedian.evaluation.captured import Labelled, measured, own, read
from tests.commands import Command

FRESH = Path(__file__).with_name("fresh_messages.jsonl")


def test_the_own_messages_are_what_they_are_said_to_be() -> None:
    rows = own()
    assert len(rows) >= 240 and len({row.text for row in rows}) == len(rows)
    assert sum(not row.keep for row in rows) >= 0.6 * len(rows)
    assert sum(any("\u4e00" <= char <= "\u9fff" for char in row.text) for row in rows) in range(len(rows) // 2 - 20, len(rows) // 2 + 20)


def test_precision_and_recall_on_the_own_messages_in_both_halves() -> None:
    found = measured(own())
    for count in (found.all, *found.halves.values()):
        told = count.document()
        assert told["precision"] >= 0.95 and told["recall"] >= 0.85, told  # type: ignore[operator]


def test_and_on_messages_of_other_kinds() -> None:
    """Mixed languages, traditional characters, long messages with one thing in them, lists, other wordings."""
    rows = read(FRESH)
    told = measured(rows).all.document()
    assert len(rows) >= 200 and told["precision"] >= 0.95 and told["recall"] >= 0.85, told  # type: ignore[operator]


def test_counts_are_those_worked_out_by_hand() -> None:
    rows = [Labelled("I prefer tea.", "user", True, "a", "tune"), Labelled("Is it raining?", "user", True, "a", "tune"),
            Labelled("I prefer rain.", "user", False, "b", "held"), Labelled("I prefer snow.", "assistant", False, "b", "held"),
            Labelled("I prefer sun.", "user", True, "b", "held", "only")]
    found = measured(rows)
    assert found.all.document() == {"messages": 5, "precision": 0.3333, "recall": 0.3333, "kept": 1, "wrong": 2, "missed": 2}
    assert [row["why"] for row in found.document()["failed"]] == ["missed"]  # type: ignore[attr-defined]
    assert len(found.document(held=True)["failed"]) == 3  # type: ignore[arg-type]


@pytest.mark.parametrize(("line", "why"), [
    ("not json", "line 2"), ('["text"]', "line 2: not a JSON object"), ('{"role":"user","keep":true}', "line 2: it needs a text"),
    ('{"text":"x","role":"boss","keep":true}', "line 2: role"), ('{"text":"x","role":"user","keep":"yes"}', "line 2: keep"),
    ('{"text":"x","role":"user","keep":true,"kind":3}', "line 2: kind"),
])
def test_a_bad_line_is_named(tmp_path: Path, line: str, why: str) -> None:
    path = tmp_path / "messages.jsonl"
    path.write_text('{"text":"I prefer tea.","role":"user","keep":true}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(BadInput, match=why):
        read(path)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n", encoding="utf-8")
    (tmp_path / "latin.jsonl").write_bytes(b"\xe9\n")
    for name in ("empty.jsonl", "latin.jsonl", "none.jsonl"):
        with pytest.raises(BadInput, match=name):
            read(tmp_path / name)


def test_the_command(tmp_path: Path) -> None:
    command = Command(tmp_path)
    path = tmp_path / "messages.jsonl"
    rows = [{"text": "Remember that I like jazz.", "role": "user", "keep": True}, {"text": "I prefer tea.", "role": "user", "keep": False}]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    told = command("eval", "capture", str(path))
    assert (told["messages"], told["precision"], told["recall"]) == (2, 0.5, 1.0) and told["failed"][0]["text"] == "I prefer tea."
    path.write_text("{}", encoding="utf-8")
    assert "line 1" in command("eval", "capture", str(path), status=2)["error"]["message"]
    command("eval", "capture", "--kind", "x", status=2)
    assert command("eval", "capture")["messages"] >= 240
