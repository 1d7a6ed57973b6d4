"""sessions: conversations as they are kept, what of them may be learned from, and forks."""


import click

from deepseedian.cli.door import Door, pass_door
from deepseedian.cli.show import Document, answer, local, rows, sure

SWITCH = click.Choice(["on", "off"])


@click.group("sessions", invoke_without_command=True)
@click.pass_context
def sessions_command(context: click.Context) -> None:
    """Conversations: list, read, search, rename, switch, fork, delete."""
    if context.invoked_subcommand is None:
        context.invoke(list_command)


@sessions_command.command("list")
@click.option("--offset", default=0, show_default=True, help="How many to skip.")
@click.option("--limit", default=20, show_default=True, help="How many to show.")
@pass_door
def list_command(door: Door, offset: int, limit: int) -> None:
    """The last conversations, the one that was added to last first."""
    _listed(door.call("session_list", offset=offset, limit=limit), "no conversation yet")


@sessions_command.command("search")
@click.argument("words", nargs=-1, required=True)
@click.option("--offset", default=0, show_default=True, help="How many to skip.")
@click.option("--limit", default=20, show_default=True, help="How many to show.")
@pass_door
def search_command(door: Door, words: tuple[str, ...], offset: int, limit: int) -> None:
    """Conversations in whose title or messages every one of the WORDS occurs."""
    _listed(door.call("session_list", query=" ".join(words), offset=offset, limit=limit), "none")


def _listed(found: Document, empty: str) -> None:
    answer(found, lambda: rows(found["sessions"], _line, empty) + f"\n{found['total']} in all")


def _line(item: Document) -> str:
    off = [word for word, on in (("not read", item["reads"]), ("not learned from", item["contributes"])) if not on]
    number = "1 turn" if item["turns"] == 1 else f"{item['turns']} turns"
    told = [number, *off, *(["learned from later on"] if item["contributeFrom"] else []),
            *(["FAULT"] if item.get("fault") else [])]
    line = f"{item['id']}  {local(item['changed'])}  {item['title'] or '(no question yet)'}  ({', '.join(told)})"
    return f"{line}\n    {item['excerpt']}" if item.get("excerpt") else line


@sessions_command.command("show")
@click.argument("id")
@click.option("--turn", default="", help="The branch that ends with this turn, instead of the newest.")
@click.option("--all", "whole", is_flag=True, help="Every turn of the tree, in the order in which they began.")
@pass_door
def show_command(door: Door, id: str, turn: str, whole: bool) -> None:
    """One conversation: its switches, and the turns of its newest branch."""
    found = door.on_turn("session", id, turn, all=whole)
    answer(found, lambda: _shown(found))


def _shown(found: Document) -> str:
    fork, start = found["fork"], found["contributeFrom"]
    head = [f"{found['title'] or '(no question yet)'}", *([f"goal: {found['goal']}"] if found["goal"] else []),
            f"memory is read for it: {_on(found['reads'])}", f"may be learned from: {_on(found['contributes'])}"]
    head += [f"learned from after its first {start['index']} messages"] if isinstance(start, dict) else []
    head += [f"fork of {fork['session']} after turn {fork['turn']}"] if isinstance(fork, dict) else []
    head += [f"fault: {found['fault']}"] if found.get("fault") else []
    return "\n".join(head) + "\n\n" + rows(found["conversation"], _turn, "nothing was said yet")


def _turn(item: Document) -> str:
    marks = [str(item["state"]), *(["inherited"] if item["inherited"] else []), *([f"after {item['parent']}"] if item["parent"] else [])]
    said = item["messages"] if isinstance(item["messages"], list) else []
    return f"── {item['id']}  {local(item['at'])}  {', '.join(marks)}\n" + "\n".join(f"{one['role']}: {one['text']}" for one in said)


def _on(value: object) -> str:
    return "on" if value else "off"


@sessions_command.command("rename")
@click.argument("id")
@click.argument("title")
@pass_door
def rename_command(door: Door, id: str, title: str) -> None:
    """Give a conversation a TITLE; with '' it is its first question again."""
    _changed(door.on("session", "session_set", id, title=title))


@sessions_command.command("goal")
@click.argument("id")
@click.argument("goal")
@pass_door
def goal_command(door: Door, id: str, goal: str) -> None:
    """What a conversation is for; told to the model with every question. '' takes it away."""
    _changed(door.on("session", "session_set", id, goal=goal))


@sessions_command.command("set")
@click.argument("id")
@click.option("--reads", type=SWITCH, help="Whether memory is put before its turns.")
@click.option("--contributes", type=SWITCH, help="Whether anything may be learned from it.")
@click.option("--contribute-from", type=click.Choice(["now", "all"]),
              help="Learn only from what is said from now on, or from all of it again.")
@pass_door
def set_command(door: Door, id: str, reads: str | None, contributes: str | None, contribute_from: str | None) -> None:
    """The switches of a conversation."""
    given = {"reads": reads and reads == "on", "contributes": contributes and contributes == "on", "contribute_from": contribute_from}
    _changed(door.on("session", "session_set", id, **{name: value for name, value in given.items() if value is not None}))


@sessions_command.command("fork")
@click.argument("id")
@click.argument("turn")
@pass_door
def fork_command(door: Door, id: str, turn: str) -> None:
    """A new conversation that goes on after the answer of TURN; the other one stays as it is."""
    _changed(door.on_turn("session_fork", id, turn))


def _changed(found: Document) -> None:
    answer(found, lambda: _line(found))


@sessions_command.command("delete")
@click.argument("id")
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_door
def delete_command(door: Door, id: str, yes: bool) -> None:
    """Take a conversation and its traces away; what was learned from it stays in memory."""
    id = door.full(id, "session")
    sure(yes, f"Delete the conversation {id} for good?")
    done = door.call("session_delete", id=id)
    answer(done, lambda: f"deleted: {id}, and {done['steps']} steps of its turns")
