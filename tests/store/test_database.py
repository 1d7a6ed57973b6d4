"""SQLite files that several programs open."""

import threading
from pathlib import Path

from deepseedian.errors import Busy
from deepseedian.store.database import Database

MADE = ("CREATE TABLE calls (at TEXT)",)


def test_a_file_that_many_make_at_the_same_moment_is_made_once_and_refuses_nobody(tmp_path: Path) -> None:
    refused: list[Busy] = []
    for round_number in range(40):
        path, together = tmp_path / f"{round_number}.db", threading.Barrier(8)

        def make(path: Path = path, together: threading.Barrier = together) -> None:
            together.wait(30)
            try:
                Database(path, MADE).close()
            except Busy as error:
                refused.append(error)

        threads = [threading.Thread(target=make) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert refused == []
