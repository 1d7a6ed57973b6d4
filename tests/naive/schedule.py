"""Mistakes with jobs that were missed."""

import pytest
from apscheduler.schedulers.background import BackgroundScheduler

from tests.naive import mutation


@mutation
def missed_is_skipped(patch: pytest.MonkeyPatch) -> None:
    """The scheduler's own grace time of one second."""
    add = BackgroundScheduler.add_job

    def add_job(self: BackgroundScheduler, *words: object, **options: object) -> object:
        options.pop("misfire_grace_time", None)
        return add(self, *words, **options)

    patch.setattr(BackgroundScheduler, "add_job", add_job)
