"""notes: search, read and follow the vault's own notes."""

import click

from deepseedian.cli.door import Door, pass_door
from deepseedian.cli.show import Document, answer, rows


@click.group("notes")
def notes_command() -> None:
    """The vault's own notes, read only: search, read, links and neighbours."""


@notes_command.command("search")
@click.argument("query")
@click.option("--folder", default="", help="Only below this folder.")
@click.option("--offset", default=0, help="How many to leave out.")
@click.option("--limit", default=8, show_default=True, help="How many to show, at most 20.")
@pass_door
def search_command(door: Door, query: str, folder: str, offset: int, limit: int) -> None:
    """Notes by words, names and tags, best first."""
    found = door.call("notes_search", query=query, offset=offset, limit=limit, folder=folder)
    answer(found, lambda: rows(found["results"], lambda hit: f"{hit['path']}:{hit['line']}\n  {hit['snippet']}", "nothing matches")
           + _more(found) + _indexing(found))


@notes_command.command("read")
@click.argument("path")
@click.option("--offset", default=1, show_default=True, help="The line to begin with.")
@pass_door
def read_command(door: Door, path: str, offset: int) -> None:
    """Lines of the note at PATH, as they are on disk now."""
    found = door.call("notes_read", path=path, offset=offset)
    answer(found, lambda: str(found["text"]) + _more(found))


@notes_command.command("metadata")
@click.argument("path")
@pass_door
def metadata_command(door: Door, path: str) -> None:
    """Properties, headings, tags, links and backlinks of the note at PATH."""
    found = door.call("notes_metadata", path=path)
    answer(found, lambda: _metadata(found))


def _metadata(found: Document) -> str:
    properties = found["properties"] if isinstance(found["properties"], dict) else {}
    parts = {
        "properties": "\n".join(f"  {name}: {value}" for name, value in properties.items()),
        "headings": rows(found["headings"], lambda one: f"  {one['line']}: {'#' * int(str(one['level']))} {one['text']}", ""),
        "tags": "".join(f"  #{tag}" for tag in found["tags"]) if isinstance(found["tags"], list) else "",
        "links": rows(found["links"], lambda one: f"  {one['link']} → {one['path'] or 'nothing'}", ""),
        "backlinks": rows(found["backlinks"], lambda one: f"  {one['path']}:{one['line']}", ""),
        "problems": rows(found["problems"], lambda one: f"  line {one['line']}: {one['message']}", ""),
    }
    return "\n".join([f"{found['path']}: {found['lines']} lines", *(f"{name}\n{text}" for name, text in parts.items() if text)])


@notes_command.command("query")
@click.argument("query", default="")
@click.option("--folder", default="", help="Only below this folder.")
@click.option("--tag", default="", help="Only with this tag, or one below it.")
@click.option("--property", "name", default="", help="Only with this property.")
@click.option("--value", default="", help="Only where it has this value.")
@click.option("--offset", default=0, help="How many to leave out.")
@click.option("--limit", default=20, show_default=True, help="How many to show, at most 20.")
@pass_door
def query_command(door: Door, query: str, folder: str, tag: str, name: str, value: str, offset: int, limit: int) -> None:
    """Notes by what is known of them, by path; QUERY is looked for in paths and names."""
    found = door.call("notes_query", folder=folder, tag=tag, property=name, value=value, query=query, offset=offset, limit=limit)
    answer(found, lambda: rows(found["notes"], _line, "none") + _more(found) + _indexing(found))


def _line(note: Document) -> str:
    tags = " ".join(f"#{tag}" for tag in note["tags"]) if isinstance(note["tags"], list) else ""
    return f"{note['path']}  {tags}".rstrip()


@notes_command.command("resolve")
@click.argument("link")
@click.option("--source", default="", help="The note that the link stands in.")
@pass_door
def resolve_command(door: Door, link: str, source: str) -> None:
    """What LINK shows, such as [[note]], [[note#heading]] or [[note#^block]]."""
    found = door.call("notes_resolve", link=link, source=source)
    answer(found, lambda: f"{found['path']}:{found['line']}-{found['endLine']}\n\n{found['text']}" + ("\n…" if found["truncated"] else ""))


@notes_command.command("related")
@click.argument("path")
@pass_door
def related_command(door: Door, path: str) -> None:
    """Notes one link away from PATH, and with tags in common."""
    found = door.call("notes_related", path=path)
    answer(found, lambda: rows(found["related"], _neighbour, "none") + _indexing(found))


def _neighbour(note: Document) -> str:
    reasons = note["reasons"] if isinstance(note["reasons"], list) else []
    return f"{note['points']:>3}  {note['path']}\n     {'; '.join(reasons)}"


@notes_command.command("problems")
@click.option("--offset", default=0, help="How many to leave out.")
@click.option("--limit", default=100, show_default=True, help="How many to show, at most 100.")
@pass_door
def problems_command(door: Door, offset: int, limit: int) -> None:
    """What is wrong with notes; all of them are found nevertheless."""
    found = door.call("notes_problems", offset=offset, limit=limit)
    answer(found, lambda: rows(found["problems"], lambda one: f"{one['path']}:{one['line']}  {one['code']}: {one['message']}", "none")
           + _more(found))


def _more(found: Document) -> str:
    return f"\n--offset {found['nextOffset']} goes on" if found.get("nextOffset") else ""


def _indexing(found: Document) -> str:
    state = found.get("indexing")
    return f"\nnotes are being indexed: {state['done']} of {state['of']}" if isinstance(state, dict) else ""
