"""The daemon on either event loop."""

import asyncio
import sys
from pathlib import Path

import pytest

from deepseedian.daemon.server import _loop_factory
from deepseedian.sidecar import initialise
from tests.live import Live


@pytest.mark.skipif(sys.platform == "win32", reason="uvloop is not made for Windows")
def test_the_faster_loop_is_used() -> None:
    factory = _loop_factory()
    assert factory is not None
    with asyncio.Runner(loop_factory=factory) as runner:
        assert type(runner.get_loop()).__module__.startswith("uvloop")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into the process")
def test_where_there_is_none_pythons_own_serves(tmp_path: Path) -> None:
    hidden, vault = tmp_path / "hidden", tmp_path / "vault"
    hidden.mkdir()
    vault.mkdir()
    (hidden / "uvloop.py").write_text("raise ImportError", encoding="utf-8")
    initialise(vault)
    with Live(vault, PYTHONPATH=str(hidden)) as live:
        assert "uvloop" not in Path(f"/proc/{live.process.pid}/maps").read_text(encoding="utf-8")
        live.ask("remember", text="I like tea")
        assert live.ask("recall", question="do I like tea?")["index"]


def test_without_it_there_is_no_factory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert _loop_factory() is None
