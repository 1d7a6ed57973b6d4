"""The daemon of one vault: bind, announce, answer from the last run at once, warm up behind it."""

import asyncio
import gc
import json
import logging
import secrets
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from deepseedian.api.app import create
from deepseedian.api.host import Host
from deepseedian.daemon.connection import Connection
from deepseedian.daemon.endpoint import Listening, listen
from deepseedian.errors import Busy, ReadOnly
from deepseedian.sidecar import Sidecar

SMALL_BYTES = 50_000
SMALL_COPY_BYTES = 1_000_000
WARM_AFTER_SECONDS = 1.0
STOP_SECONDS = 5
SWITCH_SECONDS = 0.0005
LARGE_ENTRIES = 5000
LARGE_SAVE_SECONDS = 120.0
log = logging.getLogger("deepseedian.daemon")


class Daemon:
    """Holds the daemon lock for its life; `run` returns when it was asked to stop."""

    def __init__(self, sidecar: Sidecar, announced: Callable[[Listening], None] = lambda listening: None) -> None:
        self.sidecar, self.announced = sidecar, announced
        self._saved = 0.0
        self._answered = threading.Event()
        self._watcher: object = None
        self._timetable: object = None
        self._stop: Callable[[], None] = lambda: None

    def run(self) -> None:
        """Raises AlreadyRunning, or BadVault for what can be no lock, before anything is touched."""
        self.sidecar.store.lock.hold_daemon()
        try:
            self.sidecar.store.lock.check_visible()  # the owner must hear of it now, not at the first write
            listening = listen(self.sidecar.instance.id)
            try:
                self._serve(listening)
            finally:
                listening.withdraw()
                self._end()
        finally:
            self.sidecar.store.lock.release_daemon()

    def _serve(self, listening: Listening) -> None:
        token = secrets.token_urlsafe(32)
        host = Host(self.sidecar, token, listening.port, listening.path, answered=self._answered.set)
        config = uvicorn.Config(create(host), http=Connection, log_level="warning", access_log=False, lifespan="off", ws="none",
                                timeout_graceful_shutdown=STOP_SECONDS, timeout_keep_alive=75, server_header=False)
        server = uvicorn.Server(config)
        host.stop = self._stop = lambda: setattr(server, "should_exit", True)
        host.stopping = lambda: server.should_exit
        _ignore_repeated_signals()
        listening.announce(self.sidecar.vault.root, token, self.sidecar.seam.clock.stamp())
        self._warm_up()
        self.announced(listening)
        gc.enable()
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(server.serve(sockets=list(listening.sockets)))

    def _warm_up(self) -> None:
        """A small memory is read before the first answer; a large one behind it, after the first answer."""
        small = sum(path.stat().st_size for path in self.sidecar.vault.memory.glob("topics/**/*.md")) < SMALL_BYTES
        if small:
            self.sidecar.warm()
        threading.Thread(target=self._behind, args=(small,), name="warm-up", daemon=True).start()

    def _behind(self, warm: bool) -> None:
        if warm or self.sidecar.cold:  # else the first answer waits for this very thread
            self._answered.wait(WARM_AFTER_SECONDS)
        if not warm:
            self._step("warm_up", self.sidecar.warm)
        self._step("idle", self.sidecar.idle.quiet_seconds)  # made here once, before threads ask for it
        self._step("watcher", self._watch)
        self._step("review", self.sidecar.catch_up)
        self._step("copies", self.settle)
        self._step("schedule", self._schedule)
        self._step("semantic", self.sidecar.compare)
        self._step("notes", self.sidecar.follow_notes)
        self._step("recall", self.sidecar.prepare)
        gc.freeze()  # what was read stays: looking through all of it for garbage again and again held recalls up

    def _step(self, name: str, step: Callable[[], object]) -> None:
        """The daemon goes on with the parts that work, and says which do not."""
        try:
            step()
        except Exception as error:
            log.error("%s failed: %s", name, type(error).__name__)
            self.fault(name, f"this part failed at the start: {type(error).__name__}")

    def _watch(self) -> None:
        from deepseedian.daemon.watcher import Watcher

        watcher = Watcher(self.sidecar.vault.root, self.sidecar.vault.memory, self, observer=self.sidecar.seam.observer,
                          noted=self.sidecar.note_hint)
        self._watcher = watcher
        watcher.start()
        watcher.compare()

    def _schedule(self) -> None:
        from deepseedian.daemon.schedule import Schedule

        schedule = Schedule(self.sidecar.tick)
        self._timetable = schedule
        schedule.start()

    def _end(self) -> None:
        for part in (self._timetable, self._watcher):
            stop = getattr(part, "stop", None)
            if stop is not None:
                stop()
        if "idle" in self.sidecar.__dict__:
            self.sidecar.idle.stop()
        self.sidecar.end_turns()
        self.sidecar.close()

    # What the watcher drives

    def reconcile(self, hinted: frozenset[str], deep: bool) -> bool:
        again = self.sidecar.store.refresh(deep=deep, hinted=hinted)
        if deep and not self.sidecar.store.original:
            with suppress(Busy, ReadOnly):  # another program is writing, or nothing may be written: next time
                self.sidecar.store.mend()
        with suppress(Busy, ReadOnly):
            self.sidecar.merge_copies()
        self.sidecar.store.derive()
        self.sidecar.store.keeping.save(SMALL_COPY_BYTES)
        if deep:
            self.sidecar.compare_notes()
        return again

    def settle(self) -> None:
        """Save copies and index once things are quiet; a large index not more than every two minutes."""
        now = self.sidecar.seam.clock.monotonic()
        large = len(self.sidecar.store.snapshot.entries) > LARGE_ENTRIES
        if not large or now - self._saved > LARGE_SAVE_SECONDS or not self._saved:
            self._saved = now
            self.sidecar.save()

    def edited(self, path: str) -> None:
        """A note outside memory was edited: the owner is at it. Our own notes are no sign of that."""
        if not self.is_review(path):
            self.sidecar.idle.activity()

    def is_review(self, path: str) -> bool:
        return path.startswith(f"{self.review_folder()}/")

    def review_folder(self) -> str:
        return self.sidecar.config.text("review.folder")

    def review(self, paths: frozenset[str]) -> None:
        for path in sorted(paths):
            self.sidecar.review.read_note(path)

    def fault(self, code: str, message: str) -> None:
        self.sidecar.faults[code] = message
        self.sidecar.broadcast.publish("diagnostic", code=code, message=message)

    def clear(self, code: str) -> None:
        if self.sidecar.faults.pop(code, None) is not None:
            self.sidecar.broadcast.publish("diagnostic", code=code, message="")

    def present(self) -> bool:
        """Whether the vault is still at its path; a daemon whose vault was moved away ends, and frees its locks."""
        try:
            there = self.sidecar.vault.root.is_dir()
        except OSError:  # a moment of the disk: nobody can tell, so it is not gone
            there = True
        if not there:
            log.warning("the vault is gone from its path; stopping")
            self._stop()
        return there

    def reconcile_seconds(self) -> int:
        return self.sidecar.config.number("watch.reconcile_seconds")


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """None stands for Python's own loop: uvloop is not made for Windows."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _ignore_repeated_signals() -> None:
    """uvicorn raises the signal that stopped it once more when it is done; cleaning up comes after that."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(ValueError):
            signal.signal(number, lambda *_: None)


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message. Messages name codes and ids, never texts."""

    def format(self, record: logging.LogRecord) -> str:
        body = {"at": self.formatTime(record), "level": record.levelname, "logger": record.name, "message": record.getMessage()}
        if record.exc_info and record.exc_info[0]:
            body["error"] = record.exc_info[0].__name__
        return json.dumps(body, ensure_ascii=False)


def log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.getLogger().addHandler(handler)


def serve(root: Path, *, config_dir: str = "", announced: Callable[[Listening, Sidecar], None] | None = None) -> None:
    """Open a vault and run its daemon in this process until it is stopped."""
    log_to_stderr()
    sys.setswitchinterval(SWITCH_SECONDS)  # reading a large memory must not hold up answers
    sidecar = Sidecar.open(root, config_dir=config_dir, resident=True)
    Daemon(sidecar, lambda listening: announced(listening, sidecar) if announced else None).run()
