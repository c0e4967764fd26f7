"""Landlock and seccomp, which a process takes on by itself and can't put down again."""

import posix
import sys

from psych_probe import read_file


PR_SET_NO_NEW_PRIVS = 38
# Numbers that all architectures share (landlock(7)), and constants of linux/landlock.h.
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
LANDLOCK_CREATE_RULESET_VERSION, LANDLOCK_RULE_PATH_BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL_DEV = 1, 2, 4, 8, 1 << 14, 1 << 15
MAKE_CHAR, MAKE_BLOCK = 1 << 6, 1 << 11
BIND_AND_CONNECT_TCP, ABSTRACT_SOCKETS_AND_SIGNALS = 3, 3
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2


def libc_caller():
    """Return call(name, *arguments) into libc. `_ctypes` alone costs a twentieth of ctypes."""
    import _ctypes

    handle = _ctypes.dlopen(None, 2)
    return lambda name, *arguments: _ctypes.call_function(_ctypes.dlsym(handle, name), arguments)


def restrict(libc, spec, confined):
    """Take on Landlock and the filter of system calls; return what was taken on."""
    libc("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    program = read_file(spec["filter"]) if spec["filter"] is not None else None
    return {"landlock": landlock(libc, spec, confined), "seccomp": program is not None and seccomp(libc, program)}


def file_rights(abi):
    """Return all rights to files that a version of Landlock knows."""
    return (1 << {1: 13, 2: 14, 3: 15, 4: 15}.get(abi, 16)) - 1


def landlock(libc, spec, confined):
    """Leave only some files open to this process; return the version, 0 when there is none."""
    abi = libc("syscall", LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_CREATE_RULESET_VERSION)
    if abi < 1:
        return 0
    rights = file_rights(abi)
    handled = [rights] + ([0 if spec["network"] else BIND_AND_CONNECT_TCP] if abi >= 4 else []) + ([ABSTRACT_SOCKETS_AND_SIGNALS] if abi >= 6 else [])
    attributes = b"".join(number.to_bytes(8, sys.byteorder) for number in handled)
    ruleset = libc("syscall", LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return 0
    # These two are the host's unless they were mounted anew.
    readable = spec["readable"] + (["/proc"] if "proc" in confined else [])
    writable = spec["writable"] + (["/dev/shm"] if "shm" in confined else [])
    for paths, granted in (
        (readable, EXECUTE | READ_FILE | READ_DIR),
        (writable, rights & ~(MAKE_CHAR | MAKE_BLOCK)),
    ):
        for path in paths:
            allow(libc, ruleset, path, granted, rights)
    restricted = libc("syscall", LANDLOCK_RESTRICT_SELF, ruleset, 0)
    posix.close(ruleset)
    return abi if restricted == 0 else 0


def allow(libc, ruleset, path, granted, rights):
    try:
        descriptor = posix.open(path, posix.O_PATH | posix.O_CLOEXEC)
    except OSError:
        return  # What is not there needs no rule.
    if posix.fstat(descriptor).st_mode & 0o170000 != 0o040000:
        granted &= rights & (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV)
    # struct landlock_path_beneath_attr is packed.
    rule = granted.to_bytes(8, sys.byteorder) + descriptor.to_bytes(4, sys.byteorder)
    libc("syscall", LANDLOCK_ADD_RULE, ruleset, LANDLOCK_RULE_PATH_BENEATH, rule, 0)
    posix.close(descriptor)


def seccomp(libc, program):
    """Install a filter of system calls; return whether it is in force."""
    # struct sock_fprog: a count, and where the instructions are. CPython's id is an address, and
    # a bytes object ends in its bytes and one zero.
    where = id(program) + bytes.__basicsize__ - 1
    count = (len(program) // 8).to_bytes(2, sys.byteorder) + bytes(6)
    return libc("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, count + where.to_bytes(8, sys.byteorder), 0, 0) == 0
