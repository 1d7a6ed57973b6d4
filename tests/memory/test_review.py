"""Proposals, decisions, notes as people save them, and undo."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from deepseedian.errors import BadText, Conflict, NotFound, Stale
from deepseedian.sidecar import Sidecar
from deepseedian.store.notes import Notes
from tests.doubles import FakeClock, Killed
from tests.samples import entry_id, marker

TURN = [{"role": "user", "text": "记住：我写文章喜欢短段落。From now on, answer in British English."}, {"role": "assistant", "text": "好的"}]
AT = "2026-11-30T09:00:00Z"


def observed(sidecar: Sidecar, *texts: str, session: str = "chat", at: str = AT) -> list[str]:
    messages = [{"role": "user", "text": text} for text in texts] or TURN
    return sidecar.observe(session, messages, at)["proposals"]  # type: ignore[return-value]


def note_of(sidecar: Sidecar, proposal: str) -> Path:
    return sidecar.vault.root / str(sidecar.proposal(proposal)["note"])


def texts(sidecar: Sidecar) -> list[str]:
    return [entry["text"] for entry in sidecar.entries()["entries"]]  # type: ignore[attr-defined]


def tick(sidecar: Sidecar, path: Path, change: Callable[[str], str]) -> list[str]:
    path.write_bytes(change(path.read_bytes().decode()).encode())
    return sidecar.review.read_note(path.relative_to(sidecar.vault.root).as_posix())


def first(box: str) -> Callable[[str], str]:
    return lambda text: text.replace(f"- [ ] {box}\n", f"- [x] {box}\n", 1)


def test_a_conversation_becomes_proposals_with_verbatim_evidence(sidecar: Sidecar) -> None:
    done = sidecar.observe("chat", TURN, AT, origin="test", cwd="/x", preset="p")
    assert len(done["messages"]) == 2 and len(done["proposals"]) == 2  # type: ignore[arg-type]
    one, two = sidecar.proposals()["proposals"]  # type: ignore[misc]
    assert (one["operation"], one["kind"], one["topic"], one["status"]) == ("add", "fact", "general", "open")
    assert one["text"] == "我写文章喜欢短段落。" and one["evidence"] == [{"source": done["messages"][0], "quote": "记住：我写文章喜欢短段落。"}]  # type: ignore[index]
    assert two["text"] == "From now on, answer in British English."
    assert note_of(sidecar, one["id"]).exists() and texts(sidecar) == []
    assert observed(sidecar) == []


def test_a_tick_applies_exactly_what_is_shown(sidecar: Sidecar) -> None:
    one, two = observed(sidecar)
    path = note_of(sidecar, one)
    assert tick(sidecar, path, first("Approve")) == [one]
    assert texts(sidecar) == ["我写文章喜欢短段落。"]
    entry = sidecar.entries()["entries"][0]  # type: ignore[index]
    assert entry["sourceKeys"] == [sidecar.proposal(one)["evidence"][0]["source"]] and entry["trust"] == "user_stated"  # type: ignore[index]
    assert tick(sidecar, path, first("Dismiss")) == [two]
    assert (sidecar.proposal(one)["status"], sidecar.proposal(two)["status"]) == ("approved", "dismissed")
    assert "- [" not in path.read_text(encoding="utf-8").split("# Memory review")[1]
    assert sidecar.proposals()["proposals"] == []


def test_an_edited_text_is_what_lands(sidecar: Sidecar) -> None:
    one, _ = observed(sidecar)
    path = note_of(sidecar, one)
    mine = "我写文章喜欢\n\n非常短的段落"
    assert tick(sidecar, path, lambda text: first("Approve")(text).replace("我写文章喜欢短段落。\n<!-- /", f"{mine}\n<!-- /")) == [one]
    assert texts(sidecar) == [mine] and sidecar.proposal(one)["text"] == mine


def test_approve_all_and_windows_line_ends(sidecar: Sidecar) -> None:
    one, two = observed(sidecar)
    path = note_of(sidecar, one)
    assert tick(sidecar, path, lambda text: text.replace("- [ ] Approve all", "- [X] Approve all").replace("\n", "\r\n")) == [one, two]
    assert len(texts(sidecar)) == 2
    assert b"\n" not in path.read_bytes().replace(b"\r\n", b"")


@pytest.mark.parametrize(("change", "words"), [
    (lambda text: first("Dismiss")(first("Approve")(text)), "Both boxes"),
    (lambda text: first("Approve")(text).replace('{"id":"', '{"id":'), "marker cannot be read"),
    (lambda text: first("Approve")(text).replace("<!-- /deepseedian-proposal -->", "", 1), "lost its end marker"),
    (lambda text: first("Approve")(text).replace("batch: ", "batch: 0"), "not known here"),
    (lambda text: first("Approve")(text).replace("我写文章喜欢短段落。\n<!-- /", "\n<!-- /"), "Not approved"),
    (lambda text: first("Approve")(text).replace("我写文章喜欢短段落。\n<!-- /", "key sk-live-123456789abc\n<!-- /"), "Not approved"),
])
def test_odd_notes_are_explained_and_change_nothing(sidecar: Sidecar, change: Callable[[str], str], words: str) -> None:
    one, _ = observed(sidecar)
    path = note_of(sidecar, one)
    assert tick(sidecar, path, change) == []
    said = path.read_text(encoding="utf-8")
    assert words in said and texts(sidecar) == [] and sidecar.proposal(one)["status"] == "open"
    sidecar.review.read_note(path.relative_to(sidecar.vault.root).as_posix())
    assert path.read_text(encoding="utf-8") == said


def test_copied_emptied_deleted_and_moved_notes(sidecar: Sidecar) -> None:
    one, two = observed(sidecar)
    path = note_of(sidecar, one)
    whole = path.read_bytes()
    copy = path.with_name("copy.md")
    copy.write_bytes(whole)
    assert tick(sidecar, copy, first("Approve")) == []
    assert "This is a copy" in copy.read_text(encoding="utf-8")
    path.write_bytes(b"")
    sidecar.review.read_notes()
    assert path.read_bytes() == b""
    path.unlink()
    sidecar.review.read_notes()
    sidecar.catch_up()
    assert not path.exists() and len(sidecar.proposals()["proposals"]) == 2  # type: ignore[arg-type]
    moved = path.with_name("moved.md")
    moved.write_bytes(whole)
    assert tick(sidecar, moved, first("Approve")) == [one]
    assert note_of(sidecar, two) == moved
    assert sidecar.decide(two, "dismiss")["status"] == "dismissed"


def test_undo_takes_an_approval_back_for_good(sidecar: Sidecar, memory: Path) -> None:
    before = (memory / "topics/general.md").read_bytes()
    one, _ = observed(sidecar)
    tick(sidecar, note_of(sidecar, one), first("Approve"))
    sidecar.undo()
    assert (memory / "topics/general.md").read_bytes() == before
    assert sidecar.proposal(one)["status"] == "undone"
    assert "Taken back" in note_of(sidecar, one).read_text(encoding="utf-8")
    assert sidecar.organize() == {"proposals": [], "note": None, "model": False}
    assert observed(sidecar, "记住：我写文章喜欢短段落。", at="2026-12-01T00:00:00Z") != []
    sidecar.redo()
    assert (texts(sidecar), sidecar.proposal(one)["status"]) == (["我写文章喜欢短段落。"], "approved")


def test_decisions_by_command_tell_the_note(sidecar: Sidecar) -> None:
    one, two = observed(sidecar)
    done = sidecar.decide(one, "approve")
    assert (done["status"], done["revision"]) == ("approved", sidecar.entries()["revision"])
    assert sidecar.decide(one, "approve")["status"] == "approved"
    assert sidecar.decide(two, "dismiss")["status"] == "dismissed"
    said = note_of(sidecar, one).read_text(encoding="utf-8")
    assert "**Approved**" in said and "**Dismissed**" in said
    with pytest.raises(Conflict):
        sidecar.decide(two, "approve")
    with pytest.raises(NotFound):
        sidecar.decide("nope", "approve")
    assert observed(sidecar, "记住：我写文章喜欢短段落。") == []


def test_a_correction_proposes_an_edit_that_turns_stale_when_the_entry_changed(sidecar: Sidecar) -> None:
    kept = str(sidecar.remember("周会改到每周四下午三点")["id"])
    one, = observed(sidecar, "不对，周会改到每周五下午三点")
    shown = sidecar.proposal(one)
    assert (shown["operation"], shown["before"], shown["entries"]) == ("edit", ["周会改到每周四下午三点"], [kept])
    sidecar.remember("something else entirely")
    sidecar.edit(kept, "周会取消了")
    with pytest.raises(Stale):
        sidecar.decide(one, "approve")
    assert sidecar.proposal(one)["status"] == "stale" and "Out of date" in note_of(sidecar, one).read_text(encoding="utf-8")
    again, = observed(sidecar, "不对，周会取消了一半", at="2026-12-01T00:00:00Z")
    sidecar.decide(again, "approve")
    assert sidecar.show(kept)["text"] == "周会取消了一半"


def test_a_moved_base_alone_makes_nothing_stale(sidecar: Sidecar) -> None:
    kept = str(sidecar.remember("周会改到每周四下午三点")["id"])
    one, = observed(sidecar, "不对，周会改到每周五下午三点")
    sidecar.remember("something else entirely")
    sidecar.move(kept, "work")
    sidecar.decide(one, "approve")
    assert (sidecar.show(kept)["text"], sidecar.show(kept)["topic"]) == ("周会改到每周五下午三点", "work")


def test_a_forgotten_source_is_never_proposed_from_again(sidecar: Sidecar) -> None:
    one, two = observed(sidecar)
    sidecar.decide(one, "approve")
    sidecar.forget(str(sidecar.entries()["entries"][0]["id"]))  # type: ignore[index]
    with pytest.raises(Stale):
        sidecar.decide(two, "approve")
    assert sidecar.organize()["proposals"] == []


def test_secrets_and_what_is_known_are_not_proposed(sidecar: Sidecar) -> None:
    sidecar.remember("我写文章喜欢短段落。")
    assert len(observed(sidecar)) == 1
    assert observed(sidecar, "记住：密码是 hunter2-SECRET") == []


def test_the_queue_has_an_end(sidecar: Sidecar) -> None:
    for number in range(27):
        observed(sidecar, f"记住：第{number}件事要紧。记住：另一件第{number}号的事。", at=f"2026-12-01T00:{number:02d}:00Z")
    assert len(sidecar.proposals()["proposals"]) == 50  # type: ignore[arg-type]


def test_a_note_that_a_kill_kept_from_being_written_is_written_at_the_next_start(
        opened: Callable[..., Sidecar], monkeypatch: pytest.MonkeyPatch) -> None:
    first_run = opened()

    def killed(self: Notes, folder: str, path: str, text: str) -> None:
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Notes, "create", killed)
        observed(first_run)
    path = note_of(first_run, str(first_run.proposals()["proposals"][0]["id"]))
    first_run.close()
    assert not path.exists()
    again = opened()
    again.catch_up()
    assert path.exists()
    path.unlink()
    again.catch_up()
    assert not path.exists()


def test_a_damaged_proposals_file_is_set_aside_and_loses_nothing(sidecar: Sidecar, memory: Path) -> None:
    first, second = observed(sidecar)
    (memory / "proposals.json").write_bytes(b"[")
    assert [item["id"] for item in sidecar.proposals()["proposals"]] == [first, second]  # type: ignore[index]
    assert len(observed(sidecar, "记住：又一件要紧的事", at="2026-12-02T00:00:00Z")) == 1
    assert [path.read_bytes() for path in (sidecar.instance.folder / "quarantine").iterdir()] == [b"["]


def test_notes_in_chinese(sidecar: Sidecar) -> None:
    sidecar.set_setting("language", "zh")
    one, _ = observed(sidecar)
    path = note_of(sidecar, one)
    assert "- [ ] 全部批准" in path.read_text(encoding="utf-8")
    assert tick(sidecar, path, first("批准")) == [one]
    assert "**已批准**" in path.read_text(encoding="utf-8")
    assert sidecar.entries()["entries"][0]["source"] == "经批准的提议"  # type: ignore[index]


def test_a_line_typed_while_we_write_survives(opened: Callable[..., Sidecar], clock: FakeClock) -> None:
    sidecar = opened(clock)
    one, _ = observed(sidecar)
    path = note_of(sidecar, one)
    disk = sidecar.seam.disk
    exchange = disk.exchange
    typed = []

    def racing(source: Path, target: Path) -> bool:
        if target == path and not typed:
            typed.append(path.write_bytes(path.read_bytes() + "我刚刚写的一行\n".encode()))
        return exchange(source, target)

    disk.exchange = racing  # type: ignore[method-assign]
    sidecar.decide(one, "approve")
    said = path.read_text(encoding="utf-8")
    assert "我刚刚写的一行" in said and "**Approved**" in said


def test_a_host_proposes_through_the_same_gate(sidecar: Sidecar) -> None:
    made = sidecar.propose("Deploys need a dry run.", "seen in three sessions", topic="work")
    assert sidecar.proposal(made["proposals"][0])["origin"] == "host"  # type: ignore[index]
    assert sidecar.propose("Deploys need a dry run!", "again", topic="work")["leftOut"] == ["it is proposed already"]
    assert sidecar.propose("x\0y", "bad")["leftOut"] and sidecar.propose("x", "y", operation="edit")["leftOut"]
    with pytest.raises(BadText):
        sidecar.decide(made["proposals"][0], "approve", "")  # type: ignore[index]


@pytest.mark.parametrize("closed", [(False, False), (False, True), (True, False)])
@pytest.mark.parametrize("operation", ["merge", "archive"])
def test_merging_neighbours_without_closing_markers(sidecar: Sidecar, memory: Path, closed: tuple[bool, bool], operation: str) -> None:
    texts_ = [f"{marker(letter)}\nentry {letter}\n" + ("<!-- /deepseedian-entry -->\n" if close else "")
              for letter, close in zip("abc", (*closed, True), strict=True)]
    (memory / "topics/w.md").write_text("\n".join(texts_) + "\nprose that stays\n", encoding="utf-8")
    before = (memory / "topics/w.md").read_bytes()
    sidecar.store.refresh()
    made = sidecar.propose("b and c", "they belong together", operation=operation, entries=[entry_id("b"), entry_id("c")])
    sidecar.decide(made["proposals"][0], "approve")  # type: ignore[index]
    assert "prose that stays" in (memory / "topics/w.md").read_text(encoding="utf-8")
    assert texts(sidecar) == (["entry a", "b and c"] if operation == "merge" else ["entry a"])
    sidecar.undo()
    assert (memory / "topics/w.md").read_bytes() == before


def test_an_outcome_that_a_kill_kept_back_is_told_later(sidecar: Sidecar) -> None:
    one, _ = observed(sidecar)
    path = note_of(sidecar, one)
    unticked = path.read_bytes()
    sidecar.decide(one, "approve")
    path.write_bytes(unticked.replace(b"- [ ] Dismiss", b"- [x] Dismiss", 1))  # an editor saved its stale buffer
    sidecar.review.read_notes()
    assert "**Approved**" in path.read_text(encoding="utf-8") and sidecar.proposal(one)["status"] == "approved"


def test_a_text_edited_in_the_note_is_not_approved_unseen(sidecar: Sidecar) -> None:
    one, _ = observed(sidecar)
    path = note_of(sidecar, one)
    path.write_text(path.read_text(encoding="utf-8").replace("我写文章喜欢短段落。\n<!-- /", "我喜欢绿茶\n<!-- /"), encoding="utf-8")
    with pytest.raises(Conflict, match="changed in the review note"):
        sidecar.decide(one, "approve")
    assert texts(sidecar) == []
    assert sidecar.decide(one, "approve", "我喜欢绿茶")["text"] == "我喜欢绿茶"


@pytest.mark.parametrize("note", ["../../evil.md", "/tmp/evil.md", ".obsidian/evil.md", "a/../../evil.md", "x.sh"])
def test_a_synced_proposal_names_no_note_outside(sidecar: Sidecar, memory: Path, note: str) -> None:
    observed(sidecar)
    body = json.loads((memory / "proposals.json").read_bytes())
    for item in body["proposals"]:
        item |= {"note": note, "noted": False}
    (memory / "proposals.json").write_text(json.dumps(body), encoding="utf-8")
    sidecar.catch_up()
    observed(sidecar, "记住：又一件要紧的事", at="2026-12-02T00:00:00Z")
    assert not [path for path in memory.parents[4].rglob("*") if "evil" in path.name or path.suffix == ".sh"]


def forged(memory: Path, **values: object) -> str:
    """A proposal as somebody with write access to the synced folder adds it, beside one of ours; its id."""
    book = memory / "proposals.json"
    body = json.loads(book.read_bytes())
    body["proposals"].append(body["proposals"][0] | {"id": entry_id("f"), "entry_id": entry_id("e"), "text": "Another thing"} | values)
    book.write_text(json.dumps(body), encoding="utf-8")
    return entry_id("f")


@pytest.mark.parametrize("same_batch", [True, False])
def test_a_note_of_the_owner_that_a_synced_proposal_names_is_left_alone(sidecar: Sidecar, memory: Path, same_batch: bool) -> None:
    mine = sidecar.vault.root / "mine.md"
    mine.write_text("my diary\n", encoding="utf-8")
    one, _ = observed(sidecar)
    batch = sidecar.review.get(one).batch if same_batch else entry_id("b")
    theirs = forged(memory, note="mine.md", noted=True, batch=batch)
    sidecar.catch_up()
    sidecar.decide(theirs, "approve")
    sidecar.undo()
    assert sidecar.proposal(theirs)["status"] == "undone" and mine.read_text(encoding="utf-8") == "my diary\n"


def test_a_note_of_another_batch_is_told_nothing(sidecar: Sidecar, memory: Path) -> None:
    one, _ = observed(sidecar)
    path = note_of(sidecar, one)
    theirs = forged(memory, note=path.relative_to(sidecar.vault.root).as_posix(), noted=True, batch=entry_id("b"))
    before = path.read_bytes()
    sidecar.decide(theirs, "approve")
    sidecar.undo()
    assert path.read_bytes() == before


def test_a_synced_proposal_makes_no_note_outside_the_review_folder(sidecar: Sidecar, memory: Path) -> None:
    observed(sidecar)
    theirs = forged(memory, note="Daily/2026-12-01.md", noted=False, batch=entry_id("b"), reason="# Hello")
    sidecar.catch_up()
    assert not (sidecar.vault.root / "Daily").exists()
    assert note_of(sidecar, theirs).parent == sidecar.vault.root / "Deepseedian/Review" and note_of(sidecar, theirs).exists()


def test_a_synced_proposal_cannot_make_our_own_note_a_copy(sidecar: Sidecar, memory: Path) -> None:
    (sidecar.vault.root / "mine.md").write_text("my diary\n", encoding="utf-8")
    one, _ = observed(sidecar)
    path = note_of(sidecar, one)
    forged(memory, note="mine.md", noted=True, at="2020-01-01T00:00:00Z")
    assert tick(sidecar, path, first("Approve")) == [one]


def test_a_note_from_before_another_review_folder_was_set_is_still_ours(sidecar: Sidecar) -> None:
    one, _ = observed(sidecar)
    path = note_of(sidecar, one)
    sidecar.set_setting("review.folder", "Elsewhere")
    assert tick(sidecar, path, first("Approve")) == [one]
    sidecar.undo()
    assert "Taken back" in path.read_text(encoding="utf-8")


def test_a_turn_without_a_time_handed_in_twice_is_the_same_turn(sidecar: Sidecar) -> None:
    first_time = sidecar.observe("chat", TURN)
    sidecar.decide(first_time["proposals"][0], "dismiss")  # type: ignore[index]
    again = sidecar.observe("chat", TURN)
    assert (again["messages"], again["proposals"]) == (first_time["messages"], [])


def test_orphans_of_a_kill_in_the_review_folder(sidecar: Sidecar) -> None:
    one, _ = observed(sidecar)
    path = note_of(sidecar, one)
    orphan = path.with_name(f".deepseedian-{sidecar.store.device}-abc.tmp")
    orphan.write_bytes(b"a line somebody typed\n")
    sidecar.review.read_notes()
    assert not orphan.exists()
    assert [found.read_bytes() for found in (sidecar.instance.folder / "quarantine").iterdir()] == [b"a line somebody typed\n"]


@pytest.mark.parametrize("encoding", ["utf-8", "gbk"])
def test_a_save_that_met_a_rename_is_set_aside(sidecar: Sidecar, encoding: str) -> None:
    one, _ = observed(sidecar)
    path = note_of(sidecar, one)
    disk = sidecar.seam.disk
    exchange, line = disk.exchange, "我刚刚写的一行\n".encode(encoding)
    done = []

    def racing(source: Path, target: Path) -> bool:
        if target == path and not done:
            done.append(path.write_bytes(path.read_bytes() + line))
            swapped = exchange(source, target)
            path.rename(path.with_name("renamed.md"))
            return swapped
        return exchange(source, target)

    disk.exchange = racing  # type: ignore[method-assign]
    sidecar.decide(one, "approve")
    sidecar.review.read_notes()
    kept = [found.read_bytes() for found in (sidecar.instance.folder / "quarantine").iterdir()]
    assert done and any(line in data for data in kept)
