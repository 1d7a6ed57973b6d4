"""`erase` takes nothing but what was asked for: no other entry, proposal, box, message, record or backup is touched.

Each case is the smallest input on which a replacement of bytes once tore something else apart.
"""

import json
import threading
from pathlib import Path

import pytest

from deepseedian.config.folders import state_folder
from deepseedian.core import erased_note, erasure
from deepseedian.core.erasure import Wanted
from deepseedian.core.review_note import parse
from deepseedian.errors import NotFound
from deepseedian.sidecar import Sidecar
from deepseedian.store.sessions import Sessions, checked

AT = "2026-11-30T09:00:00Z"


def remembered(sidecar: Sidecar, text: str) -> str:
    return str(sidecar.remember(text)["id"])


def texts(sidecar: Sidecar) -> list[str]:
    return [str(entry["text"]) for entry in sidecar.entries()["entries"]]  # type: ignore[attr-defined]


def waiting(sidecar: Sidecar) -> list[str]:
    return [str(item["text"]) for item in sidecar.proposals()["proposals"]]  # type: ignore[attr-defined]


def told(sidecar: Sidecar) -> list[str]:
    return [str(row["summary"]) for row in sidecar.history()["changes"]]  # type: ignore[attr-defined]


def block(entry_id: str, text: str) -> str:
    return f'<!-- deepseedian-entry {{"id":"{entry_id}","createdAt":"{AT}","source":"manual"}} -->\n{text}\n<!-- /deepseedian-entry -->\n'


def test_one_letter_changes_no_note_no_history_and_no_undo(sidecar: Sidecar, vault: Path) -> None:
    sidecar.remember("I drink tea")
    note = vault / str(sidecar.propose("Second proposal text", "because")["note"])
    before = note.read_bytes()
    sidecar.erase(remembered(sidecar, "a"))
    assert note.read_bytes() == before
    assert told(sidecar) == ["erase: 1 entries", "add: (erased)", "add: I drink tea"]
    assert sidecar.undo()["summary"] == "undo: add: I drink tea"


def test_boxes_stay_boxes(sidecar: Sidecar, vault: Path) -> None:
    note = vault / str(sidecar.propose("Something quite else", "because")["note"])
    sidecar.erase(remembered(sidecar, "Approve"))
    assert "- [ ] Approve\n- [ ] Dismiss" in note.read_text(encoding="utf-8")


def test_a_text_inside_another_proposal_stays_there(sidecar: Sidecar, vault: Path) -> None:
    entry = remembered(sidecar, "Oslo trip")
    made = sidecar.propose("The Oslo trip needs tickets", "because")
    note = vault / str(made["note"])
    sidecar.erase(entry)
    note.write_text(note.read_text(encoding="utf-8").replace("- [ ] Approve", "- [x] Approve", 1), encoding="utf-8")
    assert sidecar.review.read_note(str(made["note"])) == made["proposals"]
    assert texts(sidecar) == ["The Oslo trip needs tickets"]


def test_an_entry_that_contains_the_text_can_be_undone(sidecar: Sidecar) -> None:
    longer = remembered(sidecar, "my sister lives in Oslo and so does her dog")
    sidecar.erase(remembered(sidecar, "my sister lives in Oslo"))
    assert sidecar.undo()["entries"] == [longer]


def test_erasing_one_side_of_a_merge_leaves_the_other_its_history(sidecar: Sidecar) -> None:
    first, second = remembered(sidecar, "I like tea a lot"), remembered(sidecar, "Tea is my favourite")
    (proposal,) = sidecar.propose("Tea is my favourite and I like it", "r", "merge", entries=[first, second])["proposals"]  # type: ignore[misc]
    sidecar.decide(str(proposal), "approve")
    sidecar.edit(first, "Tea is my favourite and I like it, green")
    sidecar.erase(second)
    assert [row for row in told(sidecar) if "erase" not in row] == [
        "edit: Tea is my favourite and I like it, green", "approve: Tea is my favourite and I like it", "add: I like tea a lot"]
    kept = next(item for item in sidecar.store.proposals() if item.id == proposal)
    assert [target.id for target in kept.targets] == [first] and kept.before == ("I like tea a lot",)
    sidecar.undo()
    sidecar.undo()
    assert texts(sidecar) == ["I like tea a lot"]


def test_a_damaged_note_loses_only_the_erased_proposal(sidecar: Sidecar, vault: Path) -> None:
    turn = [{"role": "user", "text": f"Remember: {text}"} for text in ("my sister lives in Oslo", "I never eat any fish")]
    sidecar.observe("c", turn, AT)
    first, second = sidecar.proposals()["proposals"]  # type: ignore[misc]
    note = vault / str(first["note"])
    sidecar.decide(str(first["id"]), "approve")
    text = note.read_text(encoding="utf-8")
    note.write_text(text.replace("<!-- /deepseedian-proposal -->\n", "", 1), encoding="utf-8")
    sidecar.erase(str(sidecar.entries()["entries"][0]["id"]))  # type: ignore[index]
    text = note.read_text(encoding="utf-8")
    found = parse(text)
    assert "sister" not in text and found is not None and found.damage == ()
    assert [(section.id, section.text) for section in found.sections] == [(second["id"], "I never eat any fish")]


def test_the_other_proposals_of_a_note_can_still_be_ticked(sidecar: Sidecar, vault: Path) -> None:
    turn = [{"role": "user", "text": f"Remember: {text}"} for text in ("my sister lives in Oslo", "I never eat any fish")]
    sidecar.observe("c", turn, AT)
    first, second = sidecar.proposals()["proposals"]  # type: ignore[misc]
    sidecar.erase(str(first["id"]))
    note = vault / str(first["note"])
    note.write_text(note.read_text(encoding="utf-8").replace("- [ ] Approve\n", "- [x] Approve\n"), encoding="utf-8")
    assert sidecar.review.read_note(str(first["note"])) == [second["id"]]


def test_other_signs_are_another_statement(sidecar: Sidecar) -> None:
    sidecar.propose("I like C++", "r")
    sidecar.propose("🎉🎉", "r")
    sidecar.observe("c", [{"role": "assistant", "text": "I like C++"}], AT)
    for text in ("I like C", "👍"):
        sidecar.erase(remembered(sidecar, text))
    assert waiting(sidecar) == ["I like C++", "🎉🎉"]
    assert [message.text for message in sidecar.sessions.messages("c")] == ["I like C++"]


def test_an_active_entry_is_nobodys_earlier_version(sidecar: Sidecar, memory: Path) -> None:
    entry = remembered(sidecar, "erase me please")
    claim = block("aaaaaaaa-0000-4000-8000-000000000001", "precious other statement").replace(
        '"source":', f'"supersededBy":"{entry}","source":')
    (memory / "topics/work.md").write_text(claim, encoding="utf-8")
    sidecar.store.refresh(deep=True)
    sidecar.erase(entry)
    assert texts(sidecar) == ["precious other statement"]


def test_backups_quarantine_and_messages_of_others_keep_their_bytes(sidecar: Sidecar) -> None:
    other = block("aaaaaaaa-0000-4000-8000-000000000002", "I drink coffee every day")
    backup = state_folder() / "backups/other-vault-memory-1/topics/general.md"
    backup.parent.mkdir(parents=True)
    backup.write_text(other, encoding="utf-8")
    kept = sidecar.store.quarantine.keep("topics/x.md", other.encode(), "a test")
    entry = remembered(sidecar, "coffee")
    sidecar.observe("c", [{"role": "user", "text": "we need coffee beans"}], AT)
    sidecar.erase(entry)
    assert backup.read_text(encoding="utf-8") == kept.read_text(encoding="utf-8") == other
    assert [message.text for message in sidecar.sessions.messages("c")] == ["we need coffee beans"]


def test_a_topic_in_quarantine_loses_the_entry_and_nothing_else(sidecar: Sidecar, memory: Path) -> None:
    entry = remembered(sidecar, "my sister lives in Oslo")
    sidecar.remember("my sister lives in Oslo and so does her dog")
    data = (memory / "topics/general.md").read_bytes() + b"\nprose \xff of the owner\n"
    kept = sidecar.store.quarantine.keep("topics/general.md", data, "a test")
    sidecar.erase(entry)
    left = kept.read_bytes()
    assert entry.encode() not in left and b"and so does her dog" in left and left.endswith(b"prose \xff of the owner\n")


def test_other_entries_in_the_same_outside_edit_stay_in_history(sidecar: Sidecar, memory: Path) -> None:
    entry, other = remembered(sidecar, "my sister lives in Oslo"), remembered(sidecar, "other text one")
    general = memory / "topics/general.md"
    text = general.read_text(encoding="utf-8").replace("in Oslo", "in Rome").replace("text one", "text two")
    general.write_text(text, encoding="utf-8")
    sidecar.store.refresh(deep=True)
    sidecar.erase(entry)
    edit = next(document for document in sidecar.store.history.documents() if document.get("changed"))
    assert [[item["meta"]["id"] for item in pair] for pair in edit["changed"]] == [[other, other]]  # type: ignore[attr-defined]


def test_a_turn_added_while_a_session_is_rewritten_is_kept(tmp_path: Path) -> None:
    """A writer that comes between reading and replacing has to wait."""
    sessions, other = Sessions(tmp_path / "s"), Sessions(tmp_path / "s")
    turns = [checked("c", f"2026-11-30T09:00:0{number}Z", [{"role": "user", "text": f"text {number}"}], {}, AT) for number in range(2)]
    sessions.append(turns[0])
    late = threading.Thread(target=other.append, args=[turns[1]])

    def cleaned(_: str, text: str) -> str:
        if not late.ident:
            late.start()
            late.join(0.3)
        return "gone"

    sessions.erase(cleaned)
    late.join(10)
    assert [message.text for message in sessions.messages("c")] == ["gone", "text 1"]


def test_unknown_properties_and_torn_lines_of_a_session_stay(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path / "s")
    line = '{"session":"c","at":"x","later":1,"messages":[{"id":"k","role":"user","text":"old","mood":2}]}'
    path = tmp_path / "s/c.jsonl"
    path.write_text(f'{line}\n{{"torn": "li\n', encoding="utf-8")
    assert sessions.erase(lambda _, text: "new" if text == "old" else text) == 1
    first, second, _ = path.read_text(encoding="utf-8").split("\n")
    assert json.loads(first) == json.loads(line.replace("old", "new")) and second == '{"torn": "li'


@pytest.mark.parametrize(("text", "erased", "new"), [
    ("He said: my sister lives in Oslo.", "my sister lives in Oslo", "He said: (erased)."),
    ("my  sister\nlives in Oslo", "my sister lives in Oslo", "(erased)"),
    ("my sister lives in Oslofjord", "my sister lives in Oslo", None),
    ("tommy sister lives in Oslo", "my sister lives in Oslo", None),
    ("I like C++ and I like C#", "I like C", None),
    ("steam and tea", "tea", None),
    ("好的，我有糖尿病。", "我有糖尿病", "好的，(erased)。"),
    ("我有糖尿病史", "我有糖尿病", None),
    ("it is coffee", "coffee", None),
    ("the key is hunter22hunter", "hunter22hunter", "the key is (erased)"),
])
def test_what_a_whole_text_is(text: str, erased: str, new: str | None) -> None:
    assert erasure.cleaned(text, [erased]) == (text if new is None else new)


def test_a_quotation_goes_only_as_a_whole() -> None:
    note = "---\ndeepseedian: review\nbatch: aaaaaaaa\n---\n> my sister lives in Oslo\n> and works\n\n> my sister\r\n>lives in Oslo\r\nown words\n"
    new = erasure.note(note, Wanted(texts=("my sister lives in Oslo",)))
    assert new == note.replace("> my sister\r\n>lives in Oslo\r\n", "> (erased)\r\n")
    assert not erased_note.is_ours("# A note\n> my sister lives in Oslo\n")


def test_an_approved_proposal_is_erased_by_its_entry(sidecar: Sidecar) -> None:
    (proposal,) = sidecar.propose("my sister lives in Oslo", "r")["proposals"]  # type: ignore[misc]
    sidecar.decide(str(proposal), "approve")
    with pytest.raises(NotFound, match="approved") as raised:
        sidecar.erase(str(proposal))
    assert str(sidecar.entries()["entries"][0]["id"]) in (raised.value.hint or "")  # type: ignore[index]
    assert texts(sidecar) == ["my sister lives in Oslo"]
