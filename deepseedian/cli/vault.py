"""init, check, export, config."""

import json
import sys
from pathlib import Path

import click

from deepseedian.cli.door import Door, expanded, pass_door
from deepseedian.cli.show import Document, answer, print_document, rows, wants_json
from deepseedian.errors import BadInput


@click.command("init")
@click.argument("vault")
@click.option("--adopt", is_flag=True, help="Take over the original plugin's memory, after a backup.")
@click.option("--restore", is_flag=True, help="Bring a vanished memory folder back from this device's copies.")
@click.option("--fresh", is_flag=True, help="Begin a new memory although an older one vanished here.")
@click.option("--memory-folder", default="", metavar="PATH", help="Put memory here inside the vault, where Obsidian shows it.")
@click.option("--language", type=click.Choice(["en", "zh"]), help="Of start note, handbook and all texts; else the system's.")
@pass_door
def init_command(door: Door, vault: str, adopt: bool, restore: bool, fresh: bool, memory_folder: str, language: str | None) -> None:
    """Make VAULT's memory, or complete it; nothing that exists is overwritten.

    A new one begins with a start note and the handbook; --language puts them into any, below the folder Deepseedian.
    """
    from deepseedian.config.settings import checked
    from deepseedian.sidecar import initialise

    if not vault.strip():
        raise BadInput("name the folder of the vault", "deepseedian init ~/Documents/MyVault")
    folder = str(checked("memory.folder", memory_folder)) if memory_folder else ""
    done = initialise(expanded(vault), config_dir=door.config_dir, memory_folder=folder, language=language or "", adopt=adopt,
                      restore=restore, fresh=fresh)
    answer(done, lambda: "\n".join(_made(done, door.config_dir)))


def _made(done: Document, config_dir: str) -> list[str]:
    from deepseedian.store.template import switched_on
    from deepseedian.store.vault import located

    lines = [f"{done['vault']} is ready; memory lies in {done['memory']}"]
    lines += [f"a note to begin with: {done['start']}"] if done.get("start") else []
    lines += [f"left as it is: {path}" for path in _texts(done.get("left"))]
    plugin = located(Path(str(done["vault"])), "", config_dir).plugin
    return lines + ([] if switched_on(plugin) else ["the plugin is off here: Obsidian → Settings → Community plugins → Deepseedian"])


@click.command("check")
@click.option("--restore", is_flag=True, help="Bring vanished or emptied files back from the copies.")
@click.option("--accept", is_flag=True, help="Take vanished files as deleted.")
@pass_door
def check_command(door: Door, restore: bool, accept: bool) -> None:
    """Verify memory, repair what is derived, report the rest with file and line."""
    if restore and accept:
        raise BadInput("--restore and --accept are opposites", "choose one")
    found = door.call("check", restore=restore, accept=accept)
    answer(found, lambda: _checked(found))


def _checked(found: Document) -> str:
    changed = [f"{name}: {path}" for name in ("restored", "accepted") for path in _texts(found[name])]
    aside = [f"kept aside: {path}" for path in _texts(found["setAside"])]
    verdict = "all is well" if found["ok"] else "something needs you"
    return "\n".join([*changed, rows(found["problems"], _problem, ""), *aside, verdict]).strip()


def _texts(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def _problem(problem: Document) -> str:
    place = f"{problem['file']}:{problem['line']}" if problem["line"] else str(problem["file"])
    return f"{'repaired' if problem['repaired'] else 'open    '}  {place}  {problem['message']}"


@click.command("export")
@click.option("--format", "form", type=click.Choice(["jsonl", "markdown"]), default="jsonl", show_default=True)
@pass_door
def export_command(door: Door, form: str) -> None:
    """Write every entry to standard output."""
    if wants_json():
        lines = "".join(door.stream("export", format="jsonl")).splitlines()
        print_document({"entries": [json.loads(line) for line in lines]})
        return
    for piece in door.stream("export", format=form):
        sys.stdout.write(piece)


@click.group("config")
def config_command() -> None:
    """Settings, each with the place its value comes from."""


@config_command.command("list")
@pass_door
def config_list(door: Door) -> None:
    """All settings with value, origin and meaning."""
    found = door.call("settings")
    answer(found, lambda: rows(found["settings"], _setting, ""))


def _setting(item: Document) -> str:
    return f"{item['name']} = {json.dumps(item['value'], ensure_ascii=False)}  ({item['origin']})\n    {item['meaning']}"


@config_command.command("get")
@click.argument("name")
@pass_door
def config_get(door: Door, name: str) -> None:
    """One setting."""
    found = door.call("get_setting", name=name)
    answer(found, lambda: _setting(found))


@config_command.command("set")
@click.argument("name")
@click.argument("value")
@pass_door
def config_set(door: Door, name: str, value: str) -> None:
    """Change one setting; in force at once."""
    found = door.call("set_setting", name=name, value=value)
    answer(found, lambda: _setting(found))
    if found.get("warning") and not wants_json():
        click.echo(f"  → {found['warning']}", err=True)
