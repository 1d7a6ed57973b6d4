"""A person at a review note and the daemon at the same note, in any order: nobody's bytes are lost, only ticks count, and every tick does."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from deepseedian.core import review_note
from deepseedian.core.proposal import Draft
from deepseedian.sidecar import Sidecar
from deepseedian.store.notes import Notes
from tests.doubles import FakeClock
from tests.saves import WAYS

ACT = st.one_of(
    st.tuples(st.just("type"), st.integers(0, 2)), st.tuples(st.just("tick"), st.integers(0, 2), st.sampled_from(["Approve", "Dismiss"])),
    st.tuples(st.just("save"), st.sampled_from(sorted(WAYS))), st.tuples(st.just("reload")), st.tuples(st.just("event")),
    st.tuples(st.just("wait"), st.sampled_from([0.5, 1.0, 3.0])), st.tuples(st.just("race"), st.sampled_from(sorted(WAYS))),
    st.tuples(st.just("ends")), st.tuples(st.just("decide"), st.integers(0, 2)))
NUMBERS = count()


@pytest.fixture
def sidecar(opened: Callable[..., Sidecar], clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sidecar]:
    found = opened(clock)
    found.review.notes.still = 2.0  # as in a daemon; here the test is its thread
    monkeypatch.setattr(Notes, "_wait", lambda self: None)
    yield found
    found.review.notes.still = 0.0


@dataclass
class Person:
    """Somebody with the note in an editor. `saved` is what the file held after the last save."""

    sidecar: Sidecar
    ids: list[str]
    path: Path
    buffer: bytes = b""
    saved: bytes = b""
    ticked: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.buffer = self.saved = self.path.read_bytes()

    @property
    def relative(self) -> str:
        return self.path.relative_to(self.sidecar.vault.root).as_posix()

    def type(self, place: int) -> None:
        """A line of their own: at the end, or before a proposal's heading."""
        line = f"my line {next(NUMBERS)}".encode()
        newline = b"\r\n" if b"\r\n" in self.buffer else b"\n"
        at = self.buffer.find(b"## %d." % (place + 1)) if place else -1
        at = len(self.buffer) if at < 0 else at
        self.buffer = self.buffer[:at] + line + newline + self.buffer[at:]

    def tick(self, number: int, box: str) -> None:
        note = review_note.parse(self.buffer.decode())
        section = next((item for item in note.sections if item.id == self.ids[number]), None) if note else None
        if section is not None and section.boxes != section.boxes_end:
            text = self.buffer.decode()
            boxes = text[section.boxes: section.boxes_end].replace(f"- [ ] {box}", f"- [x] {box}")
            self.buffer = (text[: section.boxes] + boxes + text[section.boxes_end:]).encode()

    def save(self, way: str) -> None:
        WAYS[way](self.path, self.buffer)
        os.utime(self.path)
        self.saved = self.buffer
        for key, boxes in ticks(self.buffer).items():
            self.ticked.setdefault(key, set()).update(boxes)


def ticks(data: bytes) -> dict[str, set[str]]:
    note = review_note.parse(data.decode())
    return {item.id: {name for name, on in (("Approve", item.approve), ("Dismiss", item.dismiss)) if on} for item in note.sections} if note else {}


def lines(data: bytes) -> set[bytes]:
    return {line for line in data.splitlines() if line.startswith(b"my line")}


def race(person: Person, way: str) -> None:
    """The person saves between the daemon's look and its write."""
    disk, exchange = person.sidecar.seam.disk, person.sidecar.seam.disk.exchange
    done: list[int] = []

    def racing(source: Path, target: Path) -> bool:
        if target == person.path and not done:
            done.append(1)
            person.save(way)
        return exchange(source, target)

    disk.exchange = racing  # type: ignore[method-assign]
    try:
        person.sidecar.seam.clock.sleep(3)
        person.sidecar.review.notes.settle()
    finally:
        del disk.exchange


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ACT, max_size=14))
@example([("tick", 0, "Approve"), ("save", "obsidian"), ("event",), ("type", 0), ("race", "vim"), ("wait", 3.0)])
@example([("tick", 1, "Approve"), ("save", "vim"), ("event",), ("wait", 3.0), ("type", 1), ("save", "atomic"), ("event",)])
@example([("tick", 0, "Approve"), ("tick", 0, "Dismiss"), ("save", "obsidian"), ("event",), ("wait", 3.0)])
def test_a_person_and_the_daemon_at_one_note(sidecar: Sidecar, acts: list[tuple[object, ...]]) -> None:
    start = next(NUMBERS)
    batch = sidecar.review.propose([Draft("add", f"Fact {start} number {number}.", "said so") for number in range(3)], "idle")
    ids = [item.id for item in batch.proposals]
    person = Person(sidecar, ids, sidecar.vault.root / batch.note)
    notes, review = sidecar.review.notes, sidecar.review
    by_command: set[str] = set()
    for name, *words in acts:
        if name in ("type", "tick", "save"):
            getattr(person, str(name))(*words)
        elif name == "race":
            race(person, str(words[0]))
        elif name == "reload":
            person.buffer = person.saved = person.path.read_bytes()
        elif name == "ends":
            person.buffer = person.buffer.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        elif name == "wait":
            sidecar.seam.clock.sleep(float(words[0]))  # type: ignore[arg-type]
            notes.settle()
        elif name == "event":
            before = person.path.read_bytes()
            review.read_note(person.relative)
            still = before == person.path.read_bytes()
            assert still or before != person.saved, "the daemon wrote to a note that had just changed"
        elif name == "decide" and sidecar.proposal(ids[int(str(words[0]))])["status"] == "open":
            key = ids[int(str(words[0]))]
            seen = ticks(person.path.read_bytes())
            if key in seen:
                review.decide(key, "approve")
                by_command.add(key)
        assert lines(person.saved) <= lines(person.path.read_bytes()), "a line was lost"
        for key in ids:
            if review.get(key).status == "approved":
                assert key in by_command or "Approve" in person.ticked.get(key, set()), "an unticked change was applied"
    review.read_note(person.relative)
    for _ in range(3):
        sidecar.seam.clock.sleep(3)
        notes.settle()
    for key, boxes in ticks(person.path.read_bytes()).items():
        assert len(boxes) != 1 or review.get(key).status != "open", "a tick was missed"
    said = person.path.read_bytes()
    assert lines(person.saved) <= lines(said) and (b"\r\n" not in said or b"\n" not in said.replace(b"\r\n", b""))
    for key in ids:
        if review.get(key).open:
            review.decide(key, "dismiss")
    notes.drop()


def test_a_daemon_waits_for_a_still_note_and_a_command_does_not(sidecar: Sidecar, clock: FakeClock) -> None:
    batch = sidecar.review.propose([Draft("add", "Tea is at four.", "said so")], "idle")
    path = sidecar.vault.root / batch.note
    path.write_text(path.read_text(encoding="utf-8").replace("- [ ] Approve", "- [x] Approve"), encoding="utf-8")
    sidecar.review.read_note(batch.note)
    assert [entry["text"] for entry in sidecar.entries()["entries"]] == ["Tea is at four."]  # type: ignore[attr-defined]
    assert "**Approved**" not in path.read_text(encoding="utf-8")
    clock.sleep(1)
    sidecar.review.notes.settle()
    path.write_text(path.read_text(encoding="utf-8") + "still typing\n", encoding="utf-8")
    clock.sleep(1.5)
    assert not sidecar.review.notes.settle() and "**Approved**" not in path.read_text(encoding="utf-8")
    clock.sleep(2.5)
    assert sidecar.review.notes.settle()
    said = path.read_text(encoding="utf-8")
    assert "**Approved**" in said and said.endswith("still typing\n")
