"""A turn with a model when something goes wrong beside it: tools that break, floods of calls, switches and erasures in the middle,
full disks, programs that end."""

import gc
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from deepseedian.agent import loop
from deepseedian.agent.context import Attachment
from deepseedian.agent.turn import Running
from deepseedian.errors import BadInput, Busy
from deepseedian.store import session_files
from tests.commands import until
from tests.sidecar.test_asking import Found, asked, asking, of
from tests.streamed import DONE, answer, call_answer, chunk, event, text

LOOKS = call_answer(("memory_search", {"query": "tea"}), words="Let me look.")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return tmp_path / "v"


def full(*_: object, **__: object) -> Any:
    raise OSError(28, "No space left on device")


def results(request: Found) -> list[Found]:
    return [json.loads(message["content"]) for message in request["messages"] if message["role"] == "tool"]


# Faults inside

def test_a_tool_that_breaks_is_told_to_the_model_and_loses_nothing(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> Found:
        raise RuntimeError("with the text of an entry")

    with asking(vault, LOOKS, answer("It does not work.")) as (sidecar, server):
        monkeypatch.setattr(sidecar, "search", broken)
        done = of(asked(sidecar, "Which tea?"), "done")[0]
        assert (done["state"], done["answer"]) == ("done", "Let me look.\n\nIt does not work.")
        told = results(server.asked[1])[0]["error"]["message"]
        assert "RuntimeError" in told and "text of an entry" not in told


def test_a_fault_between_rounds_keeps_what_was_answered_and_what_it_cost(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with asking(vault, LOOKS, answer("more")) as (sidecar, _):
        rounds, real = [0], loop.Loop._offered

        def offered(self: loop.Loop) -> list[Found]:
            rounds[0] += 1
            if rounds[0] > 1:
                raise PermissionError(13, "Permission denied")
            return real(self)
        monkeypatch.setattr(loop.Loop, "_offered", offered)
        done = of(asked(sidecar, "Which tea?"), "done")[0]
        assert (done["state"], done["answer"], done["usage"]["input"]) == ("failed", "Let me look.", 10)


def test_a_flood_of_calls_in_one_round_is_cut_off(vault: Path) -> None:
    calls = [("memory_propose", {"operation": "add", "text": f"number {number} is taken"}) for number in range(loop.MOST_CALLS + 8)]
    with asking(vault, call_answer(*calls), answer("ok")) as (sidecar, server):
        asked(sidecar, "Which tea?")
        found = results(server.asked[1])
        assert len(found) == len(calls) and not any("error" in one for one in found[:5])
        assert all(one["error"]["code"] == "tool_budget" for one in found[loop.MOST_CALLS:])


def test_half_characters_are_joined_and_the_others_replaced(vault: Path) -> None:
    calls = call_answer(("memory_search", '{"query": "\\ud800"}'), ("memory_search", '{"\\ud800": 1}'),
                        ("memory_propose", '{"operation": "add", "text": "\\ud800 x"}'))
    halves = [event({"choices": [{"index": 0, "delta": {"content": "@"}, "finish_reason": None}]}).replace("@", code)
              for code in ("\\ud83d", "\\ude00", "\\ud800")]
    with asking(vault, calls, [*halves, chunk({}, "stop"), DONE]) as (sidecar, server):
        events = asked(sidecar, "Which\ud800 tea?", context={"path": "a.md", "selection": "\ud800", "heading": "\udfff"})
        assert of(events, "done")[0]["answer"] == "😀\ufffd"
        assert [one["error"]["code"] for one in results(server.asked[1])] == ["bad_input"] * 3


# Switches

def test_reading_turned_on_in_the_middle_counts_from_the_next_turn(vault: Path) -> None:
    with asking(vault, answer("ok")) as (sidecar, server):
        sidecar.remember("I drink oolong tea")
        sidecar.session_new("s1", reads=False)

        def switched(_: object) -> Any:
            sidecar.session_set("s1", reads=True)
            return call_answer(("notes_query", {}))
        change = {"action": "add", "quote": "remember", "text": "tea is a leaf"}
        server.answers = [switched, call_answer(("memory_search", {"query": "tea"}), ("memory_manage", change)), answer("ok")]
        assert of(asked(sidecar, "remember tea", session="s1"), "done")[0]["state"] == "done"
        assert [one["error"]["code"] for one in results(server.asked[2])[1:]] == ["disabled", "disabled"]
        assert len(sidecar.entries()["entries"]) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("door", ["chat", "mcp", "api"])
def test_nothing_is_proposed_from_a_session_that_does_not_contribute(vault: Path, door: str) -> None:
    draft = {"operation": "add", "text": "I like oolong", "quote": "I like oolong"}
    with asking(vault, call_answer(("memory_propose", draft)), answer("ok")) as (sidecar, server):
        sidecar.session_new("s1", contributes=False)
        if door == "chat":
            asked(sidecar, "I like oolong", session="s1")
            assert "memory_propose" not in [tool["function"]["name"] for tool in server.asked[0]["tools"]]
            assert results(server.asked[1])[0]["error"]["code"] == "disabled"
        else:
            assert "memory_propose" not in [tool.name for tool in sidecar.desk(door, "s1").offered()]
            assert "memory_propose" in [tool.name for tool in sidecar.desk(door, "another").offered()]
        assert sidecar.proposals()["proposals"] == []


# What is kept, and what goes

def test_after_a_proposal_that_could_not_be_made_the_answer_stays_done(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with asking(vault, answer("ok")) as (sidecar, _):
        monkeypatch.setattr(sidecar, "captured", full)
        events = asked(sidecar, "Remember that I like oolong", session="s1")
        assert of(events, "done")[0]["state"] == sidecar.sessions.branch("s1")[-1].state == "done"
        assert not of(events, "error") and "nothing was proposed" in of(events, "notice")[0]["text"]


def test_a_question_is_asked_again_after_its_end_could_not_be_kept(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with asking(vault, answer("ok")) as (sidecar, _):
        real = session_files.append

        def no_end(path: Path, lines: bytes) -> bool:
            return full() if b'"kind":"end"' in lines else real(path, lines)
        with monkeypatch.context() as patch:
            patch.setattr(session_files, "append", no_end)
            assert of(asked(sidecar, "Which tea?", session="s1"), "done")[0]["reason"] == "disk_full"
        assert of(asked(sidecar, "", session="s1", again=True), "done")[0]["state"] == "done"
        sidecar.session_delete("s1")


def test_no_thread_for_a_turn_blocks_nothing(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(self: Running) -> None:
        raise RuntimeError("can't start new thread")
    with asking(vault, answer("ok")) as (sidecar, _):
        with monkeypatch.context() as patch:
            patch.setattr(Running, "start", none)
            with pytest.raises(Busy):
                sidecar.begin_turn("Which tea?", session="s1")
        assert of(asked(sidecar, "", session="s1", again=True), "done")[0]["state"] == "done"


def test_a_turn_that_ended_holds_none_of_its_attachments(vault: Path) -> None:
    with asking(vault, answer("ok")) as (sidecar, _):
        running = sidecar.begin_turn("what?", attachments=[{"name": "kept.txt", "text": "x" * 5000}])
        running.join(20)
        assert running.ended
        gc.collect()
        assert [one for one in gc.get_objects() if isinstance(one, Attachment) and one.name == "kept.txt"] == []


def test_an_erasure_reaches_a_running_turn(vault: Path) -> None:
    go = threading.Event()

    def waiting(_: object) -> Any:
        go.wait(20)
        return answer("You drink oolong tea in the morning")
    with asking(vault, call_answer(("memory_search", {"query": "tea"})), waiting) as (sidecar, server):
        entry = str(sidecar.remember("I drink oolong tea in the morning")["id"])
        running = sidecar.begin_turn("Which tea do I drink?", session="s1")
        assert until(lambda: len(server.asked) == 2, 20)
        sidecar.erase(entry)
        go.set()
        running.join(20)
        steps = [step.document() for step in sidecar.turn_trace.steps(running.id)]
        assert "oolong" not in json.dumps([steps, sidecar.session("s1"), list(running.events())])
        assert sidecar.sessions.branch("s1")[-1].state == "stopped"


def test_closing_ends_a_turn_and_keeps_what_came(vault: Path) -> None:
    with asking(vault, [text("one "), 30.0, *answer("two")]) as (sidecar, _):
        events = sidecar.ask(question="count", session="s1")
        assert any(kind == "delta" for kind, _ in events)
        events.close()  # type: ignore[attr-defined]
        sidecar.close()
        turn = sidecar.sessions.branch("s1")[-1]
        assert (turn.state, turn.answer) == ("stopped", "one")


@pytest.mark.parametrize("context", [{"path": ["a.md"]}, {"path": "a.md", "revision": "r" * 100_000}, {"selection": {"a": 1}}])
def test_a_context_of_another_shape_is_refused(vault: Path, context: Found) -> None:
    with asking(vault, answer("ok")) as (sidecar, server):
        (vault / "a.md").write_text("x\n", encoding="utf-8")
        with pytest.raises(BadInput):
            sidecar.begin_turn("Which tea?", context=context)
        assert server.asked == []


def test_t15_no_key_goes_to_the_model(vault: Path) -> None:
    key = "sk-live0123456789abcdefghijkl"
    rounds = [call_answer(("memory_search", {"query": "tea shop"}), ("memory_read", {"id": "@"}), ("notes_read", {"path": "a.md"})), answer(key)]
    with asking(vault, *rounds, answer("ok")) as (sidecar, server):
        entry = str(sidecar.remember(f"The tea shop takes {key}, its password is hunter2-SECRET", allow_secret=True)["id"])
        server.answers[0] = json.loads(json.dumps(server.answers[0]).replace("@", entry))
        (vault / "a.md").write_text(f"# a\n\n{key}\n", encoding="utf-8")
        asked(sidecar, f"What is {key} at the tea shop?", session="s1", context={"path": "a.md", "startLine": 3},
              attachments=[{"name": "b.txt", "text": f"x {key}"}])
        asked(sidecar, "and the tea shop?", session="s1")
        sent = json.dumps(server.asked)
        assert len(server.asked) == 3 and "tea shop takes sk-l…" in json.loads(json.dumps(results(server.asked[1])[1]))["entry"]["text"]
        assert key not in sent and "hunter2" not in sent
        assert key in sidecar.sessions.branch("s1")[0].question  # what is kept here stays whole
