# row: 53
# threat: ptrace, the memory and the descriptors of a process of its own user, of the JVM and of a program beside it
# bubblewrap: E
# process: O uid + seccomp
# macos: O, not run yet
# windows: O token, not run yet
# container: E
# remote: V, not run yet
# guarantee: identity
# layer: SECCOMP


PTRACE_ATTACH, PTRACE_DETACH, PTRACE_SEIZE = 16, 17, 0x4206


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def trace(pid):
    system_call(101, 117, PTRACE_SEIZE, pid, 0, 0)
    os.kill(pid, 19)
    os.waitpid(pid, 0x40000000)
    system_call(101, 117, PTRACE_DETACH, pid, 0, 0)
    os.kill(pid, 18)


def address_in(pid):
    with open("/proc/%d/maps" % pid) as maps:
        return int(maps.readline().split("-")[0], 16)


def peek(pid):
    """Read another process's memory, wherever it has some; an address nobody has tells as much."""
    try:
        address = address_in(pid)
    except OSError:
        address = 4096
    buffer = ctypes.create_string_buffer(16)
    here, there = Vector(ctypes.addressof(buffer), 16), Vector(address, 16)
    system_call(310, 270, pid, ctypes.addressof(here), 1, ctypes.addressof(there), 1, 0)


def steal(pid):
    """Open its pidfd by the number, then take its descriptor 0."""
    held = os.pidfd_open(pid)
    try:
        os.close(system_call(438, 438, held, 0, 0))
    finally:
        os.close(held)


def memory(pid):
    with open("/proc/%d/mem" % pid, "rb", buffering=0) as file:
        file.seek(address_in(pid))
        file.read(16)


def attempts(pid):
    return {"ptrace": attempt(trace, pid), "process_vm_readv": attempt(peek, pid), "pidfd_getfd": attempt(steal, pid),
            "mem": attempt(memory, pid), "kcmp": attempt(system_call, 312, 272, os.getpid(), pid, 0, 0, 0)}

# variant: of its own user
# expect: value.* != done
# control: value.* == done
findings = attempts(host["sentinel"])
findings

# variant: the JVM
# expect: value.* != done
# control-user: host
# control: value.process_vm_readv == done
# control: value.mem == done
if host["control"]:
    trace = lambda pid: None  # the suite itself is not stopped
findings = attempts(host["jvm"])
findings

# variant: its neighbours by number
# expect: value == []
findings = []
for pid in range(1, 40):
    if pid not in (os.getpid(), os.getppid(), 1) and attempt(memory, pid) == "done":
        findings.append(pid)
findings

# variant: its own child, which other sandboxes leave to it
# expect: value.* != done
import signal
child = os.fork()
if child == 0:
    signal.pause()
findings = attempts(child)
findings.pop("mem")
os.kill(child, 9)
os.waitpid(child, 0)
findings

# variant: beside (beside)
# expect: value == "unharmed"
await arrived()
"unharmed"
