"""The keys of the models: a non-empty environment variable, else a 0600 file in the config folder.

A key is never in the vault, never printed and never logged; doors show only where it comes from.
"""

import os
import stat

from deepseedian.config.files import read_regular
from deepseedian.config.folders import config_folder

VARIABLE = "DEEPSEEDIAN_MODEL_KEY"
FILE = "model.key"
EMBEDDING_VARIABLE = "DEEPSEEDIAN_EMBEDDING_KEY"
EMBEDDING_FILE = "embedding.key"
_LIMIT = 4096


def model_key() -> tuple[str, str]:
    """(key, where it comes from); both empty when there is none. A file others can read is not used."""
    return _key(VARIABLE, FILE)


def embedding_key() -> tuple[str, str]:
    """The same for the embedding server; the chat model's key is never sent there."""
    return _key(EMBEDDING_VARIABLE, EMBEDDING_FILE)


def _key(variable: str, file: str) -> tuple[str, str]:
    named = os.environ.get(variable, "").strip()
    if named:
        return named, "environment"
    path = config_folder() / file
    try:
        if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
            return "", ""
        found = (read_regular(path, _LIMIT) or b"").decode().strip()
    except (OSError, UnicodeDecodeError):
        return "", ""
    return found, str(path) if found else ""
