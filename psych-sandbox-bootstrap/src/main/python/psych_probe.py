"""What a program must not be able to do, attempted before there is a program.

Each attempt gives the name of its error, or "done". The host knows which attempts would have
succeeded without its mechanism and grades accordingly; nothing is graded here.
"""

import errno
import posix
import sys

import _socket
import resource

CAPABILITIES = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")
STATUS = ("Uid", "Gid", "Groups", "NoNewPrivs", "Seccomp", *CAPABILITIES)


def attempt(action, *arguments):
    """Return "done" if an action succeeded, else the name of the error."""
    try:
        action(*arguments)
        return "done"
    except OSError as problem:
        return errno.errorcode.get(problem.errno, str(problem.errno))
    except MemoryError:
        return "ENOMEM"


def read_file(path, most=65536):
    descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        return posix.read(descriptor, most)
    finally:
        posix.close(descriptor)


def reach(family, address, port):
    """Connect to a listener of the host, waiting two seconds at most."""
    sock = _socket.socket(family, _socket.SOCK_STREAM)
    try:
        sock.settimeout(2)
        sock.connect((address, port))
    except ConnectionResetError:
        pass  # The listener was reached, and has hung up already.
    finally:
        sock.close()


def route(family, address):
    """Ask the kernel for a route; connecting a datagram socket sends nothing."""
    sock = _socket.socket(family, _socket.SOCK_DGRAM)
    try:
        sock.connect((address, 9))
    finally:
        sock.close()


def set_limit(kind, limits):
    """Set a limit: the one way to do so, for probes and for programs."""
    resource.setrlimit(kind, limits)


def with_soft_limit(kind, soft, action):
    """Attempt an action under a lowered soft limit, which is then put back."""
    before = resource.getrlimit(kind)
    set_limit(kind, (soft, before[1]))
    try:
        return attempt(action)
    finally:
        set_limit(kind, before)


def start_process():
    """Start a process, which shares all memory with this one until it finds nothing to execute.

    A fork asks the kernel for the same, and costs the copies of a hundred pages.
    """
    try:
        child = posix.posix_spawn("", ("psych-probe",), {})
    except FileNotFoundError:
        return  # told by the process that was started
    posix.waitpid(child, 0)


def probe_limits(workspace):
    """Attempt what three limits must stop, each first without its limit as the control."""
    path = workspace + "/.psych-probe"

    def write():
        descriptor = posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_CLOEXEC, 0o600)
        try:
            posix.write(descriptor, bytes(4096))
            posix.write(descriptor, bytes(1))
        finally:
            posix.close(descriptor)
            posix.unlink(path)

    def allocate():
        bytes(64 << 20)  # asked of calloc: reserved, never touched

    pages = int(read_file("/proc/self/statm", 256).split()[0])
    files = posix.statvfs(workspace)
    return {
        "fileSize": [attempt(write), with_soft_limit(resource.RLIMIT_FSIZE, 4096, write)],
        "memory": [
            attempt(allocate),
            with_soft_limit(resource.RLIMIT_AS, pages * resource.getpagesize() + (8 << 20), allocate),
        ],
        "processCount": [attempt(start_process), with_soft_limit(resource.RLIMIT_NPROC, 1, start_process)],
        "cpuHard": resource.getrlimit(resource.RLIMIT_CPU)[1],
        "workspace": {
            "device": posix.stat(workspace).st_dev,
            "blockSize": files.f_frsize,
            "blocks": files.f_blocks,
            "inodes": files.f_files,
        },
    }


def ask_kernel(libc):
    """Attempt calls that ask nothing of the kernel but to be let in."""

    def let_in(*call):
        return "done" if libc("syscall", *call) >= 0 else "refused"

    unshare, personality = {"x86_64": (272, 135)}.get(posix.uname().machine, (97, 92))
    return {
        "unshare": let_in(unshare, 0),
        "personality": let_in(personality, 0xFFFFFFFF),
        "socket": attempt(lambda: _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM).close()),
    }


def reach_out(probe):
    """Attempt to reach the host's listeners, and to find a route."""
    return {
        "listeners": [
            [address, attempt(reach, _socket.AF_INET6 if ":" in address else _socket.AF_INET, address, port)]
            for address, port in probe["listeners"]
        ],
        "routes": [
            ["IPv4", attempt(route, _socket.AF_INET, "192.0.2.1")],
            ["IPv6", attempt(route, _socket.AF_INET6, "2001:db8::1")],
        ],
    }


def read_host(probe):
    """Attempt to read what belongs to the host."""
    return {
        "canary": attempt(read_file, probe["canary"]),
        "hostEnviron": attempt(read_file, "/proc/%d/environ" % probe["hostPid"]),
    }


def observe(config, applied):
    """Attempt what a program must not be able to do, and say what came of it.

    What `restrict` is to stop is attempted before it as well, as its control.
    """
    from psych_restrict import libc_caller, restrict

    probe = config["probe"]
    libc = libc_caller()
    limits = probe_limits(config["workspace"])
    before = {**reach_out(probe), **read_host(probe), "kernel": ask_kernel(libc)}
    restricted = {"landlock": 0, "seccomp": False}
    if "restrict" in config:
        restricted = restrict(libc, config["restrict"], applied)
    text = read_file("/proc/self/status").decode("ascii", "replace") + "\n"
    status = {}
    for name in STATUS:
        begin = text.find("\n%s:" % name)
        if begin >= 0:
            status[name] = text[begin + len(name) + 2 : text.index("\n", begin + 1)].split()
    namespaces = {}
    for name in ("user", "pid", "mnt", "net", "ipc", "uts", "cgroup"):
        try:
            namespaces[name] = posix.readlink("/proc/self/ns/" + name)
        except OSError:
            pass
    return {
        "python": sys.version.split()[0],
        "pid": posix.getpid(),
        "namespaces": namespaces,
        "ids": [int(number) for number in status["Uid"] + status["Gid"]],
        "groups": [int(number) for number in status["Groups"]],
        "capabilities": {
            # gVisor has no ambient ones and does not tell them.
            name: status[name][0]
            for name in CAPABILITIES
            if name in status
        },
        "seccomp": int(status.get("Seccomp", ["0"])[0]),
        "noNewPrivileges": status.get("NoNewPrivs", ["0"])[0] == "1",
        "setuid": attempt(posix.setuid, 0) if posix.getuid() != 0 else "done",
        "hostSignal": attempt(posix.kill, probe["hostPid"], 0),
        "environment": [name.decode("utf-8", "replace") for name in posix.environ],
        "limits": limits,
        "confined": applied,
        "restricted": restricted,
        "before": before,
        **reach_out(probe),
        **read_host(probe),
        "kernel": ask_kernel(libc),
    }
