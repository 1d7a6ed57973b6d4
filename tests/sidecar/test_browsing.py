"""The archive."""

from typing import Any

from deepseedian.sidecar import Sidecar


def test_the_archive_has_what_ended_last_first(sidecar: Sidecar) -> None:
    ids = [str(sidecar.remember(text)["id"]) for text in ("first", "second", "third")]
    sidecar.edit(ids[0], "first anew")
    for id in (ids[1], ids[0], ids[2]):
        sidecar.forget(id)
    found: Any = sidecar.archive()
    assert [entry["text"] for entry in found["entries"]] == ["third", "first anew", "second", "first"]
    assert found["revision"] == sidecar.status()["revision"] and all(entry["endedAt"] for entry in found["entries"])


def test_what_was_erased_is_not_in_it(sidecar: Sidecar) -> None:
    made: Any = sidecar.remember("nothing of this may stay")
    sidecar.edit(made["id"], "nor of this")
    sidecar.erase(made["id"])
    assert sidecar.archive()["entries"] == []
