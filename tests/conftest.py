"""Fixtures: an isolated home for state, runtime and config, a fresh vault, and a store over it."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store.entries import Store
from deepseedian.store.seam import Clock, Seam
from tests import counts
from tests.doubles import FakeClock

# A slow machine is no failure; `--hypothesis-profile=deep` looks longer.
settings.register_profile("usual", deadline=None, print_blob=True)
settings.register_profile("deep", deadline=None, print_blob=True, max_examples=5000)
settings.load_profile("usual")

DATA = os.environ.get("DEEPSEEDIAN_TEST_DATA", "")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Folders of this test alone. Socket paths must be short, so the runtime folder lies elsewhere."""
    runtime = tempfile.mkdtemp(prefix="dsd-")
    for name, folder in (("STATE", tmp_path / "state"), ("CONFIG", tmp_path / "config"), ("RUNTIME", Path(runtime))):
        monkeypatch.setenv(f"DEEPSEEDIAN_{name}_DIR", str(folder))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("DEEPSEEDIAN_SEMANTIC", "off")  # the packaged model takes two seconds to load; its own tests switch it on
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")  # nobody's own keys
    keys = [name for name in os.environ if name.startswith("DEEPSEEDIAN_") and "KEY" in name]  # nor those of their shell
    for name in ("LC_ALL", "LC_MESSAGES", "DEEPSEEDIAN_VAULT", "DEEPSEEDIAN_LANGUAGE", "DEEPSEEDIAN_FAILPOINT", *keys):
        monkeypatch.delenv(name, raising=False)
    yield tmp_path
    shutil.rmtree(runtime, ignore_errors=True)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    initialise(root)
    return root


@pytest.fixture
def memory(vault: Path) -> Path:
    return vault / ".obsidian/plugins/deepseedian/memory"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def opened(vault: Path) -> Iterator[Callable[..., Sidecar]]:
    """Open the vault, any number of times; all are closed at the end."""
    found: list[Sidecar] = []

    def open_vault(clock: Clock | None = None, **options: object) -> Sidecar:
        seam = Seam(clock=clock) if clock else Seam()
        found.append(Sidecar.open(vault, seam=seam, **options))  # type: ignore[arg-type]
        return found[-1]

    yield open_vault
    for sidecar in found:
        sidecar.close()


@pytest.fixture
def sidecar(opened: Callable[..., Sidecar]) -> Sidecar:
    return opened()


@pytest.fixture
def store(sidecar: Sidecar) -> Store:
    return sidecar.store


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how much was tried, what was left out, and why."""
    for name, number in counts.tried().items():
        terminalreporter.write_line(f"tried: {name}: {number}")
    skipped = terminalreporter.stats.get("skipped", [])
    reasons: dict[str, int] = {}
    for report in skipped:
        reason = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[reason] = reasons.get(reason, 0) + 1
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"left out: {count} tests, {reason.removeprefix('Skipped: ')}")


needs_data = pytest.mark.skipif(not DATA, reason="DEEPSEEDIAN_TEST_DATA is not set")
needs_root = pytest.mark.skipif(sys.platform == "win32" or os.getuid() != 0, reason="only root can become another user")
