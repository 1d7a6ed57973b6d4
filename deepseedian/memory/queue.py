"""The queue before the owner: how many proposals may wait, which give way, and which of them are one.

357 proposals in eight days once waited in front of somebody, a fifth of them about the same lines: so the queue
has an end, the oldest that a program made gives way and says so, and proposals about one entry are joined. What
stands in the owner's own words never gives way by itself.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from deepseedian.core.entry import moment
from deepseedian.core.proposal import Draft, Proposal, Target, entry_hash
from deepseedian.core.snapshot import Snapshot
from deepseedian.errors import NotFound

MOST_EVIDENCE = 6
WEEK_MS = 7 * 86_400_000


def yielding(known: Sequence[Proposal], item: Proposal) -> Proposal | None:
    """The one that makes room: the oldest of the origin that has most waiting, never one in the owner's own words.

    It must have waited for a week, so that no flood washes away what nobody has seen; only the owner's words need not wait for that.
    """
    waiting = [old for old in known if old.open and old.system_made]
    most = Counter(old.origin for old in waiting)
    long = [old for old in waiting if not item.system_made or moment(item.at) - moment(old.at) >= WEEK_MS]
    return min(long, key=lambda old: (-most[old.origin], old.at, old.id), default=None)


def about_the_same(known: Sequence[Proposal], item: Proposal) -> list[Proposal]:
    """Open ones that touch an entry which this one touches. What a conflict copy says is another device's, and stays by itself."""
    touched = {target.id for target in item.targets}
    if item.contested or item.origin == "sync":
        return []
    return [old for old in known if old.open and not old.contested and old.origin != "sync"
            and touched & {target.id for target in old.targets}]


def joined(item: Proposal, olds: Sequence[Proposal]) -> Proposal:
    """The newer one with the evidence of those it takes the place of."""
    evidence = [quote for old in olds if old.operation == item.operation for quote in old.evidence]
    return replace(item, evidence=tuple(dict.fromkeys((*item.evidence, *evidence)))[:MOST_EVIDENCE])


def anchored(item: Proposal, snapshot: Snapshot, named: dict[str, str]) -> Proposal:
    """The proposal with its targets where they are now: by id, else by content, `named` by text."""
    targets = []
    for index, target in enumerate(item.targets):
        known = snapshot.entries.get(target.id)
        found = snapshot.entries.get(named.get(item.before[index], "")) if known is None and index < len(item.before) else None
        same = found is not None and entry_hash(found) == target.hash and found.id not in {other.id for other in item.targets}
        targets.append(Target(found.id, target.hash, target.archive_id) if found is not None and same else target)
    return item if targets == list(item.targets) else replace(item, targets=tuple(targets))


def afresh(item: Proposal, snapshot: Snapshot) -> Draft:
    """The same wish against memory as it is now. Raises NotFound when nothing of what it was about is left."""
    there = tuple(target.id for target in item.targets if target.id in snapshot.entries)
    operation = item.operation
    if operation in ("edit", "merge"):
        operation = "merge" if operation == "merge" and len(there) > 1 else "edit" if there else "add"
        there = there if operation == "merge" else there[:1]
    elif operation in ("move", "archive") and not there:
        raise NotFound("the entry it was about is gone", "nothing is left to decide")
    topic = "" if operation in ("edit", "merge", "archive") else item.topic
    return Draft(operation, item.text, item.reason, item.evidence, there, topic, item.kind, item.trust, review_at=item.review_at)
