"""What a person reads on the terminal; with --json the document itself, alone on stdout."""

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

import click

from deepseedian.errors import BadInput, DeepseedianError

Document = dict[str, object]


def wants_json() -> bool:
    context = click.get_current_context(silent=True)
    return bool(context and context.find_root().params.get("json_output"))


def answer(document: object, text: Callable[[], str]) -> None:
    """Print the document as JSON, or the text made for people; nothing at all when there is nothing to say."""
    if wants_json():
        print_document(document)
    else:
        said = text().strip("\n")
        if said:
            click.echo(said)


def print_document(document: object) -> None:
    """One line of JSON on the real standard output; escapes where it cannot say a character."""
    out = sys.__stdout__
    if out is None:
        return
    plain = (out.encoding or "").casefold().replace("-", "") != "utf8"
    line = json.dumps(document, ensure_ascii=plain)
    if any("\ud800" <= char <= "\udfff" for char in line):
        line = json.dumps(document)
    out.write(line + "\n")
    out.flush()


def failure(error: DeepseedianError, as_json: bool) -> None:
    """One JSON document on stdout, or two lines on stderr."""
    if as_json:
        print_document(error.document())
        return
    click.echo(f"deepseedian: {error.message}", err=True)
    if error.hint:
        click.echo(f"  → {error.hint}", err=True)


def quiet_end(status: int) -> None:
    """End when nobody reads any more: what is still buffered goes nowhere, without a complaint."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os._exit(status)


def rows(items: object, line: Callable[[Document], str], empty: str) -> str:
    found = [line(item) for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return "\n".join(found) if found else empty


def counted(number: object, one: str, many: str = "") -> str:
    """`1 entry`, `2 entries`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def waiting(number: object, days: object) -> str:
    """How much waits for the owner's decision, and since when."""
    since = f"for {counted(days, 'day')}" if days else "since today"
    return f"{number} wait{'s' if number == 1 else ''} for you, the oldest {since}"


def local(at: object, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    """A stored time, which is UTC, as the clock of whoever reads it shows it; what is none stays as it is."""
    try:
        return datetime.fromisoformat(str(at)).astimezone().strftime(form)
    except (ValueError, OverflowError, OSError):
        return str(at)


def local_day(at: object) -> str:
    return local(at, "%Y-%m-%d")


def sure(yes: bool, question: str) -> None:
    """Ask before what nothing brings back. Raises BadInput where nobody can be asked."""
    if yes:
        return
    if wants_json() or sys.stdin is None or not sys.stdin.isatty():
        raise BadInput("nobody is here to be asked; nothing was done", "add --yes")
    click.confirm(question, abort=True)
