"""A recall with all that bears on it: sessions, shadow, the judge, damaged files, changes meanwhile; and its receipt."""

import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deepseedian.core.text import outline
from deepseedian.errors import BadInput
from deepseedian.sidecar import Sidecar
from deepseedian.store.seam import Seam
from tests.memory.test_judging import Scripted, chatting

QUESTION = "周会改到几点了？"


def said(sidecar: Sidecar, question: str = QUESTION, **about: Any) -> list[str]:
    return [row["summary"] for row in sidecar.recall(question, **about)["index"]]  # type: ignore[attr-defined]


def receipt(sidecar: Sidecar) -> dict[str, Any]:
    """The last one."""
    return sidecar.recalls.get(sidecar.recalls.page(limit=1)["receipts"][0]["id"])  # type: ignore[index]


@pytest.fixture
def filled(sidecar: Sidecar) -> Sidecar:
    for text in ("周会改到周四下午三点", "Our staging port is 8443"):
        sidecar.remember(text)
    return sidecar


def test_every_recall_has_a_receipt_with_parts_and_reasons(filled: Sidecar) -> None:
    told = filled.recall(QUESTION, session="chat", door="hook", why=True)
    kept = receipt(filled)
    assert kept["receipt"]["offered"] == told["receipt"]["offered"] and kept["receipt"]["offered"][0]["parts"]  # type: ignore[index]
    assert (kept["question"], kept["session"], kept["door"], kept["shadow"]) == (QUESTION, "chat", "hook", False)
    filled.recall("hello")
    assert receipt(filled)["receipt"]["reason"] == "smalltalk"


def test_what_is_prepared_is_what_recall_works_out_and_goes_with_what_is_erased(filled: Sidecar) -> None:
    """A text that was prepared is not worked out again; nothing of it stays once it is erased."""
    outline.cache_clear()
    filled.prepare(0.0)
    before = outline.cache_info()
    assert before.currsize == 2
    assert filled.recall(QUESTION)["index"] and outline.cache_info().misses == before.misses
    filled.erase(str(filled.entries()["entries"][0]["id"]))  # type: ignore[index]
    assert outline.cache_info().currsize == 0


def test_an_entry_is_given_once_a_session_until_it_changes(filled: Sidecar) -> None:
    give = {"inject": True, "session": "chat"}
    assert len(said(filled, **give)) == 1 and said(filled, **give) == [] and len(said(filled, inject=True, session="other")) == 1
    assert filled.recall(QUESTION, **give)["reason"] == "this session has received what matches"  # type: ignore[arg-type]
    assert len(said(filled)) == len(said(filled, inject=True)) == 1, "a search by hand and a recall without a session repeat"
    key = str(filled.recall(QUESTION)["index"][0]["id"])  # type: ignore[index]
    filled.edit(key, "周会改到周五下午三点")
    assert said(filled, **give) == ["周会改到周五下午三点"]


def test_repeat_by_turn_and_off(filled: Sidecar) -> None:
    give = {"inject": True, "session": "chat"}
    filled.set_setting("inject.repeat", "turn")
    assert [len(said(filled, **give)) for _ in range(4)] == [1, 0, 1, 0]
    filled.set_setting("inject.repeat", "off")
    assert [len(said(filled, **give)) for _ in range(2)] == [1, 1]


def test_shadow_keeps_the_receipt_and_offers_nothing(filled: Sidecar) -> None:
    filled.set_setting("shadow", "on")
    told = filled.recall(QUESTION, inject=True, session="chat")
    kept = receipt(filled)
    assert told["index"] == [] and told["text"] == "" and kept["shadow"] and kept["receipt"]["offered"]
    filled.set_setting("shadow", "off")
    assert len(said(filled, inject=True, session="chat")) == 1, "what was not given may be given"


def test_injected_text_and_its_limits(filled: Sidecar) -> None:
    told = filled.recall(QUESTION, inject=True)
    assert str(told["text"]).startswith("- [general] 周会改到周四下午三点 (") and str(told["index"][0]["id"]) in str(told["text"])  # type: ignore[index]
    filled.set_setting("inject.max_chars", "100")
    filled.remember("周会改到几点了要看" + "很长的说明" * 60)
    told = filled.recall(QUESTION, inject=True, why=True)
    assert len(str(told["text"])) <= 100 and "budget" in {item["reason"] for item in told["receipt"]["leftOut"]}  # type: ignore[index]


def test_questions_have_an_end(filled: Sidecar) -> None:
    assert said(filled, "周会几点？" + "x" * 39_990) is not None
    with pytest.raises(BadInput):
        filled.recall("x" * 40_001)
    for session in ("a\nb", "x" * 201):
        with pytest.raises(BadInput):
            filled.recall("x", session=session)


@pytest.mark.parametrize("question", ["周会\ud800几点？", "\udfff" * 10, "周会\0几点？"])
def test_what_no_file_can_hold_costs_no_receipt(filled: Sidecar, question: str) -> None:
    """One question that cannot be written must not keep those behind it in the queue for good."""
    filled.recall(question, session="chat")
    filled.recall(QUESTION, session="chat")
    assert filled.recalls.flush() and receipt(filled)["question"] == QUESTION


# The judge

def judged(opened: Callable[..., Sidecar], chat: Scripted, **settings: str) -> Sidecar:
    sidecar = opened()
    sidecar.seam = replace(Seam(), chat=lambda: chat)
    for text in ("周会改到周四下午三点", "周会在三楼会议室"):
        sidecar.remember(text)
    for name, value in {"judge.deadline_ms": "0", **settings}.items():
        sidecar.set_setting(name.replace("__", "."), value)
    return sidecar


def test_the_judge_drops(opened: Callable[..., Sidecar]) -> None:
    sidecar = judged(opened, chatting('{"keep":[1]}'))
    told = sidecar.recall(QUESTION, why=True)
    assert len(told["index"]) == 1 and [item["reason"] for item in told["receipt"]["leftOut"]] == ["judge"]  # type: ignore[arg-type,index]
    assert receipt(sidecar)["judge"]["state"] == "judged"


@pytest.mark.parametrize("settings", [{"judge": "off"}, {"smart": "off"}])
def test_without_a_judge_all_pass(opened: Callable[..., Sidecar], settings: dict[str, str]) -> None:
    chat = chatting('{"keep":[]}')
    assert len(said(judged(opened, chat, **settings))) == 2 and not chat.asked


def test_a_finer_setting_goes_before_smart(opened: Callable[..., Sidecar]) -> None:
    assert said(judged(opened, chatting('{"keep":[]}'), smart="off", judge="llm")) == []


def test_failure_lets_all_pass(opened: Callable[..., Sidecar]) -> None:
    sidecar = judged(opened, chatting(RuntimeError("boom")))
    told = sidecar.recall(QUESTION)
    assert len(told["index"]) == 2 and receipt(sidecar)["judge"]["state"] == "failed"  # type: ignore[arg-type]


def test_a_late_verdict_reaches_its_receipt(opened: Callable[..., Sidecar]) -> None:
    chat = chatting('{"keep":[1]}', held=True)
    sidecar = judged(opened, chat, **{"judge.deadline_ms": "1"})
    told = sidecar.recall(QUESTION)
    assert len(told["index"]) == 2  # type: ignore[arg-type]
    chat.gate.set()
    waiting = threading.Event()
    for _ in range(400):
        if receipt(sidecar)["judge"]["state"] == "arrived":
            break
        waiting.wait(0.02)
    assert len(receipt(sidecar)["judge"]["dropped"]) == 1


# Damage and change meanwhile

@pytest.mark.parametrize("harm", [
    "UPDATE terms SET postings = x'0102'", "UPDATE terms SET postings = x'ffffff7f'", "UPDATE entries SET meta = '{'", "DROP TABLE terms", "DELETE FROM about WHERE name = 'beside'",
    "UPDATE about SET value = x'00' WHERE name = 'lengths'", "UPDATE about SET value = x'' WHERE name = 'ages'", "UPDATE about SET value = 'x' WHERE name = 'average'", ""])
def test_a_damaged_cache_gives_way_to_memory(opened: Callable[..., Sidecar], harm: str) -> None:
    first = opened(resident=True)
    first.warm()
    first.remember("周会改到周四下午三点")
    first.close()
    if harm:
        with sqlite3.connect(first.cache_path) as connection:
            connection.execute(harm)
        connection.close()
    else:
        data = bytearray(first.cache_path.read_bytes())
        data[4096:] = bytes(len(data) - 4096)
        first.cache_path.write_bytes(data)
    second = opened(resident=True)
    warming = threading.Timer(0.1, second.warm)
    warming.start()
    try:
        assert said(second) in (["周会改到周四下午三点"], []), "what is cold may miss, but answers"
    finally:
        warming.join()
    assert said(second) == ["周会改到周四下午三点"]


@pytest.mark.parametrize("name", ["recall.db", "vectors.db"])
def test_a_damaged_log_costs_no_recall(opened: Callable[..., Sidecar], name: str) -> None:
    first = opened()
    first.remember("周会改到周四下午三点")
    first.recall(QUESTION)
    first.close()
    (Path(first.instance.folder) / name).write_bytes(b"\xff" * 5000)
    second = opened()
    assert len(said(second, inject=True, session="chat")) == 1 and second.recalls.flush()


def test_recalls_while_memory_changes_and_is_erased(sidecar: Sidecar) -> None:
    """Each answer is of one revision: an entry is offered with a text it had, and none is there twice."""
    key = str(sidecar.remember("周会改到周0")["id"])
    faults: list[BaseException] = []
    done = threading.Event()

    def ask() -> None:
        try:
            while not done.is_set():
                rows = sidecar.recall(QUESTION)["index"]
                assert len({row["id"] for row in rows}) == len(rows) and all("周会" in row["summary"] for row in rows)  # type: ignore[attr-defined]
                sidecar.search("周会", as_of="2999-01-01")
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for number in range(1, 7):
            sidecar.edit(key, f"周会改到周{number}")
            sidecar.erase(str(sidecar.remember(f"周会另外一条 {number}")["id"]))
    finally:
        done.set()
        for thread in threads:
            thread.join(30)
    assert not faults and said(sidecar) == ["周会改到周6"]


def test_a_search_pages_through_everything_once(sidecar: Sidecar) -> None:
    for number in range(90):
        sidecar.remember(f"周会记录 {number} {'会议' * (number % 5)}")
    rows: list[str] = []
    while (page := sidecar.search("周会 会议", offset=len(rows)))["results"]:
        rows += [row["id"] for row in page["results"]]  # type: ignore[attr-defined]
    assert len(rows) == page["total"] == 90 and len(set(rows)) == 90
