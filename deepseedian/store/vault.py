"""Where things lie in a vault: config folder, plugin folder, memory folder."""

import os
from dataclasses import dataclass
from pathlib import Path

from deepseedian.errors import BadVault, NoMemory

PLUGINS = ("deepseedian", "deepsidian")


@dataclass(frozen=True, slots=True)
class Vault:
    """`plugin` holds our settings; `memory` may lie there, in the older plugin's folder or elsewhere."""

    root: Path
    plugin: Path
    memory: Path

    @property
    def family(self) -> str:
        """The marker family to write: the one that belongs to the folder's plugin."""
        return PLUGINS[1] if self.memory.parent.name == PLUGINS[1] else PLUGINS[0]


def config_folder(root: Path, name: str = "") -> Path:
    """`.obsidian`, else the dot folder that holds app.json or our plugin, else `.obsidian` to be made."""
    if name:
        if "/" in name or "\\" in name or name in (".", ".."):
            raise BadVault(f"{name!r} is no folder name", "name the config folder inside the vault, such as .obsidian")
        return root / name
    found = [root / ".obsidian", *sorted(path for path in root.glob(".*") if path.is_dir())]
    return next((path for path in found if _configured(path)), root / ".obsidian")


def _configured(path: Path) -> bool:
    plugins = (path / "plugins" / name for name in PLUGINS)
    return (path.name == ".obsidian" and path.is_dir()) or (path / "app.json").is_file() or any(map(Path.is_dir, plugins))


def checked_root(path: Path) -> Path:
    """The vault's real path. Raises BadVault when it is no folder."""
    root = Path(os.path.realpath(path.expanduser()))
    if not root.is_dir():
        raise BadVault(f"{path} is not a folder", "name an existing vault, or make one with deepseedian init")
    return root


def located(root: Path, memory_folder: str, config: str = "") -> Vault:
    """The vault's places; `memory_folder` is the setting, empty for the plugin folder."""
    plugins = config_folder(root, config) / "plugins"
    if memory_folder:
        memory = root / memory_folder
        if not Path(os.path.realpath(memory)).is_relative_to(root):
            raise BadVault(f"{memory_folder} leads outside the vault", "name a folder inside the vault")
        return Vault(root, plugins / PLUGINS[0], memory)
    found = (plugins / name / "memory" for name in PLUGINS)
    memory = next((path for path in found if path.is_dir()), plugins / PLUGINS[0] / "memory")
    return Vault(root, plugins / PLUGINS[0], memory)


def nearest(start: Path) -> Path:
    """The nearest folder upwards that is a vault. Raises BadVault."""
    for folder in (start, *start.parents):
        if any(_configured(path) for path in folder.glob(".*") if path.is_dir()):
            return folder
    raise BadVault("no vault here or above", "name one with --vault PATH, or make one with deepseedian init PATH")


def require_memory(vault: Vault) -> None:
    if not vault.memory.is_dir():
        raise NoMemory(f"{vault.root} has no memory yet", f"deepseedian init {vault.root}")
