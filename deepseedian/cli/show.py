"""What a person reads on the terminal; with --json the document itself, alone on stdout."""

import json
import sys
from collections.abc import Callable

import click

from deepseedian.errors import DeepseedianError

Document = dict[str, object]


def wants_json() -> bool:
    context = click.get_current_context(silent=True)
    return bool(context and context.find_root().params.get("json_output"))


def answer(document: object, text: Callable[[], str]) -> None:
    """Print the document as JSON, or the text made for people."""
    if wants_json():
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
    else:
        click.echo(text().rstrip("\n"))


def failure(error: DeepseedianError, as_json: bool) -> None:
    """One JSON document on stdout, or two lines on stderr."""
    if as_json:
        sys.stdout.write(json.dumps(error.document(), ensure_ascii=False) + "\n")
        return
    click.echo(f"deepseedian: {error.message}", err=True)
    if error.hint:
        click.echo(f"  → {error.hint}", err=True)


def rows(items: object, line: Callable[[Document], str], empty: str) -> str:
    found = [line(item) for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return "\n".join(found) if found else empty
