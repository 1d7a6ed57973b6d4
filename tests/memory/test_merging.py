"""Conflict copies of the sync tools people use, merged entry by entry through the owner's decision."""

from contextlib import suppress
from pathlib import Path

import pytest

from deepseedian.core.operation import add
from deepseedian.errors import MemoryGone, Stale
from deepseedian.sidecar import Sidecar
from tests.samples import FIXTURE_3, entry_id, marker

NAMES = ("general.sync-conflict-20261129-101010-ABCDEFG.md", "general (conflicted copy 2026-11-29).md",
         "general (Mia's conflicted copy 2026-11-29).md", "general (冲突副本).md", "general (Conflicted copy device 202611291010).md")
UNSURE = ("general 2.md", "general(1).md", "general (2).md", "general-DESKTOP7.md")


@pytest.fixture
def three(sidecar: Sidecar, memory: Path) -> Path:
    """The sample with its closing markers, so that other entries can follow."""
    path = memory / "topics/general.md"
    path.write_text("# general\n\n" + FIXTURE_3 + "\n", encoding="utf-8")
    sidecar.store.refresh(deep=True)
    return path


def conflicting(path: Path, name: str, change: str = "Release on Mondays only.") -> Path:
    copy = path.with_name(name)
    copy.write_text(path.read_text(encoding="utf-8").replace("Release on Thursdays only.", change), encoding="utf-8")
    return copy


def texts(sidecar: Sidecar) -> list[str]:
    return [entry["text"] for entry in sidecar.entries()["entries"]]  # type: ignore[attr-defined]


def problems(report: dict[str, object]) -> list[dict[str, object]]:
    """What a check found, the overview that a daemon keeps up to date left out."""
    return [problem for problem in report["problems"] if problem["code"] != "derived"]  # type: ignore[attr-defined]


def merged(sidecar: Sidecar) -> list[dict[str, object]]:
    sidecar.store.refresh(deep=True)
    with suppress(MemoryGone):
        sidecar.merge_copies()
    return sidecar.proposals()["proposals"]  # type: ignore[return-value]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_copy_says_differently_is_proposed_and_the_copy_goes(sidecar: Sidecar, three: Path, name: str) -> None:
    copy = conflicting(three, name)
    bytes_of_copy = copy.read_bytes()
    (proposal,) = merged(sidecar)
    assert (proposal["operation"], proposal["origin"], proposal["entries"]) == ("edit", "sync", [entry_id("c")])
    assert len(texts(sidecar)) == 3 and "Release on Thursdays only." in texts(sidecar)
    assert [problem["code"] for problem in problems(sidecar.check())] == ["conflict_copy"]
    sidecar.decide(str(proposal["id"]), "approve")
    report = sidecar.check()
    assert not copy.exists() and [problem["code"] for problem in problems(report)] == ["merged"]
    assert bytes_of_copy in [Path(path).read_bytes() for path in report["setAside"]]  # type: ignore[attr-defined]
    assert "Release on Mondays only." in texts(sidecar) and len(texts(sidecar)) == 3


@pytest.mark.parametrize("name", UNSURE)
def test_a_name_that_may_be_the_owners_is_proposed_from_and_never_taken_away(sidecar: Sidecar, three: Path, name: str) -> None:
    copy = conflicting(three, name)
    (proposal,) = merged(sidecar)
    sidecar.decide(str(proposal["id"]), "approve")
    (problem,) = problems(sidecar.check())
    assert copy.exists() and "only you can tell" in str(problem["message"])


@pytest.mark.parametrize("name", ["general-travel.md", "general-2026.md", "general (conflict management).md", "general 2026.md", "general-v2.md"])
def test_a_topic_of_the_owner_is_a_topic(sidecar: Sidecar, three: Path, name: str) -> None:
    """An entry is pasted into a second file first, and cut from the first one then."""
    own = three.with_name(name)
    own.write_text(f"{marker('c')}\nRelease on Thursdays only.\n", encoding="utf-8")
    assert merged(sidecar) == []
    three.write_text(three.read_text(encoding="utf-8").partition(marker("c"))[0], encoding="utf-8")
    assert merged(sidecar) == []
    assert own.exists() and len(texts(sidecar)) == 3 and entry_id("c") in {e["id"] for e in sidecar.entries(own.stem)["entries"]}  # type: ignore[attr-defined]


def test_two_copies_that_disagree_are_both_decided(sidecar: Sidecar, three: Path) -> None:
    first, second = conflicting(three, NAMES[0]), conflicting(three, NAMES[1], "Release on Sundays only.")
    one, two = merged(sidecar)
    sidecar.decide(str(one["id"]), "approve")
    (again,) = [proposal for proposal in merged(sidecar) if proposal["id"] != two["id"]]
    sidecar.decide(str(again["id"]), "approve")
    sidecar.check()
    assert not first.exists() and not second.exists()
    assert len(texts(sidecar)) == 3 and str(again["text"]) in texts(sidecar)


def test_two_copies_add_the_same_entry_with_two_texts(sidecar: Sidecar, three: Path) -> None:
    for name, text in ((NAMES[0], "Builds run on Linux."), (NAMES[1], "Builds run on BSD.")):
        three.with_name(name).write_text(three.read_text(encoding="utf-8") + f"\n{marker('d')}\n{text}\n", encoding="utf-8")
    one, two = merged(sidecar)
    sidecar.decide(str(one["id"]), "approve")
    with pytest.raises(Stale):
        sidecar.decide(str(two["id"]), "approve")
    (third,) = merged(sidecar)
    assert (third["operation"], third["text"]) == ("edit", two["text"])


def test_what_was_written_anew_after_it_ended_here_is_asked_about(sidecar: Sidecar, three: Path) -> None:
    conflicting(three, NAMES[0], "Release whenever it is ready.")
    sidecar.forget(entry_id("c"))
    (proposal,) = merged(sidecar)
    sidecar.decide(str(proposal["id"]), "approve")
    assert "Release whenever it is ready." in texts(sidecar) and len(texts(sidecar)) == 3


def test_the_rest_is_proposed_when_there_is_room_again(sidecar: Sidecar, three: Path) -> None:
    blocks = [f"{marker(f'{number:x}')}\nStatement number {number} of many.\n" for number in range(256, 316)]
    three.with_name(NAMES[0]).write_text(three.read_text(encoding="utf-8") + "\n" + "\n".join(blocks), encoding="utf-8")
    waiting = merged(sidecar)
    assert len(waiting) == 50
    for proposal in waiting[:20]:
        sidecar.decide(str(proposal["id"]), "dismiss")
    assert len(merged(sidecar)) == 40


def test_line_ends_are_no_difference(sidecar: Sidecar, three: Path) -> None:
    three.write_text(three.read_text(encoding="utf-8").replace("no tabs.", "no tabs.\nNever."), encoding="utf-8")
    sidecar.store.refresh(deep=True)
    three.with_name(NAMES[0]).write_bytes(three.read_bytes().replace(b"\n", b"\r\n"))
    assert merged(sidecar) == []


def test_a_copy_stays_one_while_its_original_is_empty_for_a_moment(sidecar: Sidecar, three: Path) -> None:
    newer = three.read_bytes()
    conflicting(three, UNSURE[0], "Release on Mondays only.")
    three.write_bytes(b"")
    merged(sidecar)
    three.write_bytes(newer)
    merged(sidecar)
    assert "Release on Thursdays only." in texts(sidecar) and "Release on Mondays only." not in texts(sidecar)


def test_a_copy_with_a_secret_says_why_it_stays(sidecar: Sidecar, three: Path) -> None:
    conflicting(three, NAMES[0], "password: hunter2hunter2Xy9")
    assert merged(sidecar) == []
    (problem,) = problems(sidecar.check())
    assert "cannot be proposed" in str(problem["message"]) and "secret" in str(problem["message"])


def test_undo_passes_by_what_joined_an_archive(sidecar: Sidecar, memory: Path, three: Path) -> None:
    sidecar.edit(entry_id("c"), "Release on Fridays.")
    archive = memory / "archive/general.md"
    copy = archive.with_name("general.sync-conflict-20261129-101010-ABCDEFG.md")
    copy.write_bytes(archive.read_bytes() + f"\n{marker('e')}\nRelease on Sundays.\n".encode())
    merged(sidecar)
    assert entry_id("c") in sidecar.undo()["entries"]  # type: ignore[operator]


def test_an_entry_that_only_the_copy_has_lands_as_it_is(sidecar: Sidecar, three: Path) -> None:
    copy = three.with_name(NAMES[0])
    extra = f'{marker("d", EXTRA)}\nBuilds run on Linux.\n'
    copy.write_text(three.read_text(encoding="utf-8") + "\n" + extra, encoding="utf-8")
    (proposal,) = merged(sidecar)
    assert proposal["operation"] == "add"
    sidecar.decide(str(proposal["id"]), "approve")
    shown = sidecar.show(entry_id("d"))
    assert (shown["createdAt"], shown["source"], shown["mood"], shown["topic"]) == ("2026-01-02T03:04:05Z", "manual", "calm", "general")
    assert sidecar.undo()["entries"] == [entry_id("d")]


EXTRA = ',"mood":"calm"'


def test_a_dismissed_difference_is_not_proposed_again(sidecar: Sidecar, three: Path) -> None:
    copy = conflicting(three, NAMES[0])
    (proposal,) = merged(sidecar)
    sidecar.decide(str(proposal["id"]), "dismiss")
    conflicting(three, NAMES[1])
    assert merged(sidecar) == []
    sidecar.check()
    assert not copy.exists() and "Release on Thursdays only." in texts(sidecar)


def test_a_copy_that_only_has_what_was_before_or_was_forgotten_proposes_nothing(sidecar: Sidecar, three: Path) -> None:
    old = three.read_bytes()
    sidecar.edit(entry_id("c"), "Release on Fridays.")
    sidecar.forget(entry_id("b"))
    copy = three.with_name(NAMES[0])
    copy.write_bytes(old)
    assert merged(sidecar) == []
    sidecar.check()
    assert not copy.exists() and len(texts(sidecar)) == 2


def test_words_around_entries_are_never_thrown_away(sidecar: Sidecar, three: Path) -> None:
    copy = conflicting(three, NAMES[0], "Release on Thursdays only.")
    copy.write_text("A paragraph of mine.\n\n" + copy.read_text(encoding="utf-8"), encoding="utf-8")
    assert merged(sidecar) == []
    (problem,) = problems(sidecar.check())
    assert "text around its entries" in str(problem["message"]) and copy.exists()


def test_a_copy_that_cannot_be_read_as_a_whole_stays(sidecar: Sidecar, three: Path) -> None:
    copy = conflicting(three, NAMES[0], "Release on Thursdays only.")
    copy.write_text(copy.read_text(encoding="utf-8") + '\n<!-- deepseedian-entry {"id":', encoding="utf-8")
    merged(sidecar)
    assert "cannot be read as a whole" in str(sidecar.check()["problems"]) and copy.exists()


def test_a_copy_of_an_archive_file_joins_it(sidecar: Sidecar, memory: Path, three: Path) -> None:
    sidecar.edit(entry_id("c"), "Release on Fridays.")
    archive = memory / "archive/general.md"
    older = add("archive/general.md", {"id": entry_id("e"), "createdAt": "2026-01-01T00:00:00.000Z", "source": "x", "status": "superseded",
                                      "supersededBy": entry_id("c")}, "Release on Sundays.", family="deepseedian").after
    copy = archive.with_name("general.sync-conflict-20261129-101010-ABCDEFG.md")
    copy.write_bytes(archive.read_bytes() + b"\n" + str(older).encode())
    assert merged(sidecar) == []
    sidecar.check()
    assert not copy.exists() and "Release on Sundays." in {entry.text for entry in sidecar.store.snapshot.archive.values()}


def test_two_devices_make_the_same_proposal(sidecar: Sidecar, three: Path) -> None:
    conflicting(three, NAMES[0])
    (first,) = merged(sidecar)
    document = sidecar.review.get(str(first["id"])).document()
    assert [document[key] for key in ("id", "at", "entry_id", "text")] == [
        first["id"], "2026-01-02T03:04:05Z", document["entry_id"], "Release on Mondays only."]
    assert document["targets"][0]["archive_id"] != document["entry_id"]  # type: ignore[index]
