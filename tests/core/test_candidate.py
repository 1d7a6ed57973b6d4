import time

import pytest

from deepseedian.core.candidate import candidates, conclusion


@pytest.mark.parametrize(("message", "text", "kind"), [
    ("记住：我写文章喜欢短段落", "我写文章喜欢短段落", "fact"),
    ("请记住我的周会在周四下午三点。", "我的周会在周四下午三点。", "fact"),
    ("帮我记一下，服务器在东京机房", "服务器在东京机房", "fact"),
    ("以后回答先给结论", "以后回答先给结论", "decision"),
    ("从现在起不要用表格。", "从现在起不要用表格。", "decision"),
    ("我不喜欢被打断", "我不喜欢被打断", "preference"),
    ("我对花生过敏", "我对花生过敏", "preference"),
    ("另外，我更喜欢深色主题", "我更喜欢深色主题", "preference"),
    ("Remember that releases happen on Thursdays.", "releases happen on Thursdays.", "fact"),
    ("please remember: my editor is Neovim 0.11", "my editor is Neovim 0.11", "fact"),
    ("From now on, answer in British English.", "From now on, answer in British English.", "decision"),
    ("I prefer tabs over spaces.", "I prefer tabs over spaces.", "preference"),
    ("I don't like long meetings", "I don't like long meetings", "preference"),
    ("Also, from now on use metric units.", "from now on use metric units.", "decision"),
    ("Call me Lin.", "Call me Lin.", "preference"),
])
def test_explicit_statements(message: str, text: str, kind: str) -> None:
    found, = candidates(message)
    assert (found.text, found.kind, found.correction) == (text, kind, False)
    assert found.quote in message


@pytest.mark.parametrize(("message", "text"), [
    ("不对，周会改到每周五下午三点", "周会改到每周五下午三点"), ("不对，应该是周五", "周五"), ("No, it's on Fridays.", "on Fridays."),
    ("更正：发布改到周三", "发布改到周三"),
])
def test_corrections(message: str, text: str) -> None:
    found = candidates(message)
    assert [(item.text, item.correction) for item in found] == [(text, True)]


@pytest.mark.parametrize("message", [
    "你还记得我喜欢什么吗？", "Do you remember what I like?", "记住了吗", "我喜欢这个方案吗？", "他说以后不要用表格", "She said: remember the milk run",
    "> 记住：这是引用的话", "```\n记住：这是代码\n```", "小说里主角说记住我的名字", "今天天气不错", "帮我写一个脚本", "Thanks, that works.", "remember",
    "Remember to buy milk", "记住今天要买牛奶", "| 记住 | 表格 |", "以后再说吧？", "“以后都听我的”，这句台词怎么样", "I like this one, right?",
])
def test_what_is_no_statement(message: str) -> None:
    assert candidates(message) == []


def test_at_most_two_a_message_in_order() -> None:
    found = candidates("记住：第一件事要紧。记住：第二件事要紧。记住：第三件事要紧。")
    assert [item.text for item in found] == ["第一件事要紧。", "第二件事要紧。"]


def test_hostile_messages_are_quick() -> None:
    for message in ("记住" * 50_000, "i " * 100_000, "。" * 100_000, "a." * 100_000, "```\n" * 50_000, "不对，" * 50_000):
        candidates(message)


@pytest.mark.parametrize(("message", "explicit", "implicit", "assist"), [
    ("记住：我住在厦门", 1, 1, 1), ("以后都用中文回答", 1, 1, 1), ("Always answer in French.", 0, 1, 1), ("I prefer tea.", 0, 1, 1), ("我们决定改用 Kafka。", 0, 1, 1),
    ("My sister's name is Ada.", 0, 0, 1), ("我们的预发集群部署在法兰克福。", 0, 0, 1),
])
def test_modes_take_more_and_more(message: str, explicit: int, implicit: int, assist: int) -> None:
    assert [len(candidates(message, mode=mode)) for mode in ("explicit", "implicit", "assist", "off")] == [explicit, implicit, assist, 0]


def test_the_strongest_are_taken_in_the_order_they_stand() -> None:
    message = "I live in Porto. I prefer tea. Remember that the office closes at six. From now on answer in French."
    assert [item.strength for item in candidates(message, 3)] == [2, 1, 1]
    assert [item.text for item in candidates(message, 1)] == ["the office closes at six."]


def test_longer_sentences_than_allowed_are_not_taken() -> None:
    long = "Remember that " + "the office, which lies behind the station, " * 6 + "closes at six."
    assert candidates(long) == [] and len(candidates(long, most_chars=400)) == 1


@pytest.mark.parametrize(("message", "kept"), [
    ("记住周会在周四。不对，周会在周五。", ["周会在周五。"]), ("记住周会在周四。哦不对，是周五。", ["周会在周四。哦不对，是周五。"]),
    ("From now on meet at nine. No, make that ten.", ["From now on meet at nine. No, make that ten."]),
    ("Remember that I live in Rome. Never mind, forget that.", []), ("记住我住在罗马。算了，别记了。", []),
    ("I'm a vegetarian. Please remember that.", ["I'm a vegetarian."]), ("我吃素，帮我记一下。", ["我吃素"]),
    ("Only use metric units, never inches.", ["Only use metric units, never inches."]),
])
def test_what_the_rest_of_the_message_does_to_a_statement(message: str, kept: list[str]) -> None:
    found = candidates(message)
    assert [item.text for item in found] == kept
    assert all(item.quote in message for item in found)


@pytest.mark.parametrize("message", [
    "Remember my password is sunflower", "My PIN is 4821.", "the door code: 7741#", "支付密码 880215，帮我记着", "记住我的身份证号 11010119900307123X",
    "Keep in mind that my card is 4111 1111 1111 1111", "From now on use ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8 for git.",
])
def test_credentials_are_never_taken(message: str) -> None:
    assert candidates(message) == []


@pytest.mark.parametrize("message", [
    "Remember that passwords are kept in Bitwarden.", "密钥都放 1Password，不进仓库。", "We rotate the deploy token every 90 days.", "Never paste API keys into the chat.",
])
def test_how_credentials_are_handled_is_no_credential(message: str) -> None:
    assert len(candidates(message)) == 1


def test_a_conclusion_of_the_assistant_is_its_last_one() -> None:
    found = conclusion("We tried three things. In conclusion: the cache was too small. Conclusion: raise the limit to 4 GB. Anything else?")
    assert found is not None and found.text == "raise the limit to 4 GB." and found.kind == "finding"
    assert conclusion("Here is the code you asked for.") is None and conclusion("Maybe the cause is the cache.") is None


def test_a_message_is_looked_through_in_a_moment() -> None:
    """Two hundred characters take half a millisecond; hostile ones of the greatest length stay within seconds."""
    message = "By the way, I'm red-green colour-blind, so charts should never rely on those two colours. 以后所有对外接口都要先过安全评审。" * 2
    began = time.thread_time()
    for _ in range(20):
        candidates(message)
    assert time.thread_time() - began < 20 * 0.01
    for piece in ("我们每", "请", "我的", "we use ", "please ", "“", "```\n", "a: b\n", "还有一件事要", "if i a, ", "\u200b", "不要"):
        for hostile in (piece * (200_000 // len(piece)), ((piece * 1000)[:990] + ". ") * 200):
            began = time.thread_time()
            candidates(hostile, 5, "assist", 1000)
            assert time.thread_time() - began < 5, piece
