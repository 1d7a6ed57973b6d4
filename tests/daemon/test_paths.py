"""A daemon for a vault at any path that the file system can hold."""

import os
import sys
from pathlib import Path

import pytest

from deepseedian.sidecar import initialise
from tests.commands import Command
from tests.live import Live

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems hold names in Unicode only")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / os.fsdecode(b"v\xff")
    folder.mkdir()
    initialise(folder)
    return folder


def test_a_path_that_is_not_utf8_is_served(vault: Path) -> None:
    (vault / os.fsdecode(b"n\xfe.md")).write_text("oolong", encoding="utf-8")
    with Live(vault) as live:
        live.ask("remember", text="I like tea")
        assert live.ask("recall", question="do I like tea?")["index"] and live.ask("status")["running"]
        assert Command(vault)("notes", "search", "oolong")["total"] == 1


def test_no_host_can_be_told_of_it(vault: Path, home: Path) -> None:
    told = Command(vault).run("--vault", str(vault), "connect", "codex", "--install", "--yes", HOME=str(home))
    assert told.status == 2 and "not UTF-8" in told.err and "plainer path" in told.err
