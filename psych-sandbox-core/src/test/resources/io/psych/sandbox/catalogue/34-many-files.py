# row: 34
# threat: empty files without end
# bubblewrap: O cgroup
# process: O tmpfs
# macos: B, not run yet
# windows: B, not run yet
# container: E
# remote: V, not run yet
# guarantee: memory
# layer: CGROUP
# limit: cpu 10s
# limit: wall 20s
# limit: address-space 100MB
# limit: files 1MB 4MB
# expect: bubblewrap: limitHit == memory
# expect: process: value.error == ENOSPC
# expect: process: value.made <= 1024
# expect: durationMillis < 30000
# expect: container: durationMillis < 36000
# says: On process the tmpfs has an inode for each page, and 1,024 at least; bubblewrap's takes as many as memory does.


import time

made, error = 0, "none"
end = time.monotonic() + 15
while error == "none" and made < 1000000 and time.monotonic() < end:
    try:
        os.close(os.open("f%x" % made, os.O_CREAT | os.O_WRONLY))
        made += 1
    except OSError as problem:
        if problem.errno == errno.ENOMEM:
            raise MemoryError
        error = errno.errorcode[problem.errno]
findings = {"made": made, "error": error}
findings
