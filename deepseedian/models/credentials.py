"""The key of the model: a non-empty environment variable, else a 0600 file in the config folder.

A key is never in the vault, never printed and never logged; doors show only where it comes from.
"""

import os
import stat

from deepseedian.config.files import read_regular
from deepseedian.config.folders import config_folder

VARIABLE = "DEEPSEEDIAN_MODEL_KEY"
FILE = "model.key"
_LIMIT = 4096


def model_key() -> tuple[str, str]:
    """(key, where it comes from); both empty when there is none. A file others can read is not used."""
    named = os.environ.get(VARIABLE, "").strip()
    if named:
        return named, "environment"
    path = config_folder() / FILE
    try:
        if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
            return "", ""
        found = (read_regular(path, _LIMIT) or b"").decode().strip()
    except (OSError, UnicodeDecodeError):
        return "", ""
    return found, str(path) if found else ""
