"""A vault whose operations run in forks that can be killed, and given errors, at a chosen system call.

strace counts the calls from the moment it is attached, so a fault lands on exactly the n-th; a path given to
strace would not do, as it is resolved before the temporary file exists.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests import naive
from tests.faults.driver import BEGIN, END

ROOT = Path(__file__).parents[2]
MARKS = ("access", "faccessat", "faccessat2")
CALLS = ("openat", "write", "pwrite64", "fsync", "fdatasync", "rename", "renameat", "renameat2", "unlink", "unlinkat",
         "mkdir", "mkdirat", "link", "linkat")
_LINE = re.compile(r"^(?:\d+ +)?(\w+)\((.*)$")
needs_strace = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")


@dataclass(frozen=True, slots=True)
class Point:
    """The n-th call of this name since the operation began; `line` is what the trace said of it."""

    call: str
    number: int
    line: str

    @property
    def changes(self) -> bool:
        """Whether the disk is another one after it."""
        return self.call != "openat" or "O_CREAT" in self.line


@dataclass(frozen=True, slots=True)
class Ended:
    """How an operation ended: its exit status, minus the signal that killed it, and what it said."""

    status: int
    answers: tuple[Any, ...]

    @property
    def answered(self) -> Any:
        """The document of an operation that said "done"; None for one that did not."""
        return next((item for item in self.answers if "error" not in item and "fault" not in item), None)

    @property
    def error(self) -> str:
        return next((str(item["error"]["code"]) for item in self.answers if "error" in item), "")

    @property
    def faults(self) -> list[str]:
        return [str(item["fault"]) for item in self.answers if "fault" in item]


class Driver:
    """`tests.faults.driver` in another process."""

    def __init__(self, environment: dict[str, str]) -> None:
        words = [sys.executable, "-B", "-m", "tests.faults.driver", *filter(None, [naive.active()])]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", cwd=ROOT,
                                         env=os.environ | environment | {"PYTHONHASHSEED": "0"})

    def do(self, operation: str, /, **words: Any) -> Ended:
        self._ask(operation, words)
        return self._ended()

    def traced(self, strace: list[str], output: Path, operation: str, /, **words: Any) -> tuple[Ended, str]:
        """Run it under strace; also what strace wrote."""
        pid = self._ask(operation, words | {"traced": True})
        tracer = subprocess.Popen(["strace", "-f", "-y", "-s", "200", "-o", str(output), *strace, "-p", str(pid)],
                                  stderr=subprocess.PIPE, encoding="utf-8")
        assert tracer.stderr is not None
        said = tracer.stderr.readline()
        os.kill(pid, signal.SIGCONT if "attached" in said else signal.SIGKILL)
        ended = self._ended()
        rest = tracer.communicate(timeout=30)[1]
        assert "attached" in said, said + rest
        return ended, output.read_text(encoding="utf-8", errors="replace")

    def _ask(self, operation: str, words: dict[str, Any]) -> int:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(words | {"operation": operation}) + "\n")
        self._process.stdin.flush()
        return int(self._line())

    def _ended(self) -> Ended:
        found = json.loads(self._line())
        return Ended(found["status"], tuple(found["answers"]))

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the driver died"
        return line

    def close(self) -> None:
        with suppress(BrokenPipeError):
            self._process.communicate(timeout=20)


class Rig:
    """One vault with its state folder below `base`, and a driver for it; the vault may lie elsewhere."""

    def __init__(self, base: Path, vault: Path | None = None) -> None:
        self.base, self.vault, self.state = base, vault or base / "vault", base / "state"
        self.memory = self.vault / ".obsidian/plugins/deepseedian/memory"
        self.always: tuple[str, ...] = ()
        self.trace = base.with_name(f"{base.name}.trace")
        self.driver = Driver({f"DEEPSEEDIAN_{name}_DIR": str(base / name.lower()) for name in ("STATE", "CONFIG", "RUNTIME")})

    def do(self, operation: str, /, **words: Any) -> Ended:
        return self.driver.do(operation, vault=str(self.vault), **words)

    def done(self, operation: str, /, **words: Any) -> Any:
        """The answer of an operation that nothing disturbs."""
        ended = self.do(operation, **words)
        assert ended.status == 0 and ended.answered is not None and len(ended.answers) == 1, (operation, ended)
        return ended.answered

    def points(self, operation: str, /, **words: Any) -> list[Point]:
        """Every call of an undisturbed run, between its begin and its end, that touches something below `base`."""
        wanted = ",".join(f"?{call}" for call in (*CALLS, *MARKS))
        ended, text = self.driver.traced(["-e", f"trace={wanted}", *self.always], self.trace, operation, vault=str(self.vault), **words)
        assert ended.answered is not None and ended.status == 0, ended
        return list(_points(text, f"{self.base}/"))

    def hit(self, point: Point, fault: str, operation: str, /, **words: Any) -> Ended:
        """Run it with this fault at this call: `signal=KILL` or `error=NAME`."""
        strace = ["-e", f"trace={point.call},renameat2", *self.always, "-e", f"inject={point.call}:{fault}:when={point.number}"]
        ended, text = self.driver.traced(strace, self.trace, operation, vault=str(self.vault), **words)
        assert ("killed by SIGKILL" if "KILL" in fault else "(INJECTED)") in text, (point, fault, text)
        return ended

    def without_exchange(self) -> None:
        """From now on a traced operation meets a file system that knows no flags of a rename."""
        self.always = ("-e", "inject=renameat2:error=EINVAL")

    def close(self) -> None:
        self.driver.close()


def _points(text: str, below: str) -> Iterator[Point]:
    seen: dict[str, int] = {}
    inside = False
    for line in text.splitlines():
        found = _LINE.match(line)
        if found is None:
            continue
        call = found[1]
        seen[call] = seen.get(call, 0) + 1
        if call in MARKS:
            inside = inside or BEGIN in line
            if END in line:
                return
        elif inside and below in line and "(INJECTED)" not in line:  # one that fails anyhow changes nothing
            yield Point(call, seen[call], found[0].strip())
    raise AssertionError(f"the trace has no end: {text[-2000:]}")


@contextmanager
def rigged(base: Path, vault: Path | None = None) -> Iterator[Rig]:
    base.mkdir(parents=True, exist_ok=True)
    rig = Rig(base, vault)
    try:
        yield rig
    finally:
        rig.close()


@contextmanager
def fast_folder(tmp_path: Path) -> Iterator[Path]:
    """Memory, where there is a file system in it: a kill does not ask what is durable, and a flush costs nothing there."""
    if not Path("/dev/shm").is_dir():
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(prefix="deepseedian-faults-", dir="/dev/shm"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def two_entries(rig: Rig) -> Any:
    """A vault with two entries in two topics; what a start finds in it."""
    rig.done("init")
    rig.done("save", text="Two-space indent, no tabs.")
    rig.done("save", text="回答里的英文缩写第一次出现时写出全称。", topic="work")
    return rig.done("start")


@dataclass(frozen=True, slots=True)
class Tree:
    """Every file and folder below a folder, so that it can be had back as it was.

    The folders themselves stay where they are: a memory folder is known by its inode.
    """

    root: Path
    files: dict[str, bytes | None]
    modes: dict[str, int]

    @classmethod
    def of(cls, root: Path) -> "Tree":
        found = {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*"))}
        return cls(root, {name: None if path.is_dir() else path.read_bytes() for name, path in found.items()},
                   {name: path.stat().st_mode & 0o7777 for name, path in found.items()})

    def restore(self) -> None:
        for path in sorted(self.root.rglob("*"), reverse=True):
            name = path.relative_to(self.root).as_posix()
            if name not in self.files:
                path.rmdir() if path.is_dir() else path.unlink()
        for name, data in self.files.items():
            path = self.root / name
            if data is None:
                path.mkdir(exist_ok=True)
            elif not path.exists() or path.read_bytes() != data:
                path.unlink(missing_ok=True)
                path.write_bytes(data)
            if data is not None:
                path.chmod(self.modes[name])
                os.utime(path, (1_767_323_045, 1_767_323_045))  # long ago: nobody is at it


def stamps(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    """Bytes, time of change and inode of every file: equal means that nobody wrote."""
    return {path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino)
            for path in sorted(folder.rglob("*")) if path.is_file()}
