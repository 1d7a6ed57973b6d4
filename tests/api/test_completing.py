"""The route of inline completion: one answer, bounds, and a caller that goes away."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deepseedian.store import completions
from tests.served import Served, served
from tests.streamed import Streamed, answer, streaming, text

SAID = '{"text":" green tea"}'


@contextmanager
def daemon(vault: Path, patch: pytest.MonkeyPatch, *answers: Any) -> Iterator[tuple[Served, Streamed]]:
    with streaming(Streamed(*answers)) as server:
        for name, value in (("MODEL_ENDPOINT", server.url), ("MODEL_NAME", "m"), ("COMPLETE", "on"), ("JUDGE", "off")):
            patch.setenv(f"DEEPSEEDIAN_{name}", value)
        with served(vault) as found:
            yield found, server


def lines(found: Served, body: bytes) -> tuple[str, ...]:
    return (f"Authorization: Bearer {found.token}", "Content-Type: application/json", f"Content-Length: {len(body)}")


def asked(found: Served, **body: object) -> tuple[int, dict[str, Any]]:
    data = json.dumps(body).encode()
    with found.connect() as made:
        head = ["POST /v1/complete HTTP/1.1", f"Host: 127.0.0.1:{found.port}", "Connection: close", *lines(found, data)]
        made.sendall("\r\n".join([*head, "", ""]).encode() + data)
        answered = b""
        while piece := made.recv(65536):
            answered += piece
    return int(answered.split(None, 2)[1]), json.loads(answered.partition(b"\r\n\r\n")[2])


def test_an_answer_bounds_and_refusals(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completions, "APART", 30.0)  # on a slow machine two seconds are over before the second request
    with daemon(vault, monkeypatch, answer(SAID)) as (found, server):
        assert asked(found, before="I drink", after=".", title="Tea", path="a.md") == (200, {"text": " green tea"})
        status, told = asked(found, before="I drink")
        assert status == 200 and told["reason"] == "too_soon" and 0 < told["wait"] <= 30 and told["hint"]
        assert asked(found, before="`code")[1]["reason"] == "code"
        assert asked(found, before="I drink", place="chat")[1]["reason"] == "chat_off"
        for bad in ({"before": "x" * 40_001}, {"before": 1}, {"place": "else"}, {"model": "m"}, {"path": "../x.md"}):
            assert asked(found, **bad)[0] == 400, bad
        assert len(server.asked) == 1


def test_a_caller_that_goes_away_ends_the_call(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with daemon(vault, monkeypatch, [text('{"te'), 30.0], answer(SAID)) as (found, server):
        data = b'{"before":"I drink"}'
        with found.connect() as made:
            head = ["POST /v1/complete HTTP/1.1", f"Host: 127.0.0.1:{found.port}", *lines(found, data)]
            made.sendall("\r\n".join([*head, "", ""]).encode() + data)
            until = time.monotonic() + 10
            while not server.asked and time.monotonic() < until:
                time.sleep(0.02)
        assert server.gone.wait(10)
        for _ in range(100):
            if (told := asked(found, before="I drink")[1]).get("text"):
                break
            assert told["reason"] in ("busy", "too_soon"), told
            time.sleep(0.1)
        assert told["text"] == " green tea"


def test_a_daemon_that_ends_does_not_wait_for_it(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with daemon(vault, monkeypatch, [text('{"te'), 30.0]) as (found, server):
        data = b'{"before":"I drink"}'
        made = found.connect()
        head = ["POST /v1/complete HTTP/1.1", f"Host: 127.0.0.1:{found.port}", *lines(found, data)]
        made.sendall("\r\n".join([*head, "", ""]).encode() + data)
        until = time.monotonic() + 10
        while not server.asked and time.monotonic() < until:
            time.sleep(0.02)
        began = time.monotonic()
    made.close()
    assert server.gone.is_set() and time.monotonic() - began < 6
