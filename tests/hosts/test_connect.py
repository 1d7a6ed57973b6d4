"""`connect`: every host's files, empty, used, commented, broken or closed, get what is ours and give it back."""

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from deepseedian.errors import BadInput, Conflict, ReadOnly
from deepseedian.hosts import installing, jsonc, places
from deepseedian.hosts.places import HOSTS, Part, Place
from tests.commands import Command

USED = {
    "dsh": "# mine\n- id: llm-pi-ai\n  config:\n    providers: {x: {baseURL: !!js process.env.X}}  # kept\n- insert:\n    - id: mine\n",
    "claude-code": ('{\n  "numStartups": 7,\n  "autoMemoryEnabled": true,\n  "mcpServers": {\n    "other": {"command": "x", "env": {"API_KEY": "sk-1234567890abcdef"}}\n  },\n'
                    '  "hooks": {\n    "Stop": [\n      {"hooks": [{"type": "command", "command": "say done"}]}\n    ]\n  }\n}'),
    "codex": '# mine\nmodel = "gpt" # kept\n[features]\nmemories = true\n\n[mcp_servers.other]\ncommand = "x"   # spaced\n\n[tail]\nz = 1\n',
    "opencode": '// mine\n{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {\n    "other": {"type": "local", "command": ["x"]}, // kept\n  },\n}\n',
    "cursor": '{"mcpServers":{"other":{"command":"x"}}}\n',
    "nvim": "-- mine\nvim.o.number = true  -- kept\n",
    "vscode": '{\r\n\t// mine\r\n\t"servers": {\r\n\t\t"other": { "command": "x" }\r\n\t},\r\n\t"inputs": []\r\n}\r\n',
}
BROKEN = {"dsh": "providers:\n  a: 1\n", "codex": "model = \n", "nvim": "-- deepseedian begin\n"}
CASES = [(name, scope) for name, host in HOSTS.items() for scope in host.scopes]


@pytest.fixture(autouse=True)
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of nobody: no host's real file is touched."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "DSH_HOME", "APPDATA", "NVIM_APPNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "house"))
    (tmp_path / "house").mkdir()
    return tmp_path / "house"


def parts(name: str, scope: str = "", vault: str = "/my vault") -> list[Part]:
    host = HOSTS[name]
    return host.parts(Place(Path(vault), places.command(Path(vault)), scope or host.scopes[0], Path.home() / "project"))


def installed(name: str, scope: str = "", vault: str = "/my vault") -> list[str]:
    changes = [installing.planned(part) for part in parts(name, scope, vault)]
    return [installing.install(change, name) for change in changes if not change.same]


def removed(name: str, scope: str = "") -> None:
    for part in parts(name, scope):
        change = installing.planned_removal(part)
        if not change.same:
            installing.remove(change)


def written(name: str, scope: str, text: str) -> list[Path]:
    files = [part.file for part in parts(name, scope)]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    return files


@pytest.mark.parametrize(("name", "scope"), CASES)
def test_into_nothing_and_back_to_nothing(name: str, scope: str) -> None:
    files = [part.file for part in parts(name, scope)]
    assert not any(file.exists() for file in files)
    assert installed(name, scope) == ["" for _ in files]  # no file, no backup
    assert all("deepseedian" in file.read_text(encoding="utf-8") for file in files)
    assert installed(name, scope) == []  # it is there
    removed(name, scope)
    assert not any(file.exists() for file in files)


@pytest.mark.parametrize(("name", "scope"), CASES)
def test_into_a_used_file_and_back_byte_for_byte(name: str, scope: str) -> None:
    old = USED[name].encode()
    for file in (files := written(name, scope, USED[name])):
        file.chmod(0o640)
    backups = installed(name, scope)
    assert [Path(path).read_bytes() for path in backups] == [old for _ in files]
    assert all((Path(path).stat().st_mode & 0o777, Path(path).parent.stat().st_mode & 0o777) == (0o600, 0o700) for path in backups)
    for file in files:
        text = file.read_bytes().decode()
        rest = iter(text)
        assert all(char in rest for char in USED[name]), text  # every byte is still there, in order: only some came in between
        assert file.stat().st_mode & 0o777 == 0o640 and text.count("\r\n") in (0, text.count("\n"))
    assert installed(name, scope) == []
    assert len(installed(name, scope, "/another vault")) == len(files)  # renewed in place
    assert all(file.read_text(encoding="utf-8").count("/my vault") == 0 for file in files)
    removed(name, scope)
    assert [file.read_bytes() for file in files] == [old for _ in files]


@pytest.mark.parametrize("name", HOSTS)
def test_what_somebody_changed_since_stays(name: str) -> None:
    """Then only ours is cut out; every line of theirs is as it was."""
    files = written(name, "", USED[name])
    installed(name)
    for file in files:
        text = file.read_bytes().decode()
        file.write_bytes((text + "# after\n" if name in ("dsh", "codex", "nvim") else text.replace("{", '{ "after": true,', 1)).encode())
    removed(name)
    for file in files:
        text = file.read_bytes().decode()
        assert "deepseedian" not in text and "after" in text
        if name == "codex":
            assert tomllib.loads(text) == tomllib.loads(USED[name]) and "# mine\n" in text and "# spaced" in text
        elif name in ("dsh", "nvim"):
            assert text == USED[name] + "# after\n"
        else:
            assert jsonc.parsed(text).value == {"after": True} | jsonc.parsed(USED[name]).value
            assert text.count("//") == USED[name].count("//")


@pytest.mark.parametrize("name", HOSTS)
def test_empty_tables_of_ours_go_with_us(name: str) -> None:
    start = "{\n}\n" if name not in ("codex", "dsh", "nvim") else ""
    files = written(name, "", start)
    installed(name)
    for file in files:
        file.write_bytes(file.read_bytes() + b"\n")
    removed(name)
    assert [file.read_text(encoding="utf-8").strip().replace("\n", "") for file in files] == [start.strip().replace("\n", "") for _ in files]


@pytest.mark.parametrize("name", HOSTS)
@pytest.mark.parametrize("data", [b"broken", b"\xff\xfe\x00", b"[1, 2"])
def test_a_file_that_cannot_be_read_is_left_and_the_snippet_given(name: str, data: bytes) -> None:
    for file in (files := written(name, "", "")):
        plain = data.isascii() if name == "nvim" else data == b"broken"  # any text may be Lua of somebody's; a torn block of ours is not
        file.write_bytes(BROKEN[name].encode() if name in BROKEN and plain else data)
    before = [file.read_bytes() for file in files]
    with pytest.raises(BadInput) as caught:
        installing.planned(parts(name)[0])
    assert "deepseedian" in caught.value.hint and "left as it is" in caught.value.message
    assert [file.read_bytes() for file in files] == before


@pytest.mark.parametrize("name", HOSTS)
def test_a_read_only_file_is_left(name: str) -> None:
    """A file somebody has closed could be replaced all the same, by root or by its folder's owner: it is not."""
    for file in written(name, "", USED[name]):
        file.chmod(0o444)
    with pytest.raises(ReadOnly) as caught:
        installing.planned(parts(name)[0])
    assert "deepseedian" in caught.value.hint


def test_what_is_in_the_way_is_refused() -> None:
    file = parts("cursor")[0].file
    file.mkdir(parents=True)
    with pytest.raises(BadInput):
        installing.planned(parts("cursor")[0])
    file.rmdir()
    os.mkfifo(file)
    with pytest.raises(BadInput):
        installing.planned(parts("cursor")[0])
    file.unlink()
    file.write_text('{"mcpServers": ["x"]}', encoding="utf-8")
    with pytest.raises(BadInput, match="no object"):
        installing.planned(parts("cursor")[0])


def test_a_file_behind_a_link_is_changed_where_it_lies(house: Path) -> None:
    dotfiles = house / "dotfiles.json"
    dotfiles.write_text(USED["cursor"], encoding="utf-8")
    file = parts("cursor")[0].file
    file.parent.mkdir()
    file.symlink_to(dotfiles)
    installed("cursor")
    assert file.is_symlink() and "deepseedian" in dotfiles.read_text(encoding="utf-8")
    removed("cursor")
    assert file.is_symlink() and dotfiles.read_text(encoding="utf-8") == USED["cursor"]


def test_a_file_that_somebody_wrote_meanwhile_is_not_replaced() -> None:
    """Claude Code writes its own file while it runs: what it wrote after we looked is not lost."""
    file = written("claude-code", "", USED["claude-code"])[0]
    change = installing.planned(parts("claude-code")[0])
    file.write_text('{"numStartups": 8}', encoding="utf-8")
    with pytest.raises(Conflict):
        installing.install(change, "claude-code")
    assert file.read_text(encoding="utf-8") == '{"numStartups": 8}'


def test_a_byte_order_mark_stays() -> None:
    file = parts("vscode")[0].file
    file.parent.mkdir(parents=True)
    file.write_bytes(b"\xef\xbb\xbf{}\n")
    installed("vscode")
    assert file.read_bytes().startswith(b"\xef\xbb\xbf{\n")
    removed("vscode")
    assert file.read_bytes() == b"\xef\xbb\xbf{}\n"


def test_hooks_of_others_in_the_same_group_stay() -> None:
    installed("claude-code")
    settings = parts("claude-code")[1].file
    body = json.loads(settings.read_text(encoding="utf-8"))
    body["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say done"})
    body["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "deepseedian-lookalike"}]})
    settings.write_text(json.dumps(body), encoding="utf-8")
    removed("claude-code")
    assert json.loads(settings.read_text(encoding="utf-8"))["hooks"] == {"Stop": [
        {"hooks": [{"type": "command", "command": "say done"}]}, {"hooks": [{"type": "command", "command": "deepseedian-lookalike"}]}]}


def test_what_each_host_is_told() -> None:
    """The traps: Codex must wait for the server, opencode takes one list and a type, VS Code names them servers."""
    command = [*places.command(Path("/my vault")), "mcp"]
    for name in HOSTS:
        installed(name)
    read = {name: part.file.read_text(encoding="utf-8") for name in HOSTS for part in reversed(parts(name))}
    codex = tomllib.loads(read["codex"])["mcp_servers"]["deepseedian"]
    assert codex["required"] is True and [codex["command"], *codex["args"]] == command
    assert json.loads(read["opencode"])["mcp"]["deepseedian"] == {"type": "local", "enabled": True, "command": command}
    for name, path in (("vscode", "servers"), ("cursor", "mcpServers"), ("claude-code", "mcpServers")):
        server = json.loads(read[name])[path]["deepseedian"]
        assert [server["command"], *server["args"]] == command and server.get("type", "stdio") == "stdio"
    hooks = json.loads(parts("claude-code")[1].file.read_text(encoding="utf-8"))["hooks"]
    assert {event: group[0]["hooks"][0]["command"].split("'/my vault' ")[1] for event, group in hooks.items()} == {
        "UserPromptSubmit": "hook UserPromptSubmit", "Stop": "hook Stop", "SessionStart": "hook SessionStart --start"}
    assert Path(command[0]).is_absolute() and "memor" not in "".join(read.values()).lower().replace("/memory", "")


def test_the_command_line(vault: Path, house: Path) -> None:
    command = Command(vault)
    printed: Any = command("connect", "cursor")
    assert (printed["done"], list(house.iterdir())) == ("printed", []) and str(vault) in printed["files"][0]["snippet"]
    assert command("connect", "cursor", "--install", status=2)["error"]["code"] == "bad_input"  # nobody to ask
    assert list(house.iterdir()) == []
    done = command("connect", "cursor", "--install", "--yes")
    assert done["done"] == "installed" and "+" in done["files"][0]["diff"] and done["files"][0]["backup"] is None
    assert command("connect", "cursor", "--install", "--yes")["done"] == "unchanged"
    people = command.run("--vault", str(vault), "connect", "cursor", "--remove", "--yes")
    assert people.status == 0 and '-    "deepseedian": {' in people.err and "removed" in people.out
    command("connect", "cursor", "--install", "--yes")
    gone = command.run("--vault", str(vault / "gone"), "--json", "connect", "cursor", "--remove", "--yes")
    assert gone.status == 0 and gone.json["done"] == "removed" and not parts("cursor")[0].file.exists()
    unknown = command("connect", "emacs", status=2)["error"]
    assert "emacs" in unknown["message"] and all(name in unknown["hint"] for name in HOSTS)
    assert command("connect", "dsh", "--scope", "project", status=2) and command("connect", "codex", "--profile", "x", status=2)
    assert command("connect", "dsh", "--profile", "../x", status=2)


def test_saved_providers_are_named_and_only_referred_to(vault: Path, house: Path) -> None:
    home = house / ".dsh"
    home.mkdir()
    (home / ".credentials.yaml").write_text("HOUSE_API_KEY: sk-1234567890abcdef\n", encoding="utf-8")
    (home / "cordis.patch.yml").write_text("- id: llm-pi-ai\n  config:\n    providers:\n      house:\n        apiKeyEnv: HOUSE_API_KEY\n"
                                           "      other-one: {apiKeyEnv: X}\n- id: z\n", encoding="utf-8")
    command = Command(vault)
    names = ["deepseek-official", "house", "other-one"]
    assert command("connect", "dsh", "--providers")["providers"] == names and command("config", "get", "dsh.home")["value"] == ""
    assert command("connect", "dsh", "--providers", "--install", "--yes")["providers"] == names
    assert command("config", "get", "dsh.home") == command("config", "get", "dsh.home") | {"value": str(home), "origin": "config.toml"}
    everything = [file for folder in (vault, Path(os.environ["DEEPSEEDIAN_CONFIG_DIR"]), Path(os.environ["DEEPSEEDIAN_STATE_DIR"])) for file in folder.rglob("*")]
    assert all(b"sk-1234567890abcdef" not in file.read_bytes() for file in everything if file.is_file())
    command("connect", "dsh", "--providers", "--remove", "--yes")
    assert command("config", "get", "dsh.home")["value"] == ""
    assert command("connect", "codex", "--providers", status=2)


def test_no_key_is_shown(vault: Path, house: Path) -> None:
    written("claude-code", "", USED["claude-code"])
    done = Command(vault).run("--vault", str(vault), "connect", "claude-code", "--install", "--yes")
    assert done.status == 0 and "sk-1234567890abcdef" not in done.out + done.err and "deepseedian" in done.err
    assert "sk-1234567890abcdef" in parts("claude-code")[0].file.read_text(encoding="utf-8")
