# row: 23
# threat: the JVM is killed with SIGKILL while the program runs
# bubblewrap: E
# process: B
# macos: B, not run yet
# windows: E kill-on-close, not run yet
# container: B sweep
# remote: V deadline, not run yet
# scenario: host-killed
# guarantee: process-tree
# layer: PID_NAMESPACE
# expect: before > 0
# expect: goneMillis < 5000
# expect: container: goneMillis < 10000
# cleaned: container
# expect: folders == 2
# expect: foldersSwept == 2
# expect: foldersLeft == 0
# expect: next == 1
# expect: living == 2
# expect: container: containers >= 1
# expect: container: containersSwept == 0
# says: The folder of the dead is swept when the next sandbox is built beside it; that of a living one stays.


import signal
import sys
import time


def detach(action):
    """Run an action in a process that has left its parent, its group and its session."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            action()
            os._exit(0)
        os._exit(0)
    os.wait()


def stay():
    os.execv("/bin/sh", ["sh", "-c", "trap '' TERM HUP INT; while :; do sleep 60; done", host["token"]])


detach(stay)
libc.prctl(15, host["token"].encode())
await tell()
time.sleep(60)
