"""The keys of the models: a non-empty environment variable, else the system's keyring, else a 0600 file in the config folder.

A key has a name: `model`, `embedding`, or one that a profile uses. It is never in the vault, never printed, never logged and
never on the wire; doors show only that it is set and where it comes from. The environment is read and never changed.
"""

import os
import re
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from deepseedian.config.files import read_regular, replace_file
from deepseedian.config.folders import config_folder, private
from deepseedian.core import topic
from deepseedian.errors import BadInput, BadTopic
from deepseedian.models import keyrings

MODEL, EMBEDDING = "model", "embedding"
_VARIABLES = {MODEL: "DEEPSEEDIAN_MODEL_KEY", EMBEDDING: "DEEPSEEDIAN_EMBEDDING_KEY"}
_NAMED = "DEEPSEEDIAN_KEY_"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_LIMIT = 4096


@dataclass(frozen=True, slots=True)
class Held:
    """A key and where it comes from, both empty when there is none; `fault`: why a file that is there does not count."""

    key: str = ""
    origin: str = ""
    fault: str = ""

    def document(self, name: str) -> dict[str, object]:
        return {"name": name, "set": bool(self.key), "origin": self.origin} | ({"fault": self.fault} if self.fault else {})


def plain(name: str) -> str:
    """The name as everything spells it: one for `Work_1` and `work-1`. Raises BadInput."""
    found = name.strip().lower().replace("_", "-")
    try:
        if _NAME.fullmatch(found) and topic.checked(found):
            return found
    except BadTopic:
        pass
    raise BadInput(f"{name!r} cannot name a key", "up to 40 letters, digits and hyphens")


def variable(name: str) -> str:
    """The environment variable that holds it."""
    name = plain(name)
    return _VARIABLES.get(name) or _NAMED + name.upper().replace("-", "_")


def path_of(name: str) -> Path:
    return config_folder() / f"{plain(name)}.key"


def held(name: str, wait: float = keyrings.WAIT_SECONDS) -> Held:
    """The key in force. `wait` is how long the keyring may take to be asked for the first time."""
    name = plain(name)
    given = os.environ.get(variable(name), "").strip()
    if given:
        return Held(given, "environment")
    found = keyrings.get(name, wait).strip()
    return Held(found, "keyring") if found else _filed(path_of(name))


def _filed(path: Path) -> Held:
    try:
        if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
            return Held(fault=f"{path} is not used: others can read it (chmod 600)")
        found = (read_regular(path, _LIMIT) or b"").decode().strip()
    except FileNotFoundError:
        return Held()
    except (OSError, UnicodeDecodeError):
        return Held(fault=f"{path} cannot be read")
    return Held(found, str(path)) if found else Held()


def keep(name: str, key: str) -> str:
    """Put a key into the keyring, else into its file; where it is now. Raises BadInput."""
    name, key = plain(name), key.strip()
    if not key:
        raise BadInput("the key is empty", f"deepseedian key clear {name} takes one away")
    if not (key.isascii() and key.isprintable()) or " " in key or len(key) > _LIMIT:
        raise BadInput("that is no key: one word of plain letters, digits and signs", "paste the key alone")
    path = path_of(name)
    private(path.parent)
    if keyrings.put(name, key):
        path.unlink(missing_ok=True)  # an older one there would come back when the keyring is gone
        return "keyring"
    replace_file(path, (key + "\n").encode())
    return str(path)


def clear(name: str) -> list[str]:
    """Take a key out of keyring and file; the places it was taken from. Raises BadInput when the keyring keeps it."""
    name = plain(name)
    gone = []
    if keyrings.get(name):
        if not keyrings.drop(name):
            raise BadInput("the keyring did not let go of the key", "take it out with your system's own program")
        gone.append("keyring")
    path = path_of(name)
    with suppress(FileNotFoundError):
        path.unlink()
        gone.append(str(path))
    return gone


def names(used: list[str]) -> list[str]:
    """Every name that a key is known by here: the two fixed ones, `used` by profiles, in the environment, in files."""
    found = [MODEL, EMBEDDING, *used]
    found += [name.removeprefix(_NAMED) for name, value in sorted(os.environ.items()) if name.startswith(_NAMED) and value.strip()]
    found += sorted(path.stem for path in config_folder().glob("*.key"))
    known: dict[str, None] = {}
    for name in found:
        with suppress(BadInput):
            known[plain(name)] = None
    return list(known)


def embedding_key() -> tuple[str, str]:
    """(key, where it comes from) for the embedding server; the chat model's key is never sent there."""
    found = held(EMBEDDING)
    return found.key, found.origin
