"""Run a program as a child of a process that adopts its orphans and ends them all at SIGTERM."""

import ctypes
import os
import signal
import sys

PR_SET_CHILD_SUBREAPER = 36


def end_descendants():
    """Kill and reap everything below this process, until nothing is left."""
    while True:
        with open("/proc/self/task/%d/children" % os.getpid()) as file:
            for pid in file.read().split():
                os.kill(int(pid), signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def on_sigterm(*_):
    end_descendants()
    os._exit(143)


ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
signal.signal(signal.SIGTERM, on_sigterm)
program = os.fork()
if program == 0:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    exec(compile(sys.argv[1], "<program>", "exec"), {"__name__": "__main__"})
    os._exit(0)
while os.waitpid(-1, 0)[0] != program:
    pass
end_descendants()
