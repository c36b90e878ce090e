#!/usr/bin/env python3
"""A loopback model endpoint for real agent CLIs. A base URL is http://127.0.0.1:PORT/AGENT/SCENARIO: the scenario
(model_script.py) says what the model does, by the agent's own tools; each answered call is a line of LOG.

usage: model_server.py PORT_FILE LOG     (prints nothing; writes its port to PORT_FILE once it listens)
"""
import http.server
import itertools
import json
import os
import re
import socketserver
import sys
import threading
import time

import model_script
import model_wires

NUMBERS = itertools.count(1)
LOCK = threading.Lock()


def note(**row):
    with LOCK, open(sys.argv[2], "a", encoding="utf-8") as out:
        out.write(json.dumps(row) + "\n")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, payload, kind="application/json", status=200, headers=()):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(payload)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload)

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self):
        self.answer(b'{"object": "list", "data": [], "models": []}')

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = {}
        path = self.path.split("?")[0]
        parts = path.split("/")
        agent, scenario = (parts[1], parts[2]) if len(parts) > 3 else ("?", "?")
        if path.endswith(("/count_tokens", ":countTokens")):
            return self.answer(b'{"input_tokens": 10, "totalTokens": 10}')
        wire = model_wires.wire(path)
        if wire is None:
            return self.answer(b"{}")
        if os.environ.get("MODEL_SERVER_BODIES"):
            note(agent=agent, path=self.path, body=body)
        # Under load qwen loses a command's output: the model asks once more.
        tools, results = wire.tools(body), [r for r in wire.results(body) if "Output: (empty)" not in json.dumps(r)]
        main = any(name in tools for name in model_wires.SHELLS)
        step = len(results)
        turn = model_script.turn(scenario, step, b"Go on and make add()" in raw)
        if not main and turn and turn.http == 200:
            turn = model_script.Turn(say=model_wires.side_text(body))
        if turn is None:
            return self.answer(b'{"error": {"message": "no such scenario"}}', status=418)
        number = next(NUMBERS)
        usage = model_script.USAGE[min(step, len(model_script.USAGE) - 1)] if main else model_script.SIDE_USAGE
        row = {"agent": agent, "scenario": scenario, "wire": wire.kind, "main": main, "step": step, "status": turn.http,
               "resumed": model_script.NOTHING.encode() in raw}
        if turn.http != 200:
            note(**row)
            headers = [("retry-after", str(turn.retry_after))] if turn.retry_after else []
            return self.answer(json.dumps(wire.error(turn)).encode(), status=turn.http, headers=headers)
        where = re.findall(r"cwd=(/[^=\n]*)=", json.dumps(results))
        named = model_wires.call(turn, tools, where[0] if where else "") if turn.tool else None
        events = list(wire.events(body, turn, named, usage, number))
        note(**row, tool=named[0] if named else "", cut=turn.cut, stall=turn.stall,
             usage=None if turn.cut or turn.stall else usage)
        streams = ":streamGenerateContent" in path or body.get("stream", False)
        if not streams and (turn.cut or turn.stall):
            if turn.stall:
                return self.wait_for_hangup()
            self.close_connection = True
            return self.connection.close()
        if wire is model_wires.Gemini and not streams:
            return self.answer(events[0][6:].strip())
        if not streams:
            return self.whole(wire, body, turn, usage)
        self.stream(events, turn)

    def whole(self, wire, body, turn, usage):
        """A call that does not stream: side calls only."""
        fresh, output = usage[0], usage[1]
        if wire is model_wires.Anthropic:
            return self.answer(json.dumps({
                "id": "msg_w", "type": "message", "role": "assistant", "model": body.get("model", "m"),
                "content": [{"type": "text", "text": turn.say}], "stop_reason": "end_turn", "stop_sequence": None,
                "usage": {"input_tokens": fresh, "output_tokens": output}}).encode())
        return self.answer(json.dumps({
            "id": "c", "object": "chat.completion", "created": 1, "model": body.get("model", "m"),
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": turn.say}}],
            "usage": {"prompt_tokens": fresh, "completion_tokens": output, "total_tokens": fresh + output}}).encode())

    def stream(self, events, turn):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        half = max(1, len(events) // 2)
        for i, piece in enumerate(events):
            if i == half and turn.cut:
                self.close_connection = True
                self.connection.close()
                return
            if i == half and turn.stall:
                self.wfile.flush()
                self.wait_for_hangup()
                return
            if turn.pause:
                time.sleep(turn.pause)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def wait_for_hangup(self):
        self.close_connection = True
        try:
            while self.connection.recv(4096):
                pass
        except OSError:
            pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # agents that are killed leave broken pipes


def main():
    server = Server(("127.0.0.1", 0), Handler)
    with open(sys.argv[1] + ".tmp", "w", encoding="ascii") as out:
        out.write(str(server.server_port))
    os.rename(sys.argv[1] + ".tmp", sys.argv[1])
    server.serve_forever()


main()
