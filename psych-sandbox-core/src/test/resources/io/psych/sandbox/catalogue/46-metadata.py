# row: 46
# threat: the metadata services of clouds, on their link-local addresses
# bubblewrap: E
# process: O
# macos: E, not run yet
# windows: O, not run yet
# container: E
# remote: V, not run yet
# guarantee: network
# layer: SECCOMP
# expect: value.* != done
# control: value.route4 == done
# says: No such service runs where this is measured: the control is that a route to its address is found.


def route(family, address):
    """Connecting a datagram socket sends nothing, but needs a route."""
    with socket.socket(family, socket.SOCK_DGRAM) as sock:
        sock.connect(address)


def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        sock.settimeout(0.2)
        sock.connect(address)


findings = {
    "route4": attempt(route, socket.AF_INET, ("169.254.169.254", 80)),
    "route6": attempt(route, socket.AF_INET6, ("fd00:ec2::254", 80)),
    "tcp4": attempt(connect, socket.AF_INET, ("169.254.169.254", 80)),
    "tcp6": attempt(connect, socket.AF_INET6, ("fd00:ec2::254", 80)),
}
findings
