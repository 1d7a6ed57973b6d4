"""One note: its lines, its metadata, what links show, its neighbours. Every answer is bounded."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deepseedian.errors import BadInput, DeepseedianError, NotFound
from deepseedian.notes import paths
from deepseedian.notes.index import NoteIndex

HOME = """---
aliases: [Start]
up: "[[Index]]"
tags: [a, b]
---
# Top
Hello [[Work/Plan|the plan]], [[Plan]], ![[board.canvas]], [[Nothing]], [[#Local part]], [m](Work/Plan.md#Two).

Local part
----------
a paragraph ^para

- one ^one
  - below
- two

### C#
sharp
## Last ##
"""
FILES = {
    "Home.md": HOME, "Index.md": "[[home]] #a", "Plan.md": "---\ntags: a\n---\nroot plan [[Index]]", "Work/Plan.md": "# One\n## Two\ntext two\n# Two\nother two #a #b",
    "Work/Note.md": "[[Plan]] and [x](../Plan.md) #a #c", "Deep/Er/Plan.md": "", "board.canvas": '{"nodes":[{"text":"[[Home]]"}]}', "list.base": "views:\n  - type: table\n",
    "cafe\u0301.md": "decomposed",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = tmp_path / "notes"
    for path, text in FILES.items():
        (found / path).parent.mkdir(parents=True, exist_ok=True)
        (found / path).write_text(text, encoding="utf-8")
    return found


@pytest.fixture
def index(root: Path, tmp_path: Path) -> Iterator[NoteIndex]:
    found = NoteIndex(root, tmp_path / "notes.db")
    found.refresh()
    yield found
    found.close()


# Reading

def test_lines_page_by_page(root: Path, index: NoteIndex) -> None:
    (root / "long.md").write_text("".join(f"line {number}\r\n" for number in range(1, 251)), encoding="utf-8", newline="")
    offset, seen = 1, []
    while offset is not None:
        page = index.read("long.md", offset)
        seen += str(page["text"]).split("\n")
        offset = page["nextOffset"]  # type: ignore[assignment]
    assert seen == [f"{number}\tline {number}" for number in range(1, 251)] and page["lines"] == 250
    assert index.read("long.md", 250)["nextOffset"] is None and index.read("Deep/Er/Plan.md")["text"] == ""
    for wrong in (0, -1, 251):
        with pytest.raises(BadInput):
            index.read("long.md", wrong)


def test_long_lines_end_a_page_early_and_are_cut_alone(root: Path, index: NoteIndex) -> None:
    (root / "wide.md").write_text("\n".join(["x" * 7000] * 4 + ["y" * 50_000, "\x01" * 16_000, "end"]), encoding="utf-8")
    first = index.read("wide.md")
    assert first["nextOffset"] == 3 and paths.size(first) < paths.JSON_LIMIT
    cut = index.read("wide.md", 5)
    assert str(cut["text"]).endswith("…") and cut["nextOffset"] == 6 and 15_000 < len(str(cut["text"])) <= 16_000
    assert paths.size(index.read("wide.md", 6)) < paths.JSON_LIMIT and index.read("wide.md", 7)["text"] == "7\tend"


def test_what_is_there_now_is_read(root: Path, index: NoteIndex) -> None:
    (root / "Home.md").write_text("saved a moment ago", encoding="utf-8")
    assert index.read("Home.md")["text"] == "1\tsaved a moment ago"
    (root / "new.md").write_text("not indexed yet", encoding="utf-8")
    assert index.read("new.md")["lines"] == 1
    (root / "new.md").unlink()
    with pytest.raises(NotFound):
        index.read("new.md")


def test_a_name_that_is_written_another_way(index: NoteIndex) -> None:
    assert index.read("caf\u00e9.md")["path"] == "cafe\u0301.md" and index.read("HOME.md")["path"] == "Home.md"
    with pytest.raises(NotFound) as gone:
        index.read("Elsewhere/Home.md")
    assert "Home.md" in gone.value.hint


def test_raw_files_are_shown_and_not_carried_out(root: Path, index: NoteIndex) -> None:
    assert index.read("board.canvas")["text"] == FILES["board.canvas"] and index.resolve("[[list.base#view]]")["text"] == FILES["list.base"]
    (root / "big.base").write_text('"' * 30_000, encoding="utf-8")
    big = index.read("big.base")
    assert big["truncated"] and len(str(big["text"])) <= 12_000 and paths.size(big) <= paths.JSON_LIMIT
    for ask in (index.metadata, index.related):
        with pytest.raises(BadInput):
            ask("board.canvas")


@pytest.mark.parametrize("path", ["../x.md", "/etc/x.md", "a\\b.md", ".obsidian/a.md", "Home", "Home.txt", "C:x.md", "a\n.md", "", "x" * 1001 + ".md", "\ud800.md"])
def test_bad_paths_are_refused_by_each(index: NoteIndex, path: str) -> None:
    asks: list[Callable[[], object]] = [lambda: index.read(path), lambda: index.metadata(path), lambda: index.related(path)]
    asks += [lambda: index.resolve("[[#Top]]", path)] if path else []
    for ask in asks:
        with pytest.raises(BadInput):
            ask()


# Metadata

def test_metadata(index: NoteIndex) -> None:
    found = index.metadata("Home.md")
    assert found["properties"] == {"aliases": ["Start"], "up": "[[Index]]", "tags": ["a", "b"]} and found["tags"] == ["a", "b"]
    assert [heading["text"] for heading in found["headings"]] == ["Top", "Local part", "C#", "Last"]  # type: ignore[attr-defined,index]
    assert {link["link"]: link["path"] for link in found["links"]} == {  # type: ignore[attr-defined,index]
        "Index": "Index.md", "Work/Plan": "Work/Plan.md", "Plan": "Plan.md", "board.canvas": "board.canvas", "Nothing": None, "Work/Plan.md#Two": "Work/Plan.md"}
    assert found["backlinks"] == [{"path": "Index.md", "line": 1}]
    assert found["totals"] == {"headings": 4, "tags": 2, "links": 6, "backlinks": 1}
    assert [link["path"] for link in index.metadata("Plan.md")["backlinks"]] == ["Home.md", "Work/Note.md"]  # type: ignore[attr-defined,index]
    assert [link["path"] for link in index.metadata("Work/Plan.md")["backlinks"]] == ["Home.md", "Work/Note.md"]  # type: ignore[attr-defined,index]


def test_metadata_is_bounded(root: Path, index: NoteIndex) -> None:
    text = "---\n" + "".join(f"{'k' * 300}{number}: {'v' * 3000}\n" for number in range(15)) + "---\n"
    text += "".join(f"# {'h' * 500} {number}\n[[{'l' * 400}{number}]] #{'t' * 400}{number}\n" for number in range(100))
    (root / "big.md").write_text(text, encoding="utf-8")
    for number in range(40):
        (root / f"back{number:02}.md").write_text("[[big]]", encoding="utf-8")
    index.refresh()
    found = index.metadata("big.md")
    assert paths.size(found) <= paths.JSON_LIMIT and found["truncated"]
    assert found["totals"] == {"headings": 100, "tags": 1, "links": 100, "backlinks": 40}
    small = index.metadata("back00.md")
    assert "truncated" not in small and len(index.metadata("Home.md")["headings"]) == 4  # type: ignore[arg-type]
    (root / "many.md").write_text("".join(f"# h{number}\n[[l{number}]] #t{number}\n" for number in range(100)), encoding="utf-8")
    many = index.metadata("many.md")
    assert [len(many[part]) for part in ("headings", "tags", "links")] == [80, 40, 40]  # type: ignore[arg-type]
    assert len(index.metadata("big.md")["backlinks"]) <= 30  # type: ignore[arg-type]


# Links

@pytest.mark.parametrize(("link", "source", "path", "kind", "begin", "end"), [
    ("[[Home]]", "", "Home.md", "note", 1, 19), ("home", "", "Home.md", "note", 1, 19), ("![[Home#Top|x]]", "", "Home.md", "heading", 6, 19),
    ("[[Home#Local part]]", "", "Home.md", "heading", 9, 18), ("[[Home#local part]]", "", "Home.md", "heading", 9, 18), ("[[#Local part]]", "Home.md", "Home.md", "heading", 9, 18),
    ("[[Home#^para]]", "", "Home.md", "block", 11, 11), ("[[Home#^ONE]]", "", "Home.md", "block", 13, 14), ("[[Home#C#]]", "", "Home.md", "heading", 17, 18),
    ("[[Home#Last]]", "", "Home.md", "heading", 19, 19), ("[[Work/Plan#Two]]", "", "Work/Plan.md", "heading", 2, 3), ("[[Work/Plan#One#Two]]", "", "Work/Plan.md", "heading", 2, 3),
    ("[x](Work/Plan.md#Two)", "", "Work/Plan.md", "heading", 2, 3), ("[x](../Plan.md)", "Work/Note.md", "Plan.md", "note", 1, 4), ("[[Plan]]", "Work/Note.md", "Work/Plan.md", "note", 1, 5),
    ("[[Plan]]", "", "Plan.md", "note", 1, 4), ("[[Plan]]", "Home.md", "Plan.md", "note", 1, 4), ("[[Plan]]", "Deep/Er/Plan.md", "Deep/Er/Plan.md", "note", 1, 1),
    ("[[board.canvas]]", "", "board.canvas", "raw", 1, 1), ("[[#^one]]", "Home.md", "Home.md", "block", 13, 14), ("[[Plan]]", "list.base", "Plan.md", "note", 1, 4),
])
def test_what_a_link_shows(root: Path, index: NoteIndex, link: str, source: str, path: str, kind: str, begin: int, end: int) -> None:
    found = index.resolve(link, source)
    assert (found["path"], found["kind"], found["line"], found["endLine"]) == (path, kind, begin, end)
    assert found["text"] == "\n".join((root / path).read_text(encoding="utf-8").split("\n")[begin - 1: end]) and not found["truncated"]


@pytest.mark.parametrize(("link", "source", "error"), [
    ("[[Nothing]]", "", NotFound), ("[[Home#Nope]]", "", NotFound), ("[[Home#^nope]]", "", NotFound), ("[[Home#Top#Two]]", "", NotFound), ("[[picture.png]]", "", NotFound),
    ("[[../outside]]", "", NotFound), ("[x](../../etc/passwd.md)", "Home.md", NotFound), ("[[#Top]]", "", BadInput), ("[[#Top]]", "Gone.md", NotFound), ("", "", BadInput),
    ("https://x.y", "", BadInput), ("[x](https://x.y)", "", BadInput), ("[[a\\b]]", "", BadInput), ("[[a\0b]]", "", BadInput), ("[[" + "a" * 1300 + "]]", "", BadInput),
    ("[[]]", "", BadInput), ("[[|x]]", "", BadInput), ("[[Home#]]", "", None), ("[[Start]]", "", NotFound), ("[[Home#^]]", "", NotFound), ("\ud800", "", BadInput),
])
def test_a_link_that_leads_nowhere_is_an_error(index: NoteIndex, link: str, source: str, error: type[DeepseedianError] | None) -> None:
    if error is None:
        assert index.resolve(link, source)["kind"] == "note"
        return
    with pytest.raises(error) as refused:
        index.resolve(link, source)
    assert refused.value.hint


def test_what_there_is_instead_is_named(index: NoteIndex) -> None:
    with pytest.raises(NotFound) as gone:
        index.resolve("[[Home#Nope]]")
    assert "Local part" in gone.value.hint
    with pytest.raises(NotFound) as gone:
        index.resolve("[[Home#^nope]]")
    assert "^para" in gone.value.hint


def test_an_excerpt_is_bounded_and_fresh(root: Path, index: NoteIndex) -> None:
    (root / "Home.md").write_text("# New\n" + "\x01" * 9000, encoding="utf-8")
    found = index.resolve("[[Home#New]]")
    assert found["truncated"] and len(str(found["text"])) <= 6000 and paths.size(found) <= paths.JSON_LIMIT


# Neighbours

def test_related(index: NoteIndex) -> None:
    found = {one["path"]: (one["points"], one["reasons"]) for one in index.related("Home.md")["related"]}  # type: ignore[attr-defined,index]
    assert found == {
        "Index.md": (9, ["this note links to it", "it links to this note", "tags in common: a"]), "Work/Plan.md": (6, ["this note links to it", "tags in common: a, b"]),
        "Plan.md": (5, ["this note links to it", "tags in common: a"]), "Work/Note.md": (1, ["tags in common: a"])}
    assert next(one["path"] for one in index.related("Home.md")["related"]) == "Index.md"  # type: ignore[attr-defined,index]


def test_related_shows_the_best_eight(root: Path, index: NoteIndex) -> None:
    for number in range(20):
        (root / f"n{number:02}.md").write_text("#q #r #s #t" if number % 2 else "#q", encoding="utf-8")
    index.refresh()
    found = index.related("n01.md")["related"]
    assert [(one["path"], one["points"]) for one in found] == [(f"n{number:02}.md", 3) for number in range(3, 19, 2)]  # type: ignore[attr-defined,index]


# Together

MARKDOWN = st.lists(st.sampled_from(["[[Home", "]]", "#", "# ", "^a", "---", "\n", "\n\n", "- ", "`", "tags: [", "a: &a [*a]", "\x01", "\\", '"', "x" * 700, "](", "标签"]) | st.text(max_size=8), max_size=60).map("".join)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=MARKDOWN, link=MARKDOWN)
def test_whatever_a_note_holds_answers_are_bounded(root: Path, index: NoteIndex, text: str, link: str) -> None:
    (root / "Any.md").write_text(text.encode("utf-8", "replace").decode(), encoding="utf-8")
    index.refresh(frozenset({"Any.md"}))
    asks: list[Callable[[], dict[str, object]]] = [
        lambda: index.read("Any.md"), lambda: index.metadata("Any.md"), lambda: index.related("Any.md"), lambda: index.resolve("[[Any]]"), lambda: index.resolve(link, "Any.md"),
        lambda: index.search(link), lambda: index.query(query=link, tag=text[:50])]
    for ask in asks:
        try:
            assert paths.size(ask()) <= paths.JSON_LIMIT
        except (BadInput, NotFound):
            continue
    assert index.read("Any.md")["path"] == "Any.md" and "Any.md" in [hit["path"] for hit in index.search("any")["results"]]  # type: ignore[attr-defined,index]


def test_one_changed_note_is_indexed_at_once(root: Path, index: NoteIndex) -> None:
    (root / "Home.md").write_text(HOME + "word 周会 [[Plan]] #tag\n" * 1500, encoding="utf-8")
    begun = time.monotonic()
    index.refresh(frozenset({"Home.md"}))
    assert time.monotonic() < begun + 3  # 60 ms on a quiet machine; `scripts/bench notes` measures
    assert index.search("周会")["total"] == 1
