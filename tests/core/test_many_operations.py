"""Rows of operations done at once give what one by one gives, byte for byte, and thousands take no longer than their number asks."""

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseedian.core import markup
from deepseedian.core.operation import Operation, add, appended, applied, planned
from deepseedian.errors import BadInput, BadText, DeepseedianError

PATH = "topics/work.md"
AT = "2026-01-02T03:04:05.000Z"
TEXTS = st.lists(st.sampled_from(["a", "b\n\nc", "```\nopen", "中文，句子。", "- x\n  - y", "```\nx\n```"]), min_size=1, max_size=6)
HEADS = st.sampled_from([b"", b"# work\n", b"# work\r\n\r\nprose\r\n", b"no end", b"\xef\xbb\xbf# w\n\n\n", b"---\na: 1\n---\n"])


def entry_id(number: int) -> str:
    return f"aaaaaaaa-0000-4000-8000-{number:0>12}"


def metas(texts: Sequence[str]) -> list[tuple[dict[str, object], str]]:
    return [({"id": entry_id(number), "createdAt": AT, "source": "s"}, text) for number, text in enumerate(texts)]


def one_by_one(data: bytes | None, operations: Sequence[Operation]) -> tuple[bytes | None, list[Operation]]:
    done = []
    for item in operations:
        data, finished = applied(data, item)
        done.append(finished)
    return data, done


def at_once(data: bytes | None, operations: Sequence[Operation]) -> tuple[bytes | None, list[Operation]]:
    changed, done = planned({} if data is None else {PATH: data}, operations)
    return changed.get(PATH, data), done


def inverses(done: Sequence[Operation]) -> list[Operation]:
    return [item.inverse() for item in reversed(done)]


@given(st.none() | HEADS, TEXTS, st.sampled_from([b"", b"\nprose after\n", b"\n\n"]), st.sampled_from([b"", b"before\n"]))
def test_rows_give_what_one_by_one_gives(head: bytes | None, texts: list[str], behind: bytes, before: bytes) -> None:
    """Added, added to by somebody else before and behind, taken back, and repeated."""
    made = appended(PATH, head, metas(texts), "deepseedian")
    written, done = at_once(head, made)
    assert (written, done) == one_by_one(head, made) and written is not None
    assert [block.entry.text for block in markup.scan(written, PATH).blocks] == texts
    back = inverses(done)
    assert at_once(written, back) == one_by_one(written, back) and at_once(written, back)[0] == head
    again = inverses(at_once(written, back)[1])
    if head is not None:
        assert at_once(head, again)[0] == written
    touched = before + written + behind
    undone, steps = at_once(touched, back)
    if undone is None:  # nothing but what the change itself made is left of the file
        assert head is None and touched.strip() == written.strip()
        return
    assert not markup.scan(undone, PATH).blocks
    start = markup.heading("work") if head is None else head
    assert undone.split() == [*before.split(), *start.split(), *behind.split()] or head == b"no end"
    redone, _ = at_once(undone, inverses(steps))
    assert [block.entry.text for block in markup.scan(redone or b"", PATH).blocks] == texts


@given(HEADS, TEXTS)
def test_new_entries_of_any_plan_are_a_row_too(head: bytes, texts: list[str]) -> None:
    made = [add(PATH, meta, text, family="deepseedian") for meta, text in metas(texts)]
    assert at_once(head, made) == one_by_one(head, made)


def test_an_entry_that_was_changed_since_stops_the_whole_step() -> None:
    written, done = at_once(None, appended(PATH, None, metas(["one", "two", "three"]), "deepseedian"))
    assert written is not None
    with pytest.raises(DeepseedianError):
        at_once(written.replace(b"two", b"TWO"), inverses(done))
    with pytest.raises(DeepseedianError):  # there already
        at_once(written, [add(PATH, meta, text, family="deepseedian") for meta, text in metas(["one", "two"])])


def test_what_cannot_stand_in_a_file_is_refused() -> None:
    with pytest.raises(BadText):
        appended(PATH, None, metas(["<!-- deepseedian-entry -->"]), "deepseedian")
    with pytest.raises(BadInput):
        appended(PATH, b"# work\n```\nnever closed\n", metas(["x"]), "deepseedian")


@pytest.mark.parametrize("behind", [b"", b"\nprose of the owner\n", b"\n" + b"much prose of the owner\n" * 15_000], ids=["nothing", "little", "much"])
def test_thousands_go_in_and_out_in_time(behind: bytes) -> None:
    """One by one this takes minutes. Five times as many may take no more than, generously, fifteen times as long."""
    def seconds(number: int) -> float:
        begun = time.process_time()
        written, done = at_once(None, appended(PATH, None, metas([f"statement {n} " + "x" * 80 for n in range(number)]), "deepseedian"))
        undone, steps = at_once((written or b"") + behind, inverses(done))
        redone, _ = at_once(undone, inverses(steps))
        assert redone == (written or b"") + behind or behind
        assert len(markup.scan(redone or b"", PATH).blocks) == number
        return time.process_time() - begun

    seconds(10)
    small = seconds(600)
    assert seconds(3000) < max(15 * small, 3.0)
