# row: 18
# threat: each child forks and its parent exits, in a loop, while it is being ended
# bubblewrap: E
# process: O
# macos: N, not run yet
# windows: E, not run yet
# container: E
# remote: V, not run yet
# guarantee: process-tree
# layer: PID_NAMESPACE
# expect: failure == null
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
end = time.monotonic() + (30 if host["control"] else 60)


def run():
    while time.monotonic() < end:
        if host["control"]:
            time.sleep(1.5)  # or the suite could not catch it
        if os.fork():
            os._exit(0)


detach(run)
time.sleep(0.2)
findings = 1
findings
