"""One opened vault with its stores: what every use case stands on."""

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from deepseedian.broadcast import Broadcast
from deepseedian.config.layers import Config
from deepseedian.core import currency, erasure, gate, markup, matching, text, weight
from deepseedian.core.entry import Entry
from deepseedian.core.snapshot import Difference, Snapshot
from deepseedian.errors import BadSetting, Busy, DeepseedianError, MemoryGone, NotFound
from deepseedian.memory.recall import Recollection
from deepseedian.store import founding, index_cache, journal
from deepseedian.store.entries import Store
from deepseedian.store.instance import Instance, device_id, known_at, registered, vanished
from deepseedian.store.journal import Record
from deepseedian.store.seam import Seam
from deepseedian.store.vault import Vault, checked_root, located, require_memory

if TYPE_CHECKING:  # a first recall needs none of these; they are loaded when a conversation comes in
    from deepseedian.memory.confirmation import Confirmation
    from deepseedian.memory.erasing import Erasing
    from deepseedian.memory.idle import Idle
    from deepseedian.memory.judging import Judge
    from deepseedian.memory.merging import Merging
    from deepseedian.memory.organize import Organized, Organizer
    from deepseedian.memory.outcomes import Outcomes
    from deepseedian.memory.preview import Preview
    from deepseedian.memory.review import Review
    from deepseedian.memory.similarity import Similarity
    from deepseedian.models.chat import Chat
    from deepseedian.models.profiles import Profile
    from deepseedian.store.ledger import Ledger
    from deepseedian.store.receipts import Receipts
    from deepseedian.store.sessions import Sessions
    from deepseedian.store.turn_trace import TurnTrace



WARM_SECONDS = 60.0
NUMPY_FROM, NUMPY_AT_ONCE = 400, 1000  # entries from which on it is faster at summing scores than a loop; and worth waiting for at a start
Document = dict[str, object]


class Opened:
    """Thread-safe; close it to keep copies and caches."""

    def __init__(self, vault: Vault, instance: Instance, config: Config, seam: Seam, *, resident: bool = False) -> None:
        self.vault, self.instance, self.config, self.seam = vault, instance, config, seam
        self.resident = resident
        self.broadcast = Broadcast()
        self.store = Store(vault, instance, seam, partial(config.text, "language"))
        self.recollection = Recollection(self.store.known.confirmed)
        self.store.listeners += [self._indexed, self._compared, self._told]
        self.faults: dict[str, str] = {}
        self._closed = False
        self.ready = threading.Event()
        self._cold = index_cache.opened(self.cache_path, instance.vault_id) if resident else None

    @classmethod
    def open(cls, root: Path, *, config_dir: str = "", overrides: Mapping[str, object] | None = None,
             seam: Seam | None = None, resident: bool = False) -> Self:
        """Raises BadVault, NoMemory, MemoryGone. A resident one (a daemon's) is opened cold and then warmed."""
        vault, config = _placed(checked_root(root), config_dir, overrides)
        seam = seam or Seam()
        instance = _instance(vault, seam)
        sidecar = cls(vault, instance, config, seam, resident=resident)
        if not resident:
            sidecar.warm()
        return sidecar

    @property
    def cold(self) -> bool:
        """Whether there is something of the last run to answer from."""
        return self._cold is not None

    @property
    def cache_path(self) -> Path:
        return self.instance.folder / "index.db"

    def warm(self) -> None:
        """Read the memory folder and, when resident, index it; from then on answers come from this snapshot."""
        self.store.open(settle=not self.resident)
        self._finish_erasing()
        if not self.store.original and self.store.known.items()["adopting"]:
            self.confirmation.adopt()
        if self.resident:
            self.recollection.build(self.store.snapshot)
            if len(self.store.snapshot.entries) > NUMPY_AT_ONCE:
                load_numpy()
        self.ready.set()
        self.broadcast.publish("memory.changed", revision=self.store.snapshot.revision, entries=len(self.store.snapshot.entries))

    def _warm(self) -> Snapshot:
        if not self.ready.wait(WARM_SECONDS):
            raise Busy("memory is still being read", "try again in a moment; deepseedian status shows progress")
        return self.store.snapshot

    # What follows memory. Each is told whatever happens to the others

    def _indexed(self, snapshot: Snapshot, change: Difference, record: Record | None) -> None:
        self.recollection.update(snapshot, change)

    def _compared(self, snapshot: Snapshot, change: Difference, record: Record | None) -> None:
        if "similarity" in self.__dict__:
            self.similarity.update(snapshot, change)

    def _told(self, snapshot: Snapshot, change: Difference, record: Record | None) -> None:
        if self.ready.is_set():
            kind = record.kind if record else "outside"
            self.broadcast.publish("memory.changed", revision=snapshot.revision, entries=len(snapshot.entries), kind=kind)

    def _shown(self, snapshot: Snapshot, id: str) -> Document:
        entry = snapshot.find(id)
        if entry is None:
            raise NotFound(f"there is no entry {id}", "deepseedian list shows the ids")
        claimed = not entry.archived and not self.store.known.confirmed(entry)
        return described(entry, claimed) | {"archived": entry.archived, "revision": snapshot.revision}

    # Parts that a first recall does not need: each is loaded when something asks for it

    @cached_property
    def review(self) -> "Review":
        from deepseedian.memory.review import Review
        from deepseedian.store.notes import STILL_SECONDS, Notes

        notes = Notes(self.vault.root, self.seam, STILL_SECONDS if self.resident else 0.0)
        return Review(self.store, notes, self.config, self.broadcast, lambda items: self.preview.told(items, self.sessions))

    @cached_property
    def preview(self) -> "Preview":
        from deepseedian.memory.preview import Preview

        return Preview(self.store, self.recollection, self.recalls, self.config)

    @cached_property
    def sessions(self) -> "Sessions":
        from deepseedian.store.sessions import Sessions

        return Sessions(self.instance.folder / "sessions", vault=self.vault.plugin / "sessions", device=device_id(),
                        in_vault=lambda: self.config.on("sessions.in_vault") and not self.store.original, stamp=self.seam.clock.stamp)

    @cached_property
    def turn_trace(self) -> "TurnTrace":
        from deepseedian.store.turn_trace import TurnTrace

        return TurnTrace(self.instance.folder / "trace.db", self.seam.clock.stamp)

    @cached_property
    def ledger(self) -> "Ledger":
        from deepseedian.store.ledger import Ledger

        return Ledger(self.instance.folder / "ledger.db")

    @cached_property
    def recalls(self) -> "Receipts":
        from deepseedian.store.receipts import Receipts

        return Receipts(self.instance.folder / "recall.db")

    @cached_property
    def outcomes(self) -> "Outcomes":
        from deepseedian.memory.outcomes import Outcomes

        return Outcomes(self.recalls, lambda key: self.store.snapshot.entries.get(key))

    @cached_property
    def judge(self) -> "Judge":
        from deepseedian.memory.judging import Judge

        return Judge(self._judge_model, count=lambda: self.recalls.count("judge", self.seam.clock.stamp()))

    @cached_property
    def organizer(self) -> "Organizer":
        from deepseedian.memory.organize import Organizer

        return Organizer(self.review, self.sessions, self.ledger, self.config, self._chat)

    @cached_property
    def idle(self) -> "Idle":
        from deepseedian.memory.idle import Idle

        return Idle(self.organizer, self.config, self.seam.clock, self._organized)

    def _chat(self) -> "Chat | None":
        """The configured model; None without one. Raises BadSetting for a profile that cannot be used."""
        from deepseedian.models import profiles

        return self._model(profiles.chosen, float(self.config.number("model.timeout_seconds")))

    def _judge_model(self, seconds: float) -> "Chat | None":
        from deepseedian.models import profiles

        return self._model(profiles.judging, seconds)

    def _model(self, choose: "Callable[[Config], Profile | None]", seconds: float) -> "Chat | None":
        if self.seam.chat is not None:
            return self.seam.chat()  # type: ignore[no-any-return]
        from deepseedian.models import profiles

        found = choose(self.config)
        return profiles.asking(found, seconds) if found else None

    def _judging(self, config: Config) -> bool:
        """Whether the settings ask for a judge: `smart` off switches it off unless `judge` was set by somebody.

        A profile that cannot be used is told of by health, and all pass.
        """
        if config["judge"] != "llm" or not (config.on("smart") or config.chosen("judge")):
            return False
        return self.seam.chat is not None or self._judge_profile(config) is not None

    def _judge_profile(self, config: Config) -> "Profile | None":
        """Never waits for a keyring in a daemon: it is asked behind the answer, and counts from the next one on."""
        from deepseedian.models import keyrings, profiles

        try:
            return profiles.judging(config, wait=0.0 if self.resident else keyrings.WAIT_SECONDS)
        except BadSetting:
            return None

    def _organized(self, result: "Organized") -> None:
        from deepseedian.memory.organize import CANCELLED

        if result.fault and result.fault != CANCELLED:
            self.faults["model"] = result.fault
        else:
            self.faults.pop("model", None)
        self.broadcast.publish("idle.finished", proposals=list(result.proposals), model=result.model, fault=result.fault)

    @cached_property
    def erasing(self) -> "Erasing":
        from deepseedian.memory.erasing import Erasing

        folder = partial(self.config.text, "review.folder")
        return Erasing(self.store, self.review.notes, self.sessions, self.recalls, folder, self._cleared,
                       lambda texts: self.similarity.erase(texts), self.turn_trace)

    @cached_property
    def similarity(self) -> "Similarity":
        """Semantic recall. A daemon makes it once memory is read, before threads ask for it."""
        from deepseedian.memory.similarity import Similarity

        found = Similarity(self.instance.folder / "vectors.db", self.config, resident=self.resident, told=self.broadcast.publish,
                           count=lambda: self.recalls.count("embedding", self.seam.clock.stamp()))
        if not self.resident:
            found.begin(lambda: self.store.snapshot)
        return found

    def compare(self) -> None:
        """A daemon's: begin to look for an embedding model and to embed, behind everything else."""
        self.similarity.begin(lambda: self.store.snapshot)

    @cached_property
    def merging(self) -> "Merging":
        from deepseedian.memory.merging import Merging

        return Merging(self.store, self.review)

    @cached_property
    def confirmation(self) -> "Confirmation":
        from deepseedian.memory.confirmation import Confirmation

        return Confirmation(self.store)

    def _finish_erasing(self) -> None:
        """What a kill or a file in use left of an erasure; health names it until it is done."""
        with suppress(OSError, DeepseedianError):
            if self.store.known.erasing():
                self.store.faults.setdefault("erasing", "an erasure is not finished")
                self.erasing.finish()

    def _cleared(self) -> None:
        """Nothing that was erased stays in memory or in the index of the next start."""
        self.recollection.clear()
        matching.forget()
        for held in (gate.content, text.outline, text.folded_line, text.summary, text.summary_tokens, currency.worded, weight.content):
            held.cache_clear()
        if "judge" in self.__dict__:
            self.judge.cancel()
        if "review" in self.__dict__:
            self.review.notes.drop()
        if (self.instance.folder / "ledger.db").exists():
            self.ledger.drop_answers()
        journal.forget()
        markup.clear()
        erasure.forget()
        for path in (self.cache_path, self.cache_path.with_suffix(".new")):
            path.unlink(missing_ok=True)

    def save(self) -> None:
        """Keep copies of changed files and the index for the next start."""
        with suppress(OSError, DeepseedianError):
            self.store.keeping.save()
        if self.resident and self.ready.is_set():
            with suppress(OSError):
                self.recollection.save(self.cache_path)

    def close(self) -> None:
        """Keep what the next start needs; closing twice is harmless."""
        if self._closed:
            return
        self._closed = True
        self.save()
        self.store.close()
        for part in ("judge", "review", "ledger", "offered", "recalls", "completions", "similarity", "turn_trace", "note_upkeep", "notes"):
            if part in self.__dict__:
                getattr(self, part).close()
        if self._cold is not None:
            self._cold.close()


def load_numpy() -> None:
    """Recall uses it where it is loaded; a command that answers once would pay more for loading it than it saves."""
    from deepseedian.config.threads import one_thread

    one_thread()
    import numpy  # noqa: F401


def described(entry: Entry, claimed: bool) -> Document:
    """`claimed`: its properties were written elsewhere and confirmed by nobody on this device."""
    return entry.document() | ({"claimed": True} if claimed else {})


def _placed(root: Path, config_dir: str, overrides: Mapping[str, object] | None) -> tuple[Vault, Config]:
    vault = located(root, "", config_dir)
    config = Config(vault.plugin, overrides)
    return located(root, config.text("memory.folder"), config_dir), config


def _instance(vault: Vault, seam: Seam) -> Instance:
    """Raises NoMemory for a vault without memory, MemoryGone when it once had one here."""
    gone = vanished(vault.root) if not vault.memory.is_dir() else None
    if gone is not None:
        raise MemoryGone(f"{gone.memory} is gone, but this device remembers it",
                         f"deepseedian init --restore {vault.root} brings it back from the copies kept here")
    require_memory(vault)
    vault_id = founding.vault_id(vault.memory, seam.disk) or _remembered_id(vault) or seam.new_id()
    return registered(vault_id, vault.memory, vault.root)


def _remembered_id(vault: Vault) -> str:
    known = known_at(vault.root)
    return known.vault_id if known else ""
