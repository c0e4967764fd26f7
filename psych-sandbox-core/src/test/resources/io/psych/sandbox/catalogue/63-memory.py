# row: 63
# threat: 10 GiB at once; several processes of 300 MB; a shared mapping; files in memory
# bubblewrap: O cgroup
# process: O (AS is per process)
# macos: N, not run yet
# windows: E job commit, not run yet
# container: E swap=mem
# remote: V, not run yet
# guarantee: memory
# layer: CGROUP
# limit: wall 20s


import mmap
import time

# variant: at once
# expect: limitHit == memory
# expect: failure.message contains MemoryError
bytearray(10 << 30)

# variant: several processes
# expect: limitHit == memory
# expect: failure.kind == worker_exit
# expect: notes contains "more memory than they may"
# expect: stdout.text lacks "3 alive"
# control: value.alive == 3
ends, writes = os.pipe()
children = []
for _ in range(3):
    child = os.fork()
    if child == 0:
        held = bytearray(b"x") * (200 << 20)
        os.write(writes, b"x")
        time.sleep(10)
        os._exit(0)
    children.append(child)
os.close(writes)
os.set_blocking(ends, False)
told, ended = 0, set()
end = time.monotonic() + 8
while told + len(ended) < 3 and time.monotonic() < end:
    try:
        told += len(os.read(ends, 8))
    except BlockingIOError:
        time.sleep(0.01)
    ended |= {child for child in children if child not in ended and os.waitpid(child, os.WNOHANG)[0]}
# One that told before another took its memory is on its way out.
end = time.monotonic() + 1
while not ended and time.monotonic() < end:
    ended |= {child for child in children if os.waitpid(child, os.WNOHANG)[0]}
findings = {"alive": 3 - len(ended)}
for child in set(children) - ended:
    os.kill(child, 9)
print(findings["alive"], "alive")
findings

# variant: a shared mapping
# expect: limitHit == memory
memory = mmap.mmap(-1, 1 << 30)
memory.write(b"x" * (1 << 30))

# variant: files in memory
# expect: value != "none"
held, error = 0, "none"
try:
    for i in range(100):
        with open("%s/%s%d" % ("/dev/shm", host["token"], i), "wb", buffering=0) as file:
            held += file.write(bytes(8 << 20))
except OSError as problem:
    error = errno.errorcode[problem.errno]
error
