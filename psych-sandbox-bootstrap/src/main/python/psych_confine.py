"""What a process does to confine itself.

`confine` where no launcher has done it. In a container, `move_in` and `leave_to_init` do what the
engine can't.
"""

import posix
import sys

from psych_probe import attempt, read_file
from psych_restrict import PR_SET_NO_NEW_PRIVS, libc_caller


CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER = 1, 24, 36
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 0x4000, 0x40000
SIGKILL, SIGTERM = 9, 15
ENXIO = 6


def confine(spec, host):
    """Take this process out of the host as far as its privileges go, without a launcher.

    Returns, in the process that will run the program, what was achieved. The processes left
    behind wait: an outer one that the host knows, and where there is a pid namespace its
    init, so that the end of either is the end of the whole tree.
    """
    libc = libc_caller()
    applied = []
    libc("prctl", PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    if posix.getppid() != host:
        posix._exit(0)  # The host has gone before its end could be told.
    posix.setsid()
    wanted = CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWPID | (0 if spec["network"] else CLONE_NEWNET)
    uid, gid = posix.getuid(), posix.getgid()
    if not spec["namespaces"]:
        pass
    elif uid == 0 and libc("unshare", wanted) == 0:
        applied += ["ipc", "uts", "pid"]
    elif uid != 0 and libc("unshare", CLONE_NEWUSER | wanted) == 0:
        applied += ["user", "ipc", "uts", "pid"]
        for path, text in (("setgroups", "deny"), ("uid_map", "%d %d 1" % (uid, uid)), ("gid_map", "%d %d 1" % (gid, gid))):
            descriptor = posix.open("/proc/self/" + path, posix.O_WRONLY | posix.O_CLOEXEC)
            posix.write(descriptor, text.encode("ascii"))
            posix.close(descriptor)
    owner = (spec["uid"], spec["gid"]) if spec["uid"] >= 0 else (uid, gid)
    if "pid" in applied:
        init = posix.fork()
        if init:
            pass_on(posix.waitpid(init, 0)[1])
        libc("prctl", PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
        applied += mount_own(libc, spec["mounts"], owner)
    else:
        libc("prctl", PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    program = posix.fork()
    if program:
        stay_behind(program, namespace="pid" in applied)
    libc("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    for capability in range(64):
        libc("prctl", PR_CAPBSET_DROP, capability, 0, 0, 0)
    if spec["uid"] >= 0:
        uid, gid = owner
        posix.setgroups([])
        posix.setresgid(gid, gid, gid)
        posix.setresuid(uid, uid, uid)
        applied.append("uid")
    # struct __user_cap_header_struct version 3 for this thread, and no capability in any set.
    libc("capset", (0x20080522).to_bytes(4, sys.byteorder) + bytes(4), bytes(24))
    # Set last: the kernel clears it when credentials change.
    libc("prctl", PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    return applied


def mount_own(libc, mounts, owner):
    """Give this process and those it starts file systems of their own; return which it got.

    To be called in the pid namespace that /proc is to show.
    """
    if libc("unshare", CLONE_NEWNS) != 0:
        return []
    # Else what is mounted here would be mounted for the host as well.
    if libc("mount", None, b"/", None, MS_REC | MS_PRIVATE, None) != 0:
        return []
    own = ["mnt"]
    for name, (folder, size, inodes) in mounts.items():
        options = "size=%d,nr_inodes=%d,mode=0700,uid=%d,gid=%d" % (size, inodes, *owner)
        if libc("mount", b"tmpfs", folder.encode(), b"tmpfs", MS_NOSUID | MS_NODEV, options.encode("ascii")) == 0:
            own.append(name)
    # Refused where the host's own /proc is covered in part, as in most containers.
    if libc("mount", b"proc", b"/proc", b"proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, None) == 0:
        own.append("proc")
    return own


def stay_behind(program, namespace):
    """Reap until the program has ended, then end what it left and take over its status."""
    for descriptor in range(3):
        posix.close(descriptor)
    if not namespace:
        import _signal

        _signal.signal(SIGTERM, lambda *_: end_descendants(SIGKILL))
    while True:
        child, status = posix.waitpid(-1, 0)
        if child == program:
            break
    # The end of a namespace's init is the end of all its processes (pid_namespaces(7)).
    while not namespace and end_descendants(SIGKILL):
        pass
    pass_on(status)


def end_descendants(signal):
    """Signal everything below this process and reap it; return whether there was any."""
    waiting = [posix.getpid()]
    found = False
    while waiting:
        parent = waiting.pop()
        try:
            threads = posix.listdir("/proc/%d/task" % parent)
            lists = [read_file("/proc/%d/task/%s/children" % (parent, thread)) for thread in threads]
        except OSError:
            continue
        children = [int(pid) for pids in lists for pid in pids.split()]
        waiting += children
        for pid in children:
            found = True
            attempt(posix.kill, pid, signal)
    try:
        while posix.waitpid(-1, posix.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
    return found


def pass_on(status):
    """End with the status of another process, in the shell's encoding."""
    posix._exit(128 + posix.WTERMSIG(status) if posix.WIFSIGNALED(status) else posix.WEXITSTATUS(status))


# -- The first process of a container --------------------------------------------------------


PATIENCE = 10  # seconds until a host that does not open its end of a pipe is taken for dead


def open_pipe(path):
    """Open a named pipe for writing. Without a reader the kernel would wait for one for ever, and so
    would the container of a host that was killed while it started."""
    import time

    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            pipe = posix.open(path, posix.O_WRONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
        except OSError as problem:
            # Nothing tells when a reader comes but trying again (fifo(7)).
            if problem.errno != ENXIO or time.monotonic() > deadline:
                raise
            time.sleep(0.002)
        else:
            posix.set_blocking(pipe, True)
            return pipe


def move_in(spec, workspace):
    """Take the host's pipes in place of the engine's, and only the host's variables."""
    for descriptor, path in ((1, spec["stdout"]), (2, spec["stderr"])):
        pipe = open_pipe(path)
        posix.dup2(pipe, descriptor)
        posix.close(pipe)
    kept = [name.encode() for name in spec["environment"]]
    for name in [name for name in posix.environ if name not in kept]:
        posix.unsetenv(name)
        del posix.environ[name]
    posix.mkdir(workspace, 0o700)


def leave_to_init(sock):
    """Return in a process for the program. The one left behind is the init of the container: it
    reaps, and when the program has ended or the host has gone, so does everything with it."""
    import _signal
    import _socket
    import select

    program = posix.fork()
    if program == 0:
        return
    for descriptor in range(3):
        posix.close(descriptor)
    awake, wake = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
    awake.setblocking(False)
    wake.setblocking(False)
    _signal.signal(_signal.SIGCHLD, lambda *_: None)
    _signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    poller = select.poll()
    poller.register(sock.fileno(), 0)  # the hang-up is always told
    poller.register(awake.fileno(), select.POLLIN)
    while True:
        child = program
        while child:
            child, status = posix.waitpid(-1, posix.WNOHANG)
            if child == program:
                pass_on(status)
        for descriptor, _ in poller.poll():
            if descriptor == sock.fileno():
                posix._exit(128 + SIGKILL)
            attempt(awake.recv, 4096)
