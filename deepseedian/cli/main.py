"""`deepseedian [--vault PATH] [--json] COMMAND`: global options, lazy commands, exit statuses."""

import contextlib
import importlib
import io
import json
import os
import sys

import click

from deepseedian import __version__
from deepseedian.cli.door import Door
from deepseedian.cli.show import failure
from deepseedian.errors import DeepseedianError, Usage

# Command → module: a command loads only its own file, so that `recall` stays fast.
COMMANDS = {
    "init": "vault", "check": "vault", "export": "vault", "config": "vault",
    "run": "process", "start": "process", "stop": "process", "status": "process", "service": "process",
    "remember": "entries", "list": "entries", "show": "entries", "edit": "entries", "forget": "entries", "move": "entries",
    "pin": "entries",
    "recall": "recall", "search": "recall",
    "observe": "review", "organize": "review", "review": "review",
    "history": "history", "undo": "history", "redo": "history",
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
    printed = io.StringIO()
    help_wanted = as_json and any(word in given for word in ("-h", "--help", "--version"))
    try:
        with contextlib.redirect_stdout(printed) if help_wanted else contextlib.nullcontext():
            status = cli.main(given, prog_name="deepseedian", standalone_mode=False)
    except DeepseedianError as error:
        failure(error, as_json)
        sys.exit(error.exit_status)
    except click.exceptions.NoArgsIsHelpError as error:
        _usage(error, as_json)
    except click.ClickException as error:
        _usage(error, as_json)
    except (click.Abort, KeyboardInterrupt):
        failure(DeepseedianError("interrupted", code="interrupted"), as_json)
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        message = f"{error.strerror or error}: {error.filename or ''}".rstrip(": ")
        failure(DeepseedianError(message, "run deepseedian check"), as_json)
        sys.exit(1)
    except Exception as error:  # a fault of ours: one clear line, the whole story with DEEPSEEDIAN_DEBUG
        if os.environ.get("DEEPSEEDIAN_DEBUG"):
            raise
        failure(DeepseedianError(f"{type(error).__name__}: {error}", "DEEPSEEDIAN_DEBUG=1 shows where; please report it"), as_json)
        sys.exit(1)
    if help_wanted:
        sys.stdout.write(json.dumps({"help": printed.getvalue()}, ensure_ascii=False) + "\n")
    sys.exit(status if isinstance(status, int) else 0)


def _usage(error: click.ClickException, as_json: bool) -> None:
    if as_json:
        failure(Usage(error.format_message(), "deepseedian --help"), True)
    else:
        error.show()
    sys.exit(Usage.exit_status)


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
