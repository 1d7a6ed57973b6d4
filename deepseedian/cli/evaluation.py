"""eval: recall on question sets, and the fixed memory check."""

import time
from pathlib import Path

import click

from deepseedian.cli.show import answer
from deepseedian.errors import BadInput


@click.command("eval")
@click.argument("files", nargs=-1, metavar="[FILE]…")
@click.option("--kind", default="", help="Only questions of this kind.")
@click.option("--limit", default=0, type=click.IntRange(0), help="Only the first stores of each file.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting in force meanwhile; any number of times.")
def eval_command(files: tuple[str, ...], kind: str, limit: int, settings: tuple[str, ...]) -> None:
    """Measure recall on FILEs of questions with gold, in temporary vaults."""
    overrides = overriding(settings)
    _files(files, kind, limit, overrides)


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


def _files(files: tuple[str, ...], kind: str, limit: int, overrides: dict[str, object]) -> None:
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


def table(rows: list[list[str]]) -> str:
    """Columns side by side, numbers to the right; a row of one cell is a remark."""
    full = [row for row in rows if len(row) > 1]
    widths = [max(len(row[place]) for row in full) for place in range(len(full[0]))]
    return "\n".join(row[0] if len(row) == 1 else "  ".join(
        cell.ljust(width) if place == 0 else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip() for row in rows)
