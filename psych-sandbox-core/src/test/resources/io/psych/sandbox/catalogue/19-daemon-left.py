# row: 19
# threat: the program ends well and leaves a daemon
# bubblewrap: E
# process: O
# macos: B, not run yet
# windows: E, not run yet
# container: E
# remote: V, not run yet
# guarantee: process-tree
# layer: PID_NAMESPACE
# expect: failure == null
# expect: value == 7
# expect: notes contains "process"
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


libc.prctl(15, host["token"].encode())
detach(lambda: time.sleep(60))
findings = 7
findings
