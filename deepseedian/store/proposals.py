"""proposals.json: what waits for the owner, and what was decided lately so that it is not proposed again."""

from collections.abc import Iterable

from deepseedian.core import comment
from deepseedian.core.proposal import Proposal, from_document
from deepseedian.errors import BadInput, ReadOnly

NAME = "proposals.json"
VERSION = 2
MOST_OPEN = 50
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


def encoded(proposals: Iterable[Proposal]) -> bytes:
    """Every open proposal and the newest decided ones."""
    found = list(proposals)
    surplus = sum(not item.open for item in found) - MOST_DECIDED
    lines = []
    for item in found:
        if not item.open and surplus > 0:
            surplus -= 1
            continue
        lines.append(comment.dumps(item.document()))
    body = ",\n".join(lines)
    return f'{{"version":{VERSION},"proposals":[\n{body}\n]}}\n'.encode()
