from pathlib import Path

import pytest

from deepseedian.errors import BadInput, BadText, Conflict, NotFound, TooLarge
from deepseedian.store.session_log import RANGE_FAULT, range_key
from deepseedian.store.sessions import MESSAGE_LIMIT, Sessions, checked

NOW = "2026-11-30T09:00:00.000Z"
SAID = [{"role": "user", "text": "记住：短段落"}, {"role": "assistant", "text": "好的", "sender": "model"}]


def test_turns_come_back_with_stable_ids(tmp_path: Path) -> None:
    store = Sessions(tmp_path / "s")
    turn = checked("chat-1", NOW, SAID, {"preset": "p", "origin": "", "cwd": "/x"}, "now")
    assert store.append(turn) is True
    assert store.append(checked("chat-1", NOW, SAID, {"preset": "p", "cwd": "/x"}, "later")) is False
    back, = store.turns("chat-1")
    assert (back.messages, back.at, dict(back.about)) == (turn.messages, NOW, {"preset": "p", "cwd": "/x"})
    assert len({message.id for message in turn.messages}) == 2 and all(len(message.id) == 64 for message in turn.messages)


@pytest.mark.parametrize(("session", "messages", "error"), [
    ("../x", SAID, BadInput), ("a/b", SAID, BadInput), ("", SAID, BadInput), (".hidden", SAID, BadInput), ("x" * 121, SAID, BadInput),
    ("a\0b", SAID, BadInput), (5, SAID, BadInput), ("dot.", SAID, BadInput), ("ok", [], BadInput), ("ok", None, BadInput), ("ok", "text", BadInput),
    ("ok", [{"role": "wizard", "text": "x"}], BadInput), ("ok", [{"role": "user"}], BadInput), ("ok", ["x"], BadInput),
    ("ok", [{"role": "user", "text": "\ud800"}], BadText), ("ok", [{"role": "user", "text": "x" * (MESSAGE_LIMIT + 1)}], TooLarge),
    ("ok", SAID * 101, TooLarge), ("ok", [{"role": "user", "text": "x", "sender": 5}], BadInput),
])
def test_bad_turns_are_refused(session: object, messages: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        checked(session, NOW, messages, {}, NOW)


def test_a_torn_line_costs_only_itself(tmp_path: Path) -> None:
    store = Sessions(tmp_path / "s")
    store.append(checked("c", "2026-01-01T00:00:00Z", SAID, {}, NOW))
    path = tmp_path / "s/c.jsonl"
    path.write_bytes(path.read_bytes() + path.read_bytes()[:50])
    store.append(checked("c", "2026-01-02T00:00:00Z", SAID, {}, NOW))
    assert [turn.at for turn in store.turns("c")] == ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]


def test_unknown_sessions_and_old_ones(tmp_path: Path) -> None:
    import os

    store = Sessions(tmp_path / "s")
    with pytest.raises(NotFound):
        list(store.turns("nope"))
    store.append(checked("old", NOW, SAID, {}, NOW))
    store.append(checked("new", NOW, SAID, {}, NOW))
    os.utime(tmp_path / "s/old.jsonl", (0, 0))
    assert store.prune(91 * 86_400.0) == 1
    assert store.names() == ["new"]


# Our own turns, as a tree


@pytest.fixture
def talk(tmp_path: Path) -> Sessions:
    """Root question a with two answers' worth of branches: a → b, a → c."""
    store = Sessions(tmp_path / "s", device="here", stamp=lambda: NOW)
    for turn, parent in (("a", ""), ("b", "a"), ("c", "a")):
        store.begin("chat", turn, parent, f"question {turn}", {"model": "m"})
        store.end("chat", turn, "done", f"answer {turn}", {"usage": {"input": 1}})
    return store


def again(store: Sessions) -> Sessions:
    """The same files as another program sees them."""
    return Sessions(store.places.home, device="here", stamp=lambda: NOW)


def test_a_session_is_a_tree_of_turns(talk: Sessions) -> None:
    for store in (talk, again(talk)):
        assert [turn.id for turn in store.branch("chat")] == ["a", "c"]
        assert [turn.id for turn in store.branch("chat", "b")] == ["a", "b"]
        assert [(turn.id, turn.parent, turn.state, turn.contributes) for turn in store.turns("chat")] == [
            ("a", "", "done", True), ("b", "a", "done", True), ("c", "a", "done", True)]
        assert [message.text for message in store.messages("chat")][:2] == ["question a", "answer a"]
        assert dict(store.turns("chat")[0].extra) == {"model": "m", "usage": {"input": 1}}
    for act in (lambda: talk.branch("chat", "x"), lambda: talk.begin("chat", "d", "x", "q"), lambda: talk.end("chat", "x", "done", ""),
                lambda: talk.branch("nope"), lambda: talk.about("nope"), lambda: talk.delete("nope"), lambda: talk.fork("chat", "x", "n")):
        with pytest.raises(NotFound):
            act()


def test_a_turn_is_begun_and_ended_once(talk: Sessions) -> None:
    size = (talk.folder / "chat.jsonl").stat().st_size
    assert talk.end("chat", "a", "done", "answer a").state == "done"
    for act in (lambda: talk.end("chat", "a", "done", "other"), lambda: talk.end("chat", "a", "failed", "answer a"),
                lambda: talk.begin("chat", "a", "", "question a"), lambda: talk.begin("chat", "a", "", "other")):
        with pytest.raises(Conflict):
            act()
    assert (talk.folder / "chat.jsonl").stat().st_size == size
    first, second = (talk.begin("chat", "d", "c", "q") for _ in range(2))
    assert first == second and first.state == "running" and talk.messages("chat")[-1].text == "q"
    for bad in ("", "../x", "x" * 121):
        with pytest.raises(BadInput):
            talk.begin("chat", bad, "", "q")
    with pytest.raises(BadText):
        talk.begin("chat", "e", "", "\ud800")
    with pytest.raises(BadInput):
        talk.end("chat", "d", "running", "")
    assert talk.end("chat", "d", "stopped", "half of \ud83d").answer == "half of \ufffd"


def test_a_turn_whose_program_died_is_interrupted(talk: Sessions) -> None:
    talk.begin("chat", "d", "c", "are you there?")
    assert talk.branch("chat")[-1].state == "running"
    other = again(talk)
    assert other.branch("chat")[-1].state == "interrupted"
    with pytest.raises(Conflict):
        other.fork("chat", "d", "f")
    with pytest.raises(Conflict):
        talk.delete("chat")
    talk.end("chat", "d", "failed", "", {"failure": "model_away"})
    assert (other.branch("chat")[-1].state, dict(other.branch("chat")[-1].extra)) == ("failed", {"failure": "model_away"})
    with pytest.raises(Conflict):
        other.fork("chat", "d", "f")


def test_a_listing_knows_each_session(talk: Sessions) -> None:
    about = talk.about("chat")
    assert (about.id, about.title, about.turns, about.reads, about.contributes, about.fault) == ("chat", "question a", 3, True, True, "")
    assert talk.set("chat", title=" 我的\n计划 ", goal="finish", reads=False).title == "我的 计划"
    assert again(talk).about("chat") == talk.about("chat") and not talk.reads("chat") and talk.reads("unknown")
    assert talk.set("chat", title="").title == "question a"
    talk.set("empty", goal="later")
    assert talk.about("empty").turns == 0 and talk.branch("empty") == []
    for bad in ({"title": "x" * 201}, {"goal": 5}, {"reads": "off"}, {"contribute_from": 3}, {"nonsense": 1}, {"title": "\ud800"}):
        with pytest.raises((BadInput, BadText)):
            talk.set("chat", **bad)
    assert {about.id for about in talk.list().sessions} == {"chat", "empty"} and talk.list(1, 1).total == 2
    assert len(talk.list(1, 1).sessions) == 1


@pytest.mark.parametrize(("question", "title"), [
    ("x" * 40, "x" * 28), ("  two\n words ", "two words"), ("e\u0301" * 20, "e\u0301" * 14), ("x" * 27 + "👩\u200d🚀 go", "x" * 27),
    ("x" * 27 + "🇨🇳", "x" * 27), ("x" * 26 + "🇨🇳!", "x" * 26 + "🇨🇳"), ("周会" * 20, "周会" * 14)])
def test_a_title_is_the_beginning_of_the_first_question(tmp_path: Path, question: str, title: str) -> None:
    store = Sessions(tmp_path / "s")
    store.begin("c", "a", "", question)
    assert store.about("c").title == title


def test_search_needs_every_word_somewhere(talk: Sessions) -> None:
    talk.set("chat", title="Straße \"nach\" 北京")
    talk.begin("other", "z", "", "Nothing of it,\nbut Question marks")
    found = lambda words: [about.id for about in talk.search(words).sessions]  # noqa: E731
    assert found("STRASSE answer") == ["chat"] == found('"NACH" b 北京')
    assert found("question") == ["other", "chat"] and found("question nothing") == ["other"]
    assert found("nothing straße") == [] and found("usage") == [] and found("model") == []
    assert found("") == ["other", "chat"]
    assert talk.search("MARKS").sessions[0].excerpt == "but Question marks"
    page = talk.search("question", 1, 1)
    assert (page.total, [about.id for about in page.sessions]) == (2, ["chat"])


# Forks


def test_a_fork_goes_on_by_itself(talk: Sessions) -> None:
    talk.set("chat", goal="g", reads=False)
    about = talk.fork("chat", "b", "f1")
    assert (about.title, about.goal, about.reads, about.contributes, about.turns) == ("question a（1）", "g", False, True, 2)
    assert about.fork == {"session": "chat", "turn": "b"}
    for store in (talk, again(talk)):
        assert [(turn.id, turn.inherited, turn.contributes, turn.state, turn.answer) for turn in store.branch("f1")] == [
            ("a", True, False, "done", "answer a"), ("b", True, False, "done", "answer b")]
        assert store.contributing("f1") == []
    talk.begin("f1", "n", "b", "new in the fork")
    assert [message.text for message in talk.contributing("f1")] == ["new in the fork"]
    assert talk.turns("chat")[-1].id == "c", "the original goes on as it was"
    with pytest.raises(Conflict):
        talk.fork("chat", "b", "f1")
    with pytest.raises(Conflict):
        talk.end("f1", "a", "failed", "")


def test_forks_are_numbered_by_the_smallest_free_number(talk: Sessions) -> None:
    assert [talk.fork("chat", "a", f"f{n}").title for n in (1, 2, 3)] == ["question a（1）", "question a（2）", "question a（3）"]
    assert talk.fork("f2", "a", "f4").title == "question a（4）", "a fork's own number goes first"
    talk.delete("f1")
    assert talk.fork("f4", "a", "f5").title == "question a（1）"
    talk.set("f5", title="Plan（7）")
    assert talk.fork("f5", "a", "f6").title == "Plan（1）"
    talk.set("chat", title="Year（2026）")
    assert talk.fork("chat", "a", "f7").title == "Year（2026）（1）", "somebody's own number is part of the name"
    assert again(talk).about("f7").title == "Year（2026）（1）"


# What may be learned from


def texts(store: Sessions, session: str = "chat") -> list[str]:
    return [message.text for message in store.contributing(session)]


def test_only_the_owners_own_words_within_the_range_contribute(talk: Sessions) -> None:
    assert texts(talk) == ["question a", "question b", "question c"]
    talk.set("chat", contribute_from="now")
    assert texts(talk) == [] and talk.about("chat").contribute_from is not None
    talk.begin("chat", "d", "a", "after")
    for store in (talk, again(talk)):
        assert texts(store) == ["after"]
        assert [turn.contributes for turn in store.turns("chat")] == [False, False, False, True]
    talk.set("chat", contributes=False)
    assert texts(talk) == [] == texts(again(talk))
    talk.set("chat", contributes=True, contribute_from="all")
    assert texts(talk) == ["question a", "question b", "question c", "after"]
    talk.append(checked("chat", NOW, [{"role": "system", "text": "s"}, {"role": "tool", "text": "t"}, {"role": "assistant", "text": "u"}], {}, NOW))
    assert len(texts(talk)) == 4


def test_the_range_key_is_the_known_one() -> None:
    assert range_key("chat-demo", [("user", "hi"), ("assistant", "hello")]) == "a3a8ecb98cf3ae6ded96953985da45834121a3f6d9e0b19d66d7992ef9a62121"


@pytest.mark.parametrize("harm", ["edited", "removed", "reordered", "range"])
def test_a_range_over_other_messages_fails_closed(talk: Sessions, harm: str) -> None:
    talk.set("chat", contribute_from="now")
    talk.begin("chat", "d", "a", "after")
    path = talk.folder / "chat.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    if harm == "edited":
        lines[0] = lines[0].replace(b"question a", b"question A")
    elif harm == "removed":
        lines.pop(3)
    elif harm == "reordered":
        lines[2], lines[4] = lines[4], lines[2]
    else:
        lines[6] = lines[6].replace(b'"index":6', b'"index":"6"')
    path.write_bytes(b"".join(lines))
    for store in (talk, again(talk)):
        assert texts(store) == [] and store.about("chat").fault == RANGE_FAULT
        assert "session chat" in store.faults and not any(turn.contributes for turn in store.turns("chat"))
    talk.set("chat", contribute_from="now")
    talk.begin("chat", "e", "a", "from here on")
    assert texts(talk) == ["from here on"] and talk.faults == {} and talk.about("chat").fault == ""


def test_a_host_may_say_that_a_turn_went_otherwise(tmp_path: Path) -> None:
    store = Sessions(tmp_path / "s")
    one = checked("c", NOW, [{"role": "user", "text": "old"}, {"role": "assistant", "text": "ok"}], {}, NOW, "t1")
    assert store.append(one) and not store.append(one)
    store.append(checked("c", NOW, [{"role": "user", "text": "second"}], {}, NOW, "t2"))
    store.set("c", contribute_from="now")
    new = checked("c", None, [{"role": "user", "text": "new"}, {"role": "assistant", "text": "ok"}], {}, "2027-01-01T00:00:00Z", "t1")
    new = store.repeated(new) or new
    assert new.at == NOW and new.messages[1] == one.messages[1], "what is as it was keeps its key"
    assert store.append(new)
    for found in (store, Sessions(tmp_path / "s")):
        assert [turn.question for turn in found.turns("c")] == ["new", "second"]
        assert found.about("c").fault == RANGE_FAULT and found.contributing("c") == []


def test_lines_of_another_device_or_session_are_not_learned_from(talk: Sessions, tmp_path: Path) -> None:
    other = Sessions(tmp_path / "s", device="there", stamp=lambda: NOW)
    assert texts(other) == [] and len(other.turns("chat")) == 3
    other.begin("chat", "x", "c", "typed there")
    assert texts(other) == ["typed there"] and len(texts(talk)) == 3
    copy = talk.folder / "chat.sync-conflict-20261130-091200-ABCDEFG.jsonl"
    copy.write_bytes((talk.folder / "chat.jsonl").read_bytes())
    assert texts(talk, copy.stem) == [] and talk.about(copy.stem).turns == 0


# Going


def test_erasing_reaches_titles_goals_and_turns_and_keeps_the_range(talk: Sessions) -> None:
    talk.set("chat", title="about secret", goal="the secret plan")
    talk.set("chat", contribute_from="now")
    talk.begin("chat", "d", "c", "tell secret things", {"manifest": [{"text": '{"say":"secret"}'}]})
    talk.end("chat", "d", "done", "a secret", {"usage": {"input": 3}})
    talk.fork("chat", "d", "f")
    (talk.folder / ".chat.jsonl.0a0b0c0d.tmp").write_bytes(b"secret")
    talk.append(checked("apart", NOW, [{"role": "user", "text": "nothing"}], {}, NOW))
    before = {path.name: path.read_bytes() for path in talk.folder.glob("*.jsonl")}
    assert talk.erase(lambda key, text: text.replace("secret", "(erased)").replace("question a", "(gone)")) == 2
    found = {path.name: path.read_bytes() for path in talk.folder.iterdir()}
    assert not any(b"secret" in data for data in found.values()) and found["apart.jsonl"] == before["apart.jsonl"]
    for store in (talk, again(talk)):
        about = store.about("chat")
        assert (about.title, about.goal, about.fault) == ("about (erased)", "the (erased) plan", "")
        assert texts(store) == ["tell (erased) things"] and store.branch("f")[0].question == "(gone)"
        assert dict(store.branch("chat")[-1].extra) == {"manifest": [{"text": '{"say": "(erased)"}'}], "usage": {"input": 3}}


def test_a_range_in_a_line_of_another_conversation_is_left_alone_by_erasing(talk: Sessions) -> None:
    """A sync tool may leave such a line; whatever stands in its range is none of ours."""
    talk.set("chat", contribute_from="now")
    talk.begin("chat", "d", "c", "tell secret things")
    path = talk.folder / "chat.jsonl"
    for index in ('"x"', "0", "1e999"):
        foreign = b'{"session":"other","at":"2026","kind":"set","contribute_from":{"index":%s,"key":"k"}}\n' % index.encode()
        with path.open("ab") as file:
            file.write(foreign)
        talk.erase(lambda key, text: text.replace("question a", "(gone)").replace("secret", "(erased)"))
        assert path.read_bytes().endswith(foreign) and again(talk).about("chat").fault == ""


def test_a_deleted_session_is_gone(talk: Sessions) -> None:
    talk.about("chat")
    talk.delete("chat")
    with pytest.raises(NotFound):
        talk.about("chat")
    assert talk.list().total == 0 and not (talk.folder / "chat.jsonl").exists()
    with pytest.raises(NotFound):
        talk.end("chat", "a", "done", "late")
    talk.begin("chat", "a", "", "anew")
    assert [turn.question for turn in talk.turns("chat")] == ["anew"]


def test_two_programs_see_each_others_lines(talk: Sessions) -> None:
    other = again(talk)
    for number in range(3):
        (talk, other)[number % 2].begin("chat", f"n{number}", "c", f"q{number}")
        (other, talk)[number % 2].end("chat", f"n{number}", "done", f"r{number}")
    assert [turn.id for turn in talk.turns("chat")] == [turn.id for turn in other.turns("chat")]
    assert {turn.state for turn in other.turns("chat")} == {"done"}
