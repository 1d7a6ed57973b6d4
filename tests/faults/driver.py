"""Does one operation of the real program in a process of its own, told by lines of JSON on standard input.

The modules are loaded once and each operation runs in a fork, so that a kill costs a fork and not a start of
Python. A fork that is to be traced stops itself right before its operation; the tracer then sees nothing but
the operation, which lies between two marks: looks at paths that do not exist.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import deepseedian.memory.organize
import deepseedian.memory.review
import deepseedian.store.sessions  # noqa: F401  (loaded here, once, and not in every fork)
from deepseedian.errors import DeepseedianError, from_os_error
from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store.database import Database
from tests import naive

BEGIN, END = "/deepseedian-begin", "/deepseedian-end"
SCHEMAS = ("CREATE TABLE texts (number INTEGER PRIMARY KEY, text TEXT NOT NULL)",
           "ALTER TABLE texts ADD COLUMN at TEXT NOT NULL DEFAULT '-'; UPDATE texts SET at = 'then'",
           "CREATE TABLE notes (text TEXT); INSERT INTO notes SELECT text FROM texts; CREATE INDEX by_text ON texts (text)")
Words = dict[str, Any]
Begin = Callable[[], None]
Answer = Callable[[object], None]


def init(words: Words, begin: Begin, answer: Answer) -> None:
    answer(initialise(Path(words["vault"])))


def save(words: Words, begin: Begin, answer: Answer) -> None:
    """With `next`, a second save of the same process, as a daemon goes on after an error."""
    sidecar = Sidecar.open(Path(words["vault"]))
    begin()
    told(lambda: answer({"saved": sidecar.remember(words["text"], words.get("topic", "general"))}), answer)
    if "next" in words:
        answer({"next": sidecar.remember(words["next"])})
    sidecar.close()


def propose(words: Words, begin: Begin, answer: Answer) -> None:
    sidecar = Sidecar.open(Path(words["vault"]))
    made = sidecar.propose(words["text"], "you corrected it", "edit", entries=[words["id"]])
    sidecar.close()
    answer(made)


def approve(words: Words, begin: Begin, answer: Answer) -> None:
    sidecar = Sidecar.open(Path(words["vault"]))
    sidecar.proposals()
    begin()
    answer({"decided": sidecar.decide(words["id"], "approve")})
    sidecar.close()


def start(words: Words, begin: Begin, answer: Answer) -> None:
    """What a daemon does at its start, and what is there then."""
    begin()
    sidecar = Sidecar.open(Path(words["vault"]))
    sidecar.catch_up()
    answer({"entries": {entry.id: entry.text for entry in sidecar.store.snapshot.entries.values()},
            "archive": sorted(entry.text for entry in sidecar.store.snapshot.archive.values()),
            "proposals": {item.id: item.status for item in sidecar.review.all()},
            "records": [record.kind for record in sidecar.store.records()],
            "health": sidecar.health()})
    sidecar.close()


def adopt(words: Words, begin: Begin, answer: Answer) -> None:
    begin()
    answer(initialise(Path(words["vault"]), adopt=True))


def migrate(words: Words, begin: Begin, answer: Answer) -> None:
    """Open a database that an earlier version left; `upto` makes it that of an earlier one."""
    begin()
    database = Database(Path(words["path"]), SCHEMAS[: words.get("upto", len(SCHEMAS))])
    if words.get("rows"):
        with database.transaction() as connection:
            connection.executemany("INSERT INTO texts (text) VALUES (?)", [(text,) for text in words["rows"]])
    columns = [row[1] for row in database.rows("PRAGMA table_info(texts)")]
    answer({"version": database.rows("PRAGMA user_version")[0][0], "columns": columns,
            "rows": database.rows("SELECT * FROM texts ORDER BY number"), "set_aside": str(database.set_aside or "")})
    database.close()


def told(operation: Callable[[], object], answer: Answer) -> None:
    """Every end the command line has: an answer, or an error with a name; anything else is a fault of ours."""
    try:
        operation()
    except DeepseedianError as error:
        answer(error.document())
    except OSError as error:
        answer(from_os_error(error).document())
    except Exception as error:
        answer({"fault": f"{type(error).__name__}: {error}"})


def child(words: Words, pipe: int) -> None:
    os.environ.update(words.get("environment", {}))

    def answer(document: object) -> None:
        os.write(pipe, json.dumps(document).encode() + b"\n")

    def begin() -> None:
        if words.get("traced"):
            os.kill(os.getpid(), signal.SIGSTOP)
            os.access(BEGIN, os.F_OK)

    told(lambda: OPERATIONS[words["operation"]](words, begin, answer), answer)
    os.access(END, os.F_OK)


def main() -> None:
    for line in sys.stdin:
        words = json.loads(line)
        inward, outward = os.pipe()
        pid = os.fork()
        if pid == 0:
            with suppress(BaseException):
                child(words, outward)
            os._exit(0)
        os.close(outward)
        if words.get("traced"):
            os.waitpid(pid, os.WUNTRACED)
        print(pid, flush=True)
        with os.fdopen(inward, encoding="utf-8") as pipe:
            answers = [json.loads(text) for text in pipe]
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        print(json.dumps({"status": status, "answers": answers}), flush=True)


OPERATIONS = {name: operation for name, operation in list(globals().items())
              if name in ("init", "save", "propose", "approve", "start", "adopt", "migrate")}

if __name__ == "__main__":
    with naive.applied(sys.argv[1]) if len(sys.argv) > 1 else nullcontext():
        main()
