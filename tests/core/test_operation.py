"""Splices: no byte moves that need not, and every operation has an exact inverse."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deepseedian.core import markup, operation
from deepseedian.core.entry import Entry
from deepseedian.core.markup import scan
from deepseedian.errors import EditedSince
from tests.core.test_markup import entry_texts, pieces
from tests.samples import FIXTURE_3, entry_id, marker

PATH = "topics/general.md"
META = {"id": entry_id("e"), "createdAt": "2026-01-02T03:04:05.000Z", "source": "test"}


def entries(data: bytes) -> list[Entry]:
    return [block.entry for block in scan(data, PATH).blocks]


def run(data: bytes | None, item: operation.Operation) -> tuple[bytes, operation.Operation]:
    after, done = operation.applied(data, item)
    assert after is not None
    return after, done


@pytest.mark.parametrize("data", [
    "", "x", "x\n", "x\n\n", FIXTURE_3, FIXTURE_3 + "\n\n\n", FIXTURE_3.replace("\n", "\r\n"), "\ufeff", "\ufeff# h\r\n", "---\na: 1\n---",
    "---\n# keep me\nb: 1 # why\na: 2\n---\nx", "---\nbody only\n---\nmore", f"~~~\n\n{marker('b')}\ntext b", f"{marker('a')}\n```\nopen",
    "---\n---\nx", "# h\n~~~\nopen fence",
])
def test_adding_keeps_every_old_byte_and_undo_restores_them(data: str) -> None:
    old = data.encode()
    after, done = run(old, operation.add(PATH, META, "new text", family="deepseedian"))
    added = [entry for entry in entries(after) if entry.id == META["id"]]
    assert [entry.text for entry in added] == ["new text"]
    assert after.replace((done.lead + str(done.after) + done.tail).encode(), b"", 1) == old
    assert [entry for entry in entries(after) if entry.id != META["id"]] == entries(old)
    assert run(after, done.inverse())[0] == old


def test_a_new_file_gets_a_heading_and_goes_again_with_its_only_entry() -> None:
    after, done = run(None, operation.add("topics/work.md", META, "x", family="deepseedian"))
    assert after.startswith(b"# work\n\n<!-- ")
    gone, undone = operation.applied(after, done.inverse())
    assert gone is None
    assert run(None, undone.inverse())[0] == after


def test_an_edit_changes_only_its_own_text_and_date() -> None:
    old = FIXTURE_3.encode()
    target = entries(old)[2]
    after, done = run(old, operation.rewrite(old, target, text="Release on Mondays.", meta={"updatedAt": "now"}))
    assert after.startswith(old[: old.index(b"<!-- deepseedian-entry", old.index(b"Two-space"))])
    assert [entry.text for entry in entries(after)][2] == "Release on Mondays."
    assert run(after, done.inverse())[0] == old


def test_other_metadata_stays_byte_for_byte() -> None:
    meta = '{ "id" : "%s",  "x":1.0e5, "createdAt":"t", "deep":{"b":[1, 2]} }' % entry_id("a")
    old = f"<!-- deepseedian-entry {meta} -->\none\n<!-- /deepseedian-entry -->\n".encode()
    after, _ = run(old, operation.rewrite(old, entries(old)[0], meta={"pinned": True}))
    assert after == old.replace(b'[1, 2]}', b'[1, 2]},"pinned":true')
    back, _ = run(after, operation.rewrite(after, entries(after)[0], meta={"pinned": None}))
    assert back == old


def test_moving_keeps_the_text_and_undo_restores_both_files() -> None:
    files = {PATH: FIXTURE_3.encode(), "topics/b.md": b"# b\r\n\r\nprose\r\n"}
    items = operation.transfer(files[PATH], entries(files[PATH])[1], "topics/b.md", {"status": "forgotten"})
    after, done = operation.planned(files, items)
    moved = scan(after["topics/b.md"] or b"", "topics/b.md").blocks[0].entry
    assert (moved.text, moved.meta["status"]) == ("Two-space indent, no tabs.", "forgotten")
    back, _ = operation.planned({path: data for path, data in after.items() if data}, [item.inverse() for item in reversed(done)])
    assert back == files


def test_undo_after_an_edit_elsewhere_in_the_file_finds_its_place() -> None:
    old = FIXTURE_3.encode()
    removed, done = run(old, operation.remove(old, entries(old)[1])[0])
    edited = removed.replace(b"Thursdays", b"Sundays") + "\n\n手工加的一行\n".encode()
    after, _ = run(edited, done.inverse())
    assert [entry.text for entry in entries(after)][:2] == [entry.text for entry in entries(old)][:2]
    assert "手工加的一行".encode() in after and b"Sundays" in after


def test_removing_never_lets_an_unclosed_entry_before_it_swallow_what_follows() -> None:
    closed = markup.encode({"id": entry_id("b"), "createdAt": "t", "source": "s"}, "two").decode()
    old = f"{marker('a')}\none\n\n{closed}\n## my heading\n".encode()
    after, done = operation.planned({PATH: old}, operation.remove(old, entries(old)[1]))
    assert [entry.text for entry in entries(after[PATH] or b"")] == ["one"]
    assert operation.planned({PATH: after[PATH] or b""}, [item.inverse() for item in reversed(done)])[0] == {PATH: old}


def test_undo_is_refused_when_the_entry_was_edited_since() -> None:
    after, done = run(FIXTURE_3.encode(), operation.add(PATH, META, "mine", family="deepseedian"))
    with pytest.raises(EditedSince):
        run(after.replace(b"mine", b"yours"), done.inverse())
    with pytest.raises(EditedSince):
        run(after, done)


files = st.one_of(st.lists(pieces, max_size=10).map(lambda found: "".join(found).encode()), st.binary(max_size=80))
blocks = st.lists(st.tuples(entry_texts, st.booleans()), max_size=3)


@given(files, blocks, files, entry_texts, st.data())
def test_any_sequence_of_operations_is_undone_to_the_byte(before: bytes, found: list[tuple[str, bool]], tail: bytes, text: str,
                                                          data: st.DataObject) -> None:
    made = []
    for number, (body, closed) in enumerate(found):
        block = markup.encode({"id": entry_id(str(number)), "createdAt": "t", "source": "s"}, body)
        made.append(block if closed else block[: block.rindex(b"<!-- /")])
    start = b"\n".join([before, *made, tail])
    assume(entry_id("e") not in start.decode(errors="replace"))
    content, history = start, []
    for _ in range(data.draw(st.integers(1, 4))):
        present = entries(content)
        if not present or data.draw(st.booleans()):
            items = [operation.add(PATH, META | {"id": entry_id(f"f{len(history)}")}, text, family="deepseedian")]
        elif data.draw(st.booleans()):
            items = [operation.rewrite(content, data.draw(st.sampled_from(present)), text=text, meta={"updatedAt": "u"})]
        else:
            items = operation.remove(content, data.draw(st.sampled_from(present)))[-1:]
        if len({entry.id for entry in present}) != len(present):
            return
        untouched = [entry for entry in present if entry.id != items[0].id]
        after, done = run(content, items[0])
        read = scan(content, PATH)
        if items[0].after is not None or (all(block.closed for block in read.blocks) and not read.problems):
            assert [entry for entry in entries(after) if entry.id != items[0].id] == untouched
        history.append((content, done))
        content = after
    for old, done in reversed(history):
        content = run(content, done.inverse())[0]
        assert content == old
    assert content == start
