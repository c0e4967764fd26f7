# row: 2
# threat: finds the channel by trying descriptors and writes a result before the program has ended
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet


import stat

channel = max(n for n in range(3, 64) if os.path.exists("/proc/self/fd/%d" % n) and stat.S_ISSOCK(os.fstat(n).st_mode))

import time

# variant: with facts that are the host's
# limit: wall 20s
# expect: value == 42
# expect: failure == null
# expect: limitHit == null
# expect: networkDenied == true
# expect: durationMillis >= 300
# expect: calls.size == 1
time.sleep(0.3)
await echo(value=1)
os.write(channel, b'{"type":"done","value":42,"failure":null,"notes":[],"durationMillis":0,"limitHit":"cpu",'
                  b'"networkDenied":false,"isolation":{"level":"none"},"calls":[]}\n')
time.sleep(60)

# variant: a failure nobody has
# expect: failure.kind == aborted
os.write(channel, b'{"type":"done","value":null,"failure":{"kind":"timeout","message":"x","limit":"cpu"},"notes":[]}\n')
time.sleep(60)

# variant: and a second one
# expect: value == 1
# expect: notes contains "after its result"
os.write(channel, b'{"type":"done","value":1,"failure":null,"notes":[]}\n{"type":"done","value":2,"failure":null,"notes":[]}\n')
time.sleep(60)
