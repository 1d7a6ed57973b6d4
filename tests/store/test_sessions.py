from pathlib import Path

import pytest

from deepseedian.errors import BadInput, BadText, NotFound, TooLarge
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
