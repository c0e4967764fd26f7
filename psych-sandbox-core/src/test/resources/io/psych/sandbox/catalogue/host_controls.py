"""What a program must not reach, on the unconfined host: listeners of every kind.

Started by the suite with a folder. Prints where they are as one line of JSON, and after each line
on stdin how often each of them was reached so far. Ends with its stdin.
"""

import json
import os
import socket
import sys
import threading

counts = {}
where = {}


def listen(name, family, kind, address):
    """Count the connections, or the packets, that reach one address."""
    try:
        sock = socket.socket(family, kind)
        sock.bind(address)
    except OSError:
        return  # This host has no such family or address.
    counts[name] = 0
    bound = sock.getsockname()
    where[name] = bound if isinstance(bound, str) else bound.decode() if isinstance(bound, bytes) else list(bound[:2])
    threading.Thread(target=serve, args=(name, sock, kind), daemon=True).start()


def serve(name, sock, kind):
    if kind == socket.SOCK_STREAM:
        sock.listen(64)
    while True:
        if kind == socket.SOCK_STREAM:
            sock.accept()[0].close()
        else:
            sock.recv(2048)
        counts[name] += 1


def address_towards(family, far):
    """Return this host's own address on its way out; nothing is sent."""
    with socket.socket(family, socket.SOCK_DGRAM) as sock:
        try:
            sock.connect((far, 9))
            return sock.getsockname()[0]
        except OSError:
            return None


def main(folder):
    listen("tcp4", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
    listen("tcp6", socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0))
    listen("udp4", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
    listen("udp6", socket.AF_INET6, socket.SOCK_DGRAM, ("::1", 0))
    for name, family, far in (("lan4", socket.AF_INET, "198.51.100.1"), ("lan6", socket.AF_INET6, "2001:db8::1")):
        own = address_towards(family, far)
        if own is not None:
            listen(name, family, socket.SOCK_STREAM, (own, 0))
    listen("path", socket.AF_UNIX, socket.SOCK_STREAM, folder + "/broker")
    listen("path-dgram", socket.AF_UNIX, socket.SOCK_DGRAM, folder + "/log")
    for name in ("/broker", "/log"):
        os.chmod(folder + name, 0o777)
    listen("abstract", socket.AF_UNIX, socket.SOCK_STREAM, "\0psych-catalogue-%d" % os.getpid())
    listen("abstract-dgram", socket.AF_UNIX, socket.SOCK_DGRAM, "\0psych-catalogue-dgram-%d" % os.getpid())
    for name in ("abstract", "abstract-dgram"):
        where[name] = where[name].lstrip("\0")
    print(json.dumps(where), flush=True)
    for _ in sys.stdin:
        print(json.dumps(counts), flush=True)


main(sys.argv[1])
