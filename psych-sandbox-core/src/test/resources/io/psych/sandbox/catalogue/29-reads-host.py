# row: 29
# threat: reads a canary, passwd and shadow, and what /proc tells of the JVM
# bubblewrap: E
# process: O Landlock
# macos: E, not run yet
# windows: O AppContainer, not run yet
# container: E
# remote: V, not run yet
# guarantee: filesystem
# layer: LANDLOCK


def read(path):
    with open(path, "rb") as file:
        if host["control"] == 0 and path == "/etc/passwd":
            # A passwd of its own is no breach; the host's names its root.
            if b"root:" not in file.read():
                raise FileNotFoundError(errno.ENOENT, "made up")
        file.read(64)

# variant: files
# expect: value.* != done
# control: value.* == done
findings = {
    "canary": attempt(read, host["canary"]),
    "through a link": attempt(lambda: (os.symlink(host["canary"], "link"), read("link"))),
    "through root": attempt(read, "/proc/self/root" + host["canary"]),
    "passwd": attempt(read, "/etc/passwd"),
    "listing": attempt(os.listdir, host["outside"]),
    "cmdline": attempt(read, "/proc/%d/cmdline" % host["jvm"]),
    "status": attempt(read, "/proc/%d/status" % host["jvm"]),
    "environ": attempt(read, "/proc/%d/environ" % host["sentinel"]),
    "cwd": attempt(os.listdir, "/proc/%d/cwd" % host["sentinel"]),
    "descriptors": attempt(os.listdir, "/proc/%d/fd" % host["sentinel"]),
    "maps": attempt(read, "/proc/%d/maps" % host["sentinel"]),
}
findings

# variant: what only root may
# expect: value.* != done
findings = {
    "shadow": attempt(read, "/etc/shadow"),
    "environ": attempt(read, "/proc/%d/environ" % host["jvm"]),
    "descriptors": attempt(os.listdir, "/proc/%d/fd" % host["jvm"]),
    "kernel log": attempt(read, "/dev/kmsg"),
    "memory": attempt(read, "/dev/mem"),
    "disk": attempt(read, "/dev/vda"),
    "home": attempt(os.listdir, "/root"),
}
findings
