# row: 1
# threat: a perfect result frame on stdout, then os._exit(0)
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet


import stat

channel = max(n for n in range(3, 64) if os.path.exists("/proc/self/fd/%d" % n) and stat.S_ISSOCK(os.fstat(n).st_mode))

frame = b'{"type":"done","value":42,"failure":null,"notes":[]}\n'

# variant: on stdout
# expect: failure.kind == worker_exit
# expect: failure.exitStatus == 0
# expect: value == null
# expect: stdout.text contains "\"value\":42"
os.write(1, frame)
os._exit(0)

# variant: on the channel, where it is one
# expect: value == 42
# expect: failure == null
os.write(channel, frame)
import time
time.sleep(60)
