"""What a memory may look like after a run in which answers got lost: the model and the checker of histories.

A `World` is one thing that may have happened: the entries, the two stacks of undo and redo, the idempotency
keys that landed, and requests still on their way. Every answer keeps the worlds that explain it; a lost answer
leaves two, "it happened" and "not at all"; requests at the same time leave one for each order. What is read
back keeps the worlds that look like it. When none is left, the program has broken a promise.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

OK = "ok"
GONE = frozenset({"not_found", "conflict"})  # an id that is archived, or that was never there
_BLOCK = re.compile(r"^<!-- deepseedian-entry (\{[^\n]*\}) -->\n(.*?)\n<!-- /deepseedian-entry -->$", re.M | re.S)


class Broken(AssertionError):
    """No history explains what was answered or read."""


@dataclass(frozen=True, slots=True)
class Item:
    """An entry as its owner knows it."""

    topic: str
    text: str
    pinned: bool = False


Part = tuple[str, Item | None, Item | None]
Change = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Op:
    """A request. `handle` is the entry: named by the save that made it, whatever its id turns out to be."""

    kind: str
    handle: str = ""
    text: str = ""
    topic: str = "general"
    on: bool = True
    key: str = ""


@dataclass(frozen=True, slots=True)
class World:
    """`touched` are entries that somebody changed in a file: undo may refuse them."""

    items: frozenset[tuple[str, Item]] = frozenset()
    undo: tuple[Change, ...] = ()
    redo: tuple[Change, ...] = ()
    keys: frozenset[str] = frozenset()
    pending: frozenset[Op] = frozenset()
    touched: frozenset[str] = frozenset()

    def item(self, handle: str) -> Item | None:
        return dict(self.items).get(handle)

    def put(self, change: Change) -> "World":
        found = dict(self.items)
        for handle, _, after in change:
            if after is None:
                found.pop(handle, None)
            else:
                found[handle] = after
        return replace(self, items=frozenset(found.items()))


Step = tuple[World, str]


def steps(world: World, op: Op) -> list[Step]:
    """What the request does to this world, and what is answered; several when both are right."""
    if op.key and op.key in world.keys:
        return [(world, OK)]
    if op.kind in ("undo", "redo"):
        return _stepped(world, op.kind)
    if op.kind in ("save", "approve"):
        return [(_saved(world, op), OK)]
    before = world.item(op.handle)
    if before is None:
        return [(world, "gone")]
    after = {"edit": replace(before, text=op.text), "move": replace(before, topic=op.topic),
             "pin": replace(before, pinned=op.on), "forget": None}[op.kind]
    return [(world if after == before else _changed(world, op, before, after), OK)]


def _saved(world: World, op: Op) -> World:
    if any(item.text.strip() == op.text.strip() for _, item in world.items):
        return world
    return _changed(world, op, None, Item(op.topic, op.text))


def _changed(world: World, op: Op, before: Item | None, after: Item | None) -> World:
    change: Change = ((op.handle, before, after),)
    keys = world.keys | {op.key} if op.key else world.keys
    return replace(world.put(change), undo=(*world.undo, change), redo=(), keys=keys)


def _stepped(world: World, kind: str) -> list[Step]:
    stack = world.undo if kind == "undo" else world.redo
    if not stack:
        return [(world, f"nothing_to_{kind}")]
    change = stack[-1]
    back: Change = tuple((handle, after, before) for handle, before, after in change) if kind == "undo" else change
    refused = any(world.item(handle) != before for handle, before, _ in back)
    doubted = any(handle in world.touched for handle, _, _ in back)
    found: list[Step] = []
    if refused or doubted:
        found.append((world, "edited_since"))
    if not refused:
        undo = world.undo[:-1] if kind == "undo" else (*world.undo, change)
        redo = (*world.redo, change) if kind == "undo" else world.redo[:-1]
        found.append((replace(world.put(back), undo=undo, redo=redo), OK))
    return found


def explains(outcome: str, answer: str) -> bool:
    """Whether the answer's code is what the model says; undo and redo share one code."""
    if outcome == "gone":
        return answer in GONE
    return answer == (outcome if not outcome.startswith("nothing_to_") else "nothing_to_undo")


@dataclass
class History:
    """All worlds that explain the run so far."""

    worlds: set[World] = field(default_factory=lambda: {World()})
    ids: dict[str, str] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)

    def answered(self, op: Op, answer: str, passing: Iterable[str] = (), entry_id: str = "") -> None:
        """`passing` are codes that say "not now" for a reason that is known: they leave everything as it is."""
        self.events.append(f"{_told(op)} -> {answer}")
        found: set[World] = set()
        for world in self._reached():
            if answer in passing:
                found.add(world)
            found |= {after for after, outcome in steps(world, op) if explains(outcome, answer)}
        self._keep(found, f"the answer {answer}")
        if entry_id and answer == OK:
            self._named(op, entry_id)

    def _named(self, op: Op, entry_id: str) -> None:
        handles = {handle for world in self.worlds for handle, item in world.items if item.text.strip() == op.text.strip()}
        for handle in handles:
            if self.ids.setdefault(handle, entry_id) != entry_id:
                raise Broken(self._message(f"one entry, two ids: {self.ids[handle]} and {entry_id}"))

    def lost(self, op: Op, *, alive: bool) -> None:
        """No answer. `alive`: whoever got the request may still carry it out, later."""
        self.events.append(f"{_told(op)} -> no answer")
        if alive:
            self.worlds = {replace(world, pending=world.pending | {op}) for world in self._reached()}
        else:
            self.worlds = {after for world in self._reached() for after in (world, *(made for made, _ in steps(world, op)))}

    def died(self) -> None:
        """Nothing that is still on its way can happen any more."""
        self.events.append("died")
        self.worlds = {replace(world, pending=frozenset()) for world in self._reached()}

    def together(self, done: Sequence[tuple[Op, str]], passing: Iterable[str] = ()) -> None:
        """Requests at the same time and their answers ("" for none): some order must explain them."""
        self.events.append("together: " + "; ".join(f"{_told(op)} -> {answer or 'no answer'}" for op, answer in done))
        passing = frozenset(passing)
        found: set[World] = set()
        seen: set[tuple[World, frozenset[int]]] = set()
        todo = [(world, frozenset(range(len(done)))) for world in self._reached()]
        while todo:
            world, left = todo.pop()
            if (world, left) in seen:
                continue
            seen.add((world, left))
            if not left:
                found.add(world)
            for number in left:
                op, answer = done[number]
                todo += [(after, left - {number}) for after, outcome in steps(world, op) if not answer or explains(outcome, answer)]
                if not answer or answer in passing:
                    todo.append((world, left - {number}))
        self._keep(found, "any order")

    def seen(self, rows: Mapping[str, Item]) -> None:
        """What is served now: id → entry."""
        self.events.append(f"seen {len(rows)}")
        wanted = sorted(map(_order, rows.values()))
        found = {world for world in self._reached() if sorted(_order(item) for _, item in world.items) == wanted
                 and all(rows.get(self.ids[handle]) == item for handle, item in world.items if handle in self.ids)}
        self._keep(found, "what is served: " + ", ".join(f"{item.topic}: {item.text!r}{' pinned' * item.pinned}" for item in rows.values()))
        by_item = {item: key for key, item in rows.items()}
        for handle in {handle for world in found for handle, _ in world.items} - self.ids.keys():
            named = {by_item[item] for world in found if (item := world.item(handle)) is not None}
            if len(named) == 1:
                self.ids[handle] = named.pop()

    def outside(self, rows: Mapping[str, Item]) -> None:
        """Somebody changed files; from now on memory is what they say. Nothing may be on its way."""
        self.events.append(f"outside edit, {len(rows)} entries afterwards")
        handles = {key: handle for handle, key in self.ids.items()}
        for key in rows.keys() - handles.keys():
            self.ids[f"o{len(self.ids)}"] = key
            handles[key] = f"o{len(self.ids) - 1}"
        items = frozenset((handles[key], item) for key, item in rows.items())
        self.worlds = {replace(world, items=items, touched=world.touched | {handle for handle, _ in world.items ^ items})
                       for world in self._reached()}

    def _reached(self) -> set[World]:
        """The worlds, and those in which some of the requests on their way have been carried out by now."""
        found = set(self.worlds)
        todo = list(found)
        while todo:
            world = todo.pop()
            for op in world.pending:
                for after, _ in steps(replace(world, pending=world.pending - {op}), op):
                    if after not in found:
                        found.add(after)
                        todo.append(after)
        return found

    def _keep(self, found: set[World], why: str) -> None:
        if not found:
            raise Broken(self._message(f"nothing that can have happened explains {why}"))
        self.worlds = found

    def _message(self, what: str) -> str:
        shown = [", ".join(f"{h}={i.topic}: {i.text!r}{' pinned' * i.pinned}" for h, i in sorted(world.items)) + f" undo {len(world.undo)}"
                 for world in list(self.worlds)[:4]]
        return "\n".join([what, "after:", *self.events[-30:], "possible before it:", *shown])


def _order(item: Item) -> tuple[str, str, bool]:
    return item.topic, item.text, item.pinned


def _told(op: Op) -> str:
    return " ".join(filter(None, (op.kind, op.handle, repr(op.text) if op.text else "", op.topic, op.key)))


def rows_of(entries: object) -> dict[str, Item]:
    """Entries as the program lists them; the same id or the same text twice is a fault."""
    assert isinstance(entries, list)
    rows = {row["id"]: Item(row["topic"], row["text"], bool(row.get("pinned"))) for row in entries}
    if len(rows) != len(entries):
        raise Broken(f"an id twice in {entries}")
    return rows


def rows_in_files(memory: Path) -> dict[str, Item]:
    """Entries as the files have them, by a reading of our own that knows only what the program writes."""
    found: dict[str, Item] = {}
    for path in sorted((memory / "topics").rglob("*.md")):
        text = path.read_bytes().decode()
        for meta, body in _BLOCK.findall(text):
            fields = json.loads(meta)
            topic = path.relative_to(memory / "topics").as_posix().removesuffix(".md")
            found.setdefault(fields["id"], Item(topic, body, bool(fields.get("pinned"))))
    return found


def check_texts(rows: Mapping[str, Item]) -> None:
    """Nothing is remembered twice."""
    texts = [item.text.strip() for item in rows.values()]
    if len(set(texts)) != len(texts):
        raise Broken(f"a text twice in {texts}")


def unexpected(problems: Iterable[Mapping[str, object]], repaired: tuple[str, ...] = ("derived", "leftover")) -> list[Mapping[str, object]]:
    """What `check` should not have found."""
    return [problem for problem in problems if problem["code"] not in repaired]
