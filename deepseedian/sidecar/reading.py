"""What is read of memory: recall, search, entries, export."""

import json
from collections.abc import Iterator

from deepseedian.core import markup
from deepseedian.core.entry import Entry
from deepseedian.core.topic import identity
from deepseedian.sidecar.opened import Document, Opened, described

PAGE = 8
QUESTION_LIMIT = 40_000


class Reading(Opened):
    """Answers from one snapshot; nothing here writes memory."""

    def entries(self, topic: str = "") -> Document:
        snapshot = self._warm()
        wanted = identity(topic)
        entries = [entry for entry in snapshot.by_age if not topic or identity(entry.topic) == wanted]
        claimed = self.store.known.claimed(entries)
        return {"revision": snapshot.revision, "entries": [described(entry, entry.id in claimed) for entry in entries]}

    def show(self, id: str, revision: str = "") -> Document:
        """One entry, archived ones too; with `revision` as that snapshot has it."""
        return self._shown(self.recollection.snapshot(self._warm(), revision), id)

    def export(self, format: str = "jsonl") -> Iterator[str]:
        """Every active entry, as JSON lines or as Markdown with its markers, piece by piece."""
        snapshot = self._warm()
        for entry in snapshot.by_age:
            yield _jsonl(entry) if format == "jsonl" else _markdown(entry, self.vault.family)


def _jsonl(entry: Entry) -> str:
    return json.dumps(entry.document(), ensure_ascii=False) + "\n"


def _markdown(entry: Entry, family: str) -> str:
    return markup.encode(entry.meta, entry.text, family=family).decode() + "\n"
