"""Consolidation: what recent conversations and memory itself suggest, as proposals and never as changes.

With a model, one call reads the owner's unread messages, the rules and the entries that touch them. Without
one, or when it fails, rules find explicit statements, entries that say the same, and entries due for review.
One run at a time on this device; the same evidence is never paid for twice; without new evidence nobody is asked.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Protocol, runtime_checkable

from filelock import FileLock, Timeout

from deepseedian.config.layers import Config
from deepseedian.core.entry import Entry
from deepseedian.core.proposal import Draft, told
from deepseedian.core.snapshot import Snapshot, sha256
from deepseedian.errors import BadInput, Busy, DeepseedianError, ModelFailed, NotFound, TooLarge
from deepseedian.memory.capture import Manner, from_message
from deepseedian.memory.confirmation import Confirmation
from deepseedian.memory.consolidation import (
    MOST_ITEMS,
    RULES_CHARS,
    SCHEMA,
    Offered,
    Prompt,
    checked,
    entries_for,
    fitted,
    items_of,
    prompt,
)
from deepseedian.memory.review import Review
from deepseedian.models.chat import Chat, loads
from deepseedian.store.ledger import CANCELLED as CALLED_OFF
from deepseedian.store.ledger import Ledger
from deepseedian.store.sessions import Message, Sessions

__all__ = ["Organized", "Organizer", "prompt"]

MOST_MESSAGES = 20  # of one run
MOST_SESSIONS = 5
RETRY_SECONDS = 600.0
WAIT_SECONDS = 30.0
CANCELLED = "cancelled by activity"
USELESS = "the model's answer to exactly these messages was of no use; it is asked again when there is something new"
WORDS = {"en": {"same": "these entries say the same", "due": "its review date {0} has passed"},
         "zh": {"same": "这些条目说的是同一件事", "due": "它的复查日期 {0} 已过"}}


@runtime_checkable
class Counting(Protocol):
    """A model that tells of each of its requests: a server that knows no JSON schema is asked twice."""

    before: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Organized:
    """What a run did. `fault` names why a configured model gave nothing, `skipped` why it was not asked."""

    proposals: tuple[str, ...] = ()
    note: str = ""
    model: bool = False
    fault: str = ""
    skipped: str = ""

    def document(self) -> dict[str, object]:
        found: dict[str, object] = {"proposals": list(self.proposals), "note": self.note or None, "model": self.model}
        return found | {key: value for key, value in (("fault", self.fault), ("skipped", self.skipped)) if value}


@dataclass(frozen=True, slots=True)
class Unread:
    """The owner's unread messages, whose session each is from, and when it was said."""

    messages: tuple[Message, ...] = ()
    session: Mapping[str, str] = field(default_factory=dict)
    at: Mapping[str, str] = field(default_factory=dict)

    def read(self, messages: Sequence[Message]) -> dict[str, list[str]]:
        """Session → the ids of these messages in it."""
        found: dict[str, list[str]] = {}
        for message in messages:
            found.setdefault(self.session[message.id], []).append(message.id)
        return found


@dataclass(frozen=True, slots=True)
class Wish:
    """Who wants a consolidation, and of what: one session, one topic, or whatever is new."""

    origin: str
    session: str = ""
    topic: str = ""

    @property
    def asked(self) -> bool:
        return self.origin == "asked"


@dataclass(frozen=True, slots=True)
class Found:
    """What a model's part of a run came to. `read` are the messages that need not be looked at again."""

    drafts: tuple[Draft, ...] = ()
    read: tuple[Message, ...] = ()
    model: bool = False
    fault: str = ""
    skipped: str = ""
    evidence: str = ""


class Organizer:
    """Runs on one store. `chat` gives the model in force, None without one."""

    def __init__(self, review: Review, sessions: Sessions, ledger: Ledger, config: Config, chat: Callable[[], Chat | None]) -> None:
        self.review, self.sessions, self.ledger, self.config, self.chat = review, sessions, ledger, config, chat
        self.store = review.store
        self.lock = threading.Lock()
        self._alone = FileLock(ledger.path.with_name("organize.lock"), fallback_to_soft=False, mode=0o600, thread_local=False)

    # What there is to read

    def unread(self, session: str = "") -> Unread:
        """At most 20 messages of the five sessions added to last, or of one, oldest first within each. Raises NotFound."""
        excluded = self.store.excluded()
        found: list[Message] = []
        of: dict[str, str] = {}
        at: dict[str, str] = {}
        for name, own, times in [(session, *self._own(session, named=True))] if session else islice(self._contributing(), MOST_SESSIONS):
            new = set(self.ledger.unseen(name, own))
            for key, message in own.items():
                if key in new and key not in excluded and len(found) < MOST_MESSAGES:
                    found.append(message)
                    of[key], at[key] = name, times.get(key, "")
        return Unread(tuple(found), of, at)

    def _contributing(self) -> Iterator[tuple[str, dict[str, Message], dict[str, str]]]:
        """Sessions with what may be learned from them; the cursor of one without any stays where it is."""
        for session in self.sessions.names():
            own, times = self._own(session, named=False)
            if own:
                yield session, own, times

    def _own(self, session: str, *, named: bool) -> tuple[dict[str, Message], dict[str, str]]:
        """The owner's messages that a session contributes, by id, and when each was said."""
        try:
            own = self.sessions.contributing(session)
            times = {message.id: turn.at for turn in self.sessions.turns(session) for message in turn.messages}
        except (NotFound, TooLarge, BadInput):
            if named:
                raise
            return {}, {}  # it was pruned right now, or cannot be read
        return {message.id: message for message in own}, times

    # A run

    def run(self, origin: str, cancelled: threading.Event, session: str = "", topic: str = "") -> Organized:
        """One consolidation; a second one waits, in whichever process. Nothing in memory changes. Raises Busy, NotFound."""
        wish = Wish(origin, session, topic)
        with self.lock, self._only(wish):
            unread = self.unread(session)
            snapshot = self.store.snapshot
            if topic and topic not in snapshot.topics():
                raise NotFound(f"there is no topic {topic}", "deepseedian list shows the topics")
            found = self._asked(wish, unread, snapshot, cancelled)
            if cancelled.is_set():
                return Organized(fault=CANCELLED)
            drafts = self._still_allowed(self._drafts(wish, unread, snapshot, found), unread)
            batch = self.review.propose(drafts, origin)
            if not found.fault:
                read = unread.read(found.read)
                self.ledger.move({name: keys[-1] for name, keys in read.items()}, read, found.evidence)
            return Organized(tuple(item.id for item in batch.proposals), batch.note, found.model, found.fault, found.skipped)

    def _still_allowed(self, drafts: Sequence[Draft], unread: Unread) -> list[Draft]:
        """Without what rests on a message that was taken back meanwhile: a model may take minutes."""
        now = {key for session in set(unread.session.values()) for key in self._own(session, named=False)[0]}
        gone = {message.id for message in unread.messages} - now
        return [draft for draft in drafts if not gone & {quote.source for quote in draft.evidence}]

    @contextmanager
    def _only(self, wish: Wish) -> Iterator[None]:
        """The lock of the operating system, which a kill frees: at most one run on this device."""
        try:
            self._alone.acquire(timeout=WAIT_SECONDS if wish.asked else 0)
        except Timeout:
            raise Busy("another consolidation is running", "try again in a moment") from None
        try:
            yield
        finally:
            self._alone.release()

    def _drafts(self, wish: Wish, unread: Unread, snapshot: Snapshot, found: Found) -> list[Draft]:
        """What rules find, then what the model proposes of words that no rule has taken."""
        language, words = self.review.language, WORDS[self.review.language]
        manner = Manner.of(self.config)
        by_rule = [draft for message in unread.messages for draft in from_message(message, snapshot, language, manner)]
        taken = [quote for draft in by_rule for quote in draft.evidence]
        model = [draft for draft in found.drafts if not any(
            one.source == other.source and (one.quote in other.quote or other.quote in one.quote)
            for one in draft.evidence for other in taken)]
        entries = [entry for entry in snapshot.entries.values() if wish.topic in ("", entry.topic)]
        return by_rule + model + duplicates(entries, words) + overdue(entries, self.store.seam.clock.stamp(), words)

    def _asked(self, wish: Wish, unread: Unread, snapshot: Snapshot, cancelled: threading.Event) -> Found:
        """The model's part. Its failure costs only that."""
        if (left := None if wish.topic else self._left(wish, unread, snapshot)) is not None:
            return left
        entries = entries_for(snapshot, (), wish.topic) if wish.topic else []
        try:
            chat = self.chat() if unread.messages or len(entries) > 1 else None
        except DeepseedianError as error:  # a profile that cannot be used
            return Found(fault=error.message)
        if chat is None:
            return Found(read=unread.messages)
        made = fitted(self._rules(), snapshot, unread.messages, wish.topic)
        read = tuple(message for message in unread.messages if message in made.sent or message in made.passed)
        if not made.sent and len(entries) < 2:
            return Found(read=read)
        evidence = _evidence(made.sent, entries)
        known = self.ledger.answered(evidence)
        if known and not known.answer and (known.useful or not wish.asked):
            return Found(read=read if known.useful else (), skipped="" if known.useful else USELESS)
        offered = Offered(made.sent, unread.at, wish.topic, self.store.seam.clock.stamp(), wish.asked, self.review.language)
        try:
            answer = known.answer if known and known.answer else self._paid(chat, wish, made, evidence, cancelled)
            return Found(tuple(checked(items_of(loads(answer)), offered, snapshot)), read, True, evidence=evidence)
        except DeepseedianError as error:
            return Found(fault=error.message)

    def _left(self, wish: Wish, unread: Unread, snapshot: Snapshot) -> Found | None:
        """What an answer says that a kill kept from being used; messages that came since are for the next run."""
        known = self.ledger.pending()
        sent = tuple(message for message in unread.messages if known and message.id in known.messages)
        if known is None or not sent:
            return None
        offered = Offered(sent, unread.at, "", self.store.seam.clock.stamp(), wish.asked, self.review.language)
        return Found(tuple(checked(items_of(loads(known.answer)), offered, snapshot)), sent, True, evidence=known.evidence)

    def _paid(self, chat: Chat, wish: Wish, made: Prompt, evidence: str, cancelled: threading.Event) -> str:
        """One call: reserved before it, its answer kept before anything is made of it. Raises ModelFailed."""
        number = self.ledger.reserve(self.store.seam.clock.stamp(), made.chars, self.config.number("idle.daily_runs"),
                                     self.config.number("idle.daily_chars"), wish.origin)
        if not number:
            raise ModelFailed("today's budget for model runs is used up", "idle.daily_runs and idle.daily_chars set it", code="budget")
        if isinstance(chat, Counting):
            chat.before = partial(self.ledger.call, number)
        else:
            self.ledger.call(number)
        try:
            answer = chat.answer(made.system, made.user, SCHEMA, cancelled)
        except Exception as error:
            code = error.code if isinstance(error, DeepseedianError) else type(error).__name__
            self.ledger.finish(number, CALLED_OFF if cancelled.is_set() else code, failed=not cancelled.is_set())
            raise
        return self._kept(number, answer, evidence, [message.id for message in made.sent])

    def _kept(self, number: int, answer: str, evidence: str, messages: Sequence[str]) -> str:
        try:
            found = len(items_of(loads(answer)))
        except DeepseedianError as error:
            self.ledger.keep(evidence, "", useful=False)
            self.ledger.finish(number, error.code, failed=True)
            raise
        self.ledger.keep(evidence, answer, messages)
        self.ledger.finish(number, f"{found} items")
        return answer

    def _rules(self) -> str:
        return Confirmation(self.store).rules().decode(errors="replace")[:RULES_CHARS]


def _evidence(sent: Sequence[Message], entries: Sequence[Entry]) -> str:
    """The name of what a model is asked about: the messages, and the entries of a topic that was asked for."""
    told_of = [sorted(message.id for message in sent), sorted(sha256(f"{entry.id} {entry.text}".encode()) for entry in entries)]
    return sha256(json.dumps(told_of).encode())


def duplicates(entries: Sequence[Entry], words: Mapping[str, str]) -> list[Draft]:
    """Entries that say the same with other spacing, case or end signs, as merges into the oldest."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(told(entry.text), []).append(entry)
    found = []
    for same in groups.values():
        if len(same) > 1 and not any(entry.pinned for entry in same):
            same.sort(key=lambda entry: (entry.created_at, entry.id))
            ids = tuple(entry.id for entry in same)
            found.append(Draft("merge", same[-1].text, words["same"], (), ids))
    return found[:MOST_ITEMS]


def overdue(entries: Sequence[Entry], now: str, words: Mapping[str, str]) -> list[Draft]:
    """Entries whose review date has passed, as archive proposals."""
    due = [entry for entry in entries
           if isinstance(entry.meta.get("reviewAt"), str) and str(entry.meta["reviewAt"]) < now and not entry.pinned]
    return [Draft("archive", entry.text, words["due"].format(str(entry.meta["reviewAt"])[:10]), (), (entry.id,))
            for entry in due[:MOST_ITEMS]]
