"""model: the chat model, its profiles, and whether it works."""

import click

from deepseedian.cli.door import Door, pass_door
from deepseedian.cli.show import Document, answer, rows

PROFILE = click.option("--profile", default="", metavar="NAME", help="A profile of config.toml; else the one in force.")


@click.group("model")
def model_command() -> None:
    """The chat model: its profiles, what its server lists, what works."""


@model_command.command("list")
@PROFILE
@pass_door
def list_command(door: Door, profile: str) -> None:
    """The models that the server lists; the one in use is marked."""
    found = door.call("models", profile=profile)
    names = found["models"] if isinstance(found["models"], list) else []
    marked = [f"{'*' if name == found['model'] else ' '} {name}" for name in names]
    answer(found, lambda: "\n".join([str(found["endpoint"]), *marked]) if marked else f"{found['endpoint']}\n  it lists none")


@model_command.command("test")
@PROFILE
@pass_door
def test_command(door: Door, profile: str) -> None:
    """A few small calls: what works, what does not, and why."""
    found = door.call("model_test", profile=profile)
    answer(found, lambda: _tested(found))


def _tested(found: Document) -> str:
    key = found["key"] if isinstance(found["key"], dict) else {}
    about = f"{found['model']} at {found['endpoint']}, key: {key.get('origin') or 'none'}"
    latency = f"\nfirst piece of an answer after {found['latencyMs']} ms" if found["latencyMs"] is not None else ""
    return f"{about}\n{rows(found['lines'], _line, '')}{latency}"


def _line(item: Document) -> str:
    return f"  {'-' if item['state'] == 'none' else item['state']!s:<7} {item['name']!s:<13} {item['reason']}"


@model_command.command("profiles")
@pass_door
def profiles_command(door: Door) -> None:
    """The profiles of config.toml; the one in force is marked."""
    found = door.call("model_profiles")
    answer(found, lambda: rows(found["profiles"], lambda item: _profile(item, found), "no model is configured: deepseedian key set model"))


def _profile(item: Document, found: Document) -> str:
    mark = "*" if item["name"] == found["inForce"] else " "
    name = item["name"] or "(settings)"
    if item["fault"]:
        return f"{mark} {name}  cannot be used: {item['fault']}"
    key = item["key"] if isinstance(item["key"], dict) else {}
    held = f"set ({key.get('origin')})" if key.get("set") else "none"
    return f"{mark} {name}  {item['model']} at {item['endpoint']}, key {key.get('name')}: {held}"
