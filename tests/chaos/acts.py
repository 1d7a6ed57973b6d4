"""What owners do, as rules for a Hypothesis state machine: the acts that every machine of this folder shares.

A machine says how to ask (`ask`) and how to look (`rows`); the acts ask, and tell the history what was answered.
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from tests.chaos.history import OK, History, Item, Op, check_texts
from tests.counts import count

LOST = ""
GONE_SINCE = ("not_found",)  # what a request made once is told when its entry is gone by now
TEXTS = ("note {n}", "第{n}条：周会改到周五", "```\ncode {n}", "  spaces {n}  \n\nand more ", "- [x] done {n}", "a --> b <!-- c {n}",
         "windows {n}\r\nline", "# heading {n}\n---\nkey: [", "<div>\n{n}", "~~~ {n}\n> ~~~", "tab\t{n}\t", "é e\u0301 {n}")
TOPICS = ("general", "work", "home/garden")
texts, topics, numbers = st.sampled_from(TEXTS), st.sampled_from(TOPICS), st.integers(0, 30)


@dataclass(frozen=True)
class Answer:
    """`code` is "ok", an error's code, or LOST; `alive`: whoever was asked may still do it."""

    code: str
    document: Mapping[str, Any]
    alive: bool = False


def request(op: Op, entry_id: str) -> tuple[str, dict[str, object]]:
    """The operation's name on the wire and its values."""
    values: dict[str, object] = {"key": op.key} if op.key else {}
    if op.kind == "save":
        return "remember", values | {"text": op.text, "topic": op.topic}
    if op.kind == "approve":
        return "decide", {"id": entry_id, "decision": "approve"}
    if op.kind in ("undo", "redo"):
        return op.kind, {}
    own: dict[str, dict[str, object]] = {"edit": {"text": op.text}, "move": {"topic": op.topic}, "pin": {"on": op.on}, "forget": {}}
    return op.kind, values | {"id": entry_id} | own[op.kind]


class Acts(RuleBasedStateMachine):
    """One vault and its history."""

    passing: frozenset[str] = frozenset()

    def __init__(self) -> None:
        super().__init__()
        self.history = History()
        self.repeatable: list[tuple[Op, str]] = []
        self.count = 0

    # What a machine must be able to do

    @abstractmethod
    def ask(self, operation: str, values: dict[str, object]) -> Answer:
        """The answer to one request."""

    @abstractmethod
    def rows(self) -> dict[str, Item] | None:
        """What is served now, None when nobody serves."""

    def may(self) -> bool:
        """Whether somebody is there to be asked."""
        return True

    # The acts

    def do(self, op: Op, entry_id: str = "") -> Answer:
        if not self.may():
            return Answer("not asked", {})
        if op.key:
            self.repeatable = [*self.repeatable[-3:], (op, entry_id)]
        answer = self.ask(*request(op, entry_id))
        if answer.code == LOST:
            self.history.lost(op, alive=answer.alive)
        else:
            named = str(answer.document.get("id", "")) if op.kind == "save" else ""
            self.history.answered(op, answer.code, self.passing, named)
        self.look()
        return answer

    def look(self) -> None:
        rows = self.rows()
        if rows is not None:
            check_texts(rows)
            self.history.seen(rows)

    def next(self) -> int:
        self.count += 1
        return self.count

    def chosen(self, number: int) -> str:
        """Mostly an entry that is there, else one that once was; one that never was when there is none."""
        known = sorted(self.history.ids)
        there = sorted({handle for world in self.history.worlds for handle, _ in world.items} & {*known})
        found = there if there and number % 4 else known or ["nobody"]
        return found[number % len(found)]

    def id_of(self, handle: str) -> str:
        return self.history.ids.get(handle, "99999999-0000-4000-8000-000000000000")

    def op(self, kind: str, **values: Any) -> Op:
        number = self.next()
        return Op(kind, key=f"k{number}", **values)

    @rule(text=texts, topic=topics)
    def save(self, text: str, topic: str) -> None:
        number = self.next()
        self.do(Op("save", f"h{number}", text.format(n=number), topic, key=f"k{number}"))

    @rule(number=numbers)
    def save_again(self, number: int) -> None:
        """The same text once more is the same entry."""
        items = sorted((item for world in self.history.worlds for _, item in world.items), key=str)
        if items:
            item = items[number % len(items)]
            self.do(self.op("save", handle=f"h{self.count + 1}", text=item.text, topic=item.topic))

    @rule(number=numbers, text=texts)
    def edit(self, number: int, text: str) -> None:
        handle = self.chosen(number)
        self.do(self.op("edit", handle=handle, text=text.format(n=self.count + 1)), self.id_of(handle))

    @rule(number=numbers, topic=topics)
    def move(self, number: int, topic: str) -> None:
        handle = self.chosen(number)
        self.do(self.op("move", handle=handle, topic=topic), self.id_of(handle))

    @rule(number=numbers, on=st.booleans())
    def pin(self, number: int, on: bool) -> None:
        handle = self.chosen(number)
        self.do(self.op("pin", handle=handle, on=on), self.id_of(handle))

    @rule(number=numbers)
    def forget(self, number: int) -> None:
        handle = self.chosen(number)
        self.do(self.op("forget", handle=handle), self.id_of(handle))

    @rule()
    def undo(self) -> None:
        self.do(Op("undo"))

    @rule()
    def redo(self) -> None:
        self.do(Op("redo"))

    @rule(text=texts, topic=topics)
    def propose_and_approve(self, text: str, topic: str) -> None:
        if not self.may():
            return
        number = self.next()
        op = Op("approve", f"h{number}", text.format(n=number), topic)
        made = self.ask("propose", {"text": op.text, "topic": op.topic, "reason": "asked for", "operation": "add"})
        found = made.document.get("proposals")
        if made.code == OK and found:
            self.look()
            self.do(op, found[0])

    @rule(number=numbers)
    def repeat(self, number: int) -> None:
        """The same request with its key once more, as after a lost answer."""
        if not self.repeatable or not self.may():
            return
        op, entry_id = self.repeatable[number % len(self.repeatable)]
        count("requests repeated")
        answer = self.ask(*request(op, entry_id))
        if answer.code == LOST:
            self.history.lost(op, alive=answer.alive)
        else:
            self.history.answered(op, answer.code, GONE_SINCE)
        self.look()
