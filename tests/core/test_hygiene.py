"""Text that is no statement, and text that looks like it and is one."""

import pytest

from deepseedian.core import hygiene


@pytest.mark.parametrize(("text", "why"), [
    ("CafÃ© au lait is what I drink", "damaged"), ("璁颁綇鍛ㄤ細鍦ㄥ懆鍥涗笅鍗堜笁鐐", "damaged"), ("the name is J\ufffdrgen", "damaged"), ("锟斤拷锟斤拷 是会议室", "damaged"),
    ("the plan the plan the plan the plan", "over and over"), ("记住记住记住记住记住", "over and over"),
    ("the key dGhpcyBpcyBhIGxvbmcgYmFzZTY0IHN0cmluZyB0aGF0IGlzIGxvbmcxMjM0NTY3ODk=", "encoded"),
    ("dump 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff 00", "encoded"), ("f" * 40 + "0" * 40, "encoded"),
    ('{"role": "user", "content": "I like jazz"}', "raw data"), ('note: {"a": 1, "b": 2}', "raw data"), ("[[1, 2], [3, 4]]", "raw data"),
    ("I like jazz (score: 0.93)", "scores"), ("confidence=0.71 recall_count=3.0 the user likes jazz", "scores"),
    ("- [general] I like jazz (2026-01-02, 123e4567-e89b-12d3-a456-426614174000)", "own text"), ("=== memory 0123456789abcdef (data)", "own text"),
    ("<!-- deepseedian-entry {} -->", "own text"), ('x "summary": y', "own text"),
])
def test_what_is_no_statement(text: str, why: str) -> None:
    assert why in hygiene.fault(text)


@pytest.mark.parametrize("text", [
    "Café für Jürgen – naïve “quotes” — and dashes…", "周会改到周四下午三点，在三楼会议室开。", "哈哈哈哈哈哈哈哈，我喜欢这部电影", "release 0123456789abcdef0123456789abcdef01234567",
    "https://example.com/a/b/cdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/x", "our confidence threshold is 0.7", "前同事 Kevin 负责登记",
    "[[Garden]] is my main note", "see [the plan](plan.md)", "no no no, never", "we write {name} in templates", "-----------------------------------------------------------",
    "the title is 人人人人", "donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
])
def test_what_may_be_one(text: str) -> None:
    assert hygiene.fault(text) == ""


def test_hidden_characters_are_named_once() -> None:
    assert hygiene.hidden("a\u200bb\u200bc\u202ed") == ("U+200B", "U+202E")
    assert hygiene.hidden("👩\u200d💻 周会") == ()


def test_long_texts_are_looked_at_quickly() -> None:
    for piece in ("ab", "我们", "Ã©", "A1a", "{\"a\":", "0.1 score=", "- [a] ", "浣犲"):
        hygiene.fault(piece * 100_000)
