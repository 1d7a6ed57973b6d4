"""What recall remembers of itself: nothing waits for the disk, nothing grows without end, nothing that is erased stays."""

import sqlite3
import stat
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from deepseedian.core.entry import stamp
from deepseedian.errors import BadInput, Busy, NotFound
from deepseedian.store import receipts as module
from deepseedian.store.database import Database, values
from deepseedian.store.receipt import Judged, Receipt
from deepseedian.store.receipts import KEPT_DAYS, SIGNAL_DAYS, Receipts
from tests.doubles import START

DAY = 86_400.0
DOCUMENT = {"terms": ["周会", "几点"], "matched": 3, "reason": "",
            "offered": [{"id": "a", "score": 2.0, "reason": "match", "parts": [{"term": "周会", "score": 2.0}]},
                        {"id": "b", "score": 1.0, "reason": "match", "parts": []}],
            "leftOut": [{"id": "c", "score": 0.5, "reason": "limit", "parts": []}]}


@pytest.fixture
def receipts(tmp_path: Path) -> Iterator[Receipts]:
    opened = Receipts(tmp_path / "recall.db")
    yield opened
    opened.close()


def one(key: str = "r1", at: float = START, **about: object) -> Receipt:
    return replace(Receipt(key, stamp(at), "周会几点？", DOCUMENT, "socket", "chat", "rev", {"a": "h1", "b": "h2"}), **about)  # type: ignore[arg-type]


def test_a_receipt_comes_back_whole(receipts: Receipts) -> None:
    receipts.keep(one(chars=120, tokens=40, milliseconds=0.8, judged=Judged("judged", ("a",), ("b",), 210.0)))
    found = receipts.get("r1")
    assert found["receipt"] == DOCUMENT and found["injected"] == ["a", "b"] and found["question"] == "周会几点？"
    assert (found["door"], found["chars"], found["tokens"], found["shadow"]) == ("socket", 120, 40, False)
    assert found["judge"] == {"state": "judged", "kept": ["a"], "dropped": ["b"], "milliseconds": 210.0}
    assert stat.S_IMODE(receipts.path.stat().st_mode) == 0o600


def test_pages_are_newest_first_and_by_session(receipts: Receipts) -> None:
    for number in range(5):
        receipts.keep(one(f"r{number}", session="odd" if number % 2 else "even"))
    assert [row["id"] for row in receipts.page(limit=2, offset=1)["receipts"]] == ["r3", "r2"]  # type: ignore[attr-defined]
    page = receipts.page("odd")
    assert page["total"] == 2 and [row["offered"] for row in page["receipts"]] == [["a", "b"], ["a", "b"]]  # type: ignore[attr-defined]
    with pytest.raises(BadInput):
        receipts.page(limit=0)
    with pytest.raises(NotFound):
        receipts.get("unknown")


def test_they_are_written_behind_without_being_asked(receipts: Receipts) -> None:
    receipts.keep(one())
    until = time.monotonic() + 20
    while time.monotonic() < until and not (receipts.path.exists() and _count(receipts.path) == 1):
        time.sleep(0.02)
    assert _count(receipts.path) == 1


def _count(path: Path) -> int:
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
        found = connection.execute("SELECT count(*) FROM receipts").fetchone()[0]
        connection.close()
    except sqlite3.Error:
        return -1
    return int(found)


def test_close_writes_what_waits(tmp_path: Path) -> None:
    receipts = Receipts(tmp_path / "recall.db", batch_seconds=60)
    receipts.keep(one())
    receipts.close()
    receipts.close()
    assert Receipts(tmp_path / "recall.db").get("r1")["id"] == "r1"


def test_keeping_costs_the_recall_next_to_nothing(tmp_path: Path) -> None:
    receipts = Receipts(tmp_path / "recall.db", batch_seconds=60)
    took = []
    for number in range(500):
        receipt = one(f"r{number}")
        began = time.perf_counter()
        receipts.keep(receipt)
        took.append(time.perf_counter() - began)
    assert sorted(took)[250] < 50e-6
    receipts.close()


def test_a_full_queue_leaves_out_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 3)
    receipts = Receipts(tmp_path / "recall.db", batch_seconds=60)
    for number in range(5):
        receipts.keep(one(f"r{number}"))
    assert receipts.page()["total"] == 3 and "2 receipts" in receipts.faults["receipts_lost"]
    receipts.close()


def test_a_receipt_that_cannot_be_told_costs_no_other(receipts: Receipts) -> None:
    def broken() -> Mapping[str, object]:
        raise ZeroDivisionError

    receipts.keep(replace(one("bad"), document=broken))
    for number in range(3):
        receipts.keep(one(f"r{number}"))
    assert receipts.flush() and receipts.page()["total"] == 3 and "1 receipts" in receipts.faults["receipts_lost"]
    receipts.keep(one("later"))
    assert receipts.page()["total"] == 4


def test_a_locked_file_costs_no_recall_and_no_receipt(receipts: Receipts, monkeypatch: pytest.MonkeyPatch) -> None:
    receipts.keep(one())
    assert receipts.flush()

    def busy(*_: object) -> None:
        raise Busy("recall.db: database is locked")

    with monkeypatch.context() as locked:
        locked.setattr(Database, "transaction", busy)
        receipts.keep(one("r2"))
        assert not receipts.flush() and "receipts_unwritten" in receipts.faults
    assert receipts.flush() and receipts.page()["total"] == 2 and not receipts.faults


@pytest.mark.parametrize("damage", [b"not a database at all", b"\0" * 8192])
def test_a_damaged_file_is_set_aside_and_begun_anew(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "recall.db").write_bytes(damage)
    receipts = Receipts(tmp_path / "recall.db")
    receipts.keep(one())
    assert receipts.page()["total"] == 1 and "receipts_set_aside" in receipts.faults
    assert (tmp_path / "recall.unreadable").read_bytes() == damage
    receipts.close()


def test_a_file_damaged_while_it_is_open_is_set_aside(tmp_path: Path) -> None:
    receipts = Receipts(tmp_path / "recall.db")
    for number in range(1000):  # more than SQLite keeps in memory
        receipts.keep(one(f"r{number}", question=f"{number} " * 1000))
    receipts.close()
    size = (tmp_path / "recall.db").stat().st_size
    receipts = Receipts(tmp_path / "recall.db")
    receipts.page()
    with (tmp_path / "recall.db").open("r+b") as file:
        file.seek(4096)
        file.write(b"\0" * (size - 4096))
    with pytest.raises(Busy):
        receipts.erase({"a"}, ["nothing"])
    receipts.keep(one("again"))
    assert receipts.page()["total"] == 1 and "receipts_set_aside" in receipts.faults
    receipts.close()


def test_a_text_that_is_none_is_damage_and_no_error_of_ours(receipts: Receipts) -> None:
    receipts.keep(one())
    receipts.page()
    with receipts._opened().transaction() as connection:
        connection.execute("UPDATE receipts SET question = CAST(x'ffff' AS TEXT)")
    with pytest.raises(Busy):
        receipts.page()
    assert receipts.page()["total"] == 0 and "receipts_set_aside" in receipts.faults


def test_what_a_session_was_given(receipts: Receipts, tmp_path: Path) -> None:
    receipts.keep(one("r1", injected={"a": "h1"}))
    receipts.keep(one("r2", injected={"b": "h2"}, again={"a": "h1"}))
    receipts.keep(one("r3", injected={"z": "h9"}, session="other"))
    receipts.keep(one("r4", injected={"s": "h9"}, shadow=True))
    for opened in (receipts, Receipts(tmp_path / "recall.db")):
        opened.flush()
        assert opened.injected("chat") == {"a": "h1", "b": "h2"} and opened.injected("chat", "turn") == {"b": "h2"}
        assert opened.injected("chat", "off") == opened.injected("") == opened.injected("new") == {}
    receipts.keep(one("r5", injected={"a": "h1 changed"}))
    assert receipts.injected("chat") == {"a": "h1 changed", "b": "h2"}, "it is known at once, before anything is written"
    assert receipts.injected("chat", "turn") == {"a": "h1 changed"}
    receipts.keep(one("r6", injected={}))
    assert receipts.injected("chat", "turn") == {}
    assert [(item.receipt, set(item.entries)) for item in receipts.injections("chat", 9)] == [
        ("r6", set()), ("r5", {"a"}), ("r2", {"a", "b"}), ("r1", {"a"})]


def test_feedback_and_corrections_are_signals_of_one_text(receipts: Receipts) -> None:
    assert receipts.signals() == {}
    receipts.feedback("a", "h1", "useful", stamp(START))
    receipts.feedback("a", "h1", "wrong", stamp(START))
    receipts.feedback("a", "h2", "useful", stamp(START))
    for _ in range(2):
        receipts.outcome({"a": "h1", "b": "h3"}, stamp(START), ["周会", "几点"], "r1", "message 1")
    receipts.outcome({"a": "h1"}, stamp(START), ["周会"], "r2", "message 2")
    found = receipts.signals()
    assert (found["a"]["h1"].useful, found["a"]["h1"].wrong, found["a"]["h2"].useful) == (1, 1, 1)
    assert found["a"]["h1"].corrected == (frozenset({"周会", "几点"}), frozenset({"周会"}))
    assert found["b"]["h3"].corrected == (frozenset({"周会", "几点"}),), "the same message counts once"
    with pytest.raises(BadInput):
        receipts.feedback("a", "h1", "maybe", stamp(START))


def test_a_verdict_is_about_what_the_judge_looked_at(receipts: Receipts) -> None:
    receipts.keep(one(judged=Judged("judged", ("a",), ("b",), 10.0)))
    assert receipts.verdict("r1", "b", "wrong", stamp(START)) == {"receipt": "r1", "entry": "b", "kept": False, "verdict": "wrong"}
    assert receipts.get("r1")["verdicts"] == {"b": "wrong"}
    for receipt, entry, word, error in (("r1", "c", "right", NotFound), ("r9", "a", "right", NotFound), ("r1", "a", "good", BadInput)):
        with pytest.raises(error):
            receipts.verdict(receipt, entry, word, stamp(START))


def test_a_late_verdict_reaches_its_receipt(receipts: Receipts) -> None:
    verdict = {"state": "arrived", "kept": ["a"], "dropped": ["b"], "milliseconds": 1300.0}
    receipts.keep(one(judged=Judged("late", ("a", "b"))))
    assert receipts.get("r1")["judge"] == {"state": "late", "kept": [], "dropped": [], "milliseconds": 0.0}, "nobody has judged them"
    receipts.judged("r1", Judged("arrived", ("a",), ("b",), 1300.0))
    assert receipts.get("r1")["judge"] == verdict
    receipts.judged("r2", Judged("arrived", ("a",), ("b",), 1300.0))
    receipts.flush()
    receipts.keep(one("r2", judged=Judged("late")))
    assert receipts.get("r2")["judge"] == verdict, "it came before its receipt"


def test_sums_count_the_last_days_only(receipts: Receipts) -> None:
    receipts.keep(one("old", START - 7 * DAY, chars=1000))
    receipts.keep(one("r1", START, chars=100, tokens=30, judged=Judged("judged", ("a",), ("b",), 10.0)))
    receipts.keep(one("r2", START, chars=50, tokens=20, injected={}, shadow=True))
    for at in (START, START, START - 9 * DAY):
        receipts.count("judge", stamp(at))
        receipts.count("embedding", stamp(at), 2)
    receipts.feedback("a", "h", "wrong", stamp(START))
    receipts.outcome({"a": "h"}, stamp(START), [], "r1", "m")
    receipts.verdict("r1", "a", "right", stamp(START))
    receipts.verdict("r1", "b", "wrong", stamp(START))
    found = receipts.stats(7, START)
    assert found == {"days": 7, "since": "2025-12-27", "recalls": 2, "shadow": 1, "withMemory": 1, "injectedChars": 150,
                     "estimatedTokens": 50, "judgeKept": 1, "judgeDropped": 1, "judgeCalls": 2, "embeddingCalls": 4,
                     "verdictsChecked": 2, "verdictsWrong": 1, "corrections": 1, "useful": 0, "wrong": 1}
    assert receipts.stats(8, START)["recalls"] == 3
    with pytest.raises(BadInput):
        receipts.stats(0, START)


def test_nothing_erased_stays_anywhere(receipts: Receipts) -> None:
    secret, other = "我把备用钥匙藏在花盆下面了", "周会改到每周四下午三点"
    words = {"terms": ["钥匙", "花盆"], "offered": [{"id": "gone", "parts": [{"term": "花盆"}]}, {"id": "b"}], "leftOut": []}
    receipts.keep(one("told", question=f"你记得{secret}吗？", document=words, injected={"gone": "h1", "b": "h2"}))
    receipts.keep(one("offered", question="花盆在哪", document=words, injected={"gone": "h1", "b": "h2"}, judged=Judged("judged", ("gone",), ("b",))))
    receipts.keep(one("apart", question=other))
    receipts.outcome({"b": "h2"}, stamp(START), ["备用", "钥匙"], "told", "m1")
    receipts.outcome({"gone": "h1"}, stamp(START), ["花盆"], "offered", "m2")
    receipts.feedback("gone", "h1", "useful", stamp(START))
    receipts.verdict("offered", "gone", "right", stamp(START))
    receipts.injected("chat")
    assert receipts.erase({"gone"}, [secret]) > 0
    assert receipts.get("told")["question"] == "(erased)" and receipts.get("told")["receipt"] == {}
    offered = receipts.get("offered")
    assert offered["question"] == "花盆在哪" and offered["injected"] == ["b"] and offered["verdicts"] == {}
    assert offered["receipt"] == {"terms": ["钥匙", "花盆"], "offered": [{"id": "b"}], "leftOut": []}
    assert offered["judge"] == {"state": "judged", "kept": [], "dropped": ["b"], "milliseconds": 0.0}
    assert receipts.get("apart")["receipt"] == DOCUMENT and receipts.get("apart")["question"] == other
    assert set(receipts.signals()) == {"b"} and receipts.signals()["b"]["h2"].corrected == (frozenset(),)
    assert "gone" not in receipts.injected("chat")
    receipts.close()
    held = b"".join([*values(receipts.path), *(path.read_bytes() for path in receipts.path.parent.glob("recall.db*"))])
    assert b"gone" not in held and secret.encode() not in held and "备用".encode() not in held


def test_erasing_where_nothing_is_kept_makes_no_file(receipts: Receipts) -> None:
    assert receipts.erase({"a"}, ["text"]) == 0 and receipts.prune(START) == 0 and receipts.signals() == {}
    assert not receipts.path.exists()


def test_old_rows_go_by_age_feedback_later(receipts: Receipts) -> None:
    receipts.keep(one("old", START - (KEPT_DAYS + 1) * DAY, session="old"))
    receipts.keep(one("new", START))
    receipts.feedback("a", "h", "useful", stamp(START - (KEPT_DAYS + 1) * DAY))
    receipts.feedback("b", "h", "useful", stamp(START - (SIGNAL_DAYS + 1) * DAY))
    assert receipts.injected("old")
    assert receipts.prune(START) == 1
    assert [row["id"] for row in receipts.page()["receipts"]] == ["new"] and not receipts.injected("old")  # type: ignore[attr-defined]
    assert set(receipts.signals()) == {"a"}


def test_the_file_is_bounded_by_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RECEIPTS", 10)
    monkeypatch.setattr(module, "_TRIM_EVERY", 5)
    receipts = Receipts(tmp_path / "recall.db", batch_seconds=60)
    for number in range(40):
        receipts.keep(one(f"r{number}"))
        receipts.flush()
    assert receipts.page()["total"] == 10 and receipts.recalled("a")["total"] == 10
    receipts.close()


def test_many_threads_lose_nothing(receipts: Receipts) -> None:
    def many(name: str) -> None:
        for number in range(100):
            receipts.keep(one(f"{name}{number}", session=name))
            receipts.count("judge", stamp(START))
            if number % 20 == 0:
                receipts.page(name)

    threads = [threading.Thread(target=many, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert receipts.page()["total"] == 400 and receipts.stats(1, START)["judgeCalls"] == 400 and not receipts.faults


def test_how_often_an_entry_was_given(receipts: Receipts) -> None:
    receipts.keep(one("r1", START))
    receipts.keep(one("r2", START + 1, injected={"b": "h"}, again={"a": "h1"}))
    receipts.keep(one("r3", START + 2))
    found = receipts.recalled("a")
    assert found["total"] == 2 and [item["receipt"] for item in found["recalls"]] == ["r3", "r1"]  # type: ignore[attr-defined]
