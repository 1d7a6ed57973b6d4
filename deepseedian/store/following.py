"""What comes after a change is saved: those who follow memory, and what this device notes of it.

None of it may make a saved change look like a failed one, nor keep the others from hearing of it. A listener that raised
once ended the publication half way: the index, the feed and the answer then told of three different memories.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager

from deepseedian.core.snapshot import Difference, Snapshot
from deepseedian.errors import DeepseedianError
from deepseedian.store.journal import Record

Listener = Callable[[Snapshot, Difference, Record | None], None]
log = logging.getLogger("deepseedian.store")


def tell(listeners: Iterable[Listener], new: Snapshot, change: Difference, record: Record | None, faults: MutableMapping[str, str]) -> None:
    """Call each of them; health names one that failed for as long as this process runs, for it has missed a change."""
    for listener in listeners:
        try:
            listener(new, change, record)
        except Exception as error:
            log.error("a listener failed: %s", type(error).__name__)
            faults["following"] = f"a part that follows memory failed with {type(error).__name__}; a restart brings it up to date"


@contextmanager
def noting(faults: MutableMapping[str, str]) -> Iterator[None]:
    """A database of this device that is away or damaged stops nothing; health names it until something could be noted again."""
    try:
        yield
    except (DeepseedianError, sqlite3.Error) as error:
        log.error("a change was not noted: %s", type(error).__name__)
        faults["notes"] = f"what happens is not noted on this device ({type(error).__name__}); changes are saved"
    else:
        faults.pop("notes", None)
