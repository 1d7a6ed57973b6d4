"""Files of other programs, friendly and hostile, read as items."""

import json
import os
from pathlib import Path

import pytest

from deepseedian.errors import BadInput
from deepseedian.store import foreign
from tests.samples import FIXTURE_3, entry_id

NAMES = ("deepsidian", "deepseedian")
TOPIC = """# 本库记忆

<!-- deepseedian-entry {"id":"0b6d6c1e-7a54-4f0e-9a51-3f1d2c4b5a60","createdAt":"2026-11-20T08:15:30.000Z","source":"sample: by hand"} -->
先给最小例子，再给定义。

Second paragraph of the same entry.
<!-- /deepseedian-entry -->

<!-- deepsidian-entry {"id":"5c0a7f72-1d1b-4c39-8c7e-9be0f6a1d2e3","createdAt":"2026-09-14T01:02:03.004Z","source":"approved"} -->
Rust answers start with ownership.
<!-- /deepsidian-entry -->
<!-- deepsidian-entry {"id":"broken -->
never read
"""
CHATS = {"settings": {}, "chats": [
    {"id": "c 1", "title": "Rust", "goal": "learn", "messages": [
        {"role": "user", "text": "What is ownership?", "manifest": {"createdAt": "2026-09-01T10:00:00.000Z"}},
        {"role": "assistant", "text": "A rule.", "startedAt": 1_788_256_800_000, "status": "完成"},
        {"role": "user", "text": "And borrowing?"}, {"role": "assistant", "text": "A loan."}]},
    {"id": 7, "messages": []}, "nonsense", {"id": "empty", "title": "", "messages": []}]}


def plugin(folder: Path, name: str = "deepsidian") -> Path:
    """The public plugin's folder as it lies in a vault."""
    home = folder / ".obsidian/plugins" / name
    (home / "memory/topics").mkdir(parents=True)
    (home / "memory/topics/general.md").write_text(TOPIC, encoding="utf-8")
    (home / "data.json").write_text(json.dumps(CHATS), encoding="utf-8")
    return home


@pytest.mark.parametrize("name", NAMES)
def test_the_public_plugins_folder(tmp_path: Path, name: str) -> None:
    home = plugin(tmp_path, name)
    for source in (tmp_path, home):  # the vault and the folder itself
        found = foreign.gathered(source)
        assert found.form == "plugin"
        assert [(item.id, item.topic, item.at, item.place) for item in found.items] == [
            ("0b6d6c1e-7a54-4f0e-9a51-3f1d2c4b5a60", "general", "2026-11-20T08:15:30.000Z", "topics/general.md:3"),
            ("5c0a7f72-1d1b-4c39-8c7e-9be0f6a1d2e3", "general", "2026-09-14T01:02:03.004Z", "topics/general.md:9")]
        assert found.items[0].source == "topics/general.md · sample: by hand" and "Second paragraph" in found.items[0].text
        (chat,) = found.chats
        assert (chat.title, chat.goal, [turn["turn"] for turn in chat.turns]) == ("Rust", "learn", ["0", "2"])
        assert chat.session.startswith("plugin-") and " " not in chat.session
        assert chat.turns[0]["at"] == "2026-09-01T10:00:00.000Z"
        places = [place for place, _ in found.left_out]
        assert "topics/general.md:12" in places and "data.json: chat 2" in places and "data.json: chat 3" in places
    memory = foreign.gathered(home / "memory")
    assert len(memory.items) == 2 and not memory.chats
    alone = foreign.gathered(home / "memory/topics/general.md")
    assert (alone.form, len(alone.items)) == ("plugin", 2)
    assert len(foreign.gathered(home / "data.json").chats) == 1


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"chats":{}}', b'{"chats":[[[]]]}', b"[" * 100_000, b"\xff\xfe", b'{"chats":null}',
                                  b'{"chats":[{"id":"a","messages":[{"role":"user"},{"role":"tool","text":"x"},null,{"role":"user","text":7}]}]}'])
def test_a_damaged_chat_file_costs_nothing_else(tmp_path: Path, data: bytes) -> None:
    home = plugin(tmp_path)
    (home / "data.json").write_bytes(data)
    found = foreign.gathered(home)
    assert len(found.items) == 2 and not found.chats


def test_a_page_for_agents(tmp_path: Path) -> None:
    page = tmp_path / "CLAUDE.md"
    page.write_text("# P\n\n@other.md\n\n## Style\n\n- Two spaces.\n- 不要缩写。\n\n### Python\n\nNo `Any`.\n", encoding="utf-8")
    os.utime(page, (1_700_000_000, 1_700_000_000))
    found = foreign.gathered(page)
    assert found.form == "statements"
    assert [(item.text, item.topic, item.source, item.place) for item in found.items] == [
        ("Two spaces.", "Style", "CLAUDE.md › Style", "CLAUDE.md:7"), ("不要缩写。", "Style", "CLAUDE.md › Style", "CLAUDE.md:8"),
        ("No `Any`.", "Style", "CLAUDE.md › Style › Python", "CLAUDE.md:12")]
    assert {item.at for item in found.items} == {"2023-11-14T22:13:20.000Z"}
    assert found.left_out == [("CLAUDE.md:3", "it only names another file")]


def test_a_memory_folder_with_an_index_and_a_project_with_two_pages(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m/MEMORY.md").write_text("- [Tea](tea.md) — how I drink it\n- Speak plainly.\n", encoding="utf-8")
    (tmp_path / "m/tea.md").write_text("---\nname: tea\ncreated: 2025-03-04\n---\nOolong,\n\nno sugar.\n", encoding="utf-8")
    found = foreign.gathered(tmp_path / "m")
    assert [(item.text, item.place) for item in found.items] == [("Speak plainly.", "MEMORY.md:2"), ("Oolong,\n\nno sugar.", "tea.md")]
    assert found.items[1].at == "2025-03-04" and found.left_out == [("MEMORY.md:1", "it only names another file")]
    (tmp_path / "p").mkdir()
    (tmp_path / "p/AGENTS.md").write_text("- Run the tests.\n", encoding="utf-8")
    (tmp_path / "p/README.md").write_text("- Not a rule.\n", encoding="utf-8")
    (tmp_path / "p/CLAUDE.md").symlink_to("AGENTS.md")
    project = foreign.gathered(tmp_path / "p")
    assert [item.text for item in project.items] == ["Run the tests."] and project.left_out == [("CLAUDE.md", "it is a link")]


def test_a_folder_of_notes(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    (notes / "Trips/Japan").mkdir(parents=True)
    (notes / ".obsidian").mkdir()
    (notes / ".obsidian/hidden.md").write_text("hidden", encoding="utf-8")
    (notes / "a.md").write_text("First note.", encoding="utf-8")
    (notes / "Trips/Japan/kyoto.md").write_text("\ufeffStay in Gion.\r\nTwice.", encoding="utf-8")
    (notes / "long.md").write_text("A sentence of the long note. " * 3000, encoding="utf-8")
    (notes / "latin.md").write_bytes(b"caf\xe9")
    (notes / "big.md").write_bytes(b"x" * (foreign.NOTE_BYTES + 1))
    (notes / "blank.md").write_text("---\na: 1\n---\n\n", encoding="utf-8")
    (notes / "link.md").symlink_to("/etc/passwd")
    (notes / "out").symlink_to("/etc")
    if hasattr(os, "mkfifo"):
        os.mkfifo(notes / "pipe.md")
    found = foreign.gathered(notes)
    assert found.form == "notes"
    short = [(item.text, item.topic, item.source) for item in found.items if item.source != "long.md"]
    assert short == [("First note.", "", "a.md"), ("Stay in Gion.\nTwice.", "Trips", "Trips/Japan/kyoto.md")]
    long = [item for item in found.items if item.source == "long.md"]
    assert len(long) == foreign.MOST_PARTS and all(len(item.text) <= 2000 for item in long)
    assert long[0].place == "long.md (1/45)" and long[0].text.endswith(".")
    reasons = dict(found.left_out)
    assert reasons["latin.md"] == "it is not UTF-8" and "over" in reasons["big.md"] and "first 20 parts" in reasons["long.md"]
    assert "pipe.md" in reasons or not hasattr(os, "mkfifo")
    assert [item.text for item in foreign.gathered(notes / "a.md", "notes").items] == ["First note."]


def test_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    rows: list[object] = [
        {"text": "One.", "createdAt": "2024-01-02T03:04:05Z", "topic": "work", "source": "app", "id": entry_id("a"), "kind": "fact",
         "trust": "user_stated", "pinned": True},
        {"text": "Two."}, {"no": "text"}, ["list"], {"text": 7}, {"text": "Three.", "topic": 9, "createdAt": None}]
    lines = [json.dumps(row).encode() for row in rows] + [b"", b"{broken", b"[" * 5000, b"\xff", json.dumps({"text": "x" * 300_000}).encode()]
    path.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines))
    found = foreign.gathered(path)
    assert [(item.text, item.topic, item.source, item.kind) for item in found.items] == [
        ("One.", "work", "export.jsonl · app", "fact"), ("Two.", "", "export.jsonl", ""), ("Three.", "", "export.jsonl", "")]
    assert found.items[0].at == "2024-01-02T03:04:05Z" and found.items[1].at  # when the file was written
    assert [place for place, _ in found.left_out] == [f"export.jsonl:{number}" for number in (3, 4, 5, 8, 9, 10, 11)]


def test_what_is_nothing_of_the_kind_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"x")
    for source, form in ((tmp_path / "none", ""), (tmp_path / "a.bin", ""), (tmp_path, "xml")):
        with pytest.raises(BadInput):
            foreign.gathered(source, form)
    page = tmp_path / "topic.md"
    page.write_text(FIXTURE_3, encoding="utf-8")
    assert len(foreign.gathered(page).items) == 3


@pytest.mark.parametrize("form", ["", *foreign.FORMATS])
def test_what_is_no_ordinary_file_is_never_waited_for(tmp_path: Path, form: str) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no pipes with names")
    pipe = tmp_path / "page.md"
    os.mkfifo(pipe)
    found = foreign.gathered(pipe, form)
    assert found.items == [] and found.left_out == [("page.md", "it is no ordinary file")]


def test_more_than_anybody_can_mean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "MOST_ITEMS", 3)
    (tmp_path / "AGENTS.md").write_text("- a\n- b\n- c\n- d\n", encoding="utf-8")
    with pytest.raises(BadInput, match="more than 3"):
        foreign.gathered(tmp_path)
