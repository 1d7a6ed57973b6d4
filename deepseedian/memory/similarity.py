"""Semantic recall: which entries are near a question in meaning. Optional: whatever fails, recall goes on by words.

A daemon looks for a model at its start and in the background, follows the snapshots and embeds what is new. Within a recall
only the question is embedded, for a bounded time; an answer that comes late is kept for the next time, and a server that
failed is not asked again before the background has seen it alive. A command beside no daemon embeds only its question, with
the server the daemon found last; the packaged model takes longer to load than a question may wait, so it needs a daemon or
an asked refresh.
"""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deepseedian.config.layers import Config
from deepseedian.core.similar import Similar
from deepseedian.core.snapshot import Difference, Snapshot
from deepseedian.errors import DeepseedianError, ModelFailed
from deepseedian.memory.covering import Covering
from deepseedian.models import discovery
from deepseedian.models.calibration import calibrated
from deepseedian.models.connection import is_local
from deepseedian.models.credentials import embedding_key
from deepseedian.models.discovery import PACKAGED, Attempt, Found, Wanted
from deepseedian.models.embedding import TOO_LONG, Embedder, OpenAIEmbedder
from deepseedian.store.vectors import Space, VectorCache

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

NEAREST = 200
QUESTIONS = 256
IN_FLIGHT = 4
LATE_SECONDS = 20.0
LATE_IN_A_ROW = 3
BATCH_SECONDS = 60.0
FIRST_WAIT = 30.0
LONGEST_MINUTES = 60
SETTINGS_SECONDS = 5.0
PROGRESS_SECONDS = 0.5
CLOSE_SECONDS = 2.0

Progress = Callable[[int, int], None]
log = logging.getLogger("deepseedian.similarity")


class Similarity:
    """One vault's. Thread-safe. `told` gets events: a kind and its values. `close` waits for no server."""

    def __init__(self, path: Path, config: Config, *, resident: bool = False, told: Callable[..., None] = lambda kind, **values: None,
                 count: Callable[[], None] = lambda: None,
                 look: Callable[..., tuple[Found | None, list[Attempt]]] = discovery.look) -> None:
        self.path, self.config, self.resident, self._told, self._count, self._look = path, config, resident, told, count, look
        self.covering = Covering()
        self._lock = threading.RLock()
        self._wake = threading.Condition(self._lock)
        self._working = threading.Lock()  # looking and embedding: the background's, or an asked refresh
        self._cache: VectorCache | None = None
        self._found: Found | None = None
        self._wanted: Wanted | None = None
        self._attempts: list[Attempt] = []
        self._away = ""
        self._failures = self._late = self._looks = 0
        self._next = 0.0
        self._used = self._asked = False
        self._seconds = 0.0
        self._answers: OrderedDict[tuple[int, str], Vector] = OrderedDict()
        self._asking: dict[tuple[int, str], tuple[threading.Event, float]] = {}
        self._thread: threading.Thread | None = None
        self._closed = self._opened = self._pruned = False

    # Following the store

    def begin(self, current: Callable[[], Snapshot]) -> None:
        """Once the store is read. A resident one begins to look and to embed behind everything else."""
        self.covering.begin(current)
        with self._wake:
            if self.resident and self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="similarity", daemon=True)
                self._thread.start()
            self._wake.notify_all()

    def update(self, snapshot: Snapshot, change: Difference) -> None:
        """A listener of the store; returns at once."""
        try:
            self.covering.update(snapshot, change)
        except Exception as error:  # vectors that missed a change are worth nothing: they are looked up anew
            log.error("the vectors are looked up anew: %s", type(error).__name__)
            self.covering.begin(lambda: snapshot)
        if change:
            self.wake()

    def wake(self) -> None:
        """Settings or entries changed."""
        with self._wake:
            self._wake.notify_all()

    # Within a recall

    def similar(self, question: str) -> Similar | None:
        """What is near, within semantic.timeout_ms; None when there is no model, it is too slow, or anything is wrong."""
        try:
            return self._similar(question)
        except Exception as error:  # a recall by words is always better than none
            log.warning("no semantic recall: %s", type(error).__name__)
            return None

    def near(self, ids: Sequence[str]) -> list[list[float]]:
        """Cosines of entries with each other, in their order, 0 where one has no vector; [] without vectors."""
        return self.covering.pairs(ids) if self._found is not None else []

    def _similar(self, question: str) -> Similar | None:
        if self._found is None and not self.resident:
            self._open_last()
        found, space = self._found, self.covering.space
        if found is None or space is None or not len(self.covering.matrix) or not question.strip():
            return None
        if self.wanted() != self._wanted:
            self.wake()
            return None
        vector = self._vector(found.embedder, space, question)
        if vector is None:
            return None
        with self.covering.lock:
            if self.covering.space is None or self.covering.space.id != space.id:  # another model came meanwhile
                return None
            best, mean, deviation = self.covering.matrix.nearest(vector, NEAREST)
            count = len(self.covering.matrix)
        share = float(self.config["semantic.min_similarity"])
        floor = space.calibration.floor(share, mean, deviation, count) if space.calibration else share
        return Similar(space.model, dict(best), mean, deviation, floor)

    def _vector(self, embedder: Embedder, space: Space, question: str) -> "Vector | None":
        key = (space.id, question)
        timeout = self.config.number("semantic.timeout_ms") / 1000
        with self._lock:
            self._used = True
            if key in self._answers:
                self._answers.move_to_end(key)
                return self._answers[key]
            now = time.monotonic()
            if key not in self._asking:
                if self._away or len(self._asking) >= IN_FLIGHT or any(now - begun > timeout for _, begun in self._asking.values()):
                    return None
                self._asking[key] = (threading.Event(), now)
                threading.Thread(target=self._ask, args=(embedder, key, timeout), name="question", daemon=True).start()
            done, begun = self._asking[key]
            wait = timeout if self._late < LATE_IN_A_ROW else 0.0
        done.wait(max(0.0, begun + wait - now))
        with self._lock:
            return self._answers.get(key)

    def _ask(self, embedder: Embedder, key: tuple[int, str], timeout: float) -> None:
        """In a thread of its own: late or not, the vector is kept."""
        begun = time.monotonic()
        try:
            self._count()
            vector = embedder.embed([key[1]], question=True, seconds=max(LATE_SECONDS, timeout))[0]
        except ModelFailed as error:
            if error.code != TOO_LONG:
                self._failed(error.message, embedder)
        except Exception as error:
            self._failed(type(error).__name__, embedder)
        else:
            with self._lock:
                self._seconds = time.monotonic() - begun
                self._late = self._late + 1 if self._seconds > timeout else 0
                self._answers[key] = vector
                while len(self._answers) > QUESTIONS:
                    self._answers.popitem(last=False)
        finally:
            with self._lock:
                done, _ = self._asking.pop(key)
            done.set()

    def _open_last(self) -> None:
        """For a command: the model that was used last, if it is wanted and still the same. Everything else is left to a daemon."""
        with self._lock:
            if self._opened:
                return
            self._opened = True
        wanted = self.wanted()
        if wanted.mode == "off" or not self.path.exists():
            return
        cache = self._vectors()
        space = next(iter(cache.spaces()), None)
        if space is None or space.address not in discovery.places(wanted) or space.model not in discovery.candidates(
                [space.model], wanted, wanted.named) or (is_local(space.address) and not discovery.listens(space.address)):
            return
        embedder = OpenAIEmbedder(space.address, space.model, _key_of(wanted, space.address))
        try:
            embedder.prepare()
            probe = embedder.embed([discovery.PROBE], question=False, seconds=self.config.number("semantic.timeout_ms") / 1000)[0]
            same = cache.space(space.model, probe, space.address).id == space.id
        except BaseException:
            embedder.close()
            raise
        if not same:
            embedder.close()
            return
        self.covering.open(space)
        while self.covering.look_up(cache):
            pass
        self._wanted, self._found = wanted, Found(embedder, probe, 0.0, wanted.named, "last", space.address)

    # Behind it

    def wanted(self) -> Wanted:
        """What the settings ask for; `smart` off switches it off unless `semantic` was set by somebody."""
        semantic, address, model = (self.config.effective(name) for name in ("semantic", "semantic.endpoint", "semantic.model"))
        off = not self.config["smart"] and semantic.origin == "default"
        return Wanted("off" if off else str(semantic.value), str(address.value), str(model.value),
                      address.origin != "default", model.origin != "default")

    def _run(self) -> None:
        while not self._closed:
            try:
                self._turn()
            except Exception as error:  # the background goes on: a full disk or a locked file passes
                self._failed(error.message if isinstance(error, DeepseedianError) else type(error).__name__)
            with self._wake:
                if self._closed:
                    return
                if not self._asked and (self._away or self._found is None or not self.covering.missing):
                    self._wake.wait(SETTINGS_SECONDS)

    def _turn(self) -> None:
        with self._working:
            if self._due():
                self._find()
            if self._found is not None and not self._away:
                self._cover(lambda done, total: None, lambda: self._closed or self.wanted() != self._wanted)

    def _due(self) -> bool:
        """Whether to look: at the start, when the settings changed, and every so often.

        A server that nobody used since is left in peace: asking would keep its model in memory for ever.
        """
        if self.wanted() != self._wanted or self._asked:
            return True
        if time.monotonic() < self._next:
            return False
        again = bool(self.config.number("semantic.refresh_minutes")) and (self._used or self._found is None)
        return again or bool(self._away)  # a server that was found is asked again, even where none is looked for

    def _find(self) -> None:
        """Look for a model and open its space."""
        wanted, self._asked = self.wanted(), False
        spaces: dict[int, Space] = {}
        found, attempts = self._look(wanted, lambda: embedding_key()[0], lambda found: self._suits(found, spaces))
        space, away = spaces[id(found)] if found is not None else None, self._away
        with self._lock:
            old, before = self._found, self.covering.space
            self._attempts, self._wanted, self._used = attempts, wanted, False
            if found is None or space is None:
                self._lost(wanted)
            else:
                if old is not None and before is not None and before.id == space.id and old.address == found.address:
                    old, found = found, replace(old, seconds=found.seconds)  # its connections, and questions under way, go on
                self._found, self._away, self._seconds = found, "", found.seconds
                self._failures = self._late = 0
                self.covering.open(space)
            self._next = time.monotonic() + self._pause()
            self._looks += 1
        if old is not None:
            old.embedder.close()
        if away and not self._away:
            self._told("diagnostic", code="semantic_away", message="")
        if (before and before.id) != (space and space.id):
            self._told("embedding.model", model=space.model if space else "", dimension=space.dimension if space else 0)

    def _lost(self, wanted: Wanted) -> None:
        """Nothing was found. What was there before keeps its vectors in memory, unless it is not wanted any more."""
        self._failures += 1
        if wanted.mode == "off":
            self.covering.shut()
            self._away = ""
        elif self._found is not None and not self._away:
            self._away = "the embedding model does not answer any more"
        self._found = None

    def _suits(self, found: Found, spaces: dict[int, Space]) -> str:
        """A reason against a model; its space is opened, and its scale measured when it is new."""
        cache = self._vectors()
        space = cache.space(found.embedder.model, found.probe, found.address)
        if space.calibration is None:
            scale = calibrated(found.embedder, BATCH_SECONDS)
            if not scale.tells and not found.named:
                return "it does not tell related sentences from others"
            cache.calibrate(space, scale)
            space = next(item for item in cache.spaces() if item.id == space.id)
        spaces[id(found)] = space
        return ""

    def _pause(self) -> float:
        """Seconds to the next look: sooner after a failure, then later and later."""
        regular = (self.config.number("semantic.refresh_minutes") or LONGEST_MINUTES) * 60.0
        return min(regular, FIRST_WAIT * 2 ** min(self._failures - 1, 10)) if self._failures else regular

    def _failed(self, reason: str, embedder: Embedder | None = None) -> None:
        """Nobody waits for it again before the background has seen it alive. What another embedder did before is past."""
        with self._lock:
            if self._closed or (embedder is not None and (self._found is None or self._found.embedder is not embedder)):
                return
            news = not self._away
            self._away = reason
            self._failures += 1
            self._next = time.monotonic() + self._pause()
            self._wake.notify_all()
        if news:
            self._told("diagnostic", code="semantic_away", message=reason)

    def _cover(self, progress: Progress, cancelled: Callable[[], bool]) -> None:
        """Give every entry its vector. Raises ModelFailed."""
        cache, found = self._vectors(), self._found
        assert found is not None
        while not cancelled() and self.covering.look_up(cache):
            pass
        if not self.covering.missing:
            return
        told = 0.0
        while not cancelled() and (self.covering.look_up(cache) or self.covering.embed(found.embedder, cache, BATCH_SECONDS)):
            self._used = True
            done, missing = self._numbers()
            progress(done, done + missing)
            if time.monotonic() - told > PROGRESS_SECONDS or not missing:
                told = time.monotonic()
                self._told("embedding.progress", model=found.embedder.model, done=done, total=done + missing)
        if not self.covering.missing and not self._pruned:  # it reads everything: once a run is enough
            self._pruned = True
            cache.prune(self.covering.hashes())

    def _numbers(self) -> tuple[int, int]:
        with self.covering.lock:
            return len(self.covering.matrix) + len(self.covering.refused), self.covering.missing

    # Asked for

    def refresh(self, progress: Progress = lambda done, total: None, cancelled: Callable[[], bool] = lambda: False) -> dict[str, Any]:
        """Look now and embed all that is missing, here: the status afterwards. Raises ModelFailed, or NotFound's kin when there is none."""
        with self._working:
            self._find()
            if self._found is None:
                raise ModelFailed("there is no embedding model", "deepseedian embedding test tells what was tried", code="model_away")
            try:
                self._cover(progress, lambda: cancelled() or self._closed)
            except ModelFailed as error:
                self._failed(error.message)
                raise
        return self.status()

    def test(self) -> dict[str, Any]:
        """What is found now, from anew: {"model","dimension","latencyMs","address","origin","tried"}; model is empty without one."""
        wanted = self.wanted()
        found, attempts = self._look(wanted, lambda: embedding_key()[0], _tells)
        answer: dict[str, Any] = {"model": "", "dimension": 0, "latencyMs": None, "address": "", "origin": "", "mode": wanted.mode}
        if found is not None:
            with suppress(ModelFailed):  # once more: the first call may have loaded the model
                begun = time.monotonic()
                found.embedder.embed([discovery.PROBE], question=True, seconds=LATE_SECONDS)
                answer["latencyMs"] = round((time.monotonic() - begun) * 1000, 1)
            answer |= {"model": found.embedder.model, "dimension": found.embedder.dimension}
            answer |= {"address": found.address, "origin": found.origin}
            found.embedder.close()
        return answer | {"key": embedding_key()[1], "tried": [item.document() for item in attempts]}

    def models(self) -> dict[str, Any]:
        """{"address","models"} of the server in use, else of the configured one. Raises ModelFailed."""
        wanted, found = self.wanted(), self._found
        address = found.address if found is not None and found.address != PACKAGED else wanted.address
        if not address:
            return {"address": PACKAGED, "models": [found.embedder.model] if found else []}
        return {"address": address, "models": discovery.models(address, _key_of(wanted, address))}

    def erase(self, texts: Sequence[str]) -> int:
        """No vector of these texts stays, in the file or in memory; questions neither. Raises Busy while the file is in use."""
        with self._lock:
            self._answers.clear()
        if not self.path.exists():
            return 0
        with self.covering.writing:
            return self._vectors().erase(texts)

    def hurry(self) -> dict[str, Any]:
        """Let the background look now; the status, whose `looks` grows when that is done."""
        with self._wake:
            self._next, self._used, self._asked = 0.0, True, True
            self._wake.notify_all()
        return self.status()

    def status(self) -> dict[str, Any]:
        """{"state","mode","model","dimension","entries","missing","refused","bytes","address","origin","latencyMs","fault",…}.

        `state`: off, none (nothing found), away (found once, does not answer), embedding, ready. `bytes` is the size in memory.
        """
        wanted, found, covering = self.wanted(), self._found, self.covering
        with covering.lock:
            space, missing = covering.space, covering.missing
            held = {"entries": len(covering.matrix), "missing": missing, "refused": len(covering.refused), "bytes": covering.matrix.bytes}
        found_state = "none" if found is None else "embedding" if missing else "ready"
        return {"state": "off" if wanted.mode == "off" else "away" if self._away else found_state, "mode": wanted.mode,
                "model": space.model if space else "", "dimension": space.dimension if space else 0, **held,
                "address": found.address if found else "", "origin": found.origin if found else "",
                "latencyMs": round(self._seconds * 1000, 1) if found else None, "fault": self._away, "looks": self._looks,
                "tried": [item.document() for item in self._attempts]}

    def faults(self) -> dict[str, str]:
        """For health: a model that was there or was asked for, and does not answer. Finding none by itself is no fault."""
        wanted = self._wanted
        if self._away:
            return {"semantic_away": f"recall goes by words alone: {self._away}"}
        if wanted is not None and self._found is None and wanted.mode != "off" and (wanted.named or wanted.mode == "local"):
            tried = next((item.outcome for item in self._attempts), "nothing was found")
            return {"semantic_away": f"recall goes by words alone: {wanted.address or PACKAGED}: {tried}"}
        return {}

    def close(self) -> None:
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join(CLOSE_SECONDS)
        if self._found is not None:
            self._found.embedder.close()
        if self._cache is not None:
            self._cache.close()

    def _vectors(self) -> VectorCache:
        with self._lock:
            if self._cache is None:
                self._cache = VectorCache(self.path)
            return self._cache


def _key_of(wanted: Wanted, address: str) -> Callable[[], str]:
    """The key goes to the configured address alone."""
    return (lambda: embedding_key()[0]) if address == wanted.address else (lambda: "")


def _tells(found: Found) -> str:
    scale = calibrated(found.embedder, BATCH_SECONDS)
    return "" if scale.tells or found.named else "it does not tell related sentences from others"
