"""Public bug cases of stores like this one: files and crashes."""

import threading
from pathlib import Path

from deepseedian.errors import Conflict
from deepseedian.sidecar import Sidecar
from deepseedian.store import commit as commits
from tests.naive import bites
from tests.samples import FIXTURE_3, entry_id


@bites("replaced_without_looking")
def test_p13_an_edit_between_compare_and_replace_survives(sidecar: Sidecar, memory: Path) -> None:
    general = memory / "topics/general.md"
    general.write_text(FIXTURE_3, encoding="utf-8")
    sidecar.store.refresh(deep=True)
    line = "手工加的一行\n".encode()
    install = commits.Commit._install

    def late(self: commits.Commit, recorded: list[commits.Recorded]) -> None:
        saver = threading.Thread(target=lambda: general.write_bytes(FIXTURE_3.encode() + line))
        saver.start()
        saver.join()
        install(self, recorded)

    commits.Commit._install = late  # type: ignore[method-assign]
    try:
        sidecar.edit(entry_id("c"), "Release on Mondays.")
    except Conflict:
        pass
    finally:
        commits.Commit._install = install  # type: ignore[method-assign]
    assert line in general.read_bytes()
