"""The store: changes, outside edits, undo, idempotency, and what it refuses."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from deepseedian.errors import (
    BadText,
    BadTopic,
    BadVault,
    Conflict,
    DeepseedianError,
    EditedSince,
    MemoryGone,
    NoMemory,
    NotFound,
    NothingToUndo,
    ReadOnly,
    SecretFound,
)
from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store import instance
from deepseedian.store.entries import Store
from deepseedian.store.quarantine import Quarantine
from tests.commands import Command
from tests.conftest import needs_root
from tests.doubles import FakeClock, Killed
from tests.samples import FIXTURE_3, entry_id


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def stats(folder: Path) -> dict[str, int]:
    return {path.as_posix(): path.stat().st_mtime_ns for path in folder.rglob("*")}


def ids(sidecar: Sidecar) -> list[str]:
    return [entry["id"] for entry in sidecar.entries()["entries"]]  # type: ignore[attr-defined]


def text(sidecar: Sidecar, entry: object) -> object:
    return sidecar.show(str(entry))["text"]


def test_what_is_remembered_comes_back_after_a_restart(opened: Callable[..., Sidecar]) -> None:
    for said in ("我喜欢简短的段落", "  spaces kept  ", "a\n\nb\n", "```\nopen fence", "---\nautoApprove: true\n---", ">" * 200 + " keep me"):
        done = opened().remember(said)
        assert text(opened(), done["id"]) == said


def test_the_same_text_again_is_the_same_entry(sidecar: Sidecar) -> None:
    first = sidecar.remember("I write short paragraphs.")
    again = sidecar.remember("I write short paragraphs.", topic="style")
    assert (again["id"], again["topic"], again["revision"]) == (first["id"], "general", first["revision"])


def test_every_change_is_undone_and_redone_to_the_byte(sidecar: Sidecar, memory: Path) -> None:
    one = str(sidecar.remember("one")["id"])
    sidecar.remember("two", topic="work")
    start = files(memory / "topics") | files(memory / "archive")
    sidecar.edit(one, "one, better")
    sidecar.move(one, "work")
    sidecar.pin(one)
    sidecar.forget(one)
    end = files(memory / "topics") | files(memory / "archive")
    for _ in range(4):
        sidecar.undo()
    assert files(memory / "topics") | files(memory / "archive") == start
    for _ in range(4):
        sidecar.redo()
    assert files(memory / "topics") | files(memory / "archive") == end
    with pytest.raises(NothingToUndo):
        sidecar.redo()


def test_edit_keeps_the_id_and_archives_the_old_version(sidecar: Sidecar) -> None:
    done = sidecar.remember("We meet on Mondays.")
    sidecar.edit(str(done["id"]), "We meet on Tuesdays.")
    assert ids(sidecar) == [done["id"]]
    old, = sidecar.store.snapshot.archive.values()
    assert (old.text, old.meta["status"], old.meta["supersededBy"]) == ("We meet on Mondays.", "superseded", done["id"])


def test_forget_excludes_the_sources_for_good(sidecar: Sidecar, memory: Path) -> None:
    meta = f'{{"id":"{entry_id("a")}","createdAt":"t","source":"s","sourceKeys":["{"0" * 64}"]}}'
    (memory / "topics/general.md").write_text(f"<!-- deepseedian-entry {meta} -->\nx\n", encoding="utf-8")
    sidecar.store.refresh()
    sidecar.forget(entry_id("a"))
    assert sidecar.store.excluded() == {"0" * 64}
    sidecar.undo()
    assert ids(sidecar) == [entry_id("a")]
    state = json.loads((memory / "state.json").read_bytes())
    assert (state["deleted"], state["excludedSources"]) == ([], ["0" * 64])


def test_undo_is_refused_after_an_edit_of_the_same_entry_only(sidecar: Sidecar, memory: Path) -> None:
    done = sidecar.remember("mine")
    topic = memory / "topics/general.md"
    topic.write_bytes(topic.read_bytes().replace(b"mine", b"yours"))
    with pytest.raises(EditedSince):
        sidecar.undo()
    topic.write_bytes(topic.read_bytes().replace(b"yours", b"mine") + "\n手工加的一行\n".encode())
    sidecar.undo()
    assert done["id"] not in ids(sidecar)
    assert "手工加的一行" in topic.read_text(encoding="utf-8")


def test_an_outside_edit_is_seen_with_other_entries_untouched(sidecar: Sidecar, memory: Path) -> None:
    topic = memory / "topics/general.md"
    topic.write_text(FIXTURE_3, encoding="utf-8")
    sidecar.store.refresh()
    before = dict(sidecar.store.snapshot.entries)
    topic.write_text(FIXTURE_3.replace("Thursdays", "Saturdays"), encoding="utf-8")
    sidecar.store.refresh()
    changed = {key for key, entry in sidecar.store.snapshot.entries.items() if before[key] != entry}
    assert changed == {entry_id("c")}
    assert sidecar.recall("saturdays")["index"] == [{"id": entry_id("c"), "summary": "Release on Saturdays only."}]
    assert sidecar.history()["changes"][0]["kind"] == "outside"  # type: ignore[index]


def test_saving_beside_an_outside_edit_keeps_both(sidecar: Sidecar, memory: Path) -> None:
    topic = memory / "topics/general.md"
    topic.write_text(FIXTURE_3, encoding="utf-8")
    done = sidecar.remember("ours")
    assert topic.read_text(encoding="utf-8").startswith(FIXTURE_3)
    assert set(ids(sidecar)) == {entry_id("a"), entry_id("b"), entry_id("c"), done["id"]}


def test_reading_and_restarting_never_write(opened: Callable[..., Sidecar], memory: Path) -> None:
    opened().remember("one")
    before = (files(memory), stats(memory))
    for _ in range(10):
        sidecar = opened()
        sidecar.recall("one")
        sidecar.search("one")
        sidecar.store.refresh(deep=True)
        sidecar.close()
    assert (files(memory), stats(memory)) == before


@pytest.mark.parametrize("content", [b"", b"\0" * 4096, b"  \n\n"])
def test_an_emptied_topic_is_unknown_not_deleted(sidecar: Sidecar, memory: Path, content: bytes) -> None:
    topic = memory / "topics/general.md"
    sidecar.remember("precious")
    good = topic.read_bytes()
    sidecar.store.keeping.save()
    topic.write_bytes(content)
    sidecar.store.refresh()
    assert len(ids(sidecar)) == 1
    with pytest.raises(MemoryGone):
        sidecar.remember("new")
    assert topic.read_bytes() == content
    assert "file_empty" in str(sidecar.health())
    sidecar.check(restore=True)
    assert topic.read_bytes() == good
    assert sidecar.remember("new")["topic"] == "general"


def test_a_vanished_topic_is_served_restored_or_given_up(opened: Callable[..., Sidecar], memory: Path) -> None:
    first = opened()
    first.remember("precious")
    first.close()
    (memory / "topics/general.md").rename(memory.parent / "general.md")
    sidecar = opened()
    assert sidecar.recall("precious")["total"] == 1
    with pytest.raises(MemoryGone):
        sidecar.remember("new")
    assert sidecar.check(restore=True)["restored"] == ["topics/general.md"]
    assert (memory / "topics/general.md").read_bytes() == (memory.parent / "general.md").read_bytes()
    (memory / "topics/general.md").unlink()
    assert sidecar.check(accept=True)["accepted"] == ["topics/general.md"]
    assert sidecar.remember("new")["topic"] == "general"
    assert len(ids(sidecar)) == 1


def test_a_vanished_folder_is_served_and_never_made_anew(opened: Callable[..., Sidecar], vault: Path, memory: Path) -> None:
    sidecar = opened()
    sidecar.remember("precious")
    sidecar.store.keeping.save()
    shutil.rmtree(memory)
    sidecar.store.refresh(deep=True)
    assert sidecar.recall("precious")["total"] == 1
    with pytest.raises(MemoryGone):
        sidecar.remember("new")
    assert not memory.exists()
    with pytest.raises(MemoryGone):
        Sidecar.open(vault)
    initialise(vault, restore=True)
    assert opened().recall("precious")["total"] == 1


def test_a_renamed_topic_is_no_deletion(sidecar: Sidecar, memory: Path) -> None:
    done = sidecar.remember("precious", topic="work")
    (memory / "topics/work.md").rename(memory / "topics/projects.md")
    sidecar.store.refresh()
    assert sidecar.show(str(done["id"]))["topic"] == "projects"
    assert not sidecar.store.unknown()


def test_a_half_written_file_loses_nothing(opened: Callable[..., Sidecar], memory: Path, clock: FakeClock) -> None:
    sidecar = opened(clock)
    topic = memory / "topics/general.md"
    topic.write_text(FIXTURE_3, encoding="utf-8")
    sidecar.store.refresh()
    whole = FIXTURE_3.encode()
    for cut in (0, whole.index(b"0c") - 3):
        topic.write_bytes(whole[:cut])
        os.utime(topic, (clock.now, clock.now))
        clock.sleep(0.7)
        sidecar.store.refresh()
        clock.sleep(0.7)
        sidecar.store.refresh()
        assert len(ids(sidecar)) == 3
    for moment, words in ((clock.now, "saved by another program"), (clock.now - 60, "until you decide")):
        os.utime(topic, (moment, moment))
        clock.sleep = lambda seconds: None  # type: ignore[method-assign]
        with pytest.raises(DeepseedianError, match=words):
            sidecar.remember("x")
    topic.write_bytes(whole)
    sidecar.store.refresh()
    sidecar.remember("x")
    assert len(ids(sidecar)) == 4


def test_one_deleted_entry_is_believed_after_two_looks(opened: Callable[..., Sidecar], memory: Path, clock: FakeClock) -> None:
    sidecar = opened(clock)
    topic = memory / "topics/general.md"
    topic.write_text(FIXTURE_3, encoding="utf-8")
    sidecar.store.refresh()
    topic.write_bytes(FIXTURE_3.encode()[: FIXTURE_3.encode().rindex(b"<!--")])
    assert sidecar.store.refresh() is True
    assert len(ids(sidecar)) == 3
    clock.sleep(0.3)
    assert sidecar.store.refresh() is False
    assert len(ids(sidecar)) == 2


def test_many_entries_gone_at_once_wait_for_the_owner(opened: Callable[..., Sidecar], memory: Path, clock: FakeClock) -> None:
    sidecar = opened(clock)
    topic = memory / "topics/general.md"
    topic.write_text(FIXTURE_3, encoding="utf-8")
    sidecar.store.refresh()
    topic.write_text("# hello\n", encoding="utf-8")
    for _ in range(3):
        sidecar.store.refresh()
        clock.sleep(1)
    assert len(ids(sidecar)) == 3
    assert "file_mass_change" in str(sidecar.health())
    sidecar.check(accept=True)
    assert ids(sidecar) == []


@pytest.mark.parametrize("name", ["state.json", "journal.json"])
@pytest.mark.parametrize("content", [b"", b"\0" * 4096, b"[", b"{}", b'{"version":2}'])
def test_unreadable_books_are_rebuilt_and_set_aside(opened: Callable[..., Sidecar], memory: Path, name: str, content: bytes) -> None:
    first = opened()
    done = first.remember("precious")
    vault_id = json.loads((memory / "state.json").read_bytes())["vaultId"]
    first.close()
    topic = (memory / "topics/general.md").read_bytes()
    (memory / name).write_bytes(content)
    sidecar = opened()
    assert json.loads((memory / "state.json").read_bytes())["vaultId"] == vault_id
    assert (memory / "topics/general.md").read_bytes() == topic
    assert [path.read_bytes() for path in (sidecar.instance.folder / "quarantine").iterdir()] == [content]
    before = stats(memory)
    opened()
    assert {path: when for path, when in stats(memory).items() if when != before.get(path) and "memory" not in path[-7:]} == {}
    sidecar.undo()
    assert done["id"] not in ids(sidecar)


def test_a_newer_schema_is_read_only(opened: Callable[..., Sidecar], memory: Path) -> None:
    opened().remember("precious")
    state = json.loads((memory / "state.json").read_bytes())
    (memory / "state.json").write_text(json.dumps(state | {"version": 3}), encoding="utf-8")
    before = files(memory)
    sidecar = opened()
    assert sidecar.recall("precious")["total"] == 1
    with pytest.raises(ReadOnly):
        sidecar.remember("new")
    assert files(memory) == before


def test_a_repeated_key_lands_once(sidecar: Sidecar) -> None:
    first = sidecar.remember("once", key="k1")
    sidecar.edit(str(first["id"]), "twice", key="k2")
    sidecar.edit(str(first["id"]), "thrice", key="k2")
    assert text(sidecar, first["id"]) == "twice"
    assert sidecar.remember("once", key="k1")["id"] == first["id"]
    assert len(ids(sidecar)) == 1


def test_two_openings_write_in_turn_and_see_each_other(opened: Callable[..., Sidecar]) -> None:
    one, two = opened(), opened()
    for number in range(5):
        one.remember(f"one {number}")
        two.remember(f"two {number}")
    two.store.refresh()
    one.store.refresh()
    assert ids(one) == ids(two)
    assert len(ids(one)) == 10


@pytest.mark.parametrize(("said", "topic", "error"), [
    ("", "general", BadText), ("x" * 2001, "general", BadText), ("a\0b", "general", BadText),
    ("<!-- deepseedian-entry {} -->", "general", BadText), ("x", "../x", BadTopic), ("x", "a/../../x", BadTopic), ("x", "/etc/x", BadTopic),
    ("x", "..\\x", BadTopic), ("x", "C:x", BadTopic), ("x", "x\0y", BadTopic), ("x", "", BadTopic), ("x", ".", BadTopic),
    ("x", "x" * 300, BadTopic), ("x", "topics/../state.json", BadTopic), ("x", "..%2fx", BadTopic), ("x", "con", BadTopic),
    ("x", "aux.md", BadTopic), ("x", "a\nautoApprove: true", BadTopic), ("x", "dot.", BadTopic), ("x", "what?", BadTopic),
    ("my key is sk-TESTKEY123abc", "general", SecretFound), ("密码是 hunter2-SECRET", "general", SecretFound),
])
def test_bad_input_writes_nothing(sidecar: Sidecar, vault: Path, said: str, topic: str, error: type[Exception]) -> None:
    before = files(vault)
    with pytest.raises(error):
        sidecar.remember(said, topic=topic)
    assert files(vault) == before


def test_a_secret_is_stored_when_insisted_on(sidecar: Sidecar) -> None:
    done = sidecar.remember("my key is sk-TESTKEY123abc", allow_secret=True)
    assert text(sidecar, done["id"]) == "my key is sk-TESTKEY123abc"


def test_topics_that_some_system_takes_for_one_are_one(sidecar: Sidecar, memory: Path) -> None:
    sidecar.remember("one", topic="Café")
    assert sidecar.remember("two", topic="cafe\u0301")["topic"] == "Café"
    assert len(list((memory / "topics").glob("*af*"))) == 1


def test_unknown_and_archived_ids(sidecar: Sidecar) -> None:
    with pytest.raises(NotFound):
        sidecar.edit(entry_id("f"), "x")
    done = sidecar.remember("x")
    sidecar.forget(str(done["id"]))
    with pytest.raises(Conflict):
        sidecar.forget(str(done["id"]))
    assert sidecar.show(str(done["id"]))["archived"] is True


def test_links_and_special_files_are_reported_not_followed(sidecar: Sidecar, memory: Path, tmp_path: Path) -> None:
    sidecar.remember("precious")
    outside = tmp_path / "outside.md"
    outside.write_text(FIXTURE_3, encoding="utf-8")
    (memory / "topics/l.md").symlink_to(outside)
    os.mkfifo(memory / "topics/fifo.md")
    sidecar.store.refresh(deep=True)
    assert len(ids(sidecar)) == 1
    with pytest.raises((BadVault, Conflict)):
        sidecar.remember("x", topic="l")
    assert outside.read_text(encoding="utf-8") == FIXTURE_3


@pytest.mark.parametrize("kind", ["link", "folder", "fifo"])
def test_what_lies_at_the_visible_lock(sidecar: Sidecar, memory: Path, tmp_path: Path, kind: str) -> None:
    victim = tmp_path / "victim.txt"
    victim.write_text("safe", encoding="utf-8")
    lock = memory / "writer.lock"
    {"link": lambda: lock.symlink_to(victim), "folder": lock.mkdir, "fifo": lambda: os.mkfifo(lock)}[kind]()
    with pytest.raises(BadVault, match=r"writer\.lock"):
        sidecar.remember("x")
    assert victim.read_text(encoding="utf-8") == "safe"


@pytest.mark.parametrize("content", ["", "1", "2000000", "A" * 10_000_000])
def test_the_text_of_the_visible_lock_is_never_evidence(sidecar: Sidecar, memory: Path, content: str) -> None:
    (memory / "writer.lock").write_text(content, encoding="utf-8")
    sidecar.remember("x")
    assert not (memory / "writer.lock").exists()


def test_conflict_copies_and_temporary_files_are_no_entries(sidecar: Sidecar, memory: Path) -> None:
    (memory / "topics/general.md").write_text(FIXTURE_3, encoding="utf-8")
    for name in ("general.sync-conflict-20261129-101010-ABCDEFG.md", "general (conflicted copy 2026-11-29).md", "general 2.md"):
        (memory / "topics" / name).write_text(FIXTURE_3.replace("Thursdays", name), encoding="utf-8")
    for name in (".syncthing.general.md.tmp", "~syncthing~general.md.tmp", "general.md.orig", "general.md~", "~x.md", ".x.md"):
        (memory / "topics" / name).write_text(FIXTURE_3, encoding="utf-8")
    (memory / "topics/ideas 2.md").write_text(FIXTURE_3.replace("0000000", "1111111"), encoding="utf-8")
    sidecar.store.refresh()
    assert len(ids(sidecar)) == 6
    found = sidecar.check()["problems"]
    assert [problem["code"] for problem in found if problem["code"] != "derived"] == ["conflict_copy"] * 3  # type: ignore[attr-defined]


def test_a_vault_without_memory_says_so(tmp_path: Path) -> None:
    (tmp_path / "plain/.obsidian").mkdir(parents=True)
    with pytest.raises(NoMemory):
        Sidecar.open(tmp_path / "plain")
    with pytest.raises(BadVault):
        Sidecar.open(tmp_path / "nowhere")


def test_a_copied_vault_is_another_store_and_a_moved_one_the_same(opened: Callable[..., Sidecar], vault: Path, tmp_path: Path) -> None:
    first = opened()
    first.remember("one")
    shutil.copytree(vault, tmp_path / "copy")
    copy = Sidecar.open(tmp_path / "copy")
    assert copy.instance.id != first.instance.id
    first.close()
    vault.rename(tmp_path / "moved")
    moved = Sidecar.open(tmp_path / "moved")
    assert moved.instance.id == first.instance.id
    assert [change["summary"] for change in moved.history()["changes"]] == ["add: one"]  # type: ignore[attr-defined]
    copy.close()
    moved.close()


@needs_root
def test_a_read_only_vault_is_read_and_refuses_changes(opened: Callable[..., Sidecar], vault: Path) -> None:
    opened().remember("precious")
    command = f"'{sys.executable}' -m deepseedian --vault '{vault}' --json"
    script = (f"mount --bind '{vault}' '{vault}' && mount -o remount,bind,ro '{vault}' && "
              f"{command} recall precious && {command} remember new")
    done = subprocess.run(["unshare", "--mount", "sh", "-c", script], capture_output=True, encoding="utf-8", timeout=60, check=False)
    recalled, refused = map(json.loads, done.stdout.splitlines())
    assert (recalled["total"], refused["error"]["code"], done.returncode) == (1, "read_only", 6)


def test_an_entry_of_each_file_problem_is_reported_with_its_line(sidecar: Sidecar, memory: Path) -> None:
    (memory / "topics/general.md").write_text(f"# x\n\n<!-- deepseedian-entry {{bad}} -->\n\n{FIXTURE_3}", encoding="utf-8")
    sidecar.store.refresh()
    found = sidecar.check()
    assert found["ok"] is False
    assert [(p["code"], p["file"], p["line"]) for p in found["problems"] if not p["repaired"]] == [  # type: ignore[attr-defined]
        ("bad_entry", "topics/general.md", 3)]


def test_the_store_says_what_it_holds(store: Store) -> None:
    assert store.snapshot.topics() == {"general": 0}


def test_a_folder_restored_under_a_running_store_is_written_again(sidecar: Sidecar, memory: Path) -> None:
    sidecar.remember("precious")
    sidecar.store.keeping.save()
    kept = memory.with_name("kept")
    memory.rename(kept)  # its inode stays taken, so the new folder is another one
    sidecar.store.refresh(deep=True)
    assert sidecar.check(restore=True)["restored"]
    assert sidecar.remember("again")["topic"] == "general"
    assert len(ids(sidecar)) == 2


def test_init_never_begins_anew_where_a_memory_vanished(opened: Callable[..., Sidecar], vault: Path, memory: Path) -> None:
    first = opened()
    first.remember("precious")
    first.close()
    shutil.rmtree(memory)
    with pytest.raises(MemoryGone):
        initialise(vault)
    assert not memory.exists()
    initialise(vault, fresh=True)
    assert ids(opened()) == []


def test_a_memory_begun_anew_in_the_very_folder_is_another_one(opened: Callable[..., Sidecar], vault: Path, memory: Path) -> None:
    first = opened()
    first.remember("precious")
    first.close()
    for path in memory.rglob("*"):
        if path.is_file():
            path.unlink()
    initialise(vault, fresh=True)
    again = opened()
    assert again.instance.id != first.instance.id and again.history()["changes"] == []
    again.close()
    assert opened().instance.id == again.instance.id


def test_an_entry_deleted_while_nothing_ran_is_gone_at_the_next_command(opened: Callable[..., Sidecar], memory: Path) -> None:
    topic = memory / "topics/general.md"
    first = opened()
    topic.write_text(FIXTURE_3, encoding="utf-8")
    first.store.refresh()
    first.close()
    topic.write_bytes(FIXTURE_3.encode()[: FIXTURE_3.encode().rindex(b"<!--")])
    os.utime(topic, (topic.stat().st_mtime - 10, topic.stat().st_mtime - 10))
    assert ids(opened()) == [entry_id("a"), entry_id("b")]


@pytest.mark.parametrize("point", ["after_record", "after_swap_0", "after_install", "after_commit"])
def test_an_undo_that_is_killed_is_not_taken_for_a_loss(vault: Path, point: str) -> None:
    command = Command(vault)
    command("remember", "in general")
    command("remember", "solo", "--topic", "fresh")
    assert command.run("--vault", str(vault), "undo", DEEPSEEDIAN_FAILPOINT=point).status == -9
    assert [entry["text"] for entry in command("list")["entries"]] == ["in general"]
    assert command("remember", "next")["topic"] == "general"


def test_an_undo_of_several_entries_before_the_copies_were_saved(opened: Callable[..., Sidecar], memory: Path) -> None:
    first = opened()
    for number in range(4):
        first.remember(f"entry {number}")
    first.store.keeping.save()
    for _ in range(3):
        first.undo()
    again = opened()  # as after a kill: the copies still hold four entries
    assert len(ids(again)) == 1 and again.remember("next")


@pytest.mark.parametrize("name", ["conflict 1914", "项目（冲突）", "a-conflict-2", "x conflicted copy", "general 2", "general-B"])
def test_topics_that_merely_sound_like_conflict_copies(sidecar: Sidecar, name: str) -> None:
    sidecar.remember("base")
    sidecar.remember("war notes", topic=name)
    sidecar.remember("more war notes", topic=name)
    assert len(ids(sidecar)) == 3


def test_an_entry_that_came_back_by_hand_can_be_forgotten_again(sidecar: Sidecar, memory: Path) -> None:
    topic = memory / "topics/general.md"
    done = str(sidecar.remember("again and again")["id"])
    whole = topic.read_bytes()
    sidecar.forget(done)
    topic.write_bytes(whole)
    sidecar.store.refresh()
    sidecar.forget(done)
    assert ids(sidecar) == [] and len(sidecar.store.snapshot.archive) == 2
    sidecar.undo()
    assert ids(sidecar) == [done]


@pytest.mark.parametrize("path", ["../../../evil.md", "/etc/evil.md", "topics/../../evil.md", "state.json", "topics/x.txt", "topics/a\\b.md"])
def test_a_synced_journal_names_no_file_outside(opened: Callable[..., Sidecar], memory: Path, path: str) -> None:
    sidecar = opened()
    sidecar.remember("one")
    body = json.loads((memory / "journal.json").read_bytes())
    body["records"][-1]["operations"][0] |= {"path": path, "before": body["records"][-1]["operations"][0]["after"], "after": None, "base": "", "result": ""}
    (memory / "journal.json").write_text(json.dumps(body), encoding="utf-8")
    before = files(memory.parents[3])
    with pytest.raises((NothingToUndo, DeepseedianError)):
        opened().undo()
        opened().undo()
    assert {name for name in files(memory.parents[3]) if name not in before} <= {"state/instances"}
    assert not any("evil" in name for name in files(memory.parents[4]))


def test_a_locked_database_is_not_thrown_aside(opened: Callable[..., Sidecar]) -> None:
    import sqlite3

    first = opened()
    folder = first.instance.folder
    first.close()
    holder = sqlite3.connect(folder / "copies.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    opened().remember("saved although the copies are locked")
    assert not (folder / "copies.unreadable").exists()
    holder.close()
    assert len(ids(opened())) == 1 and not (folder / "copies.unreadable").exists()


def test_an_old_version_put_back_from_outside_is_not_taken_for_our_own(sidecar: Sidecar, memory: Path) -> None:
    topic = memory / "topics/general.md"
    sidecar.remember("base")
    ours = topic.read_bytes()
    topic.write_bytes(ours + b"\n" + FIXTURE_3.encode())
    sidecar.store.refresh()
    topic.write_bytes(ours)
    os.utime(topic, (1, 1))
    sidecar.store.refresh()
    assert len(ids(sidecar)) == 4 and "file_mass_change" in str(sidecar.health())


def test_a_file_made_by_hand_where_an_undo_took_one_away(sidecar: Sidecar, memory: Path) -> None:
    sidecar.remember("solo", topic="fresh")
    sidecar.undo()
    (memory / "topics/fresh.md").write_text(FIXTURE_3, encoding="utf-8")
    sidecar.store.refresh()
    (memory / "topics/fresh.md").unlink()
    sidecar.store.refresh()
    assert len(ids(sidecar)) == 3 and "file_missing" in str(sidecar.health())


@pytest.mark.parametrize("when", [1, 4_000_000_000])
@pytest.mark.parametrize("way", ["restore", "accept"])
def test_a_torn_or_empty_file_has_a_way_out(sidecar: Sidecar, memory: Path, when: int, way: str) -> None:
    topic = memory / "topics/general.md"
    topic.write_text(FIXTURE_3, encoding="utf-8")
    sidecar.store.refresh()
    sidecar.store.keeping.save()
    for content in (FIXTURE_3.encode()[:-60], b""):
        topic.write_bytes(content)
        os.utime(topic, (when, when))
        with pytest.raises(MemoryGone):
            sidecar.remember("new")
        assert sidecar.check(**{way: True})["restored" if way == "restore" else "accepted"] == ["topics/general.md"]
        sidecar.store.refresh()
    assert sidecar.remember("new")["topic"] == "general"
    assert len(ids(sidecar)) == (4 if way == "restore" else 1)


def test_a_save_in_two_pieces_is_waited_for(sidecar: Sidecar, memory: Path) -> None:
    import threading

    topic = memory / "topics/general.md"
    topic.write_text(FIXTURE_3, encoding="utf-8")
    sidecar.store.refresh()
    topic.write_bytes(b"# half\n")
    rest = threading.Timer(0.6, lambda: topic.write_text(FIXTURE_3, encoding="utf-8"))
    rest.start()
    sidecar.remember("new")
    rest.join()
    assert len(ids(sidecar)) == 4


def test_a_topic_that_took_over_an_entry_is_no_conflict_copy(sidecar: Sidecar, memory: Path) -> None:
    topic = memory / "topics/general.md"
    one = str(sidecar.remember("alpha")["id"])
    sidecar.remember("beta")
    yesterday = topic.read_bytes()
    sidecar.remember("own one", topic="general 2")
    sidecar.move(one, "general 2")
    topic.write_bytes(yesterday)
    sidecar.store.refresh()
    assert {entry.text for entry in sidecar.store.snapshot.entries.values()} == {"alpha", "beta", "own one"}
    assert "duplicate_id" in str(sidecar.check()["problems"])


def test_an_emptied_memory_folder_is_not_begun_anew_and_comes_back_whole(opened: Callable[..., Sidecar], vault: Path, memory: Path) -> None:
    first = opened()
    meta = f'{{"id":"{entry_id("a")}","createdAt":"t","source":"s","sourceKeys":["{"0" * 64}"]}}'
    (memory / "topics/general.md").write_text(f"<!-- deepseedian-entry {meta} -->\nx\n<!-- /deepseedian-entry -->\n", encoding="utf-8")
    first.store.refresh()
    first.forget(entry_id("a"))
    first.remember("precious")
    first.propose("Deploys need a dry run.", "seen")
    first.close()
    before = files(memory)
    shutil.rmtree(memory)
    memory.mkdir()
    with pytest.raises(MemoryGone):
        initialise(vault)
    initialise(vault, restore=True)
    for name in ("state.json", "proposals.json", "topics/general.md", "archive/general.md"):
        assert (memory / name).read_bytes() == before[name]
    assert len(opened().proposals()["proposals"]) == 1  # type: ignore[arg-type]
    shutil.rmtree(memory)
    memory.mkdir()
    initialise(vault, fresh=True)
    fresh = opened()
    assert ids(fresh) == [] and fresh.remember("new")["topic"] == "general"


def test_a_text_that_was_edited_away_a_moment_ago_is_remembered_anew(sidecar: Sidecar, memory: Path) -> None:
    first = sidecar.remember("the old words")
    topic = memory / "topics/general.md"
    topic.write_bytes(topic.read_bytes().replace(b"the old words", b"other words"))
    again = sidecar.remember("the old words")  # no watcher has looked yet
    assert again["id"] != first["id"]
    assert {entry["text"] for entry in sidecar.entries()["entries"]} == {"the old words", "other words"}  # type: ignore[attr-defined]


def test_two_things_set_aside_in_one_second_are_both_kept(opened: Callable[..., Sidecar], clock: FakeClock) -> None:
    store = opened(clock).store
    for data in (b"one", b"two", b"one"):
        store.quarantine.keep("topics/general.md", data, "test")
    assert sorted(path.read_bytes() for path in (store.instance.folder / "quarantine").iterdir()) == [b"one", b"two"]


def test_a_save_that_meets_a_restore_is_set_aside(sidecar: Sidecar, memory: Path) -> None:
    topic = memory / "topics/general.md"
    sidecar.remember("precious")
    sidecar.store.keeping.save()
    topic.write_bytes(b"")
    os.utime(topic, (1, 1))
    disk = sidecar.seam.disk
    exchange = disk.exchange

    def racing(source: Path, target: Path) -> bool:
        target.write_bytes(b"typed just now\n")
        return exchange(source, target)

    disk.exchange = racing  # type: ignore[method-assign]
    sidecar.check(restore=True)
    assert [path.read_bytes() for path in (sidecar.instance.folder / "quarantine").iterdir()] == [b"typed just now\n"]
    assert b"precious" in topic.read_bytes()


def test_a_forgotten_entry_does_not_come_back_from_a_second_block(sidecar: Sidecar, memory: Path) -> None:
    """A merge by a sync tool can leave an entry twice, in one file or in two."""
    first, second = sidecar.remember("I prefer tea.", topic="drinks"), sidecar.remember("I prefer dark roast.", topic="coffee")
    drinks, coffee = memory / "topics/drinks.md", memory / "topics/coffee.md"
    block = drinks.read_bytes()[len(b"# drinks\n"):]
    other = block.replace(b"I prefer tea.", b"I prefer green tea.")
    before = drinks.read_bytes() + block, coffee.read_bytes() + other
    drinks.write_bytes(before[0])
    coffee.write_bytes(before[1])
    sidecar.store.refresh(deep=True)
    sidecar.forget(str(first["id"]))
    assert [entry["id"] for entry in sidecar.entries()["entries"]] == [second["id"]]
    archived = {entry.text for entry in sidecar.store.snapshot.archive.values()}
    assert archived == {"I prefer tea.", "I prefer green tea."}
    sidecar.undo()
    assert (drinks.read_bytes(), coffee.read_bytes()) == before


def test_a_kill_while_restoring_keeps_what_stood_there(opened: Callable[..., Sidecar], memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sidecar = opened()
    for number in range(4):
        sidecar.remember(f"Fact number {number} of four.")
    sidecar.store.keeping.save()
    (memory / "topics/general.md").write_text("My own line.\n", encoding="utf-8")

    def killed(self: Quarantine, *_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Quarantine, "keep", killed)
        sidecar.check(restore=True)
    sidecar.close()
    again = opened()
    assert len(again.store.snapshot.entries) == 4
    assert b"My own line.\n" in [Path(path).read_bytes() for path in again.check()["setAside"]]  # type: ignore[attr-defined]


def test_an_entry_that_stood_twice_is_still_there_when_one_block_goes(sidecar: Sidecar, memory: Path) -> None:
    """Found by two devices: a conflict copy that comes and goes in between must not make us forget that it stands twice."""
    entry = sidecar.remember("I prefer tea.", topic="drinks")
    drinks, general = memory / "topics/drinks.md", memory / "topics/general.md"
    general.write_bytes(general.read_bytes() + b"\n" + drinks.read_bytes()[len(b"# drinks\n\n"):])
    sidecar.store.refresh(deep=True)
    copy = memory / "topics/general.sync-conflict-20261129-101010-ABCDEFG.md"
    copy.write_bytes(general.read_bytes())
    sidecar.store.refresh(deep=True)
    copy.unlink()
    sidecar.store.refresh(deep=True)
    drinks.write_text("# drinks\n", encoding="utf-8")
    sidecar.store.refresh(deep=True)
    assert [found["id"] for found in sidecar.entries()["entries"]] == [entry["id"]]  # type: ignore[attr-defined]


def test_a_vault_deleted_and_made_anew_is_another_one(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new folder often gets the inode of the old one; the entries of the old one are owed to nobody."""
    monkeypatch.setattr(instance, "identity", lambda folder: (1, 1))
    shutil.rmtree(vault)
    initialise(vault)
    first = Sidecar.open(vault)
    first.remember("in the old vault", topic="old")
    first.close()
    shutil.rmtree(vault)
    initialise(vault)
    second = Sidecar.open(vault)
    second.remember("in the new vault")
    assert [entry.text for entry in second.store.snapshot.by_age] == ["in the new vault"] and second.health()["faults"] == []
    second.close()
