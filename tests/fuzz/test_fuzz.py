"""Every fuzz target for a few seconds, each in its own process; longer hunts are `python -m tests.fuzz.targets NAME`."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import ROOT
from tests.counts import count

SECONDS = 3
NAMES = sorted(path.name for path in (Path(__file__).parent / "corpus").iterdir())
GUIDED = importlib.util.find_spec("atheris") is not None


@pytest.mark.parametrize("name", NAMES)
def test_nothing_but_our_own_errors_comes_out(name: str, tmp_path: Path) -> None:
    process = subprocess.run([sys.executable, "-m", "tests.fuzz.targets", name, "--seconds", str(SECONDS)], cwd=ROOT,
                             capture_output=True, encoding="utf-8", errors="replace", timeout=120, check=False)
    said = process.stderr + process.stdout  # the traceback stands in the latter
    done = re.search(r"Done (\d+) runs", said)
    assert process.returncode == 0 and done, said[-4000:]
    assert int(done[1]) >= 20, said[-1000:]
    count(f"fuzzing, {name}" if GUIDED else f"fuzzing without atheris, {name}", int(done[1]))


def test_atheris_is_here_or_named_as_left_out() -> None:
    """Guided fuzzing is no condition of the tests; where it is missing, the closing summary says so."""
    if not GUIDED:
        pytest.skip("fuzzing is unguided: atheris is not installed")


def test_every_target_has_a_corpus() -> None:
    source = (ROOT / "tests/fuzz/targets.py").read_text(encoding="utf-8")
    listed = re.search(r"TARGETS: dict\[str, Target\] = \{(.*?)\}", source, re.S)
    assert listed and sorted(re.findall(r'"(\w+)":', listed[1])) == NAMES
