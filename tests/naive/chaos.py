"""Mistakes that only a history shows: a record that nobody replays, a key that nobody remembers."""

from collections.abc import Callable
from typing import Any

import pytest

from deepseedian.store.commit import Commit
from deepseedian.store.entries import Outcome, Store
from tests.naive import mutation


@mutation
def record_thrown_away(patch: pytest.MonkeyPatch) -> None:
    """What a kill left in the middle is dropped instead of completed."""
    patch.setattr(Commit, "_replay_file", lambda self, entry, found: None)


@mutation
def keys_forgotten(patch: pytest.MonkeyPatch) -> None:
    """A repeated request is carried out again."""
    apply = Store.apply

    def forgetful(self: Store, plan: Callable[..., Any], *, key: str = "") -> Outcome:
        return apply(self, plan)

    patch.setattr(Store, "apply", forgetful)
