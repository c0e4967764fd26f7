# row: 11
# threat: closes every descriptor and computes on
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# limit: wall 2s
# expect: failure.kind == timeout
# expect: limitHit == wall_clock
# expect: hostCpuMillis < 1500


import time

os.closerange(0, 4096)
sum(i * i for i in range(1000000))
time.sleep(60)
