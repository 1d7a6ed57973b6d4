"""embedding: the model behind semantic recall."""

import sys
import time
from collections.abc import Callable
from typing import Any

import click

from deepseedian.cli.door import Door, pass_door
from deepseedian.cli.show import Document, answer, rows, wants_json
from deepseedian.errors import ModelFailed

POLL_SECONDS = 0.25
LOOK_SECONDS = 120.0


@click.group("embedding")
def embedding_command() -> None:
    """The model behind semantic recall: what there is, a test, and embedding now."""


@embedding_command.command("models")
@pass_door
def models_command(door: Door) -> None:
    """The models that the embedding server lists."""
    found = door.call("embedding_models")
    models = found["models"] if isinstance(found["models"], list) else []
    answer(found, lambda: f"{found['address']}\n" + ("\n".join(f"  {name}" for name in models) or "  it lists none"))


@embedding_command.command("test")
@pass_door
def test_command(door: Door) -> None:
    """Look for a model: what was tried, its dimension, how long a question takes."""
    found = door.call("embedding_test")
    answer(found, lambda: _tested(found))


def _tested(found: Document) -> str:
    tried = rows(found["tried"], lambda item: f"  {item['address']}  {item['outcome']}", "  nothing was tried")
    if not found["model"]:
        return f"no embedding model (semantic: {found['mode']}); recall goes by words\n{tried}"
    return (f"{found['model']} ({found['origin']}): {found['dimension']} dimensions, {found['latencyMs']} ms a question\n{tried}")


@embedding_command.command("refresh")
@pass_door
def refresh_command(door: Door) -> None:
    """Look for a model and embed every entry that has no vector yet."""
    shown = _Bar()
    try:
        done = _by_daemon(door, shown) if door.endpoint() is not None else door.here("embedding_refresh", progress=shown)
    finally:
        shown.close()
    if not isinstance(done, dict) or done["state"] not in ("ready", "embedding"):
        reason = str(done.get("fault") or "none was found") if isinstance(done, dict) else ""
        raise ModelFailed(f"there is no embedding model: {reason}", "deepseedian embedding test tells what was tried", code="model_away")
    answer(done, lambda: f"{done['entries']} entries embedded by {done['model']}, {done['dimension']} dimensions")


def _by_daemon(door: Door, progress: Callable[[int, int], None]) -> Any:
    """The daemon works behind its answer: watch until it has looked, and nothing is missing."""
    semantic: Any = door.call("embedding_refresh")
    looks, until = semantic["looks"], time.monotonic() + LOOK_SECONDS
    while semantic["looks"] <= looks or semantic["state"] == "embedding":
        if semantic["looks"] <= looks and time.monotonic() > until:
            raise ModelFailed("the daemon is still looking", "deepseedian status shows what it found", code="model_away")
        time.sleep(POLL_SECONDS)
        semantic = door.call("status")["semantic"]
        progress(semantic["entries"] + semantic["refused"], semantic["entries"] + semantic["refused"] + semantic["missing"])
    return semantic


class _Bar:
    """A progress bar on a terminal, on standard error; nothing anywhere else."""

    def __init__(self) -> None:
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        if wants_json() or not total:
            return
        if self._bar is None:
            self._bar = click.progressbar(length=total, label="embedding", file=sys.stderr)  # draws on a terminal only
            self._bar.render_progress()
        self._bar.length = total
        self._bar.update(done - self._bar.pos)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.render_finish()
