"""Looking back: the archive, and the life of one entry."""

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deepseedian.errors import NotFound
from deepseedian.sidecar import Sidecar


def texts(found: Any) -> list[str]:
    return [str(entry["text"]) for entry in found]


def test_the_life_of_an_entry(sidecar: Sidecar) -> None:
    made: Any = sidecar.remember("I drink tea")
    sidecar.edit(made["id"], "I drink green tea")
    sidecar.edit(made["id"], "I drink white tea")
    sidecar.move(made["id"], "drinks")
    sidecar.remember("Something else altogether")
    told: Any = sidecar.timeline(made["id"])
    assert texts(told["versions"]) == ["I drink white tea", "I drink green tea", "I drink tea"]
    assert [version["archived"] for version in told["versions"]] == [False, True, True]
    assert [change["kind"] for change in told["changes"]] == ["move", "edit", "edit", "add"]
    assert told["recalled"] == {"total": 0, "recalls": []}
    sidecar.recall("what tea do I drink", session="s", inject=True)
    recalled: Any = sidecar.timeline(made["id"])["recalled"]
    assert recalled["total"] == 1 and recalled["recalls"][0]["session"] == "s"
    older: Any = told["versions"][2]["id"]
    assert texts(sidecar.timeline(older)["versions"]) == ["I drink tea"]  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        sidecar.timeline("nobody")


def test_the_archive_has_what_ended_last_first(sidecar: Sidecar) -> None:
    ids = [str(sidecar.remember(text)["id"]) for text in ("first", "second", "third")]
    for id in (ids[1], ids[0], ids[2]):
        sidecar.forget(id)
    assert texts(sidecar.archive()["entries"]) == ["third", "first", "second"]


def test_an_erased_entry_has_no_life(sidecar: Sidecar) -> None:
    made: Any = sidecar.remember("nothing of this may stay")
    sidecar.edit(made["id"], "nor of this")
    sidecar.erase(made["id"])
    with pytest.raises(NotFound):
        sidecar.timeline(made["id"])
    assert texts(sidecar.archive()["entries"]) == []
    assert not any("of this" in change.summary for change in sidecar.store.history.touching([made["id"]], 10))


def test_versions_in_a_circle_end(opened: Callable[..., Sidecar], memory: Path) -> None:
    """Anybody can write into a synced vault: entries that claim to replace each other are told once."""
    first, second = str(uuid.uuid4()), str(uuid.uuid4())
    rows = [(first, second), (second, first)]
    (memory / "archive").mkdir(exist_ok=True)
    (memory / "archive/general.md").write_text("\n".join(
        f'<!-- deepseedian-entry {{"id":"{id}","createdAt":"2026-01-02T03:04:05.000Z","source":"x","supersededBy":"{by}","endedAt":"2026-01-03T03:04:05.000Z"}} -->\n'
        f"text {id}\n<!-- /deepseedian-entry -->" for id, by in rows), encoding="utf-8")
    sidecar = opened()
    assert sorted(texts(sidecar.timeline(first)["versions"])) == sorted([f"text {first}", f"text {second}"])  # type: ignore[arg-type]
