"""Entries to measure speed with: the generator's notes and questions, and a vault of texts in our own format.

Everything is deterministic: the same sizes give the same bytes.
"""

import json
import random
import subprocess
import sys
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from deepseedian.core import markup
from deepseedian.sidecar import initialise

PER_TOPIC = 1000
FIRST = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts in order; questions as (kind, question, number of the text that answers it)."""

    texts: list[str]
    questions: list[tuple[str, str, int]]


def generated(data: Path, folder: Path, size: int) -> Corpus:
    """The generator's corpus of this size: each note is one entry, its title and its body."""
    notes = folder / f"notes-{size}"
    subprocess.run([sys.executable, str(data / "generator/gen.py"), str(notes), str(size)], check=True, stdout=subprocess.DEVNULL)
    texts = []
    for path in sorted(notes.glob("n*.md")):
        body = path.read_text(encoding="utf-8").split("---\n", 2)[2]
        texts.append(body.removeprefix("# ").strip())
        path.unlink()
    asked = json.loads(Path(f"{notes}_queries.json").read_text(encoding="utf-8"))
    return Corpus(texts, [(row["kind"], row["q"], int(row["target"][1:])) for row in asked])


def common(documents: Sequence[Sequence[str]], number: int = 100, length: int = 6) -> list[str]:
    """Questions of nothing but the words that most entries share: the most any question can cost."""
    counts: Counter[str] = Counter()
    for words in documents:
        counts.update(set(words))
    most = sorted(counts, key=lambda word: (-counts[word], word))[:40]
    chosen = random.Random(1)
    return [" ".join(chosen.sample(most, min(length, len(most)))) for _ in range(number)]


def identity(number: int) -> str:
    return str(uuid.UUID(int=number + 1))


def number_of(identity: str) -> int:
    return uuid.UUID(identity).int - 1


def vault(root: Path, texts: Sequence[str]) -> Path:
    """A vault with these texts as entries, a second apart, in topics of 1,000."""
    initialise(root)
    topics = root / ".obsidian/plugins/deepseedian/memory/topics"
    for start in range(0, len(texts), PER_TOPIC):
        (topics / f"t{start // PER_TOPIC}.md").write_bytes(b"\n".join(_blocks(texts, start)))
    return root


def _blocks(texts: Sequence[str], start: int) -> Iterator[bytes]:
    for number in range(start, min(len(texts), start + PER_TOPIC)):
        at = (FIRST + timedelta(seconds=number)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        yield markup.encode({"id": identity(number), "createdAt": at, "source": "bench"}, texts[number])


def offered(rows: Sequence[dict[str, Any]]) -> list[int]:
    """The entries of an index or of results, as document numbers."""
    return [number_of(row["id"]) for row in rows]
