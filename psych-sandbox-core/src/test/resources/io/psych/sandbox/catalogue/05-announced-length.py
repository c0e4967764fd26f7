# row: 5
# threat: announces 2 GiB, a negative or no length, or a line that never ends
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# expect: failure.kind == aborted
# expect: durationMillis < 4000
# expect: container: durationMillis < 10000


import stat

channel = max(n for n in range(3, 64) if os.path.exists("/proc/self/fd/%d" % n) and stat.S_ISSOCK(os.fstat(n).st_mode))

import time

# variant: 2 GiB
os.write(channel, b"Content-Length: 2147483648\r\n\r\n")
time.sleep(60)

# variant: a negative length
os.write(channel, b"Content-Length: -1\n")
time.sleep(60)

# variant: a length that is no number
os.write(channel, b"\xff\xff\xff\xff\x00\x00\n")
time.sleep(60)

# variant: a line without end
block = b"x" * 65536
while True:
    os.write(channel, block)
