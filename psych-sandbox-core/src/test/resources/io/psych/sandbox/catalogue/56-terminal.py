# row: 56
# threat: pushes keystrokes into a terminal, opens the controlling one
# bubblewrap: E
# process: E setsid
# macos: E, not run yet
# windows: -
# container: E
# remote: -
# guarantee: identity
# layer: SECCOMP
# control-user: host
# expect: value.* != done
# control: value.push == done
# control: value.terminal == done


import fcntl
import termios

TIOCSTI, TIOCLINUX = 0x5412, 0x541C


def terminal():
    os.close(os.open("/dev/tty", os.O_RDWR))


def push():
    """Into a terminal it makes itself, or where it can't, into whatever 0 is."""
    try:
        leader, follower = os.openpty()
    except OSError:
        leader = follower = 0
    fcntl.ioctl(follower, TIOCSTI, b"x")


def control():
    """Outside: become the leader of a terminal, which must then be there to open."""
    os.setsid()
    leader, follower = os.openpty()
    fcntl.ioctl(follower, termios.TIOCSCTTY, 0)
    return leader, follower


held = control() if host["control"] else None
findings = {
    "terminal": attempt(terminal),
    "push": attempt(push),
    "push with a high half": attempt(lambda: system_call(16, 29, 0, 0xFFFFFFFF00005412, b"x")),
    "console": attempt(fcntl.ioctl, 0, TIOCLINUX, b"\x02"),
    "is one": attempt(os.ttyname, 1),
}
if int(open("/proc/self/stat").read().rsplit(")", 1)[1].split()[4]) != 0 and not host["control"]:
    findings["controlling"] = "done"
findings
