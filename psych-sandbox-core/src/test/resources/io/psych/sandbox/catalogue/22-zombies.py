# row: 22
# threat: thousands of children nobody waits for
# bubblewrap: E
# process: O subreaper
# macos: B, not run yet
# windows: -
# container: E --init
# remote: V, not run yet
# guarantee: process-tree
# limit: cpu 10s
# limit: wall 30s

# variant: its own
# expect: value.error == EAGAIN
# expect: value.again == done
children = []
findings = {"error": "none"}
while len(children) < 1000 and findings["error"] == "none":
    try:
        child = os.fork()
    except OSError as problem:
        findings["error"] = errno.errorcode[problem.errno]
        break
    if child == 0:
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
findings["again"] = attempt(lambda: os.fork() or os._exit(0))
findings

# variant: orphans
# expect: value.orphans == 1500
# expect: value.again == done


import time


def fork_on():
    """Fork; one that comes before the init has reaped enough of those before waits for it, two seconds at most."""
    end = time.monotonic() + 2
    while True:
        try:
            return os.fork()
        except BlockingIOError:
            if time.monotonic() > end:
                raise
            time.sleep(0.001)


# Each of a chain of processes forks the next and ends, which leaves it to the init.
ends, writes = os.pipe()
if os.fork() == 0:
    for i in range(1500):
        if fork_on():
            os._exit(0)
    os.write(writes, b"1500")
    os._exit(0)
os.close(writes)
os.wait()
findings = {"orphans": int(os.read(ends, 16) or 0), "again": attempt(lambda: fork_on() or os._exit(0))}
findings
