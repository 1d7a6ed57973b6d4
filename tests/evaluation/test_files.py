"""Retrieval sets: the format, what exists when, the score, errors with their line, and that nothing stays behind."""

import gzip
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from deepseedian.config.folders import lock_folder
from deepseedian.errors import BadInput
from deepseedian.evaluation import files, sets, shelf
from deepseedian.store.lock import identity
from tests.commands import Command, program, until
from tests.conftest import DATA, needs_data

KEYS = {"file", "stores", "docs", "questions", "recall@5", "recall@12", "p50_ms", "p95_ms"}


def written(path: Path, *lines: object, packed: bool = False) -> Path:
    data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    return path


def store(texts: dict[str, str], *questions: dict[str, object], name: str = "s") -> dict[str, object]:
    return {"store": name, "docs": [{"id": key, "text": text} for key, text in texts.items()], "questions": list(questions)}


def asked(question: str, *gold: str, **more: object) -> dict[str, object]:
    return {"q": question, "gold": list(gold), "kind": "k", **more}


def test_the_document_is_exact(tmp_path: Path) -> None:
    one = written(tmp_path / "one.jsonl", store({"a": "the boiler is serviced in May"}, asked("boiler", "a")))
    two = written(tmp_path / "two.jsonl.gz", store({"a": "猫叫阿福"}, asked("阿福", "a")), store({}, name="empty"), packed=True)
    command = Command(tmp_path)
    found = command("eval", str(one), str(two))
    assert set(found) == {"files"} and all(set(row) == KEYS for row in found["files"])
    first, second = found["files"]
    assert first | {"file": str(one), "stores": 1, "docs": 1, "questions": 1, "recall@5": 1.0, "recall@12": 1.0} == first
    assert second | {"file": str(two), "stores": 2, "docs": 1, "questions": 1, "recall@5": 1.0} == second
    assert 0 < first["p50_ms"] <= first["p95_ms"]
    people = command.run("eval", str(one), str(two))
    assert people.status == 0 and "recall@12" in people.out and "two.jsonl.gz" in people.out


def test_the_score_is_the_share_of_gold_worked_out_by_hand(tmp_path: Path) -> None:
    """Six entries say `lamp`, the shorter the better; the third question wants one of the first five, the sixth, and a document
    that is not there."""
    texts = {str(number): "lamp" + " filler" * number * 3 for number in range(6)} | {"other": "quite different"}
    path = written(tmp_path / "set.jsonl", store(texts, asked("lamp", "0"), asked("lamp", "5"), asked("lamp", "1", "5", "gone"),
                                                 asked("lamp"), {"q": "lamp", "gold": []}))
    found = files.measured(path)
    assert found.kinds == {"k": [(1.0, 1.0), (0.0, 1.0), (1 / 3, 2 / 3)]}
    document = found.document("set")
    assert document["recall@5"] == 0.4444 and document["recall@12"] == 0.8889
    assert document["questions"] == 5 and found.without_gold == 2


def test_a_question_sees_only_the_documents_it_is_allowed(tmp_path: Path) -> None:
    texts = {"old": "the meeting is on Monday", "new": "the meeting is on Friday"}
    questions = [asked("meeting", "new", allow=1), asked("meeting", "new", allow=2), asked("meeting", "old", allow=0),
                 asked("meeting", "old", allow=1), asked("meeting", "new", "old"), asked("meeting", "new", allow=99)]
    path = written(tmp_path / "set.jsonl", store(texts, *questions))
    found = files.measured(path)
    assert sorted(found.kinds["k"]) == [(0.0, 0.0)] * 2 + [(1.0, 1.0)] * 4
    assert found.questions == 6


def test_entries_stand_in_the_order_of_the_documents() -> None:
    texts = [sets.Doc(str(number), f"line {number}") for number in range(30)]
    with shelf.shelf() as opened:
        files.run(sets.Bundle("s", tuple(texts), (sets.Question("line", frozenset({"1"}), allow=7),
                                                  sets.Question("line", frozenset({"1"})))), opened, files.Tally())
        snapshot = opened.sidecar.store.snapshot
        assert [entry.text for entry in snapshot.by_age] == [doc.text for doc in texts]
        page = next(iter(snapshot.files["topics/general.md"].entries))
        assert page.text == "line 0" and not snapshot.problems
        assert len(opened.sidecar.store.own_records()) == 2


def test_awkward_documents_break_nothing(tmp_path: Path) -> None:
    """Empty, the same twice, with markers of ours, with control characters, half a character, an open fence, far too long."""
    awkward = {
        "empty": " \n ", "twice": "the same words", "again": "the same words", "open": "```\nnever closed",
        "marker": 'before <!-- deepseedian-entry {"id":"x"} -->\n<!-- /deepseedian-entry -->\n<!--deepsidian-catalog --> zebra',
        "control": "bell\x07 nul\x00 next\u2028line\r\nwindows", "half": "half \ud83d character", "fence": "~~~\ncode\n~~~\n---\nend",
        "long": "opening words. " + "padding text of no interest. " * 400 + "The needle is at the very end.", "dash": "---",
    }
    path = tmp_path / "set.jsonl"
    lines = store(awkward, asked("zebra", "marker"), asked("needle very end", "long"), asked("same words", "twice", "again"),
                  asked("bell windows", "control"), asked("half character", "half"), asked("never closed", "open"),
                  asked("", "open"), asked("?" * 50_000 + " zebra", "marker"), asked("half \ud83d", "half"), asked("x", "gone"))
    path.write_text(json.dumps(lines) + "\n\n", encoding="utf-8")
    found = files.measured(path)
    assert [score[1] for score in found.kinds["k"]][:6] == [1.0] * 6
    assert found.questions == 10 and found.empty == 1 and found.cut == 1 and found.docs == 10


def test_a_long_document_is_cut_at_sentences_and_nothing_is_lost() -> None:
    text = "".join(f"这是第{number}句话，说的是完全不同的一件事。" for number in range(300))
    parts = files.pieces(text, 500)
    assert "".join(parts) == text and max(map(len, parts)) <= 500 and all(part.endswith("。") for part in parts)
    assert files.pieces("x" * 4001) == ["x" * 2000, "x" * 2000, "x"] and files.pieces("") == []


@pytest.mark.parametrize(("line", "complaint"), [
    ("{", "line 2: not JSON"), ('"text"', "line 2: not an object"), ('{"docs":[]}', "`questions` is not a list"),
    ('{"docs":[{"id":"a"}],"questions":[]}', "line 2, document 1: no `text`"),
    ('{"docs":[{"text":"a"}],"questions":[]}', "an id is a text or a whole number"),
    ('{"docs":[],"questions":[{"gold":[]}]}', "question 1: no `q`"),
    ('{"docs":[],"questions":[{"q":"a","gold":"b"}]}', "`gold` is not a list"),
    ('{"docs":[],"questions":[{"q":"a","gold":[],"allow":-1}]}', "`allow` is not a number"),
    ("\udcff", "not JSON in UTF-8"),
])
def test_what_cannot_be_read_is_named_with_its_line(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b'{"docs":[],"questions":[]}\n' + line.encode(errors="surrogateescape") + b"\n")
    with pytest.raises(BadInput, match="line 2") as caught:
        list(sets.bundles(path))
    assert complaint in caught.value.message and caught.value.hint


def test_errors_on_the_command_line(tmp_path: Path) -> None:
    command = Command(tmp_path)
    assert command("eval", str(tmp_path / "missing"), status=2)["error"]["code"] == "bad_input"
    torn = tmp_path / "torn.gz"
    torn.write_bytes(gzip.compress(b'{"docs":[],"questions":[]}\n' * 1000)[:40])
    assert "fetch the file again" in command("eval", str(torn), status=2)["error"]["hint"]
    assert command("eval", "--set", "recall.max_entries", str(torn), status=2)["error"]["code"] == "bad_input"
    assert command("eval", "--set", "recall.max_entries=900", str(torn), status=2)["error"]["code"] == "bad_setting"


@pytest.mark.parametrize("room", [True, False], ids=["in-memory", "on-disk"])
def test_nothing_stays_behind_even_when_it_is_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: bool) -> None:
    (tmp_path / "memory").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(shelf, "MEMORY", tmp_path / "memory")
    monkeypatch.setattr(shelf, "ROOM", 0 if room else 10**18)
    state = Path(os.environ["DEEPSEEDIAN_STATE_DIR"])
    locks: list[str] = []
    for interrupted in (False, True):
        try:
            with shelf.shelf() as opened:
                opened.add([shelf.Item("aaaaaaaa-0000-4000-8000-000000000001", "text", shelf.later(0, 1))])
                device, inode = identity(opened.sidecar.store.root)
                locks.append(f"{device:x}-{inode:x}.write")
                assert (lock_folder() / locks[-1]).exists()
                assert opened.sidecar.vault.root.is_relative_to(tmp_path / "memory" if room else tmp_path)
                assert opened.sidecar.vault.root.is_relative_to(tmp_path / "memory") == room
                assert Path(os.environ["DEEPSEEDIAN_STATE_DIR"]) != state
                if interrupted:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            pass
        assert not list(tmp_path.rglob(f"{shelf.PREFIX}*")) and not state.exists()
        assert not any((lock_folder() / name).exists() for name in locks)
        assert os.environ["DEEPSEEDIAN_STATE_DIR"] == str(state)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a program without asking it")
def test_a_terminated_run_leaves_nothing_either(tmp_path: Path) -> None:
    texts = {str(number): f"entry {number}" for number in range(20)}
    path = written(tmp_path / "many.jsonl", *[store(texts, asked("entry", "1"), name=str(number)) for number in range(2000)])
    process = subprocess.Popen([*program(), "eval", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    places = [shelf.MEMORY, Path(tempfile.gettempdir())]

    def left() -> list[Path]:
        return [found for place in places if place.is_dir() for found in place.glob(f"{shelf.PREFIX}{process.pid}-*")]

    try:
        assert until(left, 30)
        process.terminate()
        assert process.wait(30) == 143 and not left()
    finally:
        process.kill()
        process.communicate()


def test_settings_of_the_environment_and_the_line_are_in_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEDIAN_RECALL_MAX_ENTRIES", "3")
    items = [shelf.Item(f"aaaaaaaa-0000-4000-8000-{number:0>12}", f"the lighthouse keeper number {number}", shelf.later(0, number))
             for number in range(6)]
    for overrides, most in ((None, 3), ({"recall.max_entries": 2}, 2)):
        with shelf.shelf(overrides) as opened:
            opened.add(items)
            assert len(opened.offered("Who is the lighthouse keeper?")) == most
            assert len(opened.ranked("Who is the lighthouse keeper?", 12)) == 6


@needs_data
def test_a_real_set_scores_as_its_reference() -> None:
    """Chinese passages: a ranking by pairs of characters finds nearly all of them."""
    document = files.measured(Path(DATA) / "retrieval/cmrc-zh.jsonl.gz").document("cmrc")
    assert document["docs"] == 848 and document["questions"] == 1073
    assert document["recall@12"] >= 0.99  # type: ignore[operator]
