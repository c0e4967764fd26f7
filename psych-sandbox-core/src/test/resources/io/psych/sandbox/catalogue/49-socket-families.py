# row: 49
# threat: vsock, netlink, packet, alg and other families, also by io_uring
# bubblewrap: E
# process: O
# macos: -
# windows: -
# container: E runsc, O runc
# remote: V, not run yet
# guarantee: network
# layer: SECCOMP
# control-user: host
# expect: value.* != done
# expect: value.* in EPERM, ENOSYS
# control: value.vsock == done
# control: value.netlink == done
# control: value.packet == done
# control: value.alg in done, EAFNOSUPPORT
# control: value.ring == done


def make(family, kind=socket.SOCK_RAW):
    socket.socket(family, kind).close()


def ring():
    parameters = ctypes.create_string_buffer(120)
    os.close(system_call(425, 425, 8, parameters))


findings = {
    "vsock": attempt(make, 40, socket.SOCK_STREAM),
    "netlink": attempt(make, 16),
    "packet": attempt(make, 17),
    "alg": attempt(make, 38, socket.SOCK_SEQPACKET),
    "bluetooth": attempt(make, 31),
    "xdp": attempt(make, 44),
    "tipc": attempt(make, 30, socket.SOCK_STREAM),
    "inet": attempt(make, 2, socket.SOCK_STREAM),
    "unix": attempt(make, 1, socket.SOCK_STREAM),
    "ring": attempt(ring),
}
findings
