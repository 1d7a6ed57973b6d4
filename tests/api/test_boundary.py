"""Who may come near a running daemon: web pages, other users, whoever took its port, endless requests, readers of its logs."""

import gc
import http.client
import inspect
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal, get_args, get_origin

import pytest
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from deepseedian import client
from deepseedian.api.app import named_routes
from deepseedian.client import Endpoint, endpoint_of
from deepseedian.config.folders import runtime_folder
from deepseedian.daemon import connection
from deepseedian.errors import Busy, DaemonAway
from deepseedian.sidecar import Sidecar
from tests import naive
from tests.commands import ROOT
from tests.conftest import needs_root
from tests.naive import bites
from tests.scripted import Script
from tests.scripted import served as scripted
from tests.served import Caller, Served, served

CHROMIUM = shutil.which("chromium")


# Web pages

PAGE = """<!doctype html><body><iframe name="hole" style="display:none"></iframe><script>
const to = "http://NAME:PORT";
const tries = [];
function tried(promise) { tries.push(promise.catch(() => 0)); }
const change = JSON.stringify({text: "planted by a page"});
for (const mode of ["cors", "no-cors"]) for (const type of ["text/plain", "application/json"])
  tried(fetch(to + "/v1/entries", {method: "POST", mode, body: change, headers: {"Content-Type": type}, credentials: "include"}));
tried(fetch(to + "/v1/entries", {headers: {Authorization: "Bearer x"}}));
tried(fetch(to + "/v1/entries", {mode: "no-cors"}));
tried(fetch(to + "/v1/entries/x", {method: "DELETE"}));
tried(new Promise(done => { const image = new Image(); image.onerror = image.onload = done; image.src = to + "/v1/export"; }));
tried(new Promise(done => { const script = document.createElement("script"); script.onerror = script.onload = done;
  script.src = to + "/v1/entries"; document.body.append(script); }));
tried(new Promise(done => { const form = document.createElement("form"); form.method = "POST"; form.target = "hole";
  form.enctype = "text/plain"; form.action = to + "/v1/entries"; const input = document.createElement("input");
  input.name = '{"text":"planted","topic":"'; input.value = '"}'; form.append(input); document.body.append(form);
  document.querySelector("iframe").onload = done; setTimeout(done, 1000); form.submit(); }));
navigator.sendBeacon(to + "/v1/stop", new Blob(["{}"], {type: "text/plain"}));
navigator.sendBeacon(to + "/v1/entries", change);
tried(new Promise(done => { const source = new EventSource(to + "/v1/events"); source.onerror = () => { source.close(); done(); };
  source.onopen = done; }));
tried(new Promise(done => { try { const web = new WebSocket(to.replace("http", "ws") + "/v1/events"); web.onerror = web.onopen = done; }
  catch (error) { done(); } }));
Promise.all(tries).then(() => fetch("/done", {method: "POST"})).then(() => { if (location.pathname === "/first") location.href = "/second"; });
</script>"""


@contextmanager
def page(port: int) -> Iterator[tuple[str, threading.Event]]:
    """A foreign page on another loopback port; the event is set when its script has tried everything, twice."""
    done = threading.Event()
    names = ["127.0.0.1", "localhost"]
    finished: list[str] = []

    class Foreign(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = PAGE.replace("NAME", names[self.path == "/second"]).replace("PORT", str(port)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            finished.append(self.path)
            self.send_response(204)
            self.end_headers()
            if len(finished) == 2:
                done.set()

        def log_message(self, *_: object) -> None: ...

    page_server = ThreadingHTTPServer(("127.0.0.1", 0), Foreign)
    page_server.daemon_threads = True
    thread = threading.Thread(target=page_server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{page_server.server_port}", done
    finally:
        page_server.shutdown()
        page_server.server_close()
        thread.join(5)


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
@bites("nobody_is_asked")
def test_a_page_in_a_browser_reaches_no_handler(vault: Path, tmp_path: Path) -> None:
    with served(vault) as daemon, page(daemon.port) as (address, done):
        words = [str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
                 f"--user-data-dir={tmp_path / 'profile'}", f"{address}/first"]
        browser = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            assert done.wait(30), "the page did not get through its tries"
        finally:
            os.killpg(browser.pid, signal.SIGKILL)  # the browser and the children it started
            browser.wait(10)
        assert daemon.handled == []
        assert daemon.request(f"Authorization: Bearer {daemon.token}") == 200  # it still runs, and is the one that was tried


@bites("nobody_is_asked", "origin_not_checked")
def test_the_event_stream_asks_for_origin_and_token(vault: Path) -> None:
    with served(vault) as daemon:
        token = f"Authorization: Bearer {daemon.token}"
        for origin in ("https://evil.example", "null"):
            assert daemon.request(token, f"Origin: {origin}", path="/v1/events") == 403
        assert daemon.request(path="/v1/events") == 401
        for query in (f"token={daemon.token}", f"access_token={daemon.token}", f"ticket={daemon.token}"):
            assert daemon.request(path=f"/v1/events?{query}") == 401
        assert daemon.request(f"Cookie: token={daemon.token}", path="/v1/events") == 401
        assert daemon.handled == []
        assert daemon.request(token, path="/v1/events") == 200
        assert daemon.request(token, "Origin: app://obsidian.md", path="/v1/events") == 200


# Tokens


@bites("token_compared_as_text", "nobody_is_asked")
def test_wrong_tokens_are_refused_and_never_an_error(vault: Path) -> None:
    with served(vault) as daemon:
        good = daemon.token.encode()
        wrong = [b"", b" ", b"x", "é".encode(), "é".encode("latin-1"), b"\xff\xfe", good[:-1], good + b"x", good.swapcase(), b"x" * 60_000,
                 "令牌".encode(), b'"' + good + b'"', good + b"," + good]
        for token in wrong:
            assert daemon.request(b"Authorization: Bearer " + token) == 401, token[:50]
        for line in (b"Authorization: Basic " + good, b"Authorization: " + good, b"Authorization: Bearer", b"X-Token: " + good):
            assert daemon.request(line) == 401, line[:50]
        assert daemon.request(b"Authorization: Bearer " + good, b"Authorization: Bearer " + good) == 401
        assert daemon.request(b"Authorization: Bearer " + b"x" * 1_000_000) in (0, 400, 401, 431)
        assert daemon.handled == []
        assert daemon.request(b"authorization: bearer " + good) == 200


# Other users


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A runtime folder to be made, in a folder that other users may enter."""
    base = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="dsd-", dir=base) as made:
        Path(made).chmod(0o755)
        monkeypatch.setenv("DEEPSEEDIAN_RUNTIME_DIR", f"{made}/run")
        yield Path(made) / "run"


SPY = """
import os, socket, sys, time
from pathlib import Path
os.setgroups([]); os.setgid(65534); os.setuid(65534)
folder, successes, tries = Path(sys.argv[1]), set(), 0
print("ready", flush=True)
until = time.monotonic() + 30
stopped = os.fstat(0)
os.set_blocking(0, False)
while time.monotonic() < until and not successes:
    tries += 1
    for name in sys.argv[2:]:
        path = folder / name
        for what, attempt in (("list", lambda: os.listdir(folder)), ("stat", lambda: os.stat(path)), ("read", lambda: path.read_bytes()),
                              ("write", lambda: path.open("ab").close()), ("remove", lambda: path.unlink())):
            try:
                attempt()
                successes.add(f"{what} {name}")
            except OSError:
                pass
        with socket.socket(socket.AF_UNIX) as made:
            try:
                made.connect(str(path))
                successes.add(f"connect {name}")
            except OSError:
                pass
    try:
        if os.read(0, 1) == b"":
            break
    except BlockingIOError:
        pass
print(tries, sorted(successes), flush=True)
"""


@needs_root
@bites("open_to_everybody")
def test_another_user_gets_nothing_while_daemons_start(vault: Path, runtime: Path) -> None:
    name = Sidecar.open(vault).instance.id if not runtime.exists() else ""
    spy = subprocess.Popen([sys.executable, "-S", "-c", SPY, str(runtime), f"{name}.sock", f"{name}.json"], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, encoding="utf-8", cwd="/")
    assert spy.stdin is not None and spy.stdout is not None
    try:
        assert spy.stdout.readline() == "ready\n"
        for _ in range(3):
            with served(vault) as daemon:
                assert daemon.request(f"Authorization: Bearer {daemon.token}") == 200
    finally:
        spy.stdin.close()
        tries, _, successes = spy.stdout.read().partition(" ")
        spy.wait(10)
        spy.stdout.close()
    assert int(tries) > 100
    assert successes.strip() == "[]"


# Whoever has the port


@contextmanager
def listener(*answers: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """A fake daemon: answers what it is told to, and keeps what it heard."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as bound:
        bound.settimeout(0.1)
        stop = threading.Event()

        def serve() -> None:
            left = list(answers)
            while not stop.is_set():
                try:
                    made, _ = bound.accept()
                except TimeoutError:
                    continue
                with made, suppress(OSError):
                    made.settimeout(1)
                    while data := made.recv(65536):
                        heard.append(data)
                        if left:
                            made.sendall(left.pop(0))

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield bound.getsockname()[1], heard
        finally:
            stop.set()
            thread.join(10)


def answered(document: object, *headers: str, status: str = "200 OK") -> bytes:
    body = json.dumps(document).encode()
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


SAID = {"text": "the owner's secret garden"}


def remembered(endpoint: Endpoint) -> type[Exception] | None:
    """How an attempt to remember something ended."""
    try:
        client.call(endpoint, "remember", dict(SAID), timeout=1)
    except Exception as error:
        return type(error)
    return None


@bites("token_sent_at_once")
def test_a_stranger_on_the_port_learns_nothing(vault: Path) -> None:
    token = "t" * 43
    earlier = client.proof(b"another token", b"0" * 32)
    for answers in ((answered({}),), (answered({}, f"{client.PROOF}: {'0' * 64}"),), (answered({}, f"{client.PROOF}: {earlier}"),),
                    (answered({}, f"{client.PROOF}: é"),), (b"nonsense\r\n\r\n",), (b"HTTP/1.1 307 Temporary\r\nLocation: /\r\n\r\n",)):
        with listener(*answers) as (port, heard):
            assert remembered(Endpoint(str(vault), 1, "", port, token, "")) is DaemonAway
        said = b"".join(heard)
        assert token.encode() not in said and b"garden" not in said, said
        assert b"uthorization" not in said


@bites("token_sent_at_once")
def test_a_silent_stranger_learns_nothing_and_holds_nobody_up(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "CONNECT_SECONDS", 0.3)
    with listener() as (port, heard):
        assert remembered(Endpoint(str(vault), 1, "", port, "t" * 43, "")) is Busy
    assert b"t" * 43 not in b"".join(heard) and b"garden" not in b"".join(heard)


def test_the_port_is_used_only_without_a_socket(vault: Path, tmp_path: Path) -> None:
    with listener() as (port, heard):
        assert remembered(Endpoint(str(vault), 1, str(tmp_path / "gone.sock"), port, "t" * 43, "")) is DaemonAway
    assert heard == []


def test_our_own_daemon_proves_itself_over_loopback(vault: Path) -> None:
    with served(vault) as daemon:
        found = endpoint_of(vault, runtime_folder())
        assert found is not None and found.port == daemon.port
        over = replace(found, socket="")
        made = client.call(over, "remember", dict(SAID))
        assert isinstance(made, dict)
        shown = client.call(over, "show", {"id": made["id"]})
        assert isinstance(shown, dict) and shown["text"] == SAID["text"]
        with pytest.raises(DaemonAway):
            client.call(replace(over, token="another"), "status", {})
        challenge = f"{client.CHALLENGE}: {'0' * 32}"
        for extra in (("Origin: null",), ("Authorization: Bearer wrong", "Origin: https://evil.example")):
            assert client.PROOF.lower().encode() not in daemon.raw("GET /v1/health HTTP/1.1", f"Host: 127.0.0.1:{daemon.port}", challenge, *extra)
        assert client.PROOF.lower().encode() not in daemon.raw("GET /v1/health HTTP/1.1", "Host: evil.example", challenge)


# Endless requests


def resident() -> int:
    """Bytes of memory this process holds."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


PATIENCE = 4.0  # several times what the test sets as the limit


def dripping(daemon: Served, first: bytes, more: bytes = b"x") -> float:
    """Seconds until a request that comes a piece at a time is answered or closed."""
    began = time.monotonic()
    with daemon.connect(10) as made:
        made.sendall(first)
        made.settimeout(0.1)
        while time.monotonic() - began < PATIENCE:
            try:
                made.sendall(more)
                made.recv(65536)  # an answer, or the end
                return time.monotonic() - began
            except TimeoutError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                return time.monotonic() - began
    return PATIENCE


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
@bites("waits_for_ever")
def test_an_endless_request_is_cut_off(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert connection.REQUEST_SECONDS <= 5
    monkeypatch.setattr(connection, "REQUEST_SECONDS", 0.7)
    with served(vault) as daemon:
        head = f"POST /v1/entries HTTP/1.1\r\nHost: 127.0.0.1:{daemon.port}\r\nAuthorization: Bearer {daemon.token}\r\n"
        head += "Content-Type: application/json\r\n"
        daemon.request(f"Authorization: Bearer {daemon.token}")
        before = resident()
        for length in (10 * 1024 ** 3, 10 ** 30, int("9" * 4000)):
            assert daemon.status(head + f"Content-Length: {length}\r\n") in (400, 413)
        with daemon.connect() as made, suppress(ConnectionResetError, BrokenPipeError):
            made.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
            for _ in range(20_000):  # far more than the limit
                made.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
            raise AssertionError("a body without end was read to its end")
        slow = [b"", b"GET /v1/", head.encode(), f"{head}Content-Length: 100000\r\n\r\n".encode(),
                f"{head}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n10\r\n".encode()]
        took = [0.0] * len(slow)

        def drip(number: int) -> None:
            took[number] = dripping(daemon, slow[number], b"x" if slow[number] else b"\r\n")  # empty lines before a request begin none

        threads = [threading.Thread(target=drip, args=(number,)) for number in range(len(slow))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(15)
        assert all(0 < seconds < PATIENCE for seconds in took), took
        assert resident() - before < 50 * 1024 * 1024
        assert daemon.request(f"Authorization: Bearer {daemon.token}") == 200


@pytest.mark.parametrize("head", [b"GET /v1/health HTTP/1.1\r\nx: ", b"GET /v1/", b"GET /v1/health HTTP/1.1\r\n" + b"a: b\r\n" * 10_000])
def test_a_head_without_end_is_cut_off(vault: Path, head: bytes) -> None:
    with served(vault) as daemon, daemon.connect(10) as made, suppress(ConnectionResetError, BrokenPipeError):
        made.sendall(head)
        for _ in range(100):
            made.sendall(b"x" * 65536)
        raise AssertionError("a head of megabytes was read to its end")


def test_what_follows_a_body_changes_nothing_of_the_head(vault: Path) -> None:
    """A trailer of a chunked body is no header: a token or an origin in it counts for nothing."""
    with served(vault) as daemon:
        head = f"POST /v1/recall HTTP/1.1\r\nHost: 127.0.0.1:{daemon.port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        body = b'{"question":"tea?"}'
        rest = f"{len(body):x}\r\n".encode() + body + f"\r\n0\r\nAuthorization: Bearer {daemon.token}\r\n\r\n".encode()
        for more, status in (("", b" 401 "), (f"Authorization: Bearer {daemon.token}\r\n", b" 200 ")):
            with daemon.connect(10) as made:
                made.sendall(f"{head}{more}\r\n".encode() + rest)
                assert status in made.recv(65536).split(b"\r\n")[0]


def test_a_long_answer_outlives_the_deadline_of_the_next_request(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "REQUEST_SECONDS", 0.3)
    with served(vault) as daemon, daemon.connect(10) as made:
        made.sendall(f"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:{daemon.port}\r\nAuthorization: Bearer {daemon.token}\r\n\r\nGET".encode())
        assert b" 200 " in made.recv(65536).split(b"\r\n")[0]
        made.settimeout(1.0)
        with suppress(TimeoutError):
            while True:
                assert made.recv(65536), "the stream was closed"


def test_a_kept_connection_outlives_the_deadline_of_a_request(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "REQUEST_SECONDS", 0.2)
    with served(vault) as daemon, closing(http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=10)) as made:
        made.connect()
        made.auto_open = 0
        for _ in range(3):
            made.request("GET", "/v1/health", headers={"Authorization": f"Bearer {daemon.token}"})
            assert made.getresponse().read().startswith(b'{"status"')
            time.sleep(0.3)


# Logs

SECRETS = ("hunter2-SECRET", "sk-TESTKEY123")
EVERY = {(method, "/v1" + route.path.replace("{id:path}", "x").replace("{name:path}", "x")): route.endpoint
         for route in named_routes() for method in route.methods}


def query_for(endpoint: Callable[..., object]) -> str:
    """What the route must be told in its address."""
    needed = {name: (get_args(given.annotation) or ("word",))[0] for name, given in inspect.signature(endpoint).parameters.items()
              if given.default is inspect.Parameter.empty and name not in ("id", "name", "turn")
              and (given.annotation is str or get_origin(given.annotation) is Literal)}
    return "?" + "&".join(f"{name}={value}" for name, value in needed.items()) if needed else ""


def body_for(endpoint: Callable[..., object]) -> bytes:
    """The smallest body that the route takes, with memory in every text."""
    found = inspect.signature(endpoint).parameters.get("body")
    if found is None:
        return b""
    fields = {"text": SECRETS[0]} if {"topic", "text"} <= found.annotation.model_fields.keys() else {}
    for name, field in found.annotation.model_fields.items():
        if field.is_required():
            choices = get_args(field.annotation)
            fields[name] = str(choices[0]) if choices and isinstance(choices[0], str) else SECRETS[0]
    return json.dumps(fields).encode()


LOUD = """
import logging, sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from deepseedian.api import app
from deepseedian.daemon import server
from tests.naive import applied

class Failing:
    def __getattr__(self, name):
        raise RuntimeError("hunter2-SECRET and sk-TESTKEY123 in " + name)

def create(host):
    gate = app.create(host)
    if sys.argv[2]:
        gate.app.state.host = replace(host, sidecar=Failing())
    return gate

with applied(sys.argv[3]) if sys.argv[3] else nullcontext():
    logging.getLogger().setLevel(logging.DEBUG)
    server.create = create
    server.serve(Path(sys.argv[1]), announced=lambda listening, sidecar: print("up", flush=True))
"""


class Loud(Caller):
    """A daemon in another process in which every logger says everything; `failing` makes every handler fail."""

    def __init__(self, vault: Path, *, failing: bool = False) -> None:
        words = [sys.executable, "-c", LOUD, str(vault), "failing" if failing else "", naive.active()]
        self._errors = vault.parent / "errors.txt"  # a pipe that nobody reads would stop it when it is full
        with self._errors.open("w", encoding="utf-8") as errors:
            self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, encoding="utf-8", cwd=ROOT,
                                            env=os.environ | {"PYTHONASYNCIODEBUG": "1"})
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "up\n", self.process.communicate()
        found = endpoint_of(vault, runtime_folder())
        assert found is not None
        super().__init__(found.port, found.token)

    def said(self, *folders: Path) -> str:
        """Stop it; everything it said, and every log file."""
        self.process.terminate()
        out, _ = self.process.communicate(timeout=20)
        err = self._errors.read_text(encoding="utf-8")
        logs = [path.read_text(encoding="utf-8", errors="replace") for folder in folders for path in folder.rglob("*.log")]
        return "\n".join([out, err, *logs])


@pytest.fixture
def loud() -> Iterator[Callable[..., Loud]]:
    started: list[Loud] = []

    def start(vault: Path, *, failing: bool = False) -> Loud:
        started.append(Loud(vault, failing=failing))
        return started[-1]

    yield start
    for daemon in started:
        if daemon.process.poll() is None:
            daemon.process.kill()
            daemon.process.communicate(timeout=10)


def lines_with(found: str, *secrets: str) -> list[str]:
    return [line[:300] for line in found.splitlines() if any(secret in line for secret in secrets)]


@bites("everything_logged")
def test_p25_no_token_or_text_is_logged(vault: Path, tmp_path: Path, loud: Callable[..., Loud]) -> None:
    daemon = loud(vault)
    token = f"Authorization: Bearer {daemon.token}"
    body = json.dumps({"text": SECRETS[0], "allow_secret": True}).encode()
    head = ("Content-Type: application/json", f"Content-Length: {len(body)}")
    assert daemon.request(token, *head, method="POST", body=body) == 200
    assert daemon.request(path=f"/v1/entries?token={daemon.token}") == 401
    assert daemon.request("Authorization: Bearer wrong-TOKEN") == 401
    assert daemon.request(token, path=f"/v1/search?query={SECRETS[0]}") == 200
    assert daemon.request(token, path=f"/v1/entries/{SECRETS[0]}") == 404
    assert daemon.request(b"Authorization: Bearer " + daemon.token.encode() + b"\x00") == 400
    found = daemon.said(tmp_path)
    assert "DEBUG" in found  # it was loud
    assert lines_with(found, daemon.token, "wrong-TOKEN", *SECRETS) == []
    assert daemon.token not in (vault / ".obsidian/plugins/deepseedian/memory/journal.json").read_text(encoding="utf-8")


@bites("errors_logged_in_full")
def test_a_failure_inside_any_handler_tells_nothing(vault: Path, tmp_path: Path, loud: Callable[..., Loud]) -> None:
    daemon = loud(vault, failing=True)
    statuses: dict[str, int] = {}
    for (method, path), endpoint in EVERY.items():
        if path in ("/v1/stop", "/v1/events"):  # they ask nothing of memory before they answer
            continue
        body = body_for(endpoint)
        head = (f"Authorization: Bearer {daemon.token}", "Content-Type: application/json", f"Content-Length: {len(body)}")
        answer = daemon.raw(f"{method} {path}{query_for(endpoint)} HTTP/1.1", f"Host: 127.0.0.1:{daemon.port}", *head, body=body)
        statuses[f"{method} {path}"] = int(answer.split(None, 2)[1])
        assert not any(secret.encode() in answer for secret in SECRETS)
    assert {key: status for key, status in statuses.items() if status != 500} == {}
    found = daemon.said(tmp_path)
    assert found.count("RuntimeError in /v1/") == len(statuses) or naive.active()
    assert lines_with(found, daemon.token, *SECRETS) == []


def test_a_failing_model_tells_nothing(vault: Path, tmp_path: Path, loud: Callable[..., Loud], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEDIAN_MODEL_KEY", SECRETS[1])
    monkeypatch.setenv("DEEPSEEDIAN_MODEL_NAME", "m")
    with scripted(Script((500, '{"error":"hunter2-SECRET"}'))) as model:
        monkeypatch.setenv("DEEPSEEDIAN_MODEL_ENDPOINT", model.url)
        daemon = loud(vault)
        for path, turn in (("/v1/observe", {"session": "chat", "messages": [{"role": "user", "text": f"My notes on {SECRETS[0]} are in the blue folder."}]}),
                           ("/v1/organize", {})):
            body = json.dumps(turn).encode()
            head = (f"Authorization: Bearer {daemon.token}", "Content-Type: application/json", f"Content-Length: {len(body)}")
            assert daemon.request(*head, method="POST", path=path, body=body) == 200
        assert SECRETS[0] in str(model.asked) and SECRETS[1] in str(model.headers)
        found = daemon.said(tmp_path)
    assert lines_with(found, daemon.token, *SECRETS) == []


def exchanged(daemon: Served, sent: bytes, later: bytes = b"", seconds: float = 1.0) -> bytes:
    """What comes back for some bytes, and others once an answer has begun, until the other side closes or is silent."""
    found = b""
    with daemon.connect(10) as made:
        made.sendall(sent)
        if later:
            found = made.recv(65536)
            made.sendall(later)
        made.settimeout(seconds)
        with suppress(TimeoutError, ConnectionResetError):
            while data := made.recv(65536):
                found += data
    return found


@pytest.mark.parametrize("wish", ["Upgrade, HTTP2-Settings", "close, upgrade"])
def test_a_wish_for_another_protocol_costs_no_body(vault: Path, wish: str) -> None:
    """Java's client wishes for HTTP/2 in every request it sends in the clear."""
    body = b'{"question":"tea?"}'
    with served(vault) as daemon:
        head = f"POST /v1/recall HTTP/1.1\r\nHost: 127.0.0.1:{daemon.port}\r\nAuthorization: Bearer {daemon.token}\r\nConnection: {wish}\r\n"
        head += "Upgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\nContent-Type: application/json\r\n"
        plain = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
        for sent in (plain, f"{head}Transfer-Encoding: chunked\r\n\r\n{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"):
            assert b" 200 " in exchanged(daemon, sent, seconds=0.3).split(b"\r\n")[0]
        if "close" not in wish:
            assert exchanged(daemon, plain + plain, seconds=0.3).count(b"HTTP/1.1 200 ") == 2


def test_what_follows_a_request_spoils_no_answer_before_it(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "REQUEST_SECONDS", 0.3)
    with served(vault) as daemon:
        who = f"Host: 127.0.0.1:{daemon.port}\r\nAuthorization: Bearer {daemon.token}\r\n"
        events = f"GET /v1/events HTTP/1.1\r\n{who}\r\n".encode()
        assert b" 400 " not in exchanged(daemon, events, b"\x01nonsense\r\n\r\n")
        with daemon.connect(10) as made:  # a body of which the rest is not even read while the stream goes on
            made.sendall(events)
            assert b" 200 " in made.recv(65536).split(b"\r\n")[0]
            made.sendall(f"POST /v1/recall HTTP/1.1\r\n{who}Content-Length: 19\r\n\r\n".encode())
            made.settimeout(1.0)
            with suppress(TimeoutError):
                while True:
                    assert made.recv(65536), "the stream was closed"


def test_thousands_of_requests_at_once_are_not_kept(vault: Path) -> None:
    with served(vault) as daemon:
        one = f"GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1:{daemon.port}\r\nAuthorization: Bearer {daemon.token}\r\n\r\n".encode()
        assert exchanged(daemon, one * 8, seconds=0.5).count(b"HTTP/1.1 200 ") == 8
        assert exchanged(daemon, one * 100, seconds=2.0).count(b"HTTP/1.1 200 ") <= connection.MOST_QUEUED


def test_a_stream_ends_with_its_connection_also_where_another_request_was_sent(vault: Path) -> None:
    with served(vault) as daemon:
        who = f"Host: 127.0.0.1:{daemon.port}\r\nAuthorization: Bearer {daemon.token}\r\n"
        with daemon.connect(10) as made:
            made.sendall(f"GET /v1/events HTTP/1.1\r\n{who}\r\n".encode())
            assert b" 200 " in made.recv(65536).split(b"\r\n")[0]
            made.sendall(f"GET /v1/health HTTP/1.1\r\n{who}\r\n".encode())
            time.sleep(0.1)
        ends = time.monotonic() + 5
        while running() and time.monotonic() < ends:
            daemon.sidecar.broadcast.publish("settings.changed", name="language")
            time.sleep(0.05)
        assert not running()


def running() -> list[object]:
    """Answers under way in this process."""
    return [found for found in gc.get_objects() if isinstance(found, RequestResponseCycle) and found.response_started
            and not found.response_complete and not found.disconnected]
