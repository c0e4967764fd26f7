# row: 10
# threat: 10 MB of program for a child that never reads; a program that never reads its replies
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# scenario: deaf-child
# expect: program.failure.kind == timeout
# expect: program.limitHit == wall_clock
# expect: program.durationMillis < 5000
# expect: container: program.durationMillis < 11000
# expect: replies.limitHit == wall_clock
# expect: replies.durationMillis < 5000
# expect: container: replies.durationMillis < 11000
# expect: afterwards.value == 1


import stat
import time

channel = max(n for n in range(3, 64) if os.path.exists("/proc/self/fd/%d" % n) and stat.S_ISSOCK(os.fstat(n).st_mode))
for i in range(50):
    os.write(channel, b'{"type":"call","id":%d,"name":"blob","arguments":{"bytes":4000000}}\n' % i)
time.sleep(60)
