"""A program that adds turns to a conversation and prints each one that was acknowledged; started by tests, and killed.

`python -m tests.chaos.talker FOLDER NAME` talks until it is killed; with `torn N` it dies half way through its Nth write.
`move FOLDER VAULT in|out` moves conversations and ends.
"""

import os
import signal
import sys
from pathlib import Path

from deepseedian.store.sessions import Sessions


def talk(folder: Path, name: str) -> None:
    store = Sessions(folder, device="d")
    parent = ""
    for number in range(100_000):
        turn = f"{name}-{os.getpid()}-{number}"
        store.begin("chat", turn, parent, f"问题 {turn}")
        print("begun", turn, flush=True)
        store.end("chat", turn, "done", f"回答 {turn} " + "长" * 200)
        print("ended", turn, flush=True)
        parent = turn


def die_in_write(number: int) -> None:
    """From now on the Nth write to a conversation gets half of its bytes to the file, and no further."""
    real, left = os.write, [number]

    def write(handle: int, data: "memoryview[int] | bytes") -> int:
        if handle > 2 and len(data) > 20:  # standard output, and the lock's few bytes, are no conversation
            left[0] -= 1
            if left[0] == 0:
                real(handle, bytes(data)[: len(data) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
        return real(handle, data)
    os.write = write  # type: ignore[assignment]


def main(words: list[str]) -> None:
    if words[0] == "move":
        store = Sessions(Path(words[1]), vault=Path(words[2]), in_vault=lambda: words[3] == "in", device="d")
        print(store.list().total, flush=True)
        return
    if "torn" in words:
        die_in_write(int(words[words.index("torn") + 1]))
    talk(Path(words[0]), words[1])


main(sys.argv[1:])
