"""Makes system calls under a filter, and tells what came of them.

Reads {"filter": path or null, "groups": [[[number, argument, ...], ...], ...]} from stdin; its own argument is
the folder of psych_restrict, which installs the filter. Every group has a process of its own, which takes on the
filter and makes its calls. Writes a list for each group: 0 where a call succeeded, else the number of its error;
-N where signal N ended the process. A call that begins with "int 0x80" is made by the 32-bit entry.
"""

import ctypes
import json
import mmap
import os
import sys
import tempfile

sys.path.insert(0, sys.argv[1])
from psych_restrict import PR_SET_NO_NEW_PRIVS, libc_caller, seccomp

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
zeros = ctypes.create_string_buffer(256)
hint = ctypes.c_uint64(2)


def argument(text):
    """Return an argument as the kernel takes it: the name of something of ours, or a number."""
    if text == "@file":
        return os.open(os.path.join(folder, "file"), os.O_RDONLY)
    if text == "@folder":
        return os.open(folder, os.O_RDONLY)
    return {"@zeros": ctypes.addressof(zeros), "@hint": ctypes.addressof(hint)}.get(text, text)


def by_interrupt(number, first=0, second=0):
    """Make a system call of at most two arguments by int 0x80."""
    memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    words = [(word & 0xFFFFFFFF).to_bytes(4, "little") for word in (number, first, second)]
    # push rbx; mov eax, NUMBER; mov ebx, FIRST; mov ecx, SECOND; int 0x80; pop rbx; cdqe; ret
    memory.write(b"\x53\xb8" + words[0] + b"\xbb" + words[1] + b"\xb9" + words[2] + b"\xcd\x80\x5b\x48\x98\xc3")
    return ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))()


def make(number, *arguments):
    """Make a system call; return 0 or the number of its error."""
    if number == "int 0x80":
        return max(-by_interrupt(*arguments), 0)
    own = os.getpid()
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(one) for one in arguments])
    if result == 0 and os.getpid() != own:
        os._exit(0)
    return 0 if result >= 0 else ctypes.get_errno()


def run(group):
    """Make the calls of a group in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        calls = [[argument(one) for one in call] for call in group]
        if program is not None:
            caller = libc_caller()
            caller("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
            if not seccomp(caller, program):
                os._exit(1)
        answers = json.dumps([make(*call) for call in calls]).encode()
        while answers:
            answers = answers[os.write(writing, answers) :]
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answers = pipe.read()
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return [-os.WTERMSIG(status)]
    if status != 0:
        raise SystemExit("a group of calls ended with %d" % status)
    return json.loads(answers)


order = json.load(sys.stdin)
program = None
if order["filter"] is not None:
    with open(order["filter"], "rb") as file:
        program = file.read()
with tempfile.TemporaryDirectory() as folder:
    open(os.path.join(folder, "file"), "w").close()
    print(json.dumps([run(group) for group in order["groups"]]))
