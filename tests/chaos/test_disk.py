"""A sidecar over a disk that fails or dies at any call: whatever was answered holds, in thousands of histories.

No process and no real time: the same state machine as over daemons, many more steps, and every call that
touches the disk can be the last one.
"""

import errno
import os
import random
import shutil
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule, run_state_machine_as_test

from deepseedian.errors import DeepseedianError
from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store.seam import Seam
from tests.chaos import acts
from tests.chaos.acts import LOST, Answer
from tests.chaos.history import OK, Item, Op, rows_in_files, rows_of, unexpected
from tests.counts import count
from tests.doubles import DyingDisk, FakeClock, Killed
from tests.naive import active, bites

SETTINGS = settings(max_examples=150, stateful_step_count=30, deadline=None, print_blob=True,
                    suppress_health_check=list(HealthCheck))
CALLS = 18  # of most changes
ERRORS = (errno.EIO, errno.ENOSPC, errno.EACCES)


class Faulty(acts.Acts):
    """One sidecar at a time; a kill leaves it as it is and the next one opens the same folder."""

    base: Path
    made = 0

    def __init__(self) -> None:
        super().__init__()
        type(self).made += 1
        self.vault = self.base / str(self.made)
        self.disk = DyingDisk()
        self.clock = FakeClock()
        initialise(self.vault, seam=Seam(self.disk, self.clock))
        self.sidecar = self.opened()
        self.memory = self.sidecar.vault.memory
        self.failed = self.leaving = False
        self.seed = self.asked = 0

    def opened(self) -> Sidecar:
        return Sidecar.open(self.vault, seam=Seam(self.disk, self.clock))

    def ask(self, operation: str, values: dict[str, object]) -> Answer:
        count("acts over a failing disk")
        try:
            return Answer(OK, getattr(self.sidecar, operation)(**values))
        except DeepseedianError as error:
            broken = self.disk.at and len(self.disk.calls) >= self.disk.at
            self.failed = self.failed or bool(broken)
            return Answer(LOST if broken else error.code, error.document())
        except OSError:
            assert self.disk.at and len(self.disk.calls) >= self.disk.at
            self.failed = True
            return Answer(LOST, {})
        except Killed:
            count("deaths at a call of the disk")
            self.reopen()
            return Answer(LOST, {})
        finally:
            self.disk.at = 0

    def reopen(self) -> None:
        """What the dead process held is gone, locks too; nothing is saved on its way out."""
        self.disk.at = 0
        store = self.sidecar.store
        store.history.close()
        store.copies.close()
        self.sidecar = self.opened()

    def rows(self) -> dict[str, Item]:
        return rows_of(self.sidecar.entries()["entries"])

    def look(self) -> None:
        """After a fault the program may need its next look at the folder to know how it ended."""
        if self.failed:
            self.failed = False
            self.sidecar.check()
        super().look()
        files = rows_in_files(self.memory)
        assert files == self.rows(), "what is served is not what the files say"

    @initialize(seed=st.integers(0, 1 << 20))
    def weather(self, seed: int) -> None:
        """What becomes of this run's disk calls; 0 is calm. One number, since drawn ones are mostly the same few."""
        self.seed = seed

    def do(self, op: Op, entry_id: str = "") -> Answer:
        """Of the changes a third die and a sixth meet an error, at any of their calls."""
        chance = random.Random(self.seed * 1000 + self.asked)
        self.asked += 1
        kind = chance.random() if self.seed and not self.leaving else 1.0
        if kind < 1 / 2:
            self.disk.calls.clear()
            code = chance.choice(ERRORS)
            self.disk.error = OSError(code, os.strerror(code)) if kind > 1 / 3 else None
            self.disk.at, self.disk.after = chance.randint(1, CALLS), chance.random() < 0.5
        return super().do(op, entry_id)

    @rule()
    def restart(self) -> None:
        self.disk.at = 0
        self.sidecar.close()
        self.sidecar = self.opened()
        self.look()

    @rule()
    def kill(self) -> None:
        self.reopen()
        self.look()

    @rule()
    def check(self) -> None:
        self.disk.at = 0
        found = self.sidecar.check()["problems"]
        assert not unexpected(found), found
        assert not unexpected(self.sidecar.check()["problems"], ())

    def teardown(self) -> None:
        self.disk.at, self.leaving = 0, True
        try:
            self.check()
            while self.do(Op("undo")).code == OK:
                count("undo steps at the end")
            self.check()
        finally:
            self.sidecar.close()
            shutil.rmtree(self.vault)


@bites("record_thrown_away", "keys_forgotten")
def test_a_disk_that_fails_or_dies_anywhere_loses_nothing(base: Path) -> None:
    machine = type("Faulty", (Faulty,), {"base": base})
    quick = settings(SETTINGS, phases=(Phase.generate,), database=None)  # a mistake that was put in needs not be made small
    run_state_machine_as_test(machine, settings=quick if active() else SETTINGS)
