"""The fixed cases of the memory check, as they lie beside this module in JSON lines.

    stores.jsonl        four memories of two people, at home and at work, Chinese and English
    memory.jsonl        entries on top of such a memory, a question asked on a day, what must come first and what must not come
    questions.jsonl     questions to those memories: `wanted` names the entries of which one must be offered; none: nothing may be
    attribution.jsonl   what was injected, what the user said next, and which of it that corrects
    baseline.json       what must at least be right, a class

`half` is `tune` or `held`: whoever changes a rule looks at the first half only, both are reported.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from importlib.resources import files

from deepseedian.core.entry import Entry, derived, stamp
from deepseedian.evaluation.shelf import Item

HALVES = ("tune", "held")
CLASSES = ("knowledge_update", "temporal", "preference", "project", "abstention")
Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Case:
    """One question to a memory. Without `first` nothing may be offered; `never` must not be among what is."""

    name: str
    group: str
    half: str
    items: tuple[Item, ...]
    question: str
    asked: str
    first: frozenset[str]
    never: frozenset[str]
    as_of: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a whole memory. `wanted` empty: nothing may be offered."""

    half: str
    store: str
    kind: str
    question: str
    wanted: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reply:
    """What the user said after these entries were injected."""

    name: str
    half: str
    message: str
    injected: tuple[Entry, ...]
    corrects: frozenset[str]


def entry_id(store: str, name: str) -> str:
    """The id of a case's entry: the same in every run."""
    return derived("evaluation", store, name)


def time_of(day: str, number: int = 0) -> float:
    """Nine o'clock on a day, and a second more for every entry."""
    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() + 9 * 3600 + number


def _rows(name: str) -> Iterator[Row]:
    text = (files("deepseedian.evaluation") / name).read_text(encoding="utf-8")
    return (json.loads(line) for line in text.splitlines() if line)


def baseline() -> Mapping[str, float]:
    """The least that must be reached, by the name of the figure."""
    text = (files("deepseedian.evaluation") / "baseline.json").read_text(encoding="utf-8")
    return json.loads(text)  # type: ignore[no-any-return]


@lru_cache(maxsize=1)
def stores() -> Mapping[str, tuple[Item, ...]]:
    return {str(row["store"]): _items(str(row["store"]), row["entries"]) for row in _rows("stores.jsonl")}


def memory() -> list[Case]:
    return [_case(row) for row in _rows("memory.jsonl")]


def _case(row: Row) -> Case:
    store = str(row["store"])
    return Case(str(row["case"]), str(row["class"]), str(row["half"]), (*stores()[store], *_items(store, row["entries"])),
                str(row["q"]), str(row["asked"]), _ids(store, row.get("first")), _ids(store, row.get("not")), str(row.get("asOf", "")))


def questions() -> list[Asked]:
    return [Asked(str(row["half"]), str(row["store"]), str(row["kind"]), str(row["q"]), _ids(str(row["store"]), row["wanted"]))
            for row in _rows("questions.jsonl")]


def replies() -> list[Reply]:
    return [Reply(str(row["case"]), str(row["half"]), str(row["message"]), tuple(_injected(row["injected"])),
                  _ids("", row["corrects"])) for row in _rows("attribution.jsonl")]


def _injected(rows: object) -> Iterator[Entry]:
    for row in rows:  # type: ignore[attr-defined]
        item = Item(entry_id("", row["id"]), row["text"], stamp(time_of("2026-09-01")))
        yield Entry(item.id, item.text, item.path, item.fields())


def _ids(store: str, names: object) -> frozenset[str]:
    return frozenset(entry_id(store, str(name)) for name in (names if isinstance(names, Sequence) else ()))


def _items(store: str, rows: object) -> tuple[Item, ...]:
    found = list(rows)  # type: ignore[call-overload]
    days = {row["id"]: row["at"] for row in found}
    return tuple(_item(store, row, number, days) for number, row in enumerate(found))


def _item(store: str, row: Mapping[str, str], number: int, days: Mapping[str, str]) -> Item:
    meta: dict[str, object] = {key: row[key] for key in ("kind", "trust") if key in row}
    if "supersedes" in row:
        meta["supersedes"] = entry_id(store, row["supersedes"])
    successor = row.get("supersededBy", "")
    if successor:
        ended = stamp(time_of(row.get("endedAt", days[successor])))
        meta |= {"status": "superseded", "supersededBy": entry_id(store, successor), "endedAt": ended}
    at = stamp(time_of(row["at"], number))
    return Item(entry_id(store, row["id"]), row["text"], at, row["topic"], bool(successor), meta)
