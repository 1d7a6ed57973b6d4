"""How near entries are to a question in meaning, as an embedding model sees it: values only.

Cosines of different models are not comparable, so a value names its model and says from where on a cosine counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass

SPREAD = 4.0
ENOUGH = 30
SURE = 0.5


@dataclass(frozen=True, slots=True)
class Similar:
    """`best` holds the cosines of up to 200 nearest entries, near ones and others; `mean` and `deviation` are of all entries'
    cosines to this question; a cosine from `floor` on counts as alike, below it only as a shade of order."""

    model: str
    best: Mapping[str, float]
    mean: float
    deviation: float
    floor: float = 0.0

    @property
    def sure(self) -> float:
        """From where on an entry is offered to a question that does not ask for memory: half of what the floor leaves."""
        return self.floor + SURE * (max(1.0, self.floor) - self.floor)

    def counts(self, entry_id: str) -> bool:
        return self.best.get(entry_id, -1.0) >= self.floor


@dataclass(frozen=True, slots=True)
class Calibration:
    """A model's own scale: mean cosine of sentences that have nothing to do with each other, and median cosine of
    questions and their answers."""

    unrelated: float
    related: float

    @property
    def tells(self) -> bool:
        """Whether the model tells what belongs together from what does not; a chat model's vectors often do not."""
        return self.related - self.unrelated >= 0.03

    def floor(self, share: float, mean: float, deviation: float, entries: int) -> float:
        """Where a cosine begins to count: `share` of the way from unrelated to related.

        And, where there are enough entries to tell, 4 × `share` deviations above this question's mean: in a memory that
        has one subject everything is a little alike. With the default share of 0.55 that is 2.2 deviations.
        """
        if not self.tells:
            return share
        own = self.unrelated + share * (self.related - self.unrelated)
        return max(own, mean + SPREAD * share * deviation) if entries >= ENOUGH else own
