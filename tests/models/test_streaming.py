"""Streams as servers send them: sound, broken into any pieces, cut, silent, hostile; what is asked again and what ends a turn."""

import gzip
import json
import logging
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from deepseedian.errors import ModelFailed
from deepseedian.models import streaming as port
from deepseedian.models.connection import Server
from deepseedian.models.streaming import Finished, OpenAIStreaming, Piece, Reasoning, Text, ToolCall, Usage, retry_after
from tests.scripted import Script, served
from tests.streamed import (
    CUT,
    DONE,
    RESET,
    Status,
    Streamed,
    Whole,
    answer,
    call,
    call_answer,
    chunk,
    event,
    finish,
    in_turn,
    message,
    reasoning,
    streaming,
    text,
    usage,
)

KEY = "sk-TESTKEY123"
SAID = "hunter2-QUESTION"
MESSAGES: list[dict[str, object]] = [{"role": "user", "content": SAID}]
TOOLS: list[dict[str, object]] = [{"type": "function", "function": {"name": "memory_read", "parameters": {"type": "object"}}}]
USAGE = Usage(10, 5, 0, 0, None)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port, "PAUSES", (0.01, 0.01))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # what is on this machine is never asked through a proxy


def model(script: Streamed, **options: Any) -> OpenAIStreaming:
    return OpenAIStreaming(Server(script.url), "m", lambda: KEY, **options)


def pieces(script: Streamed, tools: list[dict[str, object]] | None = None, **options: Any) -> list[Piece]:
    return list(model(script, **options).turn(MESSAGES, tools or [], threading.Event()))


def failed(script: Streamed, **options: Any) -> tuple[str, list[Piece]]:
    """The code of the failure, and what came before it."""
    found: list[Piece] = []
    with pytest.raises(ModelFailed) as told:
        for piece in model(script, **options).turn(MESSAGES, [], threading.Event()):
            found.append(piece)
    shown = f"{told.value.message} {told.value.hint} {told.value!r}"
    assert KEY not in shown and SAID not in shown
    return told.value.code, found


# What comes

def test_text_usage_and_the_end_come_in_order() -> None:
    with streaming(Streamed(answer("Hel", "lo ", "周会"))) as server:
        assert pieces(server, TOOLS) == [Text("Hel"), Text("lo "), Text("周会"), USAGE, Finished("stop")]
        asked = server.asked[0]
        assert asked["messages"] == MESSAGES and asked["tools"] == TOOLS and asked["stream"] and asked["max_tokens"] == 4096
        assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_nothing_of_this_machine_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-of-somebody")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody")
    with streaming(Streamed(answer("x"))) as server:
        pieces(server)
        assert not [name for name, value in server.headers[0].items() if "stainless" in name or "somebody" in value]


@pytest.mark.parametrize(("name", "thought"), [("reasoning_content", "because"), ("reasoning", "because"), ("reasoning_content", "")])
def test_p24_reasoning_is_given_as_it_was_also_when_it_was_empty(name: str, thought: str) -> None:
    with streaming(Streamed([reasoning(thought, name), *call_answer(("memory_read", {"id": "1"}))])) as server:
        found = pieces(server)
        assert found == [Reasoning(thought), ToolCall("call-0", "memory_read", '{"id": "1"}'), USAGE, Finished("tool_calls")]


def test_p24_a_model_without_reasoning_gives_none_and_empty_pieces_are_told_once() -> None:
    empty = chunk({"role": "assistant", "content": None, "reasoning_content": ""})
    absent = chunk({"role": "assistant", "content": "", "reasoning_content": None})
    with streaming(in_turn([absent, *answer("a")], [empty, empty, reasoning("r"), empty, *answer("b")])) as server:
        assert pieces(server) == [Text("a"), USAGE, Finished("stop")]
        assert pieces(server) == [Reasoning(""), Reasoning("r"), Text("b"), USAGE, Finished("stop")]


@pytest.mark.parametrize("reason", ["stop", "length"])
def test_p24_an_empty_answer_holds_no_text(reason: str) -> None:
    with streaming(Streamed([chunk({"content": ""}), finish(reason), usage(), DONE])) as server:
        assert pieces(server) == [USAGE, Finished(reason)]


def test_p24_reasoning_goes_back_by_the_name_it_came_with() -> None:
    round_: list[dict[str, object]] = [*MESSAGES, {"role": "assistant", "content": None, "reasoning_content": "", "tool_calls": []}]
    with streaming(Streamed(answer("x", thought="r"), [reasoning("r", "reasoning"), *answer("x")], answer("x"))) as server:
        found = model(server)
        for _ in range(3):
            list(found.turn(round_, [], threading.Event()))
        assert [asked["messages"][1].get("reasoning_content") for asked in server.asked] == ["", "", None]
        assert server.asked[2]["messages"][1]["reasoning"] == ""


def test_both_names_for_the_same_reasoning_are_one() -> None:
    both = chunk({"reasoning_content": "r", "reasoning": "r"})
    with streaming(Streamed([both, chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "t"}]}]}),
                             chunk({"content": [{"type": "text", "text": "a"}]}), finish(), DONE])) as server:
        assert pieces(server) == [Reasoning("r"), Reasoning("t"), Text("a"), Finished("stop")]


def test_interleaved_tool_calls_come_whole_and_in_order() -> None:
    stream = [call(index=1, id="b", name="g"), call('{"x"', index=0), call("{", index=1), call(index=0, id="a", name="f"), chunk({}),
              call("}", index=1), call(': "周"}', index=0), finish("stop"), usage(), DONE]
    with streaming(Streamed(stream)) as server:
        assert pieces(server) == [ToolCall("a", "f", '{"x": "周"}'), ToolCall("b", "g", "{}"), USAGE, Finished("tool_calls")]


@pytest.mark.parametrize(("told", "meant"), [
    ("length", "length"), ("max_tokens", "length"), ("content_filter", "content_filter"), ("safety", "content_filter"),
    ("end_turn", "stop"), ("tool_calls", "stop"), ("something new", "stop")])
def test_how_it_ended(told: str, meant: str) -> None:
    with streaming(Streamed([text("x"), finish(told), DONE])) as server:
        assert pieces(server)[-1] == Finished(meant)


def test_a_refusal_is_text_that_ends_as_one() -> None:
    with streaming(Streamed([chunk({"refusal": "I will not."}), finish("stop"), DONE])) as server:
        assert pieces(server) == [Text("I will not."), Finished("content_filter")]


def test_tokens_and_what_they_cost() -> None:
    def price(input: int, cached: int, output: int) -> float:
        return input - cached + cached / 10 + output * 2

    running = event({"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1}})
    other = event({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 5, "odd": [1]}})
    odd = event({"choices": [], "usage": {"prompt_tokens": "many", "completion_tokens": -1, "prompt_tokens_details": None}})
    with streaming(in_turn([running, text("x"), finish(), usage(100, 20, 40, 7), DONE], [text("x"), finish(), other, DONE],
                           [text("x"), finish(), odd, DONE])) as server:
        assert pieces(server, cost=price)[-2] == Usage(100, 20, 40, 7, 104.0)
        assert pieces(server)[-2] == Usage(9, 2, 5, 0, None)
        assert pieces(server)[-2] == Usage(0, 0, 0, 0, None)


# Forms of a stream

@pytest.mark.parametrize("form", ["crlf", "no blank lines", "no spaces", "comments", "bytes", "bom", "many lines", "pings", "no end line"])
def test_any_form_of_a_stream(form: str) -> None:
    whole = "".join(str(part) for part in answer("Hel", "lo 周")).encode()
    lines = [json.loads(line[6:]) for line in whole.decode().splitlines() if line.startswith("data: {")]
    made: dict[str, list[Any]] = {
        "crlf": [whole.replace(b"\n", b"\r\n")], "no blank lines": [whole.replace(b"\n\n", b"\n")],
        "no spaces": [whole.replace(b"data: ", b"data:")], "bom": [b"\xef\xbb\xbf" + whole],
        "comments": [b": waiting\n\n\n" + whole.replace(b"data: ", b": still here\nid: 7\nretry: 10\nevent: chunk\ndata: ")],
        "bytes": [whole[at:at + 3] for at in range(0, len(whole), 3)],
        "many lines": ["".join(f"data: {row}\n" for row in json.dumps(line, indent=1).splitlines()) + "\n" for line in lines] + [DONE],
        "pings": ["event: ping\ndata: now\n\n", "data:\n\n", "data: null\n\n", whole], "no end line": [whole.removesuffix(b"\n\n")]}
    with streaming(Streamed(made[form])) as server:
        assert pieces(server) == [Text("Hel"), Text("lo 周"), USAGE, Finished("stop")]


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_a_server_that_does_not_stream(kind: str) -> None:
    calls = [{"id": "a", "type": "function", "function": {"name": "f", "arguments": {"x": 1}}}]
    whole = Whole({**message("hi", reasoning_content="r", tool_calls=calls).document, "more": {"deep": [None]}})  # type: ignore[dict-item]
    body = json.dumps(whole.document, indent=2)
    with streaming(Streamed(whole, [body])) as server:
        server.content_type = kind
        for _ in range(2):
            assert pieces(server) == [Reasoning("r"), Text("hi"), ToolCall("a", "f", '{"x": 1}'), USAGE, Finished("tool_calls")]


def test_an_answer_whose_end_was_not_told_twice() -> None:
    with streaming(in_turn([text("x"), finish("length")], [text("x"), DONE], [text("x"), finish(), RESET])) as server:
        assert [pieces(server)[-1] for _ in range(3)] == [Finished("length"), Finished("stop"), Finished("stop")]


def test_a_connection_that_is_left_open_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port, "LAST_SECONDS", 0.2)
    with streaming(Streamed([text("x"), finish(), 30.0])) as server:
        assert pieces(server) == [Text("x"), Finished("stop")]
        assert server.gone.wait(5)


def test_odd_documents_are_passed_by() -> None:
    odd = [event({"choices": None}), event({"choices": []}), event({"choices": [None, {"index": 1, "delta": {"content": "other"}}]}),
           event({"choices": [{"delta": None}]}), event({"choices": [{"delta": {"content": 5, "tool_calls": [None, {}, 3], "new": 1}}]}), event({})]
    with streaming(Streamed([*odd, *answer("x")])) as server:
        assert pieces(server) == [Text("x"), USAGE, Finished("stop")]


def test_bytes_that_are_no_text() -> None:
    broken = text("周会").encode().replace("周".encode(), b"\xe5\x91")
    bad_call = call('{"a": "周"}', id="a", name="f").encode().replace("周".encode(), b"\xe5\x91")
    with streaming(in_turn([broken, *answer("x")], [bad_call, finish("tool_calls"), DONE])) as server:
        first = pieces(server)[0]
        assert isinstance(first, Text) and first.text.startswith("�") and first.text.endswith("会")
        assert failed(server) == ("model_answer", [])


def test_half_characters_in_a_question_become_whole_ones() -> None:
    with streaming(Streamed(answer("x"))) as server:
        list(model(server).turn([{"role": "user", "content": "a\ud800b", "parts": [{"t": "\udfff"}]}], [], threading.Event()))
        assert server.asked[0]["messages"][0] == {"role": "user", "content": "a?b", "parts": [{"t": "?"}]}


# What is asked again

@pytest.mark.parametrize("first", [Status(429), Status(500), Status(503), Status(529), [CUT], [RESET], [": waiting\n\n", chunk({}), CUT],
                                   [event({"error": {"message": SAID, "code": 503}})], [event({"error": {"type": "overloaded_error"}})],
                                   [finish("insufficient_system_resource"), DONE]])
def test_before_output_began_it_is_asked_again(first: Any) -> None:
    with streaming(Streamed(first, first, answer("x"))) as server:
        assert pieces(server) == [Text("x"), USAGE, Finished("stop")] and len(server.asked) == 3


@pytest.mark.parametrize(("first", "code"), [(Status(429), "model_refused"), ([RESET], "model_away")])
def test_it_is_asked_three_times_at_most(first: Any, code: str) -> None:
    with streaming(Streamed(first)) as server:
        assert failed(server) == (code, []) and len(server.asked) == 3


@pytest.mark.parametrize(("first", "code"), [
    (Status(400, '{"error":{"message":"maximum context length"}}'), "model_refused"), (Status(401), "model_refused"),
    (Status(402), "model_refused"), (Status(404), "model_refused"), (Status(501), "model_refused"), (["<html>Sign in</html>"], "model_answer"),
    ([DONE], "model_answer"), (Whole({"detail": "no"}), "model_answer"), (Whole({"error": {"message": SAID, "code": "invalid_api_key"}}), "model_refused"),
    ([event({"object": "error", "message": SAID, "code": 400})], "model_refused"), (["data: {broken\n\n"], "model_answer"),
    ([call("{}", id="a"), finish("tool_calls"), DONE], "model_answer")])
def test_what_would_not_get_better_is_not_asked_again(first: Any, code: str) -> None:
    with streaming(Streamed(first)) as server:
        assert failed(server) == (code, []) and len(server.asked) == 1


@pytest.mark.parametrize(("after", "code"), [
    ([CUT], "model_cut"), ([RESET], "model_cut"), ([], "model_cut"), (["data: {\"choices\": [{"], "model_cut"),
    ([event({"error": {"message": SAID, "code": 503}})], "model_cut"), (["event: error\ndata: {\"message\": \"x\"}\n\n"], "model_cut"),
    ([finish("error")], "model_cut"), (["data: {broken\n\n"], "model_answer")])
def test_after_output_began_nothing_is_asked_again(after: list[Any], code: str) -> None:
    with streaming(Streamed([text("a"), 0.05, *after])) as server:
        told, found = failed(server)
        assert told == code and found == [Text("a")] and len(server.asked) == 1


def test_a_tool_call_that_was_cut_off_is_not_given() -> None:
    with streaming(Streamed([call('{"text": "half', id="a", name="f"), CUT])) as server:
        assert failed(server) == ("model_cut", []) and len(server.asked) == 1


def test_a_tool_call_that_met_the_limit_is_given_as_it_is() -> None:
    with streaming(Streamed([call('{"text": "half', id="a", name="f"), finish("length"), DONE])) as server:
        assert pieces(server) == [ToolCall("a", "f", '{"text": "half'), Finished("length")]


def test_a_server_that_is_not_there() -> None:
    with streaming(Streamed(answer("x"))) as server:
        pass
    assert failed(server) == ("model_away", [])


def test_the_servers_own_wish_to_wait_is_heard_within_bounds() -> None:
    now = datetime(2026, 11, 30, 9, 0, 0, tzinfo=UTC)
    wishes = {"3": 3.0, "0.5": 0.5, "86400": 20.0, "-5": 0.001, "nan": 0.001, "soon": 0.001, "": 0.001,
              "Mon, 30 Nov 2026 09:00:07 GMT": 7.0, "Mon, 30 Nov 2026 08:00:00 GMT": 0.001, "Tue, 01 Dec 2026 09:00:00 GMT": 20.0}
    assert {wish: retry_after({"retry-after": wish}, now) for wish in wishes} == wishes
    assert retry_after({"retry-after-ms": "250", "retry-after": "9"}, now) == 0.25
    with streaming(Streamed(Status(429, headers={"Retry-After": "0.3"}), answer("x"), Status(429, headers={"Retry-After": "10"}))) as server:
        began = time.monotonic()
        assert pieces(server)[0] == Text("x") and time.monotonic() - began >= 0.3
        began = time.monotonic()
        assert failed(server, seconds=3)[0] == "model_refused"  # no use in waiting longer than the turn may last
        assert time.monotonic() - began < 2 and len(server.asked) == 3


@pytest.mark.parametrize("refusal", ["Unrecognized request argument supplied: stream_options", "stream_options is not supported",
                                     "Extra inputs are not permitted"])
def test_a_server_that_counts_no_tokens_is_asked_without(refusal: str) -> None:
    with streaming(Streamed(Status(400, json.dumps({"error": {"message": refusal}})), [text("x"), finish(), DONE])) as server:
        found = model(server)
        for _ in range(2):
            assert list(found.turn(MESSAGES, [], threading.Event())) == [Text("x"), Finished("stop")]
        assert [("stream_options" in asked) for asked in server.asked] == [True, False, False]


def test_the_other_name_for_the_limit_of_tokens() -> None:
    refusal = Status(400, json.dumps({"error": {"message": "Unsupported parameter: use 'max_completion_tokens' instead of 'max_tokens'"}}))
    with streaming(Streamed(refusal, answer("x"))) as server:
        assert pieces(server)[0] == Text("x")
        assert "max_tokens" not in server.asked[1] and server.asked[1]["max_completion_tokens"] == 4096 and "stream_options" in server.asked[1]


# What ends a turn

def test_silence_ends_it_and_the_server_learns_of_it() -> None:
    for stream in ([text("a"), 30.0], [30.0]):
        with streaming(Streamed(stream)) as server:
            began = time.monotonic()
            assert failed(server, idle=0.4)[0] == "model_timeout"
            assert 0.4 <= time.monotonic() - began < 5 and len(server.asked) == 1 and server.gone.wait(5)


def test_a_comment_is_a_sign_of_life_but_not_for_ever() -> None:
    with streaming(in_turn([": a\n\n", 0.5, ": b\n\n", 0.5, ": c\n\n", 0.5, *answer("x")], [": a\n\n", 0.3] * 30)) as server:
        assert pieces(server, idle=0.9)[0] == Text("x")
        began = time.monotonic()
        assert failed(server, idle=0.9, seconds=1.2)[0] == "model_timeout" and 1.2 <= time.monotonic() - began < 5


def test_a_server_that_dribbles_meets_the_limit_of_the_whole() -> None:
    with streaming(Streamed([text("a"), *(["data: {", 0.05] + [" ", 0.05] * 200)])) as server:
        assert failed(server, seconds=0.7)[0] == "model_timeout" and server.gone.wait(5)


def test_somebody_who_reads_slowly_is_no_silence_of_the_server() -> None:
    with streaming(Streamed(answer("a", "b"))) as server:
        found = []
        for piece in model(server, idle=0.3).turn(MESSAGES, [], threading.Event()):
            time.sleep(0.4 if piece == Text("a") else 0)
            found.append(piece)
        assert found[-1] == Finished("stop")


@pytest.mark.parametrize("where", ["before", "within", "between", "pause"])
def test_a_stop_ends_it_at_once(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port, "PAUSES", (30.0, 30.0))
    silent = {"before": [30.0], "within": [text("a"), 30.0], "between": [text("a")] * 500 + [30.0], "pause": Status(503)}[where]
    cancelled, stopped_at = threading.Event(), [0.0]
    with streaming(Streamed(silent)) as server:
        def stop() -> None:
            while not server.asked:
                time.sleep(0.01)
            time.sleep(0.1)
            stopped_at[0] = time.monotonic()
            cancelled.set()

        threading.Thread(target=stop, daemon=True).start()
        with pytest.raises(ModelFailed) as told:
            for _ in model(server).turn(MESSAGES, [], cancelled):
                pass
        assert told.value.code == "cancelled" and time.monotonic() - stopped_at[0] < 1.5
        assert where == "pause" or server.gone.wait(5)


def test_whoever_leaves_in_the_middle_hangs_up() -> None:
    with streaming(Streamed([text("a"), 30.0])) as server:
        turn = model(server).turn(MESSAGES, [], threading.Event())
        assert next(turn) == Text("a")
        turn.close()  # type: ignore[attr-defined]
        assert server.gone.wait(5)
        assert not [thread for thread in _threads() if thread.is_alive()]


def _threads() -> Iterator[threading.Thread]:
    for thread in threading.enumerate():
        if thread.name == "model turn":
            thread.join(5)
            yield thread


# What no server may do

def test_t22_a_redirect_is_not_followed_with_the_key() -> None:
    with served(Script("elsewhere")) as elsewhere:
        for status in (302, 307, 308):
            with streaming(Streamed(Status(status, "", {"Location": f"{elsewhere.url}/chat/completions"}))) as server:
                assert failed(server)[0] == "model_refused" and len(server.asked) == 1
        assert not elsewhere.headers


def test_answers_without_end_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port, "BODY_LIMIT", 200_000)
    monkeypatch.setattr("deepseedian.models.events.LINE_LIMIT", 50_000)
    monkeypatch.setattr("deepseedian.models.events.WHOLE_LIMIT", 50_000)
    monkeypatch.setattr("deepseedian.models.calls.ARGUMENTS_LIMIT", 50_000)
    long = "x" * 10_000
    for stream in ([text(long)] * 40, ["data: "] + [long] * 20, [long] * 20, [f"data: {long}\n"] * 20, [f"{long}\n"] * 20,
                   [call(long, name="f")] * 20, [call("{}", index=number, name="f") for number in range(300)]):
        with streaming(Streamed([*stream, finish(), DONE])) as server:
            assert failed(server)[0] == "model_answer"


def test_packed_bytes_are_not_unpacked() -> None:
    bomb = gzip.compress(b"data: " + b" " * 50_000_000)
    with streaming(Streamed(Status(200, bomb, {"Content-Encoding": "gzip"}))) as server:
        assert failed(server)[0] == "model_answer"
        assert server.headers[0]["accept-encoding"] == "identity"


def test_a_key_that_no_header_can_hold() -> None:
    with streaming(Streamed(answer("x"))) as server:
        for key in ("sk-\nX-Other: 1", "sk-密钥"):
            found = OpenAIStreaming(Server(server.url), "m", lambda key=key: key)  # type: ignore[misc]
            with pytest.raises(ModelFailed) as told:
                list(found.turn(MESSAGES, [], threading.Event()))
            assert told.value.code == "model_refused" and "密" not in told.value.message
        assert not server.asked


def test_no_log_holds_key_or_question(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with streaming(in_turn(answer("x"), Status(401, json.dumps({"error": {"message": f"bad {KEY}"}})))) as server:
        pieces(server)
        failed(server)
    assert KEY not in caplog.text and SAID not in caplog.text
