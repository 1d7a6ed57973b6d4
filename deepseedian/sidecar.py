"""The composition root: one opened vault with its stores, and every use case as one method.

Methods take plain values and return what goes over the wire; the HTTP routes and the command line call
the same ones. A daemon opens it cold, answers recall from the last run's index at once, and warms up
behind it; a command opens it warm.
"""

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from deepseedian.broadcast import Broadcast
from deepseedian.config.folders import private, state_folder
from deepseedian.config.layers import Config
from deepseedian.core import erasure, markup
from deepseedian.core.entry import DEFAULT_TOPIC, Entry
from deepseedian.core.recall import Choice, ranked_entries, recall
from deepseedian.core.snapshot import RULES, Difference, Snapshot
from deepseedian.core.text import query_terms, summary
from deepseedian.core.topic import identity
from deepseedian.errors import BadInput, Busy, DeepseedianError, MemoryGone, NotFound
from deepseedian.memory import changes
from deepseedian.memory.recall import Recollection
from deepseedian.store import checking, founding, index_cache, journal
from deepseedian.store.entries import Contents, Outcome, Plan, Store
from deepseedian.store.instance import Instance, known_at, registered, vanished
from deepseedian.store.journal import Record
from deepseedian.store.seam import Seam
from deepseedian.store.vault import Vault, checked_root, located, require_memory

if TYPE_CHECKING:  # a first recall needs none of these; they are loaded when a conversation comes in
    from deepseedian.core.proposal import Proposal
    from deepseedian.memory.confirmation import Confirmation
    from deepseedian.memory.erasing import Erasing
    from deepseedian.memory.idle import Idle
    from deepseedian.memory.merging import Merging
    from deepseedian.memory.organize import Organized, Organizer
    from deepseedian.memory.review import Review
    from deepseedian.models.chat import Chat
    from deepseedian.store.ledger import Ledger
    from deepseedian.store.sessions import Sessions

WARM_SECONDS = 60.0
PAGE = 8
QUESTION_LIMIT = 40_000
Document = dict[str, object]


class Sidecar:
    """One opened vault. Thread-safe; close it to keep copies and caches."""

    def __init__(self, vault: Vault, instance: Instance, config: Config, seam: Seam, *, resident: bool = False) -> None:
        self.vault, self.instance, self.config, self.seam = vault, instance, config, seam
        self.resident = resident
        self.broadcast = Broadcast()
        self.store = Store(vault, instance, seam, partial(config.text, "language"))
        self.recollection = Recollection(self.store.known.confirmed)
        self.store.listeners.append(self._published)
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
        self.ready.set()
        self.broadcast.publish("memory.changed", revision=self.store.snapshot.revision, entries=len(self.store.snapshot.entries))

    def _warm(self) -> Snapshot:
        if not self.ready.wait(WARM_SECONDS):
            raise Busy("memory is still being read", "try again in a moment; deepseedian status shows progress")
        return self.store.snapshot

    def _published(self, snapshot: Snapshot, change: Difference, record: Record | None) -> None:
        self.recollection.update(snapshot, change)
        if self.ready.is_set():
            kind = record.kind if record else "outside"
            self.broadcast.publish("memory.changed", revision=snapshot.revision, entries=len(snapshot.entries), kind=kind)

    # Reading

    def recall(self, question: str, why: bool = False, revision: str = "") -> Document:
        """The index of a turn: {"vault","revision","total","index":[{"id","summary"}],"receipt"?}."""
        _check_question(question)
        if "idle" in self.__dict__:
            self.idle.activity()
        choice = Choice(self.config.number("recall.max_entries"), bool(self.config["recall.include_pinned"]))
        if self._cold is not None and not revision and not self.ready.is_set():
            return _recalled(recall(self._cold.memory(), question, choice, why=why), why)
        self._warm()
        self._reconciled()
        memory, lock = self.recollection.read(self.store.snapshot, revision)
        with lock:
            return _recalled(recall(memory, question, choice, why=why), why)

    def _reconciled(self) -> None:
        if self.config.number("watch.reconcile_seconds") == 0:
            self.store.refresh(deep=True)

    def search(self, query: str, offset: int = 0, limit: int = PAGE, revision: str = "") -> Document:
        """{"revision","total","offset","results":[{"id","summary"}]}; an empty query pages through everything."""
        _check_question(query)
        if offset < 0 or not 1 <= limit <= 100:
            raise BadInput("offset counts from 0, limit goes from 1 to 100", "for example: --offset 8")
        self._warm()
        memory, lock = self.recollection.read(self.store.snapshot, revision)
        with lock:
            if query.strip():
                found, total = ranked_entries(memory, query_terms(query) or [], offset + limit)
            else:
                found, total = [(entry, 0.0) for entry in memory.newest(offset + limit)], memory.total
        rows = [{"id": entry.id, "summary": summary(entry.text)} for entry, _ in found[offset:]]
        return {"revision": memory.revision, "total": total, "offset": offset, "results": rows}

    def entries(self, topic: str = "") -> Document:
        snapshot = self._warm()
        wanted = identity(topic)
        entries = [entry for entry in snapshot.by_age if not topic or identity(entry.topic) == wanted]
        claimed = self.store.known.claimed(entries)
        return {"revision": snapshot.revision, "entries": [_document(entry, entry.id in claimed) for entry in entries]}

    def show(self, id: str, revision: str = "") -> Document:
        """One entry, archived ones too; with `revision` as that snapshot has it."""
        return self._shown(self.recollection.snapshot(self._warm(), revision), id)

    def _shown(self, snapshot: Snapshot, id: str) -> Document:
        entry = snapshot.find(id)
        if entry is None:
            raise NotFound(f"there is no entry {id}", "deepseedian list shows the ids")
        claimed = not entry.archived and not self.store.known.confirmed(entry)
        return _document(entry, claimed) | {"archived": entry.archived, "revision": snapshot.revision}

    def export(self, format: str = "jsonl") -> Iterator[str]:
        """Every active entry, as JSON lines or as Markdown with its markers, piece by piece."""
        snapshot = self._warm()
        for entry in snapshot.by_age:
            yield _jsonl(entry) if format == "jsonl" else _markdown(entry, self.vault.family)

    # Changing

    def remember(self, text: str, topic: str = DEFAULT_TOPIC, kind: str = "", source: str = "", trust: str = "user_stated",
                 allow_secret: bool = False, key: str = "") -> Document:
        """{"id","topic","revision"}; the same text again returns the entry that says so already."""
        source = source or changes.BY_HAND[self.config.text("language")]
        changes.check_new(text, source, kind, trust, allow_secret)
        self._warm()
        new = changes.Addition(text, self.seam.new_id(), self.seam.clock.stamp(), source, topic, kind, trust)
        outcome = self.store.apply(lambda snapshot, contents: self._added(snapshot, new), key=key)
        found = self._entry_of(outcome, text)
        return {"id": found.id, "topic": found.topic, "revision": self.store.snapshot.revision}

    def _added(self, snapshot: Snapshot, new: changes.Addition) -> Plan:
        """Asked under the lock, after outside edits were taken over: a text edited away a moment ago is new again."""
        if self.store.with_text(new.text) is not None:
            return Plan("add", "it is there already", ())
        return changes.added(snapshot, new, self.vault.family)

    def _entry_of(self, outcome: Outcome, text: str) -> Entry:
        """What the change wrote, as it wrote it: by now somebody else may have moved or undone it."""
        if outcome.record is not None:
            return next(journal.written([outcome.record]))
        found = self.store.with_text(text)
        if found is None:
            raise DeepseedianError("the entry was written but cannot be found", "run deepseedian check")
        return found

    def edit(self, id: str, text: str, allow_secret: bool = False, key: str = "") -> Document:
        changes.check_new(text, "", "", "user_stated", allow_secret)
        at, old_id = self.seam.clock.stamp(), self.seam.new_id()
        return self._changed(id, lambda s, c: changes.edited(s, c, id, text, at=at, old_id=old_id), key)

    def forget(self, id: str, key: str = "") -> Document:
        at, archive_id = self.seam.clock.stamp(), self.seam.new_id()
        return self._changed(id, lambda s, c: changes.forgotten(s, c, id, at=at, archive_id=archive_id), key)

    def move(self, id: str, topic: str, key: str = "") -> Document:
        return self._changed(id, lambda s, c: changes.moved(s, c, id, topic), key)

    def pin(self, id: str, on: bool = True, key: str = "") -> Document:
        self._warm()
        outcome = self.store.apply(lambda s, c: changes.pinned(s, c, id, on), key=key)
        if on and outcome.record is None:  # somebody pinned it elsewhere, and now the owner says so too
            self.store.known.confirm([changes.active(outcome.snapshot, id)])
        return self._shown(outcome.snapshot, id)

    def _changed(self, id: str, plan: Callable[[Snapshot, Contents], Plan], key: str) -> Document:
        self._warm()
        return self._shown(self.store.apply(plan, key=key).snapshot, id)

    # History

    def history(self, limit: int = 50) -> Document:
        """{"revision","changes":[{"id","at","kind","summary","undoable"}]}, newest first."""
        if not 1 <= limit <= 1000:
            raise BadInput("limit goes from 1 to 1000", "for example: --limit 100")
        snapshot = self._warm()
        undoable = {change for change, _ in journal.stacks(self.store.own_records()).undo}
        rows = [{"id": row.id, "at": row.at, "kind": row.kind, "summary": row.summary, "undoable": row.id in undoable}
                for row in self.store.history.newest(limit)]
        return {"revision": snapshot.revision, "changes": rows}

    def undo(self) -> Document:
        self._warm()
        return self._stepped(self.store.step_back(self.review.beside_step))

    def redo(self) -> Document:
        self._warm()
        return self._stepped(self.store.step_forward(self.review.beside_step))

    def _stepped(self, outcome: Outcome) -> Document:
        assert outcome.record is not None
        record = outcome.record
        self.review.tell_step(record)
        ids = list(dict.fromkeys(item.id for item in record.operations))
        return {"id": record.undoes or record.redoes, "kind": record.kind, "summary": record.summary, "entries": ids,
                "revision": outcome.snapshot.revision}

    # Conversations and proposals

    @cached_property
    def review(self) -> "Review":
        from deepseedian.memory.review import Review
        from deepseedian.store.notes import Notes

        return Review(self.store, Notes(self.vault.root, self.seam), self.config, self.broadcast)

    @cached_property
    def sessions(self) -> "Sessions":
        from deepseedian.store.sessions import Sessions

        return Sessions(self.instance.folder / "sessions")

    @cached_property
    def ledger(self) -> "Ledger":
        from deepseedian.store.ledger import Ledger

        return Ledger(self.instance.folder / "ledger.db")

    @cached_property
    def organizer(self) -> "Organizer":
        from deepseedian.memory.organize import Organizer

        return Organizer(self.review, self.sessions, self.ledger, self.config, self._chat)

    @cached_property
    def idle(self) -> "Idle":
        from deepseedian.memory.idle import Idle

        return Idle(self.organizer, self.config, self.seam.clock, self._organized)

    def _chat(self) -> "Chat | None":
        """The configured model; None without one."""
        if self.seam.chat is not None:
            return self.seam.chat()  # type: ignore[no-any-return]
        from deepseedian.models.chat import OpenAIChat
        from deepseedian.models.credentials import model_key

        endpoint, name = self.config.text("model.endpoint"), self.config.text("model.name")
        if not endpoint or not name:
            return None
        return OpenAIChat(endpoint, name, float(self.config.number("model.timeout_seconds")), lambda: model_key()[0])

    def _organized(self, result: "Organized") -> None:
        from deepseedian.memory.organize import CANCELLED

        if result.fault and result.fault != CANCELLED:
            self.faults["model"] = result.fault
        else:
            self.faults.pop("model", None)
        self.broadcast.publish("idle.finished", proposals=list(result.proposals), model=result.model, fault=result.fault)

    def observe(self, session: object, messages: object, at: object = None, preset: object = "", origin: object = "",
                cwd: object = "") -> Document:
        """Keep a finished turn: {"session","messages":[ids],"proposals":[ids]}; answers when a proposal's note is durable."""
        from deepseedian.memory.capture import from_message
        from deepseedian.store import sessions

        about = {"preset": preset, "origin": origin, "cwd": cwd}
        turn = sessions.checked(session, at, messages, about, self.seam.clock.stamp())
        if at in (None, ""):
            turn = self.sessions.repeated(turn) or turn
        snapshot = self._warm()
        self.idle.activity()
        fresh = self.sessions.append(turn)
        drafts = [draft for message in turn.messages for draft in from_message(message, snapshot, self.config.text("language"))]
        wanted = fresh and self.config.text("capture") != "off" and not self.store.original
        batch = self.review.propose(drafts if wanted else [], "capture")
        return {"session": turn.session, "messages": [message.id for message in turn.messages],
                "proposals": [item.id for item in batch.proposals]}

    def organize(self) -> Document:
        """Consolidate now: {"proposals":[ids],"note","model","fault"?}; nothing in memory changes."""
        self._warm()
        result = self.organizer.run("asked", threading.Event())
        self._organized(result)
        return result.document()

    def activity(self) -> Document:
        """The owner is at it: a running consolidation stops."""
        self.idle.activity()
        return {"done": True}

    def proposals(self, all: bool = False) -> Document:
        """{"proposals":[…]}: the open ones, or every one that is still known."""
        self._warm()
        return {"proposals": [item.summary() for item in self.review.all() if all or item.open]}

    def proposal(self, id: str) -> Document:
        self._warm()
        return self._proposal(self.review.get(id))

    def propose(self, text: str, reason: str, operation: str = "add", topic: str = "", kind: str = "",
                entries: list[str] | None = None, evidence: list[dict[str, str]] | None = None) -> Document:
        """A host's proposal, checked like any other: {"proposals":[ids],"note","leftOut":[reasons]}."""
        from deepseedian.core.proposal import Draft, Evidence

        self._warm()
        quotes = tuple(Evidence(item["source"], item["quote"]) for item in evidence or [])
        draft = Draft(operation, text, reason, quotes, tuple(entries or []), topic, kind, "system_derived")
        batch = self.review.propose([draft], "host")
        return {"proposals": [item.id for item in batch.proposals], "note": batch.note or None, "leftOut": list(batch.left_out)}

    def decide(self, id: str, decision: str, text: str | None = None) -> Document:
        """Approve (with `text`, the owner's own version) or dismiss: {"id","status","revision",…}."""
        self._warm()
        return self._proposal(self.review.decide(id, decision, text))

    def _proposal(self, item: "Proposal") -> Document:
        return item.summary() | {"revision": self.store.snapshot.revision}

    def catch_up(self) -> None:
        """After a start or lost events: write notes that are due, read ticks, drop old sessions."""
        if self.store.original or not self.store.root.is_dir():
            return
        self._finish_erasing()
        self.review.show_pending()
        self.review.read_notes()
        self.sessions.prune(self.seam.clock.time())

    def _finish_erasing(self) -> None:
        """What a kill or a file in use left of an erasure; health names it until it is done."""
        with suppress(OSError, DeepseedianError):
            if self.store.known.erasing():
                self.store.faults.setdefault("erasing", "an erasure is not finished")
                self.erasing.finish()

    @cached_property
    def erasing(self) -> "Erasing":
        from deepseedian.memory.erasing import Erasing

        return Erasing(self.store, self.review.notes, self.sessions, partial(self.config.text, "review.folder"), self._cleared)

    def erase(self, id: str) -> Document:
        """Take a text out of everything we keep: {"id","removed":{place: number},"beyond":{code: what},"notes":[paths]}.

        `beyond` lists what cannot be reached from here, `notes` the owner's own notes that say the same.
        """
        from deepseedian.memory.erasing import BEYOND

        self._warm()
        done = self.erasing.erase(id)
        self.save()
        away = {"git": (self.vault.root / ".git").exists(), "provider": bool(self.config.text("model.endpoint"))}
        beyond = {code: what for code, what in BEYOND.items() if away.get(code, True)}
        if damaged := [str(path) for path in self.erasing.databases()]:
            beyond["damaged"] = f"databases that were set aside, as far as nobody can read them: {', '.join(damaged)}"
        if done.pending:
            beyond["pending"] = f"not yet, the next start tries again: {'; '.join(done.pending)}"
        return {"id": id, "removed": done.removed, "beyond": beyond, "notes": self.erasing.elsewhere(done.texts)}

    def _cleared(self) -> None:
        """Nothing that was erased stays in memory or in the index of the next start."""
        self.recollection.clear()
        journal.forget()
        markup.clear()
        erasure.forget()
        for path in (self.cache_path, self.cache_path.with_suffix(".new")):
            path.unlink(missing_ok=True)

    @cached_property
    def merging(self) -> "Merging":
        from deepseedian.memory.merging import Merging

        return Merging(self.store, self.review)

    def merge_copies(self) -> None:
        """Conflict copies of sync tools that are new or have changed become proposals."""
        if any(problem.code == "conflict_copy" for problem in self.store.problems()) and not self.store.original:
            self.merging.look()

    # Claims

    @cached_property
    def confirmation(self) -> "Confirmation":
        from deepseedian.memory.confirmation import Confirmation

        return Confirmation(self.store)

    def claims(self) -> Document:
        """What came from elsewhere and waits for the owner's word on this device: {"pins":[entries],"rules":diff}."""
        self._warm()
        return {"pins": [_document(entry, True) for entry in self.confirmation.pins()], "rules": self.confirmation.difference()}

    def confirm(self, ids: list[str] | None = None, all: bool = False, rules: bool = False) -> Document:
        """Put claims in force on this device: {"confirmed":number of entries,"rules":whether the rules were meant}."""
        if not ids and not all and not rules:
            raise BadInput("nothing was named to confirm", "name entries, or say all or rules")
        self._warm()
        all_rules = all and self.confirmation.rules_wait()
        number = self.confirmation.confirm(ids or [], every=all, rules=rules)
        return {"confirmed": number, "rules": rules or all_rules}

    # Care

    def check(self, restore: bool = False, accept: bool = False) -> Document:
        """{"ok","problems":[…],"setAside":[files]}; `restore` brings vanished files back, `accept` gives them up."""
        self._warm()
        restored = self.store.keeping.restore() if restore else []
        accepted = self.store.keeping.accept() if accept else []
        writable = not self.store.original and not self.store.unknown() and self.store.root.is_dir()
        merged = self.merging.merge() if writable else None
        found = checking.check(self.store, dict(merged.left) if merged else {})
        found += [checking.merged(path) for path in merged.settled] if merged else []
        if fault := self.confirmation.rules_fault():
            found.append(checking.Finding("rules_unreadable", RULES, 0, f"{fault}; the rules confirmed last hold"))
        self.save()
        return {"ok": all(item.repaired for item in found), "problems": [item.document() for item in found],
                "restored": restored, "accepted": accepted, "setAside": [str(path) for path in self.store.quarantine.files()]}

    def health(self) -> Document:
        """{"status":"ok"|"degraded","faults":[{"code","message"}]}."""
        faults = dict(self.faults) | self.store.faults
        if not self.ready.is_set():
            faults["indexing"] = "memory is being read; answers come from the last good snapshot"
        if self.store.original:
            faults["adopt_first"] = "the original plugin's memory is read-only here until deepseedian init --adopt"
        if not self.store.root.is_dir():
            faults["memory_unknown"] = "the memory folder is gone; the last snapshot is served"
        if self.ready.is_set():
            faults |= self.confirmation.faults()
        found = [{"code": code, "message": message} for code, message in faults.items()]
        found += checking.faults(self.store)
        found += [{"code": "bad_setting", "message": text} for text in self.config.faults.values()]
        return {"status": "degraded" if found else "ok", "faults": found}

    def status(self) -> Document:
        """Revision, size and health of what is open; the daemon adds who it is."""
        cold = self._cold if not self.ready.is_set() else None
        revision = cold.revision if cold else self.store.snapshot.revision
        entries = cold.total if cold else len(self.store.snapshot.entries)
        return {"vault": str(self.vault.root), "memory": str(self.vault.memory), "revision": revision, "entries": entries,
                "health": self.health()}

    def settings(self) -> Document:
        return {"settings": [item.document() for item in self.config.all()], "faults": list(self.config.faults.values())}

    def get_setting(self, name: str) -> Document:
        return self.config.effective(name).document()

    def set_setting(self, name: str, value: str) -> Document:
        return self.config.set(name, value).document()

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
        if "ledger" in self.__dict__:
            self.ledger.close()
        if self._cold is not None:
            self._cold.close()


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


def initialise(root: Path, *, config_dir: str = "", memory_folder: str = "", adopt: bool = False, restore: bool = False,
               fresh: bool = False, seam: Seam | None = None) -> Document:
    """Make, complete, adopt or bring back a vault's memory: {"vault","vaultId","memory"}; never overwrites.

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
        vault = founding.found(root, seam, config=config_dir, memory_folder=memory_folder, adopt=adopt, backups=backups)
    sidecar = Sidecar.open(vault.root, config_dir=config_dir, seam=seam)  # remembered by this device, MEMORY.md written
    sidecar.store.derive()
    sidecar.close()
    return {"vault": str(vault.root), "vaultId": founding.vault_id(vault.memory, seam.disk), "memory": str(vault.memory)}


@contextmanager
def _adopting(root: Path, config_dir: str, seam: Seam) -> Iterator[None]:
    """The owner says that this memory is theirs: noted before it is taken over, so that a kill in between does not ask again.

    One that was ours before holds what others wrote into it since: that is not said with it.
    """
    sidecar = Sidecar.open(root, config_dir=config_dir, seam=seam)
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


def _check_question(text: str) -> None:
    if len(text) > QUESTION_LIMIT:
        raise BadInput(f"a question may have {QUESTION_LIMIT} characters", "shorten it")


def _document(entry: Entry, claimed: bool) -> Document:
    """`claimed`: its properties were written elsewhere and confirmed by nobody on this device."""
    return entry.document() | ({"claimed": True} if claimed else {})


def _recalled(found, why: bool) -> Document:  # type: ignore[no-untyped-def]
    document: Document = found.index()
    return document | {"receipt": found.receipt()} if why else document


def _jsonl(entry: Entry) -> str:
    return json.dumps(entry.document(), ensure_ascii=False) + "\n"


def _markdown(entry: Entry, family: str) -> str:
    return markup.encode(entry.meta, entry.text, family=family).decode() + "\n"
