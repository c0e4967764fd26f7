# row: 17
# threat: the same, stopped, or with every signal blocked
# bubblewrap: E
# process: O
# macos: B, not run yet
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

# variant: stopped
detach(lambda: os.kill(os.getpid(), signal.SIGSTOP))
findings = 1
findings

# variant: deaf
def stay():
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    time.sleep(60)


detach(stay)
findings = 1
findings
