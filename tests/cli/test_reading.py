"""What a person reads and types: times of their own clock, ids by their beginning, a status in words, warnings where a setting does nothing."""

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deepseedian.cli import condition
from deepseedian.cli.main import main
from deepseedian.cli.show import local
from deepseedian.sidecar import Sidecar
from tests.live import Live

Run = Callable[..., str]
SHANGHAI = "CST-8"  # a zone that needs no zone files


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", SHANGHAI)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def run(vault: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """A command in this process: what it printed, on standard error where it failed."""
    def one(*words: str, status: int = 0) -> str:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(["--vault", str(vault), *words])
        said = capfd.readouterr()
        assert ended.value.code == status, (words, said)
        return said.out + said.err if status == 0 else said.err
    return one


@pytest.fixture(params=["alone", "daemon"])
def both(request: pytest.FixtureRequest, vault: Path, run: Run) -> Iterator[Run]:
    if request.param == "alone":
        yield run
        return
    with Live(vault):
        yield run


# Times


@pytest.mark.parametrize(("at", "shown"), [
    ("2026-11-30T16:30:05.123Z", "2026-12-01 00:30:05"), ("2026-11-30T16:30:05+02:00", "2026-11-30 22:30:05"), ("2026-11-30", "2026-11-30 00:00:00"),
    ("", ""), ("some day", "some day"), (None, "None"), ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z")])
def test_a_time_is_that_of_the_reader(zone: None, at: object, shown: str) -> None:
    assert local(at) == shown


def test_commands_print_local_time_and_json_prints_utc(zone: None, run: Run, opened: Callable[..., Sidecar]) -> None:
    sidecar = opened()
    done = sidecar.remember("I write short paragraphs")
    sidecar.observe("chat", [{"role": "user", "text": "hello there"}], at="2026-11-30T16:30:00Z")
    sidecar.turn_trace.add("chat", "a", "question", {"text": "what?"})
    sidecar.recall("How do I write paragraphs?", session="chat", inject=True)
    sidecar.close()
    stored = str(json.loads(run("--json", "show", str(done["id"])))["createdAt"])
    hour = local(stored)[:13]
    assert stored.endswith("Z") and hour != stored[:13].replace("T", " ")
    for words in (("history",), ("trace",), ("receipts",), ("show", str(done["id"])), ("show", str(done["id"]), "--timeline")):
        said = run(*words)
        assert any(shown in said for shown in (hour, time.strftime("%Y-%m-%d %H"))) and stored[:13] not in said, (words, said)
    assert all("2026-12-01 00:30:00" in run("sessions", *words) for words in (("list",), ("show", "chat")))
    assert f"  {local(stored)[:10]}  " in run("list")
    assert re.search(rf"^({hour[11:]}|{time.strftime('%H')}):\d\d:\d\d  input", run("trace", "a"), re.M)
    assert json.loads(run("--json", "history"))["changes"][0]["at"].endswith("Z")


def test_a_report_is_of_the_days_of_its_reader(zone: None, run: Run, vault: Path) -> None:
    """Review notes have local names: a report of the same moment has the same day."""
    today = time.strftime("%Y-%m-%d")
    assert re.search(rf"Reports/({today}|{time.strftime('%Y-%m-%d')})\.md", run("report"))


# Ids


def test_an_id_may_be_shortened(both: Run) -> None:
    key = json.loads(both("--json", "remember", "I write short paragraphs"))["id"]
    short = key[:4]
    assert key in both("show", short) and key in both("show", short, "--timeline")
    assert key in both("edit", short, "I write very short paragraphs") and f"moved {key} to writing" in both("move", short, "writing")
    assert f"pinned {key}" in both("pin", short) and f"unpinned {key}" in both("pin", short, "--off")
    assert f"noted: {key} was useful" in both("feedback", short, "useful")
    assert f"forgotten {key}" in both("forget", short) and '"archived": true' in both("--json", "show", short)
    assert f"erased {key}" in both("erase", short, "--yes")
    assert "there is no entry" in both("show", short, status=3)


def test_proposals_sessions_and_turns_too(both: Run, tmp_path: Path) -> None:
    turn = tmp_path / "turn.json"
    for name, words in (("travel-1", "Please remember: I take the train to work."), ("travel-2", "Please remember: I never fly.")):
        turn.write_text(json.dumps({"session": name, "messages": [{"role": "user", "text": words}, {"role": "assistant", "text": "Noted."}]}), encoding="utf-8")
        both("observe", str(turn))
    first, second = (item["id"] for item in json.loads(both("--json", "review", "list"))["proposals"])
    assert "I take the train" in both("review", "show", first[:6])
    assert "approved: I take the train" in both("review", "approve", first[:6]) and "dismissed: I never fly" in both("review", "dismiss", second[:6])
    assert "I never fly" in both("sessions", "show", "travel-2") and "several ids" in both("sessions", "show", "trav", status=2)
    assert both("sessions", "rename", "travel-1", "Trains").startswith("travel-1")
    shown = json.loads(both("--json", "sessions", "show", "travel-1"))["conversation"][0]["id"]
    fork = both("sessions", "fork", "travel-1", shown[:8]).split()[0]
    assert len(fork) == 36 and both("sessions", "goal", fork[:6], "rails").startswith(fork)
    assert f"deleted: {fork}" in both("sessions", "delete", fork[:6], "--yes")
    assert "there is no session" in both("sessions", "show", fork[:6], status=3)


def test_what_begins_several_ids_is_asked_back(run: Run, opened: Callable[..., Sidecar]) -> None:
    sidecar = opened()
    topic = sidecar.vault.memory / "topics/general.md"
    ids = [f"abcd{number:x}000-0000-4000-8000-000000000000" for number in range(12)]
    block = '<!-- deepseedian-entry {{"id":"{0}","createdAt":"2026-01-01T00:00:00.000Z","source":"x"}} -->\nfact of {0}\n<!-- /deepseedian-entry -->\n'
    topic.write_text("".join(block.format(key) for key in ids), encoding="utf-8")
    sidecar.close()
    said = run("forget", "abcd", status=2)
    assert "abcd is the beginning of several ids:" in said and said.count("fact of abcd") == 10, "ten are enough to see what to add"
    assert f"forgotten {ids[2]}" in run("forget", "abcd2")
    assert json.loads(run("--json", "list"))["entries"][2]["id"] == ids[3]
    for short in ("abc", "abcdz", "ABCD3"):  # too short, none, and ids are written small
        assert "there is no entry" in run("forget", short, status=3)
    assert "several ids" in run("erase", "abcd", "--yes", status=2)


def test_a_whole_name_goes_before_those_it_begins(run: Run, opened: Callable[..., Sidecar]) -> None:
    sidecar = opened()
    for name in [f"talk-{number:02}" for number in range(15)] + ["talk"]:
        sidecar.observe(name, [{"role": "user", "text": f"hello from {name}"}])
    found = sidecar.matching("session", "talk")["matches"]
    assert found[0]["id"] == "talk" and len(found) == 10  # type: ignore[index, arg-type]
    sidecar.close()
    assert "deleted: talk," in run("sessions", "delete", "talk", "--yes")
    assert "several ids" in run("sessions", "delete", "talk", "--yes", status=2)


def test_a_trace_by_the_beginning_of_its_turn(run: Run, opened: Callable[..., Sidecar]) -> None:
    sidecar = opened()
    sidecar.observe("chatting", [{"role": "user", "text": "hello"}])
    for turn in ("5b0f0000-1", "5b0f1111-2"):
        sidecar.turn_trace.add("chatting", turn, "question", {"text": f"what of {turn}?"})
    sidecar.close()
    assert "turn 5b0f1111-2 of session chatting" in run("trace", "5b0f1")
    said = run("trace", "5b0f", status=2)
    assert "5b0f is the beginning of several ids:" in said and "5b0f0000-1  what of" in said and "→ write more of it" in said
    assert "what of 5b0f1111-2?" in run("trace", "--session", "chat") and "there is no trace" in run("trace", "5b0", status=3)


# Status and settings


def test_status_is_told_in_words(run: Run, vault: Path, tmp_path: Path) -> None:
    turn = tmp_path / "turn.json"
    turn.write_text(json.dumps({"session": "c", "messages": [{"role": "user", "text": "Please remember: I take the train to work."}]}), encoding="utf-8")
    with Live(vault):
        assert "review: nothing waits for you" in run("status")
        run("observe", str(turn))
        run("notes", "search", "train")
        said = run("status")
    assert not re.search(r"[{}\[\]']|None|True|False", said), said
    assert re.search(r"^review: 1 waits for you, the oldest since today; in Deepseedian/Review/.+\.md$", said, re.M)
    assert re.search(r"^idle: 0 of 2 model runs and 0 of 80000 characters today$", said, re.M)
    assert re.search(r"^notes: (\d+ indexed|being indexed)", said, re.M)


def test_each_part_of_a_status_has_its_words(zone: None) -> None:
    parts = {
        "semantic": {"state": "embedding", "model": "m", "address": "http://127.0.0.1:1", "dimension": 3, "entries": 5, "missing": 2, "refused": 1,
                     "latencyMs": 1.5, "fault": "", "bytes": 60},
        "judge": {"model": "small", "milliseconds": 312.5, "fault": "it did not answer"},
        "notes": {"state": "ready", "notes": 7, "problems": 2},
        "review": {"open": 3, "oldestDays": 4, "stale": 1, "note": None},
        "idle": {"runs": 1, "mostRuns": 2, "chars": 5, "mostChars": 9, "last": "done", "lastAt": "2026-11-30T16:30:00Z", "running": True, "failures": 2,
                 "retryInSeconds": 30}}
    said = condition.page({"pid": 1, "entries": 0, "socket": "s", "memory": "m", "health": {"status": "degraded", "faults": [{"code": "c", "message": "why"}]}} | parts)
    for line in ("semantic: embedding: m at http://127.0.0.1:1, 3 dimensions, 5 entries, 60 bytes, 2 to do, 1 refused, 1.5 ms",
                 "judge: small, last answer after 312.5 ms, it did not answer", "notes: 7 indexed, 2 problems: deepseedian notes problems",
                 "review: 3 wait for you, the oldest for 4 days, 1 out of date; deepseedian review list",
                 "idle: 1 of 2 model runs and 5 of 9 characters today, the last run 2026-12-01 00:30:00: done, one is running, failed 2 times, tried again in 30 s",
                 "  c: why"):
        assert line in said.splitlines(), (line, said)


@pytest.mark.parametrize("name", ["model.profile", "judge.provider"])
def test_a_profile_that_does_not_exist_is_warned_of(both: Run, home: Path, name: str) -> None:
    said = both("config", "set", name, "nope")
    assert f"{name} = \"nope\"" in said and "there is no profile 'nope'" in said and "it holds none yet" in said
    (home / "config/config.toml").write_text('[profiles.work]\nendpoint = "https://models.example/v1"\nmodel = "m"\n[profiles.home]\n', encoding="utf-8")
    said = both("config", "set", name, "wrok")
    assert "there is no profile 'wrok'" in said and "known: home, work" in said
    assert "wrok" in json.loads(both("--json", "config", "set", name, "wrok"))["warning"]
    assert "profile 'work'" not in both("config", "set", name, "work") and "warning" not in json.loads(both("--json", "config", "set", name, "work"))
    assert "→" not in both("config", "set", name, "")
