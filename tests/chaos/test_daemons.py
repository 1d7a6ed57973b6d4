"""Real daemons and commands on one vault, killed, frozen and edited beside: every answer must hold afterwards."""

import json
import re
import shutil
import signal
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test

from deepseedian.errors import DeepseedianError
from deepseedian.sidecar import Sidecar, initialise
from tests.chaos import acts
from tests.chaos.acts import LOST, Answer, numbers, request, texts, topics
from tests.chaos.history import OK, Broken, Item, Op, rows_in_files, rows_of, unexpected
from tests.chaos.processes import WAYS, Process, run, synced
from tests.commands import until
from tests.counts import count

# Not made smaller: processes take their time, and what they do depends on it. The steps are printed as they were.
SETTINGS = settings(max_examples=50, stateful_step_count=15, deadline=None, print_blob=True, suppress_health_check=list(HealthCheck),
                    phases=(Phase.explicit, Phase.reuse, Phase.generate), report_multiple_bugs=False)
POINTS = ("after_staging", "before_record", "after_record", "before_exchange", "after_exchange", "after_swap_0", "after_swap_1",
          "after_install", "after_commit")
BLOCK = re.compile(r"(<!-- deepseedian-entry [^\n]* -->(\n.*?\n)<!-- /deepseedian-entry -->\n)", re.S)
Way = Callable[[Path, bytes, Path], None]
SILENT = 0.25  # what a caller waits for a frozen daemon
SETTLED = 15.0


class Daemons(acts.Acts):
    """A vault with a daemon most of the time; without one, commands open the vault themselves."""

    base: Path
    made = 0

    def __init__(self) -> None:
        super().__init__()
        type(self).made += 1
        self.vault = self.base / str(self.made)
        self.memory = Path(str(initialise(self.vault)["memory"]))
        self.daemon: Process | None = Process.started(self.vault)
        self.waiting = 0  # requests that a frozen daemon has not answered
        self.versions: dict[str, list[bytes]] = {}
        self.lines: dict[str, list[str]] = {}
        self.disturbed = False

    # Asking and looking

    @property
    def frozen(self) -> bool:
        return self.daemon is not None and self.daemon.frozen

    def may(self) -> bool:
        return not self.frozen or self.waiting < 2

    def ask(self, operation: str, values: dict[str, object]) -> Answer:
        count("acts over real daemons")
        return self.asked(operation, values)

    def asked(self, operation: str, values: dict[str, object]) -> Answer:
        if self.daemon is not None and not self.daemon.alive:
            self.buried()
        if self.daemon is None:
            return self.locally(operation, values)
        answer = self.daemon.ask(operation, values, SILENT if self.frozen else 30.0)
        if answer.code == "daemon_away":  # it has died of its own since: a command opens the vault itself then
            self.buried()
            return self.locally(operation, values)
        self.waiting += answer.code == LOST and self.frozen
        return answer

    def surely(self, operation: str, values: dict[str, object]) -> Answer:
        """Something that may be asked twice."""
        answer = self.asked(operation, values)
        return self.asked(operation, values) if answer.code == LOST else answer

    def locally(self, operation: str, values: dict[str, object]) -> Answer:
        """What a command does without a daemon, in this process."""
        sidecar = Sidecar.open(self.vault)
        try:
            return Answer(OK, getattr(sidecar, operation)(**values))
        except DeepseedianError as error:
            return Answer(error.code, error.document())
        finally:
            sidecar.close()

    def look(self) -> None:
        if self.daemon is not None and not self.daemon.alive:
            self.buried()
        super().look()
        self.keep_versions()

    def buried(self) -> None:
        assert self.daemon is not None
        assert self.daemon.process.returncode == -signal.SIGKILL, self.daemon.output()
        self.daemon.close()
        self.daemon, self.waiting = None, 0
        self.history.died()

    def rows(self) -> dict[str, Item] | None:
        if self.frozen:
            return None
        if self.disturbed:
            self.settle()
        rows = self.served()
        if self.daemon is None or not any(world.pending for world in self.history.worlds):
            files = rows_in_files(self.memory)
            assert rows == files, f"served: {rows}, in the files: {files}"
        return rows

    def served(self) -> dict[str, Item]:
        answer = self.surely("entries", {})
        assert answer.code == OK, answer
        return rows_of(answer.document["entries"])

    def settle(self) -> None:
        """After somebody else's save: what is served becomes what the files say. Many losses at once wait for the owner."""
        def same() -> bool:
            return self.served() == rows_in_files(self.memory) or (self.suspected() and self.accepted())

        if not until(same, SETTLED):
            files = {path.name: path.read_bytes() for path in self.memory.rglob("*.md")}
            raise Broken("\n".join(map(str, (f"served: {self.served()}", f"files: {rows_in_files(self.memory)}", *files.items(),
                                             self.surely("status", {}).document["health"], *self.history.events))))
        self.disturbed = False

    def suspected(self) -> bool:
        asked = self.surely("status", {})
        return any(fault["code"] == "file_mass_change" for fault in asked.document["health"]["faults"])

    def accepted(self) -> bool:
        refused = self.surely("remember", {"text": "nothing is written until the owner decides"})
        assert refused.code == "memory_unknown", refused
        count("mass changes accepted")
        return self.surely("check", {"accept": True}).code == OK and self.served() == rows_in_files(self.memory)

    def keep_versions(self) -> None:
        if not self.frozen:
            for path in sorted((self.memory / "topics").rglob("*.md")):
                kept, data = self.versions.setdefault(path.relative_to(self.memory).as_posix(), []), path.read_bytes()
                if data not in kept:
                    kept.append(data)
                for line in self.lines.get(path.name, []):
                    assert line.encode() in data, f"a line of the owner is gone: {line}"

    # Processes. Every rule can always be drawn: what the processes do in time must not change what is drawn next.

    @rule()
    def kill(self) -> None:
        if self.daemon is None:
            self.start()
        else:
            self.daemon.kill()
            self.look()

    @rule(text=texts, topic=topics, wait=st.floats(0, 0.012))
    def kill_in_the_middle(self, text: str, topic: str, wait: float) -> None:
        self.awake()
        assert self.daemon is not None
        killer = threading.Timer(wait, self.daemon.kill)
        killer.start()
        try:
            self.save(text, topic)
        finally:
            killer.join()
        self.look()

    def awake(self) -> None:
        """A daemon runs."""
        if self.frozen:
            self.thaw()
        if self.daemon is None:
            self.start()

    @rule()
    def start(self) -> None:
        if self.daemon is None:
            self.daemon = Process.started(self.vault)
            self.look()

    @rule(point=st.sampled_from(POINTS), text=texts, topic=topics)
    def die_at(self, point: str, text: str, topic: str) -> None:
        """The next change dies at this very place, and the next to open the vault completes or removes it."""
        self.leave()
        self.daemon = Process.started(self.vault, DEEPSEEDIAN_FAILPOINT=point)
        self.save(text, topic)
        if self.daemon is not None:
            self.daemon.kill()
        else:
            count("deaths at a named point")
        self.look()

    @rule()
    def stop(self) -> None:
        self.leave()
        self.look()

    def leave(self) -> None:
        if self.frozen:
            self.thaw()
        if self.daemon is not None:
            assert self.daemon.stop() == 0, self.daemon.output()
            self.daemon.close()
            self.daemon = None
            self.history.died()

    @rule()
    def freeze(self) -> None:
        if self.frozen:
            self.thaw()
        elif self.daemon is not None:
            self.daemon.freeze()

    @rule()
    def thaw(self) -> None:
        if self.daemon is not None and self.frozen:
            self.daemon.thaw()
            self.waiting = 0
            self.look()

    @rule()
    def second_daemon(self) -> None:
        self.awake()
        done = run(self.vault, "run")
        assert done.returncode == 4 and json.loads(done.stdout)["error"]["code"] == "already_running", done
        self.look()

    # Several at once, and again

    @rule(text=texts, topic=topics)
    def command_line(self, text: str, topic: str) -> None:
        if self.frozen:
            self.thaw()
        number = self.next()
        op = Op("save", f"h{number}", text.format(n=number), topic)
        code, entry_id = self.commanded(op)
        self.history.answered(op, code, (), entry_id)
        self.look()

    def commanded(self, op: Op) -> tuple[str, str]:
        count("command lines")
        done = run(self.vault, "remember", "--topic", op.topic, "--", op.text)
        document = json.loads(done.stdout)
        return (OK, document["id"]) if done.returncode == 0 else (document["error"]["code"], "")

    @rule(kinds=st.lists(st.sampled_from(("save", "edit", "forget", "pin", "move", "undo")), min_size=2, max_size=4), number=numbers, text=texts)
    def at_once(self, kinds: Sequence[str], number: int, text: str) -> None:
        """Callers of the daemon and a command line beside it, all at the same moment."""
        self.awake()
        ops = [self.one_of(kind, number + place // 2, text) for place, kind in enumerate(kinds)]
        beside = Op("save", f"h{self.next()}", f"beside {self.count}", "work")
        answers = [LOST] * len(ops)

        def call(place: int) -> None:
            assert self.daemon is not None
            answers[place] = self.daemon.ask(*request(ops[place], self.id_of(ops[place].handle))).code

        callers = [threading.Thread(target=call, args=(place,)) for place in range(len(ops))]
        for caller in callers:
            caller.start()
        code, _ = self.commanded(beside)
        for caller in callers:
            caller.join()
        count("acts over real daemons", len(ops))
        self.history.together([*zip(ops, answers, strict=True), (beside, code)], {"busy"})
        self.look()

    def one_of(self, kind: str, number: int, text: str) -> Op:
        own = self.next()
        if kind == "undo":
            return Op("undo")
        if kind == "save" or not self.history.ids:
            return Op("save", f"h{own}", text.format(n=own), "work", key=f"k{own}")
        return Op(kind, self.chosen(number), text.format(n=own), acts.TOPICS[own % 3], bool(own % 2), f"k{own}")

    # Files

    def calm(self) -> bool:
        """No request is on its way, so that an edit of a file has one meaning."""
        if self.frozen:
            self.thaw()
        if any(world.pending for world in self.history.worlds):
            self.leave()
            self.look()
        return bool(self.versions)

    def outside(self, name: str, data: bytes, way: Way) -> None:
        before = rows_in_files(self.memory)
        way(self.memory / name, data, self.base)
        count("saves by others")
        after = rows_in_files(self.memory)
        if after != before:
            self.history.outside(after)
            self.disturbed = True
        self.look()

    @rule(number=numbers, way=st.sampled_from(WAYS), what=st.sampled_from(("change", "add", "remove", "prose")))
    def edit_outside(self, number: int, way: Way, what: str) -> None:
        if not self.calm():
            return
        name = sorted(self.versions)[number % len(self.versions)]
        path = self.memory / name
        if path.exists():
            own = self.next()
            line = f"A line of the owner, {own}."
            self.lines.setdefault(path.name, []).append(line)
            text = rewritten(path.read_bytes().decode(), what, number, own)
            self.outside(name, f"{text}\n{line}\n".encode(), way)

    @rule(number=numbers)
    def sync(self, number: int) -> None:
        """Another machine's version of a whole topic, older or newer than ours."""
        if not self.calm():
            return
        name = sorted(self.versions)[number % len(self.versions)]
        path, kept = self.memory / name, self.versions[name]
        data = kept[number % len(kept)]
        others = [(key, item.text) for key, item in rows_in_files(self.memory).items() if f"topics/{item.topic}.md" != name]
        if not path.exists() or any(part.encode() in data for pair in others for part in pair):
            return  # an entry twice: that is reported, and another test's business
        self.lines[path.name] = [line for line in self.lines.get(path.name, []) if line.encode() in data]
        self.outside(name, data, synced)

    # Care

    @rule()
    def check(self) -> None:
        if self.frozen:
            self.thaw()
        answer = self.surely("check", {})
        assert answer.code == OK, answer
        assert not unexpected(answer.document["problems"]), answer
        self.look()

    def teardown(self) -> None:
        try:
            if self.frozen:
                self.thaw()
            if self.daemon is None:
                self.start()
            self.check()
            while self.do(Op("undo")).code == OK:
                count("undo steps at the end")
            self.check()
        finally:
            if self.daemon is not None:
                self.daemon.close()
            shutil.rmtree(self.vault, ignore_errors=True)


def rewritten(text: str, what: str, number: int, own: int) -> str:
    """The topic after an owner has changed or removed an entry by hand, or pasted one from another device."""
    blocks = BLOCK.findall(text)
    if what == "add":
        return f"{text}\n{block(own)}"
    if what == "prose" or not blocks:
        return text
    whole, body = blocks[number % len(blocks)]
    return text.replace(whole, "" if what == "remove" else whole.replace(body, f"\nedited outside {own}\n"), 1)


def block(number: int) -> str:
    """An entry as another device has written it."""
    created = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    marker = f'{{"id":"{number:08x}-0000-4000-8000-0000000000ff","createdAt":"{created}","source":"another device"}}'
    return f"<!-- deepseedian-entry {marker} -->\nwritten elsewhere {number}\n<!-- /deepseedian-entry -->\n"


def test_every_answer_holds_whatever_happens_to_daemons_and_files(base: Path) -> None:
    machine = type("Daemons", (Daemons,), {"base": base})
    run_state_machine_as_test(machine, settings=SETTINGS)
