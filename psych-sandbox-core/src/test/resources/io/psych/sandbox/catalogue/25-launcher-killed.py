# row: 25
# threat: only the launcher, the process the JVM knows, is killed
# bubblewrap: E
# process: B
# macos: B, not run yet
# windows: E, not run yet
# container: E by id
# remote: E caller, V payload, not run yet
# scenario: launcher-killed
# expect: launchers == 1
# expect: payload > 0
# expect: left == 0
# expect: failure.kind in provider_error, worker_exit
# expect: toldMillis < 5000
# expect: container: toldMillis < 10000
# expect: container: monitor.launchers == 2
# expect: container: monitor.left == 0
# expect: container: monitor.failure.kind == provider_error
# expect: container: monitor.toldMillis < 15000
# says: Told as the end of the process by SIGKILL: who sent it can not be known. Of a container the JVM knows the init; once the engine's monitor is killed as well, nobody tells how it ended.


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
