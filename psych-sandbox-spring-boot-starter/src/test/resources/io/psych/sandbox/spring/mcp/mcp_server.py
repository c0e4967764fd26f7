"""An MCP server over stdio that does what servers should not do, and what they seldom do.

Each tool is a function below. Arguments on the command line: `quiet` announces no change of its
list, `endless` lists without an end, `twice` lists a tool twice, `toolless` has no tools at all.
"""

import json
import os
import sys
import threading

OPTIONS = set(sys.argv[1:])

received = []
answers = {}
added = []
cancelled = threading.Event()
lock = threading.Lock()
arrived = threading.Condition(lock)


def send(message):
    with lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def ask(number, params):
    """Ask the client's person and return the action."""
    send({"id": number, "method": "elicitation/create", "params": params})
    with arrived:
        arrived.wait_for(lambda: number in answers, timeout=30)
        return answers.get(number, {"action": "nothing"})["action"]


FORM = {"message": "Your name?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}


def text(value):
    return {"content": [{"type": "text", "text": value}]}


def echo(arguments, meta):
    return text(json.dumps(arguments))


def meta_of(arguments, meta):
    return {"content": [], "structuredContent": meta}


def asking(arguments, meta):
    return text(ask("form", FORM))


def asking_slowly(arguments, meta):
    cancelled.wait(30)
    return text(ask("late", FORM))


def needs_page(arguments, meta):
    elicitation = {"mode": "url", "url": "https://login.example/", "message": "Log in", "elicitationId": "1"}
    return {"error": {"code": -32042, "message": "Log in first.", "data": {"elicitations": [elicitation]}}}


def silent(arguments, meta):
    cancelled.wait(30)
    return text("too late")


def progressing(arguments, meta):
    for step in range(3):
        token = meta["progressToken"]
        params = {"progressToken": token, "progress": step, "total": 3}
        send({"method": "notifications/progress", "params": params})
    return text("done")


def dying(arguments, meta):
    os._exit(3)


def failing(arguments, meta):
    return {"isError": True, **text("it broke " * arguments.get("times", 1))}


def failing_silently(arguments, meta):
    return {"isError": True, "content": [{"type": "image", "data": "AAAA", "mimeType": "image/png"}]}


def refusing(arguments, meta):
    return {"error": {"code": -32602, "message": "n must be even"}}


def broken(arguments, meta):
    return {"error": {"code": -32603, "message": "internal"}}


def unknown_block(arguments, meta):
    return {"content": [{"type": "hologram", "data": "AAAA"}]}


def no_result(arguments, meta):
    return {"content": "all of it"}


def add(arguments, meta):
    added.append(arguments["name"])
    if "quiet" not in OPTIONS:
        send({"method": "notifications/tools/list_changed"})
    return text("added")


def withdraw(arguments, meta):
    added.remove(arguments["name"])
    if arguments.get("announced", True) and "quiet" not in OPTIONS:
        send({"method": "notifications/tools/list_changed"})
    return text("withdrawn")


def seen(arguments, meta):
    """What the client sent, by method or in all."""
    method = arguments["method"]
    with lock:
        messages = [message for message in received if method in ("*", message.get("method"))]
    return {"content": [], "structuredContent": {"messages": messages, "answers": dict(answers)}}


def task(arguments, meta):
    return text("never reached")


TOOLS = {
    function.__name__: function
    for function in (
        echo, meta_of, asking, asking_slowly, needs_page, silent, progressing, dying, failing, failing_silently,
        refusing, broken, unknown_block, no_result, add, withdraw, seen, task,
    )
}


def described(name):
    tool = {"name": name, "description": "Does " + name, "inputSchema": {"type": "object"}}
    if name == "task":
        tool["execution"] = {"taskSupport": "required"}
    if name == "echo":
        tool["annotations"] = {"readOnlyHint": True, "openWorldHint": False}
        tool["outputSchema"] = {"type": "object", "properties": {"a": {"type": "integer"}}}
    return tool


def page(cursor):
    names = list(TOOLS) + added
    if "endless" in OPTIONS:
        start = int(cursor or 0)
        names = ["t%d" % number for number in range(start, start + 100)]
        return {"tools": [described(name) for name in names], "nextCursor": str(start + 100)}
    if "twice" in OPTIONS:
        names.append("echo")
        names.append(" ")
        names.append("a\nb")
    # Two pages, so that whoever reads only the first has half of them.
    half = len(names) // 2
    if cursor is None:
        return {"tools": [described(name) for name in names[:half]], "nextCursor": "second"}
    return {"tools": [described(name) for name in names[half:]]}


def call(message):
    params = message["params"]
    name = params["name"]
    if name in added:
        answer = text("I am " + name)
    elif name in TOOLS:
        answer = TOOLS[name](params.get("arguments", {}), params.get("_meta", {}))
    else:
        answer = {"error": {"code": -32602, "message": "Unknown tool: " + name}}
    send({"id": message["id"], **(answer if "error" in answer else {"result": answer})})


def initialize(message):
    tools = {} if "toolless" in OPTIONS else {"tools": {"listChanged": "quiet" not in OPTIONS}}
    result = {
        "protocolVersion": message["params"]["protocolVersion"],
        "capabilities": tools,
        "serverInfo": {"name": "hostile", "version": "1"},
    }
    send({"id": message["id"], "result": result})


def handle(message):
    method = message.get("method")
    if method == "initialize":
        initialize(message)
    elif method == "tools/list":
        send({"id": message["id"], "result": page((message.get("params") or {}).get("cursor"))})
    elif method == "tools/call":
        threading.Thread(target=call, args=(message,), daemon=True).start()
    elif method == "notifications/cancelled":
        cancelled.set()
    elif method == "ping":
        send({"id": message["id"], "result": {}})
    elif method is None and "result" in message:
        with arrived:
            answers[message["id"]] = message["result"]
            arrived.notify_all()


for line in sys.stdin:
    parsed = json.loads(line)
    with lock:
        received.append(parsed)
    handle(parsed)
