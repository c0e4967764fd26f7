# row: 37
# threat: memory that no address space shows: memfds, unlinked files, pipe and socket buffers
# bubblewrap: O cgroup
# process: O
# macos: N, not run yet
# windows: O job commit, not run yet
# container: E
# remote: V, not run yet
# guarantee: memory
# layer: CGROUP
# limit: address-space 256MB
# limit: files 10MB 64MB
# limit: cpu 10s
# limit: wall 20s
# expect: failure.signal == SIGKILL
# control: value.bytes >= 536870912


import resource

resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
block = bytes(8 << 20)
held, error = 0, "none"
files = []
for i in range(80):
    try:
        files.append(os.memfd_create("store"))
        held += os.write(files[-1], block)
    except OSError as problem:
        error = errno.errorcode[problem.errno]
        break
for i in range(200):
    try:
        left, right = socket.socketpair()
        left.setblocking(False)
        left.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        files += [left, right]
        while True:
            held += left.send(bytes(65536))
    except BlockingIOError:
        continue
    except OSError as problem:
        error = errno.errorcode[problem.errno]
        break
findings = {"bytes": held, "error": error}
findings
