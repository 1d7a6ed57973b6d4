"""The door a command goes through: the running daemon's socket, else the vault itself.

Both ends are called by the same operation names. An answer that got lost is asked for again with the
same idempotency key, never blindly: what was carried out once is not carried out twice.
"""

import os
import secrets
from collections.abc import Generator, Iterator
from pathlib import Path

import click

from deepseedian import client
from deepseedian.config.folders import runtime_folder
from deepseedian.errors import BadInput, BadVault, Busy, DaemonAway, NotFound

LEAST_CHARS, WHOLE_CHARS = 4, 36  # an id may be shortened; a whole one is never looked up
WRITES = ("remember", "edit", "move", "pin", "forget")  # repeated with the same idempotency key
PATIENT = ("organize", "sweep", "import_items", "import_sessions")  # waited for longer
REPEATABLE = ("recall", "observe", "decide", "activity", "set_setting", "check", "session_set",
              "import_items", "import_sessions")  # the same answer twice


class Door:
    """One command's way in. `vault` is found when it is first needed."""

    def __init__(self, vault: str, config_dir: str) -> None:
        self._vault, self.config_dir = vault, config_dir

    @property
    def named(self) -> str:
        """The vault as --vault or DEEPSEEDIAN_VAULT names it; empty when the folder decides."""
        return self._vault or os.environ.get("DEEPSEEDIAN_VAULT", "").strip()

    @property
    def vault(self) -> Path:
        """--vault, DEEPSEEDIAN_VAULT, or the nearest folder upwards that is a vault. Raises BadVault."""
        named = self.named
        if named:
            path = expanded(named)
            if not path.is_dir():
                raise BadVault(f"{named} is not a folder", "name an existing vault, or make one with deepseedian init")
            return Path(os.path.realpath(path))
        return _nearest(Path.cwd())

    def endpoint(self) -> client.Endpoint | None:
        return client.endpoint_of(self.vault, runtime_folder())

    def call(self, operation: str, **values: object) -> dict[str, object]:
        """One operation's answer as a document."""
        answer = self._call(operation, values)
        return answer if isinstance(answer, dict) else {"text": answer}

    def stream(self, operation: str, **values: object) -> Iterator[str]:
        """One operation whose answer is text of any length."""
        answer = self._call(operation, values)
        if isinstance(answer, str):
            yield answer
        elif not isinstance(answer, dict):
            yield from answer  # type: ignore[misc]

    def events(self, operation: str, **values: object) -> Generator[tuple[str, dict[str, object]], None, None]:
        """A long answer's events as they come, from the daemon or from this process. Raises Busy when they end in the middle."""
        endpoint = self.endpoint()
        try:
            if endpoint is not None:
                yield from client.stream(endpoint, operation, values)
                return
        except DaemonAway:
            pass  # it died and left its endpoint file: the vault is ours to open
        except client.LostAnswer:
            raise Busy("the daemon ended in the middle of its answer", "what was answered is kept: deepseedian sessions") from None
        yield from self._local_events(operation, values)

    def _local_events(self, operation: str, values: dict[str, object]) -> Iterator[tuple[str, dict[str, object]]]:
        from deepseedian.sidecar import Sidecar

        sidecar = Sidecar.open(self.vault, config_dir=self.config_dir)
        try:
            yield from getattr(sidecar, operation)(**values)
        finally:
            sidecar.close()

    def _call(self, operation: str, values: dict[str, object]) -> object:
        if operation in WRITES:
            values["key"] = secrets.token_hex(12)
        for _ in range(2):
            endpoint = self.endpoint()
            if endpoint is None:
                break
            try:
                seconds = client.ORGANIZE_SECONDS if operation in PATIENT else client.ANSWER_SECONDS
                return client.call(endpoint, operation, values, seconds)
            except DaemonAway:
                break  # it died and left its endpoint file: the vault is ours to open
            except client.LostAnswer:
                if operation not in WRITES + REPEATABLE and client.ROUTES[operation][0] != "GET":
                    raise Busy("the daemon's answer was lost", "deepseedian history shows whether it happened") from None
        return self._local(operation, values)

    def full(self, given: str, *kinds: str, session: str = "") -> str:
        """The id of one of the kinds that begins so, where exactly one does; else what was given. Raises BadInput, which lists them."""
        if not LEAST_CHARS <= len(given) < WHOLE_CHARS:
            return given
        matches: dict[str, str] = {}
        for kind in kinds:
            found = self.call("matching", kind=kind, prefix=given, session=session)["matches"]
            matches |= {row["id"]: row["text"] for row in found} if isinstance(found, list) else {}
        if given in matches or not matches:
            return given
        if len(matches) > 1:
            listed = "".join(f"\n    {id}  {text}" for id, text in matches.items())
            raise BadInput(f"{given} is the beginning of several ids:{listed}", "write more of it")
        return next(iter(matches))

    def on(self, kind: str, operation: str, id: str, **values: object) -> dict[str, object]:
        """One operation on what has this id, or is the only one whose id begins so."""
        called = "turn" if kind == "turn" else "id"
        try:
            return self.call(operation, **{called: id}, **values)
        except NotFound as error:
            whole = self.full(id, kind) if error.code == NotFound.code else id
            if whole == id:
                raise
        return self.call(operation, **{called: whole}, **values)

    def on_turn(self, operation: str, session: str, turn: str, **values: object) -> dict[str, object]:
        """One operation on a turn of a session, each by its id or by its beginning; no turn means the newest."""
        try:
            return self.call(operation, id=session, turn=turn, **values)
        except NotFound as error:
            whole = self.full(session, "session") if error.code == NotFound.code else session
            part = self.full(turn, "turn", session=whole) if error.code == NotFound.code else turn
            if (whole, part) == (session, turn):
                raise
        return self.call(operation, id=whole, turn=part, **values)

    def here(self, operation: str, **values: object) -> object:
        """One operation in this process, where no daemon is running: its arguments may be callables."""
        return self._local(operation, values)

    def _local(self, operation: str, values: dict[str, object]) -> object:
        from deepseedian.sidecar import Sidecar

        sidecar = Sidecar.open(self.vault, config_dir=self.config_dir)
        try:
            answer = getattr(sidecar, operation)(**values)
            return list(answer) if isinstance(answer, Iterator) else answer
        finally:
            sidecar.close()


def expanded(path: str) -> Path:
    """The path with `~` filled in. Raises BadVault."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise BadVault(f"{path}: there is no such user", "write the path out") from None


def _nearest(start: Path) -> Path:
    from deepseedian.store.vault import nearest

    return nearest(start)


pass_door = click.make_pass_decorator(Door)
