"""connect: put this vault's memory into a program that talks to models, or into an editor.

By default it only prints what belongs where. Installing shows a diff, asks, keeps a copy of each file and leaves everything that is
not ours as it is; the host's own memory and its other switches are never touched.
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deepseedian.cli.door import Door, expanded, pass_door
from deepseedian.cli.show import Document, answer, wants_json
from deepseedian.errors import BadInput, BadVault

if TYPE_CHECKING:
    from deepseedian.hosts.installing import Change
    from deepseedian.hosts.places import Host, Place


@click.command("connect")
@click.argument("host", default="")
@click.option("--print", "mode", flag_value="print", default=True, help="Print what belongs where and change nothing; the default.")
@click.option("--install", "mode", flag_value="install", help="Put it there: shows a diff and asks before anything is written.")
@click.option("--remove", "mode", flag_value="remove", help="Take exactly ours out again.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--scope", type=click.Choice(["user", "project"]), default=None, help="For all your projects, or for one.")
@click.option("--project", default="", metavar="FOLDER", help="The project's folder; else the present one.")
@click.option("--profile", default="", metavar="NAME", help="One profile of DSH; else all.")
@click.option("--providers", is_flag=True, help="DSH: also let turns here use the providers and keys saved there, where they lie.")
@click.option("--no-hooks", is_flag=True, help="The MCP server only: nothing before turns, nothing handed in.")
@pass_door
def connect_command(door: Door, host: str, mode: str, yes: bool, scope: str | None, project: str, profile: str, providers: bool,
                    no_hooks: bool) -> None:
    """Connect HOST to this vault: dsh, claude-code, codex, opencode, cursor, vscode or nvim."""
    from deepseedian.hosts import places

    known = places.host(host)
    scope = scope or known.scopes[0]
    if scope not in known.scopes:
        raise BadInput(f"{known.title} has no {scope} scope", f"it has: {', '.join(known.scopes)}")
    if providers and host != "dsh":
        raise BadInput("--providers is about DSH", "deepseedian connect dsh --install --providers")
    if profile and (host != "dsh" or Path(profile).name != profile):
        raise BadInput("--profile is the name of a profile of DSH", "deepseedian connect dsh --profile headless")
    folder = Path(os.path.realpath(expanded(project or ".")))
    vault = _vault(door, mode)
    if mode == "install":
        _check_utf8(vault, folder)
    place = places.Place(vault, places.command(vault, door.config_dir), scope, folder, profile, not no_hooks, places.kept())
    told = _providers(door, place, mode) if providers else {}
    if mode == "print":
        _print(known, place, told)
    else:
        _carry_out(known, place, mode, yes, told)


def _vault(door: Door, mode: str) -> Path:
    """Taking ours out works without the vault, too: it may be gone. Raises BadVault."""
    try:
        return door.vault
    except BadVault:
        if mode != "remove":
            raise
        return Path(door.named)


def _check_utf8(*paths: Path) -> None:
    """Every host's configuration is text in UTF-8. Raises BadVault for a path that is not."""
    for path in paths:
        try:
            str(path).encode()
        except UnicodeEncodeError:
            raise BadVault(f"{path} is not UTF-8, so no configuration can name it", "move it to a plainer path") from None


def _providers(door: Door, place: "Place", mode: str) -> Document:
    """What can be used by reference, and with --install the reference: the folder's name, never what is in it."""
    from deepseedian.hosts.places import dsh_home
    from deepseedian.models.harness import provider_names

    home = str(dsh_home(place))
    if mode != "print":
        door.call("set_setting", name="dsh.home", value=home if mode == "install" else "")
    return {"providers": provider_names(dsh_home(place))}


def _print(host: "Host", place: "Place", told: Document) -> None:
    files: list[Document] = [{"file": str(part.file), "what": part.what, "snippet": part.form.snippet()} for part in host.parts(place)]
    document = _document(host, place, "printed", files) | told
    blocks = [f"{item['file']}  ({item['what']})\n\n{item['snippet']}" for item in files]
    hint = f"deepseedian connect {host.name} --install puts it there" + (f"; {host.note}" if host.note else "")
    if isinstance(names := told.get("providers"), list):
        hint += f"\nproviders saved there: {', '.join(names)}; name one as dsh.provider"
    answer(document, lambda: "\n\n".join([*blocks, hint]))


def _carry_out(host: "Host", place: "Place", mode: str, yes: bool, told: Document) -> None:
    """All files are planned before the first one is written."""
    from deepseedian.hosts import installing

    plan = installing.planned if mode == "install" else installing.planned_removal
    changes = [plan(part) for part in host.parts(place)]
    due = [change for change in changes if not change.same]
    if due:
        _ask(due, yes)
    backups = {change.file: installing.install(change, host.name) if mode == "install" else installing.remove(change) for change in due}
    files: list[Document] = [{"file": str(change.file), "what": change.what, "changed": not change.same, "diff": change.diff(),
                              "backup": backups.get(change.file) or None} for change in changes]
    done = ("installed" if mode == "install" else "removed") if due else "unchanged"
    answer(_document(host, place, done, files) | told, lambda: "\n".join(_told(item, done) for item in files)
           + (f"\nstart {host.title} anew for it to take effect" if due else ""))


def _ask(due: "list[Change]", yes: bool) -> None:
    """Show what will be different; without somebody to ask, --yes is needed. Raises BadInput, click.Abort."""
    if not wants_json():
        click.echo("\n".join(change.diff() for change in due), err=True)
    if yes:
        return
    if wants_json() or sys.stdin is None or not sys.stdin.isatty():
        raise BadInput("nobody is here to be asked; nothing was written", "look at it with --print, then add --yes")
    click.confirm("Write this?", abort=True, err=True)


def _told(item: Document, done: str) -> str:
    if not item["changed"]:
        return f"{item['file']}: nothing to do"
    return f"{item['file']}: {done}" + (f"; as it was: {item['backup']}" if item["backup"] else "")


def _document(host: "Host", place: "Place", done: str, files: list[Document]) -> Document:
    return {"host": host.name, "scope": place.scope, "vault": str(place.vault), "done": done, "files": files, "note": host.note or None}
