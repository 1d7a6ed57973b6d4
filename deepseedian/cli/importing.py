"""import: what other programs remember, read here and handed to the vault."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deepseedian.cli.door import Door, expanded, pass_door
from deepseedian.cli.show import Document, answer, local_day, rows
from deepseedian.errors import BadInput

if TYPE_CHECKING:
    from deepseedian.store.foreign import Found

REQUEST_BYTES = 6_000_000  # a daemon takes 8 MiB at once
REQUEST_ITEMS = 20_000
REASONS = 200


@click.command("import")
@click.argument("source")
@click.option("--format", "form", default="", help="plugin, statements, notes or jsonl; recognised when it is left out.")
@click.option("--topic", default="", help="Put all of it there; else topics come from headings, folders or the items.")
@click.option("--as", "how", type=click.Choice(["proposals", "external"]), default="proposals", show_default=True,
              help="Proposals wait for you; external entries are found by search and never put before a turn.")
@click.option("--dry-run", is_flag=True, help="Show what would come; write nothing.")
@pass_door
def import_command(door: Door, source: str, form: str, topic: str, how: str, dry_run: bool) -> None:
    """Take over memory from SOURCE: the public plugin's folder, CLAUDE.md, AGENTS.md, MEMORY.md, notes, JSON lines (`-` reads them)."""
    found = _found(source, form)
    done = _items(door, found, source, topic, how, dry_run)
    if found.chats:
        done["chats"] = _chats(door, found, dry_run)
    answer(done, lambda: _told(done))


def _found(source: str, form: str) -> "Found":
    from deepseedian.store import foreign

    if source != "-":
        return foreign.gathered(Path(expanded(source)).resolve(), form)
    if form not in ("", "jsonl"):
        raise BadInput("standard input is read as JSON lines", "name a file for any other format")
    data = sys.stdin.buffer.read(foreign.FILE_BYTES + 1) if sys.stdin is not None else b""
    if len(data) > foreign.FILE_BYTES:
        raise BadInput(f"standard input is over {foreign.FILE_BYTES} bytes long", "import it in parts")
    return foreign.lines(data, "standard input", "")


def _items(door: Door, found: "Found", source: str, topic: str, how: str, dry_run: bool) -> Document:
    """Mostly one request; the sums of several where they are too long for one."""
    about = "standard input" if source == "-" else Path(expanded(source)).resolve().name
    done: Document = {}
    for portion in _portions([item.document() for item in found.items]):
        one = door.call("import_items", items=portion, how=how, topic=topic, about=about, dry_run=dry_run)
        done = _summed(done, one)
    left_out = [{"place": place, "reason": reason} for place, reason in found.left_out]
    counted = _summed(done, {"refused": len(left_out), "reasons": left_out})
    return counted | {"format": found.form, "reasons": list(counted["reasons"])[:REASONS]}  # type: ignore[call-overload]


def _portions(documents: list[dict[str, str]]) -> Iterator[list[dict[str, str]]]:
    """At least one, also of nothing."""
    portion: list[dict[str, str]] = []
    size = 0
    for document in documents:
        more = len(json.dumps(document)) + 2
        if portion and (size + more > REQUEST_BYTES or len(portion) >= REQUEST_ITEMS):
            yield portion
            portion, size = [], 0
        portion.append(document)
        size += more
    yield portion


def _summed(first: Document, second: Document) -> Document:
    """Numbers and lists added up, the rest as it was said last."""
    found = dict(first)
    for name, value in second.items():
        old = found.get(name)
        both = (isinstance(old, int) and not isinstance(old, bool)) or isinstance(old, list)
        found[name] = old + value if both else value or old if name == "note" else value  # type: ignore[operator]
    return found


def _chats(door: Door, found: "Found", dry_run: bool) -> Document:
    done: Document = {}
    portion: list[Document] = []
    size = 0
    for chat in found.chats:
        for piece in _pieces(chat.document()):
            more = len(json.dumps(piece))
            if portion and size + more > REQUEST_BYTES:
                done = _summed(done, door.call("import_sessions", sessions=portion, dry_run=dry_run))
                portion, size = [], 0
            portion.append(piece)
            size += more
    done = _summed(done, door.call("import_sessions", sessions=portion, dry_run=dry_run))
    return done | {"sessions": list(dict.fromkeys(list(done["sessions"])))}  # type: ignore[call-overload]


def _pieces(chat: Document) -> Iterator[Document]:
    """A chat with as many of its turns as one request can take, until all have gone."""
    turns: list[object] = []
    size = 0
    for turn in list(chat["turns"]):  # type: ignore[call-overload]
        more = len(json.dumps(turn))
        if turns and size + more > REQUEST_BYTES:
            yield chat | {"turns": turns}
            turns, size = [], 0
        turns.append(turn)
        size += more
    yield chat | {"turns": turns}


def _told(done: Document) -> str:
    would = "would become " if done["dryRun"] else ""
    kind = "proposals" if done["how"] == "proposals" else "entries of trust external"
    lines = [f"{done['items']} statements: {done['new']} {would}{kind}, {done['there']} are there already, "
             f"{done['before']} were here before and are not brought back, {done['refused']} left out"]
    if done["waiting"]:
        lines.append(f"{done['waiting']} wait in their file: decide some proposals, then repeat this command")
    if done["note"]:
        lines.append(f"to decide: {done['note']}, or deepseedian review")
    if done["changes"]:
        lines.append("deepseedian undo takes it back" + (f", in {done['changes']} steps" if done["changes"] != 1 else ""))
    chats = done.get("chats")
    if isinstance(chats, dict):
        lines.append(f"{len(chats['sessions'])} chats with {chats['turns']} new turns; nothing is learned from them: deepseedian sessions")
        lines.append(rows(chats["reasons"], _reason, ""))
    lines += [rows(done["preview"], _preview, ""), rows(done["reasons"], _reason, "")]
    return "\n".join(line for line in lines if line)


def _preview(item: Document) -> str:
    return f"+ {local_day(item['createdAt'])}  [{item['topic']}] {' '.join(str(item['text']).split())[:160]}  ({item['source']})"


def _reason(item: Document) -> str:
    return f"- {item['place']}: {item['reason']}"
