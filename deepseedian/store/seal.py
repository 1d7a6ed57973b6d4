"""What proves that a record in a synced journal was written by this device.

journal.json travels with the vault, so anyone who can write there can write records with our device's name.
A seal is the HMAC-SHA-256 of a record under a key that never leaves this device's state folder.
"""

import hmac
import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from deepseedian.config.files import made_once
from deepseedian.core import comment
from deepseedian.store.journal import Record

KEY_BYTES = 32


class Seal:
    """The key of one device, made once. Raises OSError when it cannot be read: another key would disown all that it sealed."""

    def __init__(self, path: Path) -> None:
        key = made_once(path, lambda: secrets.token_bytes(KEY_BYTES))
        self.valid: Callable[[Record], bool] = lru_cache(maxsize=512)(lambda record: hmac.compare_digest(record.seal, _seal(key, record)))
        self._key = key

    def sealed(self, record: Record) -> Record:
        return replace(record, seal=_seal(self._key, record))


def _seal(key: bytes, record: Record) -> str:
    return hmac.digest(key, comment.dumps(replace(record, seal="").document()).encode(), "sha256").hex()
