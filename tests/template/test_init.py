"""What `init` lays into a vault, once, beside what is there already."""

import json
import tomllib
from pathlib import Path

import pytest

from deepseedian.cli.main import main
from deepseedian.errors import BadSetting
from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store import template
from tests.commands import ROOT, Command

EN, ZH = "Start here.md", "从这里开始.md"


def everything(vault: Path) -> dict[str, tuple[bytes, int]]:
    return {path.relative_to(vault).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns) for path in vault.rglob("*") if path.is_file()}


def owner(vault: Path, **notes: str) -> Path:
    for name, text in {"mine.md": "# Mine\n", **notes}.items():
        (vault / name).parent.mkdir(parents=True, exist_ok=True)
        (vault / name).write_text(text, encoding="utf-8")
    return vault


def test_a_new_vault_begins_with_the_notes_and_the_plugin(tmp_path: Path) -> None:
    done = initialise(tmp_path / "v")
    assert done["start"] == EN and "left" not in done
    assert (tmp_path / "v" / EN).read_bytes() == (template.template() / "en" / EN).read_bytes()
    assert len(list((tmp_path / "v/Handbook").glob("*.md"))) == 9
    assert not (tmp_path / "v" / ZH).exists() and not (tmp_path / "v/en").exists()
    assert json.loads((tmp_path / "v/.obsidian/community-plugins.json").read_text(encoding="utf-8")) == ["deepseedian"]


def test_twice_changes_nothing(tmp_path: Path) -> None:
    vault = tmp_path / "v"
    initialise(vault)
    before = everything(vault)
    again = initialise(vault)
    assert everything(vault) == before and set(again) == {"vault", "vaultId", "memory"}
    once_more = initialise(vault, language="en")  # asked for by name: what is there in the same words is no conflict
    assert once_more["start"] == EN and "left" not in once_more
    assert set(everything(vault)) == {*before, ".obsidian/plugins/deepseedian/settings.json"}


def test_a_vault_with_notes_is_left_to_its_owner_until_asked(tmp_path: Path) -> None:
    vault = owner(tmp_path / "v", **{EN: "my own start", ".obsidian/community-plugins.json": '["calendar"]'})
    before = everything(vault)
    assert set(initialise(vault)) == {"vault", "vaultId", "memory"}
    assert {name for name in everything(vault) if not name.startswith(".obsidian/plugins/")} == set(before)
    done = initialise(vault, language="en")
    assert done["start"] == f"Deepseedian/{EN}" and "left" not in done
    after = everything(vault)
    assert {name: after[name] for name in before} == before
    assert {name.split("/")[0] for name in after} == {"mine.md", EN, ".obsidian", "Deepseedian"}
    assert len([name for name in after if name.startswith("Deepseedian/")]) == 10


def test_a_vault_that_obsidian_has_just_made_is_new(tmp_path: Path) -> None:
    (tmp_path / "v/.obsidian").mkdir(parents=True)
    (tmp_path / "v/.obsidian/app.json").write_text("{}", encoding="utf-8")
    assert initialise(tmp_path / "v")["start"] == EN and (tmp_path / "v/.obsidian/app.json").read_bytes() == b"{}"


def test_what_a_kill_left_of_the_notes_is_completed(tmp_path: Path) -> None:
    (tmp_path / "v/Handbook").mkdir(parents=True)
    name = "Handbook/1 Memory and topics.md"
    (tmp_path / "v" / name).write_bytes((template.template() / "en" / name).read_bytes())
    assert initialise(tmp_path / "v")["start"] == EN and len(list((tmp_path / "v/Handbook").iterdir())) == 9


def test_own_notes_of_the_same_names_are_left_and_named(tmp_path: Path) -> None:
    mine = {"Deepseedian/Handbook/6 Settings.md": "also mine", f"Deepseedian/{EN}": "mine"}
    vault = owner(tmp_path / "v", **mine)
    before = everything(vault)
    done = Command(vault).run("init", str(vault), "--language", "en")
    assert done.status == 0, done.err
    assert [line for line in done.out.splitlines() if line.startswith("left")] == [f"left as it is: {name}" for name in mine]
    assert "a note to begin with" not in done.out and "the plugin is off here" in done.out
    after = everything(vault)
    assert {name: after[name] for name in before} == before and len([name for name in after if name.startswith("Deepseedian/Handbook/")]) == 9


@pytest.mark.parametrize("kind", ["file", "link", "dangling"])
def test_no_file_or_link_in_the_way_is_written_through(tmp_path: Path, kind: str) -> None:
    vault, outside = owner(tmp_path / "v"), tmp_path / "outside"
    outside.mkdir()
    if kind == "file":
        (vault / "Deepseedian").write_text("a note without an ending", encoding="utf-8")
    elif kind == "link":
        (vault / "Deepseedian").symlink_to(outside)
    else:
        (vault / "Deepseedian").mkdir()
        (vault / "Deepseedian" / EN).symlink_to(outside / "gone.md")
    done = initialise(vault, language="en")
    assert f"Deepseedian/{EN}" in done["left"] and list(outside.iterdir()) == []  # type: ignore[operator]
    assert len(done["left"]) == (10 if kind != "dangling" else 1) and "start" not in done  # type: ignore[arg-type]
    assert Sidecar.open(vault).entries()["entries"] == []


def test_notes_that_were_deleted_or_changed_stay_so(tmp_path: Path) -> None:
    vault = tmp_path / "v"
    initialise(vault)
    (vault / EN).unlink()
    (vault / "Handbook/6 Settings.md").write_text("mine now", encoding="utf-8")
    before = everything(vault)
    assert "left" not in initialise(vault) and everything(vault) == before
    assert initialise(vault, language="en")["left"] == ["Handbook/6 Settings.md"]
    assert (vault / EN).exists() and (vault / "Handbook/6 Settings.md").read_text(encoding="utf-8") == "mine now"


def test_the_language_is_the_setting_and_init_can_set_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert initialise(tmp_path / "asked", language="zh")["start"] == ZH
    assert json.loads((tmp_path / "asked/.obsidian/plugins/deepseedian/settings.json").read_text(encoding="utf-8")) == {"language": "zh"}
    assert "整理规则" in (tmp_path / "asked/.obsidian/plugins/deepseedian/memory/RULES.md").read_text(encoding="utf-8")
    assert "start" not in initialise(tmp_path / "asked")
    other = initialise(tmp_path / "asked", language="en")  # the vault has notes by now: the other language stays below its folder
    assert other["start"] == f"Deepseedian/{EN}" and (tmp_path / "asked" / ZH).exists()
    monkeypatch.setenv("DEEPSEEDIAN_LANGUAGE", "zh")
    assert initialise(tmp_path / "told")["start"] == ZH
    monkeypatch.delenv("DEEPSEEDIAN_LANGUAGE")
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert initialise(tmp_path / "system")["start"] == ZH
    with pytest.raises(BadSetting):
        initialise(tmp_path / "odd", language="tlh")


def test_a_memory_that_travelled_here_brings_no_notes_with_it(tmp_path: Path) -> None:
    """On a second device the vault comes with its memory; what its owner threw away on the first is not brought back."""
    vault = tmp_path / "v"
    initialise(vault)
    for name in (EN, "Handbook"):
        path = vault / name
        path.unlink() if path.is_file() else [note.unlink() for note in path.iterdir()] and path.rmdir()
    moved = tmp_path / "elsewhere"
    vault.rename(moved)
    assert "start" not in initialise(moved) and not (moved / EN).exists()


def test_the_config_folder_that_is_named_gets_the_plugin_list(tmp_path: Path) -> None:
    initialise(tmp_path / "v", config_dir=".other")
    assert (tmp_path / "v/.other/community-plugins.json").exists() and not (tmp_path / "v/.obsidian").exists()


@pytest.mark.parametrize("content", [b"", b"{", b'{"deepseedian": true}', b"[[" * 100_000, b"\xff"])
def test_a_plugin_list_that_cannot_be_read_is_left_alone(tmp_path: Path, content: bytes) -> None:
    vault = owner(tmp_path / "v")
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian/community-plugins.json").write_bytes(content)
    assert "the plugin is off here" in Command(vault).run("init", str(vault)).out
    assert (vault / ".obsidian/community-plugins.json").read_bytes() == content


def test_the_wheel_carries_the_template() -> None:
    """It is found inside the package there, and beside it in a checkout."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert build["force-include"] == build["force-include"] | {"vault_template": "deepseedian/vault_template"}
    assert template.template() == ROOT / "vault_template"
    for name in (EN, ZH):
        assert len(list(template.template().rglob(name))) == 1


def test_help_names_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["init", "--help"])
    assert "--language" in capsys.readouterr().out


def test_a_plugin_that_was_half_copied_is_completed_and_no_link_is_written_through(tmp_path: Path) -> None:
    for name in ("cut", "linked", "other"):
        (tmp_path / name / ".obsidian/plugins/deepseedian").mkdir(parents=True)
    plugin = {name: tmp_path / name / ".obsidian/plugins/deepseedian" for name in ("cut", "linked", "other")}
    ours = template.template() / ".obsidian/plugins/deepseedian"
    (plugin["cut"] / "main.js").write_bytes((ours / "main.js").read_bytes()[:1000])
    (plugin["linked"] / "main.js").symlink_to(tmp_path / "elsewhere.js")
    (plugin["other"] / "main.js").write_text("// another's", encoding="utf-8")
    for name in plugin:
        initialise(tmp_path / name)
    assert all((plugin["cut"] / name).read_bytes() == (ours / name).read_bytes() for name in template.PLUGIN_FILES)
    assert not (tmp_path / "elsewhere.js").exists() and not (plugin["linked"] / "manifest.json").exists()
    assert (plugin["other"] / "main.js").read_text(encoding="utf-8") == "// another's" and not (plugin["other"] / "manifest.json").exists()


def test_a_note_that_could_not_be_written_whole_is_not_left_behind(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        template._write("no bytes", tmp_path / "note.md")  # type: ignore[arg-type]
    assert not (tmp_path / "note.md").exists()
