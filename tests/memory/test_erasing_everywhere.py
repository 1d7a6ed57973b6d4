"""`erase` reaches every place and every earlier text, in whatever form it stands there, and what is left over is named."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from deepseedian.errors import Conflict, MemoryGone, NotFound
from deepseedian.sidecar import Sidecar
from deepseedian.store.erasure import Erasure
from tests.doubles import Killed
from tests.memory.test_erasing import blobs
from tests.memory.test_erasing_precisely import AT, block, remembered, texts

S = "my sister lives in Oslo"
COPY = ".sync-conflict-20261129-101010-ABCDEFG"


def left(vault: Path, home: Path, *words: str) -> list[str]:
    """Files that hold one of the words."""
    found = []
    for path in sorted(path for folder in (vault, home / "state") for path in folder.rglob("*") if path.is_file()):
        values = [path.read_bytes(), *(blobs(path) if path.suffix == ".db" else ())]
        found += [path.name for word in words or (S,) if any(word.encode() in value for value in values)]
    return found


def general(memory: Path, text: str) -> None:
    """An edit in another program, long ago, so that it is believed at once."""
    path = memory / "topics/general.md"
    path.write_text(text, encoding="utf-8")
    os.utime(path, (1, 1))


def codes(sidecar: Sidecar) -> list[str]:
    return [fault["code"] for fault in sidecar.health()["faults"]]  # type: ignore[attr-defined]


# Every text it ever had

def test_a_text_from_before_an_edit_elsewhere(sidecar: Sidecar, vault: Path, memory: Path, home: Path) -> None:
    entry = remembered(sidecar, S)
    made = sidecar.propose("She moved", "r", "edit", entries=[entry])
    sidecar.decide(str(made["proposals"][0]), "dismiss")  # type: ignore[index]
    sidecar.observe("c", [{"role": "assistant", "text": f"noted: {S}"}], AT)
    data = (memory / "topics/general.md").read_bytes()
    sidecar.store.quarantine.keep("topics/general.md", data, "a test")
    general(memory, data.decode().replace(S, "my sister moved to Rome"))
    sidecar.store.refresh(deep=True)
    sidecar.erase(entry)
    assert left(vault, home, S, "She moved") == []


def test_a_text_that_was_undone(sidecar: Sidecar, vault: Path, home: Path) -> None:
    entry = remembered(sidecar, "plain words here")
    sidecar.edit(entry, S)
    sidecar.undo()
    sidecar.observe("c", [{"role": "assistant", "text": f"noted: {S}"}], AT)
    sidecar.erase(entry)
    assert left(vault, home, S, "plain words") == []


def test_an_entry_that_was_forgotten_twice(sidecar: Sidecar, vault: Path, memory: Path, home: Path) -> None:
    """The second time it goes to the archive under a new id."""
    entry = remembered(sidecar, "first text of it")
    sidecar.forget(entry)
    general(memory, "# general\n\n" + block(entry, S))
    sidecar.store.refresh(deep=True)
    sidecar.forget(entry)
    sidecar.erase(entry)
    assert left(vault, home, S, "first text") == []


def test_an_entry_that_stands_in_two_files(sidecar: Sidecar, vault: Path, memory: Path, home: Path) -> None:
    entry = remembered(sidecar, S)
    (memory / "topics/zz.md").write_text(block(entry, "SECOND text of it") + "\nprose stays\n", encoding="utf-8")
    sidecar.store.refresh(deep=True)
    sidecar.observe("c", [{"role": "user", "text": "SECOND text of it"}], AT)
    sidecar.erase(entry)
    assert left(vault, home, S, "SECOND") == [] and "prose stays" in (memory / "topics/zz.md").read_text(encoding="utf-8")


def test_four_versions_and_a_kill_after_the_commit(opened: Callable[..., Sidecar], vault: Path, home: Path,
                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    """Many entries vanish at once; the erasure explains them, and nothing is locked up."""
    sidecar = opened()
    entry = remembered(sidecar, S)
    for number in range(4):
        sidecar.edit(entry, f"{S} since {number}")
    sidecar.remember("other text")
    sidecar.close()
    sidecar = opened()

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Erasure, "_took_over", killed)
        sidecar.erase(entry)
    sidecar.close()
    again = opened()
    assert again.health()["faults"] == [] and again.store.known.erasing() == {}
    assert left(vault, home) == []
    again.remember("new text")


# A second device, and entries that only its history knows

def test_a_second_device_takes_it_in_and_erases_its_own_history(
        opened: Callable[..., Sidecar], vault: Path, memory: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = opened()
    entry = remembered(first, S)
    for number in range(4):
        first.edit(entry, f"{S} since {number}")
    first.remember("other text")
    first.close()
    before = home / "before"
    shutil.copytree(memory, before)
    opened().erase(entry)
    after = home / "after"
    shutil.copytree(memory, after)
    monkeypatch.setenv("DEEPSEEDIAN_STATE_DIR", str(home / "second/state"))
    for folder, check in ((before, False), (after, True)):
        shutil.rmtree(memory)
        shutil.copytree(folder, memory)
        for path in memory.rglob("*.md"):
            os.utime(path, (1, 1))
        device = opened()
        assert device.health()["faults"] == []
        if not check:
            device.observe("c", [{"role": "user", "text": S}], AT)
            device.edit(entry, f"{S} at last")
        else:
            device.remember("new text")
            device.erase(entry)
            assert left(vault, home / "second") == []
        device.close()


def test_an_entry_deleted_in_an_editor(sidecar: Sidecar, vault: Path, memory: Path, home: Path) -> None:
    entry = remembered(sidecar, S)
    general(memory, "# general\n")
    sidecar.store.refresh(deep=True)
    sidecar.erase(entry)
    assert left(vault, home) == []


def test_an_addition_that_was_undone(sidecar: Sidecar, vault: Path, home: Path) -> None:
    entry = remembered(sidecar, S)
    sidecar.undo()
    sidecar.erase(entry)
    assert left(vault, home) == []


@pytest.mark.parametrize("decision", ["", "dismiss"])
@pytest.mark.parametrize("by_entry", [False, True])
def test_a_proposal_that_never_became_an_entry(sidecar: Sidecar, vault: Path, home: Path, decision: str, by_entry: bool) -> None:
    sidecar.observe("c", [{"role": "user", "text": f"Remember: {S}"}], AT)
    (proposal,) = sidecar.store.proposals()
    if decision:
        sidecar.decide(proposal.id, decision)
    sidecar.erase(proposal.entry_id if by_entry else proposal.id)
    assert left(vault, home) == [] and sidecar.proposals(all=True) == {"proposals": []}


# Every form

def test_books_in_quarantine_escape_it(sidecar: Sidecar, vault: Path, memory: Path, home: Path) -> None:
    entry = remembered(sidecar, "sister -> Oslo -- do not tell")
    sidecar.store.quarantine.keep("journal.json", (memory / "journal.json").read_bytes()[:-20], "torn")
    sidecar.erase(entry)
    assert left(vault, home, "do not tell", "sister") == []


def test_a_summary_in_a_remark_and_in_a_copy_of_the_overview(sidecar: Sidecar, vault: Path, memory: Path, home: Path) -> None:
    long = "LONG my sister lives in Oslo at number twelve of a quite long street whose name goes on and on, and nobody may know of that at all"
    (proposal,) = sidecar.propose(long, "r")["proposals"]  # type: ignore[misc]
    sidecar.decide(str(proposal), "approve")
    sidecar.undo()
    sidecar.redo()
    sidecar.store.derive()
    shutil.copy(memory / "MEMORY.md", memory / f"MEMORY{COPY}.md")
    sidecar.store.mend()
    sidecar.erase(str(sidecar.entries()["entries"][0]["id"]))  # type: ignore[index]
    assert left(vault, home, "LONG") == []


def test_five_chinese_characters_say_enough(sidecar: Sidecar, vault: Path, memory: Path, home: Path) -> None:
    entry = remembered(sidecar, "我有糖尿病")
    sidecar.observe("c", [{"role": "assistant", "text": "好的，我有糖尿病"}], AT)
    sidecar.store.quarantine.keep("topics/general.md", (memory / "topics/general.md").read_bytes(), "a test")
    sidecar.erase(entry)
    assert left(vault, home, "我有糖尿病") == []


def test_line_ends_do_not_count(sidecar: Sidecar, vault: Path, memory: Path, home: Path) -> None:
    entry = remembered(sidecar, "my sister\nlives in Oslo quietly")
    sidecar.observe("c", [{"role": "assistant", "text": "my sister\nlives in Oslo quietly"}], AT)
    made = sidecar.propose("She moved", "r", "edit", entries=[entry])
    note = vault / str(made["note"])
    note.write_bytes(note.read_bytes().replace(b"> lives", b">lives"))
    data = (memory / "topics/general.md").read_bytes()
    sidecar.store.quarantine.keep("topics/general.md", data, "a test")
    general(memory, "")
    (memory / "topics/general.md").write_bytes(data.replace(b"\n", b"\r\n"))
    sidecar.store.refresh(deep=True)
    sidecar.erase(entry)
    assert left(vault, home, "lives in Oslo", "my sister") == []


# Every place

def test_files_that_were_set_aside_in_any_way(sidecar: Sidecar, vault: Path, memory: Path, home: Path) -> None:
    made = sidecar.propose(S, "r")
    sidecar.decide(str(made["proposals"][0]), "approve")  # type: ignore[index]
    for name in ("journal.json.2026-11-30T091011.set-aside", "journal.v1.json"):
        shutil.copy(memory / "journal.json", memory / name)
    for name in ("history.unreadable", "recall.unreadable-wal", "copies.version-1.backup", "index.new"):
        (sidecar.instance.folder / name).write_bytes(b"SQLite broken " + S.encode())
    note = vault / str(made["note"])
    (vault / "Done").mkdir()
    moved = note.rename(vault / "Done/x.md")
    before = moved.read_bytes()
    done = sidecar.erase(str(sidecar.entries()["entries"][0]["id"]))  # type: ignore[index]
    assert left(vault, home) == ["x.md"] and done["notes"] == ["Done/x.md"]  # out of our folders: named, never written
    assert moved.read_bytes() == before


@pytest.mark.parametrize("odd", [lambda data: data.split(b"---\n", 2)[2], lambda data: data + b"\xff\n"], ids=["no front matter", "a bad byte"])
def test_a_review_note_that_was_changed(sidecar: Sidecar, vault: Path, odd: Callable[[bytes], bytes]) -> None:
    made = sidecar.propose(S, "r")
    sidecar.decide(str(made["proposals"][0]), "approve")  # type: ignore[index]
    note = vault / str(made["note"])
    note.write_bytes(odd(note.read_bytes()))
    sidecar.erase(str(sidecar.entries()["entries"][0]["id"]))  # type: ignore[index]
    assert S.encode() not in note.read_bytes()


def test_a_block_that_cannot_be_read(sidecar: Sidecar, vault: Path, memory: Path, home: Path) -> None:
    entry = remembered(sidecar, S)
    path = memory / "topics/general.md"
    marker = f'<!-- deepseedian-entry {{"id":"{entry}","id":"{entry}"}} -->'
    bad = "".join(f"\n{marker}\n{text}\n<!-- /deepseedian-entry -->\n" for text in (S, "another text"))
    path.write_text(path.read_text(encoding="utf-8") + bad, encoding="utf-8")
    sidecar.store.refresh(deep=True)
    sidecar.erase(entry)
    assert left(vault, home) == [] and "another text" in path.read_text(encoding="utf-8")


def test_a_database_kept_for_an_older_version(sidecar: Sidecar, vault: Path, home: Path) -> None:
    """Its values are packed; one that tells of other entries alone stays."""
    entry = remembered(sidecar, S)
    sidecar.store.keeping.again()
    backup, other = (sidecar.instance.folder / f"copies.version-{number}.backup" for number in (1, 2))
    for path, query in ((backup, ""), (other, "DELETE FROM copies")):
        with closing(sqlite3.connect(sidecar.instance.folder / "copies.db")) as source, closing(sqlite3.connect(path)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
            target.execute(query)
            target.commit()
            target.execute("VACUUM")
    done = sidecar.erase(entry)
    assert not backup.exists() and other.exists() and str(other) in done["beyond"]["damaged"]  # type: ignore[index]
    assert left(vault, home) == []


def test_what_a_kill_left_of_a_review_note(sidecar: Sidecar, vault: Path, home: Path) -> None:
    made = sidecar.propose(S, "r")
    note = vault / str(made["note"])
    note.with_name(f".deepseedian-{sidecar.store.device}-abc-123456789012.tmp").write_bytes(note.read_bytes() + b"own words\n")
    sidecar.erase(str(made["proposals"][0]))  # type: ignore[index]
    assert left(vault, home) == [] and b"own words" in sidecar.store.quarantine.files()[0].read_bytes()


# What comes back

def test_old_files_do_not_bring_it_back(opened: Callable[..., Sidecar], vault: Path, memory: Path, home: Path) -> None:
    sidecar = opened()
    (proposal,) = sidecar.propose(S, "r")["proposals"]  # type: ignore[misc]
    sidecar.decide(str(proposal), "approve")
    entry = str(sidecar.entries()["entries"][0]["id"])  # type: ignore[index]
    old = {name: (memory / name).read_bytes() for name in ("proposals.json", "journal.json", "topics/general.md")}
    sidecar.erase(entry)
    for name in ("proposals.json", "journal.json"):
        (memory / name).write_bytes(old[name])
    sidecar.close()
    sidecar = opened()
    sidecar.check()
    assert left(vault, home) == [] and sidecar.proposals(all=True) == {"proposals": []}
    (memory / "topics/general.md").write_bytes(old["topics/general.md"])
    sidecar.store.refresh(deep=True)
    assert texts(sidecar) == [] and codes(sidecar) == ["erased"]
    sidecar.erase(entry)
    assert left(vault, home) == [] and codes(sidecar) == []


def test_conflict_copies_that_come_later_are_set_aside_without_it(sidecar: Sidecar, vault: Path, memory: Path, home: Path) -> None:
    entry = remembered(sidecar, S)
    old = (memory / "topics/general.md").read_bytes()
    sidecar.edit(entry, f"{S} since May")
    archived = (memory / "archive/general.md").read_bytes()
    books = {name: (memory / f"{name}.json").read_bytes() for name in ("journal", "state")}
    sidecar.erase(entry)
    (memory / f"topics/general{COPY}.md").write_bytes(old)
    (memory / f"archive/general{COPY}.md").write_bytes(archived)
    for name, data in books.items():
        (memory / f"{name}{COPY}.json").write_bytes(data)
    sidecar.store.refresh(deep=True)
    sidecar.merge_copies()
    sidecar.check()
    assert left(vault, home) == []


# Refused, in use, half done

def test_a_refused_erasure_is_forgotten(opened: Callable[..., Sidecar], memory: Path, home: Path) -> None:
    sidecar = opened()
    entry = remembered(sidecar, S)
    sidecar.remember("x y z", "work")
    sidecar.close()
    sidecar = opened()
    (memory / "topics/work.md").rename(home / "hold.md")
    with pytest.raises(MemoryGone):
        sidecar.erase(entry)
    sidecar.close()
    (home / "hold.md").rename(memory / "topics/work.md")
    assert texts(opened()) == [S, "x y z"]


def test_a_commit_that_fails_is_no_erasure(opened: Callable[..., Sidecar], monkeypatch: pytest.MonkeyPatch) -> None:
    sidecar = opened()
    entry = remembered(sidecar, S)

    def refused(*_: object) -> None:
        raise Conflict("an edit came in between")

    with monkeypatch.context() as patch, pytest.raises(Conflict):
        patch.setattr(type(sidecar.store), "commit", refused)
        sidecar.erase(entry)
    assert sidecar.store.known.erasing() == {}
    sidecar.close()
    assert texts(opened()) == [S]


def test_a_note_in_use_is_named_and_tried_again(opened: Callable[..., Sidecar], vault: Path, home: Path,
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    sidecar = opened()
    (proposal,) = sidecar.propose(S, "r")["proposals"]  # type: ignore[misc]
    sidecar.decide(str(proposal), "approve")
    with monkeypatch.context() as patch:
        patch.setattr(type(sidecar.review.notes), "exchanged", lambda *_: False)
        done = sidecar.erase(str(sidecar.entries()["entries"][0]["id"]))  # type: ignore[index]
    assert "pending" in done["beyond"] and "erasing" in codes(sidecar)  # type: ignore[operator]
    sidecar.close()
    again = opened()
    assert codes(again) == [] and left(vault, home) == []


def test_another_reader_of_the_history_keeps_it_pending(sidecar: Sidecar, vault: Path, home: Path) -> None:
    entry = remembered(sidecar, S)
    path = sidecar.instance.folder / "history.db"
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM changes").fetchall()
        assert "pending" in sidecar.erase(entry)["beyond"]  # type: ignore[operator]
        assert "erasing" in codes(sidecar)
    sidecar.catch_up()
    assert codes(sidecar) == [] and left(vault, home) == []
    assert S.encode() not in path.with_name("history.db-wal").read_bytes()


def test_an_idempotency_key_does_not_bring_it_back(sidecar: Sidecar) -> None:
    entry = str(sidecar.remember(S, key="k1")["id"])
    sidecar.erase(entry)
    with pytest.raises(Conflict, match="erased"):
        sidecar.remember(S, key="k1")
    assert texts(sidecar) == []
    with pytest.raises(NotFound):
        sidecar.erase(entry)
