"""proposals.json: what waits for the owner, and what was decided lately so that it is not proposed again."""

from collections.abc import Iterable
from dataclasses import replace

from deepseedian.core import comment
from deepseedian.core.proposal import Proposal, from_document
from deepseedian.errors import BadInput, ReadOnly

NAME = "proposals.json"
VERSION = 2
MOST_OPEN = 50
DECIDED = ("approved", "dismissed", "undone", "stale")
MOST_DECIDED = 500


def decoded(data: bytes | None) -> tuple[Proposal, ...]:
    """Raises BadInput for a damaged file, ReadOnly for a newer version's."""
    if not data:
        return ()
    try:
        body = comment.loads(data.decode())
    except UnicodeDecodeError:
        raise BadInput("not UTF-8") from None
    if not isinstance(body, dict) or not isinstance(body.get("proposals"), list):
        raise BadInput("no list of proposals")
    if isinstance(body.get("version"), int) and body["version"] > VERSION:
        raise ReadOnly(f"{NAME} was written by a newer version", "upgrade this installation")
    return tuple(from_document(value) for value in body["proposals"])


def united(first: Iterable[Proposal], second: Iterable[Proposal]) -> tuple[Proposal, ...]:
    """The proposals of two devices, each once: what the first says, with the decision that counts of both.

    Deciding is all that may happen to a proposal after it was made: any other difference is not taken over.
    """
    found: dict[str, Proposal] = {}
    for item in (*first, *second):
        known = found.setdefault(item.id, item)
        if _standing(item) > _standing(known):
            found[item.id] = replace(known, status=item.status, decided_at=item.decided_at, message=item.message, noted=item.noted)
    return tuple(sorted(found.values(), key=lambda item: item.at))  # a batch keeps its order


def _standing(item: Proposal) -> tuple[bool, str, str, bool]:
    """A decided one before an open one, the later decision before the earlier."""
    decided = item.status in DECIDED
    return decided, item.decided_at if decided else "", item.status if decided else "", item.noted


def kept(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Every open proposal and the newest decided ones."""
    found = list(proposals)
    surplus = sum(not item.open for item in found) - MOST_DECIDED
    decided = [item for item in found if not item.open]
    old = {item.id for item in decided[: max(surplus, 0)]}
    return [item for item in found if item.id not in old]


def encoded(proposals: Iterable[Proposal]) -> bytes:
    body = ",\n".join(comment.dumps(item.document()) for item in kept(proposals))
    return f'{{"version":{VERSION},"proposals":[\n{body}\n]}}\n'.encode()
