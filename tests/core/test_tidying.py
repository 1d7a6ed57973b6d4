"""What a memory could be tidied by: near-duplicates, contradictions, entries past their date, topics out of shape."""

import pytest

from deepseedian.core import tidying
from deepseedian.core.tidying import Said

CONTRADICT = [
    ("The weekly meeting is on Tuesday at 10", "The weekly meeting is on Thursday at 14"), ("周会在周二下午三点", "周会在周四下午三点"),
    ("My favourite tea is oolong", "My favourite tea is sencha"), ("我最常喝的茶是乌龙", "我最常喝的茶是龙井"),
    ("The staging server runs on port 8080", "The staging server runs on port 9090"), ("I work on Fridays", "I do not work on Fridays"),
    ("我周五开会", "我周五不开会"), ("The rent is 900 euros a month", "The rent is 950 euros a month"), ("项目截止日期是五月三日", "项目截止日期是六月十日"),
    ("We deploy with Ansible", "We deploy with Terraform"),
]
SAME = [
    ("I prefer short answers.", "I prefer short answers"), ("I always drink oolong tea in the morning", "In the morning I always drink oolong tea"),
    ("我早上习惯喝乌龙茶", "我习惯早上喝乌龙茶"), ("The weekly meeting is on Tuesday at 10", "Our weekly meeting is on Tuesday at 10."),
    ("发布前要跑全部测试", "发布前要跑全部的测试"),
]
NEITHER = [
    ("I like tea", "I like coffee"), ("我喜欢茶", "我喜欢咖啡"), ("Anna lives in Bonn", "Otto lives in Bonn"), ("Anna was born in May", "Otto was born in June"),
    ("The red beacon is on pier 3", "The blue beacon is on pier 4"), ("I have a cat", "I have a dog"), ("张三负责前端", "李四负责前端"),
    ("The printer is in room 3", "The weekly meeting is at 3"), ("I read Kafka in 2019", "I went to Prague in 2019"), ("我会法语", "我会德语"),
    ("The alpha build takes 3 minutes", "The beta build takes 5 minutes"), ("", ""), ("x", "y"),
]


@pytest.mark.parametrize(("old", "new"), CONTRADICT)
def test_a_then_b_now(old: str, new: str) -> None:
    assert tidying.contradicts(Said(old), Said(new)) and tidying.contradicts(Said(new), Said(old)) and not tidying.same(Said(old), Said(new))


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_nearly_the_same_words(one: str, other: str) -> None:
    assert tidying.same(Said(one), Said(other)) and tidying.same(Said(other), Said(one)) and not tidying.contradicts(Said(one), Said(other))


@pytest.mark.parametrize(("one", "other"), NEITHER)
def test_both_may_be_true(one: str, other: str) -> None:
    assert not tidying.same(Said(one), Said(other)) and not tidying.contradicts(Said(one), Said(other)) and not tidying.contradicts(Said(other), Said(one))
