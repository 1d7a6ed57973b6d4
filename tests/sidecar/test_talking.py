"""Sessions and traces as use cases: what is learned from a conversation, where it lies, how it goes."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from deepseedian.errors import Conflict, NotFound
from deepseedian.sidecar import Sidecar
from deepseedian.store.sessions import Sessions

AT = "2026-11-30T09:00:00Z"
SAID = "记住：周会改到每周五下午三点"
TELLING = "Remember that my badge number is 4711-ABC."


def told(sidecar: Sidecar, text: str = SAID, session: str = "chat", at: str | None = None, **more: object) -> list[str]:
    """The proposals made of a host's turn."""
    done = sidecar.observe(session, [{"role": "user", "text": text}, {"role": "assistant", "text": "好的"}], at, **more)  # type: ignore[arg-type]
    return list(done["proposals"])  # type: ignore[call-overload]


def asked(sidecar: Sidecar, turn: str, parent: str = "", text: str = SAID, session: str = "chat") -> None:
    sidecar.sessions.begin(session, turn, parent, text)
    sidecar.sessions.end(session, turn, "done", "好的")


def proposed(sidecar: Sidecar) -> int:
    return len(sidecar.proposals()["proposals"])  # type: ignore[arg-type]


def codes(sidecar: Sidecar) -> set[str]:
    return {fault["code"] for fault in sidecar.health()["faults"]}  # type: ignore[attr-defined]


# What is learned


def test_nothing_is_learned_while_it_is_off(sidecar: Sidecar) -> None:
    sidecar.session_new("chat", contributes=False)
    assert told(sidecar, "记住：周会在周五") == [] and sidecar.organize()["proposals"] == []
    assert sidecar.organizer.unread().messages == () and sidecar.ledger.cursor("chat") == ""
    sidecar.session_set("chat", contributes=True)
    assert [message.text for message in sidecar.organizer.unread().messages] == ["记住：周会在周五"]
    assert sidecar.organize()["proposals"] != []


def test_nothing_is_learned_from_before_the_range(sidecar: Sidecar) -> None:
    sidecar.set_setting("capture", "off")
    told(sidecar)
    sidecar.session_set("chat", contribute_from="now")
    sidecar.set_setting("capture", "explicit")
    assert sidecar.organize()["proposals"] == []
    told(sidecar, "记住：发布在周四")
    assert [message.text for message in sidecar.organizer.unread().messages] == ["记住：发布在周四"]
    sidecar.session_set("chat", contribute_from="all")
    assert [message.text for message in sidecar.organizer.unread().messages] == [SAID, "记住：发布在周四"], "it is read from its beginning"


def test_nothing_is_learned_from_what_a_fork_inherited(sidecar: Sidecar) -> None:
    asked(sidecar, "a")
    fork = str(sidecar.session_fork("chat", "a")["id"])
    sidecar.session_delete("chat")
    assert sidecar.organize()["proposals"] == [] and sidecar.organizer.unread().messages == ()
    asked(sidecar, "b", "a", "记住：发布在周四", fork)
    assert [message.text for message in sidecar.organizer.unread().messages] == ["记住：发布在周四"]


def test_nothing_is_learned_after_a_changed_history_and_the_fault_has_a_name(sidecar: Sidecar) -> None:
    told(sidecar, "以前的话", turn="t1")
    sidecar.session_set("chat", contribute_from="now")
    told(sidecar, "以前的话，不同了", turn="t1")
    assert told(sidecar, SAID) == [] and sidecar.organize()["proposals"] == []
    assert "session chat" in codes(sidecar) and "earlier messages" in str(sidecar.session("chat")["fault"])
    assert "earlier messages" in str(sidecar.session_list()["sessions"])
    sidecar.session_set("chat", contribute_from="now")
    assert told(sidecar, "记住：发布在周四") != [] and "session chat" not in codes(sidecar)


def test_a_changed_history_restarts_only_that_sessions_cursor(sidecar: Sidecar) -> None:
    for session in ("chat", "other"):
        told(sidecar, "一", session, turn="t1")
        told(sidecar, "二", session, turn="t2")
    sidecar.organize()
    assert sidecar.organizer.unread().messages == ()
    sidecar.observe("chat", [{"role": "user", "text": "二，不对"}, {"role": "assistant", "text": "改了"}], None, turn="t2")
    assert [message.text for message in sidecar.organizer.unread().messages] == ["一", "二，不对"]
    assert set(sidecar.organizer.unread().session.values()) == {"chat"}


def test_what_is_switched_off_during_a_run_is_not_proposed(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    sidecar.set_setting("capture", "off")
    told(sidecar)
    sidecar.set_setting("capture", "explicit")
    drafts = sidecar.organizer._drafts

    def slow(*given: object) -> object:
        found = drafts(*given)  # type: ignore[arg-type]
        assert found[0]
        sidecar.session_set("chat", contributes=False)
        return found
    monkeypatch.setattr(sidecar.organizer, "_drafts", slow)
    assert sidecar.organize()["proposals"] == []


def test_a_host_repeats_its_turn_by_id(sidecar: Sidecar) -> None:
    assert len(told(sidecar, turn="t1")) == 1
    assert told(sidecar, turn="t1") == [] and sidecar.session("chat")["turns"] == 1
    told(sidecar, SAID, turn="t2")
    assert sidecar.session("chat")["turns"] == 2, "the same words in another turn"


def test_a_session_that_does_not_read_memory_is_given_none(sidecar: Sidecar) -> None:
    sidecar.remember("周会在每周五下午三点")
    question = "周会是什么时候？"
    assert sidecar.recall(question, session="chat", inject=True)["text"]
    sidecar.session_new("chat", reads=False)
    silent = sidecar.recall(question, session="chat", inject=True)
    assert silent["text"] == "" and "off for this session" in str(silent["reason"])
    assert sidecar.recall(question, session="other", inject=True)["text"] and sidecar.recall(question)["index"]
    assert sidecar.recall(question, session="no file: name", inject=True)["text"]


# Going


def test_deleting_takes_traces_and_the_receipts_link_along(sidecar: Sidecar) -> None:
    sidecar.remember("周会在每周五下午三点")
    receipt = str(sidecar.recall("周会是什么时候？", session="chat", inject=True)["receiptId"])
    asked(sidecar, "a")
    sidecar.turn_trace.add("chat", "a", "question", {"text": SAID})
    sidecar.turn_trace.add("other", "b", "question", {"text": "x"})
    sidecar.organize()
    assert sidecar.ledger.cursor("chat") != "" and sidecar.receipts("chat")["total"] == 1
    assert sidecar.session_delete("chat") == {"id": "chat", "steps": 1}
    assert sidecar.receipts("chat")["total"] == 0 and sidecar.receipt(receipt)["session"] == "" and sidecar.ledger.cursor("chat") == ""
    assert [turn["turn"] for turn in sidecar.trace_list()["turns"]] == ["b"]  # type: ignore[attr-defined]
    for act in (lambda: sidecar.session("chat"), lambda: sidecar.session_delete("chat"), lambda: sidecar.trace("a"),
                lambda: sidecar.session_set("chat", title="x"), lambda: sidecar.session_fork("chat", "a")):
        with pytest.raises(NotFound):
            act()
    sidecar.session_new("chat")
    with pytest.raises(Conflict):
        sidecar.session_new("chat")


def test_erase_reaches_titles_goals_turns_and_traces(sidecar: Sidecar, home: Path) -> None:
    text = "my badge number is 4711-ABC and I keep it in the second drawer of the desk by the window, beside the old stapler, and the spare " \
           "one hangs behind the door of the hall "
    entry = str(sidecar.remember(text.strip())["id"])
    index = sidecar.recall("badge number?")["index"]
    asked(sidecar, "a", "", f"what is it? {text}")
    sidecar.session_set("chat", title=text, goal=f"know that {text}")
    sidecar.turn_trace.add("chat", "a", "question", {"text": f"what is it? {text}"})
    sidecar.turn_trace.add("chat", "a", "memory", {"index": index, "text": sidecar.recall("badge?", session="s", inject=True)["text"]})
    sidecar.turn_trace.add("chat", "a", "request", {"messages": [{"content": "x" * 9_000}, {"content": "y" * 11_900 + " " + text * 30}]})
    assert str(sidecar.turn_trace.steps("a")[2].detail).endswith("…'}]}"), "cut within the text"
    sidecar.session_fork("chat", "a", "fork")
    removed = sidecar.erase(entry)["removed"]
    assert removed["conversations"] == 2 and removed["traces"] == 3  # type: ignore[index]
    sidecar.close()
    left = [path for path in (home / "state").rglob("*") if path.is_file() and b"second drawer" in path.read_bytes()]
    assert left == [], "nothing of it, be it cut or whole"


def test_prune_takes_old_traces(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    sidecar.turn_trace.add("chat", "a", "question", {"text": "x"})
    sidecar.catch_up()
    assert sidecar.trace("a")["steps"]
    monkeypatch.setattr(sidecar.seam.clock, "time", lambda: 4_000_000_000.0)
    sidecar.catch_up()
    assert sidecar.trace_list()["turns"] == []


# Where they lie


def in_vault(vault: Path) -> Path:
    return vault / ".obsidian/plugins/deepseedian/sessions"


def test_conversations_move_into_the_vault_and_back(sidecar: Sidecar, vault: Path) -> None:
    told(sidecar)
    asked(sidecar, "a", session="own")
    home = sidecar.sessions.places.home
    before = {name: sidecar.session(name, all=True) for name in ("chat", "own")}
    os.utime(home / "chat.jsonl", (1_700_000_000, 1_700_000_000))
    for on in (True, False, True):
        sidecar.set_setting("sessions.in_vault", str(on).lower())
        assert {name: sidecar.session(name, all=True) for name in ("chat", "own")} == before
        here, there = (in_vault(vault), home) if on else (home, in_vault(vault))
        assert sorted(path.name for path in here.glob("*.jsonl")) == ["chat.jsonl", "own.jsonl"] and not list(there.glob("*.jsonl"))
        assert (here / "chat.jsonl").stat().st_mtime == 1_700_000_000 and len(sidecar.sessions.contributing("chat")) == 1
    asked(sidecar, "b", "a", "记住：发布在周四", "own")
    assert b'"b"' in (in_vault(vault) / "own.jsonl").read_bytes()


def test_the_vaults_own_file_cannot_bring_conversations_into_it(sidecar: Sidecar, vault: Path) -> None:
    told(sidecar)
    (vault / ".obsidian/plugins/deepseedian/settings.json").write_text('{"sessions.in_vault": true}', encoding="utf-8")
    assert sidecar.session_list()["total"] == 1 and not in_vault(vault).exists() and "bad_setting" in codes(sidecar)


def test_another_devices_conversations_are_read_there_and_left_there(sidecar: Sidecar, vault: Path, tmp_path: Path) -> None:
    sidecar.set_setting("sessions.in_vault", "true")
    asked(sidecar, "a", session="mine")
    there = Sessions(tmp_path / "there", vault=in_vault(vault), in_vault=lambda: True, device="0123456789ab")
    there.begin("theirs", "x", "", SAID)
    there.end("theirs", "x", "done", "好的")
    assert {item["id"] for item in sidecar.session_list()["sessions"]} == {"mine", "theirs"}  # type: ignore[attr-defined]
    assert sidecar.sessions.contributing("theirs") == [] and len(sidecar.organizer.unread().messages) == 1
    sidecar.set_setting("sessions.in_vault", "false")
    assert [item["id"] for item in sidecar.session_list()["sessions"]] == ["mine"]  # type: ignore[attr-defined]
    assert [path.name for path in in_vault(vault).glob("*.jsonl")] == ["theirs.jsonl"] and there.turns("theirs")[0].contributes


def test_conversations_from_before_belong_to_the_device_that_moves_them(opened: Callable[..., Sidecar], vault: Path, tmp_path: Path) -> None:
    sidecar = opened()
    Sessions(sidecar.sessions.places.home).begin("old", "a", "", SAID)
    assert len(sidecar.sessions.contributing("old")) == 1
    sidecar.set_setting("sessions.in_vault", "true")
    there = Sessions(tmp_path / "there", vault=in_vault(vault), in_vault=lambda: True, device="0123456789ab")
    assert len(sidecar.sessions.contributing("old")) == 1 and there.contributing("old") == [] and len(there.turns("old")) == 1


def test_a_vanished_plugin_folder_is_not_made_anew(sidecar: Sidecar, vault: Path) -> None:
    sidecar.set_setting("sessions.in_vault", "true")
    told(sidecar)
    plugin = vault / ".obsidian/plugins/deepseedian"
    plugin.rename(vault / "aside")
    with pytest.raises(Exception, match="is gone"):
        sidecar.session_list()
    assert not plugin.exists()
    (vault / "aside").rename(plugin)
    assert sidecar.session_list()["total"] == 1


def test_both_places_are_joined_line_by_line(tmp_path: Path) -> None:
    home, vault = tmp_path / "home", tmp_path / "plugin/sessions"
    vault.mkdir(parents=True)
    here, there = Sessions(home, device="d"), Sessions(vault, device="d")
    for store in (here, there):
        store.begin("c", "a", "", "both")
    (vault / "c.jsonl").write_bytes((home / "c.jsonl").read_bytes())
    here.begin("c", "b", "a", "here")
    there.begin("c", "x", "a", "there")
    (home / "c.jsonl").write_bytes((home / "c.jsonl").read_bytes() + b'{"torn')
    joined = Sessions(home, vault=vault, in_vault=lambda: True, device="d")
    assert sorted(turn.question for turn in joined.turns("c")) == ["both", "here", "there"] and not (home / "c.jsonl").exists()
    joined.end("c", "b", "done", "ok")
    assert joined.branch("c", "b")[-1].answer == "ok"
