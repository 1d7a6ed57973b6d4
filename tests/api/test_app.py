"""The wire: documents, errors, who may call, and the event feed."""

import asyncio
import json
import threading
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from deepseedian.api import routes
from deepseedian.api.app import create, named_routes
from deepseedian.api.host import Host
from deepseedian.api.schemas import RecallRequest
from deepseedian.api.security import BODY_LIMIT
from deepseedian.client import ROUTES
from deepseedian.sidecar import Sidecar

PORT = 54321
TOKEN = "t" * 43


@pytest.fixture
def host(sidecar: Sidecar) -> Host:
    return Host(sidecar, TOKEN, PORT, "/run/x.sock")


@pytest.fixture
def client(host: Host) -> Iterator[TestClient]:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with TestClient(create(host), base_url=f"http://127.0.0.1:{PORT}", headers=headers) as found:  # type: ignore[arg-type]
        yield found


def test_an_entry_lives_over_the_wire(client: TestClient) -> None:
    made = client.post("/v1/entries", json={"text": "发布只在周四进行"}, headers={"Idempotency-Key": "k"}).json()
    again = client.post("/v1/entries", json={"text": "发布只在周四进行"}, headers={"Idempotency-Key": "k"}).json()
    assert made == again
    one = f"/v1/entries/{made['id']}"
    assert client.get(one).json()["text"] == "发布只在周四进行"
    recalled = client.post("/v1/recall", json={"question": "发布", "why": True}).json()
    assert recalled["index"][0]["id"] == made["id"] and recalled["receipt"]["matched"] == 1
    assert client.patch(one, json={"text": "改到周五"}).json()["text"] == "改到周五"
    assert client.get(one, params={"revision": recalled["revision"]}).json()["text"] == "发布只在周四进行"
    frozen = client.post("/v1/recall", json={"question": "发布", "revision": recalled["revision"]}).json()
    assert frozen["index"] == recalled["index"]
    assert client.patch(one, json={"topic": "work"}).json()["topic"] == "work"
    assert client.patch(one, json={"on": True}).json()["pinned"] is True
    assert client.patch(one, json={"on": True, "topic": "x"}).status_code == 400
    assert client.delete(one).json()["archived"] is True
    assert client.post("/v1/undo", json={}).json()["kind"] == "undo"
    assert client.post("/v1/redo", json={}).json()["kind"] == "redo"
    assert len(client.get("/v1/history").json()["changes"]) == 7
    assert client.post("/v1/check", json={}).json()["ok"] is True
    assert client.get("/v1/health").json()["status"] == "ok"
    assert client.get("/v1/export").text == ""


def test_a_turn_waits_for_no_other_route(client: TestClient, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slow calls of other routes held all threads, and recall waited for one of them."""
    slow, going = threading.Event(), threading.Semaphore(0)

    def health() -> dict[str, object]:
        going.release()
        assert slow.wait(60)
        return {}
    monkeypatch.setattr(host.sidecar, "health", health)
    threads = [threading.Thread(target=client.get, args=("/v1/health",)) for _ in range(60)]
    try:
        for thread in threads:
            thread.start()
        for _ in range(40):  # as many as there are threads for all of them
            assert going.acquire(timeout=30)
        assert client.post("/v1/recall", json={"question": "发布"}).json()["index"] == []
    finally:
        slow.set()
        for thread in threads:
            thread.join(60)


@pytest.mark.parametrize("body", ['{"question":1}', '{"question":"x","more":1}', '{"question":"x"', "[]", "", '{"question":"x","why":"yes"}'])
def test_a_recall_that_does_not_fit_is_told_why(client: TestClient, body: str) -> None:
    answered = client.post("/v1/recall", content=body, headers={"Content-Type": "application/json"})
    error = answered.json()["error"]
    assert answered.status_code == 400 and error["code"] == "bad_input" and error["message"] and error["hint"]


def test_half_a_character_in_a_question_is_no_error(client: TestClient) -> None:
    answered = client.post("/v1/recall", content=b'{"question":"\\ud83d"}', headers={"Content-Type": "application/json"})
    assert answered.status_code == 200 and answered.json()["index"] == []


def test_a_caller_that_leaves_before_its_question_is_whole_is_no_fault(host: Host, caplog: pytest.LogCaptureFixture) -> None:
    """Each of them was logged as an error of the daemon."""
    messages = [{"type": "http.request", "body": b'{"ques', "more_body": True}]

    async def receive() -> dict[str, object]:
        return messages.pop() if messages else {"type": "http.disconnect"}

    async def send(message: object) -> None: ...
    headers = [(b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/v1/recall", "raw_path": b"/v1/recall", "root_path": "", "query_string": b"",
             "headers": headers, "server": ("/run/x.sock", None), "client": None, "scheme": "http", "http_version": "1.1"}
    asyncio.run(create(host)(scope, receive, send))  # type: ignore[arg-type]
    assert not messages and caplog.records == []


def test_no_question_is_kept_by_the_reader_of_its_body() -> None:
    """It kept values of up to 63 bytes for as long as the daemon ran, also when what they say was erased."""
    body = b'{"question":"the garden gate opens with 4711"}'
    first, second = (RecallRequest.model_validate_json(body).question for _ in range(2))
    assert first == second and first is not second


def test_a_conversation_over_the_wire(client: TestClient) -> None:
    turn = {"session": "chat", "messages": [{"role": "user", "text": "记住：我写文章喜欢短段落"}]}
    observed = client.post("/v1/observe", json=turn).json()
    assert set(observed) == {"session", "messages", "proposals", "corrected"} and len(observed["proposals"]) == 1
    shown, = client.get("/v1/proposals").json()["proposals"]
    assert client.get(f"/v1/proposals/{shown['id']}").json()["status"] == "open"
    assert client.post("/v1/organize", json={}).json() == {"proposals": [], "note": None, "model": False}
    assert client.post("/v1/activity", json={}).json() == {"done": True}
    decision = f"/v1/proposals/{shown['id']}/decision"
    assert client.post(decision, json={"decision": "maybe"}).status_code == 400
    assert client.post(decision, json={"decision": "approve", "text": "我喜欢短段落"}).json()["status"] == "approved"
    assert client.get("/v1/entries").json()["entries"][0]["text"] == "我喜欢短段落"
    assert client.get("/v1/proposals?all=true").json()["proposals"][0]["status"] == "approved"
    made = client.post("/v1/proposals", json={"text": "x is y", "reason": "seen", "evidence": []}).json()
    assert set(made) == {"proposals", "note", "leftOut"}
    assert client.post("/v1/proposals/nope/decision", json={"decision": "approve"}).status_code == 404


@pytest.mark.parametrize(("turn", "status", "code"), [
    ({"session": "chat", "messages": []}, 400, "bad_input"), ({"session": "../x", "messages": [{"role": "user", "text": "x"}]}, 400, "bad_input"),
    ({"session": "chat", "messages": [{"role": "wizard", "text": "x"}]}, 400, "bad_input"), ({"session": "chat"}, 400, "bad_input"),
    ({"session": "chat", "messages": [{"role": "user", "text": "x" * 300_000}]}, 413, "too_large"),
    ({"session": "chat", "messages": [{"role": "user", "text": "x" * 10_000_000}]}, 413, "too_large"),
])
def test_bad_turns_over_the_wire(client: TestClient, turn: dict[str, object], status: int, code: str) -> None:
    answer = client.post("/v1/observe", json=turn)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_half_a_character_over_the_wire(client: TestClient) -> None:
    body = b'{"session":"chat","messages":[{"role":"user","text":"\\ud800"}]}'
    answer = client.post("/v1/observe", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_text")


def test_a_stale_revision_is_named(client: TestClient) -> None:
    answer = client.post("/v1/recall", json={"question": "x", "revision": "0" * 64})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "stale")


@pytest.mark.parametrize(("method", "path", "body", "status", "code"), [
    ("POST", "/v1/recall", "{", 400, "bad_input"), ("POST", "/v1/recall", '{"question":5}', 400, "bad_input"),
    ("POST", "/v1/recall", '{"question":"x","extra":1}', 400, "bad_input"), ("POST", "/v1/entries", b'{"text":"\xff"}', 400, "bad_input"),
    ("GET", "/v1/nope", None, 404, "not_found"), ("PUT", "/v1/recall", "{}", 405, "bad_input"),
    ("GET", "/v1/entries/nope", None, 404, "not_found"), ("GET", "/v1/search?offset=x", None, 400, "bad_input"),
    ("POST", "/v1/entries", '{"text":"\\ud800"}', 400, "bad_text"), ("GET", "/v1/settings/nope", None, 400, "bad_setting"),
])
def test_bad_requests_get_a_document(client: TestClient, method: str, path: str, body: str | bytes | None, status: int, code: str) -> None:
    headers = {"Content-Type": "application/json"} if body is not None else {}
    answer = client.request(method, path, content=body, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_an_internal_fault_tells_nothing_of_memory(host: Host, caplog: pytest.LogCaptureFixture) -> None:
    def fails(*_: object) -> object:
        raise RuntimeError("hunter2-SECRET")

    host.sidecar.search = fails  # type: ignore[method-assign,assignment]
    with TestClient(create(host), base_url=f"http://127.0.0.1:{PORT}", raise_server_exceptions=False) as client:  # type: ignore[arg-type]
        answer = client.get("/v1/search?query=x", headers={"Authorization": f"Bearer {TOKEN}"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert "hunter2" not in answer.text and "hunter2" not in "".join(record.getMessage() for record in caplog.records)


# Every route of the application, so that a new one is covered without a new test.
EVERY = sorted((method, route.path.replace("{id:path}", "x").replace("{name:path}", "x"))
               for route in named_routes() for method in route.methods)


def refused(host: Host, method: str, path: str, headers: list[tuple[str, str]], content: bytes = b"{}") -> int:
    """The status of a request whose handler must not run."""
    with TestClient(create(host), base_url=f"http://127.0.0.1:{PORT}") as client:  # type: ignore[arg-type]
        client.headers.clear()
        raw = [(name.encode(), value.encode()) for name, value in headers]
        request = client.build_request(method, f"/v1{path}", headers=raw, content=content if method not in ("GET", "DELETE") else None)
        host.sidecar = None  # type: ignore[assignment]  # a handler that ran would fail with 500
        return client.send(request).status_code


GOOD = [("Host", f"127.0.0.1:{PORT}"), ("Authorization", f"Bearer {TOKEN}"), ("Content-Type", "application/json")]


def without(name: str, *values: str) -> list[tuple[str, str]]:
    return [item for item in GOOD if item[0] != name] + [(name, value) for value in values]


@pytest.mark.parametrize(("method", "path"), EVERY)
def test_no_route_answers_a_stranger(host: Host, method: str, path: str) -> None:
    for name in ("evil.example", f"127.0.0.1.evil.example:{PORT}", f"127.0.0.1@evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", ""):
        assert refused(host, method, path, without("Host", name)) == 403
    for origin in ("https://evil.example", "null", "http://localhost:9999", f"http://127.0.0.1:{PORT}"):
        assert refused(host, method, path, [*GOOD, ("Origin", origin)]) == 403
    for token in ("", "Bearer", "Bearer wrong", "Bearer é", f"Basic {TOKEN}", "Bearer " + "x" * 100_000, f"Bearer {TOKEN}x"):
        assert refused(host, method, path, without("Authorization", token)) == 401
    assert refused(host, method, path, without("Authorization")) == 401
    assert refused(host, method, f"{path}?token={TOKEN}", without("Authorization")) == 401
    if method in ("POST", "PUT", "PATCH"):
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx"):
            assert refused(host, method, path, without("Content-Type", kind)) == 400
        assert refused(host, method, path, [*GOOD, ("Content-Length", str(BODY_LIMIT + 1))], b"") == 413


def test_a_body_without_end_is_cut_off(client: TestClient) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(BODY_LIMIT // 65536 + 2):
            yield b"x" * 65536

    answer = client.post("/v1/recall", content=endless(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


def test_every_operation_of_the_client_is_a_route() -> None:
    known = {(method, route.path.replace(":path}", "}")) for route in named_routes() for method in route.methods}
    assert {(method, path.removeprefix("/v1")) for method, path in ROUTES.values()} <= known


def test_openapi_names_every_route_and_its_answers(client: TestClient) -> None:
    document = client.get("/v1/openapi.json").json()
    assert {path.replace("/v1", "", 1) for path in document["paths"]} == {route.path.replace(":path}", "}") for route in named_routes()}
    assert document["components"]["schemas"]["Recall"]["properties"].keys() >= {"vault", "revision", "total", "index"}


def test_the_feed_tells_of_changes_and_resumes(host: Host) -> None:
    import asyncio

    async def first_lines(last: str, wanted: int) -> list[str]:
        found = []
        async for line in routes._feed(host, last):
            found.append(line)
            if len(found) == wanted:
                return found
            host.sidecar.broadcast.publish("memory.changed", n=len(found))
        return found

    lines = asyncio.run(first_lines("", 3))
    assert lines[0].startswith(":")
    assert lines[1].splitlines()[1:3] == ["event: memory.changed", 'data: {"n": 1}']
    resumed = asyncio.run(first_lines(lines[1].splitlines()[0].removeprefix("id: "), 2))
    assert json.loads(resumed[1].splitlines()[2].removeprefix("data: ")) == {"n": 2}
    everything = asyncio.run(first_lines("otherdaemon-7", 3))
    assert "id: " in everything[1]
