"""What capture is worth on labelled messages: precision and recall, by kind and by half.

The messages lie beside this module in messages.jsonl, one `{"text","role","keep","lang","kind","half"}` a line, all of our own
making; `wanted` are words that must stand in what is kept, for what must not be lost of it. `half` is `tune` or `held`: rules were
written looking at the first half only. They go through the product's own capture, in the mode `assist`, into an empty memory.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from deepseedian.core.snapshot import Snapshot
from deepseedian.errors import BadInput
from deepseedian.evaluation.cases import HALVES
from deepseedian.memory.capture import Manner, from_turn
from deepseedian.store.session_log import ROLES, Message

FILE_LIMIT = 200_000_000
NAME = "messages.jsonl"
ASSIST = Manner()


@dataclass(frozen=True, slots=True)
class Labelled:
    """A message and whether anything of it should be proposed."""

    text: str
    role: str
    keep: bool
    kind: str = ""
    half: str = ""
    wanted: str = ""


@dataclass(slots=True)
class Count:
    """`kept` messages gave the right candidate, `wrong` ones a candidate that they should not, `missed` none although they should."""

    messages: int = 0
    kept: int = 0
    wrong: int = 0
    missed: int = 0

    def add(self, message: Labelled, found: list[str]) -> None:
        right = message.keep and any(message.wanted in text for text in found)
        self.messages += 1
        self.kept += right
        self.wrong += bool(found) and not right
        self.missed += message.keep and not right

    def document(self) -> dict[str, object]:
        return {"messages": self.messages, "precision": _share(self.kept, self.kept + self.wrong),
                "recall": _share(self.kept, self.kept + self.missed), "kept": self.kept, "wrong": self.wrong, "missed": self.missed}


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


@dataclass(slots=True)
class Measured:
    """`failed` are the messages that came out wrong, in the form {"half","kind","why","text","found"}."""

    all: Count = field(default_factory=Count)
    halves: dict[str, Count] = field(default_factory=dict)
    kinds: dict[str, Count] = field(default_factory=dict)
    failed: list[dict[str, object]] = field(default_factory=list)

    def document(self, held: bool = False) -> dict[str, object]:
        """What is wrong in the held half is named only when asked for, so that no rule is written for it by accident."""
        rows = [row for row in self.failed if held or row["half"] != HALVES[1]]
        return self.all.document() | {"halves": {name: count.document() for name, count in self.halves.items()},
                                      "kinds": {name: count.document() for name, count in self.kinds.items()}, "failed": rows}


def own() -> list[Labelled]:
    """The product's own set."""
    text = (files("deepseedian.evaluation") / NAME).read_text(encoding="utf-8")
    return list(_rows(text.splitlines(), NAME))


def read(path: Path) -> list[Labelled]:
    """A file of JSON lines. Raises BadInput with the number of the bad line."""
    try:
        if path.stat().st_size > FILE_LIMIT:
            raise BadInput(f"{path.name} is larger than {FILE_LIMIT} bytes", "split it")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}", 'one {"text","role","keep"} a line') from None
    found = list(_rows(text.split("\n"), path.name))
    if not found:
        raise BadInput(f"{path.name} holds no messages", 'one {"text","role","keep"} a line')
    return found


def _rows(lines: Iterable[str], name: str) -> Iterator[Labelled]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield _row(json.loads(line))
            except (ValueError, RecursionError) as error:
                raise BadInput(f"{name}, line {number}: {error}", 'a line looks like {"text": "…", "role": "user", "keep": true}') from None


def _row(value: object) -> Labelled:
    """Raises ValueError that says what is wrong."""
    if not isinstance(value, Mapping):
        raise ValueError("not a JSON object")
    text, role, keep = value.get("text"), value.get("role", "user"), value.get("keep")
    if not isinstance(text, str):
        raise ValueError("it needs a text")
    if role not in ROLES:
        raise ValueError(f"role is one of {', '.join(ROLES)}")
    if not isinstance(keep, bool):
        raise ValueError("keep is true or false")
    labels = {name: value.get(name, "") for name in ("kind", "half", "wanted")}
    if not all(isinstance(label, str) for label in labels.values()):
        raise ValueError("kind, half and wanted are texts")
    return Labelled(text, role, keep, **labels)


def measured(messages: Iterable[Labelled], manner: Manner = ASSIST) -> Measured:
    """Each message as a turn by itself, to an empty memory."""
    found, empty = Measured(), Snapshot("", {}, {}, {})
    for number, message in enumerate(messages):
        drafts = from_turn([Message(str(number), message.role, message.text)], empty, "en", manner)
        texts = [draft.text for draft in drafts]
        counts = [found.all]
        counts += [found.halves.setdefault(message.half, Count())] if message.half else []
        counts += [found.kinds.setdefault(message.kind, Count())] if message.kind else []
        for count in counts:
            count.add(message, texts)
        if message.keep != bool(texts) or (message.keep and not any(message.wanted in text for text in texts)):
            why = "missed" if message.keep else "proposed"
            found.failed.append({"half": message.half, "kind": message.kind, "why": why, "text": message.text, "found": texts})
    return found
