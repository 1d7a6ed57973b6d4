"""observe, organize, review: from a conversation to the owner's decision."""

import json
import sys
from pathlib import Path

import click

from deepseedian.cli.door import Door, pass_door
from deepseedian.cli.show import Document, answer, rows
from deepseedian.core.review_note import visible
from deepseedian.errors import BadInput, TooLarge

TURN_BYTES = 8_000_000
KEYS = ("session", "messages", "at", "preset", "origin", "cwd", "turn")


def _turn(file: str) -> dict[str, object]:
    """The turn in a file or on standard input. Raises BadInput, TooLarge."""
    try:
        if file == "-":
            data = sys.stdin.buffer.read(TURN_BYTES + 1) if sys.stdin is not None else b""
        else:
            with Path(file).open("rb") as source:
                data = source.read(TURN_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}", "name a JSON file, or - for standard input") from None
    if len(data) > TURN_BYTES:
        raise TooLarge(f"a turn may have {TURN_BYTES} bytes", "hand in the part that matters")
    try:
        turn = json.loads(data)
    except (ValueError, RecursionError):
        raise BadInput("the turn is not JSON", '{"session": "…", "messages": [{"role": "user", "text": "…"}]}') from None
    if not isinstance(turn, dict) or "session" not in turn or "messages" not in turn:
        raise BadInput("a turn needs session and messages", '{"session": "…", "messages": [{"role": "user", "text": "…"}]}')
    unknown = turn.keys() - set(KEYS)
    if unknown:
        raise BadInput(f"a turn has no {', '.join(sorted(unknown))}", f"it may have {', '.join(KEYS)}")
    return turn


@click.command("observe")
@click.argument("file")
@pass_door
def observe_command(door: Door, file: str) -> None:
    """Hand in a finished turn of a conversation: a JSON FILE, or `-` for standard input."""
    done = door.call("observe", **_turn(file))
    answer(done, lambda: f"kept in session {done['session']}; proposals: {_count(done['proposals'])}")


def _count(found: object) -> str:
    return str(len(found)) if isinstance(found, list) else "0"


@click.command("organize")
@pass_door
def organize_command(door: Door) -> None:
    """Consolidate now: what is new becomes proposals in a review note."""
    done = door.call("organize")
    answer(done, lambda: "\n".join(_organized(done)))


def _organized(done: Document) -> list[str]:
    lines = [f"proposals: {_count(done['proposals'])}, in {done['note']}" if done["note"] else "nothing new to propose"]
    return [*lines, f"the model gave nothing: {done['fault']}"] if done.get("fault") else lines


@click.group("review")
def review_command() -> None:
    """What waits for your decision."""


@review_command.command("list")
@click.option("--all", "every", is_flag=True, help="Decided ones too.")
@pass_door
def review_list(door: Door, every: bool) -> None:
    """List the open proposals."""
    found = door.call("proposals", all=every)
    answer(found, lambda: visible(rows(found["proposals"], _line, "nothing waits for you")))


def _line(item: Document) -> str:
    return f"{item['id']}  {item['status']:<9} {item['operation']} [{item['topic']}] {' '.join(str(item['text']).split())}"


@review_command.command("show")
@click.argument("id")
@pass_door
def review_show(door: Door, id: str) -> None:
    """Show one proposal with its reason and quotes."""
    item = door.call("proposal", id=id)
    answer(item, lambda: visible(_page(item)))


def _page(item: Document) -> str:
    quotes = rows(item["evidence"], lambda quote: f"  “{quote['quote']}”", "  (none)")
    before = item["before"]
    old = [f"now:      {text}" for text in before] if isinstance(before, list) else []
    return "\n".join([f"{item['operation']} in {item['topic']} ({item['status']})", *old, f"proposed: {item['text']}",
                      f"why:      {item['reason']}", "you said:", quotes, f"note:     {item['note']}"])


@review_command.command("approve")
@click.argument("id")
@click.option("--text", default=None, help="Your own version of the proposed text.")
@pass_door
def review_approve(door: Door, id: str, text: str | None) -> None:
    """Approve proposal ID: exactly its text becomes memory."""
    item = door.call("decide", id=id, decision="approve", **({"text": text} if text is not None else {}))
    answer(item, lambda: visible(f"approved: {item['text']}; deepseedian undo takes it back"))


@review_command.command("dismiss")
@click.argument("id")
@pass_door
def review_dismiss(door: Door, id: str) -> None:
    """Dismiss proposal ID; it is not proposed again."""
    item = door.call("decide", id=id, decision="dismiss")
    answer(item, lambda: visible(f"dismissed: {item['text']}"))
