"""Deliberately naive variants: each mutation puts one well-known mistake into the program under test.

A test marked `@bites("name")` runs as it is, and once more with the mutation, where it must fail: so it is
known to bite. Commands and daemons started through `tests.commands` carry the mutation with them;
`python -m tests.naive NAME WORDS…` is the command line with one in it.
"""

import functools
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from deepseedian.core import markup
from deepseedian.errors import DeepseedianError

Mutation = Callable[[], AbstractContextManager[None]]
MUTATIONS: dict[str, Mutation] = {}
_active: list[str] = []


def mutation(change: Callable[[pytest.MonkeyPatch], None]) -> Callable[[pytest.MonkeyPatch], None]:
    """Register a function that patches the program; its name is the mutation's name."""
    @contextmanager
    def applied() -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            change(patch)
            yield

    assert change.__name__ not in MUTATIONS, change.__name__
    MUTATIONS[change.__name__] = applied
    return change


def active() -> str:
    """The mutation in force, empty without one."""
    return _active[-1] if _active else ""


@contextmanager
def applied(name: str) -> Iterator[None]:
    """Run with a mutation, here and in every process started through `tests.commands`."""
    _load()
    markup.clear()  # what was read without the mutation counts no more, and the other way round
    with MUTATIONS[name]():
        _active.append(name)
        try:
            yield
        finally:
            _active.pop()
            markup.clear()


def _load() -> None:
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("__"):
            importlib.import_module(f"{__name__}.{module.name}")


def bites(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The test must pass as it is, and fail with each of these mutations."""
    def wrap(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(naive: str, **given: Any) -> None:
            if not naive:
                test(**given)
                return
            with applied(naive), pytest.raises((AssertionError, DeepseedianError, OSError, ValueError, LookupError, TypeError)):
                test(**given)

        signature = inspect.signature(test)
        own = inspect.Parameter("naive", inspect.Parameter.KEYWORD_ONLY)
        run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), own])  # type: ignore[attr-defined]
        return pytest.mark.parametrize("naive", ["", *names], ids=["as_it_is", *names])(run)
    return wrap
