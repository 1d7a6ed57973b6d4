"""key: the keys of models. No vault and no daemon is asked: a key goes from here into the keyring or its file, and nowhere else."""

import os
import sys

import click

from deepseedian.cli.show import Document, answer, rows
from deepseedian.errors import BadInput


@click.group("key")
def key_command() -> None:
    """Keys of models: in the environment, the system's keyring, or a file that only you can read."""


@key_command.command("set")
@click.argument("name")
def set_command(name: str) -> None:
    """Keep the key NAME; it is asked for unseen, or read from standard input."""
    from deepseedian.models import credentials

    name = credentials.plain(name)
    kept = credentials.keep(name, _given(name))
    found = credentials.held(name)
    document: Document = found.document(name) | {"kept": kept}
    answer(document, lambda: f"{name}: kept in {kept}" + _shadowed(name, found.origin, kept))


def _given(name: str) -> str:
    """Never from an argument: other programs can read those, and shells remember them."""
    if sys.stdin is not None and sys.stdin.isatty():
        return str(click.prompt(f"Key {name}", hide_input=True, default="", show_default=False, err=True))
    found = sys.stdin.read(10_000) if sys.stdin is not None else ""
    if not found.strip():
        raise BadInput("the key is empty", f"deepseedian key clear {name} takes one away")
    return found


def _shadowed(name: str, origin: str, kept: str) -> str:
    from deepseedian.models import credentials

    if origin == kept:
        return ""
    place = credentials.variable(name) if origin == "environment" else origin
    return f"\nin force is another one, from {place}"


@key_command.command("clear")
@click.argument("name")
def clear_command(name: str) -> None:
    """Take the key NAME out of keyring and file; a variable in the environment stays."""
    from deepseedian.models import credentials

    name = credentials.plain(name)
    gone = credentials.clear(name)
    found = credentials.held(name)
    still = f"\n{credentials.variable(name)} in the environment is still in force" if found.key else ""
    told = f"taken out of {', '.join(gone)}" if gone else "none was kept"
    answer(found.document(name) | {"cleared": gone}, lambda: f"{name}: {told}{still}")


@key_command.command("list")
@click.argument("name", default="")
def list_command(name: str) -> None:
    """Which keys are set, and where they come from; never the keys."""
    from pathlib import Path

    from deepseedian.config.layers import Config
    from deepseedian.models import credentials, profiles

    names = [credentials.plain(name)] if name else credentials.names(profiles.keys(Config(Path(os.devnull))))
    found = {"keys": [credentials.held(item).document(item) | {"variable": credentials.variable(item)} for item in names]}
    answer(found, lambda: rows(found["keys"], _row, "none"))


def _row(item: Document) -> str:
    fault = f"  {item['fault']}" if "fault" in item else ""
    return f"{item['name']}: {'set (' + str(item['origin']) + ')' if item['set'] else 'not set'}{fault}"
