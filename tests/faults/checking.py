"""What must hold after any fault: the checker of the fault layers. Each function tells what is wrong, in words."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults.rig import Ended, Rig, stamps

LEFTOVERS = (".tmp", "transaction", "writer.lock", ".unreadable", ".new")
KEPT = {"backups", "quarantine"}  # folders of copies, which keep the names of what they hold
ALIKE = ("entries", "archive", "proposals", "records")


@dataclass(frozen=True, slots=True)
class Seen:
    """What two starts in a row found."""

    first: Any
    second: Any

    @property
    def texts(self) -> list[str]:
        return sorted(self.first["entries"].values())


def ended_well(ended: Ended, killed: bool) -> Iterator[str]:
    """A kill kills; an error has a name, or did no harm."""
    if killed:
        if ended.status != -9:
            yield f"it was not killed: {ended}"
        return
    if ended.status != 0 or not ended.answers:
        yield f"it said nothing: {ended}"
    yield from (f"an error without a name: {fault}" for fault in ended.faults)


def started(rig: Rig, wrong: list[str]) -> Seen:
    """Two undisturbed starts: the first needs no human, the second changes no byte and finds the same."""
    first = rig.done("start")
    second = quiet_start(rig, wrong)
    if any(first[name] != second[name] for name in ALIKE):
        wrong.append(f"two starts differ: {first} {second}")
    wrong += [f"a conflict without an edit: {fault['message']}" for fault in first["health"]["faults"] if fault["code"] == "conflict"]
    return Seen(first, second)


def quiet_start(rig: Rig, wrong: list[str]) -> Any:
    """A start with nothing to do: it changes no byte, and all is well."""
    before = stamps(rig.vault)
    found = rig.done("start")
    after = stamps(rig.vault)
    wrong += [f"the second start wrote {path}" for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
    wrong += [f"left over: {path}" for path in leftovers(rig.vault, rig.state)]
    if found["health"]["status"] != "ok":
        wrong.append(f"not well: {found['health']}")
    return found


def leftovers(*folders: Path) -> list[str]:
    """Temporary names, records of a commit, files set aside as damaged."""
    return [str(path) for folder in folders for path in folder.rglob("*")
            if any(part in path.name for part in LEFTOVERS) and not KEPT & {*path.relative_to(folder).parts}]


def kept(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Every entry that was there is there, word for word."""
    for entry_id, text in before.items():
        if after.get(entry_id) != text:
            yield f"{entry_id} was {text!r} and is {after.get(entry_id)!r}"


def wholly(seen: Seen, before: Any, possible: Iterable[str], answered: Iterable[str]) -> Iterator[str]:
    """New texts are those that were saved, once each; what was answered is among them; the journal agrees."""
    new = [text for entry_id, text in seen.first["entries"].items() if entry_id not in before["entries"]]
    if len(set(new)) != len(new) or not set(new) <= set(possible):
        yield f"there is something else than was saved: {new}"
    yield from (f"answered and gone: {text}" for text in answered if text not in new)
    records = len(seen.first["records"]) - len(before["records"])
    if records != len(new):
        yield f"{records} records tell of {len(new)} new entries"
