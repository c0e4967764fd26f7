# row: 60
# threat: eight processes, each below the limit of one
# bubblewrap: O cgroup
# process: O
# macos: B, not run yet
# windows: E, not run yet
# container: E
# remote: V, not run yet
# guarantee: cpu
# limit: cpu 2s
# limit: wall 1s
# expect: limitHit == wall_clock
# expect: durationMillis < 5000
# expect: container: durationMillis < 11000
# says: Nothing bounds their sum but the wall clock times the number of processes, which is what the report's evidence says.


for _ in range(7):
    if os.fork() == 0:
        break
while True:
    pass
