"""Which files are notes, and which paths are refused: links, names and encodings of every kind."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepseedian.errors import BadInput, NotFound
from deepseedian.notes import paths
from deepseedian.notes.tree import Tree, decoded, shown


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = tmp_path / "vault"
    for path, text in {"a.md": "a", "Sub/b.md": "b", "Out/c.md": "c", "Memory/topics/t.md": "secret", ".obsidian/x.md": "hidden", "Sub/.trash/d.md": "gone",
                       "e.canvas": "{}", "f.base": "views:", "g.txt": "no", "G.MD": "upper"}.items():
        (found / path).parent.mkdir(parents=True, exist_ok=True)
        (found / path).write_text(text, encoding="utf-8")
    (tmp_path / "outside.md").write_text("outside", encoding="utf-8")
    return found


def tree(root: Path, *excluded: str) -> Tree:
    return Tree(os.path.realpath(root), lambda: excluded)


def unread(found: Tree, path: str) -> bool:
    """Whether nothing is told of what lies there."""
    try:
        return found.read(path) is None
    except (BadInput, NotFound):
        return True


def names(found: Tree) -> list[str]:
    return sorted(one.path for one in found.walk())


def test_what_counts(root: Path) -> None:
    assert names(tree(root, "Memory")) == ["G.MD", "Out/c.md", "Sub/b.md", "a.md", "e.canvas", "f.base"]
    assert names(tree(root, "memory", "Out", "")) == ["G.MD", "Sub/b.md", "a.md", "e.canvas", "f.base"]
    assert [one.path for one in tree(root).walk("Sub")] == ["Sub/b.md"]


@pytest.mark.parametrize("path", [
    "", "/etc/passwd.md", "../outside.md", "Sub/../a.md", "./a.md", "Sub//b.md", "Sub/", ".obsidian/x.md", "Sub/.trash/d.md", "a\\b.md", "C:a.md", "a.md:s.md",
    "a\nb.md", "a\0.md", "a\u2028.md", "\ud800.md", "a.txt", "a", "a.md/", "x" * 1001 + ".md", "a\x85.md", "..md/../a.md"])
def test_paths_against_the_rules(path: str) -> None:
    with pytest.raises(BadInput) as refused:
        paths.checked(path)
    assert refused.value.hint


@settings(max_examples=60)
@given(st.lists(st.sampled_from(["..", ".", "/", "\\", "a", ".md", "~", ":", "%2e", "\0", "Sub", "b"]) | st.text(max_size=3), max_size=8).map("".join))
def test_no_path_reaches_out(path: str) -> None:
    try:
        found = paths.checked(path)
    except BadInput:
        return
    assert not os.path.isabs(found) and os.path.normpath(found) == found and not found.startswith(".")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_lead_to_notes_of_this_vault_only(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (outside / "o.md").write_text("outside", encoding="utf-8")
    for name, target in {"out.md": tmp_path / "outside.md", "folder": outside, "circle": root, "broken.md": root / "nothing.md", "self.md": root / "self.md",
                         "hidden.md": root / ".obsidian/x.md", "memory.md": root / "Memory/topics/t.md", "txt.md": root / "g.txt", "good.md": root / "Sub/b.md",
                         "Sub/up": Path("..")}.items():
        (root / name).symlink_to(target)
    found = tree(root, "Memory")
    assert names(found) == ["G.MD", "Out/c.md", "Sub/b.md", "a.md", "e.canvas", "f.base", "good.md"]
    assert sorted((one.path, one.code) for one in found.problems) == sorted([
        *((f"{name}.md", "link_outside") for name in ("out", "broken", "self", "hidden", "memory", "txt")), *((name, "linked_folder") for name in ("folder", "circle", "Sub/up"))])
    source = found.read("good.md")
    assert source is not None and source.text == "b"
    for path in ("out.md", "folder/o.md", "memory.md", "Memory/topics/t.md", "hidden.md", "circle/Memory/topics/t.md", "txt.md", "MEMORY/topics/t.md"):
        assert unread(found, path), path
    (root / "file.md").mkdir()
    os.mkfifo(root / "pipe.md")
    assert found.read("pipe.md") is found.read("file.md") is found.read("no.md") is found.read("a.md/x.md") is None
    assert names(found) == ["G.MD", "Out/c.md", "Sub/b.md", "a.md", "e.canvas", "f.base", "good.md"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_step_that_becomes_a_link_is_not_followed(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the check of a path and its opening a folder is exchanged for a link out of the vault."""
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil/b.md").write_text("evil", encoding="utf-8")
    found, real = tree(root), os.path.realpath

    def swapped(path: str) -> str:
        answer = real(path)
        if (root / "Sub").is_dir() and not (root / "Sub").is_symlink():
            (root / "Sub").rename(root / "Moved")
            (root / "Sub").symlink_to(tmp_path / "evil")
        return answer

    monkeypatch.setattr("deepseedian.notes.tree.os.path.realpath", swapped)
    assert unread(found, "Sub/b.md") and (root / "Sub").is_symlink()


@pytest.mark.parametrize(("data", "text", "code"), [
    ("周会".encode(), "周会", ""), (b"\xef\xbb\xbfa", "a", ""), ("周会改到周五，下午三点".encode("gb18030"), "周会改到周五，下午三点", "not_utf8"),
    ("周会".encode("utf-16"), "周会", "not_utf8"), (b"caf\xe9 zebra", "caf\ufffd zebra", "not_utf8"), (b"a\0b", "a\0b", "nul"), (b"", "", ""), (b"\xff\xfe\x00", "\ufffd", "not_utf8"),
])
def test_texts_of_every_encoding(data: bytes, text: str, code: str) -> None:
    found, faults = decoded(data)
    assert found == text and [one for one, _ in faults] == ([code] if code else [])


@given(st.binary(max_size=200))
def test_any_bytes_are_a_text(data: bytes) -> None:
    decoded(data)[0].encode()


def test_names_of_every_kind(root: Path) -> None:
    try:
        for name in ("new\nline.md", "a:b.md", "back\\slash.md", "🍀 花园.md", "cafe\u0301.md"):
            (root / name).write_text(name, encoding="utf-8")
        with open(os.fsencode(root) + b"/raw\xe9.md", "wb") as file:
            file.write(b"raw")
    except OSError:
        pytest.skip("this file system refuses such names")
    found = tree(root)
    every = {one.path: one for one in found.walk()}
    assert {"new\nline.md", "a:b.md", "back\\slash.md", "🍀 花园.md", "cafe\u0301.md", "raw\\xe9.md"} <= set(every)
    assert {one.path for one in found.problems if one.code == "name_not_allowed"} == {"new\nline.md", "a:b.md", "back\\slash.md", "raw\\xe9.md"}
    source = found.read(every["raw\\xe9.md"].raw)
    assert source is not None and source.text == "raw" and shown(every["raw\\xe9.md"].raw) == "raw\\xe9.md"


def test_line_ends_do_not_change_the_revision(root: Path) -> None:
    found = tree(root)
    revisions = []
    for data in (b"a\nb\n", b"a\r\nb\r\n", b"a\rb\r", b"a\nc\n"):
        (root / "a.md").write_bytes(data)
        source = found.read("a.md")
        assert source is not None
        revisions.append(source.revision)
        assert len(source.lines) == 2
    assert len(set(revisions[:3])) == 1 and revisions[3] != revisions[0]
