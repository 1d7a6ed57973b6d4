"""What a vault begins with: Obsidian's settings and the plugin, a start note and the handbook in the owner's language.

The notes are the owner's from the moment they lie in the vault: they come once, when memory is made in a vault without
notes, and are never changed or brought back by themselves. A vault that has notes of its own gets them only when a
language is asked for, and below one folder, beside the review notes. What is there already is left as it is, and named
where it says something else.
"""

import json
import os
import shutil
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from deepseedian.config.files import read_regular

PLUGINS, PLUGIN = "plugins", "deepseedian"
PLUGIN_FILES = ("main.js", "styles.css", "manifest.json")  # the manifest last: without it Obsidian sees no plugin
LIST, LIST_LIMIT = "community-plugins.json", 1_000_000
FOLDER = "Deepseedian"


@dataclass(frozen=True, slots=True)
class Laid:
    """The start note's path in the vault, empty where none of ours is there, and the paths that were left as they are."""

    start: str = ""
    left: tuple[str, ...] = ()


def template() -> Path:
    """The vault template: inside the installed package, or beside it in a checkout."""
    inside = Path(str(files("deepseedian"))) / "vault_template"
    return inside if inside.is_dir() else Path(str(files("deepseedian"))).parent / "vault_template"


def copy_settings(config: Path) -> None:
    """Obsidian's settings of a new vault, with the plugin switched on; in any other that is left to its owner."""
    for source in sorted((template() / ".obsidian").glob("*.json")):
        _write_new(source, config / source.name)


def copy_plugin(folder: Path) -> None:
    """What Obsidian loads, into a plugin folder of ours that holds no plugin yet: its source stays here, another's plugin stays there."""
    source = template() / ".obsidian" / PLUGINS / PLUGIN
    if folder.name != PLUGIN or not source.is_dir() or os.path.lexists(folder / PLUGIN_FILES[-1]):
        return
    if any(os.path.lexists(folder / name) and not _begun(source / name, folder / name) for name in PLUGIN_FILES):
        return
    for name in PLUGIN_FILES:
        shutil.copyfile(source / name, folder / name)


def _begun(source: Path, target: Path) -> bool:
    """Whether a file is what a copy of ours that was interrupted left; a link never is, or it would be written through."""
    if target.is_symlink() or not target.is_file() or target.stat().st_size > source.stat().st_size:
        return False
    return source.read_bytes().startswith(target.read_bytes())


def switched_on(folder: Path) -> bool:
    """Whether Obsidian has the plugin of this folder switched on in this vault."""
    try:
        data = read_regular(folder.parents[1] / LIST, LIST_LIMIT)
        named = json.loads(data or b"")
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(named, list) and folder.name in named and (folder / PLUGIN_FILES[-1]).exists()


def lay_notes(root: Path, language: str, *, asked: bool) -> Laid:
    """Start note and handbook: at the top of a vault that holds nothing else, or them already; else, when asked, below a folder of ours."""
    source = template() / language
    names = [path.relative_to(source).as_posix() for path in sorted(source.rglob("*.md"))]
    empty = all(path.name.startswith(".") for path in root.iterdir())
    place = root if empty or any(_same(source / name, root / name) for name in names) else root / FOLDER
    if place != root and not asked:
        return Laid()
    left = [name for name in names if not _write_new(source / name, place / name)]
    start = next(name for name in names if "/" not in name)
    shown = "" if place == root else f"{FOLDER}/"
    return Laid("" if start in left else shown + start, tuple(shown + name for name in left))


def _same(source: Path, target: Path) -> bool:
    return target.is_file() and target.stat().st_size == source.stat().st_size and target.read_bytes() == source.read_bytes()


def _write_new(source: Path, target: Path) -> bool:
    """Whether the file is there now as it is here; one that exists is not touched, and no link is followed to write elsewhere."""
    if any(path.is_symlink() for path in list(target.parents)[:2]):  # nothing of ours lies deeper
        return False
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _write(source.read_bytes(), target)
    except (FileExistsError, NotADirectoryError):  # a note of that name, or a file where the folder would be
        return _same(source, target)
    return True


def _write(data: bytes, target: Path) -> None:
    """A new file, whole or not at all: half a note on a full disk would be taken for the owner's for ever."""
    with target.open("xb") as made:
        try:
            made.write(data)
            made.flush()
        except BaseException:
            target.unlink(missing_ok=True)
            raise
