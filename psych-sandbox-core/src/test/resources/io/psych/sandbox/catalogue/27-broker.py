# row: 27
# threat: asks a broker of the host to start a process: a path socket, an abstract socket, D-Bus, systemd, cron, at
# bubblewrap: E
# process: O Landlock 9/uid
# macos: O profile, not run yet
# windows: O AppContainer, not run yet
# container: E
# remote: V, not run yet
# guarantee: network
# layer: SECCOMP

# variant: sockets
# expect: value.* != done
# control: value.path == done
# control: value.log == done
# control: value.abstract == done
def ask(address):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(1)
        sock.connect(address)


def tell(address):
    """One end of a pair needs no socket() to send elsewhere."""
    left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with left, right:
        left.sendto(b"x", address)


findings = {
    "path": attempt(ask, host["path"]),
    "abstract": attempt(ask, "\0" + host["abstract"]),
    "log": attempt(tell, host["path-dgram"]),
    "dbus": attempt(ask, "/run/dbus/system_bus_socket"),
    "systemd": attempt(ask, "/run/systemd/private"),
    "docker": attempt(ask, "/var/run/docker.sock"),
}
findings

# variant: spools
# expect: value.* != done
# control: value.outside == done
def leave(folder):
    with open(folder + "/" + host["token"], "w") as file:
        file.write("* * * * * root id\n")


findings = {
    "outside": attempt(leave, host["outside"]),
    "cron": attempt(leave, "/var/spool/cron/crontabs"),
    "at": attempt(leave, "/var/spool/cron/atjobs"),
    "user units": attempt(leave, "/run/user/%d/systemd" % os.getuid()),
}
findings
