"""Whether a sentence of the owner says something that holds: features with weights, added up.

Phrases that everybody uses for "remember this" are looked for by themselves (`cues_en`, `cues_zh`). People say lasting things in
far more ways than can be listed, so a sentence without one of those is read for its build instead: who it is about, whether
its verb is in a tense of habit or of what happens now, whether it tells the assistant how to do things or what to do at once,
whether it rules, decides, prefers. Each language tells which features a sentence has; the weights are the same for both,
and the names of the features are the reason why a sentence was taken.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

WEIGHTS = {
    # whose
    "owner": 1.0,         # I, we, my, our: who speaks is who it is about
    "thing": 1.0,         # a thing of the owner's projects, work or home
    "request": 1.0,       # the assistant is told something
    "told": 0.75,         # "you should know", "by the way"
    # what holds it in time
    "standing": 1.25,     # from now on, by default, without exception
    "habit": 0.75,        # always, never, every evening
    "state": 1.0,         # a verb in the tense of what holds
    "scope": 1.0,         # whenever, unless, in all my texts, with me
    # what it does
    "preference": 1.25,
    "decision": 1.25,
    "turning": 0.75,      # "we are moving to": a decision when it names what to
    "final": 0.75,        # settled, for good, no more of that
    "headed": 1.25,       # "rounding: two decimals"
    "announced": 2.25,    # "new rule:", "our convention is"
    "rule": 1.25,         # all, every, nobody, only
    "duty": 0.75,         # must, may, has to
    "relation": 0.8,      # is built with, lives in, is called
    "manner": 0.75,       # speaks of answers, texts, code: of how things are done
    "policy": 0.75,       # stick to, avoid, keep: verbs of a manner rather than of one deed
    "forbids": 0.75,      # do not, never, no
    "contrast": 0.5,      # tea, not coffee
    "value": 0.25,        # a name or a number
    "placed": 0.25,       # where, with what, how
    # what speaks against it
    "moment": -3.0,       # today, in ten minutes, right now
    "pointing": -2.0,     # this one, the second paragraph
    "single": -1.0,       # one thing to be done once
    "past": -2.5,         # what was done
    "story": -3.0,        # when I was a child
    "passing": -3.0,      # tired, stuck, in a meeting, I think
    "third": -3.0,        # about somebody else
    "general": -3.0,      # about the world
}
ENOUGH = 2.0
# What a sentence says besides, when it is not clear enough to stop it by itself.
DOUBTS = {"guessed": -4.0, "reported": -4.0, "example": -4.0, "praise": -0.25, "undecided": -4.0}
_WIDE = re.compile("[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Verdict:
    """`features` are the reason, in the words of `WEIGHTS`."""

    kind: str
    features: tuple[str, ...]
    score: float

    @property
    def holds(self) -> bool:
        return self.score >= ENOUGH


def verdict(masked: str) -> Verdict:
    """What the build of a sentence says, by the better of its clauses. `masked` is one sentence with quotations masked."""
    best = Verdict("fact", (), 0.0)
    others = False
    for features in _clauses(masked):
        if others and not {"owner", "request", "rule"} & features:
            continue  # she …, and always …
        others = others or "third" in features
        score = sum(WEIGHTS[name] for name in features)
        if not best.features or score > best.score:
            best = Verdict(_kind(features), tuple(sorted(features)), score)
    return best


def _clauses(masked: str) -> Iterator[frozenset[str]]:
    """By language. Loaded when first needed: compiling their patterns takes some 60 ms, and most processes never capture."""
    if _WIDE.search(masked):
        from deepseedian.core.lasting_zh import clauses
    else:
        from deepseedian.core.lasting_en import clauses
    return clauses(masked)


def _kind(features: frozenset[str]) -> str:
    if "preference" in features or ({"owner", "habit"} <= features and "decision" not in features):
        return "preference"
    if features & {"decision", "turning", "announced", "request", "rule", "standing"}:
        return "decision"
    return "fact"
