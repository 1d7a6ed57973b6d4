"""Which hosts we know: where each keeps its configuration, and what has to stand there.

A host is one row of `HOSTS`. Every one gets the MCP server; where a host has hooks or plugins, they bring memory before each
turn and hand the finished turn in.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deepseedian.errors import BadInput
from deepseedian.hosts.merging import Form, Json, Lines, Rows, Toml, quoted

NAME = "deepseedian"
KEPT = ("DEEPSEEDIAN_RUNTIME_DIR", "DEEPSEEDIAN_STATE_DIR", "DEEPSEEDIAN_CONFIG_DIR")
HOOKS = (("UserPromptSubmit", ""), ("Stop", ""), ("SessionStart", " --start"))
PLUGIN = Path(__file__).parent / "dsh" / "index.mjs"
NVIM = Path(__file__).parents[1] / "editors" / "nvim"


@dataclass(frozen=True, slots=True)
class Place:
    """Where to connect what: `command` are the words that start us on this vault."""

    vault: Path
    command: tuple[str, ...]
    scope: str
    project: Path
    profile: str = ""
    hooks: bool = True
    environment: Mapping[str, str] = field(default_factory=dict)
    platform: str = sys.platform

    @property
    def home(self) -> Path:
        return Path.home()

    def folder(self, variable: str, otherwise: str) -> Path:
        """What the host's own variable names, else a folder of the home."""
        named = os.environ.get(variable, "").strip()
        return Path(named).expanduser() if named else self.home / otherwise

    def server(self, *rest: str) -> list[str]:
        return [*self.command, "mcp", *rest]


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a host and what goes into it."""

    file: Path
    what: str
    form: Form


@dataclass(frozen=True, slots=True)
class Host:
    """`scopes`: the first one is meant when none is named."""

    name: str
    title: str
    scopes: tuple[str, ...]
    parts: Callable[[Place], list[Part]]
    note: str = ""


def command(vault: Path, config_dir: str = "") -> tuple[str, ...]:
    """The words that start this installation, by full paths: a host started from a menu has another PATH."""
    script = Path(sys.executable).with_name("deepseedian.exe" if sys.platform == "win32" else "deepseedian")
    words = [str(script)] if script.is_file() else [sys.executable, "-P", "-m", "deepseedian"]
    return (*words, "--vault", str(vault), *(("--config-dir", config_dir) if config_dir else ()))


def kept() -> dict[str, str]:
    """Folders of ours that the environment names: hosts may be started with another one."""
    return {name: os.environ[name] for name in KEPT if os.environ.get(name, "").strip()}


def host(name: str) -> Host:
    """Raises BadInput with the list for an unknown one."""
    if name not in HOSTS:
        raise BadInput(f"{name!r} is no host we know", f"one of {', '.join(HOSTS)}; any other MCP host: run deepseedian mcp on stdio")
    return HOSTS[name]


def _stdio(place: Place, kind: bool) -> dict[str, object]:
    """A server as most hosts write it."""
    words = place.server()
    server: dict[str, object] = {"type": "stdio"} if kind else {}
    return server | {"command": words[0], "args": words[1:]} | ({"env": dict(place.environment)} if place.environment else {})


def _claude(place: Place) -> list[Part]:
    user = place.scope == "user"
    named = os.environ.get("CLAUDE_CONFIG_DIR", "").strip()
    folder = place.folder("CLAUDE_CONFIG_DIR", ".claude")
    servers = (folder if named else place.home) / ".claude.json" if user else place.project / ".mcp.json"
    settings = folder / "settings.json" if user else place.project / ".claude/settings.local.json"
    found = [Part(servers, "the MCP server", Json((((("mcpServers", NAME)), _stdio(place, True)),)))]
    if place.hooks:
        hooks = tuple((("hooks", event), {"type": "command", "command": _shell(place, f"hook {event}{more}"), "timeout": 5})
                      for event, more in HOOKS)
        found.append(Part(settings, "hooks: memory before each turn, finished turns handed in", Json(hooks=hooks)))
    return found


def _shell(place: Place, words: str) -> str:
    """A command as the host's shell reads it."""
    if place.platform == "win32":
        return f"{subprocess.list2cmdline(place.command)} {words}"
    before = f"env {shlex.join(f'{name}={value}' for name, value in place.environment.items())} " if place.environment else ""
    return f"{before}{shlex.join(place.command)} {words}"


def _codex(place: Place) -> list[Part]:
    words = place.server()
    folder = place.folder("CODEX_HOME", ".codex") if place.scope == "user" else place.project / ".codex"
    # Not waited for, the first turn may leave before the server is up.
    server: dict[str, object] = {"command": words[0], "args": words[1:], "required": True, "startup_timeout_sec": 20}
    if place.environment:
        server["env"] = dict(place.environment)
    return [Part(folder / "config.toml", "the MCP server", Toml(("mcp_servers", NAME), server))]


def _opencode(place: Place) -> list[Part]:
    folder = place.folder("XDG_CONFIG_HOME", ".config") / "opencode" if place.scope == "user" else place.project
    names = (folder / "opencode.json", folder / "opencode.jsonc")
    server: dict[str, object] = {"type": "local", "enabled": True, "command": place.server()}
    if place.environment:
        server["environment"] = dict(place.environment)
    file = next((path for path in names if path.exists()), names[0])
    return [Part(file, "the MCP server", Json(((("mcp", NAME), server),)))]


def _cursor(place: Place) -> list[Part]:
    folder = place.home if place.scope == "user" else place.project
    return [Part(folder / ".cursor/mcp.json", "the MCP server", Json(((("mcpServers", NAME), _stdio(place, False)),)))]


def _code(place: Place) -> list[Part]:
    file = _code_folder(place) / "mcp.json" if place.scope == "user" else place.project / ".vscode/mcp.json"
    return [Part(file, "the MCP server", Json(((("servers", NAME), _stdio(place, True)),)))]


def _code_folder(place: Place) -> Path:
    if place.platform == "darwin":
        return place.home / "Library/Application Support/Code/User"
    if place.platform == "win32":
        return place.folder("APPDATA", "AppData/Roaming") / "Code/User"
    return place.folder("XDG_CONFIG_HOME", ".config") / "Code/User"


def dsh_home(place: Place) -> Path:
    """Where the owner's DSH keeps what is its own."""
    return place.folder("DSH_HOME", ".dsh")


def _dsh(place: Place) -> list[Part]:
    folder = dsh_home(place)
    if place.profile:
        folder = folder / "profiles" / place.profile
    return [Part(folder / "cordis.patch.yml", "the MCP server and the plugin: memory before each turn, finished turns handed in",
                 Rows(tuple(dsh_rows(place))))]


def dsh_rows(place: Place) -> list[str]:
    """The rows for a Cordis patch; DSH takes names with KEY, TOKEN and the like out of a server's environment, ours pass."""
    words = place.server()
    lines = ["- insert:", "    - id: deepseedian-mcp", "      name: '@deepseek-ai/dsh-mcp-client'", "      config:",
             f"        serverName: {NAME}", "        transport: stdio", f"        command: {quoted(words[0])}",
             f"        args: [{', '.join(map(quoted, words[1:]))}]"]
    if place.environment:
        lines += ["        env:", *(f"          {name}: {quoted(value)}" for name, value in place.environment.items())]
    if place.hooks:
        lines += ["    - id: deepseedian", f"      name: {quoted(str(PLUGIN))}", "      config:",
                  f"        vault: {quoted(str(place.vault))}"]
        if "DEEPSEEDIAN_RUNTIME_DIR" in place.environment:
            lines.append(f"        runtime: {quoted(place.environment['DEEPSEEDIAN_RUNTIME_DIR'])}")
    return lines


def _nvim(place: Place) -> list[Part]:
    """A file of our own in Neovim's plugin folder: read whether the configuration is init.lua or init.vim."""
    local = place.platform == "win32" and not os.environ.get("XDG_CONFIG_HOME", "").strip()
    folder = place.folder("LOCALAPPDATA", "AppData/Local") if local else place.folder("XDG_CONFIG_HOME", ".config")
    name = os.environ.get("NVIM_APPNAME", "").strip() or "nvim"
    return [Part(folder / name / "plugin/deepseedian.lua", "the client; the lines may also stand in init.lua", Lines(nvim_lines(place)))]


def nvim_lines(place: Place) -> tuple[str, ...]:
    """Lua that adds the client in this installation, and names this vault for files that lie in none."""
    at = place.command.index("--vault")
    words, rest = place.command[:at], place.command[at + 2:]  # the client names the vault itself
    options = {"vault": str(place.vault), "command": subprocess.list2cmdline(words) if place.platform == "win32" else shlex.join(words)}
    if rest[:1] == ("--config-dir",):
        options["config_dir"] = rest[1]
    if "DEEPSEEDIAN_RUNTIME_DIR" in place.environment:
        options["runtime"] = place.environment["DEEPSEEDIAN_RUNTIME_DIR"]
    ours = ", ".join(f"{name} = {_lua(value)}" for name, value in options.items())
    folder = str(NVIM).replace(",", "\\,")  # a comma parts the folders of 'runtimepath'
    return (f'vim.g.deepseedian = vim.tbl_extend("keep", vim.g.deepseedian or {{}}, {{ {ours} }})',
            f"vim.opt.runtimepath:append({_lua(folder)})", f"dofile({_lua(str(NVIM / 'plugin' / 'deepseedian.lua'))})")


def _lua(text: str) -> str:
    """A Lua string that means exactly this text."""
    return '"' + "".join(f"\\{ord(char):03d}" if char < " " or char in '"\\\x7f' else char for char in text) + '"'


HOSTS: dict[str, Host] = {host.name: host for host in (
    Host("dsh", "DeepSeek Harness", ("user",), _dsh, "for DSH 0.2; --profile NAME connects one profile, otherwise all"),
    Host("claude-code", "Claude Code", ("user", "project"), _claude),
    Host("codex", "Codex", ("user", "project"), _codex),
    Host("opencode", "opencode", ("user", "project"), _opencode),
    Host("cursor", "Cursor", ("user", "project"), _cursor),
    Host("vscode", "VS Code", ("project", "user"), _code),
    Host("nvim", "Neovim", ("user",), _nvim, "for Neovim 0.10 or newer; then :help deepseedian"),
)}
