# row: 45
# threat: DNS over UDP with data in the name, ICMP, raw, packet, SCTP, MPTCP
# bubblewrap: E
# process: O seccomp
# macos: E, not run yet
# windows: O, not run yet
# container: E
# remote: V, not run yet
# guarantee: network
# layer: SECCOMP
# expect: value.* != done


QUERY = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x06secret\x07example\x00\x00\x01\x00\x01"


def send(family, address, kind=socket.SOCK_DGRAM, protocol=0, data=QUERY):
    with socket.socket(family, kind, protocol) as sock:
        sock.settimeout(1)
        if address is not None:
            sock.sendto(data, tuple(address))


# variant: of anybody
# control: value.udp4 == done
# control: value.udp6 == done
# control: value.netlink == done
# control: value.mptcp in done, EPROTONOSUPPORT
# control: value.sctp in done, EPROTONOSUPPORT
findings = {
    "udp4": attempt(send, socket.AF_INET, host["udp4"]),
    "udp6": attempt(send, socket.AF_INET6, host["udp6"]),
    "sctp": attempt(send, socket.AF_INET, None, socket.SOCK_STREAM, 132),
    "mptcp": attempt(send, socket.AF_INET, None, socket.SOCK_STREAM, 262),
    "netlink": attempt(send, socket.AF_NETLINK, None, socket.SOCK_RAW),
}
findings

# variant: of the privileged
# control-user: host
# control: value.* == done
icmp = b"\x08\x00\xf7\xff\x00\x00\x00\x00"
findings = {
    "raw": attempt(send, socket.AF_INET, ("127.0.0.1", 0), socket.SOCK_RAW, 1, icmp),
    "packet": attempt(send, socket.AF_PACKET, None, socket.SOCK_RAW, 0x300),
}
findings
