"""Mistakes with what is imported."""

import uuid

import pytest

from deepseedian.memory import importing
from tests.naive import mutation


@mutation
def imports_are_believed(patch: pytest.MonkeyPatch) -> None:
    """What stands in a file is the owner's word."""
    meta = importing.Item.meta
    patch.setattr(importing.Item, "meta", lambda self, trust: meta(self, "user_stated"))


@mutation
def imports_bring_everything_back(patch: pytest.MonkeyPatch) -> None:
    """Only what is there now is known."""
    def sorted_out(found: object, snapshot: object, store: object) -> importing.Sorted:
        known = importing.Sorted()
        known.fresh = [item for item in found if store.with_text(item.text) is None]  # type: ignore[attr-defined]
        return known
    patch.setattr(importing, "sorted_out", sorted_out)


@mutation
def imports_get_any_id(patch: pytest.MonkeyPatch) -> None:
    """An id is made at each import."""
    patch.setattr(importing, "derived", lambda *parts: str(uuid.uuid4()))
