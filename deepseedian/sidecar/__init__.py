"""The composition root: one opened vault with its stores, and every use case as one method.

Methods take plain values and return what goes over the wire; the HTTP routes and the command line call
the same ones. A daemon opens it cold, answers recall from the last run's index at once, and warms up
behind it; a command opens it warm.
"""

from deepseedian.sidecar.accounting import Accounting
from deepseedian.sidecar.asking import Asking
from deepseedian.sidecar.beginning import initialise
from deepseedian.sidecar.browsing import Browsing
from deepseedian.sidecar.care import Care
from deepseedian.sidecar.changing import Changing
from deepseedian.sidecar.completing import Completing
from deepseedian.sidecar.embedding import Embedding
from deepseedian.sidecar.importing import Importing
from deepseedian.sidecar.listing import Listing
from deepseedian.sidecar.noting import Noting
from deepseedian.sidecar.reading import Reading
from deepseedian.sidecar.talking import Talking
from deepseedian.sidecar.tending import Tending
from deepseedian.sidecar.timeline import Timeline

__all__ = ["Sidecar", "initialise"]


class Sidecar(Asking, Completing, Browsing, Reading, Changing, Accounting, Embedding, Tending, Talking, Listing, Care, Noting, Importing,
              Timeline):
    """One opened vault. Thread-safe; close it to keep copies and caches."""
