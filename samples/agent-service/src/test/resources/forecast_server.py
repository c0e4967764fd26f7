"""An MCP server over standard input and output with one tool, for the tests."""
import json
import sys

TOOL = {
    "name": "forecast",
    "description": "Tells tomorrow's temperature in a city.",
    "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


def result_of(method, parameters):
    if method == "initialize":
        return {
            "protocolVersion": parameters["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "forecast", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        answer = {"city": parameters["arguments"]["city"], "celsius": 7}
        return {"content": [{"type": "text", "text": json.dumps(answer)}], "isError": False}
    return {}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        answer = {"jsonrpc": "2.0", "id": message["id"]}
        answer["result"] = result_of(message["method"], message.get("params", {}))
        print(json.dumps(answer), flush=True)
