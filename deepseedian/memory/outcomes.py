"""What became of an injection: the owner's next message may say that a remembered fact is wrong.

It counts for the entries that the session had before it when the message was written, at most ten minutes earlier,
and only while they still say the same. The recall that the message itself caused comes later and is not meant.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from deepseedian.core.correction import corrects
from deepseedian.core.entry import Entry
from deepseedian.core.text import query_terms
from deepseedian.core.weight import content
from deepseedian.store.receipt import Injection
from deepseedian.store.receipts import Receipts
from deepseedian.store.sessions import Message

WINDOW = timedelta(minutes=10)
_LOOKED_AT = 8  # a session's last recalls
_CUT = 40  # a host may hand recall only the beginning of a message, this long at least


class Outcomes:
    """Corrections of one store. `entry` gives an entry as it is now."""

    def __init__(self, receipts: Receipts, entry: Callable[[str], Entry | None]) -> None:
        self.receipts, self.entry = receipts, entry

    def observed(self, session: str, messages: Sequence[Message], at: str) -> list[str]:
        """The entries that a turn's messages correct, noted durably; the same turn again adds nothing. Raises Busy.

        `at` is when the turn came in, or when its host says it was.
        """
        found: list[str] = []
        for message in messages:
            before = self._before(session, message.text, at) if message.role == "user" and message.text.strip() else None
            wrong = corrects(message.text, self._same(before)) if before is not None else []
            if before is not None and wrong:
                named = {key: before.entries[key] for key in wrong}
                self.receipts.outcome(named, at, before.terms or query_terms(before.question), before.receipt, message.id)
                found += [key for key in wrong if key not in found]
        return found

    def _before(self, session: str, text: str, at: str) -> Injection | None:
        """The last injection before a message was written."""
        moment = _time(at)
        known = self.receipts.injections(session, _LOOKED_AT)
        own = next((number for number, item in enumerate(known) if _asks(item.question, text)), None)
        if own is not None:
            moment, known = _time(known[own].at), known[own + 1:]
        for item in known:
            if item.entries and _time(item.at) <= moment + timedelta(seconds=1):
                return item if moment - _time(item.at) <= WINDOW else None
        return None

    def _same(self, injection: Injection) -> list[Entry]:
        entries = [entry for key in injection.entries if (entry := self.entry(key)) is not None]
        return [entry for entry in entries if content(entry.text) == injection.entries[entry.id]]


def _asks(question: str, text: str) -> bool:
    asked, said = question.strip(), text.strip()
    return asked == said or (len(asked) >= _CUT and said.startswith(asked))


def _time(at: str) -> datetime:
    """A host's time may lack its zone; one that cannot be read is long ago, so that nothing is attributed."""
    try:
        found = datetime.fromisoformat(at.strip())
    except ValueError:
        return datetime(1970, 1, 1, tzinfo=UTC)
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
