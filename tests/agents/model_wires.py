"""One Turn in the four shapes that agents speak: Anthropic Messages, OpenAI Responses, OpenAI Chat Completions, Gemini.
`events` are pieces of the answer as bytes, so that the server can cut or stall between them."""
import json

import model_script

SHELLS = ["Bash", "bash", "run_shell_command", "exec_command", "shell_command", "shell", "run_commands"]
READS = ["Read", "read_file", "read", "view", "read_files"]
EDITS = ["Edit", "replace", "edit", "edit_file", "str_replace", "editor"]
PATHS = ["file_path", "filePath", "filepath", "absolute_path", "path"]
OLDS = ["old_string", "oldString", "old_str", "oldText", "old_text"]
NEWS = ["new_string", "newString", "new_str", "newText", "new_text"]


def patch(arguments):
    return ("*** Begin Patch\n*** Update File: " + arguments["path"] + "\n@@\n-    " + arguments["old"] + "\n+    "
            + arguments["new"] + "\n*** End Patch\n")


def first(names, among):
    return next((n for n in names if n in among), None)


def call(turn, tools, cwd):
    """(name, arguments) of the agent's own tool for this turn. `tools` is name -> JSON schema of its arguments."""
    a = turn.arguments
    if turn.tool == "shell":
        return shell(a["command"], tools)
    if turn.tool == "mcp":
        name = next((n for n in tools if n.endswith("hydra__" + a["name"])), None)
        return name and (name, {key: value for key, value in a.items() if key != "name"})
    path = cwd + "/" + a["path"] if cwd else a["path"]
    name = first(READS if turn.tool == "read" else EDITS, tools)
    if name is None:  # an agent that reads and edits by its shell
        if turn.tool == "read":
            return shell("cat " + a["path"], tools)
        if "apply_patch" in tools:
            return "apply_patch", {"input": patch(a)}
        return shell("apply_patch <<'EOF'\n" + patch(a) + "EOF", tools)
    known = tools[name].get("properties", {})
    arguments = {"files": [{"path": path}]} if "files" in known else {first(PATHS, known) or "path": path}
    if turn.tool == "edit":
        if "edits" in known:
            arguments["edits"] = [{"oldText": a["old"], "newText": a["new"]}]
        else:
            arguments[first(OLDS, known) or "old_string"] = a["old"]
            arguments[first(NEWS, known) or "new_string"] = a["new"]
    return name, with_required(arguments, tools[name])


def shell(command, tools):
    name = first(SHELLS, tools)
    if name is None:
        return None
    known = tools[name].get("properties", {})
    if "commands" in known:
        return name, with_required({"commands": [command]}, tools[name])
    arguments = {"cmd" if "cmd" in known else "command": command}
    if known.get("command", {}).get("type") == "array":
        arguments["command"] = ["bash", "-lc", command]
    return name, with_required(arguments, tools[name])


def with_required(arguments, schema):
    for key in schema.get("required", []):
        kind = schema.get("properties", {}).get(key, {}).get("type")
        arguments.setdefault(key, {"boolean": False, "number": 1, "integer": 1}.get(kind, "work"))
    return arguments


def event(data, name=""):
    text = data if isinstance(data, str) else json.dumps(data)
    return ((f"event: {name}\n" if name else "") + "data: " + text + "\n\n").encode()


def pieces(text, size=400):
    return [text[i:i + size] for i in range(0, len(text), size)]


class Anthropic:
    kind = "anthropic"

    @staticmethod
    def tools(body):
        return {t.get("name"): t.get("input_schema", {}) for t in body.get("tools", [])}

    @staticmethod
    def results(body):
        return [c.get("content") for m in body.get("messages", []) if isinstance(m.get("content"), list)
                for c in m["content"] if c.get("type") == "tool_result"]

    @staticmethod
    def events(body, turn, named, usage, number):
        fresh, output, read, write, _ = usage
        first_usage = {"input_tokens": fresh, "output_tokens": 1, "cache_read_input_tokens": read,
                       "cache_creation_input_tokens": write}
        message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": body.get("model", "m"),
                   "content": [], "stop_reason": None, "stop_sequence": None, "usage": first_usage}

        def send(data):
            return event(data, data["type"])
        yield send({"type": "message_start", "message": message})
        index = 0
        if turn.say:
            yield send({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})
            for text in pieces(turn.say):
                yield send({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}})
            yield send({"type": "content_block_stop", "index": 0})
            index = 1
        if named:
            yield send({"type": "content_block_start", "index": index, "content_block":
                        {"type": "tool_use", "id": f"toolu_{number}", "name": named[0], "input": {}}})
            yield send({"type": "content_block_delta", "index": index, "delta":
                        {"type": "input_json_delta", "partial_json": json.dumps(named[1])}})
            yield send({"type": "content_block_stop", "index": index})
        reason = {"refusal": "refusal", "length": "max_tokens"}.get(turn.stop, "tool_use" if named else "end_turn")
        yield send({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None},
                    "usage": {"output_tokens": output}})
        yield send({"type": "message_stop"})

    @staticmethod
    def error(turn):
        return {"type": "error", "error": {"type": turn.kind, "message": turn.error}}


class Responses:
    kind = "responses"

    @staticmethod
    def tools(body):
        return {t.get("name") or t.get("type"): t.get("parameters") or {} for t in body.get("tools", [])}

    @staticmethod
    def results(body):
        items = body.get("input", [])
        return [i.get("output") for i in items if isinstance(i, dict) and str(i.get("type")).endswith("call_output")]

    @staticmethod
    def events(body, turn, named, usage, number):
        fresh, output, read, _, reasoning = usage
        total = {"input_tokens": fresh + read, "input_tokens_details": {"cached_tokens": read}, "output_tokens": output,
                 "output_tokens_details": {"reasoning_tokens": reasoning}, "total_tokens": fresh + read + output}
        answer = {"id": f"resp_{number}", "object": "response", "model": body.get("model", "m"), "output": []}

        def send(kind, **data):
            return event({"type": kind, **data}, kind)
        yield send("response.created", response={**answer, "status": "in_progress"})
        items = []
        if turn.say:
            item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "in_progress", "content": []}
            yield send("response.output_item.added", output_index=0, item=item)
            for text in pieces(turn.say):
                yield send("response.output_text.delta", item_id=f"msg_{number}", output_index=0, content_index=0, delta=text)
            part = {"type": "refusal", "refusal": turn.say} if turn.stop == "refusal" else \
                {"type": "output_text", "text": turn.say, "annotations": []}
            items.append({**item, "status": "completed", "content": [part]})
            yield send("response.output_item.done", output_index=0, item=items[-1])
        if named:
            custom = any(t.get("name") == named[0] and t.get("type") == "custom" for t in body.get("tools", []))
            one = {"id": f"fc_{number}", "call_id": f"call_{number}", "name": named[0], "status": "completed"}
            one.update({"type": "custom_tool_call", "input": named[1].get("input", "")} if custom else
                       {"type": "function_call", "arguments": json.dumps(named[1])})
            items.append(one)
            yield send("response.output_item.added", output_index=len(items) - 1, item=one)
            yield send("response.output_item.done", output_index=len(items) - 1, item=one)
        if turn.stop == "length":
            yield send("response.incomplete", response={**answer, "status": "incomplete", "output": items, "usage": total,
                                                        "incomplete_details": {"reason": "max_output_tokens"}})
        else:
            yield send("response.completed", response={**answer, "status": "completed", "output": items, "usage": total})

    @staticmethod
    def error(turn):
        codes = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}
        code = "context_length_exceeded" if turn.error == model_script.TOO_LONG else codes.get(turn.http)
        return {"error": {"message": turn.error, "type": turn.kind, "param": None, "code": code}}


class Chat:
    kind = "chat"

    @staticmethod
    def tools(body):
        return {t["function"].get("name"): t["function"].get("parameters") or {}
                for t in body.get("tools") or [] if "function" in t}

    @staticmethod
    def results(body):
        return [m.get("content") for m in body.get("messages", []) if m.get("role") == "tool"]

    @staticmethod
    def events(body, turn, named, usage, number):
        fresh, output, read, _, reasoning = usage
        total = {"prompt_tokens": fresh + read, "completion_tokens": output, "total_tokens": fresh + read + output,
                 "prompt_tokens_details": {"cached_tokens": read},
                 "completion_tokens_details": {"reasoning_tokens": reasoning}}
        base = {"id": f"chat_{number}", "object": "chat.completion.chunk", "created": 1700000000,
                "model": body.get("model", "m")}

        def send(delta, reason=None, **more):
            return event({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}], **more})
        yield send({"role": "assistant", "content": ""})
        for text in pieces(turn.say):
            yield send({"content": text})
        if named:
            yield send({"tool_calls": [{"index": 0, "id": f"call_{number}", "type": "function", "function":
                        {"name": named[0], "arguments": json.dumps(named[1])}}]})
        reason = {"refusal": "content_filter", "length": "length"}.get(turn.stop, "tool_calls" if named else "stop")
        yield send({}, reason)
        yield event({**base, "choices": [], "usage": total})
        yield event("[DONE]")

    error = Responses.error


class Gemini:
    kind = "gemini"

    @staticmethod
    def tools(body):
        return {d.get("name"): d.get("parametersJsonSchema") or d.get("parameters") or {}
                for t in body.get("tools", []) for d in t.get("functionDeclarations", [])}

    @staticmethod
    def results(body):
        return [p["functionResponse"].get("response") for c in body.get("contents", []) for p in c.get("parts", [])
                if "functionResponse" in p]

    @staticmethod
    def events(body, turn, named, usage, number):
        fresh, output, read, _, reasoning = usage
        # Thoughts are beside the candidates here, and the CLI names them in its total alone.
        total = {"promptTokenCount": fresh + read, "cachedContentTokenCount": read, "candidatesTokenCount": output,
                 "thoughtsTokenCount": reasoning, "totalTokenCount": fresh + read + output + reasoning}

        def send(parts, reason=None):
            candidate = {"content": {"role": "model", "parts": parts}, "index": 0}
            if reason:
                candidate["finishReason"] = reason
            return event({"candidates": [candidate], "usageMetadata": total, "modelVersion": "mock-model"})
        for text in pieces(turn.say):
            yield send([{"text": text}])
        last = [{"functionCall": {"name": named[0], "args": named[1]}}] if named else [{"text": " "}]
        yield send(last, {"refusal": "SAFETY", "length": "MAX_TOKENS"}.get(turn.stop, "STOP"))

    @staticmethod
    def error(turn):
        words = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
                 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}
        return {"error": {"code": turn.http, "message": turn.error, "status": words.get(turn.http, "UNKNOWN")}}


def example(schema):
    """A value of that JSON schema: what a side call that wants JSON is answered."""
    kind = str(schema.get("type", "")).lower()
    if kind == "object":
        return {name: example(part) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        return []
    if schema.get("enum"):
        return schema["enum"][0]
    return {"integer": 1, "number": 1, "boolean": False}.get(kind, "work")


def side_text(body):
    """The answer to a call beside the conversation: a title, or JSON where a schema asks for it."""
    config = body.get("generationConfig", {})
    schema = config.get("responseJsonSchema") or config.get("responseSchema")
    return json.dumps(example(schema)) if schema else "A title"


def wire(path):
    if path.endswith("/messages"):
        return Anthropic
    if path.endswith("/responses"):
        return Responses
    if path.endswith("/chat/completions"):
        return Chat
    if ":streamGenerateContent" in path or ":generateContent" in path:
        return Gemini
    return None
