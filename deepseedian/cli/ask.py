"""ask: one turn with the configured model, its answer on standard output as it comes, what it does beside it on standard error."""

import contextlib
import re
import sys
from pathlib import Path
from typing import Any

import click

from deepseedian.cli.door import Door, expanded, pass_door
from deepseedian.cli.show import Document, print_document, wants_json
from deepseedian.errors import BadInput, DeepseedianError, TooLarge, from_document

ATTACHED_BYTES = 6_000_000
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@click.command("ask")
@click.argument("question", default="")
@click.option("--session", default="", help="The conversation to go on with; else a new one.")
@click.option("--parent", default="", metavar="TURN", help="The turn to go on from, when it is not the newest.")
@click.option("--again", is_flag=True, help="Ask the session's last question once more, that failed or was stopped.")
@click.option("--note", default="", metavar="PATH", help="The note the question is about, from the vault's folder.")
@click.option("--lines", default="", metavar="A-B", help="The lines of it that are meant, such as 12-20.")
@click.option("--attach", multiple=True, metavar="FILE", help="A text or picture to bring along; up to four.")
@click.option("--profile", default="", help="The model's profile; else the one of the settings.")
@click.option("--reasoning", is_flag=True, help="Also show what the model thinks.")
@pass_door
def ask_command(door: Door, question: str, session: str, parent: str, again: bool, note: str, lines: str, attach: tuple[str, ...],
                profile: str, reasoning: bool) -> None:
    """Ask the configured model QUESTION (`-` reads standard input), with the memory that bears on it."""
    if question == "-":
        question = sys.stdin.buffer.read().decode("utf-8", "replace")
    context: dict[str, object] = ({"path": note} if note else {}) | _lines(lines)
    parent = door.full(parent, "turn", session=session) if session else parent
    asked: dict[str, Any] = {"question": question, "session": session, "again": again, "context": context,
             "attachments": [_attached(name) for name in attach], "profile": profile, "parent": parent}
    events = door.events("ask", **asked)
    shown = _Whole() if wants_json() else _Live(reasoning)
    with contextlib.closing(events):  # Ctrl-C stops the turn; what was answered is kept
        for kind, data in events:
            shown.take(kind, data)
    shown.end()


def _lines(text: str) -> dict[str, object]:
    found = re.fullmatch(r"(\d{1,8})(?:-(\d{1,8}))?", text, re.ASCII)
    if text and not found:
        raise BadInput("lines are two numbers such as 12-20", "the first line is 1")
    return {"startLine": int(found[1]), "endLine": int(found[2] or found[1])} if found else {}


def _attached(name: str) -> dict[str, object]:
    """A file as it goes along; texts as text, all else as bytes. Raises BadInput, TooLarge."""
    import base64

    path = expanded(name)
    try:
        if path.stat().st_size > ATTACHED_BYTES:
            raise TooLarge(f"{name} is too large to attach", "attach the part that matters")
        if not path.is_file():
            raise IsADirectoryError
        data = path.read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        raise BadInput(f"there is no file {name}", "check the path") from None
    return {"name": Path(name).name, "data": base64.b64encode(data).decode()}


class _Whole:
    """All of a turn as one document, for --json."""

    def __init__(self) -> None:
        self.document: Document = {"session": "", "turn": "", "state": "", "answer": ""}
        self.tools: list[Document] = []
        self.error: Document | None = None

    def take(self, kind: str, data: Document) -> None:
        if kind in ("turn", "done"):
            self.document |= data
        elif kind == "tool" and data.get("state") != "called":
            self.tools.append(data)
        elif kind == "error":
            self.error = data
        elif kind in ("recall", "proposals", "notice"):
            self.document[kind] = data

    def end(self) -> None:
        if self.error is None:
            print_document(self.document | {"tools": self.tools})
        else:
            error = _error(self.error)
            print_document(self.document | {"tools": self.tools, "error": self.error})
            sys.exit(error.exit_status)


class _Live:
    """The answer as it comes; what happens beside it as short lines on standard error."""

    def __init__(self, reasoning: bool) -> None:
        self.reasoning = reasoning
        self.error: Document | None = None
        self.session = ""
        self._open = ""  # the stream whose last line has not ended: on a terminal both share it

    def take(self, kind: str, data: Document) -> None:
        if kind == "delta":
            self._piece("answer", str(data["text"]))
        elif kind == "reasoning" and self.reasoning:
            self._piece("thought", str(data["text"]))
        elif kind == "error":
            self.error = data
        elif line := _beside(kind, data):
            self._end_line()
            click.echo(click.style(_harmless(line), dim=True), err=True)
        self.session = str(data.get("session") or self.session)

    def _piece(self, what: str, text: str) -> None:
        if self._open not in ("", what):
            self._end_line()
        text = _harmless(text)
        click.echo(text if what == "answer" else click.style(text, dim=True), nl=False, err=what == "thought")
        self._open = "" if text.endswith("\n") else what

    def _end_line(self) -> None:
        if self._open:
            click.echo(err=self._open == "thought")
        self._open = ""

    def end(self) -> None:
        self._end_line()
        again = "· ask once more with --again --session" if self.error is not None else "· go on with --session"
        if self.session:
            click.echo(click.style(f"{again} {self.session}", dim=True), err=True)
        if self.error is not None:
            raise _error(self.error)


def _harmless(text: str) -> str:
    """What a model, a note or an entry says, without what would steer the terminal or turn its lines round."""
    return _STEERING.sub("\ufffd", text.replace("\r", ""))


def _error(data: Any) -> DeepseedianError:
    return from_document({"error": data}, int(data.get("status", 500)))


def _beside(kind: str, data: Any) -> str:
    """One line for what happens beside the answer; empty for what is not worth one."""
    if kind == "recall":
        return f"· memory: {'; '.join(row['summary'][:60] for row in data['index']) or data['reason'] or 'nothing fits'}"
    if kind == "tool" and data["state"] == "called":
        return f"· {data['name']} {data['arguments'][:120]}"
    if kind == "tool" and data["state"] == "failed":
        return f"· {data['name']} failed: {data['preview'][:200]}"
    if kind == "proposals":
        count = len(data["proposals"])
        return f"· {count} proposal{'s wait' if count > 1 else ' waits'} for you: deepseedian review list"
    return f"· {data['text']}" if kind == "notice" else ""


