"""Two devices write to one synced vault: they end up alike, nothing is lost, and they come to rest."""

import random
from pathlib import Path

import pytest

from deepseedian.errors import DeepseedianError
from tests.chaos.devices import Device, SyncTool, pair
from tests.counts import count

ROUNDS = 12
STEPS = 24


class Day:
    """What two people, or one with two machines, do in a day."""

    def __init__(self, folder: Path, seed: int, style: str) -> None:
        self.dice = random.Random(seed)
        self.one, self.two, self.tool = pair(folder, self.dice, style)
        self.texts: set[str] = set()
        self.number = 0

    def step(self) -> None:
        device = self.dice.choice([self.one, self.two])
        act = self.dice.choice([self.remember, self.remember, self.edit, self.forget, self.move, self.undo, self.approve, self.type,
                                self.carry, self.carry, self.reconcile, self.restart])
        try:
            act(device)
        except DeepseedianError as error:
            assert error.code in ("conflict", "nothing_to_undo", "edited_since", "stale", "memory_unknown", "busy", "not_found"), error

    def text(self) -> str:
        self.number += 1
        return f"Statement {self.number} about {self.dice.choice(['tea', 'trains', 'garden', 'music'])}, said {self.number} times."

    def some(self, device: Device) -> str:
        with device.on() as sidecar:
            entries = sidecar.store.snapshot.by_age
            return self.dice.choice(entries).id if entries else ""

    def remember(self, device: Device) -> None:
        text = self.text()
        with device.on() as sidecar:
            sidecar.remember(text, topic=self.dice.choice(["general", "work"]))
        self.texts.add(text)

    def edit(self, device: Device) -> None:
        text, entry = self.text(), self.some(device)
        if entry:
            with device.on() as sidecar:
                sidecar.edit(entry, text)
            self.texts.add(text)

    def forget(self, device: Device) -> None:
        entry = self.some(device)
        with device.on() as sidecar:
            sidecar.forget(entry)

    def move(self, device: Device) -> None:
        entry = self.some(device)
        with device.on() as sidecar:
            sidecar.move(entry, self.dice.choice(["general", "work", "home"]))

    def undo(self, device: Device) -> None:
        with device.on() as sidecar:
            sidecar.undo()

    def approve(self, device: Device) -> None:
        text = self.text()
        with device.on() as sidecar:
            made = sidecar.propose(text, "a host said so")["proposals"]
            for proposal in made if self.dice.random() < 0.7 else ():  # type: ignore[attr-defined]
                sidecar.decide(str(proposal), self.dice.choice(["approve", "approve", "dismiss"]))
        if made:
            self.texts.add(text)

    def type(self, device: Device) -> None:
        """The owner changes a word in an editor."""
        with device.on() as sidecar:
            paths = [path for path in sorted((sidecar.store.root / "topics").glob("*.md")) if ".sync-conflict" not in path.name]
        path = self.dice.choice(paths)
        path.write_text(path.read_text(encoding="utf-8").replace(" times.", f" times, typed {self.number}.", 1), encoding="utf-8")

    def carry(self, device: Device) -> None:
        self.tool.carry(self.dice.choice([0.3, 0.7, 1.0]))

    def reconcile(self, device: Device) -> None:
        device.reconcile()

    def restart(self, device: Device) -> None:
        device.restart()


def rest(one: Device, two: Device, tool: SyncTool) -> int:
    """Carry and reconcile until nothing changes any more; how many rounds that took."""
    for number in range(ROUNDS):
        one.reconcile()
        two.reconcile()
        if not tool.carry():
            return number
    raise AssertionError("they answer each other for ever")


def decide_all(device: Device) -> None:
    """The owner goes through what waits, and through files that are not believed."""
    with device.on() as sidecar:
        if sidecar.store.unknown():
            sidecar.check(accept=True)
        for proposal in sidecar.proposals()["proposals"]:  # type: ignore[attr-defined]
            try:
                sidecar.decide(proposal["id"], "approve")
            except DeepseedianError as error:
                assert error.code in ("stale", "conflict", "bad_topic"), error
        sidecar.check()


def entries(device: Device) -> dict[str, str]:
    with device.on() as sidecar:
        return {entry.id: entry.text for entry in sidecar.store.snapshot.entries.values()}


@pytest.mark.parametrize("style", ["copies", "merges"])
@pytest.mark.parametrize("seed", range(12))
def test_two_devices_come_to_rest_alike_with_nothing_lost(tmp_path: Path, seed: int, style: str) -> None:
    day = Day(tmp_path / "devices", seed, style)
    for _ in range(STEPS):
        day.step()
    rest(day.one, day.two, day.tool)
    for _ in range(3):
        decide_all(day.one)
        rest(day.one, day.two, day.tool)
    assert entries(day.one) == entries(day.two)
    texts = list(entries(day.one).values())
    assert len(texts) == len(set(texts))
    everything = day.one.everything() + day.two.everything()
    lost = [text for text in day.texts if text.removesuffix(" times.").encode() not in everything]
    assert not lost
    before = day.one.files(), day.two.files()
    for device in (day.one, day.two):
        device.restart()
        device.reconcile()
    assert (day.one.files(), day.two.files()) == before
    count("steps of two devices with a sync tool between them", STEPS)
    for device in (day.one, day.two):
        device.restart()
