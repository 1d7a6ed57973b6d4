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
from deepseedian.core.snapshot import Snapshot
from deepseedian.memory.review import Batch, Review
from deepseedian.store.entries import Contents, Plan, Store
from deepseedian.store.reading import original_of

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
        self._seen: frozenset[tuple[str, bytes]] = frozenset()

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
            return Plan("join", f"join: {len(missing)} archived entries", tuple(missing.values()))

        if any(path.startswith("archive/") for path in copies):
            self.store.apply(plan)

    def changed(self) -> bool:
        """Whether there are copies that were not there, or not so, when this was asked last."""
        present = frozenset(self.copies().items())
        changed, self._seen = present != self._seen, present
        return changed and bool(present)

    def _drafts(self, path: str, data: bytes) -> Iterator[Draft]:
        """What the copy says that memory does not, minus what was decided already."""
        known = {item.id for item in self.review.all()}
        reasons = REASONS[self.review.language]
        for entry in _entries(data, path):
            kind = self._difference(entry)
            if not kind or derived(kind, entry.id, entry.text) in known:
                continue
            at = str(entry.meta.get("updatedAt") or entry.created_at)
            trust = entry.meta.get("trust")
            yield Draft(kind, entry.text, reasons[kind].format(path), (), () if kind == "add" else (entry.id,), entry.topic, "",
                        str(trust) if trust in TRUSTS else "external", derived(kind, entry.id, entry.text), at,
                        tuple(entry.meta.items()) if kind == "add" else ())

    def _difference(self, entry: Entry) -> str:
        """`add`, `edit`, or nothing when memory has it, has had it, or was told to forget it."""
        snapshot = self.store.snapshot
        active = snapshot.entries.get(entry.id)
        if active is not None:
            return "" if active.text == entry.text or self._was(entry) else "edit"
        gone = entry.id in snapshot.archive or entry.id in self.store.forgotten()
        return "" if gone or self.store.with_text(entry.text) is not None else "add"

    def _was(self, entry: Entry) -> bool:
        """Whether the copy only has an earlier version."""
        return any(old.text == entry.text and old.meta.get("supersededBy") == entry.id for old in self.store.snapshot.archive.values())

    def _unsettled(self, path: str, data: bytes) -> str:
        """Why a copy must stay; empty when nothing in it is undecided and nothing else would be lost."""
        found = scan(data, path)
        if found.problems:
            return f"it cannot be read as a whole: {found.problems[0].message}, line {found.problems[0].line}"
        standing = {item.id: item.status for item in self.review.all()}
        for entry in _entries(data, path):
            kind = self._difference(entry)
            if kind and standing.get(derived(kind, entry.id, entry.text), "open") in ("open", "stale"):
                return "its proposals wait for your decision"
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


def _around(data: bytes, found: Scan | None) -> set[bytes]:
    """The lines outside entries that say something."""
    found = found or scan(data, "topics/x.md")
    text, at = b"", 0
    for block in found.blocks:
        text += data[at: block.start] + b"\n"
        at = block.end
    return {line.strip() for line in (text + data[at:]).splitlines() if line.strip()}
