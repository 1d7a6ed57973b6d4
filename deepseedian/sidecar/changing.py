"""The owner's own changes, and undo."""

from collections.abc import Callable

from deepseedian.core.entry import DEFAULT_TOPIC, Entry
from deepseedian.core.snapshot import Snapshot
from deepseedian.errors import BadInput, DeepseedianError
from deepseedian.memory import changes
from deepseedian.sidecar.opened import Document, Opened
from deepseedian.store import journal
from deepseedian.store.entries import Contents, Outcome, Plan


class Changing(Opened):
    """Each returns what is now so; all go through the store's one commit."""

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
