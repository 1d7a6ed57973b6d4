"""The command line with one mutation in it: `python -m tests.naive NAME WORDS…`."""

import sys

from deepseedian.cli.main import main
from tests.naive import applied

name = sys.argv.pop(1)
with applied(name):
    main()
