"""A look over the whole memory, now and then: what says the same, contradicts, is past its date, or lies in a topic too large.

What it finds becomes proposals, never a change; a merge keeps the sources of all, and the older text goes to the archive
with its link. The last result is kept by ids alone, so that an erased text is in none.
"""

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from deepseedian.config.files import read_regular, replace_file
from deepseedian.core.entry import Entry
from deepseedian.core.proposal import Draft
from deepseedian.core.snapshot import Snapshot
from deepseedian.core.text import summary
from deepseedian.core.tidying import Finding, Near, examined, findings, ordered
from deepseedian.memory.pair_judge import PairJudge
from deepseedian.memory.review import Review

MOST_PROPOSED = 12
MOST_KEPT = 500
LIMIT = 4_000_000
DAYS = {"daily": 1, "weekly": 7}
WORDS = {
    "en": {"same": "these entries say the same", "contradiction": "they contradict each other: “{0}” then, “{1}” now",
           "due": "its review date {0} has passed", "large_topic": "its topic has grown large; this part of it belongs together"},
    "zh": {"same": "这些条目说的是同一件事", "contradiction": "两者矛盾：以前是“{0}”，现在是“{1}”",
           "due": "它的复查日期 {0} 已过", "large_topic": "它所在的主题太大了，这一部分可以单独成为一个主题"},
}


@dataclass(frozen=True, slots=True)
class Swept:
    """What the last look found. `at` is its time, empty when there was none; `proposals` are those made of it."""

    at: str = ""
    findings: tuple[Finding, ...] = ()
    proposals: tuple[str, ...] = ()


class Sweep:
    """One store's. `file` keeps the last result, `near` gives cosines of entries where an embedding model is there, `judge` has a
    chat model look at what rules leave open."""

    def __init__(self, review: Review, file: Path, near: Near | None = None, judge: PairJudge | None = None) -> None:
        self.review, self.file, self.near, self.judge = review, file, near, judge
        self._looking = threading.Lock()  # a hundred thousand entries take half a minute: one look at a time
        self._looked: tuple[str, str, Swept] | None = None

    def look(self, snapshot: Snapshot, now: str) -> Swept:
        """Read-only: what there is to tidy right now; looked for once a day for one state of memory."""
        with self._looking:
            if self._looked is None or self._looked[:2] != (snapshot.revision, now[:10]):
                self._looked = snapshot.revision, now[:10], Swept(now, tuple(findings(snapshot, now, self.near)))
            return self._looked[2]

    def run(self, snapshot: Snapshot, now: str) -> Swept:
        """Look, propose what is not proposed yet, and keep the result. Nothing in memory changes."""
        with self._looking:
            by_rule, left = examined(snapshot, now, self.near)
        seen = ordered([*by_rule, *(self.judge.look(left) if self.judge is not None else ())])
        drafts = (draft for finding in seen if (draft := self._draft(finding, snapshot)) is not None)
        batch = self.review.propose(self._fresh(drafts), "sweep")
        done = Swept(now, tuple(seen), tuple(item.id for item in batch.proposals))
        self._keep(done)
        return done

    def _fresh(self, drafts: Iterable[Draft]) -> list[Draft]:
        """The first of them, one proposal per entry at a time, and none that was refused before."""
        found: list[Draft] = []
        touched: set[str] = set()
        for draft in drafts:
            if touched.isdisjoint(draft.entries) and not self.review.refusal(draft):
                found.append(draft)
                touched |= set(draft.entries)
            if len(found) == MOST_PROPOSED:
                break
        return found

    def _draft(self, finding: Finding, snapshot: Snapshot) -> Draft | None:
        entries = [entry for key in finding.entries if (entry := snapshot.entries.get(key)) is not None]
        if len(entries) < len(finding.entries) or not entries or any(entry.pinned for entry in entries):
            return None
        return _DRAFTS[finding.kind](finding, entries, WORDS[self.review.language])

    def due(self, wanted: str, now: str) -> bool:
        """Whether the setting asks for a look today: one a day, or one in seven days, by the date in UTC."""
        days = DAYS.get(wanted, 0)
        last = self.last().at[:10]
        return bool(days) and (not last or now[:10] >= _later(last, days))

    def last(self) -> Swept:
        """The last result; an empty one when there is none, or its file cannot be read."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            body = json.loads(read_regular(self.file, LIMIT) or b"")
            found = tuple(Finding(str(item["kind"]), tuple(map(str, item["entries"])), str(item["detail"])) for item in body["findings"])
            return Swept(str(body["at"]), found, tuple(map(str, body["proposals"])))
        return Swept()

    def forget(self) -> None:
        """Nothing of the last look stays; the next question looks anew."""
        self._looked = None
        self.file.unlink(missing_ok=True)

    def _keep(self, done: Swept) -> None:
        body = {"at": done.at, "findings": [asdict(item) for item in done.findings[:MOST_KEPT]], "proposals": list(done.proposals)}
        replace_file(self.file, json.dumps(body, ensure_ascii=False).encode())


def _later(day: str, days: int) -> str:
    from datetime import date, timedelta

    try:
        return (date.fromisoformat(day) + timedelta(days=days)).isoformat()
    except (ValueError, OverflowError):
        return ""


def _same(finding: Finding, entries: Sequence[Entry], words: Mapping[str, str]) -> Draft:
    """Into the oldest, in the words of the one that says more."""
    text = max(entries, key=lambda entry: (len(entry.text), entry.created_at)).text
    return Draft("merge", text, words["same"], (), tuple(entry.id for entry in entries))


def _contradiction(finding: Finding, entries: Sequence[Entry], words: Mapping[str, str]) -> Draft:
    """The newer one stays; the older one goes to the archive and names it."""
    old, new = entries
    reason = words["contradiction"].format(summary(old.text, 80), summary(new.text, 80))
    return Draft("merge", new.text, reason, (), (new.id, old.id))


def _due(finding: Finding, entries: Sequence[Entry], words: Mapping[str, str]) -> Draft:
    return Draft("archive", entries[0].text, words["due"].format(finding.detail), (), (entries[0].id,))


def _large_topic(finding: Finding, entries: Sequence[Entry], words: Mapping[str, str]) -> Draft:
    return Draft("move", entries[0].text, words["large_topic"], (), tuple(entry.id for entry in entries), topic=finding.detail)


def _nothing(finding: Finding, entries: Sequence[Entry], words: Mapping[str, str]) -> Draft | None:
    return None


_DRAFTS: dict[str, Callable[[Finding, Sequence[Entry], Mapping[str, str]], Draft | None]] = {
    "same": _same, "contradiction": _contradiction, "due": _due, "large_topic": _large_topic, "empty_topic": _nothing}
