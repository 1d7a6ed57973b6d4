"""The fixed memory check: right or wrong, not a hit rate.

Five classes of questions to small dated memories, each through a throw-away vault and the recall of a turn; questions that no
memory should come up for, beside questions that need one, so that a gate which always says no fails too; and the
attribution of corrections. Every figure is counted for both halves of its cases.
"""

import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from deepseedian.config.settings import setting
from deepseedian.core.correction import corrects
from deepseedian.core.entry import Entry
from deepseedian.evaluation import cases
from deepseedian.evaluation.cases import HALVES, Asked, Case, Reply
from deepseedian.evaluation.shelf import Shelf, shelf

Settings = Mapping[str, object]
Attribution = Callable[[str, Sequence[Entry]], Iterable[str]]
NOT_ASKED = 0.0


@dataclass(frozen=True, slots=True)
class Failed:
    """A case that came out wrong, and why in one line."""

    case: str
    half: str
    why: str

    def document(self) -> dict[str, object]:
        return {"case": self.case, "half": self.half, "why": self.why}


@dataclass(slots=True)
class Count:
    right: int = 0
    total: int = 0

    def add(self, right: bool) -> None:
        self.right, self.total = self.right + right, self.total + 1

    @property
    def share(self) -> float:
        return round(self.right / self.total, 4) if self.total else NOT_ASKED


@dataclass(slots=True)
class Result:
    """`counts` by the name of a figure and the half; what is better lower, the rate of false injections, is counted as kept out."""

    counts: dict[str, dict[str, Count]] = field(default_factory=dict)
    failed: list[Failed] = field(default_factory=list)

    def add(self, name: str, half: str, case: str, wrong: str) -> None:
        """One case; `wrong` is empty when it came out right."""
        self._count(name, half).add(not wrong)
        if wrong:
            self.failed.append(Failed(case, half, wrong))

    def _count(self, name: str, half: str) -> Count:
        return self.counts.setdefault(name, {half: Count() for half in HALVES})[half]

    def count(self, name: str, half: str, right: int, total: int) -> None:
        found = self._count(name, half)
        found.right, found.total = found.right + right, found.total + total

    def share(self, name: str) -> float:
        """Over both halves."""
        halves = self.counts.get(name, {}).values()
        return Count(sum(item.right for item in halves), sum(item.total for item in halves)).share

    def below(self) -> list[str]:
        """The figures that are under what the baseline asks for."""
        return [name for name, least in cases.baseline().items() if self.share(name) < least]

    def named(self, held: bool) -> list[Failed]:
        """The failed cases that may be looked at while rules are tuned; with `held` the held-back ones too."""
        return [item for item in self.failed if held or item.half == HALVES[0]]

    def document(self, held: bool = False) -> dict[str, object]:
        """{"figures":{name:{half:{"right","total"}}},"falseInjection":{half: rate},"below","failed"}."""
        figures = {name: {half: {"right": item.right, "total": item.total} for half, item in halves.items()}
                   for name, halves in self.counts.items()}
        quiet = self.counts.get("nothing_injected", {})
        rates = {half: round(1 - item.share, 4) if item.total else None for half, item in quiet.items()}
        failed = [item.document() for item in self.named(held)]
        return {"figures": figures, "falseInjection": rates, "below": self.below(), "failed": failed}


def checked(overrides: Settings | None = None) -> Result:
    """Run every case."""
    settings, result = quiet_settings(overrides or {}), Result()
    for case in cases.memory():
        result.add(case.group, case.half, case.name, wrong(case, settings))
    ask(cases.questions(), settings, result)
    attribute(cases.replies(), corrects, result)
    return result


def quiet_settings(overrides: Settings) -> Settings:
    """The cases are fixed, so is what they are asked with: no server that happens to run on this machine, unless it is asked for."""
    asked = "smart" in overrides or os.environ.get(setting("smart").variable, "").strip()
    return dict(overrides) if asked else {"smart": False, **overrides}


def wrong(case: Case, settings: Settings) -> str:
    """Why a case fails; empty when it does not."""
    with shelf(settings, now=cases.time_of(case.asked, 3 * 3600)) as opened:
        opened.add(case.items)
        if case.as_of and "as_of" not in inspect.signature(opened.sidecar.recall).parameters:
            return "recall takes no as_of"
        found = opened.offered(case.question, **({"as_of": case.as_of} if case.as_of else {}))
        return verdict(case, found, {item.id: item.text for item in case.items})


def verdict(case: Case, found: Sequence[str], texts: Mapping[str, str]) -> str:
    if not case.first:
        return f"offered {len(found)}, first: {texts[found[0]]}" if found else ""
    if not found:
        return "nothing was offered"
    if late := [texts[item] for item in found if item in case.never]:
        return f"offered although it holds no longer: {late[0]}"
    if found[0] in case.first:
        return ""
    place = next((place for place, item in enumerate(found, 1) if item in case.first), 0)
    return (f"in place {place}" if place else "not offered") + f", first: {texts[found[0]]}"


def ask(asked: Iterable[Asked], settings: Settings, result: Result) -> None:
    """Questions to whole memories: what none should come up for, and what one is needed for."""
    wanted = list(asked)
    for name, items in cases.stores().items():
        with shelf(settings, now=cases.time_of("2026-10-01", 3 * 3600)) as opened:
            opened.add(items)
            for question in wanted:
                if question.store == name:
                    _ask(question, opened, {item.id: item.text for item in items}, result)


def _ask(question: Asked, opened: Shelf, texts: Mapping[str, str], result: Result) -> None:
    found = opened.offered(question.question)
    case = f"{question.kind}: {question.question}"
    if not question.wanted:
        result.add("nothing_injected", question.half, case, f"offered {len(found)}, first: {texts[found[0]]}" if found else "")
        return
    result.add("wanted_offered", question.half, case, "" if question.wanted & {*found} else f"not among the {len(found)} offered")
    result.count("wanted_first", question.half, bool(found) and found[0] in question.wanted, 1)


def attribute(replies: Iterable[Reply], corrected: Attribution, result: Result) -> None:
    """Precision and recall over pairs of message and entry."""
    for reply in replies:
        said = frozenset(corrected(reply.message, reply.injected))
        both = len(said & reply.corrects)
        result.count("attribution_precision", reply.half, both, len(said))
        result.count("attribution_recall", reply.half, both, len(reply.corrects))
        if said != reply.corrects:
            what = "missed" if reply.corrects - said else "blamed without reason"
            result.failed.append(Failed(reply.name, reply.half, f"{what}: {reply.message}"))
