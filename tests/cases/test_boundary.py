"""Public bug cases of stores like this one: paths that lead outside, pages that call in, sockets that are taken."""

import errno
import os
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from deepseedian.api.app import create
from deepseedian.api.host import Host
from deepseedian.client import Endpoint, call, endpoint_of
from deepseedian.config.folders import runtime_folder
from deepseedian.daemon.endpoint import listen
from deepseedian.errors import AlreadyRunning, BadInput, DeepseedianError
from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store.disk import Disk, Found
from tests.commands import Command, Daemon, until
from tests.conftest import needs_root
from tests.naive import bites
from tests.samples import FIXTURE_3, entry_id, marker
from tests.served import Served, served

PORT, TOKEN = 54321, "t" * 43
BAD_NAMES = ("../x", "..%2fx", "..%252fx", "a/../../x", "/tmp/deepseedian-x", "..\\x", "C:x", "x\0y", "", ".", "n" * 300, "topics/../state.json")


def tree(root: Path) -> dict[str, bytes]:
    """Every file below a folder, links as what they say, books and copies of the change left out."""
    found = {}
    for path in sorted(root.rglob("*")):
        if path.is_symlink():
            found[str(path)] = os.fsencode(os.readlink(path))
        elif path.is_file():
            found[str(path)] = path.read_bytes()
    return found


@pytest.fixture
def client(sidecar: Sidecar) -> Iterator[TestClient]:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    gate = create(Host(sidecar, TOKEN, PORT, "/run/x.sock"))
    with TestClient(gate, base_url=f"http://127.0.0.1:{PORT}", headers=headers) as found:  # type: ignore[arg-type]
        yield found


# Paths


@bites("topic_names_unchecked")
def test_p21_no_name_leads_outside(client: TestClient, sidecar: Sidecar, vault: Path) -> None:
    made = client.post("/v1/entries", json={"text": "the one entry"}).json()["id"]
    before = tree(vault)
    for name in BAD_NAMES:
        answers = [client.post("/v1/entries", json={"text": f"for {name!r}", "topic": name}),
                   client.patch(f"/v1/entries/{made}", json={"topic": name})]
        assert all(400 <= answer.status_code < 500 for answer in answers), (name, [answer.text for answer in answers])
        assert client.get("/v1/entries", params={"topic": name}).json()["entries"] == [] or not name
        proposed = client.post("/v1/proposals", json={"text": f"propose {name!r}", "reason": "seen", "topic": name})
        assert not name or proposed.json()["proposals"] == [], name
        for path in ("/v1/entries/", "/v1/proposals/", "/v1/settings/") if name.strip(".") else ():  # a client resolves a dot itself
            assert 400 <= client.get(path + quote(name, safe="%/")).status_code < 500, (path, name)
        if name.strip("n"):  # empty is the vault itself, and a long name is only long
            assert client.put("/v1/settings/review.folder", json={"value": name}).status_code == 400, name
    assert client.get("/v1/entries").json()["entries"][0]["topic"] == "general"
    after = {path: data for path, data in tree(vault).items() if "/Review/" not in path and not path.endswith("proposals.json")}
    changed = {path for path in after if before.get(path) != after[path]}
    assert changed <= {str(vault / ".obsidian/plugins/deepseedian/settings.json")}
    assert not (vault.parent / "x").exists() and not list(vault.parent.glob("x*"))


def test_p21_no_session_or_folder_leads_outside(client: TestClient, sidecar: Sidecar, vault: Path) -> None:
    for name in BAD_NAMES:
        turn = {"session": name, "messages": [{"role": "user", "text": "hello"}]}
        assert client.post("/v1/observe", json=turn).status_code == 400, name
    assert list((sidecar.instance.folder / "sessions").glob("**/*")) == []
    for name in ("../x", "/tmp/deepseedian-x", "a/../../x"):
        with pytest.raises(BadInput):
            initialise(vault.parent / "second", memory_folder=name)
    assert not (vault.parent / "x").exists() and not Path("/tmp/deepseedian-x").exists()


@bites("links_followed")
def test_p21_links_and_special_files_are_neither_read_nor_written(opened: Callable[..., Sidecar], vault: Path, memory: Path) -> None:
    outside = vault.parent / "outside.md"
    outside.write_text(f"{marker('d')}\nfrom outside\n", encoding="utf-8")
    topics = memory / "topics"
    (topics / "general.md").write_text(FIXTURE_3, encoding="utf-8")
    (topics / "l.md").symlink_to(outside)
    (topics / "d").symlink_to(vault.parent)
    os.mkfifo(topics / "fifo.md")
    with suppress(PermissionError):  # only root makes devices
        os.mknod(topics / "device.md", 0o600 | stat.S_IFCHR, os.makedev(1, 5))  # /dev/zero: never ends
    before = outside.read_bytes()
    sidecar = opened()
    assert {entry["id"] for entry in sidecar.entries()["entries"]} == {entry_id(letter) for letter in "abc"}  # type: ignore[attr-defined]
    for name in ("l", "d/outside", "d/new", "fifo", "device"):
        with suppress(DeepseedianError):
            sidecar.remember(f"to {name}", topic=name)
    assert outside.read_bytes() == before and not (vault.parent / "new.md").exists()
    assert "from outside" not in str(sidecar.entries())
    assert stat.S_ISFIFO((topics / "fifo.md").stat().st_mode)


@bites("links_followed")
def test_p21_a_file_swapped_for_a_link_between_look_and_open(sidecar: Sidecar, vault: Path, memory: Path) -> None:
    outside = vault.parent / "outside.md"
    outside.write_text(f"{marker('d')}\nfrom outside\n", encoding="utf-8")
    before = outside.read_bytes()
    general = memory / "topics/general.md"
    general.write_text(FIXTURE_3, encoding="utf-8")
    walk = Disk.walk

    def walk_and_swap(self: Disk, root: Path, suffix: str = ".md") -> Iterator[Found]:
        yield from walk(self, root, suffix)
        if root.name == "topics" and not general.is_symlink():
            general.unlink()
            general.symlink_to(outside)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Disk, "walk", walk_and_swap)
        sidecar.store.refresh(deep=True)
        assert "from outside" not in str(sidecar.entries())
        with pytest.raises(DeepseedianError):
            sidecar.remember("said meanwhile")
    assert outside.read_bytes() == before


# The loopback port


@pytest.fixture
def daemon(vault: Path, naive: str) -> Iterator[Served]:
    """`naive` is asked for so that the daemon is a fresh one each time."""
    with served(vault) as found:
        yield found


def requests(daemon: Served, method: str, path: str, *, host: tuple[str, ...], token: bool, extra: tuple[str, ...] = (),
             kind: str = "application/json", body: bytes = b"{}") -> int:
    lines = [f"{method} {path} HTTP/1.1", *(f"Host: {name}" for name in host), f"Content-Type: {kind}", f"Content-Length: {len(body)}"]
    lines += [f"Authorization: Bearer {daemon.token}"] if token else []
    return daemon.status(*lines, *extra, body=body)


CALLS = (("GET", "/v1/entries"), ("POST", "/v1/undo"), ("POST", "/v1/stop"), ("GET", "/v1/events"), ("GET", "/v1/export"))


@bites("host_not_checked", "nobody_is_asked")
def test_p22_an_unknown_host_is_refused(daemon: Served) -> None:
    right = f"127.0.0.1:{daemon.port}"
    evil = [("evil.example",), (f"evil.example:{daemon.port}",), (f"127.0.0.1.evil.example:{daemon.port}",),
            (f"127.0.0.1@evil.example:{daemon.port}",), (), (right, "evil.example"), ("evil.example", right), (right, right)]
    for host in evil:
        for token in (True, False):
            for method, path in CALLS:
                assert 400 <= requests(daemon, method, path, host=host, token=token) < 500, (host, method, path)
    assert daemon.handled == []
    assert requests(daemon, "GET", "/v1/entries", host=(right,), token=True) == 200 and daemon.handled != []


@bites("origin_not_checked", "nobody_is_asked")
def test_p22_a_foreign_origin_is_refused(daemon: Served) -> None:
    right = (f"127.0.0.1:{daemon.port}",)
    for origin in ("https://evil.example", "null", "http://localhost:9999", f"http://127.0.0.1:{daemon.port}", "app://obsidian.md.evil.example"):
        for token in (True, False):
            for method, path in CALLS:
                extra = (f"Origin: {origin}",)
                assert requests(daemon, method, path, host=right, token=token, extra=extra) == 403, (origin, method, path)
    both = ("Origin: app://obsidian.md", "Origin: https://evil.example")
    assert requests(daemon, "GET", "/v1/entries", host=right, token=True, extra=both) == 403
    preflight = daemon.raw("OPTIONS /v1/entries HTTP/1.1", f"Host: {right[0]}", "Origin: https://evil.example",
                           "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization")
    assert b" 403 " in preflight and b"access-control-allow" not in preflight.lower()
    upgrade = ("Origin: https://evil.example", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
               "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==")
    for path in ("/v1/events", "/"):
        assert requests(daemon, "GET", path, host=right, token=True, extra=upgrade) == 403
    assert daemon.handled == []
    ours = ("Origin: app://obsidian.md",)
    assert requests(daemon, "GET", "/v1/entries", host=right, token=True, extra=ours) == 200


@bites("nobody_is_asked", "any_kind_of_body", "token_in_the_address")
def test_p22_a_change_is_json_with_a_token_in_the_header(daemon: Served) -> None:
    right = (f"127.0.0.1:{daemon.port}",)
    body = b'{"text":"planted"}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain; application/json"):
        assert requests(daemon, "POST", "/v1/entries", host=right, token=True, kind=kind, body=body) == 400, kind
    assert requests(daemon, "POST", "/v1/entries", host=right, token=False, body=body) == 401
    for path in ("/v1/entries", "/v1/events", "/v1/status"):
        assert requests(daemon, "GET", f"{path}?token={daemon.token}", host=right, token=False) == 401
        assert requests(daemon, "GET", f"{path}?access_token={daemon.token}", host=right, token=False) == 401
    for path in ("/v1/undo", "/v1/redo", "/v1/stop", "/v1/organize", "/v1/activity", "/v1/check"):
        assert requests(daemon, "GET", path, host=right, token=True) == 405
    assert daemon.handled == []
    assert requests(daemon, "POST", "/v1/entries", host=right, token=True, body=body) == 200


# The Unix socket


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A runtime folder to be made, in a folder that other users may enter."""
    base = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="dsd-", dir=base) as made:
        Path(made).chmod(0o755)
        monkeypatch.setenv("DEEPSEEDIAN_RUNTIME_DIR", f"{made}/run")
        yield Path(made) / "run"


def refusal(name: str) -> DeepseedianError:
    """Why nothing can listen there; it must not be able to."""
    try:
        listening = listen(name)
    except DeepseedianError as error:
        return error
    listening.withdraw()
    raise AssertionError("it listens there")


@bites("bound_as_the_server_would")
def test_p23_never_wider_than_its_user(runtime: Path) -> None:
    seen: set[int] = set()
    done = threading.Event()
    path = runtime / "x.sock"

    def look() -> None:
        while not done.is_set():
            with suppress(FileNotFoundError):
                seen.add(stat.S_IMODE(os.lstat(path).st_mode))
                done.wait(0.0002)

    watching = threading.Thread(target=look)
    watching.start()
    for _ in range(20):
        listening = listen("x")
        seen.add(stat.S_IMODE(path.stat().st_mode))
        listening.withdraw()
    done.set()
    watching.join()
    assert seen == {0o600}
    assert stat.S_IMODE(runtime.stat().st_mode) == 0o700


CONNECT = """
import os, socket, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
print(socket.socket(socket.AF_UNIX).connect_ex(sys.argv[1]))
"""


def as_nobody(path: Path) -> int:
    """What another user gets who connects: 0, or the number of the error."""
    return int(subprocess.run([sys.executable, "-S", "-c", CONNECT, str(path)], capture_output=True, check=True, timeout=20, cwd="/").stdout)


@needs_root
@bites("open_to_everybody")
def test_p23_another_user_is_refused(runtime: Path) -> None:
    listening = listen("x")
    try:
        assert as_nobody(runtime / "x.sock") == errno.EACCES
        runtime.chmod(0o755)  # even where the folder would let them in
        assert as_nobody(runtime / "x.sock") == errno.EACCES
    finally:
        listening.withdraw()


@bites("socket_path_taken_over", "bound_as_the_server_would")
def test_p23_a_live_socket_is_not_taken_over(runtime: Path) -> None:
    first = listen("x")
    try:
        assert isinstance(refusal("x"), AlreadyRunning)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as made:
            made.connect(first.path)
            first.sockets[0].setblocking(True)
            first.sockets[0].settimeout(5)
            first.sockets[0].accept()[0].close()
    finally:
        first.withdraw()
    assert sorted(runtime.iterdir()) == []


@bites("socket_path_taken_over")
def test_p23_foreign_things_are_never_removed(runtime: Path) -> None:
    runtime.mkdir(mode=0o700)
    path, victim = runtime / "x.sock", runtime.parent / "victim.txt"
    victim.write_text("theirs", encoding="utf-8")
    for place in (lambda: path.write_text("theirs", encoding="utf-8"), lambda: path.symlink_to(victim),
                  lambda: path.symlink_to(runtime / "nowhere"), lambda: path.mkdir()):
        place()
        was = os.lstat(path)
        assert refusal("x").code == "socket_path_busy"
        assert os.lstat(path).st_ino == was.st_ino and victim.read_text(encoding="utf-8") == "theirs"
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
        else:
            path.unlink()


def test_p23_what_took_our_place_is_not_removed_at_the_end(runtime: Path) -> None:
    listening = listen("x")
    path = Path(listening.path)
    path.unlink()
    path.write_text("theirs", encoding="utf-8")
    listening.withdraw()
    assert path.read_text(encoding="utf-8") == "theirs"


def test_p23_a_long_path_is_named(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEDIAN_RUNTIME_DIR", str(runtime.parent / ("n" * (120 - len(str(runtime.parent)) - len("//x.sock")))))
    found = refusal("x")
    assert found.code == "socket_path_too_long" and "longer" in found.message and "DEEPSEEDIAN_RUNTIME_DIR" in found.hint


def announced(vault: Path, daemon: Daemon) -> Endpoint:
    """The endpoint of a daemon that is just starting."""
    def find() -> Endpoint | None:
        assert daemon.process.poll() is None, daemon.process.communicate()
        found = endpoint_of(vault, runtime_folder())
        return found if found is not None and found.pid == daemon.process.pid else None

    found = until(find, 30)
    assert isinstance(found, Endpoint)
    return found


def test_p23_a_second_start_and_a_start_after_a_kill(vault: Path) -> None:
    command = Command(vault)
    daemons = [Daemon(command)]
    try:
        first = announced(vault, daemons[0])
        refused = command.run("--vault", str(vault), "--json", "run")
        assert (refused.status, refused.code) == (4, "already_running")
        answer = call(first, "status", {})
        assert isinstance(answer, dict) and answer["pid"] == first.pid
        daemons[0].kill()
        assert Path(first.socket).exists()
        daemons.append(Daemon(command))
        second = announced(vault, daemons[1])
        assert second.socket == first.socket and call(second, "status", {})
    finally:
        for daemon in daemons:
            daemon.__exit__()
    assert not Path(first.socket).exists()
