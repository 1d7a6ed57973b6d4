"""Inline completion over a real vault and a scripted model that streams: what costs a call, what is shown, what is told instead."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deepseedian.errors import BadInput
from deepseedian.models.connection import Server
from deepseedian.models.streaming import OpenAIStreaming
from deepseedian.sidecar import Sidecar, completing, initialise
from deepseedian.store.seam import Seam
from tests.doubles import FakeClock
from tests.scripted import Script
from tests.scripted import served as scripted
from tests.streamed import CUT, Status, Streamed, answer, call_answer, finish, streaming, text

Found = dict[str, Any]
SAID = '{"text":" green tea"}'


class Case:
    """An open vault, its model, and a clock that goes on by three seconds with each completion."""

    def __init__(self, sidecar: Sidecar, server: Streamed, clock: FakeClock) -> None:
        self.sidecar, self.server, self.clock = sidecar, server, clock

    def complete(self, before: str = "In the morning I drink", after: str = "", path: str = "Diary/today.md", **more: Any) -> Found:
        self.clock.now += 3
        return self.sidecar.complete(before, after, path=path, **more)

    @property
    def calls(self) -> int:
        return len(self.server.asked)


@contextmanager
def case(tmp_path: Path, *answers: Any, **settings: object) -> Iterator[Case]:
    vault = tmp_path / "v"
    if not vault.exists():
        initialise(vault)
    with streaming(Streamed(*answers)) as server:
        model = OpenAIStreaming(Server(server.url), "scripted", lambda: "sk-TESTKEY123", retries=0)
        clock = FakeClock()
        overrides = {"complete": True, "judge": "off"} | {name.replace("__", "."): value for name, value in settings.items()}
        sidecar = Sidecar.open(vault, seam=Seam(clock=clock, streaming=lambda: model), overrides=overrides)
        try:
            yield Case(sidecar, server, clock)
        finally:
            sidecar.close()


def test_a_text_for_the_cursor(tmp_path: Path) -> None:
    with case(tmp_path, answer('{"text":', '" green tea"}', thought="hm")) as found:
        assert found.complete(after=".", title="Today") == {"text": " green tea"}
        asked = found.server.asked[0]
        assert asked["max_tokens"] == 128 and "tools" not in asked and [one["role"] for one in asked["messages"]] == ["system", "user"]
        assert "Diary" not in str(asked) and "Today" in asked["messages"][1]["content"]


REFUSED: list[tuple[Found, Found, str]] = [
    ({"complete": False}, {}, "off"), ({}, {"place": "chat"}, "chat_off"), ({"enabled": False}, {}, "disabled"),
    ({"complete.excluded": "Private, Diary"}, {}, "excluded"), ({"complete.excluded": "diary/TODAY.md"}, {}, "excluded"),
    ({"complete.excluded": "Diary\\"}, {}, "excluded"), ({"complete.excluded": "Private"}, {"path": "Private\\a.md"}, "excluded"),
    ({"complete.excluded": "./Diary//today.md"}, {}, "excluded"), ({"complete.excluded": "Private"}, {"path": ""}, "unnamed"),
    ({}, {"before": "  "}, "nothing"), ({}, {"before": "```\na"}, "code"), ({}, {"before": "---\na: "}, "front_matter"),
    ({}, {"before": "It is $x"}, "math"), ({}, {"before": "| a "}, "table"),
]


def test_what_is_refused_costs_no_call(tmp_path: Path) -> None:
    with case(tmp_path, answer(SAID)) as found:
        usual = dict(found.sidecar.config.overrides)
        for settings, more, reason in REFUSED:
            found.sidecar.config.overrides = usual | settings
            told = found.complete(**more)
            assert (told["text"], told["reason"]) == ("", reason) and told["message"], (settings, more)
        assert not found.calls and not (found.sidecar.instance.folder / "complete.db").exists()


def test_whole_names_are_excluded(tmp_path: Path) -> None:
    with case(tmp_path, answer(SAID)) as found:
        for excluded in ("Private", "Di", "Diary/to", "today.md", ", ,"):
            found.sidecar.config.overrides["complete.excluded"] = excluded
            assert found.complete()["text"] == " green tea", excluded


def test_a_whole_path_is_that_of_the_vault(tmp_path: Path) -> None:
    with case(tmp_path, answer(SAID), complete__excluded="Private") as found:
        root = found.sidecar.vault.root
        assert found.complete(path=str(root / "Private/a.md"))["reason"] == "excluded" and found.complete(path=str(root / "a.md"))["text"]
        for path in ("/etc/passwd", "../a.md", "a/../../b.md", "a\x00.md"):
            with pytest.raises(BadInput):
                found.complete(path=path)


def test_the_chat_has_a_switch_of_its_own(tmp_path: Path) -> None:
    with case(tmp_path, answer(SAID), complete=False, complete__chat=True, complete__excluded="Diary") as found:
        assert found.complete(place="chat", path="")["text"] == " green tea"
        assert found.complete()["reason"] == "off"


def test_without_a_model(tmp_path: Path) -> None:
    initialise(tmp_path / "v")
    sidecar = Sidecar.open(tmp_path / "v", overrides={"complete": True})
    told: Found = sidecar.complete("I drink ")
    assert told["reason"] == "model_missing" and "key set" in str(told["hint"])
    sidecar.close()


HOSTILE = [
    (answer("green tea"), "answer"), (answer("```json\n", SAID, "\n```"), "answer"), (answer('{"text":"a","more":1}'), "answer"), (answer(""), "answer"),
    (answer('{"text":"' + "x" * 5000), "answer"), (answer(*["x" * 500] * 10), "answer"), (call_answer(("complete", {"text": "x"})), "answer"),
    (call_answer(("complete", {"text": "x"}), words=SAID), "answer"), (answer(SAID, reason="length"), "cut"), (answer(SAID, reason="content_filter"), "answer"),
    ([text(SAID), finish()], ""), ([text(SAID), CUT], "model_cut"), ([text('{"text'), CUT], "model_cut"), (answer('{"text":""}'), "abstained"),
    (answer('{"text":"\\n# Now do as I say"}'), "lines"), (answer('{"text":" a\\u001b[2J"}'), "control"), (answer('{"text":" a\\u202eb"}'), "control"),
    (answer('{"text":"ing"}'), "glued"), (answer('{"text":" ```"}'), "fence"), (answer('{"text":" tea,"}'), "comma"), (answer('{"text":"   "}'), "blank"),
    (answer('{"text":"\\ud83d"}'), "control"), (Status(500, "{}"), "model_refused"), (Status(429, "{}", {"Retry-After": "1"}), ""), (Status(401, "{}"), "model_refused"),
    (Status(302, "", {"Location": "http://127.0.0.1:9/"}), ""),
]


def test_hostile_answers_show_nothing_and_are_asked_for_once(tmp_path: Path) -> None:
    with case(tmp_path, "") as found:
        for number, (said, reason) in enumerate(HOSTILE, 1):
            found.server.answers = [said]
            found.clock.now += 60
            began = time.monotonic()
            told = found.complete()
            assert time.monotonic() - began < 6 and found.calls == number
            if told["text"]:
                assert told["text"] == " green tea" and reason == "", number
            else:
                assert told["reason"] == reason or (not reason and told["reason"].startswith("model_")), (number, told)
                assert told["message"] and "sk-TESTKEY" not in str(told)


def test_the_budget_is_spent_before_the_call_and_never_given_back(tmp_path: Path) -> None:
    with case(tmp_path, Status(500, "{}")) as found:
        assert found.complete()["reason"].startswith("model_")
        found.clock.now -= 2
        told = found.complete()
        assert told["reason"] == "too_soon" and told["wait"] == 1.0
        found.clock.now -= 2.96  # 0.96 s are left, and nobody is told to come back before
        assert found.complete()["wait"] == 1.0
        for _ in range(9):
            found.complete()
        told = found.complete()
        assert told["reason"] == "minute" and 0 < told["wait"] <= 60 and found.calls == 10
    with case(tmp_path, answer(SAID)) as found:  # another run of the program, with its clock set back
        assert found.complete()["reason"] == "minute" and not found.calls


def test_one_at_a_time_and_stopped_when_nobody_waits(tmp_path: Path) -> None:
    with case(tmp_path, [text('{"te'), 30.0], answer(SAID)) as found:
        cancelled = threading.Event()
        told: list[Found] = []
        thread = threading.Thread(target=lambda: told.append(found.complete(cancelled=cancelled)))
        thread.start()
        for _ in range(200):
            if found.calls:
                break
            time.sleep(0.02)
        assert found.complete()["reason"] == "busy"
        cancelled.set()
        thread.join(5)
        assert told[0]["reason"] == "cancelled" and found.server.gone.wait(5)
        assert found.complete()["text"] == " green tea"
        gone = threading.Event()
        gone.set()
        assert found.complete(cancelled=gone)["reason"] == "cancelled" and found.calls == 2


def test_one_that_was_given_up_has_a_moment_to_end(tmp_path: Path) -> None:
    """A caller that gave up and asked again at once was told that another one was under way."""
    with case(tmp_path, [text('{"te'), 30.0], answer(SAID)) as found:
        cancelled = threading.Event()
        thread = threading.Thread(target=found.complete, kwargs={"cancelled": cancelled})
        thread.start()
        for _ in range(200):
            if found.calls:
                break
            time.sleep(0.02)
        late = threading.Timer(0.1, cancelled.set)  # so long it takes to see that nobody waits
        late.start()
        assert found.complete()["text"] == " green tea"
        thread.join(5)


@pytest.mark.parametrize("said", [[30.0], [text('{"te'), *([0.05, text(" ")] * 600)]])
def test_it_is_over_after_eight_seconds_whatever_comes(tmp_path: Path, said: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert completing.SECONDS == 8.0
    monkeypatch.setattr(completing, "SECONDS", 0.4)
    with case(tmp_path, said) as found:
        began = time.monotonic()
        assert found.complete()["reason"] == "model_timeout" and time.monotonic() - began < 4 and found.server.gone.wait(5)


def test_memory_informs_it_only_when_wanted(tmp_path: Path) -> None:
    with case(tmp_path, answer(SAID)) as found:
        for number in range(6):
            found.sidecar.remember(f"In the morning I drink oolong tea, cup {number}")
        found.sidecar.remember("In the morning I drink from the cup whose password is Tr0ub4dor&3x", allow_secret=True)
        assert "memory" not in found.complete() and "oolong" not in str(found.server.asked)
    with case(tmp_path, answer(SAID), complete__memory=True) as found:
        found.clock.now += 60
        told = found.complete()
        assert 1 <= len(told["memory"]) <= 4 and all("oolong" in row["summary"] for row in told["memory"])
        sent = found.server.asked[0]["messages"]
        assert "oolong" in sent[1]["content"] and "oolong" not in sent[0]["content"] and "Tr0ub4dor" not in str(sent)
        assert found.calls == 1  # no judge is asked
        rows: Any = found.sidecar.receipts()["receipts"]
        assert [row["door"] for row in rows] == ["complete"]
        assert "memory" not in found.complete("The roof of the house is")


def test_what_is_shadowed_is_not_sent(tmp_path: Path) -> None:
    with case(tmp_path, answer(SAID), complete__memory=True, shadow=True) as found:
        found.sidecar.remember("In the morning I drink oolong tea")
        assert "memory" not in found.complete() and "oolong" not in str(found.server.asked)


def test_the_configured_model_is_asked_once_for_a_short_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    initialise(tmp_path / "v")
    with scripted(Script((500, "{}"))) as server:
        monkeypatch.setenv("DEEPSEEDIAN_MODEL_ENDPOINT", server.url)
        monkeypatch.setenv("DEEPSEEDIAN_MODEL_NAME", "m")
        sidecar = Sidecar.open(tmp_path / "v", overrides={"complete": True})
        model: Any = sidecar.streaming(once=16.0)
        assert (model.idle, model.seconds, model.retries) == (16.0, 16.0, 0)
        usual: Any = sidecar.streaming()
        assert (usual.idle, usual.seconds, usual.retries) == (60.0, 120.0, 2)
        assert str(sidecar.complete("I drink ")["reason"]).startswith("model_") and len(server.asked) == 1
        sidecar.close()


def test_a_vault_cannot_switch_it_on(tmp_path: Path) -> None:
    initialise(tmp_path / "v")
    settings = tmp_path / "v/.obsidian/plugins/deepseedian/settings.json"
    settings.write_text('{"complete":true,"complete.memory":true,"complete.chat":true,"complete.pause_ms":300,"complete.excluded":"Diary"}', encoding="utf-8")
    sidecar = Sidecar.open(tmp_path / "v")
    found = {name: sidecar.get_setting(name)["value"] for name in ("complete", "complete.memory", "complete.chat", "complete.pause_ms", "complete.excluded")}
    assert found == {"complete": False, "complete.memory": False, "complete.chat": False, "complete.pause_ms": 0, "complete.excluded": "Diary"}
    assert sidecar.complete("I drink ")["reason"] == "off"
    sidecar.close()


def test_an_excluded_place_is_one_behind_a_link_and_as_a_whole_path_too(tmp_path: Path) -> None:
    with case(tmp_path, **{"complete.excluded": "Private"}) as found:
        (tmp_path / "v/Private").mkdir()
        (tmp_path / "v/Private/a.md").write_text("mine", encoding="utf-8")
        (tmp_path / "v/b.md").symlink_to("Private/a.md")
        (tmp_path / "v/Open").symlink_to("Private")
        for path in ("b.md", "Open/a.md", "Open\\a.md", "Open/new.md", str(tmp_path / "v/b.md")):
            assert found.complete(path=path)["reason"] == "excluded", path
        assert not found.calls
    for excluded in (str(tmp_path / "v/Private"), ".", "/", str(tmp_path / "v")):
        with case(tmp_path, **{"complete.excluded": excluded}) as found:
            assert found.complete(path="Private/a.md")["reason"] == "excluded", excluded
            assert not found.calls


def test_settings_that_cannot_be_read_open_no_excluded_place(tmp_path: Path) -> None:
    with case(tmp_path, answer(SAID)) as found:
        file = found.sidecar.config.vault_file
        for damaged in ('{"complete.excluded": "Diary", ', '{"complete.excluded": ["Diary"]}'):
            file.write_text(damaged, encoding="utf-8")
            assert found.complete()["reason"] == "settings_unreadable" and not found.calls
        file.write_text('{"complete.excluded": "Private"}', encoding="utf-8")
        assert found.complete() == {"text": " green tea"}
