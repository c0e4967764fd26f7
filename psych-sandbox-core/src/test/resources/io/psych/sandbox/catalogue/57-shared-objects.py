# row: 57
# threat: signals another program through locks, leases, watches, keyrings or what the kernel counts by user
# bubblewrap: E
# process: O
# macos: B, not run yet
# windows: B, not run yet
# container: O, not run yet
# remote: V, not run yet
# guarantee: filesystem
# layer: NONE


import fcntl
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

# variant: receives by locks
# expect: value.* != done
await sync(step="watching")
await sync(step="sent")
findings = {path: taken(path) for path in SHARED if os.path.exists(path)}
await sync(step="looked")
findings

# variant: receives by record locks
# expect: value.* != done
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

# variant: leases and notices
# expect: value.* != done
# control: value.* == done
def lease():
    open("own", "w").close()
    with open("own") as file:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)


def notice():
    with_signal = os.open("/usr/bin", os.O_RDONLY)
    fcntl.fcntl(with_signal, fcntl.F_NOTIFY, fcntl.DN_ACCESS)


# Whoever opens a leased file waits for its holder: where programs run as the user of the
# service, every child opens files of that user.
for step in ("watching", "sent", "looked"):
    if not host["control"]:
        await sync(step=step)
findings = {"lease": attempt(lease), "notice": attempt(notice)}
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
await sync(step="sent")
await sync(step="looked")
len(held)

# variant: outside (control)
# control: value.lock == done
# control: value.watch == done
path = "/usr/bin/python3"
watcher = watch(path)
mine = lock(path, fcntl.LOCK_EX | fcntl.LOCK_NB)
if os.fork() == 0:
    open("found", "w").write(taken(path))
    os._exit(0)
os.wait()
findings = {"lock": open("found").read(), "watch": seen(watcher)}
