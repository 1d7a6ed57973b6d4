"""The idle schedule against a model of it: activity, suspended machines, clock steps, two processes, a kill at every point.

Budgets are never overdrawn, no evidence is paid for twice, and no message is lost.
"""

import json
import tempfile
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from deepseedian.core.proposal import Draft
from deepseedian.core.snapshot import assemble
from deepseedian.errors import ModelFailed
from deepseedian.memory.idle import Idle
from deepseedian.memory.organize import Organizer
from deepseedian.memory.review import Batch
from deepseedian.store.ledger import Ledger
from deepseedian.store.sessions import Message, Sessions, Turn
from tests.doubles import FakeClock, Killed

RUNS, CHARS = 2, 80_000
POINTS = ("reserve", "call", "answer", "keep", "finish", "propose", "proposed", "move")
ACT = st.one_of(
    st.tuples(st.just("talk"), st.sampled_from(["a", "b"]), st.booleans()),
    st.tuples(st.just("wait"), st.sampled_from([1, 13, 700, 1500])), st.tuples(st.just("tick"), st.integers(0, 1)),
    st.tuples(st.just("tick"), st.integers(0, 1)), st.tuples(st.just("asked"), st.integers(0, 1)),
    st.tuples(st.just("activity"), st.integers(0, 1)), st.tuples(st.just("step"), st.integers(-4, 4)),
    st.tuples(st.just("next"), st.sampled_from([*POINTS, "fails", "cancels", "nonsense"])), st.tuples(st.just("edited"), st.sampled_from(["a", "b"])))


class World:
    """Two processes over one ledger and the same conversations, and a model that does what it is told."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clock = folder, FakeClock()
        self.sessions = Sessions(folder / "sessions")
        self.plan = ""  # what happens in the next run
        self.calls = 0
        self.answered: Counter[str] = Counter()
        self.proposed: set[str] = set()
        self.said: dict[str, str] = {}
        self.number = 0
        self.booked: Counter[str] = Counter()
        self.latest = ""
        self.processes = [self.process(0), self.process(1)]

    def process(self, number: int) -> Idle:
        world, ledger = self, Watched(self)
        store = SimpleNamespace(snapshot=assemble("v", {}), excluded=frozenset, seam=SimpleNamespace(clock=self.clock))
        review: Any = SimpleNamespace(store=store, language="en", propose=self.propose)
        values = {"idle.daily_runs": RUNS, "idle.daily_chars": CHARS, "idle.minutes": 12,
                  "capture.max_per_turn": 2, "capture.max_chars": 240}
        config: Any = type("Config", (), {"number": lambda self, name: values[name], "__getitem__": lambda self, name: True,
                                            "text": lambda self, name: "off", "on": lambda self, name: False})()
        organizer = Organizer(review, self.sessions, ledger, config, lambda: world)  # type: ignore[arg-type, return-value]
        organizer._rules = lambda: ""  # type: ignore[method-assign]
        return Idle(organizer, config, self.clock, lambda result: None)

    def reached(self, point: str) -> None:
        if self.plan == point:
            self.plan = ""
            raise Killed(point)

    def answer(self, system: str, user: str, schema: object, cancelled: threading.Event) -> str:
        """The model."""
        self.calls += 1
        self.reached("call")
        plan, self.plan = (self.plan, "") if self.plan in ("fails", "cancels", "nonsense") else ("", self.plan)
        if plan == "fails":
            raise ModelFailed("away", code="model_away")
        if plan == "cancels":
            for idle in self.processes:
                idle.activity()
            cancelled.set()
            raise ModelFailed("cancelled", code="cancelled")
        sources = json.loads(user.split("\n", 1)[1].rsplit("\n", 1)[0])["sources"]
        if plan == "nonsense":
            return "no"
        self.reached("answer")
        self.answered.update(source["key"] for source in sources)
        return json.dumps({"proposals": [{"operation": "add", "entries": [], "text": source["text"][:50], "reason": "said",
                                          "evidence": [{"key": source["key"], "quote": source["text"][:50]}]} for source in sources[:12]]})

    def propose(self, drafts: Sequence[Draft], origin: str) -> Batch:
        self.reached("propose")
        self.proposed.update(quote.source for draft in drafts for quote in draft.evidence)
        self.reached("proposed")
        return Batch((), "")

    def talk(self, session: str, long: bool) -> None:
        self.number += 1
        text = f"statement {self.number} " + "x" * (15_000 if long else 10)
        key = f"key-{self.number:05d}"
        self.sessions.append(Turn(session, self.clock.stamp(), (Message(key, "user", text), Message(f"{key}-b", "assistant", "ok"))))
        self.said[key] = session

    def edited(self, session: str) -> None:
        """One message of a conversation is taken out by somebody else."""
        path = self.sessions.folder / f"{session}.jsonl"
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        if lines:
            body = json.loads(lines[0])
            self.said.pop(body["messages"][0]["id"], None)
            path.write_bytes(b"".join(lines[1:]))

    def act(self, name: str, *words: Any) -> None:
        if name in ("talk", "edited"):
            getattr(self, name)(*words)
        elif name == "wait":
            self.clock.sleep(words[0] * 60)
        elif name == "step":
            self.clock.now += words[0] * 86_400
        elif name == "next":
            self.plan = words[0]
        elif name == "activity":
            self.processes[words[0]].activity()
        else:
            idle = self.processes[words[0]]
            try:
                _ = idle.tick() if name == "tick" else idle.organizer.run("asked", threading.Event())
            except Killed:
                idle.organizer.ledger.close()
                self.processes[words[0]] = self.process(words[0])

    def check(self) -> None:
        ledger = self.processes[0].organizer.ledger
        days = ledger.days(1000)
        assert all(int(str(day["runs"])) <= RUNS and int(str(day["chars"])) <= CHARS for day in days), "a budget was overdrawn"
        assert all(count <= RUNS for count in self.booked.values()), "a clock step opened a day again"
        assert sum(int(str(day["runs"])) for day in days) == sum(self.booked.values()), "a run was lost, or given back"
        assert sum(int(str(day["calls"])) for day in days) in (self.calls, self.calls + ledger.missed), "a call was not counted"  # type: ignore[attr-defined]

    def finish(self) -> None:
        """Left alone with a good model, everything that was said is read."""
        self.plan = ""
        self.talk("a", False)  # something new: what a model made nonsense of is not sent again without a reason
        for _ in range(60):
            self.clock.sleep(86_400 + 1)
            self.processes[0].activity()
            self.clock.sleep(13 * 60)
            self.act("tick", 0)
            self.check()
            if not self.processes[0].organizer.unread().messages:
                break


class Watched(Ledger):
    """The ledger, with a kill before or after each of its steps, and a book of its own about days."""

    missed = 0  # counted, and then killed before the request left

    def __init__(self, world: World) -> None:
        self.world = world
        super().__init__(world.folder / "ledger.db")

    def reserve(self, at: str, chars: int, most_runs: int, most_chars: int, kind: str = "idle") -> int:
        number = super().reserve(at, chars, most_runs, most_chars, kind)
        if number:
            self.world.latest = max(self.world.latest, at[:10])
            self.world.booked[self.world.latest] += 1
        self.world.reached("reserve")
        return number

    def keep(self, evidence: str, answer: str, messages: Any = (), *, useful: bool = True) -> None:
        super().keep(evidence, answer, messages, useful=useful)
        self.world.reached("keep")

    def finish(self, number: int, outcome: str, *, failed: bool = False) -> None:
        super().finish(number, outcome, failed=failed)
        self.world.reached("finish")

    def move(self, *words: Any) -> None:  # type: ignore[override]
        self.world.reached("move")
        super().move(*words)


@settings(max_examples=120)
@given(st.lists(ACT, max_size=30))
@example([("talk", "a", False), ("wait", 13), ("next", "keep"), ("tick", 0), ("wait", 13), ("tick", 1)])
@example([("talk", "a", False), ("wait", 13), ("next", "proposed"), ("tick", 0), ("wait", 1500), ("tick", 0)])
@example([("talk", "a", False), ("wait", 13), ("next", "cancels"), ("tick", 0), ("wait", 13), ("tick", 0), ("tick", 1)])
@example([("talk", "a", False), ("asked", 0), ("talk", "a", False), ("asked", 1), ("step", -2), ("talk", "a", False), ("asked", 0)])
@example([("talk", "a", True)] * 3 + [("asked", 0), ("edited", "a"), ("talk", "b", False), ("asked", 1), ("asked", 0)])
def test_the_schedule_against_its_model(acts: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        world = World(Path(folder))
        try:
            for act in acts:
                world.act(*act)
                world.check()
            world.finish()
            assert max(world.answered.values(), default=0) <= 1, "the same evidence was paid for twice"
            assert {*world.said} <= world.proposed, "a message was lost"
        finally:
            for idle in world.processes:
                with suppress(Exception):
                    idle.organizer.ledger.close()
