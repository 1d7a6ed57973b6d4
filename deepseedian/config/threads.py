"""One thread for numpy's matrix products, unless the user set another number.

With several, each product waits for threads that a busy machine does not run: an embedding was measured eight to ten times
slower. The libraries read these variables when numpy is imported, so this comes before the first import.
"""

import os

VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def one_thread() -> None:
    for name in VARIABLES:
        os.environ.setdefault(name, "1")
