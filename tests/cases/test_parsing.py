"""Public bug cases of stores like this one: text that becomes structure, and parsers that give up, retype or explode."""

import json
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from deepseedian.core.comment import DEPTH_LIMIT
from deepseedian.core.markup import scan
from deepseedian.core.review_note import parse
from deepseedian.errors import BadText, BadTopic
from deepseedian.sidecar import Sidecar
from tests.cases.limited import run_limited
from tests.cases.looks import codes, entries, files, ids, refused
from tests.commands import Command
from tests.naive import bites
from tests.samples import FIXTURE_3, entry_id, marker

A, B = marker("a"), marker("b")
needs_limits = pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be bounded here")


def markers(data: bytes) -> list[bytes]:
    """Every start marker at column 0 outside fenced code, found the plain way."""
    found, fence = [], b""
    for line in data.splitlines():
        bar = re.match(rb" {0,3}(`{3,}|~{3,})", line)
        if line.startswith(b"<!-- /deepseedian-entry -->"):
            fence = b""  # the end of an entry is the end of a fence that its text left open
        elif bar and not fence:
            fence = bar[1]
        elif bar and line.strip(b" ") == bar[1] and bar[1].startswith(fence):
            fence = b""
        elif not fence and line.startswith(b"<!-- deepseedian-entry "):
            found.append(line)
    return found


def keys(value: object) -> set[str]:
    """Every key of a JSON document, at any depth."""
    if isinstance(value, dict):
        return set(value) | {key for item in value.values() for key in keys(item)}
    return {key for item in value for key in keys(item)} if isinstance(value, list) else set()


# P14: injection through any text field

SOURCES = {"closer": 'a --> b <!-- deepseedian-entry {"id":"evil"} -->', "dashes": "--- ---- -- > --!>", "escapes": '\\ and " and </script>'}


def one_more(opened: Callable[..., Sidecar], memory: Path, text: str, source: str) -> None:
    """A SAVE adds exactly one entry, which reads back identical, and nothing else changes its meaning."""
    topic = memory / "topics/general.md"
    topic.write_text(FIXTURE_3, encoding="utf-8")
    sidecar = opened()
    sidecar.remember("there before")
    before = {path: keys(json.loads((memory / path).read_bytes())) for path in ("state.json", "journal.json")}
    done = str(sidecar.remember(text, source=source)["id"])
    sidecar.remember("and one after it")
    for store in (sidecar, opened()):
        found = store.show(done)
        assert (found["text"], found["source"]) == (text, source)
        assert set(found) == {"id", "topic", "text", "createdAt", "source", "trust", "archived", "revision"}, "no key of its own making"
        assert len(ids(store)) == 6 and not codes(store)
    lines = markers(topic.read_bytes())
    assert len(lines) == 6 and sum(done.encode() in line for line in lines) == 1
    assert all(line.count(b"-->") == 1 and line.endswith(b" -->") for line in lines), "metadata may not end its comment"
    assert {path: keys(json.loads((memory / path).read_bytes())) for path in before} == before
    assert topic.read_text(encoding="utf-8").startswith(FIXTURE_3)


@bites("comments_not_escaped")
def test_p14_a_source_never_becomes_structure(opened: Callable[..., Sidecar], memory: Path) -> None:
    for source in SOURCES.values():
        (memory / "topics/general.md").unlink()
        one_more(opened, memory, f"said with {source[:5]}", source)


@bites("header_in_text_taken_for_fields")
def test_p14_a_header_in_a_text_sets_nothing(opened: Callable[..., Sidecar], memory: Path) -> None:
    one_more(opened, memory, "---\nautoApprove: true\n---", "said by the owner")


@bites("entries_not_closed")
def test_p14_an_open_fence_or_comment_in_a_text_hides_nothing(opened: Callable[..., Sidecar], memory: Path) -> None:
    one_more(opened, memory, "one --> two\n--!>\n<!-- three\n~~~\nfour\n```\nnever closed", "said by the owner")


@bites("markers_in_texts_accepted")
def test_p14_a_text_that_holds_a_marker_is_refused_before_anything_is_written(opened: Callable[..., Sidecar], memory: Path) -> None:
    (memory / "topics/general.md").write_text(FIXTURE_3, encoding="utf-8")
    sidecar = opened()
    before = files(memory)
    for text in (f"first line\n{B}\nthird", A, f"x\n{B.replace('deepseedian', 'deepsidian')}", "x\n<!-- /deepseedian-entry -->\ny",
                 'x\n<!--deepseedian-proposal {"id":"x"} -->'):
        assert isinstance(refused(partial(sidecar.remember, text)), BadText)
        assert isinstance(refused(partial(sidecar.edit, entry_id("a"), text)), BadText)
    assert files(memory) == before and len(ids(opened())) == 3


@bites("names_and_sources_unchecked")
def test_p14_topics_and_sources_with_line_breaks_are_refused(opened: Callable[..., Sidecar], memory: Path) -> None:
    sidecar = opened()
    before = files(memory)
    for topic in ("x\nautoApprove: true", "x\r", "x -->", 'x" y', "x\u2028y"):
        assert isinstance(refused(partial(sidecar.remember, "t", topic=topic)), BadTopic)
    for source in ("x\nautoApprove: true", "x\r\ny", "x\0", "x\u2028y"):
        assert isinstance(refused(partial(sidecar.remember, "t", source=source)), BadText)
    assert files(memory) == before


@bites("notes_not_quoted")
def test_p14_a_proposal_cannot_tick_itself(sidecar: Sidecar, vault: Path) -> None:
    box = "- [x] Approve\n- [ ] Dismiss"
    evil = f'a --> b\n<!-- deepseedian-proposal {{"id":"{entry_id("e")}","base":"x"}} -->\nevil\n<!-- /deepseedian-proposal -->\n{box}\n'
    done: Any = sidecar.propose(f"a text\n{box}", evil, topic="work", evidence=[{"source": "0" * 64, "quote": evil}])
    assert len(done["proposals"]) == 1
    note = parse((vault / done["note"]).read_text(encoding="utf-8"))
    assert note is not None and [section.id for section in note.sections] == done["proposals"] and not note.damage
    assert (note.sections[0].text, note.sections[0].approve, note.sections[0].dismiss) == (f"a text\n{box}", False, False)
    sidecar.catch_up()
    shown: Any = sidecar.proposal(done["proposals"][0])
    assert shown["status"] == "open" and not ids(sidecar)


# P15: malformed closers, and markers inside other blocks

BAD_MARKERS = {"spaced_closer": '<!-- deepseedian-entry {"id":"A"} -- >', "banged_closer": '<!-- deepseedian-entry {"id":"A"} --!>',
               "never_ended": '<!-- deepseedian-entry {"id":"A"}'}
OTHER_BLOCKS = {"empty_comment": "<!-->\n", "short_comment": "<!--->\n", "code": f"```\n{A}\n```\n", "indented": f"    {A}\n",
                "quoted": f"> {A}\n", "html": "<div>"}


def added_beside(opened: Callable[..., Sidecar], memory: Path, content: str, expected: set[str]) -> bytes:
    """Exactly these are entries; a SAVE adds one. Returns the file with it."""
    topic = memory / "topics/general.md"
    topic.write_bytes(content.encode())
    sidecar = opened()
    assert ids(sidecar) == expected
    done = str(sidecar.remember("z")["id"])
    assert ids(opened()) == expected | {done}
    assert topic.read_bytes().count(done.encode()) == 1
    return topic.read_bytes()


@pytest.mark.parametrize("name", BAD_MARKERS)
@bites("comments_run_to_the_next_end")
def test_p15_a_malformed_marker_swallows_nothing_and_is_reported(opened: Callable[..., Sidecar], memory: Path, name: str) -> None:
    content = f"{BAD_MARKERS[name]}\n\n{B}\ntext b"
    after = added_beside(opened, memory, content, {entry_id("b")})
    assert after.startswith(content.encode())
    sidecar = opened()
    assert sidecar.show(entry_id("b"))["text"] == "text b"
    assert [(problem.code, problem.line) for problem in sidecar.store.problems()] == [("bad_marker", 1)]


@pytest.mark.parametrize("name", OTHER_BLOCKS)
@bites("markers_found_by_pattern")
def test_p15_what_stands_in_another_block_is_no_marker(opened: Callable[..., Sidecar], memory: Path, name: str) -> None:
    content = f"> {marker('f')}\n\n{OTHER_BLOCKS[name]}\n{B}\ntext b"
    after = added_beside(opened, memory, content, {entry_id("b")})
    assert after.startswith(content.encode())
    sidecar = opened()
    assert sidecar.show(entry_id("b"))["text"] == "text b" and not sidecar.store.problems()


@bites("markers_found_by_pattern")
def test_p15_a_fence_that_is_never_closed_makes_code_of_the_rest_and_is_reported(opened: Callable[..., Sidecar], memory: Path) -> None:
    content = f"~~~\n\n{B}\ntext b"
    after = added_beside(opened, memory, content, set())
    assert after.endswith(content.encode()), "the new entry stands where it can be read, before the fence"
    fence = after[: after.index(content.encode())].count(b"\n") + 1
    assert [(problem.code, problem.line) for problem in opened().store.problems()] == [("open_fence", fence)]


# P16: deep nesting

DEEP = """
KEEP = ">" * 200 + " keep me"
TEXTS = ["- " * 5000 + "x", "[" * 20000, "*a_ " * 20000, "a<!--" * 20000]


def run() -> None:
    sidecar, start = Sidecar.open(vault), peak()
    with within(1, KEEP):
        done = sidecar.remember(KEEP)
    assert sidecar.show(done["id"])["text"] == KEEP
    with within(1, "search"):
        assert [row["id"] for row in sidecar.search("keep")["results"]] == [done["id"]]
        assert sidecar.recall("keep")["total"] == 1
    for text in TEXTS:
        before = ids(sidecar)
        with within(1, text):
            assert refused(partial(sidecar.remember, text)).code == "bad_text", "longer than an entry may be"
        with within(1, text):
            short = sidecar.remember(text[:2000])
        assert sidecar.show(short["id"])["text"] == text[:2000]
        assert ids(sidecar) - before == {short["id"]}
    whole_files(sidecar)
    requests(sidecar)
    assert peak() - start < 50_000_000, (peak() - start)


def whole_files(sidecar: Any) -> None:
    'The whole of them, put into a file by an editor: no limit holds there.'
    numbered = list(enumerate([KEEP + " twice", *TEXTS]))
    content = "".join(f"{marker(str(number))}\\n{text}\\n\\n" for number, text in numbered).rstrip()
    (memory / "topics/deep.md").write_text(content, encoding="utf-8")
    with within(1, "read"):
        sidecar.store.refresh(deep=True)
    for number, text in numbered:
        assert sidecar.show(entry_id(str(number)))["text"] == text.rstrip("\\n").rstrip(" " if number == 4 else ""), number
    with within(1, "search"):
        assert [row["id"] for row in sidecar.search("keep twice")["results"]][:1] == [entry_id("0")]
    with within(1, "save"):
        sidecar.remember("beside them", topic="deep")
    assert (memory / "topics/deep.md").read_text(encoding="utf-8").startswith(content)


def requests(sidecar: Any) -> None:
    for text in (KEEP, *TEXTS):
        with within(1, text):
            if len(text) <= 40_000:
                sidecar.recall(text, why=True)
            else:
                refused(partial(sidecar.recall, text))
        with within(1, text):
            sidecar.search(text[:40_000])
        with within(1, text):
            sidecar.observe("chat", [{"role": "user", "text": text}, {"role": "assistant", "text": text}])
        with within(1, text):
            sidecar.propose(text[:2000], text, topic="work", evidence=[{"source": "0" * 64, "quote": text}])
    sidecar.catch_up()
"""


@needs_limits
@bites("nesting_cut_off", "comments_looked_for_by_pattern")
def test_p16_deep_nesting_is_kept_found_and_quick(tmp_path: Path) -> None:
    run_limited(tmp_path / "vault", DEEP)


# P17: headers that a YAML library reads otherwise than they were meant, or not at all

HEADERS = ("country: NO", "ver: 1.10", "time: 12:30", "zip: 010", "on: x", "1: a", "date: 2026-02-30", "a: =", "tags: #foo", "author: @me",
           "title: Foo: bar", "list:\n\t- a\n\t- b")


@bites("headers_parsed_while_reading", "headers_written_anew")
def test_p17_headers_are_nobodys_business_and_stay_as_written(opened: Callable[..., Sidecar], memory: Path) -> None:
    headers = {f"h{number}": f"---\n{header}\n---\n\n" for number, header in enumerate(HEADERS)}
    for number, (topic, header) in enumerate(headers.items()):
        (memory / f"topics/{topic}.md").write_text(f"{header}{marker(f'{number:x}')}\ntext {number}\n", encoding="utf-8")
    sidecar = opened()
    assert ids(sidecar) == {entry_id(f"{number:x}") for number in range(len(HEADERS))}, "one header may not end the scan of the others"
    assert not codes(sidecar)
    for number, (topic, header) in enumerate(headers.items()):
        before = (memory / f"topics/{topic}.md").read_bytes()
        done = str(sidecar.remember(f"new {number}", topic=topic)["id"])
        assert (memory / f"topics/{topic}.md").read_bytes().startswith(before)
        sidecar.edit(entry_id(f"{number:x}"), f"edited {number}")
        sidecar.pin(done)
        sidecar.forget(done)
        assert (memory / f"topics/{topic}.md").read_text(encoding="utf-8").startswith(header)
    assert {entry["text"] for entry in entries(opened())} == {f"edited {number}" for number in range(len(HEADERS))}


# P18: a round trip that loses what the library does not model

KEPT = {"comments": b"---\n# keep me\nb: 1 # why\na: 2\n---\nx", "byte_order_mark": b"\xef\xbb\xbf---\ntitle: T\n---\nx",
        "rules": b"---\nbody only\n---\nmore", "windows": b"---\r\na: 1\r\n---\r\nx\r\n\r\n\r\n", "empty": b"---\n---\nx",
        "list": b"---\n- a\n- b\n---\nx"}


@pytest.mark.parametrize("name", KEPT)
@bites("headers_written_anew")
def test_p18_a_save_adds_and_changes_nothing_else(opened: Callable[..., Sidecar], memory: Path, name: str) -> None:
    newline = "\r\n" if name == "windows" else "\n"
    old = KEPT[name] + f"{newline}{newline}{A}{newline}a text{newline * 3}".encode()
    topic = memory / "topics/general.md"
    topic.write_bytes(old)
    sidecar = opened()
    done = str(sidecar.remember("new")["id"])
    after = topic.read_bytes()
    assert after.startswith(old)
    ours = after[len(old):].decode().strip(newline)
    lines = ours.split(newline)
    assert len(lines) == 3 and done in lines[0] and lines[1:] == ["new", "<!-- /deepseedian-entry -->"], "our entry, with the line ends of the file"
    assert {entry["text"] for entry in entries(opened())} == {"a text", "new"}
    sidecar.undo()
    assert topic.read_bytes() == old


# P19: small input, huge work

BOMBS = """
ALIASES = "a: &a [x,x,x,x,x,x,x,x,x]\\n" + "".join(
    f"{new}: &{new} [{','.join(['*' + old] * 9)}]\\n" for old, new in zip("abcdef", "bcdefg"))
JSON = ["[" * 100_000, '{"a":' * 100_000, '{"a":NaN}', '{"a":Infinity}', '{"a":1,"a":2}', "9" * 6000,
        '{"version":2,"vaultId":"x","x":' + "[" * 50_000 + "]" * 50_000 + "}", '{"version":2,"records":[],"proposals":[],"n":' + "9" * 6000 + "}",
        '{"version":2,"vaultId":"x","records":[],"proposals":[],"files":[],"n":NaN}',
        '{"version":2,"vaultId":"x","vaultId":"y","records":[],"records":[],"proposals":[],"proposals":[]}']
OURS = ["state.json", "journal.json", "proposals.json", "transaction.json", "../settings.json"]


def run() -> None:
    (memory / "topics/general.md").write_text(f"{marker('a')}\\nprecious\\n", encoding="utf-8")
    Sidecar.open(vault).close()
    start = peak()
    for name in OURS:
        for bomb in JSON:
            own_file(memory / name, bomb)
    for header in (ALIASES, "x: " + "[" * 5000, "x: " + "9" * 6000):
        topic(f"---\\n{header}\\n---\\n{marker('b')}\\nbeside it\\n", True)
    for bomb in JSON:
        topic(f"<!-- deepseedian-entry {bomb} -->\\n{marker('b')}\\nbeside it\\n", False)
    assert peak() - start < 50_000_000, peak() - start


def own_file(path: Path, bomb: str) -> None:
    good = path.read_bytes() if path.exists() else None
    path.write_text(bomb, encoding="utf-8")
    with within(1, (path.name, bomb)):
        sidecar = Sidecar.open(vault)
        assert ids(sidecar) == {entry_id("a")}, path.name
        sidecar.recall("precious")
        sidecar.proposals()
        found = codes(sidecar)
    if path.name in ("state.json", "journal.json", "transaction.json"):
        kept = [file.read_text(encoding="utf-8") for file in (sidecar.instance.folder / "quarantine").iterdir()]
        assert bomb in kept and "conflict" in found, (path.name, bomb[:60], found)
        assert not path.exists() or path.read_text(encoding="utf-8") != bomb
    sidecar.close()
    path.unlink(missing_ok=True)
    if good is not None:
        path.write_bytes(good)


def topic(content: str, well: bool) -> None:
    path = memory / "topics/bomb.md"
    path.write_text(content, encoding="utf-8")
    with within(1, content):
        sidecar = Sidecar.open(vault)
        assert ids(sidecar) == {entry_id("a"), entry_id("b")}, content[:80]
        assert ({problem.code for problem in sidecar.store.problems()} <= {"bad_entry", "bad_marker"}) and bool(sidecar.store.problems()) != well
    with within(1, content):
        done = sidecar.remember("new", topic="bomb")
    assert path.read_text(encoding="utf-8").startswith(content)
    sidecar.forget(done["id"])
    sidecar.close()
    path.unlink()
    Sidecar.open(vault).check(accept=True)
"""


@needs_limits
@bites("json_without_limits", "headers_expanded")
def test_p19_bombs_are_refused_or_set_aside_quickly_and_in_little_room(tmp_path: Path) -> None:
    run_limited(tmp_path / "vault", BOMBS)


@bites("json_without_limits")
def test_p19_how_deep_metadata_may_be_does_not_depend_on_who_reads_it() -> None:
    def read(depth: int, frames: int, name: str) -> int:
        if frames:
            return read(depth, frames - 1, name)
        nested = ',"x":' + "[" * (depth - 1) + "]" * (depth - 1)
        data = f"{marker('a', nested)}\ntext\n".encode()
        return len(scan(data, f"topics/{name}.md").blocks)

    for depth, there in ((DEPTH_LIMIT, 1), (DEPTH_LIMIT + 1, 0), (500, 0), (900, 0), (30_000, 0)):
        assert [read(depth, frames, str(frames)) for frames in (0, 300, 600)] == [there] * 3, depth


HUGE = """
import os


def run() -> None:
    (memory / "topics/general.md").write_text(f"{{marker('a')}}\\nprecious\\n", encoding="utf-8")
    Sidecar.open(vault).close()
    start, path = peak(), memory / "{name}"
    path.unlink(missing_ok=True)
    path.touch()
    os.truncate(path, 200 * 1024 * 1024)
    with within(1, path.name):
        sidecar = Sidecar.open(vault)
        assert ids(sidecar) == {{entry_id("a")}}
        sidecar.store.refresh(deep=True)
        assert codes(sidecar), "HEALTH must name it"
        assert not sidecar.check()["ok"]
    if path.parent != memory:
        sidecar.forget(sidecar.remember("and it goes on")["id"])
    sidecar.close()
    assert path.parent == memory or path.stat().st_size == 200 * 1024 * 1024
    assert peak() - start < 50_000_000, peak() - start
"""


@needs_limits
@pytest.mark.parametrize("name", ["topics/big.md", "state.json", "journal.json", "proposals.json"])
@bites("files_read_whole")
def test_p19_a_huge_file_is_reported_not_read(tmp_path: Path, name: str) -> None:
    run_limited(tmp_path / "vault", HUGE.format(name=name))


@bites("turns_read_trustingly")
def test_p19_the_command_line_refuses_them(vault: Path) -> None:
    command = Command(vault)
    turn = '{"session":"c","messages":[{"role":"user","text":"x"}],"at":%s}'
    for bomb in ("[" * 100_000, turn % ("[" * 5000 + "]" * 5000), turn % ("9" * 6000)):
        assert command("observe", "-", given=bomb, status=2)["error"]["code"] == "bad_input"
