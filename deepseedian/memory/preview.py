"""What a proposal would change before it is approved: recent questions that would get another index, and its cost.

The owner's last questions are asked of memory as it is and as it would be, by words alone, for a bounded time;
recall is held up for a moment at most. Nothing is written, and no model is asked.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from deepseedian.config.layers import Config
from deepseedian.core import recall as ranking
from deepseedian.core.entry import Entry
from deepseedian.core.gate import Gates
from deepseedian.core.proposal import Proposal
from deepseedian.core.recall import Choice, Recall
from deepseedian.core.review_note import Told
from deepseedian.core.snapshot import Snapshot
from deepseedian.core.text import summary
from deepseedian.errors import DeepseedianError
from deepseedian.memory.recall import Recollection
from deepseedian.store.entries import Store
from deepseedian.store.receipts import Receipts
from deepseedian.store.sessions import Sessions

QUESTIONS = 20
SHOW_SECONDS = 1.0
NOTE_SECONDS = 0.25
SLICE_SECONDS = 0.02
SESSIONS = 10
ROW_CHARS = len('{"id":"","summary":""},') + 36
WORDS = {"en": {"index": "{0} of {1} recent questions would get another index, {2}", "more": "about {0} characters a turn more",
                "fewer": "about {0} characters a turn fewer", "equal": "as long as now", "ends": "entries it replaces: {0}",
                "same": "none of {0} recent questions would get another index"},
         "zh": {"index": "最近 {1} 个问题中有 {0} 个的索引会改变，{2}", "more": "每轮约多 {0} 个字符", "fewer": "每轮约少 {0} 个字符",
                "equal": "长度不变", "ends": "取代 {0} 条", "same": "最近 {0} 个问题的索引都不变"}}


@dataclass(frozen=True, slots=True)
class Changed:
    """A question whose index would change: entries that come in, and entries that go."""

    question: str
    comes: tuple[str, ...]
    goes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """`asked` is how many questions were tried, `complete` whether time was left for all."""

    asked: int
    changed: tuple[Changed, ...]
    characters: float
    supersedes: tuple[tuple[str, str], ...]
    complete: bool

    def document(self) -> dict[str, object]:
        return {"questions": self.asked, "changed": [{"question": one.question, "in": list(one.comes), "out": list(one.goes)}
                                                     for one in self.changed],
                "charactersPerTurn": round(self.characters, 1), "complete": self.complete,
                "supersedes": [{"id": key, "summary": summary(text)} for key, text in self.supersedes]}

    def line(self, language: str) -> str:
        words, parts = WORDS[language], []
        if self.changed:
            parts.append(words["index"].format(len(self.changed), self.asked, length(self.characters, language)))
        elif self.asked:
            parts.append(words["same"].format(self.asked))
        if self.supersedes:
            parts.append(words["ends"].format(len(self.supersedes)))
        return "; ".join(parts) if self.asked else ""


def length(characters: float, language: str) -> str:
    """How much longer or shorter an index would be, in words."""
    number = round(characters)
    return WORDS[language]["more" if number > 0 else "fewer" if number < 0 else "equal"].format(abs(number))


class Preview:
    """The effects of one store's proposals."""

    def __init__(self, store: Store, recollection: Recollection, recalls: Receipts, config: Config) -> None:
        self.store, self.recollection, self.recalls, self.config = store, recollection, recalls, config

    def effect(self, item: Proposal, seconds: float = SHOW_SECONDS, questions: Sequence[str] | None = None) -> Effect:
        """Within about that time, whatever the size of memory."""
        until = perf_counter() + seconds
        wanted = self.questions() if questions is None else list(questions)
        now, then = self.store.snapshot, supposed(item, self.store.snapshot)
        asked, grown, changed = 0, 0, []
        for question, before, after in self._asked(wanted, now, then, until):
            asked += 1
            grown += _chars(after) - _chars(before)
            old, new = ([row.entry.id for row in found.offered] for found in (before, after))
            texts = {row.entry.id: row.entry.text for row in before.offered}
            comes = [row.entry.id for row in after.offered if texts.get(row.entry.id) != row.entry.text]
            if old != new or comes:
                changed.append(Changed(question, tuple(comes), tuple(key for key in old if key not in new)))
        pairs = [] if item.operation in ("add", "move") else zip(item.targets, item.before, strict=False)
        ended = tuple((target.id, text) for target, text in pairs if text != item.text or item.operation != "edit")
        return Effect(asked, tuple(changed), grown / asked if asked else 0.0, ended, asked == len(wanted))

    def questions(self) -> list[str]:
        """The last ones that were asked, newest first, each once."""
        try:
            rows = self.recalls.page(limit=QUESTIONS * 3)["receipts"]
        except DeepseedianError:
            return []
        found = [row["question"] for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        return list(dict.fromkeys(question for question in found if isinstance(question, str) and question.strip()))[:QUESTIONS]

    def _asked(self, questions: Sequence[str], now: Snapshot, then: Snapshot, until: float) -> Iterator[tuple[str, Recall, Recall]]:
        """Each question with its index now and then; in slices, so that no recall waits for all of them."""
        left, choice = list(questions), chosen(self.config)
        while left and perf_counter() < until:
            done: list[tuple[str, Recall, Recall]] = []
            end = min(until, perf_counter() + SLICE_SECONDS)
            with self.recollection.read_both(then, now) as (before, after):
                while left and (not done or perf_counter() < end):
                    question = left.pop(0)
                    done.append((question, ranking.recall(before, question, choice), ranking.recall(after, question, choice)))
            yield from done

    def told(self, items: Sequence[Proposal], sessions: Sessions) -> dict[str, Told]:
        """What a note says of each proposal besides itself."""
        until, questions = perf_counter() + NOTE_SECONDS, self.questions()
        wanted = {quote.source for item in items for quote in item.evidence}
        where = _where(sessions, wanted)
        found = {}
        for item in items:
            left = until - perf_counter()
            effect = self.effect(item, left, questions).line(self.config.text("language")) if questions and left > 0 else ""
            found[item.id] = Told({quote.source: where.get(quote.source, "") for quote in item.evidence}, effect)
        return found


def _where(sessions: Sessions, keys: set[str]) -> dict[str, str]:
    """The session of each message, looked for in those added to last."""
    found: dict[str, str] = {}
    for name in sessions.names()[:SESSIONS]:
        if not keys - found.keys():
            break
        try:
            found |= {message.id: name for message in sessions.messages(name) if message.id in keys}
        except DeepseedianError:
            continue  # it was pruned right now
    return found


def _chars(found: Recall) -> int:
    return sum(len(summary(row.entry.text)) + ROW_CHARS for row in found.offered)


def chosen(config: Config) -> Choice:
    """What a turn is offered, by the settings in force."""
    trusts = frozenset(re.split(r",\s*", config.text("recall.trusts")))
    gates = Gates(config.on("recall.intent_gate"), config.share("recall.confident_relevance"), config.share("recall.min_coverage"),
                  config.share("recall.min_score"), config.share("recall.min_relevance"), config.number("recall.min_chars"), trusts)
    return Choice(config.number("recall.max_entries"), config.on("recall.include_pinned"), config.on("recall.fill"), gates,
                  config.number("recall.query_chars"), config.number("recall.budget_tokens"))


def supposed(item: Proposal, snapshot: Snapshot) -> Snapshot:
    """Memory as it would be after an approval, as far as recall goes."""
    entries = dict(snapshot.entries)
    targets = [entries[target.id] for target in item.targets if target.id in entries]
    if item.operation == "add":
        path = f"topics/{item.topic}.md"
        meta = {"id": item.entry_id, "createdAt": item.at, "source": "", "trust": item.trust}
        entries[item.entry_id] = Entry(item.entry_id, item.text, path, meta)
    elif item.operation == "move" and targets:
        entries[targets[0].id] = replace(targets[0], path=f"topics/{item.topic}.md")
    elif targets:
        gone = targets if item.operation == "archive" else targets[1:]
        for entry in gone:
            entries.pop(entry.id, None)
        if item.operation != "archive":
            entries[targets[0].id] = replace(targets[0], text=item.text, meta={**targets[0].meta, "updatedAt": item.at})
    return replace(snapshot, entries=entries)
