"""A day with commands and a daemon, as a program: `python -m tests.faults.day VAULT sealed|open [MUTATION]`.

The vault has its memory already. `sealed` says that everything but our own folders is mounted read-only, which is
looked at first: a proof of nothing else would prove nothing.
"""

import errno
import json
import sys
from contextlib import nullcontext
from pathlib import Path

from tests import naive
from tests.commands import Command


def said(session: str, text: str) -> str:
    return json.dumps({"session": session, "at": "2026-11-30T09:00:00Z", "messages": [
        {"role": "user", "text": text}, {"role": "assistant", "text": "好的"}]})


def through_a_daemon(command: Command) -> None:
    meeting = command("remember", "周会在每周四下午三点", "--topic", "work")["id"]
    style = command("remember", "Release notes are written in British English.")["id"]
    command("edit", style, "Release notes are written in Canadian English.")
    one, = command("observe", "-", given=said("one", "记住：第一次评审放在周一上午"))["proposals"]
    assert command("review", "approve", one)["status"] == "approved"
    two, = command("observe", "-", given=said("two", "记住：第二次评审放在周二上午"))["proposals"]
    command("review", "dismiss", two)
    command("organize")
    command("undo")
    command("redo")
    command("forget", meeting)
    command("move", style, "notes/style")
    assert command("check")["ok"] is True
    assert [row["id"] for row in command("recall", "Canadian")["index"]] == [style]


def without_one(command: Command) -> None:
    """The command opens the vault itself."""
    new = command("remember", "Two-space indent, no tabs.")["id"]
    one, = command("observe", "-", given=said("three", "记住：第三次评审放在周三上午"))["proposals"]
    command("review", "approve", one)
    command("organize")
    command("forget", new)
    command("undo")
    assert command("check")["ok"] is True
    command("config", "set", "language", "en")


def assert_sealed(vault: Path) -> None:
    for path in (vault / "a new note.md", vault / ".obsidian/a new setting.json", vault / "Deepseedian/a new note.md"):
        try:
            path.touch()
        except OSError as error:
            assert error.errno == errno.EROFS, error
        else:
            raise AssertionError(f"{path} can be written")


def main(vault: Path, sealed: bool) -> None:
    if sealed:
        assert_sealed(vault)
    command = Command(vault)
    with command.daemon():
        through_a_daemon(command)
        assert command("stop") == {"stopped": True}
    without_one(command)


if __name__ == "__main__":
    with naive.applied(sys.argv[3]) if sys.argv[3:] else nullcontext():
        main(Path(sys.argv[1]), sys.argv[2] == "sealed")
