"""Receipts, feedback, verdicts and sums over the wire and through the commands' own code."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from deepseedian.api import contract
from deepseedian.api.app import create
from deepseedian.api.host import Host
from deepseedian.cli.main import main
from deepseedian.core.weight import content
from deepseedian.sidecar import Sidecar
from deepseedian.store.receipt import Judged, Receipt

TOKEN = "t" * 43
TEXT = "周会改到每周四下午三点"


@pytest.fixture
def client(sidecar: Sidecar) -> Iterator[TestClient]:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    host = Host(sidecar, TOKEN, 54321, "/run/x.sock")
    with TestClient(create(host), base_url="http://127.0.0.1:54321", headers=headers) as found:  # type: ignore[arg-type]
        yield found


@pytest.fixture
def entry(sidecar: Sidecar) -> str:
    """An entry that a session was given a moment ago, kept by the judge."""
    found = str(sidecar.remember(TEXT)["id"])
    document = {"terms": ["周会", "几点"], "matched": 1, "reason": "", "leftOut": [],
                "offered": [{"id": found, "score": 0.5, "reason": "match", "parts": [{"term": "周会", "score": 0.5}]}]}
    sidecar.recalls.keep(Receipt("r1", sidecar.seam.clock.stamp(), "周会几点？", document, "hook", "chat", injected={found: content(TEXT)},
                                 chars=11, tokens=9, judged=Judged("judged", (found,), (), 12.0)))
    return found


def test_a_receipt_over_the_wire(client: TestClient, entry: str) -> None:
    page = contract.Receipts.model_validate(client.get("/v1/receipts", params={"session": "chat"}).json(), extra="forbid")
    assert (page.total, page.receipts[0].offered) == (1, [entry])
    found = contract.Receipt.model_validate(client.get("/v1/receipts/r1").json(), extra="forbid")
    assert (found.question, found.injected, found.judge.kept) == ("周会几点？", [entry], [entry])
    assert client.get("/v1/receipts/r2").status_code == 404 and client.get("/v1/receipts", params={"limit": 0}).status_code == 400


def test_the_owners_word_over_the_wire(client: TestClient, entry: str, sidecar: Sidecar) -> None:
    said = client.post("/v1/receipts/r1/verdicts", json={"entry": entry, "verdict": "wrong"}).json()
    assert said == {"receipt": "r1", "entry": entry, "kept": True, "verdict": "wrong"}
    assert client.post("/v1/receipts/r1/verdicts", json={"entry": "other", "verdict": "wrong"}).status_code == 404
    assert client.post("/v1/receipts/r1/verdicts", json={"entry": entry, "verdict": "good"}).status_code == 400
    told = client.post("/v1/feedback", json={"id": entry, "feedback": "useful", "question": "周会几点"}).json()
    assert told == {"id": entry, "feedback": "useful"} and sidecar.recalls.signals()[entry][content(TEXT)].useful == 1
    assert client.post("/v1/feedback", json={"id": "other", "feedback": "useful"}).status_code == 404
    sums = contract.Stats.model_validate(client.get("/v1/stats").json(), extra="forbid")
    assert (sums.recalls, sums.withMemory, sums.useful, sums.verdictsWrong, sums.judgeKept, sums.newEntries) == (1, 1, 1, 1, 1, 1)
    assert client.get("/v1/stats", params={"days": 0}).status_code == 400


def test_a_correction_in_an_observed_turn_is_noted(client: TestClient, entry: str, sidecar: Sidecar) -> None:
    turn = {"session": "chat", "messages": [{"role": "user", "text": "不对，周会改到周五下午三点"}, {"role": "assistant", "text": "好的"}]}
    assert client.post("/v1/observe", json=turn).json()["corrected"] == [entry]
    assert client.post("/v1/observe", json=turn).json()["corrected"] == [], "the same turn is the same turn"
    assert client.get("/v1/stats").json()["corrections"] == 1
    sidecar.set_setting("outcome_feedback", "off")
    other = {"session": "chat", "messages": [{"role": "user", "text": "不对，周会改到周三下午三点"}]}
    assert client.post("/v1/observe", json=other).json()["corrected"] == []


def test_erasing_an_entry_takes_it_out_of_receipts(client: TestClient, entry: str, sidecar: Sidecar) -> None:
    sidecar.recalls.keep(Receipt("r2", sidecar.seam.clock.stamp(), f"为什么说{TEXT}呢", {"terms": ["下午"]}))
    client.post("/v1/feedback", json={"id": entry, "feedback": "useful"})
    removed = client.post("/v1/erase", json={"id": entry}).json()["removed"]
    assert removed["receipts"] >= 3
    assert client.get("/v1/receipts/r1").json()["receipt"]["offered"] == [] and client.get("/v1/receipts/r2").json()["question"] == "(erased)"
    sidecar.recalls.close()
    assert all(entry.encode() not in path.read_bytes() for path in sidecar.instance.folder.glob("recall.db*"))


def test_a_fault_of_the_receipts_is_named_in_health(sidecar: Sidecar, entry: str) -> None:
    sidecar.recalls.faults["receipts_lost"] = "5 receipts were left out"
    assert {"code": "receipts_lost", "message": "5 receipts were left out"} in sidecar.health()["faults"]  # type: ignore[operator]


def test_the_commands(sidecar: Sidecar, entry: str, vault: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sidecar.recalls.flush()

    def run(*words: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["--vault", str(vault), *words])
        assert ended.value.code == 0, capfd.readouterr().err
        return capfd.readouterr().out

    assert run("receipts").splitlines()[-1] == "1 in all" and "周会几点？" in run("receipts", "--session", "chat")
    whole = run("receipts", "r1")
    assert f"{entry}  0.5 (match) 周会 0.5" in whole and f"kept by the judge: {entry}" in whole
    assert run("verdict", "r1", entry, "right") == f"noted: the judge was right to keep {entry}\n"
    assert f"kept by the judge: {entry} (right)" in run("receipts", "r1")
    assert run("feedback", entry, "wrong", "--question", "周会几点") == f"noted: {entry} was wrong\n"
    sums = run("stats", "--days", "3")
    assert "recalls:     1, 1 with memory" in sums and "feedback:    0 useful, 1 wrong" in sums
    assert json.loads(run("--json", "stats"))["verdictsChecked"] == 1
