import ctypes
import errno
import os
import socket

host = {}
# A process of the same user: by its number, which a user namespace keeps
host["sentinel"] = host["sentinels"].get(str(os.getuid()), host["jvm"])


def attempt(action, *arguments):
    """Return "done", or the name of the error that an attempt came to."""
    try:
        action(*arguments)
    except TimeoutError:
        return "ETIMEDOUT"
    except OSError as problem:
        return errno.errorcode.get(problem.errno, str(problem.errno))
    except MemoryError:
        return "ENOMEM"
    except ValueError as problem:
        return "refused: %s" % problem
    return "done"


libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def system_call(x86, arm, *arguments):
    """Make a system call by its numbers, that of x86-64 and that of 64-bit ARM."""
    number = x86 if os.uname().machine == "x86_64" else arm
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


