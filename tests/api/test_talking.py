"""Sessions and traces over the wire and through the commands' own code."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from deepseedian.api import contract_talking as answers
from deepseedian.api.app import create
from deepseedian.api.host import Host
from deepseedian.cli.main import main
from deepseedian.cli.trace import usage_line
from deepseedian.sidecar import Sidecar

TOKEN = "t" * 43
USAGE = {"input": 1840, "output": 61, "cached": 1520, "reasoning": 24, "cost": 0.00042}


@pytest.fixture
def client(sidecar: Sidecar) -> Iterator[TestClient]:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with TestClient(create(Host(sidecar, TOKEN, 54321, "/run/x.sock")), base_url="http://127.0.0.1:54321", headers=headers) as found:  # type: ignore[arg-type]
        yield found


@pytest.fixture
def talk(sidecar: Sidecar) -> str:
    """A session with two turns, the second one traced."""
    for turn, parent in (("a", ""), ("b", "a")):
        sidecar.sessions.begin("chat", turn, parent, f"周会几点？ {turn}", {"manifest": {"items": []}})
        sidecar.sessions.end("chat", turn, "done", "周四下午三点", {"usage": USAGE})
    for kind, detail, usage in (("question", {"text": "周会几点？ b"}, None), ("memory", {"index": []}, None),
                                ("reasoning", {"text": "let me see"}, None), ("tool_call", {"name": "memory_read", "text": '{"id":"7f"}'}, None),
                                ("tool_result", {"name": "memory_read", "text": "周会改到\n周四"}, None), ("answer", {"text": "周四"}, USAGE)):
        sidecar.turn_trace.add("chat", "b", kind, detail, usage)
    return "chat"


def test_sessions_over_the_wire(client: TestClient, talk: str) -> None:
    page = answers.SessionPage.model_validate(client.get("/v1/sessions", params={"query": "周会 周四"}).json(), extra="forbid")
    assert (page.total, page.sessions[0].title, page.sessions[0].turns, page.sessions[0].excerpt) == (1, "周会几点？ a", 2, "周会几点？ a")
    found = answers.Session.model_validate(client.get(f"/v1/sessions/{talk}").json())
    assert [(turn.id, turn.parent, turn.state, len(turn.messages)) for turn in found.conversation] == [("a", "", "done", 2), ("b", "a", "done", 2)]
    assert found.conversation[0].extra == {"manifest": {"items": []}, "usage": USAGE}
    assert len(client.get(f"/v1/sessions/{talk}", params={"turn": "a"}).json()["conversation"]) == 1
    set_ = client.patch(f"/v1/sessions/{talk}", json={"goal": "g", "reads": False, "contribute_from": "now"})
    changed = answers.SessionRow.model_validate(set_.json(), extra="forbid")
    assert (changed.goal, changed.reads, changed.title) == ("g", False, "周会几点？ a") and changed.contributeFrom and changed.contributeFrom.index == 4
    fork = answers.SessionRow.model_validate(client.post(f"/v1/sessions/{talk}/fork", json={"turn": "a", "new": "f"}).json(), extra="forbid")
    assert (fork.id, fork.title, fork.fork) == ("f", "周会几点？ a（1）", answers.Forked(session="chat", turn="a"))
    made = answers.SessionRow.model_validate(client.post("/v1/sessions", json={"title": "Plan"}).json(), extra="forbid")
    assert len(made.id) == 36 and made.title == "Plan"
    answers.SessionDeleted.model_validate(client.delete("/v1/sessions/f").json(), extra="forbid")
    for status, response in ((404, client.get("/v1/sessions/f")), (404, client.delete("/v1/sessions/f")), (400, client.get("/v1/sessions/..%5Cx")),
                             (404, client.post("/v1/sessions/chat/fork", json={"turn": "zz"})), (409, client.post("/v1/sessions", json={"id": talk})),
                             (409, client.post("/v1/sessions/chat/fork", json={"turn": "a", "new": made.id})), (400, client.get("/v1/sessions?limit=0")),
                             (400, client.patch("/v1/sessions/chat", json={"contribute_from": "yesterday"})), (404, client.patch("/v1/sessions/no", json={})),
                             (400, client.patch("/v1/sessions/chat", json={"title": 5})), (400, client.patch("/v1/sessions/chat", json={"else": 5}))):
        assert response.status_code == status, response.json()


def test_traces_over_the_wire(client: TestClient, talk: str) -> None:
    listed = answers.Traces.model_validate(client.get("/v1/traces", params={"session": talk}).json(), extra="forbid")
    assert [(turn.turn, turn.steps, turn.question, turn.usage.cached) for turn in listed.turns] == [("b", 6, "周会几点？ b", 1520)]
    found = answers.Trace.model_validate(client.get("/v1/traces/b").json(), extra="forbid")
    assert (found.state, found.manifest, found.usage.input, [step.number for step in found.steps]) == ("done", {"items": []}, 1840, [1, 2, 3, 4, 5, 6])
    assert client.get("/v1/traces/a").status_code == 404 and client.get("/v1/traces", params={"limit": 0}).status_code == 400


def run(capsys: pytest.CaptureFixture[str], vault: Path, *words: str, status: int = 0) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["--vault", str(vault), *words])
    told = capsys.readouterr()
    assert ended.value.code == status, told
    return told.out if status == 0 else told.err


def test_the_commands(talk: str, vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "(2 turns)" in run(capsys, vault, "sessions") and "1 in all" in run(capsys, vault, "sessions", "list")
    shown = run(capsys, vault, "sessions", "show", talk)
    assert "may be learned from: on" in shown and "assistant: 周四下午三点" in shown and "done, after a" in shown
    assert "── b" not in run(capsys, vault, "sessions", "show", talk, "--turn", "a")
    assert "周会几点？ a\n    周会" in run(capsys, vault, "sessions", "search", "周会", "周四").replace("  (2 turns)", "")
    assert "none" in run(capsys, vault, "sessions", "search", "nowhere")
    assert "Plan" in run(capsys, vault, "sessions", "rename", talk, "Plan")
    run(capsys, vault, "sessions", "goal", talk, "be done")
    told = run(capsys, vault, "sessions", "set", talk, "--reads", "off", "--contributes", "off", "--contribute-from", "now")
    assert "not read, not learned from, learned from later on" in told
    assert "goal: be done" in run(capsys, vault, "sessions", "show", talk)
    assert "not learned" not in run(capsys, vault, "sessions", "set", talk, "--contributes", "on")
    assert "Plan（1）" in run(capsys, vault, "sessions", "fork", talk, "a")
    assert "no turn zz" in run(capsys, vault, "sessions", "fork", talk, "zz", status=3)
    assert "6 steps" in run(capsys, vault, "sessions", "delete", talk, "--yes")
    assert "1 in all" in run(capsys, vault, "sessions")


def test_the_trace_command(talk: str, vault: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "cost 0.00042" in run(capsys, vault, "trace")
    lines = run(capsys, vault, "trace", "b").splitlines()
    assert [line[10:16].strip() for line in lines[1:7]] == ["input", "memory", "model", "tool", "tool", "model"]
    assert lines[0] == "turn b of session chat: done" and lines[-1] == usage_line(USAGE)
    assert [line[10:].split()[1] for line in run(capsys, vault, "trace", "--tools").splitlines()[1:3]] == ["tool_call", "tool_result"]
    file = tmp_path / "turn.json"
    run(capsys, vault, "trace", "--session", talk, "--export", str(file))
    body = json.loads(file.read_text(encoding="utf-8"))
    assert body["manifest"] == {"items": []} and len(body["steps"]) == 6 and stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "cannot be written" in run(capsys, vault, "trace", "b", "--export", str(file), status=2)
    assert "no turn yet" in run(capsys, vault, "trace", "--session", "none")
    run(capsys, vault, "trace", "--session", "none", "--tools", status=3)


@pytest.mark.parametrize(("usage", "line"), [
    (USAGE, "input 1840 = 320 + 1520 from cache, output 61 (24 of it reasoning), cost 0.00042"),
    ({"input": 5, "output": 2, "cached": 0, "reasoning": 0, "cost": None}, "input 5, output 2"), ({}, "input 0, output 0")])
def test_what_a_turn_cost_in_words(usage: dict[str, object], line: str) -> None:
    assert usage_line(usage) == line
