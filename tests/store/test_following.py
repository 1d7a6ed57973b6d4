"""A saved change is a saved change: no index, listener or database beside it may end it, and health says what failed."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepseedian.core.entry import Entry
from deepseedian.core.ranking import Index
from deepseedian.memory import recall
from deepseedian.sidecar import Sidecar, initialise

POISON = "bicycle with square wheels"


@pytest.fixture
def sidecar(tmp_path: Path) -> Iterator[Sidecar]:
    initialise(tmp_path / "vault")
    found = Sidecar.open(tmp_path / "vault", resident=True)
    found.warm()
    yield found
    found.close()


def failing(*published: object) -> None:
    raise ValueError("not mine")


def faults(sidecar: Sidecar) -> dict[str, str]:
    return {fault["code"]: fault["message"] for fault in sidecar.health()["faults"]}  # type: ignore[attr-defined]


def found(sidecar: Sidecar, question: str) -> list[str]:
    return [row["summary"] for row in sidecar.search(question)["results"]]  # type: ignore[attr-defined]


def poison(patch: pytest.MonkeyPatch, name: str) -> None:
    """One text that the index cannot take, or cannot let go."""
    real = getattr(recall, name)

    def fussy(index: Index, entry: Entry) -> None:
        if entry.text == POISON:
            raise ValueError("a word that is none")
        real(index, entry)

    patch.setattr(recall, name, fussy)


def test_a_listener_that_fails_neither_ends_the_change_nor_the_others(sidecar: Sidecar) -> None:
    sidecar.store.listeners.insert(0, failing)
    told: list[object] = []
    sidecar.broadcast.subscribe(told.append)
    sidecar.remember("tea in the morning")
    assert found(sidecar, "tea") == ["tea in the morning"] and told
    assert "ValueError" in faults(sidecar)["following"]


def test_a_subscriber_that_fails_keeps_nobody_from_hearing(sidecar: Sidecar) -> None:
    told: list[object] = []
    sidecar.broadcast.subscribe(failing)
    sidecar.broadcast.subscribe(told.append)
    sidecar.remember("tea in the morning")
    assert told and faults(sidecar) == {}


def test_a_text_that_cannot_be_indexed_costs_no_other(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    sidecar.remember("coffee at noon")
    poison(monkeypatch, "indexed")
    done = str(sidecar.remember(POISON)["id"])
    sidecar.remember("tea in the morning")
    assert found(sidecar, "tea") == ["tea in the morning"] and found(sidecar, "coffee") == ["coffee at noon"]
    assert done in faults(sidecar)["index"]
    sidecar.forget(done)
    monkeypatch.undo()
    sidecar.remember("water at night")
    assert found(sidecar, "water") == ["water at night"]


def test_an_index_that_missed_a_change_is_built_anew(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of a change in it would be wrong for ever: what was taken out, and what never came in."""
    done = str(sidecar.remember(POISON)["id"])
    poison(monkeypatch, "unindexed")
    sidecar.edit(done, "unicycle")
    sidecar.remember("tea in the morning")
    assert found(sidecar, "unicycle") == ["unicycle"] and found(sidecar, "square wheels") == []
    assert found(sidecar, "tea") == ["tea in the morning"] and faults(sidecar) == {}


def test_a_memory_with_a_text_that_cannot_be_indexed_opens(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    sidecar.remember(POISON)
    sidecar.remember("tea in the morning")
    sidecar.close()
    poison(monkeypatch, "indexed")
    again = Sidecar.open(sidecar.vault.root, resident=True)
    try:
        again.warm()
        assert found(again, "tea") == ["tea in the morning"] and "index" in faults(again)
    finally:
        again.close()


def test_vectors_that_missed_a_change_are_looked_up_anew(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    covering = sidecar.similarity.covering
    covering.begin(lambda: sidecar.store.snapshot)
    monkeypatch.setattr(covering, "update", failing)
    sidecar.remember("tea in the morning")
    assert covering.snapshot is sidecar.store.snapshot and faults(sidecar) == {}


@pytest.mark.parametrize("name", ["add", "add_outside"])
def test_a_database_that_is_damaged_meanwhile_ends_no_change(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def damaged(*given: object) -> None:
        raise sqlite3.DatabaseError("malformed")

    general = sidecar.vault.memory / "topics/general.md"
    sidecar.remember("coffee at noon")
    with monkeypatch.context() as patch:
        patch.setattr(sidecar.store.history, name, damaged)
        if name == "add":
            sidecar.remember("tea in the morning")
        else:
            general.write_bytes(general.read_bytes().replace(b"coffee at noon", b"tea in the morning"))
            sidecar.store.refresh(deep=True)
        assert found(sidecar, "tea") == ["tea in the morning"] and "notes" in faults(sidecar)
    sidecar.remember("water at night")
    assert faults(sidecar) == {}
