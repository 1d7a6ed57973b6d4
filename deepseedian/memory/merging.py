"""Conflict copies of a sync tool, merged entry by entry: what a copy says that memory does not becomes a proposal.

An entry is known by its id and its text. A copy in which nothing is undecided any more, and whose text
around entries stands in the original too, is taken out of the folder; its bytes are kept in quarantine.
Two devices that see the same copy make the same proposals.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from deepseedian.core.entry import TRUSTS, Entry, derived
from deepseedian.core.markup import Scan, scan
from deepseedian.core.operation import add_raw
from deepseedian.core.proposal import Draft
from deepseedian.core.snapshot import Snapshot, sha256
from deepseedian.memory.review import Batch, Review
from deepseedian.store import journal
from deepseedian.store.entries import Contents, Plan, Store
from deepseedian.store.reading import original_of, surely_a_copy

ORIGIN = "sync"
REASONS = {"en": {"add": "only a sync tool's conflict copy has it: {0}", "edit": "a sync tool's conflict copy says it differently: {0}"},
           "zh": {"add": "只有同步工具的冲突副本里有这一条：{0}", "edit": "同步工具的冲突副本里写法不同：{0}"}}


@dataclass(frozen=True, slots=True)
class Merged:
    """`settled` copies were taken out of the folder; `left` says of the others why they are still there."""

    batch: Batch
    settled: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()


class Merging:
    """The conflict copies of one store."""

    def __init__(self, store: Store, review: Review) -> None:
        self.store, self.review = store, review
        self._seen: frozenset[tuple[str, str]] = frozenset()

    def copies(self) -> dict[str, bytes]:
        """Path → content of the conflict copies of topics; copies of archive files too."""
        found = {problem.file: self.store.content(problem.file) for problem in self.store.problems() if problem.code == "conflict_copy"}
        return {path: data for path, data in found.items() if data is not None and path.startswith(("topics/", "archive/"))}

    def merge(self) -> Merged:
        """Propose what is new in the copies, and take away those with nothing left to decide."""
        copies = self.copies()
        self._join_archives(copies)
        drafts = [draft for path, data in copies.items() for draft in self._drafts(path, data)]
        batch = self.review.propose(drafts, ORIGIN) if drafts else Batch((), "")
        settled, left = [], []
        for path, data in copies.items():
            reason = self._unsettled(path, data)
            if reason:
                left.append((path, reason))
            elif self.store.take_aside(path, data, "a sync tool's conflict copy; everything in it was decided"):
                settled.append(path)
        return Merged(batch, tuple(settled), tuple(left))

    def _join_archives(self, copies: dict[str, bytes]) -> None:
        """Earlier versions that only a copy of an archive file has: they are history, and join it."""
        def plan(snapshot: Snapshot, contents: Contents) -> Plan:
            present = {*snapshot.archive, *self.store.forgotten_for_good()}
            missing = {block.entry.id: add_raw(original_of(path), data, block)
                       for path, data in copies.items() if path.startswith("archive/")
                       for block in scan(data, path).blocks if block.entry.id not in present}
            return Plan(journal.JOIN, f"join: {len(missing)} archived entries", tuple(missing.values()))

        if any(path.startswith("archive/") for path in copies):
            self.store.apply(plan)

    def look(self) -> None:
        """Merge when there is something to do that was not there at the last look: a copy is new or different, or one more is decided."""
        if self._present() != self._seen:
            self.merge()
            self._seen = self._present()

    def _present(self) -> frozenset[tuple[str, str]]:
        copies = self.copies()
        standing = {(item.id, item.status) for item in self.review.all()} if copies else set()
        return frozenset({(path, sha256(data)) for path, data in copies.items()} | standing)

    def _drafts(self, path: str, data: bytes) -> Iterator[Draft]:
        """What the copy says that memory does not, minus what was decided already."""
        known = {item.id for item in self.review.all()}
        for entry in _entries(data, path):
            draft = self._draft(entry, path)
            if draft is not None and draft.id not in known:
                yield draft

    def _draft(self, entry: Entry, path: str) -> Draft | None:
        """The proposal that an entry of a copy makes; None when memory has it, has had it, or was told to forget it.

        Its id tells what it would change into what: the same difference in two copies, or on two devices, is one proposal,
        and after the entry was changed it is another.
        """
        snapshot, text = self.store.snapshot, entry.text
        active, meta = snapshot.entries.get(entry.id), dict(entry.meta)
        kind, against = ("edit", active.text) if active else ("add", "")
        if active is not None and (_same(active.text, text) or self._was(entry)):
            return None
        if active is None and entry.id in snapshot.archive:
            if any(_same(old.text, text) for old in self._versions(entry.id)):
                return None
            meta["id"] = derived(entry.id, text)  # ended here, and then written anew elsewhere: another entry if the owner wants it
        elif active is None and (entry.id in self.store.forgotten() or self.store.with_text(text) is not None):
            return None
        trust, at = entry.meta.get("trust"), str(entry.meta.get("updatedAt") or entry.created_at)
        return Draft(kind, text, REASONS[self.review.language][kind].format(path), (), (entry.id,) if active else (), entry.topic, "",
                     str(trust) if trust in TRUSTS else "external", derived(kind, entry.id, text, against), at,
                     () if active else tuple(meta.items()))

    def _versions(self, entry_id: str) -> list[Entry]:
        archive = self.store.snapshot.archive
        return [old for old in archive.values() if old.id == entry_id or old.meta.get("supersededBy") == entry_id]

    def _was(self, entry: Entry) -> bool:
        """Whether the copy only has an earlier version."""
        return any(_same(old.text, entry.text) for old in self._versions(entry.id))

    def _unsettled(self, path: str, data: bytes) -> str:
        """Why a copy must stay; empty when nothing in it is undecided and nothing else would be lost."""
        found = scan(data, path)
        if found.problems:
            return f"it cannot be read as a whole: {found.problems[0].message}, line {found.problems[0].line}"
        known = {item.id: item for item in self.review.all()}
        for entry in _entries(data, path):
            draft = self._draft(entry, path)
            if draft is None or (draft.id in known and known[draft.id].status not in ("open", "stale")):
                continue
            if draft.id in known:
                return "its proposals wait for your decision"
            return f"a part of it cannot be proposed: {self.review.refusal(draft)}"
        if not surely_a_copy(path):
            return "nothing in it is undecided; whether it is a copy only you can tell: remove it, or give it another name"
        if path.startswith("archive/") and any(self._not_archived(block.entry) for block in found.blocks):
            return "its archived entries are not all in the original"
        if _around(data, found) - _around(self.store.content(original_of(path)) or b"", None):
            return "the text around its entries is not in the original; compare the two and remove the copy"
        return ""


    def _not_archived(self, entry: Entry) -> bool:
        known = self.store.snapshot.archive.get(entry.id)
        return (known is None or known.text != entry.text) and entry.id not in self.store.forgotten_for_good()


def _entries(data: bytes, path: str) -> list[Entry]:
    """The entries of a copy, as entries of the topic it is a copy of."""
    topic = original_of(path)
    return [Entry(block.entry.id, block.entry.text, topic, block.entry.meta) for block in scan(data, path).blocks] if (
        path.startswith("topics/")) else []


def _same(first: str, second: str) -> bool:
    """Whether two texts say the same but for their line ends."""
    return first.replace("\r\n", "\n") == second.replace("\r\n", "\n")


def _around(data: bytes, found: Scan | None) -> set[bytes]:
    """The lines outside entries that say something."""
    found = found or scan(data, "topics/x.md")
    text, at = b"", 0
    for block in found.blocks:
        text += data[at: block.start] + b"\n"
        at = block.end
    return {line.strip() for line in (text + data[at:]).splitlines() if line.strip()}
