"""Shows what the service answered, and ends with status 1 where that is not what the demo promises.

    show.py request PROGRAM [OLD=NEW ...]             a request body with the program, texts replaced
    show.py program PROGRAM                           the program itself
    show.py orders RECORD LEVEL [OTHER]               output, value (that of another record), calls and grades
    show.py hostile RECORD LEVEL PID SERVICE NEIGHBOUR
                                                      what stopped each part, and that it can be done from outside
    show.py health HEALTH LEVEL                       the health of the service
"""

import json
import os
import socket
import sys

TOOLS = {"list_orders", "get_customer", "shipping_quote"}

# The guarantee each part of the hostile program is aimed at
AIMED_AT = {
    "IPv4 route out": "network",
    "IPv6 route out": "network",
    "IPv4 to this service": "network",
    "IPv6 to a neighbour of it": "network",
    "read /etc/shadow": "filesystem",
    "list /root": "filesystem",
    "secret of the JVM": "environment",
    "fork bomb": "process-count",
}

COLOURS = {"enforced": 32, "done": 32, "stopped": 32, "unverified": 33, "unknown": 33}
COLOURED = sys.stdout.isatty() and "NO_COLOR" not in os.environ

broken_promises = []


def promise(holds, text):
    """Remember what does not hold; the demo goes on, and fails at its end."""
    if not holds:
        broken_promises.append(text)


def paint(word, width=0):
    padded = word.ljust(width)
    return "\033[%dm%s\033[0m" % (COLOURS.get(word, 31), padded) if COLOURED else padded


def heading(text):
    print("\n\033[1m%s\033[0m" % text if COLOURED else "\n" + text)


def indent(text):
    for line in text.rstrip("\n").split("\n"):
        print("  | " + line)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def request(path, *replacements):
    with open(path, encoding="utf-8") as file:
        program = file.read()
    for replacement in replacements:
        old, new = replacement.split("=")
        program = program.replace(old, new)
    print(json.dumps({"program": program, "tenant": "demo", "run": "demo-1"}))


def show_failure(record):
    failure = record["failure"]
    promise(failure is None, "the program failed: %s" % failure)
    if failure is not None:
        heading("Failure: %s" % failure["kind"])
        indent(failure["traceback"] or failure["message"])


def show_calls(calls):
    heading("Calls (%d, the time of all of them together %d ms)" % (len(calls), sum(call["millis"] for call in calls)))
    for call in calls:
        print("  %3d  %-16s %s %6d ms %7d bytes" % (
            call["id"], call["name"], paint(call["state"], 8), call["millis"], call["resultBytes"]))


def show_grades(isolation, level):
    heading("Isolation of this execution: level %s, backend %s" % (isolation["level"], isolation["backend"]))
    promise(isolation["level"] == level, "the level is %s, not %s" % (isolation["level"], level))
    promise(len(isolation["guarantees"]) == 10, "there are %d grades, not 10" % len(isolation["guarantees"]))
    for name, finding in isolation["guarantees"].items():
        print("  %-14s %s %s" % (name, paint(finding["grade"], 12), finding["evidence"]))


def program(path):
    heading("Program")
    with open(path, encoding="utf-8") as file:
        indent(file.read())


def orders(path, level, other=None):
    record = load(path)
    heading("Printed")
    indent(record["stdout"]["text"])
    heading("Value")
    for row in record["value"] or []:
        print("  " + json.dumps(row, ensure_ascii=False))
    promise(other is None or record["value"] == load(other)["value"], "the value differs from one backend to the other")
    show_failure(record)
    show_calls(record["calls"])
    show_grades(record["isolation"], level)
    print("\n  %d ms from request to result" % record["durationMillis"])
    promise(bool(record["value"]), "the program returned no rows")
    promise("orders" in record["stdout"]["text"], "the program printed nothing")
    promise({call["name"] for call in record["calls"]} == TOOLS, "not every tool was called")
    promise(all(call["state"] == "done" for call in record["calls"]), "not every call is done")
    promise(sum(call["millis"] for call in record["calls"]) > record["durationMillis"], "the calls did not run at once")


def processes_named(name):
    count = 0
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/comm" % number, encoding="utf-8") as comm:
                count += comm.read().strip() == name
        except OSError:
            continue
    return count


def hostile(path, level, pid, service, neighbour):
    record = load(path)
    left_behind = processes_named("psych-bomb")
    outcome = record["value"] if isinstance(record["value"], dict) else {}
    guarantees = record["isolation"]["guarantees"]
    heading("What stopped it (level %s, backend %s)" % (record["isolation"]["level"], record["isolation"]["backend"]))
    show_failure(record)
    promise(record["isolation"]["level"] == level, "the level is %s, not %s" % (record["isolation"]["level"], level))
    for part, guarantee in AIMED_AT.items():
        attempt = outcome.get(part, {"stopped": False, "by": "nothing is known of it"})
        verdict = "stopped" if attempt["stopped"] else "GOT THROUGH"
        print("  %-27s %s %s [%s: %s]" % (
            part, paint(verdict, 11), attempt["by"], guarantee, guarantees[guarantee]["grade"]))
        promise(attempt["stopped"], "%s: %s" % (part, attempt["by"]))
    print("  %-27s %s %d of its processes are left on this host" % (
        "children of the bomb", paint("stopped" if left_behind == 0 else "ALIVE", 11), left_behind))
    promise(left_behind == 0, "%d processes of the fork bomb are left" % left_behind)
    promise(record["networkDenied"], "the execution did not prove that it has no route")

    heading("The same from outside the sandbox")
    control("IPv4 route out", reach(socket.AF_INET, ("192.0.2.1", 9), socket.SOCK_DGRAM))
    control("IPv6 route out", reach(socket.AF_INET6, ("2001:db8::1", 9), socket.SOCK_DGRAM))
    control("IPv4 to this service", reach(socket.AF_INET, ("127.0.0.1", int(service))), required=True)
    control("IPv6 to a neighbour of it", reach(socket.AF_INET6, ("::1", int(neighbour))), required=neighbour != "0")
    control("read /etc/shadow", os.access("/etc/shadow", os.R_OK))
    control("list /root", os.access("/root", os.R_OK))
    control("secret of the JVM", b"DEMO_SECRET=" in read("/proc/%s/environ" % pid), required=True)


def control(part, works, required=False):
    """An attempt that fails everywhere proves nothing; say which ones do."""
    print("  %-27s %s" % (part, "works" if works else "does not work for you on this host either"))
    promise(works or not required, "%s: does not work from outside, so its being stopped proves nothing" % part)


def reach(family, address, kind=socket.SOCK_STREAM):
    """Connect; of a datagram socket that only asks the kernel for a route, and sends nothing."""
    try:
        with socket.socket(family, kind) as connection:
            connection.settimeout(3)
            connection.connect(address)
            return True
    except OSError:
        return False


def read(path):
    with open(path, "rb") as file:
        return file.read()


def health(path, level):
    answer = load(path)
    print(json.dumps(answer, indent=2, ensure_ascii=False))
    sandbox = answer.get("components", {}).get("psychSandbox", {})
    promise(sandbox.get("status") == "UP", "the sandbox's health is %s" % sandbox.get("status"))
    promise(sandbox.get("details", {}).get("level") == level, "health does not show level %s" % level)


def main():
    command, *arguments = sys.argv[1:]
    {"request": request, "program": program, "orders": orders, "hostile": hostile, "health": health}[command](*arguments)
    for text in broken_promises:
        print("NOT AS PROMISED: " + text, file=sys.stderr)
    sys.exit(1 if broken_promises else 0)


if __name__ == "__main__":
    main()
