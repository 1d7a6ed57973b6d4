"""Where the machines of this folder keep their vaults."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in memory where the system has one: these tests flush thousands of times."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="dsd-chaos-", dir=memory if os.access(memory, os.W_OK) else tmp_path))
    monkeypatch.setenv("DEEPSEEDIAN_STATE_DIR", str(folder / "state"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
