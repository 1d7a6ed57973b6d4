"""eval: the fixed memory check, recall on question sets, and what a judge model is worth on them."""

import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deepseedian.cli.show import answer
from deepseedian.errors import BadInput

if TYPE_CHECKING:
    from deepseedian.evaluation import captured
    from deepseedian.evaluation.check import Count, Result

BELOW = 1
TERMINATED = 143


@click.command("eval")
@click.argument("files", nargs=-1, metavar="[[judge|capture] FILE]…")
@click.option("--kind", default="", help="Only questions of this kind.")
@click.option("--limit", default=0, type=click.IntRange(0), help="Only the first stores of each file; with judge, its first questions.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting in force meanwhile; any number of times.")
@click.option("--strict", is_flag=True, help="Without FILE: exit with 1 when a figure is below its baseline.")
@click.option("--held", is_flag=True, help="Without FILE: also name the failed cases of the held-back half.")
def eval_command(files: tuple[str, ...], kind: str, limit: int, settings: tuple[str, ...], strict: bool, held: bool) -> int:
    """Measure recall in temporary vaults: on FILEs of questions with gold, else by the fixed memory check.

    With the word `judge` before the FILEs the configured model judges what recall finds; with `capture` the rules that find
    statements worth keeping are measured, on the product's own messages or on FILEs of {"text","role","keep"} a line.
    """
    overrides = overriding(settings)
    if files and (strict or (held and files[0] != "capture")):
        raise BadInput("--strict and --held belong to the memory check", "leave FILE out")
    if files[:1] == ("capture",) and (kind or limit or settings):
        raise BadInput("eval capture takes no --kind, --limit or --set", "it measures the mode assist with its defaults")
    with _ending():
        if not files:
            return _check(overrides, strict, held)
        if files[0] == "capture":
            _capture(files[1:], held)
        elif files[0] == "judge":
            _judge(files[1:], kind, limit, overrides)
        else:
            _files(files, kind, limit, overrides)
    return 0


@contextmanager
def _ending() -> Iterator[None]:
    """Being terminated ends the run like any error: the temporary vault, which may lie in main memory, goes with it."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def overriding(settings: tuple[str, ...]) -> dict[str, object]:
    """Raises BadInput, BadSetting."""
    from deepseedian.config.settings import checked

    found: dict[str, object] = {}
    for item in settings:
        name, sign, value = item.partition("=")
        if not sign:
            raise BadInput(f"--set {item}: no value", "for example: --set recall.max_entries=8")
        found[name] = checked(name, value)
    return found


# Question sets

def _files(files: tuple[str, ...], kind: str, limit: int, overrides: Mapping[str, object]) -> None:
    from deepseedian.evaluation.files import DEPTHS, means, measured

    documents, lines = [], []
    for name in files:
        began = time.perf_counter()
        tally = measured(Path(name), kind=kind, limit=limit, overrides=overrides)
        documents.append(tally.document(name))
        lines.append([*map(_shown, documents[-1].values()), f"{time.perf_counter() - began:.1f}"])
        for label, scores in sorted(tally.kinds.items()):
            if len(tally.kinds) > 1:
                lines.append([f"  {label or '(no kind)'}", "", "", str(len(scores)), *map(_shown, means(scores)), "", "", ""])
        notes = {"questions without gold, not scored": tally.without_gold, "documents cut into several entries": tally.cut,
                 "empty documents, left out": tally.empty}
        lines += [[f"  {what}: {number}"] for what, number in notes.items() if number]
    head = ["file", "stores", "docs", "questions", *(f"recall@{depth}" for depth in DEPTHS), "p50 ms", "p95 ms", "seconds"]
    answer({"files": documents}, lambda: table([head, *lines]))


def _shown(value: object) -> str:
    return "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


# Capture

def _capture(names: tuple[str, ...], held: bool) -> None:
    from deepseedian.evaluation import captured

    messages = [message for name in names for message in captured.read(Path(name))] if names else captured.own()
    result = captured.measured(messages)
    document = result.document(held)
    rows = [["", "messages", "precision", "recall", "wrong", "missed"]]
    rows += [_counted("all", result.all), *(_counted(name, count) for name, count in result.halves.items())]
    rows += [_counted(f"  {name}", count) for name, count in sorted(result.kinds.items())]
    failed = [f"{row['why']}  {row['kind']}: {row['text']}" for row in document["failed"]]  # type: ignore[attr-defined]
    answer(document, lambda: "\n\n".join(part for part in (table(rows), "\n".join(failed)) if part))


def _counted(name: str, count: "captured.Count") -> list[str]:
    told = count.document()
    return [name, *(_shown(told[column]) for column in ("messages", "precision", "recall", "wrong", "missed"))]


# A judge model

def _judge(files: tuple[str, ...], kind: str, limit: int, overrides: Mapping[str, object]) -> None:
    from deepseedian.config.layers import Config
    from deepseedian.evaluation.judged import chat_in_force, judged

    if not files:
        raise BadInput("eval judge needs a file of questions with gold", "for example: eval judge questions.jsonl --limit 50")
    chat = chat_in_force(overrides)
    timeout = Config(Path("/nonexistent"), overrides).number("judge.timeout_ms")
    found = [judged(Path(name), chat, kind=kind, limit=limit, timeout_ms=timeout).document(name) for name in files]
    answer({"files": found}, lambda: table([list(found[0])[:-1], *([*map(_shown, list(row.values())[:-1])] for row in found)]) + "".join(
        f"\n  {number} failed: {fault}" for row in found for fault, number in dict(row["faults"]).items()))  # type: ignore[call-overload]


# The memory check

def _check(overrides: Mapping[str, object], strict: bool, held: bool) -> int:
    from deepseedian.evaluation.check import checked

    result = checked(overrides)
    document = result.document(held)
    answer(document, lambda: _report(result, held))
    return BELOW if strict and document["below"] else 0


def _report(result: "Result", held: bool) -> str:
    lines = [["", "tune", "held", "all"]]
    lines += [[name, *(_share(count) for count in halves.values()), f"{result.share(name):.3f}"]
              for name, halves in result.counts.items()]
    failed = [f"{item.half}  {item.case}: {item.why}" for item in result.named(held)]
    below = result.below()
    verdict = f"below the baseline: {', '.join(below)}" if below else "nothing is below its baseline"
    return "\n\n".join(part for part in (table(lines), "\n".join(failed), verdict) if part)


def _share(count: "Count") -> str:
    return f"{count.right}/{count.total}"


def table(rows: list[list[str]]) -> str:
    """Columns side by side, numbers to the right; a row of one cell is a remark."""
    full = [row for row in rows if len(row) > 1]
    widths = [max(len(row[place]) for row in full) for place in range(len(full[0]))]
    return "\n".join(row[0] if len(row) == 1 else "  ".join(
        cell.ljust(width) if place == 0 else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip() for row in rows)
