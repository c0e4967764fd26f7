# row: 64
# threat: the kernel ends another process of the tree than the one that took the memory
# bubblewrap: E
# process: -
# macos: -
# windows: -
# container: E
# remote: V, not run yet
# guarantee: memory
# layer: CGROUP
# limit: wall 20s
# expect: limitHit == memory
# expect: value == null


import time

children = []
ends, writes = os.pipe()
for _ in range(4):
    child = os.fork()
    if child == 0:
        held = bytearray(b"x") * (200 << 20)
        os.write(writes, b"x")
        time.sleep(2)
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
"as if nothing had been"
