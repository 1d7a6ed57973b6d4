"""Looking around: the archive, and which ids begin as a person wrote them."""

from collections import ChainMap
from collections.abc import Callable, Iterable

from deepseedian.core.entry import Entry
from deepseedian.core.text import summary
from deepseedian.errors import BadInput
from deepseedian.sidecar.opened import Document, Opened, described

LEAST_CHARS = 4
MOST_MATCHES = 10
LABEL_CHARS = 60


class Browsing(Opened):
    """Reads only."""

    def archive(self) -> Document:
        """{"revision","entries":[…]}: superseded and forgotten entries, the one that ended last first."""
        snapshot = self._warm()
        entries = sorted(snapshot.archive.values(), key=_ended, reverse=True)
        return {"revision": snapshot.revision, "entries": [described(entry, False) for entry in entries]}

    def matching(self, kind: str, prefix: str, session: str = "") -> Document:
        """{"matches":[{"id","text"}]}: what of a kind has an id that begins so, ten at most; turns of one `session`, or all traced ones.

        Raises BadInput.
        """
        if len(prefix) < LEAST_CHARS:
            raise BadInput(f"an id is shortened to {LEAST_CHARS} characters at least", "write more of it")
        ids, text = self._named(kind, prefix, session)
        found = sorted((id for id in ids if id.startswith(prefix)), key=lambda id: id != prefix)  # a whole one first
        return {"matches": [{"id": id, "text": summary(text(id), LABEL_CHARS)} for id in found[:MOST_MATCHES]]}

    def _named(self, kind: str, prefix: str, session: str) -> tuple[Iterable[str], Callable[[str], str]]:
        """The ids of a kind, and what tells a person which is which."""
        if kind == "entry":
            entries = ChainMap(dict(self._warm().entries), dict(self._warm().archive))
            return entries, lambda id: entries[id].text
        if kind == "session":
            return self.sessions.names(), self.sessions.title
        if kind == "proposal":
            self._warm()
            texts = {item.id: item.text for item in self.review.all()}
        elif kind == "turn" and session:
            texts = {turn.id: turn.question for turn in self.sessions.turns(session)}
        elif kind == "turn":
            texts = {turn.turn: turn.question for turn in self.turn_trace.named(prefix, MOST_MATCHES)}
        else:
            raise BadInput(f"there is no kind {kind!r}", "entry, proposal, session or turn")
        return texts, texts.__getitem__


def _ended(entry: Entry) -> tuple[str, str]:
    return str(entry.meta.get("endedAt", "")), entry.id
