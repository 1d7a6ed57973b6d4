"""`erase` leaves no byte of a text anywhere we keep one, whatever interrupts it."""

import contextlib
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deepseedian.errors import NotFound
from deepseedian.sidecar import Sidecar
from deepseedian.store.history import History
from tests.doubles import Killed

SECRET = "my sister lives in Oslo"
OTHER = "I write short paragraphs."


def blobs(path: Path) -> Iterator[bytes]:
    """Every value in a database, unpacked where it is packed."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for row in (row for name in names for row in connection.execute(f"SELECT * FROM {name}")):
            for value in row:
                data = value if isinstance(value, bytes) else str(value).encode()
                yield data
                with contextlib.suppress(zlib.error):
                    yield zlib.decompress(data)


def places(*folders: Path) -> list[str]:
    """Files that hold the text, in any form."""
    found = []
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        values = [path.read_bytes(), *(blobs(path) if path.suffix == ".db" else ())]
        if any(word in value for value in values for word in (SECRET.encode(), b"sister lives")):
            found.append(path.name)
    return found


def filled(sidecar: Sidecar, memory: Path) -> str:
    """A text in every place that can hold one."""
    turn = [{"role": "user", "text": f"Remember: {SECRET}"}, {"role": "user", "text": "Nothing more to say"}]
    (proposal,) = sidecar.observe("chat", turn, "2026-11-30T09:00:00Z")["proposals"]  # type: ignore[misc]
    sidecar.decide(str(proposal), "approve")
    entry = next(item for item in sidecar.entries()["entries"] if SECRET in item["text"])  # type: ignore[attr-defined]
    sidecar.remember(OTHER)
    sidecar.edit(entry["id"], SECRET + " since May")
    sidecar.pin(entry["id"])
    general = memory / "topics/general.md"
    (memory / "topics/general.sync-conflict-20261129-101010-ABCDEFG.md").write_bytes(general.read_bytes())
    general.write_bytes(general.read_bytes().replace(b"since May", b"since June"))
    sidecar.store.refresh(deep=True)
    sidecar.store.quarantine.keep("topics/x.md", f"odd {SECRET} bytes".encode(), "a test")
    sidecar.store.derive()
    sidecar.save()
    return str(entry["id"])


def test_no_byte_of_it_stays(opened: Callable[..., Sidecar], vault: Path, memory: Path, tmp_path: Path) -> None:
    sidecar = opened(resident=True)
    sidecar.warm()
    entry_id = filled(sidecar, memory)
    (vault / "mine.md").write_text(f"My own note: {SECRET} since June.", encoding="utf-8")
    assert {"general.md", "journal.json", "proposals.json", "history.db", "copies.db", "chat.jsonl", "index.db"} <= {*places(vault, tmp_path)}
    done = sidecar.erase(entry_id)
    assert done["notes"] == ["mine.md"] and "sync_history" in done["beyond"] and "git" not in done["beyond"]  # type: ignore[operator]
    assert places(vault, tmp_path / "state") == ["mine.md"]
    assert [entry["text"] for entry in sidecar.entries()["entries"]] == [OTHER]  # type: ignore[attr-defined]
    sidecar.close()
    again = opened()
    assert [fault["code"] for fault in again.health()["faults"]] == ["conflict_copy"]  # type: ignore[attr-defined]
    assert places(vault, tmp_path / "state") == ["mine.md"]
    assert again.proposals(all=True)["proposals"] == []


def test_other_messages_of_the_conversation_stay(sidecar: Sidecar, memory: Path) -> None:
    entry_id = filled(sidecar, memory)
    sidecar.erase(entry_id)
    assert [message.text for message in sidecar.sessions.messages("chat")] == ["(erased)", "Nothing more to say"]


def test_it_cannot_be_undone_and_what_came_before_can(sidecar: Sidecar) -> None:
    kept = sidecar.remember(OTHER)
    gone = sidecar.remember(SECRET)
    sidecar.erase(str(gone["id"]))
    assert sidecar.undo()["entries"] == [kept["id"]]
    assert sidecar.entries()["entries"] == []
    with pytest.raises(NotFound):
        sidecar.erase(str(gone["id"]))


def test_a_kill_in_between_is_made_good_at_the_next_start(opened: Callable[..., Sidecar], vault: Path, memory: Path, tmp_path: Path,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    sidecar = opened()
    entry_id = filled(sidecar, memory)

    def killed(self: History, *_: object) -> int:
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(History, "erase", killed)
        sidecar.erase(entry_id)
    assert "history.db" in places(tmp_path / "state")
    sidecar.close()
    opened()
    assert places(vault, tmp_path / "state") == []


def test_a_short_text_is_not_torn_out_of_other_texts(sidecar: Sidecar) -> None:
    sidecar.observe("chat", [{"role": "user", "text": "tea and cake"}], "2026-11-30T09:00:00Z")
    sidecar.erase(str(sidecar.remember("tea")["id"]))
    assert [message.text for message in sidecar.sessions.messages("chat")] == ["tea and cake"]


def test_erasing_many_lines_of_a_review_note(sidecar: Sidecar, vault: Path) -> None:
    entry = sidecar.remember(SECRET + "\nand works there", topic="family")
    made = sidecar.propose("She moved", "new", "edit", entries=[str(entry["id"])])
    note = vault / str(made["note"])
    assert f"> {SECRET}\n> and works there" in note.read_text(encoding="utf-8")
    sidecar.erase(str(entry["id"]))
    text = note.read_text(encoding="utf-8")
    assert "sister" not in text and "works there" not in text and "She moved" not in text and "deepseedian: review" in text


def test_the_log_and_the_environment_hold_nothing(sidecar: Sidecar, caplog: pytest.LogCaptureFixture) -> None:
    sidecar.erase(str(sidecar.remember(SECRET)["id"]))
    assert SECRET not in caplog.text and all(SECRET not in value for value in os.environ.values())
