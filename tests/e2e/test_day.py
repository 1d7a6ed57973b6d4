"""A day with a real vault, as its owner lives it: nothing but commands, an editor, and a power cut."""

import hashlib
import json
import os
import shutil
import tarfile
from pathlib import Path

import pytest

from tests.commands import Command, until
from tests.conftest import DATA, needs_data

# Every named place of a commit at which the process can die.
FAILPOINTS = ("after_staging", "before_record", "after_record", "before_exchange", "after_exchange", "after_swap_0", "after_swap_1",
              "after_install", "after_commit")


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """3,176 real notes."""
    folder = tmp_path_factory.mktemp("garden")
    with tarfile.open(Path(DATA) / "vaults/knowledge-garden.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    found, = [path for path in folder.iterdir() if path.is_dir()]
    return found


def notes(vault: Path) -> dict[str, str]:
    """Hash of every file outside our plugin folder."""
    return {path.relative_to(vault).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in vault.rglob("*") if path.is_file() and "plugins/deepseedian" not in path.as_posix()}


@needs_data
def test_the_day(garden: Path, tmp_path: Path) -> None:
    vault = tmp_path / "garden"
    shutil.copytree(garden, vault, symlinks=True)
    before = notes(vault)
    assert len(before) > 3000
    command = Command(vault)

    made = command("init", str(vault))
    memory = Path(made["memory"])
    with command.daemon() as daemon:
        chinese = command("remember", "我的周会改到每周四下午三点")["id"]
        english = command("remember", "Release notes are written in British English.", "--topic", "work")["id"]
        assert [row["id"] for row in command("recall", "周会是什么时候？")["index"]] == [chinese]
        assert [row["id"] for row in command("recall", "How do we write releases?", "--why")["index"]] == [english]

        created = command("show", english)["createdAt"]
        topic = memory / "topics/work.md"
        topic.write_bytes(topic.read_bytes().replace(b"British", b"Canadian"))
        assert until(lambda: command("recall", "canadian")["index"], 3)
        assert command("show", english)["createdAt"] == created
        assert command("history")["changes"][0]["kind"] == "outside"

        command("forget", chinese)
        assert command("recall", "周会")["index"] == []
        command("undo")
        assert [row["id"] for row in command("recall", "周会")["index"]] == [chinese]
        daemon.kill()

    said = {"我的周会改到每周四下午三点", "Release notes are written in Canadian English."}
    for point in FAILPOINTS:
        text = f"said when the power failed: {point}"
        died = command.run("--vault", str(vault), "--json", "remember", text, DEEPSEEDIAN_FAILPOINT=point)
        assert died.status == -9, point
        whole = {entry["text"] for entry in command("list")["entries"]}
        assert said <= whole <= said | {text}, point
        said = whole
        assert command("check")["ok"] is True
        assert sorted(path.name for path in memory.rglob("*") if ".tmp" in path.name or "transaction" in path.name) == []
    assert len(said) > 4

    with command.daemon():
        assert {entry["text"] for entry in command("list")["entries"]} == said
        assert command("check")["ok"] is True
        assert command("stop") == {"stopped": True}
    assert notes(vault) == before
    converse(command, vault, before)


def in_obsidian(path: Path, text: bytes) -> None:
    path.write_bytes(text)


def in_vim(path: Path, text: bytes) -> None:
    backup = path.with_name(path.name + "~")
    path.rename(backup)
    path.write_bytes(text)
    backup.unlink()


def in_vscode(path: Path, text: bytes) -> None:
    temporary = path.with_name(f".{path.name}.vsc")
    temporary.write_bytes(text)
    temporary.replace(path)


def converse(command: Command, vault: Path, before: dict[str, str]) -> None:
    """The second half of the day: a conversation, a pause, a tick, and one command to take it back."""
    with command.daemon():
        for number, save in enumerate((in_obsidian, in_vim, in_vscode)):
            text = f"第{number}次评审放在周{'一二三'[number]}上午"
            turn = {"session": "chat", "at": f"2026-11-30T0{number}:00:00Z",
                    "messages": [{"role": "user", "text": f"记住：{text}"}, {"role": "assistant", "text": "好的"}]}
            one, = command("observe", "-", given=json.dumps(turn))["proposals"]
            assert command("organize")["proposals"] == []
            assert text not in {entry["text"] for entry in command("list")["entries"]}
            note = vault / command("review", "show", one)["note"]
            save(note, note.read_bytes().replace(b"- [ ] Approve\n", b"- [x] Approve\n"))
            assert until(lambda text=text: text in {entry["text"] for entry in command("list")["entries"]}, 3)
            assert until(lambda note=note: b"**Approved**" in note.read_bytes(), 3)
        assert command("undo")["kind"] == "undo"
        assert text not in {entry["text"] for entry in command("list")["entries"]}
        assert command("organize")["proposals"] == [] and command("review", "show", one)["status"] == "undone"
    changed = {path: digest for path, digest in notes(vault).items() if before.get(path) != digest}
    assert all(path.startswith("Deepseedian/Review/") for path in changed) and before.keys() <= notes(vault).keys()


@needs_data
def test_a_kill_during_recovery_is_no_worse(garden: Path, tmp_path: Path) -> None:
    vault = tmp_path / "small"
    vault.mkdir()
    command = Command(vault)
    command("init", str(vault))
    for point in ("after_record", "after_swap_0"):
        assert command.run("--vault", str(vault), "remember", f"before {point}", DEEPSEEDIAN_FAILPOINT=point).status == -9
        for _ in range(3):
            assert command.run("--vault", str(vault), "list", DEEPSEEDIAN_FAILPOINT="during_recovery").status in (-9, 0)
        assert f"before {point}" in {entry["text"] for entry in command("list")["entries"]}


def test_the_readme_transcript_works_on_a_fresh_vault(tmp_path: Path) -> None:
    command = Command(tmp_path / "demo")
    command("init", str(tmp_path / "demo"))
    with command.daemon():
        command("remember", "I write short paragraphs.")
        assert command("recall", "Do I write short or long paragraphs?")["total"] == 1
        assert os.path.exists(command("status")["socket"])
