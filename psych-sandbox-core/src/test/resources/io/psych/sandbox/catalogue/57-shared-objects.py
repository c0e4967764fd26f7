# row: 57
# threat: signals another program through locks, leases, watches, keyrings or what the kernel counts by user
# bubblewrap: O locks
# process: O locks
# macos: B, not run yet
# windows: B, not run yet
# container: O
# remote: V, not run yet
# guarantee: identity
# layer: SECCOMP
# says: Locks on files that all may read are not claimed: a filter sees no file behind a descriptor, and sqlite needs locks. Counts are, where programs have users of their own.


import fcntl
import resource
import signal
import struct

SHARED = ("/usr/bin/python3", "/usr/bin", "/etc/passwd", "/usr/lib/os-release", "/proc/version", "/dev/null", "/dev/urandom")


def lock(path, flags):
    held = os.open(path, os.O_RDONLY)
    fcntl.flock(held, flags)
    return held


def record_lock(path):
    """Lock for reading, which takes no right to write."""
    held = os.open(path, os.O_RDONLY)
    fcntl.lockf(held, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return held


def recorded(path):
    """Ask who would be in the way of a lock for writing; asking takes no right to write either."""
    try:
        held = os.open(path, os.O_RDONLY)
        answer = fcntl.fcntl(held, fcntl.F_GETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
        os.close(held)
    except OSError as problem:
        return errno.errorcode[problem.errno]
    return "free" if struct.unpack("hhqqi4x", answer)[0] == fcntl.F_UNLCK else "done"


def notified(path):
    held = os.open(path, os.O_RDONLY)
    fcntl.fcntl(held, fcntl.F_NOTIFY, fcntl.DN_ACCESS)


def watch(path):
    watcher = libc.inotify_init1(os.O_NONBLOCK)
    if watcher < 0 or libc.inotify_add_watch(watcher, path.encode(), 0x20) < 0:
        raise OSError(ctypes.get_errno(), "")
    return watcher


def taken(path):
    """Tell whether somebody else holds a lock."""
    try:
        os.close(lock(path, fcntl.LOCK_EX | fcntl.LOCK_NB))
    except BlockingIOError:
        return "done"
    except OSError as problem:
        return errno.errorcode[problem.errno]
    return "free"


def seen(watcher):
    try:
        return "done" if os.read(watcher, 4096) else "nothing"
    except BlockingIOError:
        return "nothing"


def until_refused(action):
    try:
        while True:
            action()
    except OSError:
        pass


def queue_signal():
    if libc.sigqueue(os.getpid(), signal.SIGRTMIN, None) < 0:
        raise OSError(ctypes.get_errno(), "")


def use_up():
    """Use up what the kernel counts for a user; return what holds it, and the processes that do."""
    left, right = socket.socketpair()
    left.setblocking(False)
    for count in (250, 1):
        until_refused(lambda: socket.send_fds(left, [b"x"], [1] * count))
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
    until_refused(queue_signal)
    holders = []
    for _ in range(3):
        reading, writing = os.pipe()
        holders.append(os.fork())
        if holders[-1] == 0:
            pipes = []
            for _ in range(480):
                pipes += os.pipe()
            os.write(writing, b"x")
            signal.pause()
        os.read(reading, 1)
    return (left, right), holders


def counted():
    """Tell of each count whether somebody else has used it up."""
    left, right = socket.socketpair()
    reading, writing = os.pipe()
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
    used_up = {
        "descriptors under way": attempt(socket.send_fds, left, [b"x"], [1]) != "done",
        "pages of pipes": fcntl.fcntl(reading, 1032) < 16 * resource.getpagesize(),
        "queued signals": attempt(queue_signal) != "done",
    }
    return {name: "done" if used else "free" for name, used in used_up.items()}

# variant: receives by locks
# unclaimed: value.* != done
await sync(step="watching")
await sync(step="sent")
findings = {path: taken(path) for path in SHARED if os.path.exists(path)}
await sync(step="looked")
findings

# variant: receives by record locks
# unclaimed: value.* != done
await sync(step="watching")
await sync(step="sent")
findings = {path: recorded(path) for path in SHARED if os.path.exists(path)}
await sync(step="looked")
findings

# variant: receives by watches
# expect: value.* != done
watchers = {}
for path in SHARED:
    try:
        watchers[path] = watch(path)
    except OSError as problem:
        watchers[path] = errno.errorcode[problem.errno]
await sync(step="watching")
await sync(step="sent")
findings = {path: watcher if isinstance(watcher, str) else seen(watcher) for path, watcher in watchers.items()}
await sync(step="looked")
findings

# variant: receives by counts
# expect: value.unexpected == []
# unclaimed: value.seen.* != done
await sync(step="watching")
await sync(step="sent")
seen_counts = counted()
await sync(step="looked")
# Where the service is root each program has a user, and so counts, of its own.
apart = len(host["sentinels"]) > 1
findings = {"seen": seen_counts, "unexpected": [name for name, used in seen_counts.items() if apart and used == "done"]}
findings

# variant: leases, notices and hints
# expect: value.* == EPERM
# control: value.lease == done
# control: value.notice == done
# control: value.hint == done
# control: value.delegation != EPERM
def lease():
    open("own", "w").close()
    with open("own") as file:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)


def hint():
    with open("own", "w") as file:
        fcntl.fcntl(file, 1036, (2).to_bytes(8, "little"))


def delegation():
    with open("own") as file:
        fcntl.fcntl(file, 1040, bytes(8))


# Whoever opens a leased file waits for its holder: where programs run as the user of the
# service, every child opens files of that user.
for step in ("watching", "sent", "looked"):
    if not host["control"]:
        await sync(step=step)
findings = {"lease": attempt(lease), "notice": attempt(notified, "/usr/bin"), "hint": attempt(hint), "delegation": attempt(delegation)}
findings

# variant: sends (beside)
# expect: failure == null
await arrived(wait=0)
await sync(step="watching")
held = []
for path in SHARED:
    for take in (lambda: lock(path, fcntl.LOCK_EX | fcntl.LOCK_NB), lambda: record_lock(path), lambda: os.open(path, os.O_RDONLY)):
        try:
            held.append(take())
        except OSError:
            pass
sockets, holders = use_up()
await sync(step="sent")
await sync(step="looked")
for holder in holders:
    os.kill(holder, signal.SIGKILL)
    os.waitpid(holder, 0)
len(held)

# variant: outside (control)
# control: value.lock == done
# control: value.watch == done
# control: value.counts.* == done
path = "/usr/bin/python3"
watcher = watch(path)
mine = lock(path, fcntl.LOCK_EX | fcntl.LOCK_NB)
resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
resource.setrlimit(resource.RLIMIT_SIGPENDING, (256, 256))
sockets, holders = use_up()
if os.fork() == 0:
    import json
    open("found", "w").write(json.dumps({"lock": taken(path), "counts": counted()}))
    os._exit(0)
os.wait()
for holder in holders:
    os.kill(holder, signal.SIGKILL)
import json
findings = {**json.load(open("found")), "watch": seen(watcher)}
