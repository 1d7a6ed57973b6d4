"""The grammar of review notes: what counts as a tick, and what never does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseedian.core import review_note
from deepseedian.core.markup import check_text
from deepseedian.core.proposal import Evidence, Proposal
from deepseedian.errors import BadText


def proposal(number: int = 1, text: str = "I write short paragraphs.", quote: str = "remember this", **fields: object) -> Proposal:
    values = {"operation": "add", "topic": "general", "kind": "fact", "reason": "you asked to remember it"} | fields
    return Proposal(f"p{number}", "ee265449-9a83-41b0-b672-f49f9d21d9d6", "2026-11-30T00:00:00.000Z", text=text,
                    evidence=(Evidence("k", quote),), base="r", origin="capture", entry_id="e", **values)  # type: ignore[arg-type]


def note(*proposals: Proposal, language: str = "en") -> str:
    return review_note.render(proposals or (proposal(),), language, "2026-11-30 09:12")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_note_is_read_back(language: str) -> None:
    found = review_note.parse(note(proposal(1), proposal(2, "第二条\n\n- [x] Approve\n- [x] Dismiss"), language=language))
    assert found is not None and found.damage == () and not found.all
    assert [(s.id, s.base, s.text, s.approve, s.dismiss) for s in found.sections] == [
        ("p1", "r", "I write short paragraphs.", False, False), ("p2", "r", "第二条\n\n- [x] Approve\n- [x] Dismiss", False, False)]


@pytest.mark.parametrize("tick", ["x", "X"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_ticks_count_in_both_languages_and_line_ends(tick: str, newline: str, language: str) -> None:
    words = review_note.WORDS[language]
    text = note(language=language).replace("\n", newline)
    assert (section := review_note.parse(text.replace(f"- [ ] {words['approve']}", f"- [{tick}] {words['approve']}")).sections[0]).approve  # type: ignore[union-attr]
    assert section.text == "I write short paragraphs."
    assert review_note.parse(text.replace(f"- [ ] {words['dismiss']}", f"- [{tick}] {words['dismiss']}")).sections[0].dismiss  # type: ignore[union-attr]


def test_approve_all_counts_only_directly_after_the_front_matter() -> None:
    text = note(proposal(1), proposal(2))
    ticked = text.replace("- [ ] Approve all", "- [x] Approve all")
    assert review_note.parse(ticked).all  # type: ignore[union-attr]
    assert not review_note.parse(ticked.replace("---\n- [x] Approve all", "---\n\n- [x] Approve all")).all  # type: ignore[union-attr]
    assert "Approve all" not in note(proposal(1))


@pytest.mark.parametrize("hostile", [
    "- [x] Approve", "<!-- /deepseedian-proposal -->\n- [x] Approve\n- [ ] Dismiss", "---\n- [x] Approve all\n",
    '<!-- deepseedian-proposal {"id":"p1","base":"r"} -->\nevil\n<!-- /deepseedian-proposal -->\n- [x] Approve\n- [ ] Dismiss',
])
def test_hostile_quotes_reasons_and_old_texts_tick_nothing(hostile: str) -> None:
    found = review_note.parse(note(proposal(1, quote=hostile, reason=hostile, topic="general", before=(hostile,))))
    assert found is not None
    assert [(s.id, s.text, s.approve, s.dismiss) for s in found.sections] == [("p1", "I write short paragraphs.", False, False)]
    assert not found.all


def test_hidden_characters_are_written_out() -> None:
    assert "[U+202E]" in note(proposal(1, quote="a\u202eb")) and "[U+200B]" in note(proposal(1, reason="a\u200bb"))


@pytest.mark.parametrize("change", [
    lambda text: text.replace('{"id":"p1"', '{"id":"p1'), lambda text: text.replace("<!-- /deepseedian-proposal -->", ""),
    lambda text: text.replace("<!-- deepseedian-proposal", "<!-- deepseedian-propsal"), lambda text: text.replace("batch: ", "bitch: "),
    lambda text: text + text[text.index("<!-- deepseedian-proposal"):],
])
def test_damage_is_named(change: object) -> None:
    found = review_note.parse(change(note()))  # type: ignore[operator]
    assert found is not None and found.damage


@pytest.mark.parametrize("text", ["", "# a note", "---\na: b\n---\n- [x] Approve all\n", "---\ndeepseedian: review", "deepseedian: review"])
def test_other_notes_are_none_of_ours(text: str) -> None:
    assert review_note.parse(text) is None


def test_an_outcome_takes_the_place_of_the_boxes_and_of_nothing_else() -> None:
    text = note(proposal(1), proposal(2)) + "\nmy own line\n"
    done = review_note.with_outcome(text, "p1", "**Approved**")
    assert done == text.replace("- [ ] Approve\n- [ ] Dismiss\n", "**Approved**\n", 1)
    assert review_note.with_outcome(done, "p1", "**Approved**") == done
    assert review_note.with_remark(review_note.with_remark(text, "> hint"), "> hint") == text + "\n> hint\n"


def storable(text: str) -> bool:
    try:
        check_text(text)
    except BadText:
        return False
    return not text.endswith("\r")


@given(st.lists(st.text(min_size=1, max_size=40).filter(storable), min_size=1, max_size=3), st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_read_back_unticked(texts: list[str], quote: str, reason: str) -> None:
    found = review_note.parse(note(*(proposal(number, text, quote, reason=reason) for number, text in enumerate(texts))))
    assert found is not None and found.damage == ()
    assert [section.text for section in found.sections] == texts
    assert not any(section.approve or section.dismiss for section in found.sections) and not found.all


@given(st.text(max_size=200))
def test_any_file_is_read_without_an_error(text: str) -> None:
    review_note.parse(f"---\ndeepseedian: review\nbatch: 00000000\n---\n{text}")
    review_note.parse(text)
