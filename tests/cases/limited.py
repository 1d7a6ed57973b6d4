"""Running a piece of a test in a process of its own, with its time and memory measured and bounded.

Processor time counts, not the clock on the wall: a machine that is busy with something else is no failure.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests import naive
from tests.commands import ROOT

HARD_SECONDS = 20

PROLOGUE = """
import resource, signal, sys, time
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any
from deepseedian.errors import DeepseedianError
from deepseedian.sidecar import Sidecar, initialise
from tests import naive
from tests.cases.looks import codes, entries, ids, refused
from tests.samples import entry_id, marker

resource.setrlimit(resource.RLIMIT_CPU, ({hard}, {hard}))
vault, mutation = Path(sys.argv[1]), sys.argv[2]
memory = vault / ".obsidian/plugins/deepseedian/memory"


def peak() -> int:
    'On Linux ru_maxrss begins with what the parent took; the peak of the program itself is in its status.'
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def expired(*_: object) -> None:
    raise AssertionError("it took too long")


@contextmanager
def within(seconds: float, what: object):
    '''Processor time of this process, by an alarm, so that what would take for ever ends.'''
    signal.signal(signal.SIGPROF, expired)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    except AssertionError as error:
        raise AssertionError(f"{{what!r:.80}}: {{error}}") from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def main() -> None:
    initialise(vault)
    rehearsal = Sidecar.open(vault)  # what is imported at first use is no part of a measurement
    codes(rehearsal)
    rehearsal.search("x")
    rehearsal.check()
    rehearsal.propose("rehearsed", "to have everything loaded")
    rehearsal.close()
    run()


"""

EPILOGUE = """

with naive.applied(mutation) if mutation else nullcontext():
    main()
"""


def run_limited(vault: Path, script: str) -> None:
    """Run `script`, which defines `run()`, over a new vault; what it asserts must hold."""
    whole = PROLOGUE.format(hard=HARD_SECONDS) + script + EPILOGUE
    done = subprocess.run([sys.executable, "-c", whole, str(vault), naive.active()], capture_output=True, encoding="utf-8", check=False,
                          timeout=4 * HARD_SECONDS, cwd=ROOT, env=os.environ)
    assert done.returncode == 0, done.stderr
