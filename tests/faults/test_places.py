"""Deepseedian writes below its plugin folder, its review folder and the user's own folders, and nowhere else.

Proved twice with the same day of commands and a daemon: with everything else in the vault mounted read-only,
every byte and time stamp compared; and by looking at every system call that can change a name or a file.
"""

import hashlib
import os
import re
import shlex
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepseedian.config.folders import lock_folder
from tests import naive
from tests.commands import ROOT, Command
from tests.conftest import DATA
from tests.counts import count
from tests.faults.mounts import needs_mounts
from tests.faults.rig import needs_strace
from tests.naive import bites

PLUGIN, REVIEW = ".obsidian/plugins/deepseedian", "Deepseedian/Review"
CHANGING = ("openat open creat rename renameat renameat2 unlink unlinkat rmdir mkdir mkdirat link linkat symlink symlinkat mknod mknodat "
            "truncate chmod fchmod fchmodat chown lchown fchown fchownat utime utimes utimensat setxattr lsetxattr bind").split()
_CALL = re.compile(r"^\d+ +(\w+)\((.*)$")
_PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<(?P<folder>[^>"]*)>, )?"(?P<name>(?:[^"\\]|\\.)*)"')
_HANDLE = re.compile(r"^\d+<(?P<path>/[^>]*)>")


@pytest.fixture
def owned(tmp_path: Path) -> Path:
    """A vault with notes and an initialised memory: a real one when there is one, else some notes and a picture."""
    vault = tmp_path / "owned"
    if DATA:
        with tarfile.open(Path(DATA) / "vaults/kepano.tar.xz") as archive:
            archive.extractall(tmp_path / "unpacked", filter="data")
        found, = [path for path in (tmp_path / "unpacked").iterdir() if path.is_dir()]
        found.rename(vault)
    else:
        (vault / "Notes/深").mkdir(parents=True)
        for number in range(40):
            (vault / f"Notes/深/note {number}.md").write_text(f"# Note {number}\n\nText [[note {number + 1}]]\n", encoding="utf-8")
        (vault / "picture.png").write_bytes(bytes(range(256)))
        (vault / ".obsidian").mkdir(exist_ok=True)
        (vault / ".obsidian/app.json").write_text("{}", encoding="utf-8")
    Command(vault)("init", str(vault))
    (vault / REVIEW).mkdir(parents=True)
    return vault


def outside(vault: Path) -> dict[str, tuple[str, int, int]]:
    """Content, mode and time of change of everything that is not ours; folders too."""
    found = {}
    for path in sorted(vault.rglob("*")):
        name = path.relative_to(vault).as_posix()
        if not name.startswith((PLUGIN, REVIEW)):
            info = path.lstat()
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() and not path.is_symlink() else ""
            found[name] = (content, info.st_mode, info.st_mtime_ns)
    return found


def day(*words: str) -> list[str]:
    return [sys.executable, "-B", "-m", "tests.faults.day", *words, *filter(None, [naive.active()])]


@needs_mounts
@bites("writes_elsewhere")
def test_a_day_with_the_rest_of_the_vault_mounted_read_only(owned: Path) -> None:
    before = outside(owned)
    assert len(before) > 40
    at, plugin, review = (shlex.quote(str(path)) for path in (owned, owned / PLUGIN, owned / REVIEW))
    steps = [f"mount --bind {path} {path}" for path in (at, plugin, review)] + [f"mount -o remount,bind,ro {at}"]
    script = " && ".join([*steps, shlex.join(["exec", *day(str(owned), "sealed")])])
    done = subprocess.run(["unshare", "--mount", "--propagation", "private", "sh", "-c", script], cwd=ROOT, capture_output=True,
                          encoding="utf-8", check=False, timeout=120)
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert outside(owned) == before
    count("L4 files outside our folders that no day changed", len(before))


def changed_paths(trace: str) -> Iterator[tuple[str, Path]]:
    """Each successful call that can change a file or a name, with every path it names."""
    for line in trace.splitlines():
        found = _CALL.match(line)
        if found is None or found[1] not in CHANGING:
            continue
        call, rest = found[1], found[2]
        if call in ("open", "openat") and not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", rest):
            continue
        if call == "bind" and "sun_path" not in rest:
            continue
        handle = _HANDLE.match(rest) if call in ("fchmod", "fchown", "utimensat") else None
        if handle:
            yield call, Path(handle["path"])
        for named in _PATH.finditer(rest):
            name = named["name"].encode().decode("unicode_escape").encode("latin-1").decode("utf-8", "replace")
            yield call, Path(os.path.normpath(os.path.join(named["folder"] or "/", name)))


def test_the_reader_of_traces_sees_every_way_to_change_a_file() -> None:
    trace = "\n".join([
        r'7 openat(AT_FDCWD</v>, "n\303\251.md", O_RDWR|O_CLOEXEC) = 3</v/n>', '7 openat(3</v>, "x", O_RDONLY) = 4</v/x>',
        '7 renameat2(3</v/a>, "x", 4</v/b>, "../y", RENAME_EXCHANGE) = 0', '7 unlink("/v/z") = 0', "7 fchmod(5</v/m>, 0600) = 0",
        '7 bind(5<socket:[1]>, {sa_family=AF_UNIX, sun_path="/r/s"}, 110) = 0',
        '7 bind(5<socket:[1]>, {sa_family=AF_INET, sin_addr=inet_addr("127.0.0.1")}, 16) = 0'])
    assert [str(path) for _, path in changed_paths(trace)] == ["/v/né.md", "/v/a/x", "/v/y", "/v/z", "/v/m", "/r/s"]


@needs_strace
def test_a_day_changes_names_and_files_in_our_folders_only(owned: Path, tmp_path: Path, home: Path) -> None:
    before = outside(owned)
    trace = tmp_path / "trace"
    calls = ",".join(f"?{call}" for call in CHANGING)
    done = subprocess.run(["strace", "-f", "--seccomp-bpf", "-z", "-y", "-s", "300", "-e", f"trace={calls}", "-e", "signal=none",
                           "-o", str(trace), *day(str(owned), "open")], cwd=ROOT, capture_output=True, encoding="utf-8", check=False, timeout=180)
    assert done.returncode == 0, (done.stdout, done.stderr)
    ours = [owned / PLUGIN, owned / REVIEW, lock_folder(),
            *(Path(os.environ[f"DEEPSEEDIAN_{name}_DIR"]) for name in ("STATE", "CONFIG", "RUNTIME"))]
    found = list(changed_paths(trace.read_text(encoding="utf-8", errors="replace")))
    wrong = {(call, str(path)) for call, path in found
             if path != Path("/dev/null") and not any(path.is_relative_to(folder) for folder in ours)}
    assert not wrong
    assert {"openat", "unlink", "unlinkat"} & {call for call, _ in found} and len(found) > 500
    assert outside(owned) == before
    count("L4 calls of a day that change a file or a name, all in our folders", len(found))
