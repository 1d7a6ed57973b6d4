"""`deepseedian hook` as a host runs it: another process, JSON on standard input, and never a turn that fails or waits."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from deepseedian import client
from tests.commands import ROOT, Command, Done, program, until
from tests.hosts.impostor import answer, impostor
from tests.live import Live

TEA = "I drink green tea in the morning."
PATIENCE = 15.0  # a busy machine starts Python slowly; the next longer limit of ours is 70 s
ASKED = {"session_id": "0f5c9d7e-1111-4222-8333-444455556666", "cwd": "/somewhere", "hook_event_name": "UserPromptSubmit",
         "permission_mode": "default", "prompt": "What tea do I drink in the morning?"}


def hook(vault: Path, event: str, payload: object, *more: str, **environment: str) -> Done:
    given = payload if isinstance(payload, str) else json.dumps(payload)
    began = time.monotonic()
    done = Command(vault).run("--vault", str(vault), "hook", event, *more, given=given, **environment)
    assert time.monotonic() - began < PATIENCE
    assert done.status == 0
    return done


def context(done: Done) -> str:
    found = json.loads(done.out)["hookSpecificOutput"]
    assert found["hookEventName"] == "UserPromptSubmit"
    return str(found["additionalContext"])


def test_memory_before_the_turn_and_the_turn_handed_in(vault: Path, tmp_path: Path) -> None:
    with Live(vault) as daemon:
        one = daemon.ask("remember", text=TEA)["id"]
        done = hook(vault, "UserPromptSubmit", ASKED)
        text = context(done)
        assert TEA in text and one in text and done.err == "" and "systemMessage" not in json.loads(done.out)
        receipt, = daemon.ask("receipts", session=ASKED["session_id"])["receipts"]
        assert receipt["door"] == "claude-code"
        assert hook(vault, "UserPromptSubmit", ASKED).out == ""  # this session has received it
        daemon.ask("set_setting", name="delivery", value="notice")
        told = json.loads(hook(vault, "UserPromptSubmit", ASKED | {"session_id": "other"}).out)
        assert TEA in told["systemMessage"] and "\n" not in told["systemMessage"]
        daemon.ask("set_setting", name="language", value="zh")
        assert "用到的记忆" in json.loads(hook(vault, "UserPromptSubmit", ASKED | {"session_id": "third"}).out)["systemMessage"]

        transcript = tmp_path / "t.jsonl"
        said = {"role": "user", "content": f"{text}\n不对，我早上喝咖啡"}
        transcript.write_text(json.dumps({"type": "user", "message": said, "timestamp": "2026-11-30T09:00:00.000Z"}) + "\n", encoding="utf-8")
        stop = {"session_id": "talk", "transcript_path": str(transcript), "last_assistant_message": f"{text}\n好的", "stop_hook_active": False}
        assert hook(vault, "Stop", stop).out == "" and hook(vault, "Stop", stop | {"stop_hook_active": True}).out == ""
        kept, = Path(os.environ["DEEPSEEDIAN_STATE_DIR"]).rglob("sessions/talk.jsonl")
        turn = [json.loads(row) for row in kept.read_text(encoding="utf-8").splitlines()]
        assert [message["text"] for message in turn[0]["messages"]] == ["不对，我早上喝咖啡", "好的"] and len(turn) == 1
        assert turn[0]["origin"] == "claude-code"


def test_nothing_is_said_where_nothing_is_to_be_said(vault: Path) -> None:
    with Live(vault) as daemon:
        daemon.ask("remember", text=TEA)
        daemon.ask("pin", id=daemon.ask("entries")["entries"][0]["id"], on=True)
        quiet: list[tuple[str, Any]] = [("UserPromptSubmit", ASKED | {"prompt": prompt}) for prompt in ("/clear", "ok", None)]
        quiet += [(event, ASKED) for event in ("SessionEnd", "PreCompact", "Stop", "")]
        quiet += [("UserPromptSubmit", text) for text in ("", "null", "[" * 100_000)] + [("Stop", {"session_id": ["s"]})]
        assert {hook(vault, event, payload).out for event, payload in quiet} == {""}
        assert hook(vault, "SessionStart", ASKED, "--start").out == ""
        daemon.ask("set_setting", name="auto_recall", value="false")
        assert hook(vault, "UserPromptSubmit", ASKED | {"session_id": "more"}).out == ""
        assert hook(vault, "UserPromptSubmit", "x" * (9 << 20)).out == ""


def test_switched_off_nothing_is_said_and_nothing_kept(vault: Path, tmp_path: Path) -> None:
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": "Remember: I like cats"}}), encoding="utf-8")
    with Live(vault) as daemon:
        daemon.ask("remember", text=TEA)
        daemon.ask("set_setting", name="enabled", value="false")
        assert hook(vault, "UserPromptSubmit", ASKED).out == ""
        assert hook(vault, "Stop", {"session_id": "talk", "transcript_path": str(transcript), "last_assistant_message": "ok"}).out == ""
        assert not list(Path(os.environ["DEEPSEEDIAN_STATE_DIR"]).rglob("sessions/talk.jsonl"))
        assert daemon.ask("proposals")["proposals"] == []


def test_without_a_daemon_nothing_happens_and_start_starts_one(vault: Path) -> None:
    for words in (["hook", "UserPromptSubmit"], ["hook", "Stop"], ["hook"], ["hook", "Stop", "--unknown", "x"]):
        done = Command(vault).run("--vault", str(vault), *words, given=json.dumps(ASKED))
        assert (done.status, done.out, done.err) == (0, "", "")
    gone = Command(vault).run("--vault", str(vault / "gone"), "hook", "UserPromptSubmit", given=json.dumps(ASKED))
    assert (gone.status, gone.out, gone.err) == (0, "", "")
    told = Command(vault).run("hook", "Stop", given="{", DEEPSEEDIAN_DEBUG="1")
    assert (told.status, told.out) == (0, "") and "JSONDecodeError" in told.err
    assert hook(vault, "SessionStart", ASKED, "--start").out == ""
    command = Command(vault)
    try:
        assert until(lambda: command("status")["running"], 20)
    finally:
        command("stop")


def test_the_vault_may_be_told_by_the_hosts_folder(vault: Path) -> None:
    (vault / "notes").mkdir()
    with Live(vault) as daemon:
        daemon.ask("remember", text=TEA)
        done = Done(subprocess.run([*program(), "hook", "UserPromptSubmit"], input=json.dumps(ASKED | {"cwd": str(vault / "notes")}),
                                   capture_output=True, encoding="utf-8", timeout=30, check=False, cwd="/",
                                   env=os.environ | {"PYTHONPATH": str(ROOT)}))
        assert TEA in context(done)


def test_a_killed_daemon_is_an_absent_one(vault: Path) -> None:
    with Live(vault) as daemon:
        daemon.kill()
        assert client.endpoint_of(vault, daemon.runtime) is not None  # it left its file
        assert hook(vault, "UserPromptSubmit", ASKED).out == ""


def test_a_silent_daemon_holds_no_turn_up(vault: Path) -> None:
    """The limit of the hook, not one of the client's longer ones."""
    with impostor(vault, None):
        assert hook(vault, "UserPromptSubmit", ASKED).out == ""


def test_standard_input_that_never_ends_holds_no_turn_up(vault: Path) -> None:
    process = subprocess.Popen([*program(), "--vault", str(vault), "hook", "Stop"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
    try:
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("body", [b"{}", b"[]", b'{"text":5}', b'{"text":""}', b"<html>", b'{"error":{"code":"busy"}}'])
def test_a_senseless_answer_says_nothing(vault: Path, body: bytes) -> None:
    with impostor(vault, answer(body)):
        assert hook(vault, "UserPromptSubmit", ASKED).out == ""
