"""proposals.json: what waits for the owner, and what was decided lately so that it is not proposed again."""

from collections.abc import Iterable
from dataclasses import replace

from deepseedian.core import comment
from deepseedian.core.proposal import Proposal, from_document
from deepseedian.errors import BadInput, ReadOnly

NAME = "proposals.json"
VERSION = 2
MOST_OPEN = 50
STANDING = {"open": 0, "expired": 1}  # a decision counts for more than making room, and that for more than waiting
MOST_DECIDED = 500  # of each: what was dismissed must be remembered however much else is decided


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


def _standing(item: Proposal) -> tuple[int, str, str, bool]:
    """A decided one before an open one, the later decision before the earlier."""
    standing = STANDING.get(item.status, 2)
    return standing, item.decided_at if standing else "", item.status if standing else "", item.noted


def kept(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Every open proposal, the newest dismissed ones, and the newest of the others that were decided."""
    found = list(proposals)
    dismissed = [item.id for item in found if item.status == "dismissed"]
    others = [item.id for item in found if item.status not in ("open", "dismissed")]
    old = {*dismissed[:-MOST_DECIDED], *others[:-MOST_DECIDED]}
    return [item for item in found if item.id not in old]


def encoded(proposals: Iterable[Proposal]) -> bytes:
    body = ",\n".join(comment.dumps(item.document()) for item in kept(proposals))
    return f'{{"version":{VERSION},"proposals":[\n{body}\n]}}\n'.encode()
