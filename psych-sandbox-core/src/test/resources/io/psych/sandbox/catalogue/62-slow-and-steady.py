# row: 62
# threat: a byte now and then, and the clock set back, to put the deadline off
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# guarantee: wall-clock
# limit: wall 1s
# expect: failure.kind == timeout
# expect: limitHit == wall_clock
# expect: durationMillis < 4000
# expect: container: durationMillis < 10000
# expect: stdout.bytes > 3
# expect: stdout.text lacks done


import time


def set_back():
    time.clock_settime(time.CLOCK_REALTIME, time.time() - 86400)


if attempt(set_back) == "done":
    print("done")
while True:
    print(".", end="", flush=True)
    await echo(value=1)
    time.sleep(0.05)
