# row: 36
# threat: a sparse file of 1 TiB, with SIGXFSZ ignored
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: N (quota only), not run yet
# container: E
# remote: V, not run yet
# guarantee: file-size
# expect: value.* != done
# expect: value.written == EFBIG
# expect: value.truncate == EFBIG
# control: value.* == done
# says: No program has a file above its limit for the collector to count; that it counts by size, holes included, is shown by its own tests.


import signal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
size = 1 << 40
large = 11 << 20


def written():
    with open("written", "wb", buffering=0) as file:
        while file.tell() < large:
            file.write(bytes(1 << 20))
    os.unlink("written")


def sparse(action):
    with open("sparse", "w+b") as file:
        action(file.fileno())
    os.unlink("sparse")


findings = {
    "written": attempt(written),
    "truncate": attempt(sparse, lambda file: os.truncate(file, size)),
    "at an offset": attempt(sparse, lambda file: os.pwrite(file, b"x", size)),
    "allocate": attempt(sparse, lambda file: os.posix_fallocate(file, 0, large)),
    "raised": attempt(lambda: (__import__("resource").setrlimit(1, (-1, -1)), sparse(lambda file: os.truncate(file, size)))),
}
findings
