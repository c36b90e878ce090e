#!/usr/bin/env python3
"""A loopback model endpoint for real agent CLIs: answers the first request of a conversation with one shell command and
every later one with a closing sentence. Speaks the Anthropic Messages, OpenAI Responses, OpenAI Chat and Gemini shapes.

usage: model_server.py PORT_FILE COMMAND     (prints nothing; writes its port to PORT_FILE once it listens)
"""
import http.server
import json
import socketserver
import sys

COMMAND = sys.argv[2]
DONE = "Done: the file is written."


def sse(events):
    out = []
    for name, data in events:
        if name:
            out.append(f"event: {name}\n")
        out.append("data: " + (data if isinstance(data, str) else json.dumps(data)) + "\n\n")
    return "".join(out).encode()


def anthropic(body):
    names = [tool.get("name") for tool in body.get("tools", [])]
    answered = any(
        isinstance(m.get("content"), list) and any(c.get("type") == "tool_result" for c in m["content"])
        for m in body.get("messages", []))
    usage = {"input_tokens": 1200, "output_tokens": 1, "cache_read_input_tokens": 3000, "cache_creation_input_tokens": 500}
    start = {"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant",
             "model": body.get("model", "m"), "content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}}
    events = [("message_start", start)]
    if "Bash" in names and not answered:
        events += [("content_block_start", {"type": "content_block_start", "index": 0, "content_block":
                    {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}}),
                   ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta":
                    {"type": "input_json_delta", "partial_json": json.dumps({"command": COMMAND, "description": "write"})}})]
        reason = "tool_use"
    else:
        events += [("content_block_start", {"type": "content_block_start", "index": 0,
                    "content_block": {"type": "text", "text": ""}}),
                   ("content_block_delta", {"type": "content_block_delta", "index": 0,
                    "delta": {"type": "text_delta", "text": DONE}})]
        reason = "end_turn"
    events += [("content_block_stop", {"type": "content_block_stop", "index": 0}),
               ("message_delta", {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None},
                "usage": {"output_tokens": 85}}),
               ("message_stop", {"type": "message_stop"})]
    return sse(events)


def responses(body):
    tools = [t.get("name") or t.get("type") for t in body.get("tools", [])]
    answered = any(i.get("type", "").endswith("call_output") for i in body.get("input", []) if isinstance(i, dict))
    usage = {"input_tokens": 4700, "input_tokens_details": {"cached_tokens": 3000}, "output_tokens": 85,
             "output_tokens_details": {"reasoning_tokens": 20}, "total_tokens": 4785}
    shapes = {"exec_command": {"cmd": COMMAND}, "shell_command": {"command": COMMAND},
              "shell": {"command": ["bash", "-lc", COMMAND]}}
    name = next((n for n in shapes if n in tools), None)
    if name and not answered:
        item = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": name, "arguments": json.dumps(shapes[name])}
    else:
        item = {"type": "message", "id": "msg_1", "role": "assistant", "content": [{"type": "output_text", "text": DONE}]}
    return sse([("response.created", {"type": "response.created", "response": {"id": "resp_1"}}),
                ("response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}),
                ("response.completed", {"type": "response.completed", "response": {"id": "resp_1", "usage": usage}})])


def chat(body):
    names = [t.get("function", {}).get("name") for t in body.get("tools", [])]
    answered = any(m.get("role") == "tool" for m in body.get("messages", []))
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": body.get("model", "m")}
    if "bash" in names and not answered:
        delta = {"role": "assistant", "tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function":
                 {"name": "bash", "arguments": json.dumps({"command": COMMAND, "description": "write"})}}]}
        reason = "tool_calls"
    else:
        delta, reason = {"role": "assistant", "content": DONE}, "stop"
    usage = {"prompt_tokens": 4700, "completion_tokens": 85, "total_tokens": 4785, "prompt_tokens_details": {"cached_tokens": 3000}}
    return sse([("", {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}),
                ("", {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage}),
                ("", "[DONE]")])


def gemini(body):
    names = [d.get("name") for t in body.get("tools", []) for d in t.get("functionDeclarations", [])]
    answered = any("functionResponse" in p for c in body.get("contents", []) for p in c.get("parts", []))
    if "run_shell_command" in names and not answered:
        part = {"functionCall": {"name": "run_shell_command", "args": {"command": COMMAND, "description": "write"}}}
    else:
        part = {"text": DONE}
    answer = {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
              "usageMetadata": {"promptTokenCount": 4700, "cachedContentTokenCount": 3000, "candidatesTokenCount": 85,
                                "totalTokenCount": 4785}}
    return answer


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, payload, kind="text/event-stream"):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def do_HEAD(self):
        self.answer(b"")

    def do_GET(self):
        self.answer(b'{"data": [], "models": []}', "application/json")

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = {}
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens") or path.endswith(":countTokens"):
            self.answer(b'{"input_tokens": 10, "totalTokens": 10}', "application/json")
        elif path.endswith("/messages"):
            self.answer(anthropic(body))
        elif path.endswith("/responses"):
            self.answer(responses(body))
        elif path.endswith("/chat/completions"):
            self.answer(chat(body))
        elif ":streamGenerateContent" in path:
            self.answer(sse([("", gemini(body))]))
        elif ":generateContent" in path:
            self.answer(json.dumps(gemini(body)).encode(), "application/json")
        else:
            self.answer(b"{}", "application/json")


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
with open(sys.argv[1] + ".tmp", "w", encoding="ascii") as out:
    out.write(str(server.server_port))
import os  # noqa: E402

os.rename(sys.argv[1] + ".tmp", sys.argv[1])
server.serve_forever()
