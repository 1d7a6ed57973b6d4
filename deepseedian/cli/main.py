"""`deepseedian [--vault PATH] [--json] COMMAND`: global options, lazy commands, exit statuses."""

import contextlib
import importlib
import io
import os
import sys

import click

from deepseedian import __version__
from deepseedian.cli.door import Door
from deepseedian.cli.show import failure, print_document, quiet_end
from deepseedian.errors import DeepseedianError, Usage, from_os_error

# Command → module: a command loads only its own file, so that `recall` stays fast.
COMMANDS = {
    "init": "vault", "check": "vault", "export": "vault", "config": "vault",
    "run": "process", "start": "process", "stop": "process", "status": "process", "service": "process",
    "remember": "entries", "list": "entries", "show": "entries", "edit": "entries", "forget": "entries", "move": "entries",
    "pin": "entries", "erase": "entries", "confirm": "entries",
    "recall": "recall", "search": "recall",
    "receipts": "receipts", "verdict": "receipts", "feedback": "receipts", "stats": "receipts",
    "embedding": "embedding",
    "model": "models", "key": "keys",
    "observe": "review", "organize": "review", "review": "review", "ledger": "review",
    "sessions": "sessions", "trace": "trace",
    "history": "history", "undo": "history", "redo": "history",
    "sweep": "tending", "conflicts": "tending", "report": "tending",
    "ask": "ask", "tool": "tool", "mcp": "mcp",
    "eval": "evaluation",
    "hook": "hook", "connect": "connect",
    "notes": "notes",
    "import": "importing",
}


class LazyGroup(click.Group):
    """Knows its commands by name and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"deepseedian.cli.{COMMANDS[cmd_name]}")
        return getattr(module, f"{cmd_name}_command")  # type: ignore[no-any-return]


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--vault", default="", metavar="PATH", help="The vault; else DEEPSEEDIAN_VAULT, else the nearest folder upwards.")
@click.option("--json", "json_output", is_flag=True, help="Print one JSON document and nothing else.")
@click.option("--config-dir", default="", metavar="NAME", help="The vault's config folder when it is not .obsidian.")
@click.version_option(__version__, prog_name="deepseedian")
@click.pass_context
def cli(context: click.Context, vault: str, json_output: bool, config_dir: str) -> None:
    """Long-term AI memory for an Obsidian vault, as plain Markdown."""
    context.obj = Door(vault, config_dir)


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit with its status."""
    given = sys.argv[1:] if arguments is None else arguments
    as_json = _asks_for_json(given)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _run(given, as_json)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        quiet_end(0)
    except OSError:  # standard output itself cannot be written
        quiet_end(1)
    sys.exit(status)


def _run(given: list[str], as_json: bool) -> int:
    """The exit status, with every failure told as a document or two lines."""
    printed = io.StringIO()
    try:
        # With --json a command prints its document past this; only a help or version text lands here.
        with contextlib.redirect_stdout(printed) if as_json else contextlib.nullcontext():
            status = cli.main(given, prog_name="deepseedian", standalone_mode=False)
        if printed.getvalue():
            print_document({"help": printed.getvalue()})
        return status if isinstance(status, int) else 0
    except DeepseedianError as error:
        failure(error, as_json)
        return error.exit_status
    except click.ClickException as error:
        return _usage(error, as_json)
    except (click.Abort, KeyboardInterrupt):
        failure(DeepseedianError("interrupted", code="interrupted"), as_json)
        return 1
    except BrokenPipeError:
        raise
    except OSError as error:
        found = from_os_error(error)
        failure(found, as_json)
        return found.exit_status
    except Exception as error:  # a fault of ours: one clear line, the whole story with DEEPSEEDIAN_DEBUG
        if os.environ.get("DEEPSEEDIAN_DEBUG"):
            raise
        failure(DeepseedianError(f"{type(error).__name__}: {error}", "DEEPSEEDIAN_DEBUG=1 shows where; please report it"), as_json)
        return 1


def _usage(error: click.ClickException, as_json: bool) -> int:
    if as_json:
        text = "a command is missing" if isinstance(error, click.exceptions.NoArgsIsHelpError) else error.format_message()
        failure(Usage(text, "deepseedian --help"), True)
    else:
        error.show()
    return Usage.exit_status


def _asks_for_json(arguments: list[str]) -> bool:
    """Whether --json stands among the global options, also on a line that cannot be read otherwise."""
    skip = False
    for word in arguments:
        if skip:
            skip = False
        elif word == "--json":
            return True
        elif word in ("--vault", "--config-dir"):
            skip = True
        elif not word.startswith("-"):
            return False
    return False
