"""The index: it follows the vault, survives its own file, and finds what is asked."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deepseedian.errors import BadInput, Busy, NotFound
from deepseedian.notes import kept, paths
from deepseedian.notes.index import NoteIndex

NOTES = {
    "卡片笔记.md": "---\ntags: [方法/笔记]\naliases: [Zettelkasten, 卡片盒]\nstatus: done\n---\n# 什么是卡片\n做的笔记可以容纳在一张卡片中。\n",
    "Work/Release.md": "# Releases\nReleases are made on Thursday. #work/release\nSee [[Plan]] and [[卡片笔记#什么是卡片]].\n",
    "Work/Plan.md": "---\nstatus: open\ndue: 2026-12-01\n---\n周会改到每周四下午三点 #work\n",
    "Home/Plan.md": "喝什么茶？绿茶。\n",
    "Work/maxEntries.md": "The setting max_entries limits the index.\n",
    "board.canvas": '{"nodes":[]}',
}


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = tmp_path / "notes"
    write(found, NOTES)
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "notes.db"


@pytest.fixture
def index(root: Path, file: Path) -> Iterator[NoteIndex]:
    found = NoteIndex(root, file)
    found.refresh()
    yield found
    found.close()


def found(index: NoteIndex, query: str, **values: object) -> list[str]:
    return [str(hit["path"]) for hit in index.search(query, **values)["results"]]  # type: ignore[arg-type,attr-defined]


# Search

@pytest.mark.parametrize(("query", "path"), [
    ("周会", "Work/Plan.md"), ("周會", "Work/Plan.md"), ("茶", "Home/Plan.md"), ("绿茶", "Home/Plan.md"), ("release", "Work/Release.md"), ("RELEASED", "Work/Release.md"),
    ("zettelkasten", "卡片笔记.md"), ("卡片盒", "卡片笔记.md"), ("方法", "卡片笔记.md"), ("max_entries", "Work/maxEntries.md"), ("entries", "Work/maxEntries.md"),
    ("axEntr", "Work/maxEntries.md"), ("work/max", "Work/maxEntries.md"), ("the", "Work/maxEntries.md"), ("thursday plan", "Work/Release.md"), ("卡片中", "卡片笔记.md"),
])
def test_what_is_found_first(index: NoteIndex, query: str, path: str) -> None:
    assert found(index, query)[:1] == [path]


def test_a_name_goes_before_a_mention_and_all_words_before_some(root: Path, index: NoteIndex) -> None:
    write(root, {"mention.md": "zettelkasten " * 50, "Zebra.md": "", "both.md": "apple " + "filler " * 500 + "pear", "one.md": "apple apple apple apple"})
    index.refresh()
    assert found(index, "Zettelkasten")[0] == "卡片笔记.md"
    assert found(index, "zebra") == ["Zebra.md"]
    assert found(index, "apple pear")[0] == "both.md"


def test_ties_pages_and_folders(root: Path, index: NoteIndex) -> None:
    write(root, {f"T/{number:02}.md": "quokka" for number in range(30)} | {"T2/x.md": "quokka"})
    index.refresh()
    first = index.search("quokka", folder="T")
    assert first["total"] == 30 and first["nextOffset"] == 8
    pages = [path for offset in range(0, 32, 8) for path in found(index, "quokka", folder="T/", offset=offset)]
    assert pages == [f"T/{number:02}.md" for number in range(30)]
    assert len(found(index, "quokka", limit=1000)) == 20
    with pytest.raises(NotFound):
        index.search("quokka", folder="Nowhere")
    for values in ({"offset": -1}, {"limit": 0}, {"folder": "../x"}):
        with pytest.raises(BadInput):
            index.search("quokka", **values)  # type: ignore[arg-type]
    for query in ("", "  ", "x" * 1001):
        with pytest.raises(BadInput):
            index.search(query)


def test_the_place_that_is_shown(root: Path, index: NoteIndex) -> None:
    text = "---\ntitle: wombat\n---\n" + "filler line\n" * 100 + "here the wombat meets a quokka\n" + "more\n" * 100
    write(root, {"long.md": text})
    index.refresh()
    hit = index.search("quokka wombat")["results"][0]  # type: ignore[index]
    assert hit["path"] == "long.md" and hit["line"] == 104 and "wombat meets a quokka" in hit["snippet"]
    assert hit["snippet"].startswith("…") and hit["snippet"].endswith("…") and len(hit["snippet"]) <= 402
    assert index.search("long")["results"][0]["snippet"].startswith("filler line")  # type: ignore[index]


@pytest.mark.parametrize("query", ['"', "'", "AND", "NOT x OR", "a*", "(", "{title}:x", "NEAR(a b)", "-", "^x", "🍀", "\0", "'; DROP TABLE notes; --", "茶 OR 周会", "%", "\ud800"])
def test_no_query_is_an_expression(index: NoteIndex, query: str) -> None:
    assert paths.size(index.search(query)) < paths.JSON_LIMIT
    assert paths.size(index.query(query=query)) < paths.JSON_LIMIT


# The query over what is known

def listed(index: NoteIndex, **values: object) -> list[str]:
    return [str(note["path"]) for note in index.query(**values)["notes"]]  # type: ignore[arg-type,attr-defined]


def test_filters(root: Path, index: NoteIndex) -> None:
    write(root, {"list.md": "---\nstatus: [Open, later]\nN: 3\nflag: true\nempty:\n---\n"})
    index.refresh()
    assert listed(index, tag="work") == ["Work/Plan.md", "Work/Release.md"] and listed(index, tag="#Work/Release") == ["Work/Release.md"]
    assert listed(index, tag="wor") == []
    assert listed(index, property="status") == ["Work/Plan.md", "list.md", "卡片笔记.md"]
    assert listed(index, property="STATUS", value="open") == ["Work/Plan.md", "list.md"] == listed(index, property="status", value="OPEN")
    assert listed(index, property="n", value="3") == listed(index, property="flag", value="true") == listed(index, property="empty") == ["list.md"]
    assert listed(index, property="due", value="2026-12-01", folder="Work") == ["Work/Plan.md"]
    assert listed(index, query="plan") == ["Home/Plan.md", "Work/Plan.md"] and listed(index, query="plan work") == ["Work/Plan.md"]
    assert listed(index, query="卡片盒") == ["卡片笔记.md"] == listed(index, query="ZETTEL")
    assert len(listed(index)) == 6 and "board.canvas" not in listed(index)
    page = index.query(limit=2, offset=2)
    assert (page["total"], page["nextOffset"], len(page["notes"])) == (6, 4, 2)  # type: ignore[arg-type]
    with pytest.raises(BadInput):
        index.query(value="x")
    with pytest.raises(NotFound):
        index.query(folder="None")


def test_what_a_row_shows_is_bounded(root: Path, index: NoteIndex) -> None:
    write(root, {f"P/{number:02}.md": "---\n" + "".join(f"p{name}: {'值' * 500}\n" for name in range(30)) + "---\n" for number in range(20)})
    index.refresh()
    page = index.query(folder="P")
    first = page["notes"][0]  # type: ignore[index]
    assert all(len(value) <= 200 for value in first["properties"].values()) and len(first["properties"]) <= 12
    assert len(first["properties"]) + first["moreProperties"] == 30
    assert paths.size(page) <= 18_100 and page["nextOffset"] == len(page["notes"]) < 20  # type: ignore[arg-type]
    seen, offset = 0, 0
    while offset is not None:
        part = index.query(folder="P", offset=offset)
        seen, offset = seen + len(part["notes"]), part["nextOffset"]  # type: ignore[arg-type,assignment]
    assert seen == 20


# Following the vault

def test_only_what_changed_is_read(root: Path, index: NoteIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in root.rglob("*.*"):
        os.utime(path, (1, 1))
    index.refresh()
    read: list[str] = []
    real = index._source
    monkeypatch.setattr(index, "_source", lambda one: read.append(one.path) or real(one))
    monkeypatch.setattr(kept, "_row", lambda found, source: pytest.fail("the same bytes are not parsed again"))
    index.refresh()
    assert read == []
    os.utime(root / "Work/Plan.md", (2, 2))
    index.refresh()
    assert read == ["Work/Plan.md"]


def test_a_save_within_the_same_tick_is_seen(root: Path, index: NoteIndex) -> None:
    """Time, size and inode are those of before; it was read a moment after the first save."""
    path = root / "Home/Plan.md"
    info = path.stat()
    with open(path, "r+b") as opened:
        opened.write(path.read_bytes().replace("绿茶".encode(), "红酒".encode()))
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))
    assert path.stat().st_ino == info.st_ino and path.stat().st_size == info.st_size
    index.refresh()
    assert found(index, "红酒") == ["Home/Plan.md"] and found(index, "绿茶") == []


def test_changes_of_every_kind(root: Path, index: NoteIndex) -> None:
    write(root, {"new.md": "aardvark"})
    index.refresh(frozenset({"new.md"}))
    assert found(index, "aardvark") == ["new.md"]
    (root / "new.md").rename(root / "Work/moved.md")
    index.refresh(frozenset({"new.md", "Work/moved.md"}))
    assert found(index, "aardvark") == ["Work/moved.md"]
    (root / "Work").rename(root / "Job")
    index.refresh(frozenset({"Work", "Job"}))
    assert found(index, "aardvark") == ["Job/moved.md"] and found(index, "周会") == ["Job/Plan.md"]
    for path in (root / "Job").iterdir():
        path.unlink()
    (root / "Job").rmdir()
    index.refresh(frozenset({"Job"}))
    assert found(index, "周会") == [] and index.status()["notes"] == 2
    (root / "x.md").mkdir()
    write(root, {"x.md/inner.md": "aardvark"})
    index.refresh(frozenset({"x.md", "nothing/here", "../outside.md", "a\nb", ".obsidian/y.md"}))
    assert found(index, "aardvark") == ["x.md/inner.md"]
    index.refresh()
    assert index.status()["notes"] == 3


def test_a_hit_that_changed_or_went_is_not_told_as_it_was(root: Path, index: NoteIndex) -> None:
    (root / "Home/Plan.md").unlink()
    assert found(index, "绿茶") == []
    write(root, {"Work/Plan.md": "now about aardvarks"})
    assert index.read("Work/Plan.md")["text"] == "1\tnow about aardvarks"
    assert found(index, "aardvark") == ["Work/Plan.md"]


def test_folders_that_are_left_out_later(root: Path, file: Path) -> None:
    out: list[str] = []
    index = NoteIndex(root, file, lambda: tuple(out))
    index.refresh()
    assert found(index, "周会") == ["Work/Plan.md"] and not index.outdated
    out.append("work")
    assert index.outdated and found(index, "周会") == []
    with pytest.raises(NotFound):
        index.read("Work/Plan.md")
    index.refresh()
    assert not index.outdated and listed(index, folder="") == ["Home/Plan.md", "卡片笔记.md"]
    index.close()


def test_a_note_that_cannot_be_read_is_found_by_its_name(root: Path, index: NoteIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    real = index.tree.read

    def denied(raw: str) -> object:
        if raw == "locked.md":
            raise BadInput("locked.md cannot be read: Permission denied")
        return real(raw)

    write(root, {"locked.md": "x"})
    object.__setattr__(index, "tree", _Reading(index.tree, denied))
    index.refresh()
    assert found(index, "locked") == ["locked.md"]
    assert [one["code"] for one in index.problems() if one["path"] == "locked.md"] == ["unreadable"]


class _Reading:
    def __init__(self, tree: object, read: object) -> None:
        self._tree, self.read = tree, read

    def __getattr__(self, name: str) -> object:
        return getattr(self._tree, name)


def test_odd_notes_are_found_and_named(root: Path, index: NoteIndex) -> None:
    write(root, {"open.md": "---\ntitle: x\naardvark", "bad.md": "---\na: [1\n---\naardvark", "template.md": "---\n{{date}}: x\n---\naardvark", "empty.md": "",
                 "nul.md": "aard\0vark aardvark", "Other/Plan.md": "aardvark"})
    (root / "latin.md").write_bytes(b"caf\xe9 aardvark")
    (root / "chinese.md").write_bytes("食蚁兽 aardvark".encode("gb18030"))
    (root / "huge.md").write_text("word " * 900_000 + " aardvark", encoding="utf-8")
    index.refresh()
    every = ["Other/Plan.md", "bad.md", "chinese.md", "latin.md", "nul.md", "open.md", "template.md"]
    assert sorted(found(index, "aardvark", limit=20)) == every
    assert found(index, "食蚁兽") == ["chinese.md"] and found(index, "huge") == ["huge.md"] and found(index, "empty") == ["empty.md"]
    named = {(one["path"], one["code"]) for one in index.problems()}
    assert named == {("open.md", "front_matter_unclosed"), ("bad.md", "front_matter_invalid"), ("template.md", "front_matter_template"), ("nul.md", "nul"),
                     ("latin.md", "not_utf8"), ("chinese.md", "not_utf8"), ("huge.md", "note_large"), ("Home/Plan.md", "duplicate_name")}
    assert index.status()["problems"] == len(index.problems()) and index.faults() == {}
    (root / "bad.md").write_text("mended", encoding="utf-8")
    index.refresh(frozenset({"bad.md"}))
    assert "bad.md" not in {one["path"] for one in index.problems()}


# Its own file

@pytest.mark.parametrize("kind", ["bytes", "foreign", "other_version", "no_tables", "cut", "empty"])
def test_a_file_that_is_no_index_is_set_aside(root: Path, file: Path, kind: str) -> None:
    if kind in ("cut", "other_version", "no_tables"):
        first = NoteIndex(root, file)
        first.refresh()
        first.close()
    if kind == "bytes":
        file.write_bytes(b"no database at all" * 100)
    elif kind == "cut":
        file.write_bytes(file.read_bytes()[:6000])
    elif kind == "empty":
        file.touch()
    else:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute({"foreign": "CREATE TABLE notes (mine)", "other_version": "PRAGMA user_version = 7", "no_tables": "DROP TABLE links"}[kind])
            connection.commit()
    index = NoteIndex(root, file)
    index.refresh()
    assert found(index, "周会") == ["Work/Plan.md"] and index.status()["notes"] == 5
    assert file.with_suffix(".unreadable").exists() == (kind != "empty")
    index.close()


def test_a_file_that_is_damaged_in_its_middle(root: Path, file: Path) -> None:
    """Its beginning is as it should be: only a later question finds out."""
    first = NoteIndex(root, file)
    first.refresh()
    first.close()
    size = file.stat().st_size
    with open(file, "r+b") as broken:
        broken.seek(4096)
        broken.write(b"\xff" * (size - 4096))
    index = NoteIndex(root, file)
    assert found(index, "周会") == ["Work/Plan.md"]  # asked before anything is refreshed
    assert index.status()["setAside"] == 1 and index.status()["notes"] == 5
    index.close()


def test_a_file_that_cannot_be_made_is_a_fault_and_reading_goes_on(root: Path, tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    index = NoteIndex(root, tmp_path / "folder.db")
    with pytest.raises(Busy):
        index.refresh()
    assert list(index.faults()) == ["notes_index"] and index.status() == {"state": "indexing"}
    (tmp_path / "folder.db").rmdir()
    index.refresh()
    assert index.faults() == {} and found(index, "周会")
    index.close()
    with pytest.raises(Busy):
        index.search("周会")
    assert index.file.is_file()



WORKER = """
import sys
from pathlib import Path
from deepseedian.notes.index import NoteIndex
root, file = map(Path, sys.argv[1:])
index = NoteIndex(root, file)
for _ in range(3):
    index.refresh()
    assert index.search("quokka")["total"] == 120, index.search("quokka")["total"]
index.close()
"""


def test_several_processes_and_threads_at_once(root: Path, file: Path) -> None:
    write(root, {f"Many/{number}.md": f"quokka [[{number + 1}]] #t{number}" for number in range(120)})
    workers = [subprocess.Popen([sys.executable, "-c", WORKER, str(root), str(file)]) for _ in range(3)]
    index = NoteIndex(root, file)
    failed: list[BaseException] = []

    def asks() -> None:
        try:
            for number in range(10):
                index.search("quokka")
                index.related(f"Many/{number}.md")
                index.refresh(frozenset({f"Many/{number}.md"}))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=asks) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [worker.wait(60) for worker in workers] == [0, 0, 0] and failed == []
    index.refresh()
    assert index.search("quokka")["total"] == 120 and index.status()["notes"] == 125
    index.close()


def test_work_that_is_ended_goes_on_later(root: Path, file: Path) -> None:
    pieces: list[float] = []
    index = NoteIndex(root, file, pace=lambda seconds: pieces.append(seconds) or False)  # type: ignore[func-returns-value]
    index.refresh()
    assert len(pieces) == 1
    index.pace = lambda seconds: True
    index.refresh(frozenset({"Work/Plan.md"}))  # before everything was seen once, a hint is not enough
    assert index.status()["state"] == "ready" and index.status()["notes"] == 5
    index.close()


FILES = st.dictionaries(st.sampled_from(["a.md", "b.md", "d/a.md", "d/c.md"]), st.text(alphabet=st.sampled_from("ab周会#[]^\n -:|"), max_size=30), max_size=4)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(FILES, min_size=1, max_size=4))
def test_step_by_step_is_as_from_nothing(tmp_path_factory: pytest.TempPathFactory, steps: list[dict[str, str]]) -> None:
    """An index that followed every change, by hints or by looking, says the same as one made at the end."""
    folder = tmp_path_factory.mktemp("steps")
    root = folder / "vault"
    root.mkdir()
    index = NoteIndex(root, folder / "a.db")
    index.refresh()
    for number, files in enumerate(steps):
        before = {path.relative_to(root).as_posix() for path in root.rglob("*.md")}
        for path in before - set(files):
            (root / path).unlink()
        write(root, files)
        index.refresh(frozenset({*before, *files}) if number % 2 else None)
    fresh = NoteIndex(root, folder / "b.db")
    fresh.refresh()
    for one, other in ((index, fresh),):
        assert one.query() == other.query() and one.problems() == other.problems()
        for query in ("周会", "a", "b", "ab"):
            assert one.search(query) == other.search(query)
        for path in steps[-1]:
            assert one.related(path) == other.related(path) and one.metadata(path) == other.metadata(path)
    index.close()
    fresh.close()
