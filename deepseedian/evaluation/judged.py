"""What a judge model is worth: on questions with gold, how much gold it keeps and how much of what it keeps is gold.

It is asked as in a turn, about the first entries of the ranking, but without the deadline, the skip and the cache of a
turn: every question is judged, and the time it takes is measured.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deepseedian.config.layers import Config
from deepseedian.errors import BadInput
from deepseedian.evaluation.files import QUESTION_LIMIT, Pages, percentile
from deepseedian.evaluation.sets import Question, bundles
from deepseedian.evaluation.shelf import shelf
from deepseedian.memory.judging import MOST_CANDIDATES, Judge, Limits
from deepseedian.models import profiles
from deepseedian.models.chat import Chat, OpenAIChat


@dataclass(slots=True)
class Judged:
    """`gold` is what the ranking put before the judge, `kept_gold` what of it was kept; `faults` says why calls failed, how often."""

    questions: int = 0
    asked: int = 0
    gold: int = 0
    kept: int = 0
    kept_gold: int = 0
    candidates: int = 0
    not_asked: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    milliseconds: list[float] = field(default_factory=list)

    def document(self, file: str) -> dict[str, object]:
        return {"file": file, "questions": self.questions, "judged": self.asked, "failed": sum(self.faults.values()),
                "notAsked": self.not_asked, "keptGold": _share(self.kept_gold, self.gold),
                "rightOfKept": _share(self.kept_gold, self.kept), "rightOfAll": _share(self.gold, self.candidates),
                "p50_ms": percentile(self.milliseconds, 50), "p95_ms": percentile(self.milliseconds, 95), "faults": dict(self.faults)}


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


@dataclass(frozen=True, slots=True)
class Shown:
    """A candidate as the judge takes it."""

    id: str
    text: str


def chat_in_force(overrides: Mapping[str, object]) -> Callable[[float], Chat]:
    """The owner's own model, with their key. Raises BadInput when none is configured, BadSetting.

    Settings and key are read now: the throw-away vaults have a configuration of their own.
    """
    config = Config(Path("/nonexistent"), overrides)
    profile = profiles.judging(config)
    if profile is None:
        raise BadInput("no model is configured that could judge", "set model.endpoint and model.name, for good or with --set")
    key = profile.secret()
    return lambda seconds: OpenAIChat(profile.server, profile.model, seconds, lambda: key)


def judged(path: Path, chat: Callable[[float], Chat], *, kind: str = "", limit: int = 0, timeout_ms: int = 6000) -> Judged:
    """Ask the judge about the questions of a file that have gold, or about the first so many of them. Raises BadInput."""
    judge, found = Judge(chat), Judged()
    limits = Limits(timeout_ms=timeout_ms, deadline_ms=0, min_chars=0, cache_minutes=0)
    try:
        for bundle in bundles(path):
            with shelf({"smart": False}) as opened:
                pages = Pages(bundle.docs, opened)
                for question in sorted(bundle.questions, key=lambda item: len(bundle.docs) if item.allow is None else item.allow):
                    if limit and found.questions >= limit:
                        return found
                    if question.gold and (not kind or question.kind == kind):
                        pages.show(len(bundle.docs) if question.allow is None else question.allow)
                        _one(question, pages, judge, limits, found)
    finally:
        judge.close()
    return found


def _one(question: Question, pages: Pages, judge: Judge, limits: Limits, found: Judged) -> None:
    found.questions += 1
    texts = pages.opened.sidecar.store.snapshot.entries
    ranked = pages.opened.ranked(question.text[:QUESTION_LIMIT], MOST_CANDIDATES, fill=False)
    began = time.perf_counter()
    verdict = judge.judge(question.text, [Shown(item, texts[item].text) for item in ranked], limits)
    if verdict.state == "skipped":  # nothing matched, or it looks like a secret
        found.not_asked += 1
    elif verdict.state != "judged":
        found.faults[verdict.fault or verdict.state] = found.faults.get(verdict.fault or verdict.state, 0) + 1
    else:
        found.asked += 1
        found.milliseconds.append((time.perf_counter() - began) * 1000)
        gold = {item for item in ranked if pages.docs_of([item])[0] in question.gold}
        found.gold, found.candidates = found.gold + len(gold), found.candidates + len(ranked)
        found.kept, found.kept_gold = found.kept + len(verdict.kept), found.kept_gold + len(gold & {*verdict.kept})
