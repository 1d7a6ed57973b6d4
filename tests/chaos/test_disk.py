"""A sidecar over a disk that fails or dies at any call: whatever was answered holds, in thousands of histories.

No process and no real time: the same state machine as over daemons, many more steps, and every call that
touches the disk can be the last one.
"""

import errno
import os
import shutil
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test

from deepseedian.errors import DeepseedianError
from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store.seam import Seam
from tests.chaos import acts
from tests.chaos.acts import LOST, Answer
from tests.chaos.history import OK, Item, rows_in_files, rows_of, unexpected
from tests.counts import count
from tests.doubles import DyingDisk, FakeClock, Killed

SETTINGS = settings(max_examples=200, stateful_step_count=30, deadline=None, print_blob=True,
                    suppress_health_check=list(HealthCheck))
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
        self.failed = False

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

    @rule(at=st.integers(1, 40), after=st.booleans())
    def die_soon(self, at: int, after: bool) -> None:
        """The process dies at the n-th call from now."""
        self.disk.calls.clear()
        self.disk.at, self.disk.after, self.disk.error = at, after, None

    @rule(at=st.integers(1, 40), number=st.sampled_from(ERRORS))
    def fail_soon(self, at: int, number: int) -> None:
        """The n-th call from now reports an error."""
        self.disk.calls.clear()
        self.disk.at, self.disk.after, self.disk.error = at, False, OSError(number, os.strerror(number))

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
        self.disk.at = 0
        try:
            self.check()
            self.look()
        finally:
            self.sidecar.close()
            shutil.rmtree(self.vault)


def test_a_disk_that_fails_or_dies_anywhere_loses_nothing(base: Path) -> None:
    machine = type("Faulty", (Faulty,), {"base": base})
    run_state_machine_as_test(machine, settings=SETTINGS)
