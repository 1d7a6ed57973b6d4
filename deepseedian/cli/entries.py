"""remember, list, show, edit, forget, move, pin, erase, confirm."""

import sys

import click

from deepseedian.cli.door import Door, pass_door
from deepseedian.cli.show import Document, answer, counted, local, local_day, rows, sure

STDIN_LIMIT = 1_000_000
TIMES = ("createdAt", "updatedAt", "endedAt")


def _text(value: str) -> str:
    """`-` reads the text from standard input."""
    if value != "-":
        return value
    data = sys.stdin.buffer.read(STDIN_LIMIT) if sys.stdin is not None else b""
    try:
        return data.decode().removesuffix("\n")
    except UnicodeDecodeError:
        raise click.UsageError("standard input is not UTF-8") from None


@click.command("remember")
@click.argument("text")
@click.option("--topic", default="general", show_default=True, help="The topic file it goes to.")
@click.option("--kind", default="", help="preference, goal, decision, fact, question, finding or workflow.")
@click.option("--source", default="", help="Where it comes from, one line.")
@click.option("--allow-secret", is_flag=True, help="Store it although it looks like a secret.")
@pass_door
def remember_command(door: Door, text: str, topic: str, kind: str, source: str, allow_secret: bool) -> None:
    """Remember TEXT, or what `-` reads from standard input."""
    done = door.call("remember", text=_text(text), topic=topic, kind=kind, source=source, allow_secret=allow_secret)
    answer(done, lambda: f"remembered in {done['topic']}: {done['id']}")


@click.command("list")
@click.option("--topic", default="", help="Only this topic.")
@pass_door
def list_command(door: Door, topic: str) -> None:
    """List every entry, oldest first."""
    found = door.call("entries", topic=topic)
    answer(found, lambda: rows(found["entries"], _line, f"nothing is in the topic {topic}" if topic else "nothing is remembered yet"))


def _line(entry: Document) -> str:
    pin = " (pinned)" if entry.get("pinned") else ""
    return f"{entry['id']}  {local_day(entry['createdAt'])}  [{entry['topic']}]{pin} {' '.join(str(entry['text']).split())}"


@click.command("show")
@click.argument("id")
@click.option("--timeline", is_flag=True, help="What happened to it: written, recalled, corrected, superseded, moved, pinned, forgotten.")
@pass_door
def show_command(door: Door, id: str, timeline: bool) -> None:
    """Show one entry with everything known about it."""
    if timeline:
        found = door.on("entry", "timeline", id)
        answer(found, lambda: f"{_page(dict(found['entry']))}\nrecalled: {found['recalled']}\n\n{rows(found['events'], _event, '')}")  # type: ignore[call-overload]
        return
    entry = door.on("entry", "show", id)
    answer(entry, lambda: _page(entry))


def _event(event: Document) -> str:
    names = ("source", "from", "to", "receipt", "session", "operation", "status")
    told = "  ".join(f"{name}: {event[name]}" for name in names if event.get(name))
    outside = " (outside)" if event.get("outside") else ""
    before = "\n    was: " + " ".join(str(event["before"]).split()) if event.get("before") else ""
    return f"{local(event['at'])}  {event['kind']}{outside}  {told}{before}".rstrip()


def _page(entry: Document) -> str:
    told = {True: "yes", False: "no"}
    about = [f"{key}: {local(value) if key in TIMES else told[value] if isinstance(value, bool) else value}"
             for key, value in entry.items() if key != "text"]
    return "\n".join([str(entry["text"]), "", *about])


@click.command("edit")
@click.argument("id")
@click.argument("text")
@click.option("--allow-secret", is_flag=True, help="Store it although it looks like a secret.")
@pass_door
def edit_command(door: Door, id: str, text: str, allow_secret: bool) -> None:
    """Give entry ID a new TEXT; the old version goes to the archive."""
    entry = door.on("entry", "edit", id, text=_text(text), allow_secret=allow_secret)
    answer(entry, lambda: f"edited {entry['id']}; deepseedian undo takes it back")


@click.command("forget")
@click.argument("id")
@pass_door
def forget_command(door: Door, id: str) -> None:
    """Move entry ID to the archive; nothing is proposed from its sources again."""
    entry = door.on("entry", "forget", id)
    answer(entry, lambda: f"forgotten {entry['id']}; deepseedian undo takes it back")


@click.command("move")
@click.argument("id")
@click.argument("topic")
@pass_door
def move_command(door: Door, id: str, topic: str) -> None:
    """Move entry ID to another TOPIC."""
    entry = door.on("entry", "move", id, topic=topic)
    answer(entry, lambda: f"moved {entry['id']} to {entry['topic']}")


@click.command("pin")
@click.argument("id")
@click.option("--off", is_flag=True, help="Unpin it.")
@pass_door
def pin_command(door: Door, id: str, off: bool) -> None:
    """Offer entry ID in every turn, whatever the question."""
    entry = door.on("entry", "pin", id, on=not off)
    answer(entry, lambda: f"{'unpinned' if off else 'pinned'} {entry['id']}")


@click.command("erase")
@click.argument("id")
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_door
def erase_command(door: Door, id: str, yes: bool) -> None:
    """Take entry ID with all its versions out of everything kept here; nothing brings it back."""
    id = door.full(id, "entry", "proposal")
    sure(yes, f"Erase {id} for good?")
    done = door.call("erase", id=id)
    answer(done, lambda: _erased(done))


def _erased(done: Document) -> str:
    removed, beyond = dict(done["removed"]), dict(done["beyond"])  # type: ignore[call-overload]
    lines = [f"erased {done['id']}: " + ", ".join(f"{place} {number}" for place, number in removed.items() if number)]
    lines += ["Beyond reach:", *(f"  {what}" for what in beyond.values())]
    if done["notes"]:
        lines += ["Your own notes that say the same:", *(f"  {path}" for path in list(done["notes"]))]  # type: ignore[call-overload]
    return "\n".join(lines)


@click.command("confirm")
@click.argument("ids", nargs=-1, metavar="[ID]…")
@click.option("--all", "every", is_flag=True, help="Every entry, and the rules.")
@click.option("--rules", is_flag=True, help="The rules as RULES.md has them now.")
@pass_door
def confirm_command(door: Door, ids: tuple[str, ...], every: bool, rules: bool) -> None:
    """Put pins and rules that came from elsewhere in force on this device; without an ID show what waits."""
    if ids or every or rules:
        done = door.call("confirm", ids=[door.full(id, "entry") for id in ids], all=every, rules=rules)
        answer(done, lambda: f"confirmed {counted(done['confirmed'], 'entry', 'entries')}" + (" and the rules" if done["rules"] else ""))
        return
    found = door.call("claims")
    answer(found, lambda: _claims(found))


def _claims(found: Document) -> str:
    pins = rows(found["pins"], lambda item: f"{item['id']}  {item['text']}", "")
    parts = [f"Pinned elsewhere:\n{pins}" if pins else "", f"Rules changed elsewhere:\n{found['rules']}" if found["rules"] else ""]
    return "\n\n".join(part for part in parts if part) or "nothing waits"
