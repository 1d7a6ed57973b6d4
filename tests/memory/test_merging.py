"""Conflict copies of the sync tools people use, merged entry by entry through the owner's decision."""

from pathlib import Path

import pytest

from deepseedian.core.operation import add
from deepseedian.sidecar import Sidecar
from tests.samples import FIXTURE_3, entry_id, marker

NAMES = ("general.sync-conflict-20261129-101010-ABCDEFG.md", "general (conflicted copy 2026-11-29).md", "general 2.md", "general(1).md",
         "general-DESKTOP7.md", "general (Mia's conflicted copy 2026-11-29).md", "general (冲突副本).md",
         "general (Conflicted copy device 202611291010).md")


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
