import pytest

from deepseedian.core.candidate import candidates


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
