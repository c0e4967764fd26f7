# row: 15
# threat: double fork and setsid; the child holds stdout open for a minute
# bubblewrap: E
# process: O uid/cgroup
# macos: B, not run yet
# windows: E job, not run yet
# container: E
# remote: V, not run yet
# guarantee: process-tree
# layer: PID_NAMESPACE
# expect: failure == null
# expect: value == "detached"
# expect: durationMillis < 4000
# expect: container: durationMillis < 10000
# control: left > 0


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
findings = "detached"
findings
