"""Conversations against a plain model: two programs, kills in the middle of a line, lines that nobody of ours wrote."""

import json
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from deepseedian.errors import Conflict, DeepseedianError, NotFound
from deepseedian.store.session_log import RANGE_FAULT, Log
from deepseedian.store.sessions import Sessions, checked
from tests import counts

NOW = "2026-11-30T09:00:00.000Z"
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # thousands of flushes
NAMES = ("one", "two")
NONSENSE = (b"", b"null", b"[]", b"5", b"\xff\xfe{", b"{" * 3000, b'{"session":"one"}', b'{"session":5,"at":"x","messages":[]}',
            b'{"session":"three","at":"x","messages":[{"id":"i","role":"user","text":"not ours"}]}',
            b'{"session":"one","at":"x","messages":[{"id":"i","role":"wizard","text":"x"}]}',
            b'{"session":"one","at":"x","messages":[{"id":"i","role":"user","text":7}]}', b'{"session":"two","at":"x","kind":["end"]}',
            b'{"kind":"end","session":"one","at":"x","turn":"nobody","state":"done","messages":[]}',
            b'{"kind":"later","session":"two","at":"x","messages":[{"id":"i","role":"user","text":"of a newer version"}]}',
            b'{"kind":"begin","session":"one","at":"x","turn":"","parent":"","messages":[]}')


class Conversations(RuleBasedStateMachine):
    """The model: session → its turns as [id, parent, question, answer, state, inherited], switches, and what contributes."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(dir=MEMORY))
        self.turns: dict[str, list[list[object]]] = {}
        self.said: dict[str, list[tuple[str, bool]]] = {}
        self.settings: dict[str, dict[str, object]] = {}
        self.number = 0
        self.stores = [self._store(), self._store()]

    def _store(self) -> Sessions:
        return Sessions(self.root / "s", device="d", stamp=lambda: NOW)

    def teardown(self) -> None:
        counts.count("acts on conversations", self.number)
        shutil.rmtree(self.root)

    def _new(self, session: str) -> None:
        self.turns.setdefault(session, [])
        self.said.setdefault(session, [])
        self.settings.setdefault(session, {"title": "", "goal": "", "reads": True, "contributes": True, "from": None})

    @initialize()
    def first(self) -> None:
        self.begin("one", "first question", 0, 0)

    @rule(session=st.sampled_from(NAMES), text=TEXT, parent=st.integers(0, 5), who=st.integers(0, 1))
    def begin(self, session: str, text: str, parent: int, who: int) -> None:
        self._new(session)
        self.number += 1
        known = [str(turn[0]) for turn in self.turns[session]]
        before = known[-parent] if 0 < parent <= len(known) else ""
        turn = self.stores[who].begin(session, f"t{self.number}", before, text)
        assert (turn.question, turn.parent, turn.state) == (text, before, "running")
        self.turns[session].append([turn.id, before, text, "", "running" if who == 0 else "interrupted", False])
        self.said[session].append((text, True))

    @precondition(lambda self: any(turn[4] in ("running", "interrupted") and not turn[5] for turns in self.turns.values() for turn in turns))
    @rule(data=st.data(), answer=TEXT, state=st.sampled_from(["done", "stopped", "failed"]), who=st.integers(0, 1))
    def end(self, data: st.DataObject, answer: str, state: str, who: int) -> None:
        waiting = [(name, turn) for name, turns in self.turns.items() for turn in turns if turn[4] in ("running", "interrupted") and not turn[5]]
        session, turn = data.draw(st.sampled_from(waiting))
        self.number += 1
        assert self.stores[who].end(session, str(turn[0]), state, answer).answer == answer
        turn[3], turn[4] = answer, state
        if answer:
            self.said[session].append((answer, False))

    @rule(session=st.sampled_from(NAMES), text=TEXT, who=st.integers(0, 1))
    def observe(self, session: str, text: str, who: int) -> None:
        self._new(session)
        self.number += 1
        given = checked(session, f"2026-11-30T09:00:00.{self.number}Z", [{"role": "user", "text": text}], {}, NOW)
        assert self.stores[who].append(given) and not self.stores[1 - who].append(given)
        last = str(self.turns[session][-1][0]) if self.turns[session] else ""
        self.turns[session].append([self.stores[0].turns(session)[-1].id, last, text, "", "done", False])
        self.said[session].append((text, True))

    @rule(session=st.sampled_from(NAMES), goal=TEXT, reads=st.booleans(), contributes=st.booleans(), start=st.sampled_from([None, "now", "all"]),
          who=st.integers(0, 1))
    def set(self, session: str, goal: str, reads: bool, contributes: bool, start: str | None, who: int) -> None:
        self._new(session)
        self.number += 1
        more = {"contribute_from": start} if start else {}
        self.stores[who].set(session, goal=goal, reads=reads, contributes=contributes, **more)
        self.settings[session] |= {"goal": goal.strip(), "reads": reads, "contributes": contributes}
        if start:
            self.settings[session]["from"] = len(self.said[session]) if start == "now" else None

    @precondition(lambda self: any(turn[4] == "done" and turn[3] for turns in self.turns.values() for turn in turns))
    @rule(data=st.data(), who=st.integers(0, 1))
    def fork(self, data: st.DataObject, who: int) -> None:
        done = [(name, str(turn[0])) for name, turns in self.turns.items() for turn in turns if turn[4] == "done" and turn[3]]
        session, turn = data.draw(st.sampled_from(done))
        self.number += 1
        name = f"fork{self.number}"
        about = self.stores[who].fork(session, turn, name)
        assert about.title.endswith("）") and about.fork == {"session": session, "turn": turn}
        self._new(name)
        path, known = [], {str(one[0]): one for one in self.turns[session]}
        while turn:
            path.append(known[turn])
            turn = str(known[turn][1])
        for one in path[::-1]:
            self.turns[name].append([*one[:4], "interrupted" if one[4] == "running" else one[4], True])
            self.said[name] += [(str(text), False) for text in (one[2], one[3]) if text or text is one[2]]
        old = self.settings[session]
        self.settings[name] |= {"goal": old["goal"], "reads": old["reads"], "contributes": old["contributes"]}

    @rule(data=st.data(), who=st.integers(0, 1))
    def fork_of_what_is_not_done(self, data: st.DataObject, who: int) -> None:
        other = [(name, str(turn[0])) for name, turns in self.turns.items() for turn in turns if turn[4] != "done" or not turn[3]]
        if other:
            session, turn = data.draw(st.sampled_from(other))
            with pytest.raises(Conflict):
                self.stores[who].fork(session, turn, "never")
        with pytest.raises(NotFound):
            self.stores[who].fork("one", "nobody", "never")

    @rule(data=st.data(), part=st.floats(0, 1), line=st.sampled_from(NONSENSE))
    def torn(self, data: st.DataObject, part: float, line: bytes) -> None:
        """A kill in the middle of a line, or a line of somebody else."""
        path = self.root / "s" / f"{data.draw(st.sampled_from(sorted(self.turns)))}.jsonl"
        whole = json.dumps({"kind": "begin", "session": path.stem, "at": NOW, "turn": "torn", "parent": "",
                            "messages": [{"id": "i", "role": "user", "text": "never acknowledged"}]}).encode()
        with path.open("ab") as file:
            file.write(b"\n" + line + b"\n" + whole[: int(part * (len(whole) - 1))])

    @precondition(lambda self: len(self.turns) > 2)
    @rule(data=st.data(), who=st.integers(0, 1))
    def delete(self, data: st.DataObject, who: int) -> None:
        idle = [name for name, turns in self.turns.items() if name != "one" and not any(turn[4] in ("running", "interrupted") for turn in turns)]
        if idle:
            name = data.draw(st.sampled_from(idle))
            self.stores[who].delete(name)
            for known in (self.turns, self.said, self.settings):
                del known[name]

    @rule()
    def restart(self) -> None:
        """The first program ends and starts again: what it was at is interrupted."""
        self.stores[0] = self._store()
        for turn in (turn for turns in self.turns.values() for turn in turns if turn[4] == "running"):
            turn[4] = "interrupted"

    @invariant()
    def all_is_as_it_was_said(self) -> None:
        for store in (*self.stores, self._store()):
            assert {about.id for about in store.list(0, 1000).sessions} == {*self.turns}
            for name, turns in self.turns.items():
                found = [[turn.id, turn.parent, turn.question, turn.answer] for turn in store.turns(name)]
                assert found == [turn[:4] for turn in turns]
                about, known = store.about(name), self.settings[name]
                assert (about.goal, about.reads, about.contributes, about.fault) == (known["goal"], known["reads"], known["contributes"], "")
                start = known["from"] or 0
                own = [text for text, own in self.said[name][start:] if own] if known["contributes"] else []  # type: ignore[misc]
                assert [message.text for message in store.contributing(name)] == own
        states = {turn.id: turn.state for name in self.turns for turn in self.stores[0].turns(name) if not turn.inherited}
        assert states == {turn[0]: turn[4] for turns in self.turns.values() for turn in turns if not turn[5]}


TestConversations = Conversations.TestCase
TestConversations.settings = settings(max_examples=15, stateful_step_count=50, deadline=None)

WORDS = st.sampled_from(["c", "C", "other", "user", "assistant", "tool", "done", "failed", "running", "begin", "end", "set", "fork", "inherited",
                         "device", "t1", "t2", NOW, "", "\ud800", "\ud83d\ude00", "x" * 5000])
VALUES = st.recursive(WORDS | st.none() | st.booleans() | st.integers(-3, 10**30) | st.floats(), lambda inner: st.lists(inner, max_size=3)
                      | st.dictionaries(st.sampled_from(["id", "role", "text", "sender", "index", "key", "session", "turn", "manifest"]), inner, max_size=4), max_leaves=6)
MESSAGE = st.fixed_dictionaries({"id": WORDS, "role": st.sampled_from(["user", "assistant", "tool"]), "text": WORDS})
FIELDS = {"kind": WORDS | VALUES, "at": st.just(NOW) | VALUES, "turn": WORDS | VALUES, "parent": WORDS | VALUES, "state": WORDS | VALUES,
          "messages": st.lists(MESSAGE, max_size=3) | VALUES, "extra": VALUES, "title": WORDS | VALUES, "goal": WORDS | VALUES, "reads": VALUES,
          "contributes": VALUES, "contribute_from": VALUES, "from": VALUES, "number": VALUES, "time": WORDS | VALUES, "ended": WORDS | VALUES,
          "device": WORDS | VALUES, "preset": WORDS | VALUES}
LINES = st.lists(st.fixed_dictionaries({"session": st.sampled_from(["c", "c", "c", "C", "other"])}, optional=FIELDS).map(
    lambda body: json.dumps(body).encode()) | st.binary(max_size=60), max_size=8)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(lines=LINES)
def test_any_lines_are_read_shown_and_gone_on_with(lines: list[bytes]) -> None:
    """Whatever a file holds, it is listed, read and cleaned without an error, and what is said afterwards is all there."""
    folder = Path(tempfile.mkdtemp(dir=MEMORY))
    store = Sessions(folder, device="d", stamp=lambda: NOW)
    (folder / "c.jsonl").write_bytes(b"\n".join(lines))
    for shown in (store.about("c").document(), *(turn.document() for turn in store.turns("c")), *(turn.document() for turn in store.branch("c"))):
        json.dumps(shown, ensure_ascii=False).encode()
    known = {turn.id for turn in store.turns("c")}
    assert all(turn.parent in known | {""} for turn in store.turns("c")) and not any(turn.inherited and turn.contributes for turn in store.turns("c"))
    store.search("x user")
    before = store.messages("c")
    store.begin("c", "mine", "", "said after all that")
    store.end("c", "mine", "done", "and answered")
    assert [message.text for message in Sessions(folder, device="d").messages("c")] == [
        *(message.text for message in before), "said after all that", "and answered"]
    store.fork("c", "mine", "f")
    store.erase(lambda key, text: text.replace("x" * 5000, "(erased)").replace("said after", "(gone)"))
    assert store.branch("f")[-1].question == "(gone) all that" and b"x" * 5000 not in b"".join(path.read_bytes() for path in folder.glob("*.jsonl"))
    shutil.rmtree(folder)


@given(changes=st.lists(st.tuples(st.integers(0, 7), st.sampled_from(["text", "drop", "swap", "role"])), min_size=1, max_size=3))
@settings(deadline=None)
def test_no_change_of_what_came_before_the_range_goes_unseen(changes: list[tuple[int, str]]) -> None:
    """Whatever is done to the messages before it, either they are the same or nothing contributes."""
    def read(lines: list[dict[str, object]]) -> Log:
        log = Log("c", "d")
        for line in lines:
            log.add(json.dumps(line).encode())
        return log

    lines: list[dict[str, object]] = [{"session": "c", "at": NOW, "messages": [{"id": f"i{n}", "role": "user", "text": f"text {n % 3}"}]} for n in range(8)]
    index, key = read(lines).range()
    start: dict[str, object] = {"kind": "set", "session": "c", "at": NOW, "contribute_from": {"index": index, "key": key}}
    after: dict[str, object] = {"session": "c", "at": NOW, "messages": [{"id": "z", "role": "user", "text": "after"}]}
    whole = [(message.role, message.text) for message in read(lines).messages()]
    for place, change in changes:
        place = min(place, len(lines) - 1)
        if change == "drop" and len(lines) > 1:
            lines.pop(place)
        elif change == "swap":
            lines[place], lines[0] = lines[0], lines[place]
        else:
            message = dict(lines[place]["messages"][0])  # type: ignore[index]
            message |= {"text": message["text"] + "!"} if change == "text" else {"role": "tool"}
            lines[place] = lines[place] | {"messages": [message]}
    now = read([*lines, start, after])
    same = [(message.role, message.text) for message in read(lines).messages()] == whole
    assert [message.text for message in now.contributing()] == (["after"] if same else []) and now.fault() == ("" if same else RANGE_FAULT)


def test_a_huge_file_is_named_and_hides_no_other(tmp_path: Path) -> None:
    store = Sessions(tmp_path / "s")
    store.begin("good", "a", "", "hello")
    with (tmp_path / "s/huge.jsonl").open("wb") as file:
        file.truncate(300 * 1024 * 1024)
    (tmp_path / "s/link.jsonl").symlink_to(tmp_path / "s/good.jsonl")
    (tmp_path / "s/folder.jsonl").mkdir()
    assert {about.id: bool(about.fault) for about in store.list().sessions} == {"good": False, "huge": True}
    assert [about.id for about in store.search("hello").sessions] == ["good"]
    for act in (lambda: store.begin("huge", "a", "", "x"), lambda: store.turns("huge"), lambda: store.begin("link", "a", "", "x")):
        with pytest.raises(DeepseedianError):
            act()
    assert (tmp_path / "s/huge.jsonl").stat().st_size == 300 * 1024 * 1024 and len(store.turns("good")) == 1
