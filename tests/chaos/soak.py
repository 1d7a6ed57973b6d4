"""The soak: everything at once for as long as you like, half an hour unless told otherwise.

    scripts/soak [MINUTES] [--seed N]

On one vault two editors save in their four ways, a sync tool replaces a topic with another machine's versions and
leaves conflict copies, a caller remembers and forgets, a conversation goes on beside a scripted model with the
shortest idle time, command lines run, and the daemon is killed at random. On vaults beside it short random
histories of acts, kills, freezes and edits run under the checker of histories. At the end the daemon must be small
and quiet. One summary line; exit status 1 at any violation, each of which is printed with the seed.
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from deepseedian.sidecar import initialise
from tests.chaos.acts import LOST, TEXTS, TOPICS
from tests.chaos.history import OK, rows_in_files, rows_of, unexpected
from tests.chaos.processes import WAYS, Process, in_place, run, synced
from tests.chaos.test_daemons import POINTS, Daemons, block
from tests.commands import until
from tests.scripted import Script, served

# Measured after four minutes: 61 MB, 24 descriptors, 8 threads; while busy the server may have 40 workers more.
MEMORY_MB, DESCRIPTORS, THREADS, IDLE_PERCENT = 200, 64, 64, 2.0
KEPT = 30
ANSWER = {"proposals": [{"operation": "add", "entries": [], "text": "Release on Mondays.", "kind": "decision", "reason": "said so",
                         "evidence": [{"key": "none", "quote": "never said"}]}]}


class Soak:
    """One long-lived vault, its daemon, and everybody who is at it."""

    def __init__(self, base: Path, seed: int, seconds: float, model: Script) -> None:
        self.summary = "not measured"
        self.base, self.seed, self.seconds, self.model = base, seed, seconds, model
        self.vault = base / "vault"
        self.memory = Path(str(initialise(self.vault)["memory"]))
        self.daemon = Process.started(self.vault)
        self.counts: Counter[str] = Counter()
        self.violations: list[str] = []
        self.ended = threading.Event()
        self.changing = threading.Lock()  # the daemon is being killed and started, or asked

    def run(self) -> None:
        work = (self.edit_one, self.edit_two, self.sync, self.keep, self.talk, self.kill, self.command)
        threads = [threading.Thread(target=self.guarded, args=(part, number)) for number, part in enumerate(work)]
        for thread in threads:
            thread.start()
        self.guarded(self.histories, 99)
        for thread in threads:
            thread.join()
        self.guarded(self.final, 100)

    def guarded(self, part: Callable[[random.Random], None], number: int) -> None:
        try:
            part(random.Random(self.seed * 1000 + number))
        except BaseException:
            self.violations.append(f"{part.__name__}:\n{traceback.format_exc()}")
            self.ended.set()

    def pause(self, chance: random.Random, most: float) -> bool:
        """Wait a random while; True while the soak goes on."""
        return not self.ended.wait(chance.uniform(0, most))

    def ask(self, operation: str, values: dict[str, object]) -> object:
        """Asked again, with the same key, until there is an answer; the document, or the code of a refusal."""
        for _ in range(100):
            with self.changing:
                daemon = self.daemon
            answer = daemon.ask(operation, values)
            if answer.code == OK:
                return answer.document
            if answer.code not in (LOST, "busy", "daemon_away", "memory_unknown"):  # a file that an editor renames away is missing for a moment
                return answer.code
            self.counts["asked again"] += 1
            time.sleep(0.05)
        raise AssertionError(f"{operation} was never answered; the last was {answer}")

    # Who is at it

    def edit_one(self, chance: random.Random) -> None:
        self.edit("editor one", chance)

    def edit_two(self, chance: random.Random) -> None:
        self.edit("editor two", chance)

    def edit(self, name: str, chance: random.Random) -> None:
        """An owner's file: whatever the daemon does, the bytes are those of the last save."""
        path, number = self.memory / f"topics/{name}.md", 0
        path.parent.mkdir(exist_ok=True)
        meta = json.dumps({"id": f"{len(name):08x}-0000-4000-8000-0000000{ord(name[-3]):05x}", "createdAt": "2026-01-02T03:04:05Z", "source": name})
        data = b""
        while self.pause(chance, 0.6):
            assert not data or path.read_bytes() == data, f"{name}: its file was changed by somebody else"
            number += 1
            data = f"# {name}\n\n<!-- deepseedian-entry {meta} -->\n{name} {number}\n<!-- /deepseedian-entry -->\n{'prose ' * (number % 50)}\n".encode()
            (chance.choice(WAYS) if path.exists() else in_place)(path, data, self.base)
            self.counts["editors' saves"] += 1
        assert until(lambda: f"{name} {number}" in {item.text for item in self.served().values()}, 15), f"{name}: its last save is not served"

    def served(self) -> dict[str, object]:
        document = self.ask("entries", {})
        assert isinstance(document, dict), document
        return dict(rows_of(document["entries"]))

    def sync(self, chance: random.Random) -> None:
        """Another machine's versions of a topic, older or newer, late, and conflict copies that travel."""
        path = self.memory / "topics/synced.md"
        versions = [("# synced\n\n" + "\n".join(block(number) for number in range(1, most))).encode() for most in (6, 7, 8, 7)]
        copy = path.with_name("synced.sync-conflict-20261129-101010-ABCDEFG.md")
        while self.pause(chance, 2.0):
            synced(path, versions[self.counts["synced"] % len(versions)], self.base)
            self.counts["synced"] += 1
            if chance.random() < 0.2:
                copy.write_bytes(versions[1])
            elif chance.random() < 0.5:
                copy.unlink(missing_ok=True)
        copy.unlink(missing_ok=True)

    def keep(self, chance: random.Random) -> None:
        """What was answered is there until it is forgotten, with the same words."""
        kept: dict[str, str] = {}
        number = 0
        while self.pause(chance, 0.3):
            number += 1
            text = f"kept {number}\n" + chance.choice(TEXTS).format(n=number)
            made = self.ask("remember", {"text": text, "topic": "kept", "key": f"keep {self.seed} {number}"})
            assert isinstance(made, dict), made
            kept[made["id"]] = text
            if len(kept) > KEPT:
                gone = chance.choice(sorted(kept))
                done = self.ask("forget", {"id": gone, "key": f"forget {self.seed} {number}"})
                assert isinstance(done, dict), done
                del kept[gone]
            if number % 5 == 0:
                rows = {key: item.text for key, item in self.served().items() if item.topic == "kept"}  # type: ignore[attr-defined]
                assert rows == kept, (rows, kept)
            self.counts["kept"] += 1

    def talk(self, chance: random.Random) -> None:
        """A conversation, questions, and consolidations; silent for over a minute now and then, so that idle runs come."""
        number = 0
        while self.pause(chance, 1.0):
            number += 1
            said = f"记住：第 {number} 条，我写文章喜欢短段落 {number}"
            self.ask("observe", {"session": f"chat-{number % 7}", "messages": [{"role": "user", "text": said}]})
            self.ask("recall", {"question": f"kept {number}", "why": bool(number % 2)})
            self.counts["turns"] += 1
            if number % 10 == 0:
                self.ask("organize", {})
                found = self.ask("proposals", {})
                assert isinstance(found, dict)
                for item in found["proposals"]:
                    self.ask("decide", {"id": item["id"], "decision": "dismiss"})
            if number % 60 == 0 and self.ended.wait(80):
                break

    def command(self, chance: random.Random) -> None:
        while self.pause(chance, 3.0):
            done = run(self.vault, *chance.choice((("list",), ("recall", "kept"), ("search", "editor"), ("history",), ("status",), ("check",))))
            assert done.returncode in (0, 5), done
            self.counts["command lines"] += 1

    def kill(self, chance: random.Random) -> None:
        """Random deaths, until the last part: from then on the daemon must not grow."""
        until_calm = time.monotonic() + self.seconds * 0.7
        while self.pause(chance, min(20.0, self.seconds / 5)) and time.monotonic() < until_calm:
            with self.changing:
                self.daemon.kill()
                self.daemon.close()
                self.daemon = Process.started(self.vault)
            self.counts["kills"] += 1

    def histories(self, chance: random.Random) -> None:
        """Short random histories beside it, each under the checker."""
        end = time.monotonic() + self.seconds
        kind = type("Beside", (Daemons,), {"base": self.base})
        while time.monotonic() < end and not self.ended.is_set():
            machine = kind()
            try:
                for _ in range(20):
                    if time.monotonic() < end:
                        act(machine, chance)
                        self.counts["acts"] += 1
            except BaseException:
                if machine.daemon is not None:
                    machine.daemon.close()
                raise
            machine.teardown()
            self.counts["histories"] += 1
        self.ended.set()

    def final(self, chance: random.Random) -> None:
        """Everybody has gone: what is served is what the files say, nothing is wrong, and the daemon is quiet."""
        assert until(lambda: self.served() == rows_in_files(self.memory), 15), (self.served(), rows_in_files(self.memory))
        found: Any = {}

        def sound() -> bool:
            """A conflict copy that came last is merged within seconds, also where the system has no watches left."""
            nonlocal found
            found = self.ask("check", {})
            return not unexpected(found["problems"], ("derived", "leftover", "conflict"))
        assert until(sound, 15), found
        time.sleep(3)  # copies and index are kept two seconds after the last change
        size = Size.of(self.daemon.process.pid)
        seconds = min(60.0, max(4.0, self.seconds / 10))
        time.sleep(seconds)
        later = Size.of(self.daemon.process.pid)
        idle = (later.cpu - size.cpu) / seconds * 100
        self.summary = f"memory {later.memory} MB, descriptors {later.descriptors}, threads {later.threads}, idle CPU {idle:.1f} %"
        assert later.memory <= MEMORY_MB and later.descriptors <= DESCRIPTORS and later.threads <= THREADS, self.summary
        assert later.descriptors <= size.descriptors + 2 and later.threads <= size.threads + 2, (vars(size), self.summary)
        assert idle <= IDLE_PERCENT, self.summary


class Size:
    """What a process takes, from /proc."""

    def __init__(self, memory: int, descriptors: int, threads: int, cpu: float) -> None:
        self.memory, self.descriptors, self.threads, self.cpu = memory, descriptors, threads, cpu

    @classmethod
    def of(cls, pid: int) -> "Size":
        status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines() if ":" in line)
        times = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        cpu = (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")
        return cls(int(status["VmRSS"].split()[0]) // 1024, len(list(Path(f"/proc/{pid}/fd").iterdir())), int(status["Threads"]), cpu)


def act(machine: Daemons, chance: random.Random) -> None:
    """One random act of a machine, without Hypothesis: a soak is too long to be replayed anyway."""
    text, topic, number = chance.choice(TEXTS), chance.choice(TOPICS), chance.randrange(30)
    kinds = [chance.choice(("save", "edit", "forget", "pin", "move", "undo")) for _ in range(chance.randint(2, 4))]
    acts: list[Callable[[], object]] = [
        lambda: machine.save(text, topic), lambda: machine.edit(number, text), lambda: machine.forget(number),
        lambda: machine.move(number, topic), lambda: machine.pin(number, chance.random() < 0.5), machine.undo, machine.redo,
        lambda: machine.propose_and_approve(text, topic), lambda: machine.save_again(number), lambda: machine.repeat(number),
        lambda: machine.at_once(kinds, number, text), machine.kill, machine.stop, machine.freeze, machine.thaw, machine.check,
        lambda: machine.kill_in_the_middle(text, topic, chance.uniform(0, 0.012)), lambda: machine.die_at(chance.choice(POINTS), text, topic),
        lambda: machine.edit_outside(number, chance.choice(WAYS), chance.choice(("change", "add", "remove", "prose"))),
        lambda: machine.sync(number), lambda: machine.command_line(text, topic), machine.second_daemon]
    chance.choice(acts)()


def environment(base: Path, model: Script) -> None:
    """Folders of this soak alone, the scripted model, the shortest idle time."""
    for name in ("STATE", "CONFIG", "RUNTIME"):
        os.environ[f"DEEPSEEDIAN_{name}_DIR"] = str(base / name.lower())
    os.environ["DEEPSEEDIAN_SEMANTIC"] = "off"  # the ceiling of memory is the daemon's: the packaged model's weights are as much again
    os.environ |= {"DEEPSEEDIAN_MODEL_ENDPOINT": model.url, "DEEPSEEDIAN_MODEL_NAME": "scripted", "DEEPSEEDIAN_IDLE_MINUTES": "1",
                   "DEEPSEEDIAN_IDLE_DAILY_RUNS": "100", "DEEPSEEDIAN_IDLE_DAILY_CHARS": "10000000", "LANG": "C.UTF-8"}


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("minutes", type=float, nargs="?", default=30.0)
    wanted.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    given = wanted.parse_args()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    base = Path(tempfile.mkdtemp(prefix="dsd-soak-", dir=memory))
    seconds = given.minutes * 60
    try:
        with served(Script(json.dumps(ANSWER), (500, "{}"), "no JSON", json.dumps(ANSWER))) as model:
            environment(base, model)
            soak = Soak(base, given.seed, seconds, model)
            try:
                soak.run()
            finally:
                soak.daemon.close()
    finally:
        shutil.rmtree(base, ignore_errors=True)
    print("\n".join(soak.violations), file=sys.stderr)
    told = ", ".join(f"{name} {number}" for name, number in sorted(soak.counts.items()))
    print(f"soak: {seconds:.0f} s, seed {given.seed}, {told}, model asked {len(model.asked)}, {soak.summary}, violations {len(soak.violations)}")
    sys.exit(1 if soak.violations else 0)


if __name__ == "__main__":
    main()
