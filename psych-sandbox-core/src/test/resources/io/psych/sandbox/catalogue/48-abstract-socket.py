# row: 48
# threat: connects to an abstract socket of the host, by stream and by datagram
# bubblewrap: E netns
# process: O seccomp / Landlock 6
# macos: -
# windows: O, not run yet
# container: E
# remote: V, not run yet
# guarantee: network
# layer: SECCOMP
# expect: value.* != done
# control: value.* == done


def connect(kind):
    with socket.socket(socket.AF_UNIX, kind) as sock:
        sock.settimeout(1)
        sock.connect("\0" + host["abstract"])


def through_pair(kind):
    """One end of a pair needs no socket() to send or to connect elsewhere."""
    left, right = socket.socketpair(socket.AF_UNIX, kind)
    with left, right:
        left.sendto(b"x", "\0" + host["abstract-dgram"])


findings = {
    "stream": attempt(connect, socket.SOCK_STREAM),
    "pair": attempt(through_pair, socket.SOCK_DGRAM),
    "raw pair": attempt(through_pair, socket.SOCK_RAW),
}
findings
