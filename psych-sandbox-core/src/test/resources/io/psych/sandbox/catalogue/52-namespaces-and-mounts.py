# row: 52
# threat: new namespaces by unshare, clone, clone3 and setns; the old and the new mount calls; pivot_root, chroot
# bubblewrap: E
# process: O seccomp
# macos: -
# windows: -
# container: O profile
# remote: V, not run yet
# guarantee: identity
# layer: SECCOMP
# expect: value.* != done
# expect: value.* in EPERM, ENOSYS, EACCES


NEWUSER, NEWNS, NEWUTS, NEWNET, NEWPID, NEWTIME = 0x10000000, 0x00020000, 0x04000000, 0x40000000, 0x20000000, 0x80
SIGCHLD = 17


def clone(flags):
    child = system_call(56, 220, flags | SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def clone3(flags):
    arguments = (ctypes.c_uint64 * 11)(flags, 0, 0, 0, SIGCHLD)
    child = system_call(435, 435, arguments, ctypes.sizeof(arguments))
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def setns():
    held = os.open("/proc/self/ns/uts", os.O_RDONLY)
    try:
        system_call(308, 268, held, 0)
    finally:
        os.close(held)


def mount():
    os.makedirs("mountpoint", exist_ok=True)
    system_call(165, 40, b"tmpfs", b"mountpoint", b"tmpfs", 0, None)


# variant: namespaces
# control: value.* == done

# What needs nothing comes first; the user namespace then gives what the others need.
findings = {
    "clone user": attempt(clone, NEWUSER),
    "clone net": attempt(clone, NEWUSER | NEWNET),
    "clone3": attempt(clone3, NEWUSER),
    "unshare user": attempt(system_call, 272, 97, NEWUSER | NEWUTS),
    "unshare mount": attempt(system_call, 272, 97, NEWNS),
    "unshare net": attempt(system_call, 272, 97, NEWNET),
    "unshare time": attempt(system_call, 272, 97, NEWTIME),
    "clone pid": attempt(clone, NEWPID),
    "setns": attempt(setns),
}
findings

# variant: mounts
# control: value.mount == done
# control: value.fsopen == done
# control: value.open_tree == done
# control: value.chroot == done
if host["control"]:
    system_call(272, 97, NEWUSER | NEWNS)
findings = {
    "mount": attempt(mount),
    "umount": attempt(system_call, 166, 39, b"mountpoint", 0),
    "fsopen": attempt(system_call, 430, 430, b"tmpfs", 0),
    "open_tree": attempt(system_call, 428, 428, -100, b".", 1),
    "move_mount": attempt(system_call, 429, 429, -100, b".", -100, b".", 0),
    "mount_setattr": attempt(system_call, 442, 442, -100, b".", 0, None, 0),
    "pivot_root": attempt(system_call, 155, 41, b".", b"."),
    "chroot": attempt(os.chroot, "."),
}
findings
