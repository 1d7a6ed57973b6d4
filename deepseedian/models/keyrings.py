"""The system's keyring, through the `keyring` package where it is installed; where it is not, or broken, there is simply no key.

A keyring may ask its owner to unlock it, or hang on a bus that nobody serves, so it is asked in a thread and waited for
within bounds. What it said is held for minutes and then asked again behind the answer. Another process that changes a key
touches a file, so that the change is seen at once.
"""

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

from deepseedian.config.folders import config_folder, private

SERVICE = "deepseedian"
WAIT_SECONDS = 2.0
CHANGE_SECONDS = 15.0  # its owner may have to unlock it
HELD_SECONDS = 300.0
STAMP = "keyring.changed"
Mark = tuple[str, int]


@dataclass(slots=True)
class _Look:
    """One question to the keyring, in flight or answered."""

    mark: Mark
    began: float
    done: threading.Event
    value: str = ""


_lock = threading.Lock()
_known: dict[str, _Look] = {}
_asking: dict[str, _Look] = {}


def installed() -> bool:
    return "keyring" in sys.modules or _found()


@cache
def _found() -> bool:
    """Looked for once in a process: a recall that looked for it anew spent a third of its time on that."""
    return find_spec("keyring") is not None


def get(name: str, wait: float = WAIT_SECONDS) -> str:
    """The key, empty when there is none, or none within so many seconds."""
    if not installed():
        return ""
    mark, now = _mark(), time.monotonic()
    with _lock:
        known = _known.get(name)
        if known is not None and known.mark != mark:
            known = None
        if known is not None and now - known.began < HELD_SECONDS:
            return known.value
        asking = _asking.get(name)
        if asking is None or asking.mark != mark:
            asking = _begun(name, mark, now)
    if known is not None:
        return known.value
    asking.done.wait(max(0.0, asking.began + wait - now))
    return asking.value


def _begun(name: str, mark: Mark, now: float) -> _Look:
    look = _asking[name] = _Look(mark, now, threading.Event())

    def ask() -> None:
        with suppress(Exception):
            look.value = str(_package().get_password(SERVICE, name) or "")
        with _lock:
            _known[name] = look
            if _asking.get(name) is look:
                del _asking[name]
        look.done.set()

    threading.Thread(target=ask, name="keyring", daemon=True).start()
    return look


def put(name: str, key: str) -> bool:
    """Whether the keyring has it now, as it says itself when asked back."""
    def change() -> bool:
        _package().set_password(SERVICE, name, key)
        return bool(_package().get_password(SERVICE, name) == key)
    return _changed(change)


def drop(name: str) -> bool:
    """Whether it is gone."""
    def change() -> bool:
        with suppress(Exception):
            _package().delete_password(SERVICE, name)
        return not _package().get_password(SERVICE, name)
    return _changed(change)


def _changed(change: Callable[[], bool]) -> bool:
    if not installed():
        return False
    done: list[bool] = []

    def run() -> None:
        with suppress(Exception):
            done.append(change())

    worker = threading.Thread(target=run, name="keyring", daemon=True)
    worker.start()
    worker.join(CHANGE_SECONDS)
    _stamp()
    return bool(done) and done[0]


def _package() -> Any:
    import keyring

    return keyring


def _mark() -> Mark:
    """Where the stamp lies, and when it was touched."""
    path = config_folder() / STAMP
    try:
        return str(path), path.stat().st_mtime_ns
    except OSError:
        return str(path), 0


def _stamp() -> None:
    path = private(config_folder()) / STAMP
    before = _mark()
    path.touch(mode=0o600)
    while _mark() == before:  # a clock too coarse to tell two changes apart
        time.sleep(0.01)
        path.touch()
