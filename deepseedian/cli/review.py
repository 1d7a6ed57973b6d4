"""observe, organize, review, ledger: from a conversation to the owner's decision, and what model runs have cost."""

import json
import sys
from pathlib import Path

import click

from deepseedian.cli.door import Door, pass_door
from deepseedian.cli.show import Document, answer, counted, rows, waiting
from deepseedian.core.review_note import visible
from deepseedian.errors import BadInput, TooLarge

TURN_BYTES = 8_000_000
KEYS = ("session", "messages", "at", "preset", "origin", "cwd", "turn")


def _turn(file: str) -> dict[str, object]:
    """The turn in a file or on standard input. Raises BadInput, TooLarge."""
    try:
        if file == "-":
            data = sys.stdin.buffer.read(TURN_BYTES + 1) if sys.stdin is not None else b""
        else:
            with Path(file).open("rb") as source:
                data = source.read(TURN_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}", "name a JSON file, or - for standard input") from None
    if len(data) > TURN_BYTES:
        raise TooLarge(f"a turn may have {TURN_BYTES} bytes", "hand in the part that matters")
    try:
        turn = json.loads(data)
    except (ValueError, RecursionError):
        raise BadInput("the turn is not JSON", '{"session": "…", "messages": [{"role": "user", "text": "…"}]}') from None
    if not isinstance(turn, dict) or "session" not in turn or "messages" not in turn:
        raise BadInput("a turn needs session and messages", '{"session": "…", "messages": [{"role": "user", "text": "…"}]}')
    unknown = turn.keys() - set(KEYS)
    if unknown:
        raise BadInput(f"a turn has no {', '.join(sorted(unknown))}", f"it may have {', '.join(KEYS)}")
    return turn


@click.command("observe")
@click.argument("file")
@pass_door
def observe_command(door: Door, file: str) -> None:
    """Hand in a finished turn of a conversation: a JSON FILE, or `-` for standard input."""
    done = door.call("observe", **_turn(file))
    answer(done, lambda: f"kept in session {done['session']}; proposals: {_count(done['proposals'])}")


def _count(found: object) -> str:
    return str(len(found)) if isinstance(found, list) else "0"


@click.command("organize")
@click.option("--session", default="", help="Only this conversation.")
@click.option("--topic", default="", help="Only the entries of this topic.")
@pass_door
def organize_command(door: Door, session: str, topic: str) -> None:
    """Consolidate now: what is new becomes proposals in a review note."""
    done = door.call("organize", session=door.full(session, "session"), topic=topic)
    answer(done, lambda: "\n".join(_organized(done)))


def _organized(done: Document) -> list[str]:
    lines = [f"proposals: {_count(done['proposals'])}, in {done['note']}" if done["note"] else "nothing new to propose"]
    lines += [f"the model was not asked: {done['skipped']}"] if done.get("skipped") else []
    return [*lines, f"the model gave nothing: {done['fault']}"] if done.get("fault") else lines


@click.group("review", invoke_without_command=True)
@click.pass_context
def review_command(context: click.Context) -> None:
    """What waits for your decision; without a command, the list of it."""
    if context.invoked_subcommand is None:
        context.invoke(review_list)


@review_command.command("list")
@click.option("--all", "every", is_flag=True, help="Decided ones too.")
@pass_door
def review_list(door: Door, every: bool) -> None:
    """List the open proposals, with how long each has waited."""
    found = door.call("proposals", all=every)
    answer(found, lambda: visible("\n".join([*_head(found), rows(found["proposals"], _line, "nothing waits for you")])))


def _head(found: Document) -> list[str]:
    return [f"{waiting(found['open'], found['oldestDays'])}; in {found['note']}"] if found.get("open") else []


def _line(item: Document) -> str:
    marks = [f"{item['days']} d", *(["out of date"] if item["stale"] else []), *(["contested"] if item["contested"] else [])]
    return (f"{item['id']}  {item['status']:<9} {item['operation']} [{item['topic']}] ({', '.join(marks)}) "
            f"{' '.join(str(item['text']).split())}")


@review_command.command("show")
@click.argument("id")
@pass_door
def review_show(door: Door, id: str) -> None:
    """Show one proposal with its reason, quotes and what approving it would change."""
    item = door.on("proposal", "proposal", id)
    effect = door.call("preview_of", id=item["id"]) if item["status"] == "open" else None
    answer(item | ({"preview": effect} if effect else {}), lambda: visible("\n".join([*_page(item), *(_effect(effect) if effect else [])])))


def _page(item: Document) -> list[str]:
    quotes = rows(item["evidence"], lambda quote: f"  “{quote['quote']}”", "  (none)")
    before = item["before"]
    old = [f"now:      {text}" for text in before] if isinstance(before, list) else []
    odd = [f"warning:  {words}" for words, on in (
        ("the text hides characters, written out here", item["hidden"]), (f"it can no longer be applied: {item['stale']}", item["stale"]),
        ("it differs from what is remembered; both would stay", item["contested"])) if on]
    head = f"{item['operation']} in {item['topic']} ({item['status']}, {counted(item['days'], 'day')})"
    return [head, *old, f"proposed: {item['text']}", *odd, f"why:      {item['reason']}", "you said:", quotes, f"note:     {item['note']}"]


def _effect(effect: Document) -> list[str]:
    lines = [f"change:   {line}" for line in effect["diff"]] if isinstance(effect["diff"], list) else []
    changed = effect["changed"] if isinstance(effect["changed"], list) else []
    tried = f"{len(changed)} of {effect['questions']} recent questions would get another index"
    more, number = "" if effect["complete"] else "; not all were tried", round(float(str(effect["charactersPerTurn"])))
    longer = f"about {abs(number)} characters a turn {'more' if number > 0 else 'fewer'}" if number else "as long as now"
    lines.append(f"effect:   {tried}, {longer}{more}")
    lines += [f"  {one['question']}: in {', '.join(one['in']) or '-'}, out {', '.join(one['out']) or '-'}" for one in changed]
    ended = effect["supersedes"] if isinstance(effect["supersedes"], list) else []
    return lines + [f"ends:     {one['id']} {one['summary']}" for one in ended]


@review_command.command("approve")
@click.argument("id", required=False)
@click.option("--text", default=None, help="Your own version of the proposed text.")
@click.option("--all", "every", is_flag=True, help="All that `Approve all` in a note covers; the others stay.")
@pass_door
def review_approve(door: Door, id: str | None, text: str | None, every: bool) -> None:
    """Approve proposal ID: exactly its text becomes memory."""
    if every == (id is not None) or (every and text is not None):
        raise BadInput("name one proposal, or say --all", "deepseedian review list shows them")
    if id is not None:
        item = door.on("proposal", "decide", id, decision="approve", **({"text": text} if text is not None else {}))
        answer(item, lambda: visible(f"approved: {item['text']}; deepseedian undo takes it back"))
        return
    found = door.call("proposals")["proposals"]
    wanted = [item for item in found if item["oneClick"] and not item["stale"] and not item["hidden"]] if isinstance(found, list) else []
    done = [str(door.call("decide", id=item["id"], decision="approve")["id"]) for item in wanted]
    left = len(found) - len(done) if isinstance(found, list) else 0
    answer({"approved": done, "left": left}, lambda: f"approved: {len(done)}; decide one by one: {left}")


@review_command.command("refresh")
@click.argument("id")
@pass_door
def review_refresh(door: Door, id: str) -> None:
    """Propose afresh what is out of date or expired, against memory as it is now."""
    item = door.on("proposal", "refresh", id)
    answer(item, lambda: visible(f"proposed afresh as {item['id']}, in {item['note']}"))


@review_command.command("remind")
@pass_door
def review_remind(door: Door) -> None:
    """Print one line when something waits, at most once in `remind.hours`."""
    done = door.call("remind")
    answer(done, lambda: str(done["text"]))


@click.command("ledger")
@click.option("--days", default=30, help="How many days back, those without runs left out.")
@pass_door
def ledger_command(door: Door, days: int) -> None:
    """What model runs have cost: runs, calls and characters a day (UTC)."""
    found = door.call("spending", days=days)
    answer(found, lambda: "\n".join([_budget(found), rows(found["days"], _day, "no idle run, sweep or organize has asked a model yet")]))


def _budget(found: Document) -> str:
    today, most = found["today"], found["most"]
    if not isinstance(today, dict) or not isinstance(most, dict):
        return str(found["day"])
    return f"{found['day']}: {today['runs']} of {most['runs']} runs, {today['chars']} of {most['chars']} characters"


def _day(day: Document) -> str:
    return f"{day['day']}  runs {day['runs']}  calls {day['calls']}  characters {day['chars']}  failed {day['failed']}"


@review_command.command("dismiss")
@click.argument("id")
@pass_door
def review_dismiss(door: Door, id: str) -> None:
    """Dismiss proposal ID; it is not proposed again."""
    item = door.on("proposal", "decide", id, decision="dismiss")
    answer(item, lambda: visible(f"dismissed: {item['text']}"))
