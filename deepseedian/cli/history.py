"""history, undo, redo."""

import click

from deepseedian.cli.door import Door, pass_door
from deepseedian.cli.show import Document, answer, local, rows


@click.command("history")
@click.option("--limit", default=50, show_default=True, help="How many changes to show.")
@pass_door
def history_command(door: Door, limit: int) -> None:
    """What changed, newest first; edits from outside too."""
    found = door.call("history", limit=limit)
    answer(found, lambda: rows(found["changes"], _line, "nothing has changed yet"))


def _line(change: Document) -> str:
    return f"{local(change['at'])}  {change['kind']:<8} {change['summary']}{'' if change['undoable'] else '  (not undoable)'}"


@click.command("undo")
@pass_door
def undo_command(door: Door) -> None:
    """Take back the newest change made by a command, an approval or a tool."""
    done = door.call("undo")
    answer(done, lambda: f"{done['summary']}")


@click.command("redo")
@pass_door
def redo_command(door: Door) -> None:
    """Repeat the change that was undone last."""
    done = door.call("redo")
    answer(done, lambda: f"{done['summary']}")
