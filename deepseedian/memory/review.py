"""Proposals and the owner's decisions: one function decides, whichever door it comes through.

Durable before shown: proposals.json first, then the review note. What lands is exactly the text that was
approved; a proposal whose entries changed meanwhile turns stale and says why.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from deepseedian.broadcast import Broadcast
from deepseedian.config.layers import Config
from deepseedian.core import hygiene, review_note
from deepseedian.core import proposal as proposals_of
from deepseedian.core.entry import derived, stamp
from deepseedian.core.markup import check_characters
from deepseedian.core.operation import Operation, add, applied
from deepseedian.core.proposal import Draft, Evidence, Proposal, Target, decided, entry_hash, told
from deepseedian.core.sameness import said_already, same_said
from deepseedian.core.snapshot import Snapshot
from deepseedian.core.text import summary
from deepseedian.errors import BadInput, Conflict, DeepseedianError, NotFound, Stale
from deepseedian.memory import changes, queue
from deepseedian.store import proposals as proposals_file
from deepseedian.store.entries import Contents, Plan, Store
from deepseedian.store.journal import Record
from deepseedian.store.notes import Notes

RECENT_NOTES = 100
MADE_HERE = ("capture", "idle", "asked", "host")  # what a sync tool or a sweep brings is memory's own already
SOURCE = {"en": "approved proposal", "zh": "经批准的提议"}
REMARKS = {
    "en": {"both": "Both boxes of a proposal are ticked; nothing was done. Untick one of them.",
           "damage": "Nothing was done: {0}. Decide with deepseedian review, or restore the line.",
           "copy": "This is a copy and decides nothing. The original is {0}.",
           "unknown": "This note's proposals are not known here, or were decided long ago; nothing was done.",
           "refused": "Not approved: {0}", "there": "memory says so already", "saved": "saved in {0}",
           "hidden": "it holds hidden characters: {0}",
           "auto": "saved in {0} without asking, as auto_approve says; deepseedian undo takes it back",
           "source": "its source was forgotten meanwhile", "changed": "the entry was changed or removed meanwhile",
           "room": "it made room for newer ones", "joined": "it was joined with a newer one about the same entry",
           "afresh": "it was proposed afresh",
           "single": "What changes or ends what memory says, or hides characters, is decided one by one.",
           "again": "deepseedian review refresh {0} proposes it afresh"},
    "zh": {"both": "同一条提议的两个选项都勾选了，什么也没有做。请取消其中一个。",
           "damage": "什么也没有做：{0}。请用 deepseedian review 决定，或恢复这一行。",
           "copy": "这是副本，勾选无效。原件是 {0}。",
           "unknown": "这里不认识这份审阅笔记的提议，或早已决定；什么也没有做。",
           "refused": "未批准：{0}", "there": "记忆中已有这句话", "saved": "已存入 {0}",
           "hidden": "其中有看不见的字符：{0}",
           "auto": "按设置 auto_approve 未经询问存入 {0}；deepseedian undo 可撤回",
           "source": "它的来源已被遗忘", "changed": "对应的条目已被修改或删除",
           "room": "为更新的提议让位", "joined": "已并入关于同一条目的更新提议", "afresh": "已重新提议",
           "single": "会改变或结束已有记忆的提议，以及含有隐藏字符的提议，需要逐条决定。",
           "again": "deepseedian review refresh {0} 可重新提议"},
}


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of some drafts: the proposals made, their note, and why others were left out."""

    proposals: tuple[Proposal, ...]
    note: str
    left_out: tuple[str, ...] = ()


class Review:
    """The proposals of one store and their notes in the vault."""

    def __init__(self, store: Store, notes: Notes, config: Config, broadcast: Broadcast,
                 shown: Callable[[Sequence[Proposal]], Mapping[str, review_note.Told]] = lambda items: {}) -> None:
        """`shown` gives what a note tells of each proposal besides itself: sessions of its quotes, effect on recall."""
        self.store, self.notes, self.config, self.broadcast, self.shown = store, notes, config, broadcast, shown

    @property
    def language(self) -> str:
        return self.config.text("language")

    def all(self) -> tuple[Proposal, ...]:
        """Every proposal, oldest first. Raises ReadOnly for a newer version's file."""
        return self.store.proposals()

    def get(self, proposal_id: str) -> Proposal:
        found = next((item for item in self.all() if item.id == proposal_id), None)
        if found is None:
            raise NotFound(f"there is no proposal {proposal_id}", "deepseedian review list shows the open ones")
        return found

    # Proposing

    def propose(self, drafts: Sequence[Draft], origin: str, replacing: str = "") -> Batch:
        """Check, mint and keep drafts, then show them in a note; answers when both are durable.

        `replacing` is a proposal that is proposed afresh. What gave way to new ones, or was joined with one, says so.
        """
        made: list[Proposal] = []
        gone: list[Proposal] = []
        left_out: list[str] = []
        if not drafts:
            return Batch((), "")
        self.store.apply(lambda snapshot, contents: self._minted(drafts, origin, replacing, snapshot, contents, (made, gone, left_out)))
        if not made:
            return Batch((), "", tuple(left_out))
        self.show_pending()
        for item in gone:
            self._tell(item)
            self.broadcast.publish("proposal.decided", id=item.id, status=item.status)
        note = self.get(made[0].id).note
        self.broadcast.publish("proposal.added", ids=[item.id for item in made], note=note)
        return Batch(tuple(made), note, tuple(left_out))

    def _minted(self, drafts: Sequence[Draft], origin: str, replacing: str, snapshot: Snapshot, contents: Contents,
                found: tuple[list[Proposal], list[Proposal], list[str]]) -> Plan:
        made, gone, left_out = found
        for part in found:
            part.clear()
        known = {item.id: item for item in self._read(contents)}
        seam = self.store.seam
        batch, at = seam.new_id(), seam.clock.stamp()
        note = self.notes.name(self.config.text("review.folder"), seam.clock.time(), batch)
        for draft in drafts:
            reason = self._refusal(draft, snapshot, [item for item in known.values() if item.id != replacing], made, origin)
            item = None if reason else self._mint(draft, origin, snapshot, batch, at, note)
            reason = reason or self._entered(item, replacing, known, made, gone, at)
            if reason:
                left_out.append(reason)
        content = proposals_file.encoded([*known.values(), *made])
        return Plan("propose", "propose", (), beside=((proposals_file.NAME, content),) if made else ())

    def _entered(self, item: Proposal | None, replacing: str, known: dict[str, Proposal], made: list[Proposal], gone: list[Proposal],
                 at: str) -> str:
        """Put one into the queue; why it has no place there, or nothing."""
        if item is None:
            return "it could not be made"
        words = REMARKS[self.language]
        if queue.about_the_same(made, item):
            return "another one about the same entry is in this batch"
        olds = queue.about_the_same([old for old in known.values() if old.id != replacing], item)
        if item.system_made and any(not old.system_made for old in olds):
            return "a proposal about this entry waits already"
        ended = [(old, "expired", words["joined"]) for old in olds]
        if (fresh := known.get(replacing)) is not None and fresh.open:
            ended.append((fresh, "stale", words["afresh"]))
        if sum(old.open for old in known.values()) + len(made) - len(ended) >= proposals_file.MOST_OPEN:
            oldest = queue.yielding([old for old in known.values() if old not in olds], item)
            if oldest is None:
                return f"{proposals_file.MOST_OPEN} proposals are open already"
            ended.append((oldest, "expired", words["room"]))
        for old, status, message in ended:
            known[old.id] = decided(old, status, at, message)
            gone.append(known[old.id])
        made.append(queue.joined(item, olds))
        return ""

    def refresh(self, proposal_id: str) -> Proposal:
        """Propose afresh what turned stale or expired, against memory as it is now. Raises NotFound, Conflict."""
        item, snapshot = self.get(proposal_id), self.store.snapshot
        if item.status not in ("open", "stale", "expired"):
            raise Conflict(f"the proposal is {item.status} already", "only what is out of date or expired can be proposed afresh")
        if item.open and not self.staleness(item):
            raise Conflict("the proposal is up to date", f"deepseedian review approve {item.id}")
        batch = self.propose([queue.afresh(item, snapshot)], item.origin, replacing=item.id)
        if not batch.proposals:
            raise Conflict(f"it is not proposed again: {'; '.join(batch.left_out)}", "nothing was changed")
        return self.get(batch.proposals[0].id)

    def staleness(self, item: Proposal) -> str:
        """Why an open proposal could not be applied now; empty when it could."""
        return self._staleness(self._anchored(item, self.store.snapshot), self.store.snapshot) if item.open else ""

    def refusal(self, draft: Draft) -> str:
        """Why a draft would not be proposed now; empty when it would."""
        return self._refusal(draft, self.store.snapshot, self.all())

    def _refusal(self, draft: Draft, snapshot: Snapshot, known: Sequence[Proposal], made: Sequence[Proposal] = (), origin: str = "") -> str:
        """Why a draft is not proposed; empty when it is. `made` are those of the same batch."""
        try:
            if draft.operation not in proposals_of.OPERATIONS:
                raise BadInput(f"there is no operation {draft.operation!r}")
            if draft.operation in ("add", "edit", "merge"):
                changes.check_new(draft.text, "", draft.kind, draft.trust, allow_secret=False)
            if draft.operation in ("add", "move") and draft.topic:
                changes.topic_path(snapshot, draft.topic)
            check_characters(draft.reason, "the reason")
            touched = [changes.active(snapshot, entry_id) for entry_id in draft.entries]
        except DeepseedianError as error:
            return error.message
        if (draft.operation != "add" and not draft.entries) or (draft.operation == "merge" and len(set(draft.entries)) < 2):
            return "it names no entry to change"
        if origin in ("idle", "asked", "sweep") and any(entry.pinned for entry in touched):
            return "it would touch a pinned entry"
        if {item.source for item in draft.evidence} & self.store.excluded():
            return "its source was forgotten"
        there = [entry.text for entry in touched]
        if draft.operation in ("add", "edit", "merge") and not draft.id and draft.text not in there and (junk := hygiene.fault(draft.text)):
            return f"it is no statement: {junk}"
        return self._known_already(draft, snapshot, known, made)

    def _known_already(self, draft: Draft, snapshot: Snapshot, known: Sequence[Proposal], made: Sequence[Proposal]) -> str:
        words = told(draft.text)
        if draft.operation in ("add", "edit") and self.store.with_text(draft.text) is not None and not _redated(draft, snapshot):
            return "memory says so already"
        if draft.operation == "add" and not draft.id and said_already(draft.text, snapshot.entries.values()):
            return "memory says so already, in other words"
        if draft.id and any(item.id == draft.id for item in (*known, *made)):
            return "it was proposed before"
        ids = set(draft.entries)
        for item in (*known, *made):
            same = item.operation == draft.operation and (told(item.text) == words or (not draft.id and same_said(item.text, draft.text)))
            touches = {target.id for target in item.targets} == ids
            if item.open and same and touches and item.review_at == draft.review_at and not (draft.id and self._staleness(item, snapshot)):
                return "it is proposed already"
            if draft.id or item in made:  # what was approved before may be in a conflict copy because a sync tool took it out again
                continue
            if _same_evidence(item.evidence, draft.evidence) or (same and touches and not draft.evidence and item.status != "stale"):
                return f"it was proposed before ({item.status})"
            if item.status == "dismissed" and told(item.text) == words and _same_source(item.evidence, draft.evidence):
                return "it was proposed before (dismissed)"
        return ""

    def _mint(self, draft: Draft, origin: str, snapshot: Snapshot, batch: str, at: str, note: str) -> Proposal:
        seam = self.store.seam
        entries = [snapshot.entries[entry_id] for entry_id in dict.fromkeys(draft.entries)]
        topic = draft.topic or (entries[0].topic if entries else "general")
        text = draft.text if draft.operation in ("add", "edit", "merge") else entries[0].text.replace("<!--", "<! --")
        def made(part: str) -> str:
            return derived(draft.id, part) if draft.id else seam.new_id()

        entry_id = str(dict(draft.meta).get("id") or made("entry"))
        unseen = ", ".join(hygiene.hidden(text))
        hidden = "; " + REMARKS[self.language]["hidden"].format(unseen) if unseen else ""
        return Proposal(draft.id or seam.new_id(), batch, draft.at or at, draft.operation, text, topic, draft.kind,
                        draft.reason[: proposals_of.REASON_LIMIT - len(hidden)] + hidden,
                        draft.evidence, snapshot.revision, origin, entry_id,
                        tuple(Target(entry.id, entry_hash(entry), made(entry.id)) for entry in entries),
                        tuple(entry.text for entry in entries), draft.trust, note=note, meta=draft.meta, review_at=draft.review_at)

    def show_pending(self) -> None:
        """Write the notes that a kill kept from being written; each is written once, and not again if it is deleted."""
        pending = [item for item in self.all() if item.open and item.note and not item.noted]
        for note in dict.fromkeys(item.note for item in pending):
            batch = [item for item in pending if item.note == note]
            self._show(note, batch)

    def _show(self, note: str, batch: Sequence[Proposal]) -> None:
        """Write one batch's note; where its place cannot be written, or is not ours, at a new name in the folder of today."""
        text, folder = review_note.render(batch, self.language, self._when(), self.shown(batch)), self.config.text("review.folder")
        try:
            self.notes.create(folder, note, text)
        except (OSError, DeepseedianError):
            note = self.notes.name(folder, self.store.seam.clock.time(), self.store.seam.new_id())
            self.notes.create(folder, note, text)
        ids = {item.id for item in batch}
        self._rewrite(lambda item: replace(item, noted=True, note=note) if item.id in ids else item)

    # Deciding

    def decide(self, proposal_id: str, decision: str, text: str | None = None, *, tell: bool = True,
               seen: review_note.Section | None = None, automatic: bool = False) -> Proposal:
        """Approve or dismiss; approving twice is harmless. `seen` is what the owner has before the eyes, else the note's section.

        Raises NotFound, Conflict, Stale, BadText.
        """
        if decision not in ("approve", "dismiss"):
            raise BadInput("a decision is approve or dismiss", "nothing was done")
        if text is not None:
            changes.check_new(text, "", "", "user_stated", allow_secret=False)
        seen = seen or self._section(self.get(proposal_id))
        self.store.apply(lambda snapshot, contents: self._decision(proposal_id, decision, text, seen, snapshot, contents, automatic))
        found = self.get(proposal_id)
        if tell:
            self._tell(found)
        self.broadcast.publish("proposal.decided", id=found.id, status=found.status)
        if decision == "approve" and found.status == "stale":
            raise Stale(f"the proposal is out of date: {found.message}", REMARKS[self.language]["again"].format(found.id))
        return found

    def _section(self, item: Proposal) -> review_note.Section | None:
        """What the owner reads of a proposal in its note."""
        written = self.notes.read(item.note) if item.open and item.note else None
        note = review_note.parse(written) if written else None
        return next((found for found in note.sections if found.id == item.id), None) if note else None

    def _decision(self, proposal_id: str, decision: str, text: str | None, seen: review_note.Section | None,
                  snapshot: Snapshot, contents: Contents, automatic: bool = False) -> Plan:
        known = self._read(contents)
        item = next((item for item in known if item.id == proposal_id), None)
        if item is None:
            raise NotFound(f"there is no proposal {proposal_id}", "deepseedian review list shows the open ones")
        wanted = {"approve": "approved", "dismiss": "dismissed"}[decision]
        if item.status == wanted and (text is None or text == item.text):
            return Plan("review", "no change", ())
        if not item.open:
            raise Conflict(f"the proposal is {item.status} already", "deepseedian undo takes an approval back")
        at = self.store.seam.clock.stamp()
        if decision == "dismiss":
            return Plan("dismiss", "dismiss", (), beside=self._with(known, decided(item, "dismissed", at)))
        _check_seen(item, text, seen)
        if text in (None, item.text) and item.origin in MADE_HERE and item.text not in item.before and (junk := hygiene.fault(item.text)):
            raise Conflict(f"its text is no statement: {junk}", "give your own version of it, or dismiss it")
        if text is not None and item.operation in ("add", "edit", "merge"):
            item = replace(item, text=text)
        return self._approval(item, known, at, snapshot, contents, "auto" if automatic else "saved")

    def _approval(self, item: Proposal, known: Sequence[Proposal], at: str, snapshot: Snapshot, contents: Contents, saved: str) -> Plan:
        words = REMARKS[self.language]
        item = self._anchored(item, snapshot)
        reason = self._staleness(item, snapshot)
        if reason:
            return Plan("stale", "stale", (), beside=self._with(known, decided(item, "stale", at, reason)))
        operations = self._operations(item, snapshot, contents)
        message = words[saved].format(item.topic) if operations else words["there"]
        return Plan("approve", f"approve: {summary(item.text, changes.SHORT)}", operations, origin=f"proposal:{item.id}",
                    id=derived(item.id, "approve"), beside=self._with(known, decided(item, "approved", at, message)))

    def _anchored(self, item: Proposal, snapshot: Snapshot) -> Proposal:
        """With its targets by id, else by content: a sync tool may have written an entry anew."""
        gone = [text for target, text in zip(item.targets, item.before, strict=False) if target.id not in snapshot.entries]
        found = {text: entry.id for text in gone if (entry := self.store.with_text(text)) is not None}
        return queue.anchored(item, snapshot, found) if found else item

    def _staleness(self, item: Proposal, snapshot: Snapshot) -> str:
        """Why it can no longer be applied; a moved base alone is no reason when the touched entries are the same."""
        words = REMARKS[self.language]
        if set(item.source_keys) & self.store.excluded():
            return words["source"]
        there = snapshot.entries.get(item.entry_id) if item.meta else None
        if there is not None and there.text != item.text:
            return words["changed"]  # another copy's text of the same entry was approved before
        for target in item.targets:
            entry = snapshot.entries.get(target.id)
            if entry is None or entry_hash(entry) != target.hash:
                return words["changed"]
        return ""

    def _operations(self, item: Proposal, snapshot: Snapshot, contents: Contents) -> tuple[Operation, ...]:
        if item.operation == "add":
            if self.store.with_text(item.text) is not None:
                return ()
            if item.meta:
                return self._known_elsewhere(item, snapshot)
            return self._added(item, snapshot, contents)
        first, *others = item.targets
        if item.operation == "move":
            return chained(contents, [partial(_moved, snapshot, target, item.topic) for target in item.targets])
        if item.operation == "archive":
            return chained(contents, [partial(_archived, snapshot, target, item.at, "") for target in item.targets])
        edited = partial(_edited, snapshot, first, item)
        return chained(contents, [edited, *(partial(_archived, snapshot, target, item.at, first.id) for target in others)])

    def _added(self, item: Proposal, snapshot: Snapshot, contents: Contents) -> tuple[Operation, ...]:
        """A new entry; a contested one and those it differs from name each other, and all of them stay."""
        against = tuple(target.id for target in item.targets)
        new = changes.Addition(item.text, item.entry_id, item.at, SOURCE[self.language], item.topic, item.kind, item.trust,
                               item.source_keys, review_at=item.review_at, contested=against)
        plans = [partial(_contested, snapshot, target, item.entry_id) for target in against]
        family = self.store.vault.family
        return chained(contents, [lambda held: changes.added(snapshot, new, family), *plans])

    def _known_elsewhere(self, item: Proposal, snapshot: Snapshot) -> tuple[Operation, ...]:
        """An entry as a conflict copy has it, with its id and all its properties but a pin.

        The note shows no pin, and anybody may have written one into the copy: the owner pins what is wanted.
        """
        if item.entry_id in snapshot.entries:
            return ()
        path = changes.topic_path(snapshot, item.topic)
        meta = {key: value for key, value in item.meta if key != "pinned"} | {"id": item.entry_id}
        return (add(path, meta, item.text, family=self.store.vault.family),)

    def beside_step(self, kind: str, record: Record, contents: Contents) -> tuple[tuple[str, bytes], ...]:
        """What undo and redo of an approval write beside it: a proposal taken back is not proposed again."""
        proposal_id = record.origin.removeprefix("proposal:")
        known = self._read(contents) if record.origin.startswith("proposal:") else ()
        item = next((item for item in known if item.id == proposal_id), None)
        if item is None:
            return ()
        return self._with(known, decided(item, "undone" if kind == "undo" else "approved", self.store.seam.clock.stamp()))

    def tell_step(self, record: Record) -> None:
        """After undo or redo of an approval: its note says so."""
        with suppress(NotFound):
            if record.origin.startswith("proposal:"):
                item = self.get(record.origin.removeprefix("proposal:"))
                shown = replace(item, message=summary(item.text, 60))
                self.notes.remark(item.note, item.batch, review_note.outcome(shown, self.language, self._when()))

    # Notes

    def read_note(self, path: str) -> list[str]:
        """Carry out the ticks in a note of the vault; returns the ids decided. Anything odd is explained in the note."""
        text = self.notes.read(path)
        note = review_note.parse(text) if text is not None else None
        if note is None:
            return []
        words = REMARKS[self.language]
        if note.damage:
            self._remark_if(note, path, words["damage"].format("; ".join(note.damage)))
            return []
        known = {item.id: item for item in self.all() if item.batch == note.batch}
        if not known or any(section.id not in known for section in note.sections):
            self._remark_if(note, path, words["unknown"])
            return []
        original = next(iter(known.values())).note
        if original != path and self.notes.shows(original, note.batch):
            self._remark_if(note, path, words["copy"].format(original))
            return []
        if original != path:
            self._rewrite(lambda item: replace(item, note=path) if item.batch == note.batch else item)
        decided_now = [section.id for section in note.sections
                       if known[section.id].open and self._decide_section(path, note, section, known[section.id])]
        for section in note.sections:  # a kill, or an editor's stale buffer, kept an earlier outcome from being told
            if not known[section.id].open and section.boxes != section.boxes_end:
                self._tell(replace(known[section.id], note=path))
        return decided_now

    def _remark_if(self, note: review_note.Note, path: str, line: str) -> None:
        if note.ticked:
            self.notes.remark(path, note.batch, f"> {line}")

    def _decide_section(self, path: str, note: review_note.Note, section: review_note.Section, item: Proposal) -> bool:
        words = REMARKS[self.language]
        covered = item.one_click and review_note.visible(section.text) == section.text and (
            section.text == item.text or item.operation == "add")
        approve = section.approve or (note.all and covered and not section.dismiss)
        if note.all and not covered and not section.approve and not section.dismiss:
            self.notes.remark(path, note.batch, f"> {words['single']}")
        if section.approve and section.dismiss:
            self.notes.remark(path, note.batch, f"> {words['both']}")
            return False
        if not approve and not section.dismiss:
            return False
        try:
            self.decide(section.id, "approve" if approve else "dismiss", section.text if approve else None, seen=section)
        except Stale:
            return True
        except DeepseedianError as error:
            self.notes.remark(path, note.batch, f"> {words['refused'].format(error.message)}")
            return False
        return True

    def read_notes(self) -> None:
        """Look at every review note that still has something open; at a start, and when events were lost."""
        for path in list(dict.fromkeys(item.note for item in reversed(self.all()) if item.note))[:RECENT_NOTES]:
            self.read_note(path)
        for path, data in self.notes.orphans(self.config.text("review.folder")):
            self.store.quarantine.keep(path, data, "a kill left it while a review note was being written")

    def tidy(self) -> list[str]:
        """Move notes in which everything was decided long enough ago to the folder of what is done; their new paths."""
        days, folder = self.config.number("review.done_days"), self.config.text("review.folder")
        before = stamp(self.store.seam.clock.time() - days * 86_400)
        notes: dict[str, list[Proposal]] = {}
        for item in self.all():
            notes.setdefault(item.note, []).append(item)
        moved: dict[str, str] = {}
        for path, items in notes.items():
            old = all(not item.open and item.decided_at < before for item in items)
            ours = path.startswith(f"{folder}/") and "/" not in path.removeprefix(f"{folder}/")
            if days and old and ours and self.notes.shows(path, items[0].batch) and (new := self.notes.put_away(path, folder)):
                moved[path] = new
        if moved:  # after a kill in between the note is found at its new place, as one that the owner moved
            self._rewrite(lambda item: replace(item, note=moved[item.note]) if item.note in moved else item)
        return list(moved.values())

    def close(self) -> None:
        self.notes.close()

    def _tell(self, item: Proposal) -> None:
        if item.note:
            line = review_note.outcome(item, self.language, self._when())
            self.notes.change(item.note, lambda text: review_note.with_outcome(text, item.id, line), item.batch)

    # Keeping

    def _read(self, contents: Contents) -> tuple[Proposal, ...]:
        return self.store.books.proposals(contents(proposals_file.NAME))

    def _with(self, known: Sequence[Proposal], changed: Proposal) -> tuple[tuple[str, bytes], ...]:
        found = [changed if item.id == changed.id else item for item in known]
        return ((proposals_file.NAME, proposals_file.encoded(found)),)

    def _rewrite(self, change: Callable[[Proposal], Proposal]) -> None:
        def plan(snapshot: Snapshot, contents: Contents) -> Plan:
            content = proposals_file.encoded(change(item) for item in self._read(contents))
            return Plan("review", "review", (), beside=((proposals_file.NAME, content),))

        self.store.apply(plan)

    def _when(self) -> str:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.store.seam.clock.time()))


def _check_seen(item: Proposal, text: str | None, seen: review_note.Section | None) -> None:
    """Refuse to approve anything else than the owner reads in the note. Raises Conflict."""
    if seen is not None and seen.shown and seen.shown != review_note.fingerprint(item):
        raise Conflict("the proposal was changed since it was shown", "dismiss it; deepseedian organize proposes afresh")
    if seen is not None and text is None and seen.text != item.text:
        raise Conflict("its text was changed in the review note", "tick the box there, or give the text with --text")


def _moved(snapshot: Snapshot, target: Target, topic: str, contents: Contents) -> Plan:
    return changes.moved(snapshot, contents, target.id, topic)


def _edited(snapshot: Snapshot, target: Target, item: Proposal, contents: Contents) -> Plan:
    """A merge keeps the sources of all: forgetting it later excludes every one of them."""
    others = (snapshot.entries.get(other.id) for other in item.targets if other.id != target.id)
    keys = (*item.source_keys, *(key for entry in others if entry is not None for key in entry.source_keys))
    return changes.edited(snapshot, contents, target.id, item.text, at=item.at, old_id=target.archive_id,
                          source_keys=tuple(dict.fromkeys(keys)), review_at=item.review_at)


def _contested(snapshot: Snapshot, entry_id: str, other: str, contents: Contents) -> Plan:
    return changes.contested(snapshot, contents, entry_id, other)


def _archived(snapshot: Snapshot, target: Target, at: str, successor: str, contents: Contents) -> Plan:
    return changes.archived(snapshot, contents, target.id, at=at, archive_id=target.archive_id, successor=successor)


def chained(contents: Contents, plans: Sequence[Callable[[Contents], Plan]]) -> tuple[Operation, ...]:
    """The operations of several plans, each made on what the ones before it leave of the files."""
    changed: dict[str, bytes | None] = {}
    done: list[Operation] = []
    for plan in plans:
        for item in plan(lambda path: changed[path] if path in changed else contents(path)).operations:
            changed[item.path], _ = applied(changed[item.path] if item.path in changed else contents(item.path), item)
            done.append(item)
    return tuple(done)


def _same_evidence(old: Sequence[Evidence], new: Sequence[Evidence]) -> bool:
    """Whether a quote of the new one was proposed from before: the same words of the same message."""
    return any(first.source == second.source and (first.quote in second.quote or second.quote in first.quote)
               for first in old for second in new)


def _same_source(old: Sequence[Evidence], new: Sequence[Evidence]) -> bool:
    return bool({item.source for item in old} & {item.source for item in new} - {""})


def _redated(draft: Draft, snapshot: Snapshot) -> bool:
    """An edit that changes nothing but the review date."""
    entry = snapshot.entries.get(draft.entries[0]) if draft.entries and draft.review_at else None
    return entry is not None and entry.text == draft.text and entry.meta.get("reviewAt") != draft.review_at
