# row: 21
# threat: a fork bomb, then a thread bomb
# bubblewrap: E with cgroup, else O
# process: O uid per run
# macos: B per uid, not run yet
# windows: E, not run yet
# container: E pids
# remote: V, not run yet
# guarantee: process-count
# expect: failure == null
# expect: value.error == EAGAIN
# expect: value.made < 64
# expect: value.met == true
# control: value.made == 100


import signal
import threading
import time

most = 100 if host["control"] else 100000

# variant: forks
children = []
findings = {"error": "none"}
while len(children) < most and findings["error"] == "none":
    try:
        child = os.fork()
    except OSError as problem:
        findings["error"] = errno.errorcode[problem.errno]
        break
    if child == 0:
        time.sleep(20)
        os._exit(0)
    children.append(child)
findings["made"] = len(children)
findings["met"] = True if host["control"] else await meet()
for child in children:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
findings

# variant: threads
threads = []
go = threading.Event()
findings = {"error": "none"}
while len(threads) < most:
    try:
        thread = threading.Thread(target=go.wait, daemon=True)
        thread.start()
    except RuntimeError:
        findings["error"] = "EAGAIN"
        break
    threads.append(thread)
findings["made"] = len(threads)
findings["met"] = True if host["control"] else await meet()
go.set()
for thread in threads:
    thread.join()
findings

# variant: beside (beside)
# expect: value == 8
await arrived()
children = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        os._exit(0)
    children.append(child)
sum(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 for child in children)
