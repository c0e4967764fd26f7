# row: 20
# threat: kill(-1), its init, its parent, the JVM, a process of its own user
# bubblewrap: E
# process: O distinct uid
# macos: O profile signal rule, not run yet
# windows: O token, not run yet
# container: E
# remote: V, not run yet
# guarantee: process-tree
# layer: PID_NAMESPACE


import signal
import time

# variant: one by one
# expect: value.* != done
# expect: value.* in ESRCH, EPERM
findings = {
    "jvm": attempt(os.kill, host["jvm"], signal.SIGKILL),
    "sentinel": attempt(os.kill, host["sentinel"], signal.SIGKILL),
    "queue": attempt(signal.pidfd_send_signal, os.pidfd_open(os.getpid()), 0) if not hasattr(os, "pidfd_open")
    else attempt(os.pidfd_open, host["sentinel"]),
}
findings

# variant: everything
# limit: wall 5s
# expect: durationMillis < 9000
# expect: container: durationMillis < 15000
attempt(os.kill, 1, signal.SIGKILL)
attempt(os.kill, os.getppid(), signal.SIGKILL)
attempt(os.killpg, os.getpgrp(), 0)
attempt(os.kill, -1, signal.SIGKILL)
"alone"

# variant: beside (beside)
# expect: value == "unharmed"
await arrived()
child = os.fork()
if child == 0:
    os._exit(3)
"unharmed" if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3 else "harmed"

# variant: of the same user (control)
# control: value.* == done
findings = {"sentinel": attempt(os.kill, host["sentinel"], 0), "pidfd": attempt(os.pidfd_open, host["sentinel"])}
