"""What is offered at all, each setting of the gates by itself, and how much of it."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from deepseedian.core.entry import Entry
from deepseedian.core.gate import Gates, content
from deepseedian.core.matching import Memory
from deepseedian.core.recall import SMALLTALK, TOO_SHORT, Choice, Recall, recall, row_tokens
from deepseedian.core.snapshot import MemoryFile, assemble
from deepseedian.core.weight import Weight
from deepseedian.core.weight import content as named
from deepseedian.memory.recall import Recollection

OPEN = Gates(False, 0.0, 0.0, 0.0, 0.0, 0, frozenset(("user_stated", "system_derived", "external")))


def entry(key: str, text: str, day: int = 1, **meta: object) -> Entry:
    return Entry(key, text, "topics/work.md", {"id": key, "createdAt": f"2026-01-{day:02d}T00:00:00.000Z", **meta})


def memory(*entries: Entry) -> Memory:
    with Recollection().read(assemble("vault", {"topics/work.md": MemoryFile("topics/work.md", "0", 1, entries)})) as held:
        return held


def ids(told: Recall) -> list[str]:
    return [item.entry.id for item in told.offered]


def reasons(told: Recall) -> dict[str, str]:
    return {item.entry.id: item.reason for item in told.left_out}


PORT = (entry("a", "Our staging port is 8443"), entry("b", "The deploy script uses bash", 2), entry("c", "周会改到每周四下午三点", 3))


@pytest.mark.parametrize("question", ["hello!", "thanks a lot", "你好呀", "谢谢啦", "嗯嗯嗯", "how are you today?", "你是谁？", "今天好累啊", "Happy birthday", "good morning everyone"])
def test_smalltalk_is_offered_nothing(question: str) -> None:
    told = recall(memory(*PORT, entry("p", "pinned", pinned=True)), question)
    assert (ids(told), told.reason) == ([], SMALLTALK)


@pytest.mark.parametrize("question", ["what do you remember about me?", "你有哪些记忆？", "list your memories", "what is in your memory?", "你都记得什么？"])
def test_a_question_about_memory_is_no_smalltalk(question: str) -> None:
    told = recall(memory(*PORT, entry("x", "what a web page said", 9, trust="external")), question)
    assert set(ids(told)) == {"a", "b", "c"} and told.reason == "the question is about memory itself"


def test_short_messages_are_offered_nothing_and_a_chinese_character_counts_twice() -> None:
    held = memory(*PORT)
    assert ids(recall(held, "周会")) == ["c"] and recall(held, "abc").reason == recall(held, " 会 ").reason == TOO_SHORT
    assert recall(held, "周会", Choice(gates=Gates(chars=5))).reason == TOO_SHORT and ids(recall(held, "abc", Choice(gates=Gates(chars=5), fill=True))) == []


@pytest.mark.parametrize(("gates", "reason"), [
    (replace(OPEN, coverage=0.9), "min_coverage"), (replace(OPEN, score=99.0, confident=1.0), "min_score"), (replace(OPEN, relevance=0.9), "min_relevance"),
    (replace(OPEN, intent=True, confident=1.0), "no_intent"), (replace(OPEN, trusts=frozenset({"external"})), "trust")])
def test_each_gate_holds_back_and_says_so(gates: Gates, reason: str) -> None:
    held, question = memory(*PORT), "port of the garden zebra"
    assert ids(recall(held, question, Choice(gates=OPEN))) == ["a"]
    told = recall(held, question, Choice(gates=gates))
    assert (ids(told), reasons(told)) == ([], {"a": reason}) and told.reason


@pytest.mark.parametrize(("question", "text"), [
    ("How do I like to write?", "I write short paragraphs."), ("Which wines do I drink with fish?", "I drink dry wine."),
    ("我写文章喜欢用什么格式？", "我写文章喜欢短段落"), ("When is Mia's birthday?", "My daughter Mia was born on 3 May 2019."),
    ("How old is Mia?", "My daughter Mia was born on 3 May 2019."), ("女儿生日是哪天？", "女儿米娅2019年5月3日出生。"), ("说说 otter", "发布构建跑在 otter 上"), ("Where do we keep the spare keys?", "The keys are under the third pot")])
def test_the_first_entry_is_found_by_a_question_that_says_more(question: str, text: str) -> None:
    """In a memory of one, a word that both have was taken for one that tells nothing."""
    for size in (1, 2, 5, 20):
        held = memory(entry("a", text), *(entry(f"o{at}", f"{word} stands in the attic", 2) for at, word in enumerate("abcdefghijklmnopqrs"[:size - 1])))
        assert ids(recall(held, question)) == ["a"], size


@pytest.mark.parametrize("question", [
    "Who was the first to write novels in Japan?", "Why do writers drink?", "Why are paragraphs indented?", "Can you write me a poem about autumn leaves?", "怎么写一首关于秋天的诗？", "I wrote to Anna yesterday"])
def test_the_first_entry_is_not_offered_to_everybody(question: str) -> None:
    assert ids(recall(memory(entry("a", "I write short paragraphs."), entry("b", "我写文章喜欢短段落")), question)) == []


TEA = ("I drink oolong tea in the morning", "Tea with friends on Sunday", "The tea shop on Mill Road closes at six", "Green tea keeps me awake",
       "I gave my mother a tea set", "The best tea water is 80 degrees", "Tea lessons are on Friday", "Tea at the station costs 3 pounds")
CHA = ("我早上喝乌龙茶", "周日和朋友喝茶", "茶店六点关门", "绿茶让我睡不着", "送了妈妈一套茶具", "泡茶的水要八十度", "抹茶太苦", "红茶加奶")


@pytest.mark.parametrize(("texts", "questions"), [
    (TEA, ("Do I like tea?", "What do I know about tea?", "What have I told you about tea?", "do you remember anything I said about tea?", "Tell me about tea")),
    (CHA, ("关于茶我说过什么？", "我提过茶吗？", "我们聊过茶没有？"))])
def test_what_every_entry_speaks_of_can_be_asked_for(texts: tuple[str, ...], questions: tuple[str, ...]) -> None:
    """A word of all entries scores next to nothing, which silenced a memory that speaks of one thing only."""
    for size in (*range(1, len(texts) + 1), 40, 150):
        held = memory(*(entry(f"e{at}", f"{texts[at % len(texts)]} {at}", at % 28 + 1) for at in range(size)))
        for question in questions:
            assert len(ids(recall(held, question))) == min(size, 12), (question, size)


@pytest.mark.parametrize(("question", "text"), [
    ("What do I like?", "I like long walks"), ("我喜欢什么？", "我喜欢长距离散步"), ("我有什么习惯？", "习惯早上六点起床")])
def test_what_a_question_supposes_is_its_content_when_it_says_nothing_else(question: str, text: str) -> None:
    assert ids(recall(memory(entry("a", text), entry("b", "The attic is dry")), question)) == ["a"]


def test_one_thing_of_it_is_told_from_the_rest() -> None:
    held = memory(*(entry(f"e{at}", text, at + 1) for at, text in enumerate(TEA)))
    assert ids(recall(held, "When does the tea shop close?")) == ["e2"]


def test_trust() -> None:
    held = memory(entry("u", "the port is 1"), entry("s", "the port is 22", trust="system_derived"), entry("x", "the port is 333", trust="external"),
                  entry("p", "pinned by the owner", trust="external", pinned=True))
    told = recall(held, "which port is it?")
    assert set(ids(told)) == {"u", "s"} and reasons(told) == {"x": "trust"}
    everything = Choice(gates=Gates(trusts=frozenset(("user_stated", "system_derived", "external"))))
    assert set(ids(recall(held, "which port is it?", everything))) == {"u", "s", "x", "p"}


def test_the_superseded_one_is_named_and_its_successor_offered() -> None:
    old, new = entry("old", "The port is 8080"), entry("new", "Now behind the proxy, 443", 2, supersedes="old")
    told = recall(memory(old, new), "which port is it?", why=True)
    assert [(item.entry.id, item.reason, item.about) for item in told.offered] == [("new", "replaces", "old")]
    assert [(item.entry.id, item.reason, item.about) for item in told.left_out] == [("old", "superseded", "new")]
    assert ids(recall(memory(old, new), "What was our port originally?"))[0] == "old", "a question about the past"
    ring = (entry("x", "The port is 1", supersedes="y"), entry("y", "The port is 22", 2, supersedes="x"))
    assert set(ids(recall(memory(*ring), "which port is it?"))) == {"x", "y"}
    chain = (old, replace(new, meta={**new.meta, "supersededBy": "last"}), entry("last", "443 and IPv6 only", 3))
    assert ids(recall(memory(*chain), "which port is it?")) == ["last"]
    outside = entry("new", "443", 2, supersedes="old", trust="external")
    assert ids(recall(memory(old, outside), "which port is it?")) == []
    weak = recall(memory(entry("old", "The port is 8080"), new), "the port of the history of the roman empire", why=True)
    assert ids(weak) == [], "what replaces an entry passes no gate that it would not have passed"


def test_pinned_entries_take_the_last_places_within_the_budget() -> None:
    matching = [entry(f"m{at}", f"the port is {at} {'x' * at}", at + 1) for at in range(6)]
    pinned = [entry(f"p{at}", f"always {at} " + "long " * 20, pinned=True) for at in range(3)]
    told = recall(memory(*matching, *pinned), "which port is it?", Choice(5))
    assert len(ids(told)) == 5 and ids(told)[2:] == ["p0", "p1", "p2"] and set(reasons(told).values()) == {"limit"}
    assert ids(recall(memory(*matching, *pinned), "which port is it?", Choice(5, pinned=False)))[0].startswith("m")
    tight = recall(memory(*matching, *pinned), "which port is it?", Choice(12, budget=200))
    assert tight.tokens == sum(map(row_tokens, tight.offered)) <= 200 and {"p0", "p1", "p2"} <= {*ids(tight)} and "budget" in reasons(tight).values()
    had = Choice(received={"p0": named(pinned[0].text), "p1": named("something else")})
    assert ids(recall(memory(*pinned), "which port is it?", had)) == ["p1", "p2"]


def test_a_budget_too_small_for_the_best_says_so() -> None:
    told = recall(memory(entry("a", "周会改到每周四下午三点" * 20)), "周会几点？", Choice(budget=100))
    assert (ids(told), told.reason, reasons(told)) == ([], "what matches is longer than the budget", {"a": "budget"})


def test_fill_takes_what_matches_a_little_before_the_newest() -> None:
    rows = [*PORT, *(entry(f"n{at}", f"other {at}", 20 + at) for at in range(5)), entry("x", "news", 28, trust="external")]
    told = recall(memory(*rows), "port of the garden zebra elephant", Choice(3, fill=True))
    assert ids(told) == ["a", "n4", "n3"] and {item.reason for item in told.offered} == {"fill"}
    assert ids(recall(memory(*rows), "port of the garden zebra elephant", Choice(3))) == []


def test_near_duplicates_stand_last_and_two_ports_are_two_facts() -> None:
    rows = [entry("a", "Our team deploys every Thursday afternoon with the blue pipeline"), entry("c", "The deploys are announced"),
            entry("b", "Our team deploys every Thursday afternoon with the blue pipeline!", 2)]
    told = recall(memory(*rows), "When does our team do deploys?", Choice(gates=OPEN))
    assert ids(told) == ["b", "c", "a"] and reasons(recall(memory(*rows), "When does our team do deploys?", Choice(2, gates=OPEN))) == {"a": "duplicate"}
    ports = recall(memory(entry("a", "the api port is 8080"), entry("b", "the api port is 8081", 2)), "which api port?", Choice(1, gates=OPEN))
    assert "duplicate" not in reasons(ports).values()


@given(st.dictionaries(st.sampled_from("abcdef"), st.floats(0.76, 1.12), max_size=6), st.randoms())
@examples(max_examples=60)
def test_weights_only_reorder(factors: dict[str, float], chance: random.Random) -> None:
    rows = [entry(key, f"the {word} port is at the {'garden ' * at}house", at + 1) for at, (key, word) in enumerate(zip("abcdef", "red blue green x y z".split(), strict=True))]
    held, question = memory(*rows), chance.choice(("the red port?", "which port is in the garden?", "port", "blue zebra port"))
    plain = recall(held, question)
    told = recall(held, question, weights=lambda one: Weight(factors.get(one.id, 1.0), {"feedback": factors.get(one.id, 1.0)}))
    assert set(ids(told)) == set(ids(plain)) and reasons(told) == reasons(plain)
    assert recall(held, question) == plain, "the same question gives the same answer"


@pytest.mark.parametrize("question", ["🙂🙂🙂🙂🙂", "\0\0\0\0\0", "\ud800\udfff port", "?" * 40_000, "我" * 40_000, "port " * 8000, "嗯" * 399 + "x", "明白了" * 100 + "x", "\u200b" * 50,
                                      "what " * 8000 + "remember", "٣" * 500, "e\u0301" * 20_000])
def test_odd_questions_are_answered(question: str) -> None:
    told = recall(memory(*PORT), question, why=True)
    assert len(told.offered) <= 12 and isinstance(content(question[:400]).asked, bool)
