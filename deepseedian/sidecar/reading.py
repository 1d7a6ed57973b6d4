"""What is read of memory: recall, search, entries, export."""

import json
from collections.abc import Iterator

from deepseedian.core import markup
from deepseedian.core.entry import Entry
from deepseedian.core.matching import candidates
from deepseedian.core.recall import MAX_ENTRIES, Choice, recall
from deepseedian.core.text import query_terms, summary
from deepseedian.core.topic import identity
from deepseedian.errors import BadInput
from deepseedian.sidecar.opened import Document, Opened, described

PAGE = 8
QUESTION_LIMIT = 40_000


class Reading(Opened):
    """Answers from one snapshot; nothing here writes memory."""

    def recall(self, question: str, why: bool = False, revision: str = "") -> Document:
        """The index of a turn: {"vault","revision","total","index":[{"id","summary"}],"receipt"?}."""
        _check_question(question)
        if "idle" in self.__dict__:
            self.idle.activity()
        choice = Choice(self.config.number("recall.max_entries"), bool(self.config["recall.include_pinned"]))
        if self._cold is not None and not revision and not self.ready.is_set():
            return _recalled(recall(self._cold.memory(), question, choice, why=why), why)
        self._warm()
        self._reconciled()
        memory, lock = self.recollection.read(self.store.snapshot, revision)
        with lock:
            return _recalled(recall(memory, question, choice, why=why), why)

    def rank(self, question: str, limit: int = MAX_ENTRIES) -> list[str]:
        """The ids of the entries for a question, best first and filled up: the ranking of recall and search before any gate."""
        self._warm()
        memory, lock = self.recollection.read(self.store.snapshot)
        with lock:
            found = recall(memory, question, Choice(limit, pinned=False, fill=True, gates=None))
        return [item.entry.id for item in found.offered]

    def _reconciled(self) -> None:
        if self.config.number("watch.reconcile_seconds") == 0:
            self.store.refresh(deep=True)

    def search(self, query: str, offset: int = 0, limit: int = PAGE, revision: str = "") -> Document:
        """{"revision","total","offset","results":[{"id","summary"}]}; an empty query pages through everything."""
        _check_question(query)
        if offset < 0 or not 1 <= limit <= 100:
            raise BadInput("offset counts from 0, limit goes from 1 to 100", "for example: --offset 8")
        self._warm()
        memory, lock = self.recollection.read(self.store.snapshot, revision)
        with lock:
            if query.strip():
                ranked, total = candidates(memory, query_terms(query), None, offset + limit)
                found = [item.entry for item in ranked if item.own > 0]
            else:
                found, total = list(memory.newest(offset + limit)), memory.total
        rows = [{"id": entry.id, "summary": summary(entry.text)} for entry in found[offset: offset + limit]]
        return {"revision": memory.revision, "total": total, "offset": offset, "results": rows}

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


def _check_question(text: str) -> None:
    if len(text) > QUESTION_LIMIT:
        raise BadInput(f"a question may have {QUESTION_LIMIT} characters", "shorten it")


def _recalled(found, why: bool) -> Document:  # type: ignore[no-untyped-def]
    document: Document = found.index()
    return document | {"receipt": found.receipt()} if why else document


def _jsonl(entry: Entry) -> str:
    return json.dumps(entry.document(), ensure_ascii=False) + "\n"


def _markdown(entry: Entry, family: str) -> str:
    return markup.encode(entry.meta, entry.text, family=family).decode() + "\n"
