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
from deepseedian.errors import BadVault, Busy, DaemonAway

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
