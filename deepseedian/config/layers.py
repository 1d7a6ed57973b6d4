"""Where a setting's value comes from: command line, environment, config.toml, the vault's settings.json, default.

The vault's file travels with a synced vault, so it can never hold a key, an address or a wider permission:
such lines are ignored and reported. Files are read again when they changed, so a change is in force at once.
"""

import json
import os
import tomllib
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any, NamedTuple

from deepseedian.config.files import read_regular, replace_file
from deepseedian.config.folders import config_folder, private
from deepseedian.config.settings import SETTINGS, Setting, Value, checked, setting, system_language
from deepseedian.errors import BadSetting

FILE_LIMIT = 1_000_000
VAULT_FILE = "settings.json"
USER_FILE = "config.toml"
_NOTHING: dict[str, object] = {}  # of a file that is not there; nobody puts anything in
PROFILES = "profiles"  # tables of models, no settings: only the user's file may hold them


class Effective(NamedTuple):
    """A setting's value in force and the layer it came from."""

    setting: Setting
    value: Value
    origin: str

    def document(self) -> dict[str, object]:
        return {"name": self.setting.name, "value": self.value, "origin": self.origin, "meaning": self.setting.meaning}


class Config:
    """The layers for one vault. `plugin` is the vault's plugin folder, `overrides` the command line."""

    def __init__(self, plugin: Path, overrides: Mapping[str, object] | None = None) -> None:
        self.vault_file = plugin / VAULT_FILE
        self.overrides = dict(overrides or {})
        self._cache: dict[Path, tuple[tuple[int, int], dict[str, object]]] = {}
        self.faults: dict[str, str] = {}
        self._last: _Still | None = None

    @property
    def user_file(self) -> Path:
        return config_folder() / USER_FILE

    def __getitem__(self, name: str) -> Value:
        return self.effective(name).value

    def text(self, name: str) -> str:
        return str(self[name])

    def number(self, name: str) -> int:
        return int(self[name])

    def share(self, name: str) -> float:
        return float(self[name])

    def on(self, name: str) -> bool:
        return bool(self[name])

    def chosen(self, name: str) -> bool:
        """Whether somebody set it, be it to its default."""
        return self.effective(name).origin != "default"

    def still(self) -> "Config":
        """The values of this moment, for somebody who asks for many: files and environment are looked at once.

        The next one gets the same ones while all is the same: most of what a recall spent on its twenty settings was finding
        them again.
        """
        around, last = _environment(), self._last
        if last is None or last.around != around:
            last = None
        user, vault = self._user(last.user_file if last else self.user_file), self._vault()
        if last is None or last.user is not user or last.vault is not vault or last.overrides != self.overrides:
            last = self._last = _Still(self, user, vault, dict(around))
        return last

    def all(self) -> list[Effective]:
        return [self.effective(name) for name in SETTINGS]

    def effective(self, name: str) -> Effective:
        """The first layer that holds a valid value wins; an invalid one is reported and passed over."""
        chosen = setting(name)
        for origin, value in self._candidates(chosen):
            try:
                return Effective(chosen, checked(name, value), origin)
            except BadSetting as error:
                self.faults[f"{origin}: {name}"] = error.message
        default = system_language() if name == "language" else chosen.default
        return Effective(chosen, default, "default")

    def _candidates(self, chosen: Setting) -> list[tuple[str, object]]:
        found: list[tuple[str, object]] = []
        if chosen.name in self.overrides:
            found.append(("command line", self.overrides[chosen.name]))
        told = os.environ.get(chosen.variable)
        if told and told.strip():
            found.append(("environment", told))
        for origin, values in (("config.toml", self._user()), ("settings.json", self._vault())):
            if chosen.name in values:
                found.append((origin, values[chosen.name]))
        return found

    def _user(self, path: Path | None = None) -> dict[str, object]:
        return self._read(path or self.user_file, "config.toml", tomllib.loads)

    def _vault(self) -> dict[str, object]:
        values = self._read(self.vault_file, "settings.json", json.loads)
        for name in [name for name in values if name in SETTINGS and not SETTINGS[name].vault]:
            self.faults[f"settings.json: {name}"] = f"{name} is ignored in a vault's file; put it into config.toml"
            values = {key: value for key, value in values.items() if key != name}
        return values

    def profiles(self) -> Mapping[str, object]:
        """The tables `[profiles.NAME]` of config.toml as they are written; `models.profiles` reads them."""
        found = self._user().get(PROFILES)
        return found if isinstance(found, dict) else {}

    def _read(self, path: Path, origin: str, parse) -> dict[str, object]:  # type: ignore[no-untyped-def]
        try:
            info = path.stat()
        except OSError:
            return _NOTHING
        mark = (info.st_mtime_ns, info.st_size)
        if path not in self._cache or self._cache[path][0] != mark:
            self.faults = {key: text for key, text in self.faults.items() if not key.startswith(origin)}
            self._cache[path] = (mark, self._parsed(path, origin, parse))
        return self._cache[path][1]

    def _parsed(self, path: Path, origin: str, parse) -> dict[str, object]:  # type: ignore[no-untyped-def]
        try:
            data = read_regular(path, FILE_LIMIT)
            if data is None or len(data) > FILE_LIMIT:
                raise ValueError("no regular file, or too large")
            values = parse(data.decode())
            if not isinstance(values, dict):
                raise ValueError("not a table of settings")
        except (OSError, ValueError, RecursionError) as error:
            self.faults[origin] = f"{path.name} cannot be read: {error}"
            return {}
        profiles = values.pop(PROFILES, None)
        flat = _flat(values)
        for name in flat.keys() - SETTINGS.keys():
            self.faults[f"{origin}: {name}"] = f"there is no setting {name!r}"
        if profiles is not None and origin != USER_FILE:
            self.faults[f"{origin}: {PROFILES}"] = f"{PROFILES} are ignored in a vault's file; put them into config.toml"
        elif profiles is not None and not isinstance(profiles, dict):
            self.faults[f"{origin}: {PROFILES}"] = f"{PROFILES} are tables: [profiles.NAME]"
        return flat | ({PROFILES: profiles} if isinstance(profiles, dict) and origin == USER_FILE else {})

    def set(self, name: str, value: str) -> Effective:
        """Write a value to the layer that may hold it: the vault's file, else config.toml."""
        chosen = setting(name)
        good = checked(name, value)
        path = self.vault_file if chosen.vault else self.user_file
        if chosen.vault:
            path.parent.mkdir(parents=True, exist_ok=True)
            values = _json_file(path) | {name: good}
            text = json.dumps(values, ensure_ascii=False, indent=2) + "\n"
            replace_file(path, text.encode(errors="backslashreplace"))  # half a character that stood there stays as it was written
        else:
            private(path.parent)
            replace_file(path, _toml_with(path, name, good).encode())
        return self.effective(name)


class _Still(Config):
    """Values that stay."""

    def __init__(self, source: Config, user: dict[str, object], vault: dict[str, object], around: Mapping[Any, Any]) -> None:
        self.vault_file, self.overrides, self.faults = source.vault_file, dict(source.overrides), source.faults
        self.user, self.vault, self.around, self._user_file = user, vault, around, source.user_file
        self._found: dict[str, Effective] = {}

    @property
    def user_file(self) -> Path:
        return self._user_file

    def still(self) -> Config:
        return self

    def effective(self, name: str) -> Effective:
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = super().effective(name)
        return found

    def _user(self, path: Path | None = None) -> dict[str, object]:
        return self.user

    def _vault(self) -> dict[str, object]:
        return self.vault


def _environment() -> Mapping[Any, Any]:
    """All of it, for a comparison that takes a microsecond; the mapping that Python shows of it decodes every name each time."""
    found: Mapping[Any, Any] = getattr(os.environ, "_data", os.environ)
    return found


def _flat(values: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{prefix}{key}.")
        else:
            found[prefix + key] = value
    return found


def _json_file(path: Path) -> dict[str, object]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        raise BadSetting(f"{path} is not valid JSON", "repair or remove it first; it was left as it is") from None
    if not isinstance(values, dict):
        raise BadSetting(f"{path} is not an object", "repair or remove it first; it was left as it is")
    return values


def _toml_with(path: Path, name: str, value: Value) -> str:
    """The user's file with one value changed; comments and order stay.

    `complete` and `complete.memory` cannot be a value and a table at once: then the longer name is a key in quotes.
    """
    import tomlkit

    try:
        document = tomlkit.parse(path.read_text(encoding="utf-8")) if path.exists() else tomlkit.document()
    except ValueError:
        raise BadSetting(f"{path} is not valid TOML", "repair or remove it first; it was left as it is") from None
    if name in document and not isinstance(document[name], MutableMapping):
        document[name] = value
        return tomlkit.dumps(document)
    table: MutableMapping[str, Any] = document
    *folders, last = name.split(".")
    for folder in folders:
        table = table.setdefault(folder, tomlkit.table())
        if not isinstance(table, MutableMapping):  # a setting of that name: TOML has no place below it
            document[name] = value
            return tomlkit.dumps(document)
    below = table.get(last)
    if isinstance(below, MutableMapping):  # the other way round: what stood below it goes beside it
        beside = _flat(dict(below), f"{name}.")
        del table[last]
        for key, item in beside.items():
            document[key] = item
        document[name] = value
    else:
        table[last] = value
    return tomlkit.dumps(document)
