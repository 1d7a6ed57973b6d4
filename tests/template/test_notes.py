"""The start note and the handbook: what they name exists, in both languages, and they are nothing but notes."""

import re
import shlex
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import click
import pytest

from deepseedian.cli.main import COMMANDS, cli
from deepseedian.config.settings import SETTINGS, checked
from deepseedian.core import markup, review_note
from deepseedian.hosts.places import HOSTS
from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store import template

LANGUAGES = ("en", "zh")
PLUGIN = template.template() / ".obsidian/plugins/deepseedian"


def notes(language: str) -> list[Path]:
    """The start note first, then the handbook by its numbers: each stands where it stands in the other language."""
    return sorted((template.template() / language).rglob("*.md"), key=lambda path: (len(path.parts), path.name))


def all_notes() -> list[Path]:
    return [path for language in LANGUAGES for path in notes(language)]


def words(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def named(text: str) -> Iterator[str]:
    """Every command line of ours: between backquotes, and after the prompt of a console, alone or behind a pipe."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    yield from re.findall(r"`(deepseedian [^`]+)`", prose)
    for line in re.findall(r"^\$ (.+)$", text, re.M):
        found = re.search(r"(?:^|\| )(deepseedian .+)$", line)
        assert found, line
        yield found[1]


def parsed(words: list[str]) -> tuple[str, dict[str, object]]:
    """The full name of a command line's command with its values, read by the real parser. Raises click's errors."""
    command: click.Command = cli
    context = cli.make_context("deepseedian", list(words))
    name: list[str] = []
    while isinstance(command, click.Group):
        rest = [*context._protected_args, *context.args]
        if not rest and command.invoke_without_command:
            break
        found, command_, rest = command.resolve_command(context, rest)
        assert command_ is not None and found is not None
        name.append(found)
        context = command_.make_context(found, rest, parent=context)
        command = command_
    return " ".join(name), context.params


@pytest.mark.parametrize("path", all_notes(), ids=lambda path: path.stem)
def test_every_command_and_option_exists(path: Path) -> None:
    for line in named(words(path)):
        name, values = parsed(shlex.split(line)[1:])
        assert name.split()[0] in COMMANDS
        if name == "config set":
            checked(str(values["name"]), values["value"])


@pytest.mark.parametrize("line", ["deepseedian frobnicate", "deepseedian config", "deepseedian review nope", "deepseedian list --nope",
                                  "deepseedian remember", "deepseedian connect codex --scope moon"])
def test_the_parser_tells_what_does_not_exist(line: str) -> None:
    with pytest.raises(click.ClickException):
        parsed(shlex.split(line)[1:])


def test_every_page_shows_commands_of_its_own_language() -> None:
    counts = [[sum(1 for _ in named(words(path))) for path in notes(language)] for language in LANGUAGES]
    assert counts[0] == counts[1] and sum(counts[0]) > 50, counts
    lines = [[" ".join(line.split()[:2]) for path in notes(language) for line in named(words(path))] for language in LANGUAGES]
    assert lines[0] == lines[1]


def test_both_languages_have_the_same_notes_and_headings() -> None:
    shapes = [[[len(mark) for mark in re.findall(r"^(#+) ", re.sub(r"^```.*?^```", "", words(path), flags=re.S | re.M), re.M)]
               for path in notes(language)] for language in LANGUAGES]
    assert shapes[0] == shapes[1] and len(shapes[0]) == 10
    numbers = [[path.stem.split()[0] for path in notes(language) if path.parent.name in ("Handbook", "手册")] for language in LANGUAGES]
    assert numbers[0] == numbers[1] == [str(number) for number in range(1, 10)]
    rows = [[len(re.findall(r"^(?:\||- )", words(path), re.M)) for path in notes(language)] for language in LANGUAGES]
    assert rows[0] == rows[1]


def plugin_texts(language: str) -> list[str]:
    """What the plugin says in a language: the pairs in its source, `{0}` standing for any text."""
    pairs = [pair for path in (PLUGIN / "src").glob("*.js")
             for pair in re.findall(r'say\(\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"', path.read_text(encoding="utf-8"))]
    assert len(pairs) > 150
    return [re.sub(r"\\\{\d\\\}", ".+", re.escape(pair[language == "zh"])) for pair in pairs]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_bold_is_a_text_of_the_plugin(language: str) -> None:
    source = (PLUGIN / "src/main.js").read_text(encoding="utf-8")
    commands = {pair[language == "zh"] for pair in re.findall(r'name: say\("([^"]*)", "([^"]*)"\)', source)}
    texts, seen = plugin_texts(language), 0
    for path in notes(language):
        for bold in re.findall(r"\*\*(.+?)\*\*", words(path)):
            command = bold.removeprefix("Deepseedian: ")
            known = command in commands if command != bold and "away" not in bold else any(re.fullmatch(text, bold) for text in texts)
            assert known, (path.name, bold)
            seen += 1
    assert seen > 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_program_that_can_be_connected_is_named(language: str) -> None:
    shown = {line.split()[2] for path in notes(language) for line in named(words(path)) if line.startswith("deepseedian connect ")}
    assert shown == set(HOSTS)


@pytest.mark.parametrize("path", all_notes(), ids=lambda path: path.stem)
def test_no_paragraph_is_broken_into_lines(path: Path) -> None:
    """Obsidian shows each end of a line as one, unless told otherwise."""
    lines = re.sub(r"^```.*?^```", "", words(path), flags=re.S | re.M).splitlines()
    for line, after in pairwise(lines):
        assert not (line and after) or after[0] in "-|", (line, after)


@pytest.mark.parametrize("path", all_notes(), ids=lambda path: path.stem)
def test_every_setting_exists(path: Path) -> None:
    text = words(path)
    for name in re.findall(r"`([a-z_]+\.[a-z_]+)`", text):
        assert name in SETTINGS or name in ("config.toml", "settings.json"), name
    if "| `language` |" in text:
        names = [name for row in re.findall(r"^\| (`[^|]+) \|", text, re.M) for name in re.findall(r"`([^`]+)`", row)]
        assert set(names) <= set(SETTINGS) and len(names) == 11


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("owned", [False, True], ids=["new", "owned"])
def test_every_link_and_heading_resolves_and_nothing_is_wrong_with_a_note(tmp_path: Path, language: str, owned: bool) -> None:
    vault = tmp_path / "v"
    vault.mkdir()
    if owned:
        (vault / "mine.md").write_text("# Mine\n", encoding="utf-8")
    start = str(initialise(vault, language=language)["start"])
    sidecar = Sidecar.open(vault)
    try:
        paths = [path.relative_to(vault).as_posix() for path in vault.rglob("*.md") if ".obsidian" not in path.parts]
        assert len(paths) == 10 + owned and start in paths
        links = [(path, link) for path in paths for link in re.findall(r"\[\[[^\]]+\]\]", words(vault / path))]
        assert len(links) >= 16 and sum("#" in link for _, link in links) >= 5
        for path, link in links:
            shown = sidecar.notes_resolve(link, path)
            assert shown["path"] in paths and str(shown["text"]).strip(), (path, link)
            assert shown["line"] == 1 or "#" in link
        assert all(sidecar.notes_metadata(path)["problems"] == [] for path in paths)
        reached = {start}
        while more := {str(link["path"]) for path in reached for link in sidecar.notes_metadata(path)["links"]} - reached:  # type: ignore[attr-defined]
            reached |= more
        assert reached == set(paths) - {"mine.md"}, "a note that no link leads to"
        assert sidecar.notes_problems()["problems"] == []
        hits = sidecar.notes_search("review" if language == "en" else "审阅")["results"]
        assert any("2 " in hit["path"] for hit in hits)  # type: ignore[attr-defined]
    finally:
        sidecar.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes_never_become_memory_by_themselves(tmp_path: Path, language: str, opened: Callable[..., Sidecar]) -> None:
    for path in notes(language):
        assert markup.scan(path.read_bytes(), "topics/x.md").blocks == () and review_note.parse(words(path)) is None
    initialise(tmp_path / "vault", language=language)
    sidecar = opened()
    sidecar.organize()
    sidecar.sweep()
    assert sidecar.check()["ok"] is True
    sidecar.notes_search("remember")
    sidecar.tick()
    assert sidecar.entries()["entries"] == [] and sidecar.proposals(all=True)["proposals"] == []
    assert sidecar.recall("Do I write short or long paragraphs?")["index"] == []
