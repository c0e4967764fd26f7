# row: 25
# threat: only the launcher, the process the JVM knows, is killed
# bubblewrap: E
# process: B
# macos: B, not run yet
# windows: E, not run yet
# container: E by id, not run yet
# remote: E caller, V payload, not run yet
# scenario: launcher-killed
# expect: launchers == 1
# expect: payload > 0
# expect: left == 0
# expect: failure.kind in provider_error, worker_exit
# expect: toldMillis < 5000
# says: Told as the end of the process by SIGKILL: who sent it can not be known.


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
await arrived()
time.sleep(60)
