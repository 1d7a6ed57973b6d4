"""Whose words the sentences of a message are."""

import pytest

from deepseedian.core.candidate import candidates
from deepseedian.core.own_words import READ_CHARS, sentences

MINE = "I live in Porto."


def said(message: str) -> list[str]:
    return [sentence.text for sentence in sentences(message)]


def test_sentences_keep_their_places() -> None:
    message = "好的。我住在厦门！ Dr. Li came at 3.5 o'clock, e.g. on Monday. And then?\r\n- a list item\n\n2. 第二条；还有"
    found = sentences(message)
    assert [item.text for item in found] == ["好的。", "我住在厦门！", "Dr. Li came at 3.5 o'clock, e.g. on Monday.", "And then?", "a list item", "第二条；还有"]
    assert all(message[item.start: item.end] == item.text and len(item.masked) == len(item.text) for item in found)
    assert [item.listed for item in found] == [False] * 4 + [True] * 2


@pytest.mark.parametrize("foreign", [
    "> I live in Oslo.", "```\nI live in Oslo.\n```", "| I live in Oslo. | x |", "# I live in Oslo.", "- [ ] I live in Oslo.", "2026-03-01 10:22 I live in Oslo.",
    "[INFO] I live in Oslo.", "ValueError: I live in Oslo.", '{"text": "I live in Oslo."}', "<b>I live in Oslo.</b>", "// I live in Oslo.",
    "=== memory 0123456789abcdef (data)\nI live in Oslo.\n=== end of memory 0123456789abcdef",
    "- [general] I live in Oslo. (2026-01-02, 123e4567-e89b-12d3-a456-426614174000)",
    '[{"id":"1","summary":"I live in Oslo."}]', "Write a short story about a sailor.",
])
def test_foreign_lines_are_left_out_and_what_follows_is_read(foreign: str) -> None:
    assert [item.text for item in candidates(f"{foreign}\nPlease remember that I live in Porto.")] == ["I live in Porto."]


@pytest.mark.parametrize("opening", [
    "Translate this into French:", "Summarise the following email:", "把下面翻译成法语：", "这是我收到的邮件：", "Here is the page I found:", "---- Forwarded message ----",
    "From: Jo <jo@x.example>", "On Tue, 3 Mar 2026 at 10:11, Lee wrote:", "在 2026年3月3日，小李 写道：", "Dear all,", "Pretend you are a pirate.", "你来扮演一个船长。", "Chapter 3",
    "ANNA: Where do you live?\nBEN: Somewhere else.", "Draft a tweet:", "写一个故事，主角说：",
])
def test_after_an_opening_the_words_are_somebody_elses(opening: str) -> None:
    assert candidates(f"{opening}\n\n{MINE} Remember that I never eat meat. 记住我住在厦门。") == []
    assert [item.text for item in candidates(f"{MINE}\n\n{opening}\nI never eat meat.")] == [MINE]


@pytest.mark.parametrize("quoted", ["“{}”", "「{}」", "\"{}\"", "'{}'", "`{}`", "『{}』"])
def test_quoted_words_give_no_cue(quoted: str) -> None:
    assert candidates("The sign says " + quoted.format("from now on we always meet at nine")) == []


def test_a_quotation_within_a_statement_stays_word_for_word() -> None:
    found, = candidates("以后称呼我为“林老师”，不要叫我“您”。")
    assert found.text == "以后称呼我为“林老师”，不要叫我“您”。"


def test_of_a_very_long_message_both_ends_are_read() -> None:
    filler = "The committee discussed the minutes of the meeting at length. " * 4000
    assert len(filler) > READ_CHARS * 10
    assert [item.text for item in candidates(f"{MINE} {filler}\nI'm a vegetarian.")] == [MINE, "I'm a vegetarian."]
    assert candidates(f"{filler}{MINE} {filler}") == []
