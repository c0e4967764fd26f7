# row: 35
# threat: fills its root, its device folder, shared memory or a queue instead of its folder
# bubblewrap: E
# process: O
# macos: -
# windows: -
# container: E
# remote: V, not run yet
# guarantee: filesystem
# layer: LANDLOCK
# expect: value.written.* <= 67108864
# expect: value.errors.* in EROFS, EACCES, ENOSPC, ENOENT, EPERM, EFBIG
# expect: container: value.errors.* in EROFS, EACCES, ENOSPC, ENOENT, EPERM, EFBIG, EMFILE
# expect: container: value.errors./dev/mqueue == EMFILE
# expect: container: value.written./dev/mqueue == 0
# says: Only a container has its message queues as files; EMFILE is what RLIMIT_MSGQUEUE refuses one with, whose size is bounded to none.


block = bytes(1 << 20)


def fill(folder):
    written = 0
    try:
        for i in range(128):
            with open("%s/%s%d" % (folder, host["token"], i), "wb", buffering=0) as file:
                for _ in range(8):
                    written += file.write(block)
    except OSError as problem:
        return written, errno.errorcode[problem.errno]
    return written, "none"


folders = ("/", "/dev", "/dev/shm", "/dev/pts", "/dev/mqueue", "/etc", "/run", "/run/psych", "/var", "/usr", "/proc", "/sys",
           "/tmp", "/tmp/work")
filled = {folder: fill(folder) for folder in folders}
for folder in folders:
    for i in range(128):
        attempt(os.unlink, "%s/%s%d" % (folder, host["token"], i))
findings = {"written": {k: v[0] for k, v in filled.items()}, "errors": {k: v[1] for k, v in filled.items()}}
findings
