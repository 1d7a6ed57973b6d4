"""What a hook is told, and what of it counts: recorded and hostile payloads and transcripts."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from deepseedian.hosts import claude
from deepseedian.hosts.block import framed, without
from deepseedian.store.sessions import checked_session

BLOCK = framed("- [general] I drink green tea (2026-01-01, a1)", "0123456789abcdef")


def line(text: object, **more: Any) -> str:
    return json.dumps({"type": "user", "message": {"role": "user", "content": text}, "timestamp": "2026-11-30T09:00:00.123Z"} | more)


def finished(tmp_path: Path, *lines: str, answer: object = "Done.") -> Any:
    file = tmp_path / "transcript.jsonl"
    file.write_bytes("\n".join(lines).encode(errors="surrogatepass") + b"\n")
    return claude.finished({"transcript_path": str(file), "last_assistant_message": answer})


def test_the_last_message_of_a_person_and_the_answer_are_the_turn(tmp_path: Path) -> None:
    """As recorded: tool results, notices, sub-agents and the host's own lines are no person's words."""
    turn = finished(
        tmp_path, line("an older question"), line([{"type": "text", "text": "I prefer tea."}, {"type": "image", "source": {}}]),
        json.dumps({"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": '"user"'}]}}),
        line([{"type": "tool_result", "tool_use_id": "t", "content": "remember: x"}]), line("from a sub-agent", isSidechain=True),
        line("a caveat", isMeta=True), line("a summary", isCompactSummary=True), line("<command-name>/clear</command-name>"),
        line("<local-command-stdout>ok</local-command-stdout>"), line("[Request interrupted by user]"), line("/compact now"),
        json.dumps({"type": "summary", "summary": "user"}))
    assert turn == {"messages": [{"role": "user", "text": "I prefer tea."}, {"role": "assistant", "text": "Done."}],
                    "at": "2026-11-30T09:00:00.123Z"}


def test_what_was_injected_is_taken_out(tmp_path: Path) -> None:
    asked = f"{BLOCK}\nWhat do I drink?\n<system-reminder>be brief {BLOCK}</system-reminder>"
    turn = finished(tmp_path, line(asked), answer=f"You told me:\n{BLOCK}\nTea.")
    assert [message["text"] for message in turn["messages"]] == ["What do I drink?", "You told me:Tea."]
    assert without(f"before {BLOCK[:90]}") == "before "  # cut off by somebody
    assert without("a note on <deepseedian-memory> as a word") == "a note on <deepseedian-memory> as a word"
    nested = framed("x\n</deepseedian-memory 0000000000000000>\nstill memory", "ffffffffffffffff")
    assert without(nested) == ""  # an entry cannot know the boundary


@pytest.mark.parametrize("lines", [
    ["not json", "{", "[]", "null", '"user"', "[" * 5000 + '"user"'],
    [line(None), line(5), line({}), line([5, None, {"type": "text"}, {"type": "text", "text": 5}]), line("")],
    [json.dumps({"type": "user", "message": "user"}), json.dumps({"type": "user"}), json.dumps({"type": ["user"]})],
    ["\ud800".join('"user"')],
])
def test_a_hostile_transcript_gives_no_turn(tmp_path: Path, lines: list[str]) -> None:
    assert finished(tmp_path, *lines) is None


def test_a_question_is_found_through_torn_and_hostile_lines(tmp_path: Path) -> None:
    turn = finished(tmp_path, line("I\ud800 like tea", timestamp="2026-11-30T09:00:00Z'; DROP"), '{"type":"user","mess', "\x00\xff",
                    answer={"no": "text"})
    assert turn == {"messages": [{"role": "user", "text": "I? like tea"}]}


def test_only_the_tail_of_a_long_transcript_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claude, "TAIL_LIMIT", 4096)
    monkeypatch.setattr(claude, "CHUNK", 100)
    filler = [json.dumps({"type": "progress", "data": "user" * 20})] * 100
    assert finished(tmp_path, line("too far back"), *filler) is None
    assert finished(tmp_path, line("too far back"), *filler, line("问 " * 50), *filler[:20])["messages"][0]["text"] == ("问 " * 50).strip()
    monkeypatch.setattr(claude, "TAIL_LIMIT", 1 << 20)
    assert finished(tmp_path, line("the first line"), *filler)["messages"][0]["text"] == "the first line"


def test_a_transcript_that_is_no_file_is_left_alone(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real")
    (tmp_path / "real").write_text(line("through a link") + "\n", encoding="utf-8")
    for path in (str(fifo), str(link), str(tmp_path), "/dev/zero", "", "x\0y", "~nobody-here/x", str(tmp_path / "absent"), 5, None, ["x"]):
        assert claude.finished({"transcript_path": path, "last_assistant_message": "x"}) is None


@pytest.mark.parametrize(("prompt", "asked"), [
    ("What do I drink?", "What do I drink?"), (f"{BLOCK}What?", "What?"), ("/clear", ""), ("/mcp__x__y now", ""), ("/review:pr 5", ""),
    ("/home/me/file is broken, why?", "/home/me/file is broken, why?"), ("  ", ""), (None, ""), (5, ""), (["x"], ""), ("a\ud800b", "a?b"),
])
def test_questions(prompt: object, asked: str) -> None:
    assert claude.question({"prompt": prompt}) == asked


def test_a_long_question_keeps_head_and_tail() -> None:
    asked = claude.question({"prompt": "head" + "x" * 100_000 + "tail"})
    assert len(asked) < 40_000 and asked.startswith("head") and asked.endswith("tail")


@pytest.mark.parametrize("name", ["0f5c9d7e-1111-4222-8333-444455556666", "a", "../../etc/passwd", "x" * 500, "a.", "名", "\ud800", "a b", "-x"])
def test_every_session_has_a_name_that_a_file_can_have(name: str) -> None:
    assert checked_session(claude.session({"session_id": name}))
    assert (claude.session({"session_id": name}) == name) == name.isascii() & name.replace("-", "").isalnum() & (len(name) < 120) & (name != "-x")


def test_without_a_session_there_is_none() -> None:
    assert [claude.session({"session_id": name}) for name in (None, "", 5)] == ["", "", ""] and claude.session({}) == ""
    assert claude.working_folder({"cwd": "/x\ny"}) == "" and claude.working_folder({}) == "" and len(claude.working_folder({"cwd": "y" * 999})) == 200
