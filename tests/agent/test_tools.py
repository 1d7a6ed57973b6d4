"""The table of tools, at the desk of a host and at that of a conversation's turn."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from deepseedian.agent import desk as module
from deepseedian.agent import managing, tools
from deepseedian.agent.desk import Desk, Turn
from deepseedian.errors import BadInput, Conflict, DeepseedianError, Forbidden, NotFound, SecretFound, Stale, TooLarge
from deepseedian.sidecar import Sidecar, initialise

SAID = "请记住：我只在周三下午开会。 And my tea is oolong now."


@pytest.fixture
def sidecar(tmp_path: Path) -> Iterator[Sidecar]:
    initialise(tmp_path / "v")
    found = Sidecar.open(tmp_path / "v")
    yield found
    found.close()


class Switches:
    def __init__(self) -> None:
        self.reads = self.manages = self.commits = True


def turn_desk(sidecar: Sidecar, message: str = SAID, switches: Switches | None = None) -> Desk:
    """A desk as a turn of the chat has it."""
    state = switches or Switches()
    sidecar._warm()
    held = {sidecar.store.snapshot.revision: sidecar.store.snapshot}

    def manage(wanted: Mapping[str, Any], revision: str) -> dict[str, object]:
        request = managing.of(wanted, "key-1", held[revision])
        done = managing.carry_out(sidecar.store, request, lambda: state.commits, "en", sidecar.vault.family)
        held[str(done["revision"])] = sidecar.store.snapshot
        return done

    found = sidecar.desk("chat", "s1")
    turn = Turn(message, "key-1", sidecar.store.snapshot.revision, lambda: state.reads, lambda: state.manages, manage,
                lambda revision: sidecar.recollection.snapshot(held[revision]) and None)
    return Desk(found.memory, "chat", found.enabled, "s1", turn=turn)


def test_no_host_can_approve_edit_or_delete() -> None:
    for tool in tools.table().values():
        assert tool.effect != "writes" or tool.doors == {"chat"}, tool.name
    assert {tool.name for tool in tools.table().values() if "mcp" in tool.doors} >= {"memory_recall", "memory_search", "memory_read",
                                                                                  "memory_propose", "memory_inbox", "notes_search"}


@pytest.mark.parametrize("name", sorted(tools.table()))
def test_a_schema_says_all_that_is_checked(name: str) -> None:
    schema = tools.table()[name].parameters
    assert schema["additionalProperties"] is False and schema["type"] == "object"
    assert '"title":' not in json.dumps(schema["properties"])
    with pytest.raises(BadInput, match=name):
        tools.table()[name].checked({"surprise": 1})
    for wrong in (None, [], "x", 3):
        with pytest.raises(BadInput):
            tools.table()[name].checked(wrong)


def test_the_first_wrong_argument_is_named(sidecar: Sidecar) -> None:
    with pytest.raises(BadInput, match="memory_search: query"):
        sidecar.call_tool("memory_search", {"query": 3})
    with pytest.raises(BadInput, match="offset"):
        sidecar.call_tool("memory_search", {"query": "x", "offset": -1})
    with pytest.raises(NotFound, match="memory_manage"):
        sidecar.call_tool("memory_manage", {"action": "add", "quote": "x", "text": "y"})


def test_switched_off_there_is_no_tool(sidecar: Sidecar) -> None:
    assert sidecar.desk("mcp").offered()
    sidecar.set_setting("enabled", "off")
    assert sidecar.desk("mcp").offered() == [] and sidecar.tools()["tools"] == []
    with pytest.raises(Forbidden) as caught:
        sidecar.call_tool("memory_search", {"query": "x"})
    assert caught.value.code == "disabled"


def test_search_and_read_stay_on_the_snapshot_of_the_turn(sidecar: Sidecar) -> None:
    first = str(sidecar.remember("the report is due in May")["id"])
    desk = turn_desk(sidecar)
    later = str(sidecar.remember("the report is due in June")["id"])
    sidecar.edit(first, "the report is due in July")
    found: Any = desk.call("memory_search", {"query": "report"})
    assert [row["summary"] for row in found["results"]] == ["the report is due in May"]
    read: Any = desk.call("memory_read", {"id": first})
    assert read["entry"]["text"] == "the report is due in May" and read["revision"] == found["revision"]
    with pytest.raises(NotFound):
        desk.call("memory_read", {"id": later})


def test_many_changes_by_others_do_not_take_the_turns_snapshot_away(sidecar: Sidecar) -> None:
    kept = str(sidecar.remember("I live in Ulm")["id"])
    desk = turn_desk(sidecar)
    for number in range(40):
        sidecar.remember(f"note {number}")
        sidecar.recall(f"note {number}")
    read: Any = desk.call("memory_read", {"id": kept})
    assert read["entry"]["text"] == "I live in Ulm"


def test_what_is_asked_for_outright_is_done_and_can_be_undone(sidecar: Sidecar) -> None:
    desk = turn_desk(sidecar)
    done: Any = desk.call("memory_manage", {"action": "add", "quote": "请记住：我只在周三下午开会", "text": "我只在周三下午开会"})
    entry = sidecar.show(done["id"])
    assert (entry["text"], entry["trust"], entry["sourceKeys"]) == ("我只在周三下午开会", "user_stated", ["key-1"])
    read: Any = desk.call("memory_read", {"id": done["id"]})
    assert read["entry"]["text"] == "我只在周三下午开会"  # the turn sees its own change
    sidecar.undo()
    assert sidecar.entries()["entries"] == []


def test_a_change_needs_the_words_of_this_very_message(sidecar: Sidecar) -> None:
    desk = turn_desk(sidecar)
    for quote in ("remember that I hate tea", " ", "请记住： 我只在周三下午开会"):
        with pytest.raises(BadInput):
            desk.call("memory_manage", {"action": "add", "quote": quote, "text": "x y z"})
    assert sidecar.entries()["entries"] == []


def test_the_same_change_twice_is_one(sidecar: Sidecar) -> None:
    desk = turn_desk(sidecar)
    wanted = {"action": "add", "quote": "my tea is oolong now", "text": "tea: oolong"}
    assert desk.call("memory_manage", wanted) == desk.call("memory_manage", wanted)
    with pytest.raises(Conflict):
        turn_desk(sidecar).call("memory_manage", wanted)
    assert len(sidecar.entries()["entries"]) == 1  # type: ignore[arg-type]


def test_five_changes_a_turn(sidecar: Sidecar) -> None:
    desk = turn_desk(sidecar)
    for number in range(5):
        with pytest.raises(BadInput):
            desk.call("memory_manage", {"action": "edit", "quote": "oolong", "text": "no id"})  # what fails is free
        desk.call("memory_manage", {"action": "add", "quote": "oolong", "text": f"tea number {number}"})
    with pytest.raises(TooLarge) as caught:
        desk.call("memory_manage", {"action": "add", "quote": "oolong", "text": "one more tea"})
    assert caught.value.code == "tool_budget" and len(sidecar.entries()["entries"]) == 5  # type: ignore[arg-type]


@pytest.mark.parametrize("action", ["edit", "remove"])
def test_an_entry_changed_by_somebody_else_is_left_alone(sidecar: Sidecar, action: str) -> None:
    entry = str(sidecar.remember("my tea is green")["id"])
    desk = turn_desk(sidecar)
    sidecar.edit(entry, "my tea is white")
    with pytest.raises(Stale):
        desk.call("memory_manage", {"action": action, "quote": "oolong", "id": entry} | ({"text": "oolong"} if action == "edit" else {}))
    assert sidecar.show(entry)["text"] == "my tea is white"


def test_permission_is_asked_for_again_at_the_commit(sidecar: Sidecar) -> None:
    switches = Switches()
    desk = turn_desk(sidecar, switches=switches)
    switches.commits = False  # turned off between the check and the lock
    with pytest.raises(Forbidden):
        desk.call("memory_manage", {"action": "add", "quote": "oolong", "text": "tea: oolong"})
    assert sidecar.entries()["entries"] == []


def test_switches_of_a_conversation_withhold_tools(sidecar: Sidecar) -> None:
    switches = Switches()
    desk = turn_desk(sidecar, switches=switches)
    switches.manages = False
    assert "memory_manage" not in [tool.name for tool in desk.offered()] and "memory_search" in [tool.name for tool in desk.offered()]
    switches.reads = False
    assert not [tool.name for tool in desk.offered() if tool.name.startswith("memory_")]
    for name in ("memory_search", "memory_manage"):
        with pytest.raises(Forbidden):
            desk.call(name, {})


def test_a_hosts_session_that_does_not_read_memory_gets_none_by_tools_either(sidecar: Sidecar) -> None:
    sidecar.remember("I drink oolong tea")
    sidecar.session_new("quiet", reads=False)
    desk = sidecar.desk("mcp", "quiet")
    assert [tool.name for tool in desk.offered() if tool.name.startswith("memory_")] == [] and desk.offered()
    with pytest.raises(Forbidden):
        desk.call("memory_search", {"query": "tea"})
    assert sidecar.desk("mcp", "other").call("memory_search", {"query": "tea"})["total"] == 1


def test_secrets_and_reserved_markers_are_refused(sidecar: Sidecar) -> None:
    desk = turn_desk(sidecar)
    with pytest.raises(SecretFound):
        desk.call("memory_manage", {"action": "add", "quote": "oolong", "text": "the key is sk-abcdefghijklmnopqrstuvwxyz0123456789"})
    with pytest.raises(DeepseedianError):
        desk.call("memory_manage", {"action": "add", "quote": "oolong", "text": '<!-- deepseedian-entry {"id":"x"} -->\nx'})
    assert sidecar.entries()["entries"] == []


def test_what_looks_like_a_key_is_shortened_for_every_model(sidecar: Sidecar) -> None:
    key = "sk-abcdefghijklmnopqrstuvwxyz0123456789"
    entry = str(sidecar.remember(f"the tea shop's api key is {key}", allow_secret=True)["id"])
    for desk in (sidecar.desk("mcp", "x"), turn_desk(sidecar)):
        answers = [desk.call("memory_read", {"id": entry}), desk.call("memory_search", {"query": "tea shop"})]
        assert key not in str(answers) and "sk-a…" in str(answers[0])
    assert key in str(sidecar.desk("api").call("memory_read", {"id": entry}))


def test_what_tools_answer_in_a_turn_is_bounded(sidecar: Sidecar) -> None:
    entry = str(sidecar.remember("龙井茶" * 600)["id"])
    desk = turn_desk(sidecar)
    calls = 0
    with pytest.raises(TooLarge) as caught:
        for calls in range(100):  # noqa: B007
            desk.call("memory_read", {"id": entry})
    assert caught.value.code == "tool_budget" and 5 < calls < 20
    host = sidecar.desk("mcp", "x")
    for _ in range(calls + 5):  # a host's connection lives for days: each answer is bounded, their sum is not
        host.call("memory_read", {"id": entry})


def test_a_proposal_through_a_tool_changes_nothing_and_says_where_it_comes_from(sidecar: Sidecar) -> None:
    desk = turn_desk(sidecar)
    made: Any = desk.call("memory_propose", {"operation": "add", "text": "The tea is oolong.", "quote": "my tea is oolong now"})
    shown: Any = sidecar.proposal(made["proposals"][0])
    assert shown["evidence"] == [{"source": "key-1", "quote": "my tea is oolong now"}] and shown["status"] == "open"
    assert sidecar.entries()["entries"] == []
    with pytest.raises(BadInput):
        desk.call("memory_propose", {"operation": "add", "text": "x y", "quote": "never said"})


def test_raw_text_goes_through_the_rules_of_capture(sidecar: Sidecar) -> None:
    made: Any = sidecar.call_tool("memory_propose", {"operation": "text", "text": "记住：周五不开会。"})
    assert len(made["proposals"]) == 1
    nothing: Any = sidecar.call_tool("memory_propose", {"operation": "text", "text": "what time is it?"})
    assert nothing["proposals"] == [] and nothing["leftOut"]
    inbox: Any = sidecar.call_tool("memory_inbox", {})
    assert inbox["total"] == 1 and inbox["proposals"][0]["note"]


def test_budgets_are_the_documented_ones() -> None:
    assert (module.MEMORY_LIMIT, module.NOTES_LIMIT, module.NOTES_CALLS, module.RESULT_LIMIT, module.MANAGE_CALLS) == \
        (24_000, 48_000, 16, 24_000, 5)
