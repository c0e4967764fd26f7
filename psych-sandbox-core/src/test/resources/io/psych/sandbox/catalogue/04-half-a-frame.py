# row: 4
# threat: half a frame, then sleeps
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# limit: wall 1s
# expect: failure.kind == timeout
# expect: limitHit == wall_clock
# expect: durationMillis < 4000
# expect: container: durationMillis < 10000
# expect: value == null


import stat

channel = max(n for n in range(3, 64) if os.path.exists("/proc/self/fd/%d" % n) and stat.S_ISSOCK(os.fstat(n).st_mode))

import time

os.write(channel, b'{"type":"done","value":42,"failure":null,')
time.sleep(60)
