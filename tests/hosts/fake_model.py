#!/usr/bin/env python3
"""Scripted model on loopback for MCP end-to-end checks (stdlib only).

Dialects: …/chat/completions (OpenAI chat), …/responses (Codex), …/messages (Anthropic, DSH).
Policy: if a tool whose name ends with --tool is offered and no result for it is in the
transcript, call it with --args; otherwise answer "FINAL <last tool result>".
One JSON line per request goes to --log: kind, tool names, roles, results (and body with --full).
"""
import argparse, json, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ap = argparse.ArgumentParser()
ap.add_argument("--port", type=int, default=0)
ap.add_argument("--port-file")
ap.add_argument("--log", required=True)
ap.add_argument("--tool", required=True)
ap.add_argument("--args", default="{}")
ap.add_argument("--full", action="store_true")
opt = ap.parse_args()
lock = threading.Lock()


def flat(x):
    if isinstance(x, str):
        return x
    if isinstance(x, list):
        return "".join(map(flat, x))
    return flat(x.get("text", x.get("content", x.get("output", "")))) if isinstance(x, dict) else ""


class H(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *a):
        pass

    def note(self, kind, body, **rec):
        rec = dict(kind=kind, path=self.path, model=body.get("model"), **rec)
        if opt.full:
            rec["body"] = body
        with lock, open(opt.log, "a") as f:
            f.write(json.dumps(rec, ensure_ascii=False) + "\n")

    def reply(self, obj, code=200):
        b = json.dumps(obj).encode()
        self.send_response(code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(b)))
        self.end_headers()
        self.wfile.write(b)

    def sse(self, events, done=None):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for name, ev in events:
            self.wfile.write(((f"event: {name}\n" if name else "") + f"data: {json.dumps(ev, ensure_ascii=False)}\n\n").encode())
            self.wfile.flush()
        if done:
            self.wfile.write(f"data: {done}\n\n".encode())
        self.close_connection = True

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self):
        self.note("GET", {})
        self.reply({"object": "list", "data": [{"id": "fake-model", "object": "model"}]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        path = self.path.split("?")[0]
        for end, fn in (("/chat/completions", self.on_chat), ("/responses", self.on_responses), ("/messages", self.on_messages)):
            if path.endswith(end):
                return fn(body)
        self.note("unknown", body)
        self.reply({"error": {"message": "unknown path"}}, 404)

    def choose(self, names, results):
        want = next((n for n in names if n.endswith(opt.tool)), None)
        if want and not results:
            return want, None
        return None, "FINAL " + (results[-1] if results else "(no tool result)")

    def on_chat(self, b):
        msgs = b.get("messages", [])
        names = [t.get("function", {}).get("name", "?") for t in b.get("tools", [])]
        results = [flat(m.get("content")) for m in msgs if m.get("role") == "tool"]
        self.note("chat", b, tools=names, roles=[m.get("role") for m in msgs], results=results)
        want, text = self.choose(names, results)
        base = {"id": "c1", "created": int(time.time()), "model": b.get("model")}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        tc = {"id": "call_0001", "type": "function", "function": {"name": want, "arguments": opt.args}}
        msg = {"role": "assistant", "content": text, **({"tool_calls": [tc]} if want else {})}
        fin = "tool_calls" if want else "stop"
        if not b.get("stream"):
            return self.reply(dict(base, object="chat.completion", usage=usage,
                                   choices=[{"index": 0, "message": msg, "finish_reason": fin}]))
        delta = {**msg, **({"tool_calls": [dict(tc, index=0)]} if want else {})}
        ck = lambda d, f: (None, dict(base, object="chat.completion.chunk", choices=[{"index": 0, "delta": d, "finish_reason": f}]))
        self.sse([ck(delta, None), ck({}, fin), (None, dict(base, object="chat.completion.chunk", choices=[], usage=usage))], "[DONE]")

    def on_responses(self, b):
        items = b["input"] if isinstance(b.get("input"), list) else []
        names, space = [], {}
        for t in b.get("tools", []):
            subs = t.get("tools", []) if t.get("type") == "namespace" else [t]
            for s in subs:
                names.append(s.get("name", s.get("type", "?")))
                if s is not t:
                    space[s.get("name")] = t.get("name")
        results = [flat(i.get("output")) for i in items if i.get("type") == "function_call_output"]
        self.note("responses", b, tools=names, roles=[i.get("role") or i.get("type") for i in items], results=results)
        want, text = self.choose(names, results)
        if want:
            item = {"type": "function_call", "id": "fc_1", "call_id": "call_0001", "name": want, "arguments": opt.args,
                    "status": "completed", **({"namespace": space[want]} if want in space else {})}
        else:
            item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                    "content": [{"type": "output_text", "text": text, "annotations": []}]}
        r = {"id": "resp_1", "object": "response", "created_at": int(time.time()), "model": b.get("model"), "output": []}
        usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15,
                 "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        evs = [{"type": "response.created", "response": dict(r, status="in_progress")},
               {"type": "response.output_item.done", "output_index": 0, "item": item},
               {"type": "response.completed", "response": dict(r, status="completed", output=[item], usage=usage)}]
        self.sse([(e["type"], e) for e in evs])

    def on_messages(self, b):
        msgs = b.get("messages", [])
        names = [t.get("name", "?") for t in b.get("tools", [])]
        results = [flat(c.get("content")) for m in msgs if isinstance(m.get("content"), list)
                   for c in m["content"] if c.get("type") == "tool_result"]
        self.note("messages", b, tools=names, roles=[m.get("role") for m in msgs], results=results)
        want, text = self.choose(names, results)
        usage = {"input_tokens": 10, "output_tokens": 5}
        m = {"id": "msg_1", "type": "message", "role": "assistant", "model": b.get("model"), "content": [],
             "stop_reason": None, "stop_sequence": None, "usage": usage}
        fin = "tool_use" if want else "end_turn"
        if not b.get("stream"):
            block = ({"type": "tool_use", "id": "toolu_1", "name": want, "input": json.loads(opt.args)} if want
                     else {"type": "text", "text": text})
            return self.reply(dict(m, content=[block], stop_reason=fin))
        start = {"type": "tool_use", "id": "toolu_1", "name": want, "input": {}} if want else {"type": "text", "text": ""}
        delta = {"type": "input_json_delta", "partial_json": opt.args} if want else {"type": "text_delta", "text": text}
        evs = [{"type": "message_start", "message": m},
               {"type": "content_block_start", "index": 0, "content_block": start},
               {"type": "content_block_delta", "index": 0, "delta": delta},
               {"type": "content_block_stop", "index": 0},
               {"type": "message_delta", "delta": {"stop_reason": fin, "stop_sequence": None}, "usage": usage},
               {"type": "message_stop"}]
        self.sse([(e["type"], e) for e in evs])


srv = ThreadingHTTPServer(("127.0.0.1", opt.port), H)
srv.daemon_threads = True
if opt.port_file:
    open(opt.port_file, "w").write(str(srv.server_address[1]))
srv.serve_forever()
