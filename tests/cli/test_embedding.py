"""`deepseedian embedding` as its users call it, through a daemon and without one."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepseedian.sidecar import Sidecar
from tests.commands import Command
from tests.embeddings import Server, serving

pytest.importorskip("numpy", reason="numpy is not installed")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as found:
        yield found


@pytest.fixture
def command(vault: Path, server: Server) -> Command:
    sidecar = Sidecar.open(vault)
    for number in range(20):
        sidecar.remember(f"Statement number {number}.")
    sidecar.close()
    environment = {"DEEPSEEDIAN_SEMANTIC": "local", "DEEPSEEDIAN_SEMANTIC_ENDPOINT": server.address}
    return Command(vault, **environment)


@pytest.fixture(params=["daemon", "alone"])
def both(request: pytest.FixtureRequest, command: Command) -> Iterator[Command]:
    if request.param == "alone":
        yield command
        return
    with command.daemon():
        yield command


def test_the_model_is_shown_tested_and_used(both: Command, server: Server) -> None:
    assert both("embedding", "models") == {"address": server.address, "models": ["chatter-7b", "letters-embedding"]}
    found = both("embedding", "test")
    assert found["model"] == "letters-embedding" and found["dimension"] == 512 and 0 < found["latencyMs"] < 20_000
    assert found["tried"] == [{"address": server.address, "outcome": "letters-embedding: 512 dimensions"}]
    done = both("embedding", "refresh")
    assert (done["state"], done["entries"], done["missing"], done["model"]) == ("ready", 20, 0, "letters-embedding")
    assert sum(text.startswith("Statement") for part in server.asked for text in part) == 20
    shown = both.run("--vault", str(both.vault), "embedding", "refresh")
    assert shown.status == 0 and shown.out == "20 entries embedded by letters-embedding, 512 dimensions\n"


def test_without_a_model_it_is_said_what_was_tried(both: Command, server: Server) -> None:
    server.embeds = False
    found = both("embedding", "test")
    assert found["model"] == "" and found["tried"][0]["outcome"] == "letters-embedding: the embedding server answered 501"
    assert both("embedding", "refresh", status=5)["error"]["code"] == "model_away"
    server.stop()
    assert both("embedding", "models", status=5)["error"]["code"] == "model_away"
    text = both.run("--vault", str(both.vault), "embedding", "test").out
    assert text.startswith("no embedding model (semantic: local); recall goes by words\n") and "nobody listens there" in text


def test_status_and_health_name_the_model_and_its_end(command: Command, server: Server) -> None:
    with command.daemon():
        until = time.monotonic() + 30
        while (semantic := command("status")["semantic"]) is None or semantic["state"] != "ready":
            assert time.monotonic() < until
        assert semantic["model"] == "letters-embedding" and semantic["dimension"] == 512 and semantic["entries"] == 20
        assert semantic["bytes"] > 0 and command("status")["health"]["status"] == "ok"
        server.stop()
        command("remember", "One more.")
        while command("status")["health"]["status"] == "ok":
            assert time.monotonic() < until
        assert command("status")["health"]["faults"][0]["code"] == "semantic_away"
        assert command("recall", "statement number")["index"]
