"""Mistakes with approvals."""

import re

import pytest

from deepseedian.core import review_note
from deepseedian.memory.review import Review
from tests.naive import mutation


@mutation
def stale_is_approved(patch: pytest.MonkeyPatch) -> None:
    """What was proposed is applied, whatever became of the entry since."""
    patch.setattr(Review, "_staleness", lambda self, item, snapshot: "")


@mutation
def hidden_stays_hidden(patch: pytest.MonkeyPatch) -> None:
    """Text is shown as it is."""
    patch.setattr(review_note, "UNSEEN", re.compile("(?!)"))
