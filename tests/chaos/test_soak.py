"""The soak for a quarter of a minute: it runs, and finds nothing."""

import re
import subprocess
import sys

import pytest

from tests.commands import ROOT
from tests.counts import count


@pytest.mark.skipif(sys.platform != "linux", reason="the soak reads sizes from /proc")
def test_a_short_soak_finds_nothing() -> None:
    done = subprocess.run([sys.executable, "-m", "tests.chaos.soak", "0.2"], cwd=ROOT, capture_output=True, encoding="utf-8",
                          timeout=180, check=False)
    summary = re.search(r"^soak: .*$", done.stdout, re.M)
    assert done.returncode == 0 and summary, done.stdout + done.stderr
    for name in ("editors' saves", "synced", "kept", "kills", "acts"):
        found = re.search(rf"{name} (\d+)", summary[0])
        assert found and int(found[1]), summary[0]
        count(f"soak, {name}", int(found[1]))
