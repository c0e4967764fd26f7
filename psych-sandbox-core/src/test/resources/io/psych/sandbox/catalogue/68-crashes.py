# row: 68
# threat: a null pointer, a stack without end, faulthandler, all descriptors
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# expect: durationMillis < 5000
# expect: container: durationMillis < 11000


import sys

# variant: null
# expect: failure.signal == SIGSEGV
ctypes.string_at(0)

# variant: stack
# expect: failure.kind in worker_exit, program_exception
import threading
sys.setrecursionlimit(1 << 30)
def deeper(*_):
    return deeper(*_)

sys.setprofile(None)
deeper()

# variant: stack in C
# expect: failure.kind in worker_exit, program_exception
thing = []
for _ in range(1000000):
    thing = [thing]
repr(thing)

# variant: faulthandler
# expect: failure.signal == SIGSEGV
# expect: stderr.text contains "Fatal Python error"
import faulthandler
faulthandler.enable()
faulthandler._sigsegv()

# variant: illegal instruction
# expect: failure.signal in SIGILL, SIGSEGV, SIGABRT
import signal
os.kill(os.getpid(), signal.SIGILL)

# variant: descriptors
# expect: value in EMFILE, ENFILE
held = []
error = "none"
while error == "none" and len(held) < 1000000:
    try:
        held.append(os.dup(0))
    except OSError as problem:
        error = errno.errorcode[problem.errno]
for n in held:
    os.close(n)
error
