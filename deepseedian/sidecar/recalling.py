"""Recall and search: what a question is offered with everything that bears on it, and the receipt that tells why."""

import sqlite3
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter, sleep
from typing import TYPE_CHECKING

from deepseedian.config.layers import Config
from deepseedian.core import injection, secret
from deepseedian.core import recall as ranking
from deepseedian.core import receipt as telling
from deepseedian.core.entry import Entry
from deepseedian.core.gate import Gates
from deepseedian.core.matching import Memory, candidates
from deepseedian.core.recall import Choice, Recall
from deepseedian.core.similar import Similar
from deepseedian.core.text import KEPT_TEXTS, estimated_tokens, query_terms, summary
from deepseedian.core.weight import Terms, Weight, content, weight
from deepseedian.errors import BadInput, DeepseedianError, NotFound
from deepseedian.sidecar.opened import NUMPY_FROM, Document, Opened, load_numpy

if TYPE_CHECKING:
    from deepseedian.memory.judging import Verdict
    from deepseedian.store.receipt import Judged

PAGE = 8
QUESTION_LIMIT = 40_000
NAME_LIMIT = 200
VECTORS = "vectors.db"
MOST_WEIGHTS = 4096
REST_SECONDS = 0.0005
HELD_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Asked:
    """One recall as it was asked for; `receipt` is the id of its receipt, `config` the settings of that moment."""

    receipt: str
    config: Config
    question: str
    session: str = ""
    as_of: str = ""
    revision: str = ""
    inject: bool = False
    door: str = ""
    why: bool = False
    about: Mapping[str, str] = field(default_factory=dict)


class Recalling(Opened):
    """What a question is offered, and what a search finds; nothing here writes memory."""

    _judge: tuple[Config | None, float, bool] = None, 0.0, False
    _plain: tuple[tuple[float, Terms], dict[str, tuple[Entry, Weight]]] | None = None

    def recall(self, question: str, why: bool = False, revision: str = "", session: str = "", as_of: str = "",
               inject: bool = False, door: str = "", preset: str = "", origin: str = "", cwd: str = "") -> Document:
        """The index of a turn: {"vault","revision","total","index":[{"id","summary"}],"reason"?,"text"?,"notice"?,"receiptId"?,
        "receipt"?}.

        `session` is whose turn it is; with `inject` there is text to put before it, without what the session has received.
        `as_of` answers from the memory of that time. `door` says who asks; it is kept in the receipt with `preset`, `origin`
        and `cwd`.
        """
        began = perf_counter()
        _check(question, session, door, preset, origin, cwd)
        question = question.encode(errors="replace").decode()  # half a character fits into no file, and would hold up the receipts
        if "idle" in self.__dict__:
            self.idle.activity()
        asked = Asked(self.recalls.new_id(), self.config.still(), question, session, as_of, revision, inject, door, why,
                      {name: value for name, value in (("preset", preset), ("origin", origin), ("cwd", cwd)) if value})
        found = self._found(asked, self._choice(asked))
        found, verdict = self._judged(asked, found)
        text, found = self._text(asked, found) if inject else ("", found)
        return self._answer(asked, found, text, verdict, (perf_counter() - began) * 1000)

    def rank(self, question: str, limit: int = ranking.MAX_ENTRIES, fill: bool = True) -> list[str]:
        """The ids of the entries for a question, best first: the ranking of recall and search before any gate.

        With `fill` those that match nothing stand at the end.
        """
        self._warm()
        similar = self._similar(ranking.shortened(question))
        with self.recollection.read(self.store.snapshot) as memory:
            found = ranking.recall(memory, question, Choice(limit, pinned=False, fill=fill, gates=None), similar=similar)
        return [item.entry.id for item in found.offered]

    def search(self, query: str, offset: int = 0, limit: int = PAGE, revision: str = "", as_of: str = "") -> Document:
        """{"revision","total","offset","results":[{"id","summary"}]}; an empty query pages through everything."""
        _check(query)
        if offset < 0 or not 1 <= limit <= 100:
            raise BadInput("offset counts from 0, limit goes from 1 to 100", "for example: --offset 8")
        self._warm()
        similar = self._similar(ranking.shortened(query)) if query.strip() and not as_of else None
        with self._memory(revision, as_of) as memory:
            if query.strip():
                ranked, total = candidates(memory, query_terms(query), similar, offset + limit)
                found = [item.entry for item in ranked if item.own > 0 or (similar and similar.counts(item.entry.id))]
                total = max(total, len(found) if len(found) < offset + limit else 0)
            else:
                found, total = list(memory.newest(offset + limit)), memory.total
        rows = [{"id": entry.id, "summary": summary(entry.text)} for entry in found[offset: offset + limit]]
        return {"revision": memory.revision, "total": total, "offset": offset, "results": rows}

    def prepare(self, rest: float = REST_SECONDS) -> None:
        """Make the first recalls as fast as later ones: for the newest entries, as many as are kept, with a rest after each."""
        if len(self.store.snapshot.entries) > NUMPY_FROM:
            load_numpy()
        newest = sorted(self.store.snapshot.entries.values(), key=lambda entry: entry.created_at, reverse=True)
        for entry in newest[:KEPT_TEXTS]:
            if self._closed:
                return
            if entry.id in self.store.snapshot.entries:  # not what was erased meanwhile
                ranking.prepare(entry)
            sleep(rest)

    # The parts of a recall

    def _choice(self, asked: Asked) -> Choice:
        config = asked.config
        limit = config.number("recall.max_entries")
        if asked.inject and not config.chosen("recall.max_entries"):
            limit = injection.MAX_ENTRIES
        received = self.recalls.injected(asked.session, config.text("inject.repeat")) if asked.inject and asked.session else {}
        return Choice(limit, config.on("recall.include_pinned"), config.on("recall.fill"), self._gates(asked),
                      config.number("recall.query_chars"), config.number("recall.budget_tokens"), received)

    def _gates(self, asked: Asked) -> Gates:
        config = asked.config
        trusts = frozenset(config.text("recall.trusts").split(", "))
        return Gates(config.on("recall.intent_gate"), config.share("recall.confident_relevance"), config.share("recall.min_coverage"),
                     config.share("recall.min_score"), config.share("recall.min_relevance"), config.number("recall.min_chars"), trusts)

    def _found(self, asked: Asked, choice: Choice) -> Recall:
        """Cold from the cache of the last run, words alone; warm with all that is known."""
        find = partial(ranking.recall, question=asked.question, choice=choice, why=True)
        off = next((name for name in ("enabled", "auto_recall") if not asked.config.on(name)), "") if asked.inject else ""
        if off:
            return self._nothing(f"{off} is off")
        if asked.inject and asked.session and not self._session_reads(asked.session):
            return self._nothing("memory is off for this session")
        if self._cold is not None and not asked.revision and not asked.as_of and not self.ready.is_set():
            with suppress(sqlite3.Error, ValueError, LookupError, TypeError, ArithmeticError):
                return find(self._cold.memory())
            self._cold = None  # damaged in a part that was not looked at when it was opened: memory itself answers
        self._warm()
        if asked.config.number("watch.reconcile_seconds") == 0:
            self.store.refresh(deep=True)
        quiet = asked.as_of or ranking.silent(asked.question, choice.gates)
        similar = None if quiet else self._similar(ranking.shortened(asked.question, choice.query_chars))
        weights = self._weights(asked)
        with self._memory(asked.revision, asked.as_of) as memory:
            return find(memory, similar=similar, weights=weights)

    def _session_reads(self, session: str) -> bool:
        try:
            return self.sessions.reads(session)
        except (BadInput, NotFound):
            return True  # a name that no conversation is kept under
        except (OSError, DeepseedianError):
            return False  # its switches cannot be read now, and one of them may be off

    def _nothing(self, reason: str) -> Recall:
        snapshot = self._warm()
        return Recall(snapshot.vault_id, snapshot.revision, len(snapshot.entries), (), (), reason=reason)

    def _memory(self, revision: str, as_of: str) -> AbstractContextManager[Memory]:
        if not as_of:
            return self.recollection.read(self.store.snapshot, revision)
        from deepseedian.memory.asof import moment

        return self.recollection.read_as_of(self.store.snapshot, moment(as_of))

    def _similar(self, question: str) -> Similar | None:
        """What is near in meaning; None without a model, and while a daemon has not begun to look for one."""
        if self.resident and "similarity" not in self.__dict__:
            return None
        if not self.resident and not (self.instance.folder / VECTORS).exists():
            return None
        return self.similarity.similar(question)

    def _weights(self, asked: Asked) -> ranking.Weights:
        config, now, signals = asked.config, self.seam.clock.time(), self.recalls.signals()
        terms = frozenset(query_terms(asked.question)) if signals else frozenset()  # only compared with those of what was said
        rules = Terms(config.on("feedback_ranking"), config.on("outcome_feedback"), config.number("decay.days"),
                      config.share("decay.floor"))

        plain = self._plain_weights((now // 60, rules))

        def weigh(entry: Entry) -> Weight:
            if said := signals.get(entry.id):
                return weight(entry, terms, said.get(content(entry.text)), now, rules)
            held = plain.get(entry.id)
            if held is None or held[0] is not entry:
                held = plain[entry.id] = entry, weight(entry, terms, None, now, rules)
            return held[1]
        return weigh

    def _cleared(self) -> None:
        super()._cleared()
        self._plain = None

    def _plain_weights(self, key: tuple[float, Terms]) -> dict[str, tuple[Entry, Weight]]:
        """The weights of entries that nobody said anything about hold for a minute: only their age is in them."""
        if self._plain is None or self._plain[0] != key or len(self._plain[1]) > MOST_WEIGHTS:
            self._plain = key, {}
        return self._plain[1]

    def _judged(self, asked: Asked, found: Recall) -> "tuple[Recall, Verdict | None]":
        """After a hit, what a model keeps of the best entries; without one everything passes."""
        if not found.offered or not self._judge_wanted(asked.config):
            return found, None
        from deepseedian.memory.judging import Limits

        limits = Limits(*(asked.config.number(f"judge.{name}") for name in ("timeout_ms", "deadline_ms", "min_chars", "cache_minutes")))
        matched = [item.entry for item in found.offered if item.reason == "match"]
        verdict = self.judge.judge(asked.question, matched, limits, lambda late: self.recalls.judged(asked.receipt, _noted(late)))
        return found.without(verdict.dropped, "judge"), verdict

    def _judge_wanted(self, config: Config) -> bool:
        """Whether there is one is looked up in files and the keyring, so the answer holds for a second."""
        config_then, until, wanted = self._judge
        if config_then is not config or perf_counter() > until:
            wanted = self._judging(config)
            self._judge = config, perf_counter() + HELD_SECONDS, wanted
        return wanted

    def _text(self, asked: Asked, found: Recall) -> tuple[str, Recall]:
        limits = asked.config.number("inject.full_entries"), asked.config.number("inject.max_chars")
        hidden = [item.entry.id for item in found.offered if secret.find(item.entry.text)]  # kept here on demand, never sent by itself
        found = found.without(hidden, "secret") if hidden else found
        text, given = injection.text([item.entry for item in found.offered], *limits)
        kept = {entry.id for entry in given}
        return text, found.without([item.entry.id for item in found.offered if item.entry.id not in kept], "budget")

    # The answer and its receipt

    def _answer(self, asked: Asked, found: Recall, text: str, verdict: "Verdict | None", milliseconds: float) -> Document:
        shadow = asked.config.on("shadow")
        self._keep(asked, found, text, verdict, milliseconds)
        whole = found
        if shadow:
            found, text = found.without([item.entry.id for item in found.offered], "shadow: only the receipt was kept"), ""
        answer = found.index() | ({"reason": found.reason} if found.reason else {})
        if asked.inject:
            answer["text"] = text
            if text and asked.config.text("delivery") == "notice":
                answer["notice"] = injection.notice([item.entry.text for item in found.offered], asked.config.text("language"))
        if asked.inject or asked.session:
            answer["receiptId"] = asked.receipt
        return answer | {"receipt": {"id": asked.receipt} | telling.document(_told(asked, whole))} if asked.why else answer

    def _keep(self, asked: Asked, found: Recall, text: str, verdict: "Verdict | None", milliseconds: float) -> None:
        """Put the receipt where a thread behind recall writes it."""
        from deepseedian.store.receipt import Receipt

        given = {item.entry.id: content(item.entry.text) for item in found.offered}
        again = {item.entry.id: content(item.entry.text) for item in found.left_out if item.reason == "received"}
        shown = sum(len(summary(item.entry.text)) for item in found.offered)
        size = (len(text), estimated_tokens(text)) if asked.inject else (shown, found.tokens)
        receipt = Receipt(asked.receipt, self.seam.clock.stamp(), asked.question, partial(_told, asked, found), asked.door, asked.session,
                          found.revision, given, again, *size, milliseconds, asked.config.on("shadow"), _noted(verdict))
        with suppress(OSError):
            self.recalls.keep(receipt)


def _told(asked: Asked, found: Recall) -> Document:
    """What a receipt holds, in its short form."""
    return telling.kept(found) | ({"about": dict(asked.about)} if asked.about else {})


def _noted(verdict: "Verdict | None") -> "Judged":
    from deepseedian.store.receipt import Judged

    return Judged(verdict.state, verdict.kept, verdict.dropped, verdict.milliseconds) if verdict else Judged()


def _check(question: str, *names: str) -> None:
    if len(question) > QUESTION_LIMIT:
        raise BadInput(f"a question may have {QUESTION_LIMIT} characters", "shorten it")
    if any(len(name) > NAME_LIMIT or not name.isprintable() for name in names):
        raise BadInput(f"the name of a session or a door is one line of at most {NAME_LIMIT} characters", "shorten it")
