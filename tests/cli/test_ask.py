"""`deepseedian ask` as its users call it: through a daemon, without one, stopped, cut off, and when nothing can answer."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deepseedian import client
from deepseedian.cli.door import Door
from deepseedian.client import endpoint_of
from deepseedian.config.folders import runtime_folder
from tests.commands import ROOT, Command, program, until
from tests.streamed import CUT, Streamed, answer, call_answer, streaming, text


@pytest.fixture
def server() -> Iterator[Streamed]:
    with streaming(Streamed(answer("It is ", "oolong."))) as found:
        yield found


@pytest.fixture
def command(tmp_path: Path, server: Streamed) -> Command:
    found = Command(tmp_path / "v", DEEPSEEDIAN_MODEL_ENDPOINT=server.url, DEEPSEEDIAN_MODEL_NAME="scripted", DEEPSEEDIAN_SMART="off")
    found("init", str(tmp_path / "v"))
    found("remember", "I drink oolong tea")
    return found


@pytest.fixture(params=["daemon", "alone"])
def both(request: pytest.FixtureRequest, command: Command) -> Iterator[Command]:
    if request.param == "alone":
        yield command
        return
    with command.daemon():
        yield command


def test_an_answer_with_its_memory(both: Command, server: Streamed) -> None:
    done = both("ask", "Which tea do I drink?")
    assert (done["answer"], done["state"]) == ("It is oolong.", "done") and done["recall"]["index"][0]["summary"] == "I drink oolong tea"
    server.answers = [call_answer(("memory_search", {"query": "tea"})), answer("Oolong again.")]
    shown = both.run("--vault", str(both.vault), "ask", "And which tea was it?", "--session", done["session"])
    assert shown.out == "Oolong again.\n" and "memory: I drink oolong tea" in shown.err and "memory_search" in shown.err
    assert [message["content"] for message in server.asked[1]["messages"][1:3]] == ["Which tea do I drink?", "It is oolong."]


def test_files_and_notes_go_along(both: Command, server: Streamed, tmp_path: Path) -> None:
    (both.vault / "日记.md").write_text("# 一\n\n今天喝茶\n", encoding="utf-8")
    (tmp_path / "t.csv").write_text("a,b\n", encoding="utf-8")
    both("ask", "-", "--note", "日记.md", "--lines", "3", "--attach", str(tmp_path / "t.csv"), given="写了什么？")
    sent = server.asked[0]["messages"][-1]["content"]
    assert '"selection":"今天喝茶"' in sent and "写了什么？" in sent and "a,b" in sent


@pytest.mark.parametrize(("words", "status", "code"), [
    (["ask", " "], 2, "bad_input"), (["ask", "x", "--lines", "a"], 2, "bad_input"), (["ask", "x", "--attach", "no.txt"], 2, "bad_input"),
    (["ask", "x", "--note", "no.md", "--lines", "1"], 3, "not_found"), (["ask", "--again", "--session", "s"], 4, "answered"),
    (["ask", "x", "--session", "a/b"], 2, "bad_input"), (["ask", "x" * 40_001], 2, "input_too_long")])
def test_what_cannot_be_asked(both: Command, server: Streamed, words: list[str], status: int, code: str) -> None:
    assert both(*words, status=status)["error"]["code"] == code and server.asked == []


def test_a_failure_has_its_reason_its_hint_and_its_question_kept(both: Command, server: Streamed) -> None:
    server.answers = [[text("half "), CUT], answer("whole")]
    failed = both("ask", "tell me", "--session", "s1", status=5)
    assert (failed["error"]["code"], failed["answer"]) == ("model_cut", "half") and failed["error"]["hint"]
    assert both("ask", "--again", "--session", "s1")["answer"] == "whole"


def test_nobody_listens_at_the_endpoint(tmp_path: Path, command: Command) -> None:
    done = command.run("--vault", str(command.vault), "ask", "anyone?", DEEPSEEDIAN_MODEL_ENDPOINT="http://127.0.0.1:9/v1")
    assert done.status == 5 and "cannot be reached" in done.err and "→" in done.err


def test_going_away_stops_the_turn_and_keeps_what_came(command: Command, server: Streamed) -> None:
    server.answers = [[text("one "), 20.0, *answer("two")]]
    with command.daemon():
        endpoint = endpoint_of(command.vault, runtime_folder())
        assert endpoint is not None
        events = client.stream(endpoint, "ask", {"question": "count", "session": "s1"})
        assert next(data for kind, data in events if kind == "delta")["text"] == "one "
        events.close()  # type: ignore[attr-defined]
        assert until(lambda: server.gone.is_set(), 20)
        log = next((Path(os.environ["DEEPSEEDIAN_STATE_DIR"])).rglob("s1.jsonl"))
        assert until(lambda: '"stopped"' in log.read_text(encoding="utf-8"), 20) and "one" in log.read_text(encoding="utf-8")


def test_a_running_turn_is_stopped_over_the_socket(command: Command, server: Streamed) -> None:
    server.answers = [[text("one "), 20.0, *answer("two")]]
    with command.daemon():
        endpoint = endpoint_of(command.vault, runtime_folder())
        assert endpoint is not None
        events: list[tuple[str, dict[str, Any]]] = []
        for kind, data in client.stream(endpoint, "ask", {"question": "count"}):
            events.append((kind, data))
            if kind == "delta":
                turn = next(data for kind, data in events if kind == "turn")["turn"]
                assert client.call(endpoint, "stop_turn", {"id": turn})["state"] == "ended"  # type: ignore[index]
        assert events[-1][1]["state"] == "stopped" and events[-1][1]["answer"] == "one"


def test_a_daemon_killed_in_the_middle_loses_no_question(command: Command, server: Streamed) -> None:
    server.answers = [[text("one "), 20.0, *answer("two")], answer("now")]
    with command.daemon() as daemon:
        endpoint = endpoint_of(command.vault, runtime_folder())
        assert endpoint is not None
        with pytest.raises(client.LostAnswer):
            for kind, _ in client.stream(endpoint, "ask", {"question": "count for me", "session": "s1"}):
                if kind == "delta":
                    daemon.kill()
    assert command("ask", "--again", "--session", "s1")["answer"] == "now"
    assert "count for me" in server.asked[-1]["messages"][-1]["content"]


def test_a_daemon_told_to_stop_ends_its_turns(command: Command, server: Streamed) -> None:
    server.answers = [[text("one "), 30.0, *answer("two")]]
    with command.daemon() as daemon:
        process = subprocess.Popen([*program(), "--vault", str(command.vault), "--json", "ask", "count", "--session", "s1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=os.environ | command.environment)
        assert until(lambda: server.asked, 20)
        time.sleep(0.3)
        daemon.process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=30)
        assert daemon.process.wait(timeout=30) == 0
        assert json.loads(out)  # a document, whether it heard the end or was cut off
    log = next((Path(os.environ["DEEPSEEDIAN_STATE_DIR"])).rglob("s1.jsonl"))
    assert '"stopped"' in log.read_text(encoding="utf-8")


def test_ctrl_c_stops_the_turn(command: Command, server: Streamed) -> None:
    server.answers = [[text("one "), 30.0, *answer("two")]]
    with command.daemon():
        process = subprocess.Popen([*program(), "--vault", str(command.vault), "ask", "count", "--session", "s1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=os.environ | command.environment)
        assert process.stdout is not None and process.stdout.read(4) == b"one "
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        assert process.returncode == 1 and until(lambda: server.gone.is_set(), 20)


def test_an_answer_steers_no_terminal(command: Command, server: Streamed) -> None:
    server.answers = [answer("a\x1b]52;c;eA==\x07b\u202ec\r\n", "龙井 👩‍👩‍👧")]
    assert command.run("--vault", str(command.vault), "ask", "x").out == "a\ufffd]52;c;eA==\ufffdb\ufffdc\n龙井 👩‍👩‍👧\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_no_file_to_attach(command: Command, server: Streamed, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.txt")
    assert command("ask", "x", "--attach", str(tmp_path / "p.txt"), status=2)["error"]["code"] == "bad_input" and server.asked == []


@pytest.mark.parametrize(("operation", "seconds"), [("sweep", client.ORGANIZE_SECONDS), ("status", client.ANSWER_SECONDS)])
def test_a_command_waits_for_what_a_model_may_take(operation: str, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(Door, "endpoint", lambda self: object())
    monkeypatch.setattr(client, "call", lambda endpoint, name, values, timeout: waited.append(timeout) or {})
    Door("", "").call(operation)
    assert waited == [seconds]
