"""Tries to get out. Each part says what stopped it, or what it got."""
import os
import socket

SERVICE = ("127.0.0.1", 8080)
NEIGHBOUR = ("::1", 8081)

outcome = {}


def attempt(part, action):
    try:
        outcome[part] = {"stopped": False, "by": str(action())}
    except OSError as error:
        outcome[part] = {"stopped": True, "by": error.strerror or str(error)}


def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as connection:
        connection.settimeout(3)
        connection.connect(address)
    return f"connected to {address[0]} port {address[1]}"


def find_route(family, address):
    """Ask the kernel for a route to an address of nobody's (RFC 5737, RFC 3849); nothing is sent."""
    with socket.socket(family, socket.SOCK_DGRAM) as out:
        out.connect((address, 9))
    return f"there is a route to {address}"


def read(path):
    with open(path, "rb") as file:
        return f"read {len(file.read())} bytes"


def processes():
    return [number for number in os.listdir("/proc") if number.isdigit()]


def look_for_the_secret():
    """Read the environment of every process there is, the service's among them."""
    for number in processes():
        try:
            with open(f"/proc/{number}/environ", "rb") as file:
                if b"DEMO_SECRET=" in file.read():
                    return f"process {number} gave it away"
        except OSError:
            pass
    raise OSError(0, f"not in any of the {len(processes())} processes there are")


def fork_bomb():
    """Fork in every child as well. The children do not end by themselves."""
    with open("/proc/self/comm", "w") as name:
        name.write("psych-bomb")
    while len(processes()) < 10_000:
        try:
            child = os.fork()
        except OSError as error:
            raise OSError(error.errno, f"{error.strerror}, with {len(processes())} processes") from None
        while child == 0:
            try:
                os.fork()
            except OSError:
                pass
    return f"{len(processes())} processes"


attempt("IPv4 route out", lambda: find_route(socket.AF_INET, "192.0.2.1"))
attempt("IPv6 route out", lambda: find_route(socket.AF_INET6, "2001:db8::1"))
attempt("IPv4 to this service", lambda: connect(socket.AF_INET, SERVICE))
attempt("IPv6 to a neighbour of it", lambda: connect(socket.AF_INET6, NEIGHBOUR))
attempt("read /etc/shadow", lambda: read("/etc/shadow"))
attempt("list /root", lambda: os.listdir("/root"))
attempt("secret of the JVM", look_for_the_secret)
attempt("fork bomb", fork_bomb)
outcome
