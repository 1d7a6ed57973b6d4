"""mcp: the MCP server that a host starts, a bridge from its standard input and output to the daemon."""

import os
import sys
from contextlib import suppress

import click

from deepseedian.bridges.mcp_stdio import Bridge
from deepseedian.cli.door import Door, pass_door
from deepseedian.errors import BadInput, DeepseedianError

NAME_LIMIT = 200


@click.command("mcp")
@click.option("--session", default="", metavar="NAME", help="The conversation all calls belong to, for hosts that name none.")
@pass_door
def mcp_command(door: Door, session: str) -> int:
    """Serve MCP on standard input and output; the daemon is started when none runs."""
    try:
        if len(session) > NAME_LIMIT or not session.isprintable():
            raise BadInput(f"the name of a session is one line of at most {NAME_LIMIT} characters", "shorten it")
        vault = door.vault  # what is wrong with the vault is told now, and at the one place a host shows
    except DeepseedianError as error:
        _tell(f"{error.message} ({error.hint})")
        return error.exit_status
    # Standard output belongs to the protocol: what anything else prints would end up in the middle of it.
    with os.fdopen(os.dup(1), "wb") as outgoing, os.fdopen(os.dup(0), "rb") as incoming:
        with suppress(OSError):  # without a standard error there is nowhere to say anything
            os.dup2(2, 1)
        Bridge(door.endpoint, lambda: _start(Door(str(vault), door.config_dir)), incoming, outgoing, session=session, tell=_tell).run()
    return 0


def _start(door: Door) -> object:
    from deepseedian.cli.process import started

    return started(door)


def _tell(text: str) -> None:
    print(f"deepseedian: {text}", file=sys.stderr, flush=True)
