"""The measurement of the owner's own vault touches nothing; what the numbers are computed from is what is said."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store import lock
from tests.commands import ROOT

SCRIPTS = ROOT / "scripts"
TEXTS = ("周会改到每周三下午，地点在三楼会议室，大家记得带上电脑", "The deploy script needs a dry run before every release on Friday",
         "Tabs, not spaces, in the garden project", "我不喜欢太甜的咖啡，早上只喝美式，下午改喝绿茶，晚上什么都不喝")


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))


def remembered(vault: Path, *texts: str) -> None:
    sidecar = Sidecar.open(vault)
    for text in texts:
        sidecar.remember(text)
    sidecar.close()


def everything(*folders: Path) -> dict[str, tuple[str, int, int]]:
    """Every file and folder below these: its bytes, its mode, when it was changed."""
    found = {}
    for folder in folders:
        for path in (folder, *sorted(folder.rglob("*"))):
            info = path.lstat()
            data = path.read_bytes() if path.is_file() else b""
            found[str(path)] = (hashlib.sha256(data).hexdigest(), info.st_mode, info.st_mtime_ns)
    return found


def bench(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, str(SCRIPTS / "benchmarks_recall.py"), *words], capture_output=True, encoding="utf-8", timeout=60,
                          env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"})


@pytest.mark.parametrize("memory_folder", ["", "Memory"])
def test_measuring_ones_own_vault_writes_nothing(tmp_path: Path, memory_folder: str, scripts: None, monkeypatch: pytest.MonkeyPatch,
                                                 capsys: pytest.CaptureFixture[str]) -> None:
    """Vault, state and configuration are byte for byte what they were, times included; no lock is made where locks usually lie."""
    from benchmarks_own import own  # type: ignore[import-not-found]

    vault = tmp_path / "own"
    initialise(vault, memory_folder=memory_folder)
    remembered(vault, *TEXTS)
    for path in vault.rglob("state.json"):  # opening this vault in place would write a new one
        path.unlink()
    homes = [tmp_path / "state", Path(os.environ["DEEPSEEDIAN_RUNTIME_DIR"])]
    before, environment, asked = everything(vault, *homes), dict(os.environ), []
    monkeypatch.setattr(lock, "lock_folder", lambda: asked.append("locks") or tmp_path / "locks")
    own(vault)
    assert everything(vault, *homes) == before
    assert not asked and not (tmp_path / "locks").exists()
    assert not (tmp_path / "config").exists()
    assert dict(os.environ) == environment
    printed = capsys.readouterr().out
    assert "own vault: 4 entries" in printed and "recall of 4 passages  p50 " in printed
    assert not any(word in printed for word in ("deploy", "周会", "Tabs")), "what the owner wrote is not printed"


def test_measuring_an_empty_or_missing_memory_says_so(tmp_path: Path, vault: Path) -> None:
    assert "own vault: 0 entries" in bench("--vault", str(vault)).stdout
    (tmp_path / "plain").mkdir()
    done = bench("--vault", str(tmp_path / "plain"))
    assert done.returncode == 1 and "no memory" in done.stderr and "Traceback" not in done.stderr


def test_questions_are_passages_of_their_entry(scripts: None) -> None:
    from benchmarks_own import CHARACTERS, WORDS, questions

    entries = [{"id": str(number), "text": text} for number, text in enumerate((*TEXTS, "中" * 500, "x" * 500, "a"))]
    made = questions(entries)
    assert sorted(id for id, _ in made) == [str(number) for number in range(len(entries))]
    for id, question in made:
        assert question and question in entries[int(id)]["text"]
        assert len(question) <= CHARACTERS * WORDS
    assert made == questions(entries)


@pytest.mark.parametrize(("found", "right"), [([2, 0], True), ([2], True), ([0, 2], False), ([0], False), ([], False), ([1, 2], True)])
def test_the_current_fact_must_be_offered_and_above_the_outdated_one(scripts: None, found: list[int], right: bool) -> None:
    from benchmarks_quality import current_first, outdated  # type: ignore[import-not-found]

    texts = ["我原本的週末整理地點想先定在總圖三樓", "今天下雨", "我後來把週末整理地點改成討論室", "週末整理地點以後再說"]
    old = outdated("宜庭目前的週末整理地點是什麼？", {2}, texts)
    assert old == [0]  # what came after is not outdated, what is about something else neither
    assert current_first({2}, old, found) is right


def test_halves_are_whole_stores_where_there_are_enough_and_never_move(scripts: None) -> None:
    from benchmarks_quality import halves

    stores = [{"store": f"s{number}"} for number in range(10)]
    half: Callable[[str, str], str] = halves(stores)
    sides = [half(f"s{number}", "any") for number in range(10)]
    assert sides.count("tune") == sides.count("held") == 5
    assert sides == [halves(list(reversed(stores)))(f"s{number}", "another") for number in range(10)]
    few = halves(stores[:2])
    spread = [few("s0", f"question {number}") for number in range(200)]
    assert 70 < spread.count("tune") < 130 and spread == [few("s0", f"question {number}") for number in range(200)]


def test_recall_at_k_is_the_share_of_the_gold_among_the_first(scripts: None) -> None:
    import contextlib

    from benchmarks_quality import measured

    class Fixed:
        def ranked(self, question: str, most: int) -> list[int]:
            return [5, 0, 6, 7, 8, 1, 9][:most]

    docs = [{"id": f"d{number}", "text": f"text {number}"} for number in range(10)]
    store: dict[str, Any] = {"store": "a", "docs": docs, "questions": [{"q": "one", "gold": ["d0", "d1"], "kind": "x"},
                                                                       {"q": "two", "gold": ["d3"], "kind": "x"}]}
    tally = measured([store], lambda texts: contextlib.nullcontext(Fixed()))
    assert (tally.share("all", 5), tally.share("all", 12)) == (0.25, 0.5)
