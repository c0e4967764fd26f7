# row: 44
# threat: TCP to a live listener of the host on loopback and LAN, v4, v6, v4-mapped
# bubblewrap: E
# process: O seccomp
# macos: E, not run yet
# windows: O AppContainer, not run yet
# container: E none
# remote: V, not run yet
# guarantee: network
# layer: SECCOMP
# expect: value.* == EPERM
# control: value.* == done


def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        sock.settimeout(1)
        sock.connect(tuple(address))


findings = {
    "loopback4": attempt(connect, socket.AF_INET, host["tcp4"]),
    "loopback6": attempt(connect, socket.AF_INET6, host["tcp6"]),
    "mapped": attempt(connect, socket.AF_INET6, ["::ffff:" + host["tcp4"][0], host["tcp4"][1]]),
}
for name in ("lan4", "lan6"):
    if name in host:
        findings[name] = attempt(connect, socket.AF_INET6 if name == "lan6" else socket.AF_INET, host[name])
findings
