# row: 16
# threat: the same, without descriptors, environment, working folder or a name that tells anything
# bubblewrap: E
# process: O
# macos: B, not run yet
# windows: E, not run yet
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
    os.closerange(0, 4096)
    os.chdir("/")
    os.environ.clear()
    time.sleep(60)


# PR_SET_NAME, the only trace: by it the suite looks. What is forked has it from its beginning.
libc.prctl(15, host["token"].encode())
detach(stay)
findings = "detached"
findings
