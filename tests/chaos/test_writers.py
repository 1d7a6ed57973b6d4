"""A daemon, ten command lines, callers of its socket and an editor, all writing at once: nothing is lost, nothing twice."""

import json
import subprocess
import threading
from pathlib import Path

import pytest

from deepseedian import client
from deepseedian.errors import DeepseedianError
from tests.chaos.history import check_texts, rows_in_files, rows_of, unexpected
from tests.chaos.processes import WAYS, Process, run
from tests.commands import ROOT, program, until
from tests.counts import count

WRITERS, EACH = 10, 5
NAMED = {"busy", "conflict"}


def test_all_writers_at_once_land_or_are_told_why(tmp_path: Path, vault: Path, memory: Path) -> None:
    daemon = Process.started(vault)
    try:
        editor = Editor(memory / "topics/notes.md", tmp_path)
        editor.start()
        writers = [Writer(vault, number) for number in range(WRITERS)]
        for writer in writers:
            writer.start()
        callers = Callers(daemon)
        callers.start()
        for thread in (*writers, callers):
            thread.join()
        editor.stop()
        landed = [text for writer in writers for text in writer.landed] + callers.landed
        refused = [code for writer in writers for code in writer.refused]
        count("writes at once", len(landed) + len(refused) + editor.saves)
        assert {*refused} <= NAMED, refused
        assert len(landed) >= WRITERS * EACH // 2, refused  # most of them do get through
        rows = until(lambda: rows if (rows := served(daemon)) == rows_in_files(memory) else None, 15.0)
        assert rows, (served(daemon), rows_in_files(memory))
        check_texts(rows)
        texts = [item.text for item in rows.values()]
        assert sorted([*landed, editor.entry]) == sorted(texts)
        assert (memory / "topics/notes.md").read_text(encoding="utf-8").count("A line of the owner") == editor.saves
        assert not unexpected(client.call(daemon.endpoint, "check", {})["problems"])  # type: ignore[index,arg-type]
    finally:
        daemon.close()
    assert rows_of(json.loads(run(vault, "list").stdout)["entries"]) == rows


def served(daemon: Process) -> dict[str, object]:
    return dict(rows_of(daemon.ask("entries", {}).document["entries"]))


class Writer(threading.Thread):
    """Some `remember` commands, one after the other."""

    def __init__(self, vault: Path, number: int) -> None:
        super().__init__()
        self.vault, self.number = vault, number
        self.landed: list[str] = []
        self.refused: list[str] = []

    def run(self) -> None:
        for place in range(EACH):
            text = f"writer {self.number} says {place}"
            done = subprocess.run([*program(), "--json", "--vault", str(self.vault), "remember", text, "--topic", f"topic {place % 3}"],
                                  capture_output=True, encoding="utf-8", cwd=ROOT, check=False, timeout=120)
            if done.returncode == 0:
                self.landed.append(text)
            else:
                self.refused.append(json.loads(done.stdout)["error"]["code"])


class Callers(threading.Thread):
    """The same requests with the same keys from several connections at once: each lands once."""

    def __init__(self, daemon: Process) -> None:
        super().__init__()
        self.daemon = daemon
        self.landed: list[str] = []

    def run(self) -> None:
        for number in range(EACH):
            text = f"asked three times {number}"
            ids: list[str] = []
            threads = [threading.Thread(target=self.call, args=(text, f"key {number}", ids)) for _ in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert len({*ids}) <= 1, ids
            if ids:
                self.landed.append(text)

    def call(self, text: str, key: str, ids: list[str]) -> None:
        assert self.daemon.endpoint is not None
        try:
            answer = client.call(self.daemon.endpoint, "remember", {"text": text, "topic": "topic 1", "key": key})
        except DeepseedianError as error:
            assert error.code in NAMED, error
        else:
            ids.append(answer["id"])  # type: ignore[index,call-overload]


class Editor(threading.Thread):
    """Saves its own topic again and again, in all four ways."""

    entry = "an entry of the editor"

    def __init__(self, path: Path, elsewhere: Path) -> None:
        super().__init__()
        self.path, self.elsewhere = path, elsewhere
        self.saves = 0
        self._stop_now = threading.Event()
        meta = '{"id":"eeeeeeee-0000-4000-8000-00000000000e","createdAt":"2026-01-02T03:04:05Z","source":"an editor"}'
        self.text = f"# notes\n\n<!-- deepseedian-entry {meta} -->\n{self.entry}\n<!-- /deepseedian-entry -->\n"
        path.parent.mkdir(exist_ok=True)

    def run(self) -> None:
        while not self._stop_now.wait(0.05):
            self.text += f"A line of the owner {self.saves}.\n"
            WAYS[self.saves % len(WAYS)](self.path, self.text.encode(), self.elsewhere)
            self.saves += 1

    def stop(self) -> None:
        self._stop_now.set()
        self.join()


@pytest.mark.parametrize("beside", ["daemon", "nothing"])
def test_a_key_lands_once_whoever_repeats_it(vault: Path, memory: Path, beside: str) -> None:
    """The answer is lost with the daemon; the same request with its key goes to whoever is there next."""
    values = {"text": "said once", "key": "the key"}
    first = Process.started(vault, DEEPSEEDIAN_FAILPOINT="after_record")
    try:
        assert first.ask("remember", values).code == ""
    finally:
        first.close()
    if beside == "daemon":
        second = Process.started(vault)
        try:
            ids = {second.ask("remember", values).document["id"] for _ in range(3)}
            rows = rows_of(second.ask("entries", {}).document["entries"])
        finally:
            second.close()
        assert len(ids) == 1
    else:
        run(vault, "remember", "said once")
        rows = rows_of(json.loads(run(vault, "list").stdout)["entries"])
    assert [item.text for item in rows.values()] == ["said once"]
    assert rows == rows_in_files(memory)
