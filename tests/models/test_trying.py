"""`model test` against servers that can everything, or nothing of it, or lie about it; each line says what and why."""

import json
from pathlib import Path
from typing import Any

import pytest

from deepseedian.errors import BadInput, ModelFailed
from deepseedian.models import streaming as port
from deepseedian.models import trying
from deepseedian.models.profiles import Profile
from deepseedian.models.trying import NAMES, listed, tried
from deepseedian.sidecar import Sidecar
from tests.commands import Command
from tests.streamed import Status, Streamed, answer, call_answer, message, streaming

COLOR = '{"color": "green"}'


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port, "PAUSES", (0.01, 0.01))


def able(asked: dict[str, Any]) -> Any:
    """A server that can everything."""
    if "tools" in asked:
        return call_answer(("set_lamp", COLOR))
    if "response_format" in asked:
        return message(COLOR)
    return answer("ready", thought="hm") if asked["stream"] else message("ready")


def only_when_made(asked: dict[str, Any]) -> Any:
    return answer("I set it.") if "tools" in asked and "tool_choice" not in asked else able(asked)


def poor(asked: dict[str, Any]) -> Any:
    """No tools, no schema, no usage, no reasoning, no streams."""
    if "tools" in asked or "response_format" in asked or "stream_options" in asked:
        return Status(400, '{"error":{"message":"unknown field tools, response_format or stream_options"}}')
    found = message("ready").document
    assert isinstance(found, dict)
    return Status(200, json.dumps({name: value for name, value in found.items() if name != "usage"}))


def states(server: Streamed, model: str = "scripted") -> dict[str, tuple[str, str]]:
    lines = tried(Profile("", server.url, model))["lines"]
    assert isinstance(lines, list) and [line["name"] for line in lines] == list(NAMES)
    return {line["name"]: (line["state"], line["reason"]) for line in lines}


def test_everything_works() -> None:
    with streaming(Streamed(able)) as server:
        found = tried(Profile("", server.url, "scripted", input_price=1.0, output_price=2.0))
        lines = {line["name"]: line for line in found["lines"]}  # type: ignore[attr-defined]
        assert {line["state"] for line in lines.values()} == {"ok"} and found["latencyMs"] > 0  # type: ignore[operator]
        assert "cost 0.000020" in lines["usage"]["reason"]
        assert len(server.asked) == 4 and all(asked["max_tokens"] <= 200 for asked in server.asked)


def test_little_works() -> None:
    with streaming(Streamed(poor, models=["other"])) as server:
        found = states(server)
        assert [found[name][0] for name in NAMES] == ["ok", "ok", "ok", "ok", "ok", "failed", "failed", "none", "failed"]
        assert "not listed, but it answers" in found["model known"][1] and "does not count" in found["usage"][1]


def test_a_model_that_calls_tools_only_when_it_is_made_to() -> None:
    with streaming(Streamed(only_when_made, models=None)) as server:
        found = states(server)
        assert found["tool call"] == ("failed", "the model calls the tool only when it is made to")
        assert found["model known"][0] == found["key accepted"][0] == "ok"


def test_a_refused_key_ends_it_wherever_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEDIAN_MODEL_KEY", "sk-TESTKEY123")
    with streaming(Streamed(Status(401, '{"error":{"message":"bad sk-TESTKEY123"}}'))) as server:  # an open list, closed calls
        found = states(server)
        assert found["key accepted"][0] == "failed" and found["plain answer"][0] == "failed" and "sk-TESTKEY123" not in str(found)


def test_nobody_there() -> None:
    with streaming(Streamed(able)) as server:
        pass
    found = states(server)
    assert found["reachable"][0] == "failed" and {state for name, (state, _) in found.items() if name != "reachable"} == {"none"}
    with pytest.raises(ModelFailed):
        listed(Profile("", server.url, "x"), 2)


def test_it_is_over_in_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "STEP_SECONDS", 1.1)
    monkeypatch.setattr(trying, "WHOLE_SECONDS", 1.5)
    with streaming(Streamed([30.0])) as server:
        found = states(server)
        assert found["plain answer"][0] == "failed" and "in time" in found["plain answer"][1]
        assert found["JSON schema"] == ("none", "not tried: the time is up")


def test_through_the_sidecar(sidecar: Sidecar) -> None:
    with pytest.raises(ModelFailed, match="no model is configured"):
        sidecar.model_test()
    with streaming(Streamed(able, models=["one", "two\nlines", "three"])) as server:
        sidecar.set_setting("model.endpoint", server.url)
        sidecar.set_setting("model.name", "one")
        assert sidecar.models() == {"profile": "", "endpoint": server.url, "model": "one", "models": ["one", "three"]}
        found = sidecar.model_test()
        assert found["model"] == "one" and found["key"] == {"set": False, "origin": ""}
        assert sidecar.model_profiles()["inForce"] == ""


def test_at_every_door(vault: Path, home: Path) -> None:
    command = Command(vault)
    (home / "config").mkdir()
    with streaming(Streamed(able, models=["m", "other"])) as server:
        (home / "config/config.toml").write_text(
            f'model.profile = "work"\n[profiles.work]\nendpoint = "{server.url}"\nmodel = "m"\n[profiles.bad]\nmodel = 3\n', encoding="utf-8")
        kept = command.run("key", "set", "Work", given="sk-TESTKEY123\n")
        assert kept.status == 0 and "sk-TESTKEY123" not in kept.out + kept.err
        before = command("model", "list")
        with command.daemon():
            after, profiles = command("model", "list"), command("model", "profiles")
            tested = command.run("--vault", str(vault), "model", "test", "--profile", "work")
    assert before == after == {"profile": "work", "endpoint": server.url, "model": "m", "models": ["m", "other"]}
    assert [row["name"] for row in profiles["profiles"]] == ["work", "bad"] and profiles["inForce"] == profiles["judge"] == "work"
    assert "config.toml: profiles.bad.model takes" in profiles["profiles"][1]["fault"]
    assert tested.status == 0 and "ok      tool call" in tested.out and f"key: {home / 'config/work.key'}" in tested.out
    assert {headers["authorization"] for headers in server.headers} == {"Bearer sk-TESTKEY123"}
    assert "sk-TESTKEY123" not in json.dumps([before, profiles]) + tested.out
    listed_keys = command("key", "list")["keys"]
    assert {row["name"]: row["set"] for row in listed_keys} == {"model": False, "embedding": False, "work": True, "bad": False}
    assert command("key", "clear", "work")["cleared"] == [str(home / "config/work.key")]
    assert not (home / "config/work.key").exists()


def test_what_the_commands_show(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process: a terminal's words, a blank key, and a key that another one goes before."""
    from click.testing import CliRunner

    from deepseedian.cli.main import cli

    def run(*words: str, given: str = "") -> str:
        return CliRunner().invoke(cli, ["--vault", str(sidecar.vault.root), *words], input=given).output

    monkeypatch.setenv("DEEPSEEDIAN_MODEL_KEY", "sk-1")
    assert "* (settings)  deepseek-flash at https://api.deepseek.com, key model: set (environment)" in run("model", "profiles")
    assert "in force is another one, from DEEPSEEDIAN_MODEL_KEY" in run("key", "set", "model", given="sk-2\n")
    assert "still in force" in run("key", "clear", "MODEL") and "model: set (environment)" in run("key", "list", "model")
    result = CliRunner().invoke(cli, ["key", "set", "model"], input=" \n")
    assert isinstance(result.exception, BadInput) and "sk-" not in result.output
    with streaming(Streamed(able, models=["m", "other"])) as server:
        sidecar.set_setting("model.endpoint", server.url)
        sidecar.set_setting("model.name", "m")
        assert run("model", "list").splitlines() == [server.url, "* m", "  other"]
