# row: 47
# threat: connects to a path socket that a folder shown to the program holds
# bubblewrap: E seccomp
# process: O seccomp
# macos: E, not run yet
# windows: O, not run yet
# container: E
# remote: V, not run yet
# guarantee: network
# layer: SECCOMP
# scenario: shown-socket
# expect: shown == true
# expect: value.* != done
# expect: reached == [0, 0]
# expect: unconfined.shown == done
# expect: unconfined.log == done
# expect: unconfined.raw-log == done


def ask(path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(1)
        sock.connect(path)


def ask_again():
    """Reach the listener of the program's own channel a second time."""
    for path in ("/run/psych/s", os.path.dirname(os.path.dirname(os.getcwd())) + "/c/s"):
        ask(path)


def tell(path, kind):
    """One end of a pair needs no socket() to send elsewhere."""
    left, right = socket.socketpair(socket.AF_UNIX, kind)
    with left, right:
        left.sendto(b"x", path)


findings = {
    "shown": attempt(ask, host["shown"] + "/broker"),
    "own channel": attempt(ask_again),
    "log": attempt(tell, host["shown"] + "/log", socket.SOCK_DGRAM),
    "raw-log": attempt(tell, host["shown"] + "/log", socket.SOCK_RAW),
}
findings
