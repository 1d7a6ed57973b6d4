"""What is shipped for editors: all of it is in the wheel, its help has tags, its sources are tidy, and `connect nvim` puts it there."""

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from deepseedian.hosts.places import NVIM
from deepseedian.sidecar import initialise
from tests.commands import ROOT, Command
from tests.editors.conftest import Open
from tests.editors.neovim import Editor, program

SOURCES = sorted(NVIM.rglob("*.lua"))
CARRIED_OUT = re.compile(r"\b(?:loadstring|load|dofile|os\.execute|io\.popen|vim\.fn\.system|vim\.system|jobstart|nvim_exec|nvim_command|nvim_exec2|feedkeys|fn\.eval)\b\(?")


def test_it_is_in_the_wheel(tmp_path: Path) -> None:
    wheel = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is not here").WheelBuilder(str(ROOT))
    built = next(wheel.build(directory=str(tmp_path), versions=["standard"]))
    with zipfile.ZipFile(built) as packed:
        names = set(packed.namelist())
    wanted = {str(path.relative_to(ROOT)) for path in NVIM.rglob("*") if path.is_file()}
    assert wanted <= names and len(wanted) == len(SOURCES) + 2  # help and its tags
    assert "deepseedian/vault_template/.obsidian/plugins/deepseedian/main.js" in names and not any(name.startswith("tests/") for name in names)


def test_sources_are_small_and_carry_nothing_out() -> None:
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        assert text.startswith("--") and len(text.splitlines()) <= 400, path
        assert not CARRIED_OUT.search(text), path


def test_every_text_is_there_in_both_languages() -> None:
    """With the same places to fill."""
    texts = [found for path in SOURCES for found in re.findall(r'say\(\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"', path.read_text(encoding="utf-8"))]
    assert len(texts) == sum(len(re.findall(r"\bsay\(", path.read_text(encoding="utf-8"))) for path in SOURCES) - 1  # and its definition
    for english, chinese in texts:
        assert re.findall(r"%[sd]", english) == re.findall(r"%[sd]", chinese), english
        assert re.search("[\u4e00-\u9fff]", chinese) and not re.search("[\u4e00-\u9fff]", english), english


def test_lint() -> None:
    """Nothing to find, and what is bad is found."""
    lint = shutil.which("luacheck")
    if not lint:
        pytest.skip("luacheck is not here (Debian: lua-check)")
    words = [lint, "--quiet", "--no-color", "--config", str(Path(__file__).parent / "luacheckrc")]
    done = subprocess.run([*words, str(NVIM)], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout
    bad = subprocess.run([*words, "-"], input="local unused = vim.x\nglobal = 1\n", capture_output=True, encoding="utf-8", check=False)
    assert bad.returncode and "unused" in bad.stdout and "global" in bad.stdout


def test_help_has_its_tags(tmp_path: Path) -> None:
    doc = tmp_path / "doc"
    shutil.copytree(NVIM / "doc", doc)
    (doc / "tags").unlink()
    done = subprocess.run([program(), "--headless", "--clean", "-c", f"helptags {doc}", "-c", "q"], capture_output=True, encoding="utf-8", check=False, timeout=30)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert (doc / "tags").read_bytes() == (NVIM / "doc/tags").read_bytes()


def test_every_command_mapping_and_option_is_in_the_help(vault: Path, edit: Open) -> None:
    text = (NVIM / "doc/deepseedian.txt").read_text(encoding="utf-8")
    assert all(len(line.expandtabs(8)) <= 82 for line in text.splitlines())
    editor = edit()
    words = editor.lua("return require('deepseedian').words('')")
    assert set(words) == {"again", "ask", "complete", "new", "recall", "remember", "review", "stop"}
    assert all(f"*:Deepseedian-{word}*" in text for word in words)
    plugs = re.findall(r"\{ ((?:\"\w+\",? ?)+) \}\) do", (NVIM / "plugin/deepseedian.lua").read_text(encoding="utf-8"))
    assert all(f"<Plug>(deepseedian-{word})" in text for word in re.findall(r"\w+", " ".join(plugs)))
    options = re.search(r"DEFAULTS = \{(.*?)\}", (NVIM / "lua/deepseedian/init.lua").read_text(encoding="utf-8"), re.S)
    assert options and all(re.search(rf"^\t{name}\t", text, re.M) for name in re.findall(r"(\w+) =", options[1]))
    editor.command("help :Deepseedian-review")
    assert "What waits for your decision" in editor.text() and editor.lua("return vim.bo.filetype") == "help"
    editor.command("Deepseedian nonsense")
    assert "again, ask, complete" in editor.says("one of")
    editor.lua("vim.g.deepseedian = vim.tbl_extend('force', vim.g.deepseedian, {language = 'zh'})")
    editor.command("Deepseedian nonsense")
    editor.says("可用：again, ask")
    editor.type(":Deepseedian re\t")
    assert "recall" in editor.lua("return vim.fn.getcmdline()")
    editor.type("\x1b")


@pytest.mark.parametrize("config", ["", "init.vim", "init.lua"])
def test_connect_adds_it_and_takes_it_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: str) -> None:
    """Beside either kind of configuration, for a vault of any name; the person's own options stay."""
    program()
    house = tmp_path / "house"
    monkeypatch.setenv("HOME", str(house))
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.delenv(f"XDG_{name}_HOME", raising=False)
    monkeypatch.setenv("NVIM_APPNAME", "mine")
    folder = house / ".config/mine"
    folder.mkdir(parents=True)
    if config:
        (folder / config).write_text("let g:deepseedian = {'width': 0.3}\n" if config == "init.vim" else "vim.g.deepseedian = { width = 0.3 }\n", encoding="utf-8")
    vault = tmp_path / "it's, my \"Vault\" 中文"
    initialise(vault)
    command = Command(vault)
    printed = command("connect", "nvim")["files"][0]
    assert printed["file"] == str(folder / "plugin/deepseedian.lua") and "runtimepath:append" in printed["snippet"]
    assert command("connect", "nvim", "--install", "--yes")["done"] == "installed"
    with Editor(tmp_path) as editor:
        editor.command("Deepseedian recall tea")
        assert str(vault).replace("'", "'\\''") in editor.says("not running; start:") and "deepseedian --vault" in editor.says("not running")
        found = editor.lua("return {vim.g.deepseedian.vault, require('deepseedian').option('width')}")
        assert found == [str(vault), 0.3 if config else 0.4]
    assert command("connect", "nvim", "--remove", "--yes")["done"] == "removed"
    assert [path.name for path in folder.rglob("*") if path.is_file()] == ([config] if config else [])
    with Editor(tmp_path) as editor:
        assert editor.lua("return vim.fn.exists(':Deepseedian')") == 0
