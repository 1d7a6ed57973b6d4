"""Two real vaults: every note is found by its path and by its text, and every link goes somewhere or says so."""

import os
import random
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepseedian.errors import NotFound
from deepseedian.notes import header, paths
from deepseedian.notes.index import NoteIndex
from tests.conftest import DATA, needs_data

VAULTS = ("knowledge-garden", "kepano")


@pytest.fixture(scope="module", params=VAULTS)
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[NoteIndex]:
    if not DATA:
        pytest.skip("DEEPSEEDIAN_TEST_DATA is not set")
    folder = tmp_path_factory.mktemp(request.param)
    with tarfile.open(Path(DATA) / f"vaults/{request.param}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    root, = [path for path in folder.iterdir() if path.is_dir()]
    found = NoteIndex(root, folder / "notes.db")
    found.refresh()
    yield found
    found.close()


def some(index: NoteIndex, number: int) -> list[str]:
    every = [row[0] for row in index.rows("SELECT path FROM notes WHERE note ORDER BY path")]
    return random.Random(7).sample(every, min(number, len(every)))


@needs_data
def test_every_note_is_there_and_answers(index: NoteIndex) -> None:
    on_disk = {path.relative_to(index.tree.root).as_posix() for path in Path(index.tree.root).rglob("*.md") if "/." not in path.as_posix()}
    assert {row[0] for row in index.rows("SELECT path FROM notes WHERE note")} == on_disk
    assert index.status()["notes"] == len(on_disk) and index.status()["state"] == "ready" and index.faults() == {}
    for path in some(index, 150):
        for found in (index.read(path), index.metadata(path), index.related(path), index.resolve(f"[[/{path}]]")):
            assert found["path"] == path and paths.size(found) <= paths.JSON_LIMIT


@needs_data
def test_notes_are_found_by_name_and_by_text(index: NoteIndex) -> None:
    missed = []
    for path in some(index, 40):
        found = index.search(paths.title(path)[:200], limit=20)
        missed += [path] if path not in [hit["path"] for hit in found["results"]] else []  # type: ignore[attr-defined]
        text = (Path(index.tree.root) / path).read_text(encoding="utf-8", errors="replace").split("\n")
        lines = [line.strip() for line in text[header.read(text).lines:] if len(line.strip()) > 20]
        if lines:
            found = index.search(max(lines, key=len)[:80], limit=20)
            missed += [path] if path not in [hit["path"] for hit in found["results"]] else []  # type: ignore[attr-defined]
    assert missed == []


@needs_data
def test_links_there_and_back(index: NoteIndex) -> None:
    followed = 0
    for path in some(index, 60):
        for link in index.metadata(path)["links"][:5]:  # type: ignore[index]
            if link["path"] is None:
                with pytest.raises(NotFound):
                    index.resolve(f"[[{link['link'].partition('#')[0]}]]", path)
            elif paths.is_note(link["path"]) and link["path"] != path:
                back = index.metadata(link["path"])
                followed += 1
                assert path in [one["path"] for one in back["backlinks"]] or back["totals"]["backlinks"] > 30, (path, link)  # type: ignore[attr-defined,index]
    assert followed > 10


@needs_data
def test_a_second_start_reads_nothing(index: NoteIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    for row in index.rows("SELECT path FROM notes"):
        os.utime(os.path.join(index.tree.root, row[0]), (1_700_000_000, 1_700_000_000))
    index.refresh()
    second = NoteIndex(Path(index.tree.root), index.file)
    monkeypatch.setattr(second, "_source", lambda found: pytest.fail(f"{found.path} was read"))
    begun = time.monotonic()
    second.refresh()
    assert time.monotonic() < begun + 5  # 0.06 s on a quiet machine; `scripts/bench notes` measures
    assert second.query() == index.query()
    second.close()


@needs_data
def test_front_matter_that_is_none_is_reported(index: NoteIndex) -> None:
    templates = [one for one in index.problems() if str(one["code"]).startswith("front_matter")]
    if "kepano" in index.tree.root:
        assert len(templates) == 28
    assert all(index.read(str(one["path"]))["path"] == one["path"] for one in templates)
