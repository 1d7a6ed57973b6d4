import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseedian.core import markup
from deepseedian.core.markup import scan
from deepseedian.errors import BadText, DeepseedianError
from tests.samples import FIXTURE_3, entry_id, marker

A, B, C = marker("a"), marker("b"), marker("c")


def texts(data: str | bytes) -> list[str]:
    raw = data.encode() if isinstance(data, str) else data
    return [block.entry.text for block in scan(raw, "topics/general.md").blocks]


def codes(data: str) -> list[str]:
    return [problem.code for problem in scan(data.encode(), "topics/general.md").problems]


def test_entries_without_closing_markers_run_to_the_next_marker() -> None:
    assert texts(FIXTURE_3) == ["回答里的英文缩写第一次出现时写出全称。", "Two-space indent, no tabs.", "Release on Thursdays only."]


def test_both_families_and_closing_markers_mix() -> None:
    text = f"# 本库记忆\n\n{A}\none\n\ntwo\n<!-- /deepseedian-entry -->\n\n{B.replace('deepseedian', 'deepsidian')}\nthree\n"
    assert texts(text) == ["one\n\ntwo", "three"]
    assert texts(text + "<!-- /deepsidian-entry -->\n") == ["one\n\ntwo", "three"]


def test_windows_line_ends_and_a_byte_order_mark() -> None:
    data = f"\ufeff{A}\r\none\r\ntwo\r\n<!-- /deepseedian-entry -->\r\n\r\n{B}\r\nthree\r\n\r\n".encode()
    assert texts(data) == ["one\r\ntwo", "three"]


@pytest.mark.parametrize("opening", [
    '<!-- deepseedian-entry {"id":"A"} -- >', '<!-- deepseedian-entry {"id":"A"} --!>', '<!-- deepseedian-entry {"id":"A"}',
    "<!-->", "<!--->", f"```\n{A}\n```", f"    {A}", f"> {A}", "<div>", f"```md\n{A}\ntext\n````",
])
def test_malformed_and_quoted_markers_cost_nothing_else(opening: str) -> None:
    assert texts(f"{opening}\n\n{B}\ntext b") == ["text b"]


@pytest.mark.parametrize("opening", ['<!-- deepseedian-entry {"id":"A"} -- >', '<!-- deepseedian-entry {} -->', "<!-- deepseedian-entry x -->"])
def test_malformed_markers_are_reported(opening: str) -> None:
    problems = scan(f"intro\n{opening}\ntext\n{B}\nb".encode(), "topics/x.md").problems
    assert [(problem.file, problem.line) for problem in problems] == [("topics/x.md", 2)]


def test_an_open_fence_makes_code_of_what_follows_and_is_reported() -> None:
    assert texts(f"~~~\n\n{B}\ntext b") == []
    assert codes(f"~~~\n\n{B}\ntext b") == ["open_fence"]


def test_a_closing_marker_ends_an_entry_inside_an_unclosed_fence() -> None:
    text = f"{A}\n```py\nx = 1\n<!-- /deepseedian-entry -->\n\n{B}\ntext b\n<!-- /deepseedian-entry -->\n"
    assert texts(text) == ["```py\nx = 1", "text b"]


def test_a_closing_marker_quoted_in_a_closed_fence_is_text() -> None:
    body = "see:\n```\n<!-- /deepseedian-entry -->\n```\nend"
    assert texts(f"{A}\n{body}\n<!-- /deepseedian-entry -->\n\n{B}\nb") == [body, "b"]


def test_an_unclosed_fence_is_not_closed_by_the_next_entrys_fence() -> None:
    text = f"{A}\n```\nopen\n<!-- /deepseedian-entry -->\n\n{B}\n```\ncode\n```\n<!-- /deepseedian-entry -->\n"
    assert texts(text) == ["```\nopen", "```\ncode\n```"]


def test_double_keys_nan_and_bad_ids_are_no_entries() -> None:
    for meta in ('{"id":"%s","id":"x"}', '{"id":"%s","n":NaN}', '{"id":"short"}', '{"id":5}', "[]", "{" * 500):
        text = meta % entry_id("a") if "%s" in meta else meta
        assert texts(f"<!-- deepseedian-entry {text} -->\nx") == []


def test_invalid_utf8_in_one_entry_leaves_the_others() -> None:
    data = f"{A}\n".encode() + b"\xff\xfe bad\n\n" + f"{B}\ngood\n".encode()
    found = scan(data, "topics/x.md")
    assert [block.entry.text for block in found.blocks] == ["good"]
    assert [problem.code for problem in found.problems] == ["bad_entry"]


def test_a_cut_marker_is_torn() -> None:
    assert scan(FIXTURE_3.encode()[:-60], "x").torn
    assert scan(b"text\n<!-- deepse", "x").torn
    assert not scan(FIXTURE_3.encode(), "x").torn


def test_front_matter_with_a_fence_hides_nothing() -> None:
    assert texts(f"---\na: |\n  ~~~\n---\n{A}\ntext") == ["text"]


@pytest.mark.parametrize("text", ["", " \n\t", "x" * 2001, "a\0b", "a\x1bb", "a\rb", "end\r", "a\u2028b", "a\ud800b", "a\x85b",
                                  f"quote\n{A}", "<!--  /deepsidian-entry -->", "<!-- deepseedian-proposal {} -->"])
def test_texts_that_cannot_be_stored_are_refused(text: str) -> None:
    with pytest.raises(BadText):
        markup.check_text(text)


def storable(text: str) -> bool:
    try:
        markup.check_text(text)
    except BadText:
        return False
    return True


pieces = st.sampled_from(["```", "~~~~", "---", "<!--", "-->", A, "<!-- /deepseedian-entry -->", "# h", "- x", "\n", "\n\n", "  ",
                          "\r\n", "中文", "🙂", "\t", "a", "\ufeff", ">"])
entry_texts = st.one_of(st.text(max_size=60), st.lists(pieces, max_size=8).map("".join)).filter(storable)


@given(st.lists(entry_texts, min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"]), st.sampled_from(markup.FAMILIES))
def test_what_is_written_is_read_back_identical(found: list[str], newline: str, family: str) -> None:
    blocks = [markup.encode({"id": entry_id(str(number)), "createdAt": "t", "source": "s --> \\ \" </script> \u2028"}, text,
                            family=family, newline=newline) for number, text in enumerate(found)]
    data = newline.encode().join(blocks)
    read = scan(data, "topics/x.md")
    assert [block.entry.text for block in read.blocks] == found
    assert not read.problems
    assert b"".join(data[block.start: block.end] for block in read.blocks) == b"".join(blocks)
    assert all(block.entry.meta["source"] == "s --> \\ \" </script> \u2028" for block in read.blocks)


@given(st.one_of(st.binary(max_size=300), st.lists(st.one_of(pieces.map(str.encode), st.binary(max_size=6)), max_size=12).map(b"".join)))
def test_arbitrary_bytes_never_raise_and_blocks_lie_in_order(data: bytes) -> None:
    try:
        found = scan(data, "topics/x.md")
    except DeepseedianError:
        return
    at = 0
    for block in found.blocks:
        assert at <= block.start <= block.meta <= block.meta_end <= block.text <= block.text_end <= block.end <= len(data)
        assert block.entry.text.encode() == data[block.text: block.text_end]
        at = block.end
    assert 0 <= found.room <= len(data)


CLOSE = "<!-- /deepseedian-entry -->"
lines = st.sampled_from(["---", "```", "~~~", "~~~~py", A, B, C, CLOSE, CLOSE.replace("deepseedian", "deepsidian"), "text", "",
                         f"{A}\nsaid\n{CLOSE}", f"{B}\nsaid\n{CLOSE}", "<!-- deepseedian-entry {}", "\ufeff" + A])
files = st.builds(lambda found, newline, last: newline.join([*found, *last]).encode(), st.lists(lines, max_size=14),
                  st.sampled_from(["\n", "\r\n"]), st.sampled_from([[], [""]]))


@given(files, st.lists(st.tuples(st.integers(0, 400), st.integers(0, 60), files), min_size=1, max_size=5))
def test_the_next_version_of_a_file_is_read_as_if_there_had_been_none_before(data: bytes, edits: list[tuple[int, int, bytes]]) -> None:
    markup.clear()
    scan(data, "topics/x.md")
    for at, length, new in edits:
        at = min(at, len(data))
        data = data[:at] + new + data[at + length:]
        known = scan(data, "topics/x.md")
        assert known == markup._Scanner(data, "topics/x.md").run()


@pytest.mark.parametrize(("first", "after"), [
    (f"---\n```\n{A}\na\n{CLOSE}\n```\n{B}\nb\n{CLOSE}\n", f"---\n```\n{A}\na\n{CLOSE}\n```\n{B}\nb\n{CLOSE}\n---\n"),
    (f"{A}\n```\n{CLOSE}\n", f"{A}\n```\n{CLOSE}\n```\n{CLOSE}\n"),
    (f"{A}\na\n{CLOSE}", f"{A}\na\n{CLOSE} and more\n{CLOSE}\n"),
    (f"{A}\na\n{CLOSE}\n```", f"{A}\na\n{CLOSE}\n```\n\n{B}\nb\n{CLOSE}\n"),
    (f"{A}\na\n{CLOSE}\n{A}\n\n{CLOSE}\n{CLOSE}\n", f"{A}\na\n{CLOSE}\n{A}\n\n{CLOSE}\n{CLOSE}\n{B}\nb\n{CLOSE}\n"),
], ids=["front matter ends late", "a quoted marker", "a line goes on", "behind an open fence", "problems before"])
def test_what_follows_may_change_what_stood_before(first: str, after: str) -> None:
    markup.clear()
    scan(first.encode(), "topics/x.md")
    assert scan(after.encode(), "topics/x.md") == markup._Scanner(after.encode(), "topics/x.md").run()


def test_only_what_changed_in_a_file_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [markup.encode({"id": entry_id(f"{number:x}"), "createdAt": "t", "source": "s"}, f"text {number}") for number in range(12)]
    markup.clear()
    before = scan(b"\n".join(blocks[:11]), "topics/x.md").blocks
    looked: list[bytes] = []
    monkeypatch.setattr(markup, "_entry", lambda meta, body, path: looked.append(body) or before[0].entry)
    after = scan(b"\n".join(blocks), "topics/x.md").blocks
    assert looked == [b"text 11"] and all(old.entry is new.entry for old, new in zip(before, after, strict=False))
    scan(b"\n".join(blocks), "topics/y.md")
    assert len(looked) == 13  # another file is another matter: its entries say where they are


def test_hostile_sizes_are_read_to_the_end() -> None:
    for data, entries, problems in ((b"<!-- deepseedian-entry {" * 20_000, 0, 1), (b"```\n" * 50_001, 0, 1),
                                    (b"<!-- deepseedian-entry x -->\n" * 20_000, 0, 20_000), (b"\n" * 500_000, 0, 0),
                                    ((A + "\n```\n<!-- /deepseedian-entry -->\n").encode() * 5_000, 5_000, 0)):
        found = scan(data, "x")
        assert (len(found.blocks), len(found.problems)) == (entries, problems)


def test_metadata_never_ends_its_comment() -> None:
    raw = markup.encode({"id": entry_id("a"), "source": "a --> b ---- c > d"}, "x").decode().splitlines()[0]
    assert raw.count("-->") == 1
    assert json.loads(raw[len("<!-- deepseedian-entry "): -len(" -->")])["source"] == "a --> b ---- c > d"
