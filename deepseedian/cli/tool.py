"""tool: the table of tools, and one call of it, as an agent would make it."""

import json

import click

from deepseedian.cli.door import Door, pass_door
from deepseedian.cli.show import answer, rows
from deepseedian.errors import BadInput


@click.command("tool")
@click.argument("name", default="")
@click.argument("arguments", default="{}")
@click.option("--session", default="", help="Whose turn it is.")
@pass_door
def tool_command(door: Door, name: str, arguments: str, session: str) -> None:
    """Call the tool NAME with ARGUMENTS, a JSON object; without NAME, list the tools."""
    if not name:
        found = door.call("tools")
        answer(found, lambda: rows(found["tools"], lambda row: f"{row['name']}  {row['title']}", "Deepseedian is switched off"))
        return
    done = door.call("call_tool", name=name, arguments=_object(arguments), session=session)
    answer(done, lambda: json.dumps(done, ensure_ascii=False, indent=2))


def _object(text: str) -> object:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadInput("the arguments of a tool are one JSON object", """for example '{"query": "coffee"}'""")
    return found
