"""Making, adopting and bringing back a vault's memory."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from deepseedian.config.folders import private, state_folder
from deepseedian.errors import MemoryGone
from deepseedian.sidecar.opened import Document, Opened
from deepseedian.store import founding
from deepseedian.store.instance import vanished
from deepseedian.store.seam import Seam


def initialise(root: Path, *, config_dir: str = "", memory_folder: str = "", language: str = "", adopt: bool = False,
               restore: bool = False, fresh: bool = False, seam: Seam | None = None) -> Document:
    """Make, complete, adopt or bring back a vault's memory: {"vault","vaultId","memory","start"?,"left"?}; never overwrites.

    `start` is the start note where one was laid, `left` what was there already and says something else.
    Raises MemoryGone where one vanished that this device remembers, unless `restore` or `fresh` says what is meant.
    """
    seam = seam or Seam()
    gone = vanished(Path(os.path.realpath(root.expanduser())))
    if restore:
        founding.bring_back(gone, seam)
    elif gone is not None and fresh:
        founding.give_up(gone, seam)
    elif gone is not None and founding.remembers_entries(gone):
        raise MemoryGone(f"{gone.memory} is gone, but this device remembers it",
                         "init --restore brings it back, init --fresh begins a new memory")
    backups = private(state_folder() / "backups")
    with _adopting(root, config_dir, seam) if adopt and founding.adoptable(
            root, seam, config=config_dir, memory_folder=memory_folder) else nullcontext():
        vault, laid = founding.found(root, seam, config=config_dir, memory_folder=memory_folder, language=language, adopt=adopt,
                                     backups=backups)
    sidecar = Opened.open(vault.root, config_dir=config_dir, seam=seam)  # remembered by this device, MEMORY.md written
    sidecar.store.derive()
    sidecar.close()
    done: Document = {"vault": str(vault.root), "vaultId": founding.vault_id(vault.memory, seam.disk), "memory": str(vault.memory)}
    return done | ({"start": laid.start} if laid.start else {}) | ({"left": list(laid.left)} if laid.left else {})


@contextmanager
def _adopting(root: Path, config_dir: str, seam: Seam) -> Iterator[None]:
    """The owner says that this memory is theirs: noted before it is taken over, so that a kill in between does not ask again.

    One that was ours before holds what others wrote into it since: that is not said with it.
    """
    sidecar = Opened.open(root, config_dir=config_dir, seam=seam)
    known, ours = sidecar.store.known, sidecar.store.history.records(1)
    try:
        if not ours:
            known.add("adopting", ["yes"])
        yield
    except BaseException:
        if sidecar.store.still_original():  # else it was taken over all the same, and the next start says so
            known.drop("adopting", ["yes"])
        raise
    finally:
        sidecar.close()
