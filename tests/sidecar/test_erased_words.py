"""After an erasure no byte of ours holds the text: not the index that a daemon keeps for its next start, not a report."""

from pathlib import Path
from typing import Any

from deepseedian.sidecar import Sidecar, initialise


def holding(word: str, *folders: Path) -> list[str]:
    return [path.name for folder in folders for path in folder.rglob("*") if path.is_file() and word.encode() in path.read_bytes()]


def test_no_word_of_an_erased_entry_stays_in_the_index_of_the_next_start(home: Path) -> None:
    initialise(home / "v")
    sidecar = Sidecar.open(home / "v", resident=True)
    sidecar.warm()
    kept = sidecar.remember("the garden door is green")["id"]
    for number in range(12):
        sidecar.remember(f"shelf {number} holds books about birds")
    entry = str(sidecar.remember("the garden door code is quuxword77")["id"])
    sidecar.save()
    assert "index.db" in holding("quuxword77", home / "state")
    sidecar.erase(entry)
    sidecar.close()
    assert holding("quuxword77", home / "state", home / "v") == []
    again = Sidecar.open(home / "v", resident=True)
    found: Any = again.recall("Do you remember which colour the garden door is?")
    assert [row["id"] for row in found["index"]] == [kept], found  # out of the cache, which is whole without it
    again.close()


def test_an_erasure_reaches_the_reports(home: Path) -> None:
    initialise(home / "v")
    sidecar = Sidecar.open(home / "v")
    sidecar.remember("the garden door is green")
    entry = str(sidecar.remember("the door code is [[quux]] #77, kept in the left drawer of the old kitchen table by the window")["id"])
    sidecar.edit(entry, "the door code is [[quux]] #78, kept in the left drawer of the old kitchen table by the window")
    report: Any = sidecar.report(1)
    note = sidecar.vault.root / report["note"]
    assert "quux" in note.read_text(encoding="utf-8") and report["note"].startswith("Deepseedian/Review/Reports/")
    sidecar.erase(entry)
    text = note.read_text(encoding="utf-8")
    assert "quux" not in text and "garden door is green" in text and text.startswith("---\ndeepseedian: report\n")
    sidecar.close()


def test_what_looks_like_a_key_goes_to_no_model_by_itself(home: Path) -> None:
    initialise(home / "v")
    sidecar = Sidecar.open(home / "v")
    sidecar.remember("the api key of the weather service is sk-abcdefghijklmnopqrstuvwxyz0123456789", allow_secret=True)
    question = "what is the api key of the weather service?"
    assert sidecar.recall(question)["index"]  # whoever asks here sees it
    assert "sk-abc" not in str(sidecar.recall(question, inject=True, session="s")["text"])
    sidecar.close()


def test_of_many_equals_a_cold_recall_finds_the_same_as_a_warm_one(home: Path) -> None:
    initialise(home / "v")
    memory = home / "v/.obsidian/plugins/deepseedian/memory/topics/birds.md"
    blocks = [f'<!-- deepseedian-entry {{"id":"{number:08d}-0000-4000-8000-000000000000","createdAt":"2026-01-02T03:04:05.000Z","source":"x"}} -->\n'
              f"the heron on the lake\n<!-- /deepseedian-entry -->\n" for number in range(1500)]
    memory.write_text("".join(blocks), encoding="utf-8")
    sidecar = Sidecar.open(home / "v", resident=True)
    sidecar.warm()
    sidecar.save()
    sidecar.close()
    cold, warm = (Sidecar.open(home / "v", resident=True) for _ in range(2))
    warm.warm()
    question = "Do you remember where the heron on the lake is?"
    try:
        assert cold.cold and cold.recall(question)["index"] == warm.recall(question)["index"]
    finally:
        cold.close()
        warm.close()
