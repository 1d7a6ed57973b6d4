"""What exists is documented, in both languages, and what is documented exists."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from deepseedian.api.app import named_routes
from deepseedian.cli.main import COMMANDS, cli
from deepseedian.config.settings import SETTINGS

ROOT = Path(__file__).parents[1]
READMES = ("README.md", "README.zh-CN.md")
WORDS = {name: (ROOT / name).read_text(encoding="utf-8") for name in READMES}


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command with its full name, groups left out."""
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {child}", found) for child, found in command.commands.items())
        else:
            yield name, command


@pytest.mark.parametrize("readme", READMES)
def test_every_command_and_option_is_documented(readme: str) -> None:
    documented = "\n".join(re.findall(r"^\| (`[^\n]*)", WORDS[readme], re.M))
    for name, command in commands():
        assert re.search(rf"`{name}\b", documented), name
        for option in command.params:
            for word in option.opts if isinstance(option, click.Option) else ():
                assert word in documented, f"{name} {word}"


def test_every_command_has_help() -> None:
    for name, command in commands():
        assert command.help, name
        assert all(option.help or option.type.name == "choice" for option in command.params if isinstance(option, click.Option)), name


@pytest.mark.parametrize("readme", READMES)
def test_every_setting_is_documented_with_its_default(readme: str) -> None:
    for name, setting in SETTINGS.items():
        rows = re.findall(rf"^\| `{re.escape(name)}` \| ([^|]*) \| ", WORDS[readme], re.M)  # a command's row has two cells, not three
        assert len(rows) == 1, (name, rows)
        if setting.default not in ("",):
            assert str(setting.default).lower() in rows[0].strip("` ").lower(), name


@pytest.mark.parametrize("readme", READMES)
def test_every_route_is_documented(readme: str) -> None:
    for route in named_routes():
        for method in route.methods:
            assert f"`{method} /v1{route.path.replace(':path}', '}')}`" in WORDS[readme], f"{method} {route.path}"


@pytest.mark.parametrize("readme", READMES)
def test_no_command_or_setting_is_documented_that_does_not_exist(readme: str) -> None:
    known = {name.split()[0] for name, _ in commands()}
    for line in re.findall(r"^\$ deepseedian ([a-z]+)", WORDS[readme], re.M):
        assert line in known, line


@pytest.mark.parametrize("readme", READMES)
def test_every_environment_variable_is_documented(readme: str) -> None:
    used = set()
    for path in (ROOT / "deepseedian").rglob("*.py"):
        used |= set(re.findall(r'"(DEEPSEEDIAN_[A-Z_]+[A-Z])"', path.read_text(encoding="utf-8")))
    for name in used - {"DEEPSEEDIAN_FAILPOINT", "DEEPSEEDIAN_DEBUG"}:
        assert name in WORDS[readme], name


def test_the_two_readmes_have_the_same_shape() -> None:
    shapes = [[(len(line) - len(line.lstrip("#"))) for line in WORDS[name].splitlines() if re.match(r"#+ ", line)] for name in READMES]
    rows = [sum(1 for line in WORDS[name].splitlines() if line.startswith("|")) for name in READMES]
    assert shapes[0] == shapes[1] and rows[0] == rows[1]


def test_every_module_says_what_it_is() -> None:
    for path in (ROOT / "deepseedian").rglob("*.py"):
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


def test_house_style() -> None:
    banned = re.compile(r"class \w*(?:Manager|Service|Helper|Handler|Factory|Engine|Coordinator|Runner|Utils)\b")
    for path in (ROOT / "deepseedian").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 600, path
        assert not banned.search(text), path
        assert "from __future__" not in text, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 46, f"{path}:{node.name}"
