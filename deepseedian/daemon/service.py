"""Starting with the login: a systemd user unit, a launchd agent, or a Windows scheduled task.

The unit is a small text that the owner can read; installing writes it and asks the system to take it up,
removing takes both back. Nothing here needs root.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from deepseedian.errors import BadVault, DeepseedianError, NotFound

WAIT_SECONDS = 20
BY_HAND = "start it by hand: deepseedian start"
KEPT = ("DEEPSEEDIAN_RUNTIME_DIR", "DEEPSEEDIAN_STATE_DIR", "DEEPSEEDIAN_CONFIG_DIR")


@dataclass(frozen=True, slots=True)
class Unit:
    """Where the unit lies, what it says, and the commands that take it up and drop it."""

    path: Path
    text: str
    enable: tuple[tuple[str, ...], ...]
    disable: tuple[tuple[str, ...], ...]


def unit(vault: Path, platform: str = sys.platform, config_dir: str = "") -> Unit:
    """The unit for this vault on this kind of system. Raises BadVault for a path that no unit can name."""
    if not str(vault).isprintable():
        raise BadVault("the path holds a line break or control character", "move the vault to a plainer path")
    name = f"deepseedian-{hashlib.sha256(str(vault).encode()).hexdigest()[:8]}"
    command = [sys.executable, "-P", "-m", "deepseedian", "--vault", str(vault)]
    command += ["--config-dir", config_dir, "run"] if config_dir else ["run"]
    if platform == "darwin":
        return _launchd(name, command)
    if platform == "win32":
        return _task(name, command)
    return _systemd(name, vault, command)


def _systemd(name: str, vault: Path, command: list[str]) -> Unit:
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "systemd/user"
    environment = "".join(f'Environment="{key}={_quoted(value)}"\n' for key, value in _environment().items())
    text = (f"[Unit]\nDescription=Deepseedian memory for {_quoted(vault.name)}\n\n[Service]\nType=exec\n"
            f"ExecStart={' '.join(chr(34) + _quoted(part) + chr(34) for part in command)}\n{environment}"
            "Restart=on-failure\nRestartSec=5\nRestartPreventExitStatus=2 3 4 6\nNice=5\n\n[Install]\nWantedBy=default.target\n")
    unit_name = f"{name}.service"
    return Unit(folder / unit_name, text,
                (("systemctl", "--user", "daemon-reload"), ("systemctl", "--user", "enable", "--now", unit_name)),
                (("systemctl", "--user", "disable", "--now", unit_name),))


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")


def _launchd(name: str, command: list[str]) -> Unit:
    label = f"md.deepseedian.{name}"
    path = Path.home() / f"Library/LaunchAgents/{label}.plist"
    arguments = "".join(f"<string>{escape(part)}</string>" for part in command)
    environment = "".join(f"<key>{key}</key><string>{escape(value)}</string>" for key, value in _environment().items())
    text = ('<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>'
            f"<key>Label</key><string>{label}</string><key>ProgramArguments</key><array>{arguments}</array>"
            f"<key>EnvironmentVariables</key><dict>{environment}</dict><key>RunAtLoad</key><true/>"
            "<key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict></dict></plist>\n")
    return Unit(path, text, (("launchctl", "load", "-w", str(path)),), (("launchctl", "unload", "-w", str(path)),))


def _task(name: str, command: list[str]) -> Unit:
    path = Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / f"deepseedian/{name}.cmd"
    text = "@echo off\r\n" + " ".join(f'"{part}"' for part in command) + "\r\n"
    create = ("schtasks", "/Create", "/F", "/SC", "ONLOGON", "/TN", name, "/TR", f'"{path}"')
    return Unit(path, text, (create, ("schtasks", "/Run", "/TN", name)), (("schtasks", "/Delete", "/F", "/TN", name),))


def _environment() -> dict[str, str]:
    return {key: os.environ[key] for key in KEPT if os.environ.get(key)}


def install(vault: Path, config_dir: str = "") -> dict[str, object]:
    """Write the unit and take it up; `enabled` is false, with the reason, where the system would not."""
    wanted = unit(vault, config_dir=config_dir)
    wanted.path.parent.mkdir(parents=True, exist_ok=True)
    wanted.path.write_text(wanted.text, encoding="utf-8")
    failed = _run(wanted.enable)
    return {"unit": str(wanted.path), "enabled": not failed, "message": failed}


def remove(vault: Path) -> dict[str, object]:
    """Stop it and delete the unit. Raises NotFound when there is none."""
    wanted = unit(vault)
    if not wanted.path.exists():
        raise NotFound("no service is installed for this vault", "deepseedian service install")
    failed = _run(wanted.disable)
    wanted.path.unlink()
    return {"unit": str(wanted.path), "removed": True, "message": failed}


def _run(commands: tuple[tuple[str, ...], ...]) -> str:
    """Empty when all went well, else what the system said."""
    for command in commands:
        if shutil.which(command[0]) is None:
            return f"{command[0]} is not here; {BY_HAND}"
        try:
            done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=WAIT_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return f"{command[0]} did not answer; {BY_HAND}"
        except OSError as error:
            raise DeepseedianError(f"{command[0]}: {error.strerror}") from None
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines() or ["it failed"]
            return f"{said[-1]}; {BY_HAND}"
    return ""
