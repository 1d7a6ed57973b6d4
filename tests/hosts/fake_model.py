"""A scripted model on loopback that speaks the three dialects of hosts: chat completions, responses (Codex), messages (DSH, Claude Code).

Its policy: a tool whose name ends with the wanted one is called once, when it is offered and the conversation holds no result yet; else
it answers "FINAL " and the last result. Every request is kept, so that a test can look at what a host really sent.
"""

import json
import threading
import time
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {"input_tokens": 10, "output_tokens": 5}


def flat(part: Any) -> str:
    """The text in a content of any form."""
    if isinstance(part, str):
        return part
    if isinstance(part, list):
        return "".join(map(flat, part))
    return flat(part.get("text", part.get("content", part.get("output", "")))) if isinstance(part, dict) else ""


class FakeModel:
    """`requests`: each with dialect, tools offered, results seen, body and headers."""

    def __init__(self, tool: str = "", arguments: object = None) -> None:
        self.tool, self.arguments = tool, json.dumps(arguments or {})
        self.requests: list[dict[str, Any]] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Speaking", (_Speaking,), {"model": self}))
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})

    def __enter__(self) -> "FakeModel":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def turns(self) -> list[dict[str, Any]]:
        """Requests of a turn: not those that only want a title for the session."""
        return [request for request in self.requests if request["tools"] or "title" not in json.dumps(request["body"])[:4000].lower()]

    def choose(self, names: list[str], results: list[str]) -> tuple[str, str]:
        want = next((name for name in names if self.tool and name.endswith(self.tool)), "")
        return (want, "") if want and not results else ("", "FINAL " + (results[-1] if results else "(no tool result)"))


class _Speaking(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: FakeModel

    def log_message(self, *_: object) -> None:
        """Nothing: a test's output is its own."""

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self.reply({"object": "list", "data": [{"id": "fake-model", "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        path = self.path.split("?")[0]
        for end, speak in (("/chat/completions", self.speak_chat), ("/responses", self.speak_responses), ("/messages", self.speak_messages)):
            if path.endswith(end):
                return speak(body)
        self.reply({"error": {"message": "unknown path"}}, 404)

    def choice(self, dialect: str, body: Any, names: list[str], results: list[str]) -> tuple[str, str]:
        self.model.requests.append({"dialect": dialect, "tools": names, "results": results, "body": body, "headers": dict(self.headers)})
        return self.model.choose(names, results)

    def reply(self, document: object, status: int = 200) -> None:
        data = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def stream(self, events: Iterable[tuple[str, object]], done: str = "") -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for name, event in events:
            self.wfile.write(((f"event: {name}\n" if name else "") + f"data: {json.dumps(event)}\n\n").encode())
        self.wfile.write(f"data: {done}\n\n".encode() if done else b"")
        self.close_connection = True

    def speak_chat(self, body: Any) -> None:
        said = body.get("messages", [])
        names = [tool.get("function", {}).get("name", "?") for tool in body.get("tools") or []]
        want, text = self.choice("chat", body, names, [flat(message.get("content")) for message in said if message.get("role") == "tool"])
        base = {"id": "c1", "created": int(time.time()), "model": body.get("model")}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        call = {"id": "call_0001", "type": "function", "function": {"name": want, "arguments": self.model.arguments}}
        message: dict[str, Any] = {"role": "assistant", "content": text or None}
        end = "tool_calls" if want else "stop"
        if not body.get("stream"):
            message |= {"tool_calls": [call]} if want else {}
            return self.reply(base | {"object": "chat.completion", "usage": usage, "choices": [{"index": 0, "message": message, "finish_reason": end}]})
        message |= {"tool_calls": [call | {"index": 0}]} if want else {}
        chunk = base | {"object": "chat.completion.chunk"}
        self.stream([("", chunk | {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})
                     for delta, reason in ((message, None), ({}, end))] + [("", chunk | {"choices": [], "usage": usage})], "[DONE]")

    def speak_responses(self, body: Any) -> None:
        items = body["input"] if isinstance(body.get("input"), list) else []
        names, spaces = [], {}
        for tool in body.get("tools") or []:
            for inner in tool.get("tools", []) if tool.get("type") == "namespace" else [tool]:
                names.append(inner.get("name", inner.get("type", "?")))
                if inner is not tool:
                    spaces[inner.get("name")] = tool.get("name")
        want, text = self.choice("responses", body, names, [flat(item.get("output")) for item in items if item.get("type") == "function_call_output"])
        if want:
            item: dict[str, Any] = {"type": "function_call", "id": "fc_1", "call_id": "call_0001", "name": want, "arguments": self.model.arguments,
                                    "status": "completed"} | ({"namespace": spaces[want]} if want in spaces else {})
        else:
            item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                    "content": [{"type": "output_text", "text": text, "annotations": []}]}
        answer = {"id": "resp_1", "object": "response", "created_at": int(time.time()), "model": body.get("model"), "output": []}
        usage = USAGE | {"total_tokens": 15, "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": answer | {"status": "in_progress"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": answer | {"status": "completed", "output": [item], "usage": usage}}]
        self.stream((event["type"], event) for event in events)

    def speak_messages(self, body: Any) -> None:
        said = [part for message in body.get("messages", []) if isinstance(message.get("content"), list) for part in message["content"]]
        names = [tool.get("name", "?") for tool in body.get("tools") or []]
        want, text = self.choice("messages", body, names, [flat(part.get("content")) for part in said if part.get("type") == "tool_result"])
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model"), "content": [], "stop_reason": None,
                   "stop_sequence": None, "usage": USAGE}
        end = "tool_use" if want else "end_turn"
        if not body.get("stream"):
            block = ({"type": "tool_use", "id": "toolu_1", "name": want, "input": json.loads(self.model.arguments)} if want
                     else {"type": "text", "text": text})
            return self.reply(message | {"content": [block], "stop_reason": end})
        start = {"type": "tool_use", "id": "toolu_1", "name": want, "input": {}} if want else {"type": "text", "text": ""}
        delta = {"type": "input_json_delta", "partial_json": self.model.arguments} if want else {"type": "text_delta", "text": text}
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": message}, {"type": "content_block_start", "index": 0, "content_block": start},
            {"type": "content_block_delta", "index": 0, "delta": delta}, {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": end, "stop_sequence": None}, "usage": USAGE}, {"type": "message_stop"}]
        self.stream((event["type"], event) for event in events)
