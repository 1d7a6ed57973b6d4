"""From a conversation to drafts: explicit statements of the owner, with the words they stand in."""

from deepseedian.core import ranking, secret
from deepseedian.core.candidate import Candidate, candidates
from deepseedian.core.entry import Entry, moment
from deepseedian.core.matching import document_terms
from deepseedian.core.proposal import Draft, Evidence, same_words
from deepseedian.core.ranking import Index
from deepseedian.core.snapshot import Snapshot
from deepseedian.core.text import query_terms
from deepseedian.store.sessions import Message

REASONS = {
    "en": {"fact": "you asked to remember it", "decision": "you agreed on it from now on", "preference": "you said what you prefer",
           "corrected": "you corrected what is remembered"},
    "zh": {"fact": "你要求记住", "decision": "你约定以后如此", "preference": "你表达了偏好", "corrected": "你更正了记忆中的内容"},
}
SHARED = 0.5


def from_message(message: Message, snapshot: Snapshot, language: str, limit: int = 2) -> list[Draft]:
    """At most `limit` drafts from one message; only a user's own words count, and never a secret."""
    if message.role != "user":
        return []
    found = [candidate for candidate in candidates(message.text, limit) if not secret.find(candidate.quote)]
    drafts = (_draft(candidate, message, snapshot, REASONS[language]) for candidate in found)
    return [draft for draft in drafts if draft is not None]


def _draft(candidate: Candidate, message: Message, snapshot: Snapshot, reasons: dict[str, str]) -> Draft | None:
    evidence = (Evidence(message.id, candidate.quote),)
    old = corrected(candidate.text, snapshot) if candidate.correction else None
    if old is not None:
        return Draft("edit", candidate.text, reasons["corrected"], evidence, (old.id,), kind=candidate.kind)
    if candidate.correction:
        return None  # "no, it's …" alone says nothing that can be kept
    return Draft("add", candidate.text, reasons[candidate.kind], evidence, kind=candidate.kind)


def corrected(text: str, snapshot: Snapshot) -> Entry | None:
    """The entry that a correction is about: one that shares at least half of its words, the best match."""
    terms = query_terms(text)
    index = Index()
    for known in snapshot.entries.values():
        index.add(known.id, document_terms(known), moment(known.created_at))
    best = ranking.best(index, ranking.scores(index, dict.fromkeys(terms, 1.0)), 1)
    if not best:
        return None
    entry = snapshot.entries[index.key(best[0])]
    if entry.pinned or same_words(entry.text) == same_words(text):
        return None
    shared = len(set(terms) & set(document_terms(entry)))
    return entry if terms and shared / len(terms) >= SHARED else None
