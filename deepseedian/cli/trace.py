"""trace: what happened in a turn with a model, step by step."""

import json
import os
from pathlib import Path

import click

from deepseedian.cli.door import Door, pass_door
from deepseedian.cli.show import Document, answer, local, rows
from deepseedian.core.text import summary
from deepseedian.errors import BadInput, NotFound

LANES = {"question": "input", "context": "input", "memory": "memory", "tool_call": "tool", "tool_result": "tool"}
PREVIEW = 120


@click.command("trace")
@click.argument("turn", default="")
@click.option("--session", default="", help="Only the turns of one session.")
@click.option("--limit", default=20, show_default=True, help="How many turns to show.")
@click.option("--tools", is_flag=True, help="Only what tools were asked and answered.")
@click.option("--export", "file", default="", metavar="FILE", help="Write the whole turn to a new FILE as JSON.")
@pass_door
def trace_command(door: Door, turn: str, session: str, limit: int, tools: bool, file: str) -> None:
    """The last turns with a model; with TURN, --tools or --export one of them, the newest unless it is named."""
    session = door.full(session, "session")
    if not (turn or tools or file):
        listed = door.call("trace_list", session=session, limit=limit)
        answer(listed, lambda: rows(listed["turns"], _line, "no turn yet"))
        return
    found = door.on("turn", "trace", turn or _newest(door, session))
    if tools:
        found["steps"] = [step for step in _steps(found) if _lane(step) == "tool"]
    if file:
        _export(found, file)
        answer({"turn": found["turn"], "file": file}, lambda: f"written: {file}")
    else:
        answer(found, lambda: _timeline(found))


def _newest(door: Door, session: str) -> str:
    turns = door.call("trace_list", session=session, limit=1)["turns"]
    if not isinstance(turns, list) or not turns:
        raise NotFound("there is no turn yet", "deepseedian ask QUESTION makes one")
    return str(turns[0]["turn"])


def _export(found: Document, file: str) -> None:
    """Into a file of its owner's alone, which is not there yet. Raises BadInput."""
    try:
        handle = os.open(Path(file).expanduser(), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise BadInput(f"{file} cannot be written: {error.strerror}", "name a new file") from None
    with os.fdopen(handle, "w", encoding="utf-8") as target:
        target.write(json.dumps(found, ensure_ascii=False, indent=2) + "\n")


def _line(item: Document) -> str:
    question = summary(str(item["question"]), PREVIEW)
    return f"{item['turn']}  {local(item['at'])}  {item['session']}  {question}  [{usage_line(item['usage'])}]"


def _timeline(found: Document) -> str:
    head = [f"turn {found['turn']} of session {found['session']}" + (f": {found['state']}" if found["state"] else "")]
    return "\n".join([*head, *(_step(step) for step in _steps(found)), usage_line(found["usage"])])


def _step(step: Document) -> str:
    cost = f"  [{usage_line(step['usage'])}]" if step["usage"] else ""
    at = local(step["at"], "%H:%M:%S")
    return f"{at}  {_lane(step):<6}  {step['kind']!s:<11}  {summary(str(step['preview']), PREVIEW)}{cost}".rstrip()


def _steps(found: Document) -> list[Document]:
    return [step for step in found["steps"] if isinstance(step, dict)] if isinstance(found["steps"], list) else []


def _lane(step: Document) -> str:
    return LANES.get(str(step["kind"]), "model")


def usage_line(usage: object) -> str:
    """What a call or a turn cost; what was read from the model's cache is a part of the input."""
    found = usage if isinstance(usage, dict) else {}
    whole, cached = int(found.get("input") or 0), int(found.get("cached") or 0)
    told = f"input {whole}" + (f" = {whole - cached} + {cached} from cache" if cached else "")
    told += f", output {int(found.get('output') or 0)}"
    told += f" ({int(found['reasoning'])} of it reasoning)" if found.get("reasoning") else ""
    return told + (f", cost {float(found['cost']):.6f}".rstrip("0").rstrip(".") if found.get("cost") is not None else "")
