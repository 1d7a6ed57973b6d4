"""Public bug cases of stores like this one: sync tools."""

from pathlib import Path

from deepseedian.sidecar import Sidecar
from tests.commands import until
from tests.naive import bites
from tests.samples import FIXTURE_3, entry_id, marker
from tests.served import served

STARTS = 20
COPIES = ("general.sync-conflict-20261129-101010-ABCDEFG.md", "general (conflicted copy 2026-11-29).md", "general 2.md")
LEFTOVERS = (".syncthing.general.md.tmp", "~syncthing~general.md.tmp", "general.md.orig", "general.md~")
IDS = [entry_id(letter) for letter in "abc"]


def look(memory: Path) -> dict[str, tuple[bytes, int]]:
    """Bytes and time of every file."""
    return {path.relative_to(memory).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
            for path in memory.rglob("*") if path.is_file()}


def listed(sidecar: Sidecar) -> list[str]:
    entries = sidecar.entries()["entries"]
    return sorted(entry["id"] for entry in entries)  # type: ignore[attr-defined]


def write(memory: Path, text: str = FIXTURE_3) -> Path:
    general = memory / "topics/general.md"
    general.write_text(text, encoding="utf-8", newline="")
    return general


@bites("rewritten_at_every_start")
def test_p20_twenty_starts_and_stops_write_nothing(vault: Path, memory: Path) -> None:
    write(memory)
    with served(vault) as daemon:
        daemon.sidecar.store.derive()  # what the edit from outside is owed
    before = look(memory)
    for _ in range(STARTS):
        with served(vault) as daemon:
            assert listed(daemon.sidecar) == IDS
    assert look(memory) == before


@bites("conflict_copies_are_topics")
def test_p20_conflict_copies_are_no_topics(vault: Path, memory: Path) -> None:
    write(memory)
    for number, name in enumerate((*COPIES, *LEFTOVERS)):
        (memory / "topics" / name).write_text(f"{marker('a')}\nanother text {number}\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in (memory / "topics").iterdir()}
    with served(vault) as daemon:
        sidecar = daemon.sidecar
        assert until(lambda: "conflict_copy" in str(sidecar.health()), 2)
        assert listed(sidecar) == IDS
        first, = (entry for entry in sidecar.entries()["entries"] if entry["id"] == IDS[0])  # type: ignore[attr-defined]
        assert first["text"] == "回答里的英文缩写第一次出现时写出全称。"
        faults = sidecar.health()["faults"]
        told = {fault["message"].split(":")[0] for fault in faults if fault["code"] == "conflict_copy"}  # type: ignore[attr-defined]
        assert told == {f"topics/{name}" for name in COPIES}
        assert not any(name in str(faults) for name in LEFTOVERS)
        assert sidecar.search("another text")["total"] == 0
    assert {path: path.read_bytes() for path in (memory / "topics").iterdir()} == before


@bites("renames_are_followed")
def test_p20_a_rename_by_the_sync_tool_is_not_followed(vault: Path, memory: Path) -> None:
    general = write(memory)
    with served(vault) as daemon:
        sidecar = daemon.sidecar
        assert until(lambda: listed(sidecar) == IDS)
        theirs = FIXTURE_3.replace("Thursdays", "Saturdays")
        general.rename(general.with_name(COPIES[0]))
        temporary = general.with_name(LEFTOVERS[0])
        temporary.write_text(theirs, encoding="utf-8", newline="")
        temporary.replace(general)
        assert until(lambda: sidecar.search("Saturdays")["total"] == 1, 8)
        assert listed(sidecar) == IDS
        sidecar.edit(entry_id("b"), "Four-space indent.")
        assert general.read_text(encoding="utf-8").count("Four-space indent.") == 1
    assert general.with_name(COPIES[0]).read_text(encoding="utf-8") == FIXTURE_3
