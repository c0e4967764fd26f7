# row: 61
# threat: one call in C that never yields to Python
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# limit: cpu 5s
# limit: wall 1s
# expect: failure.kind == timeout
# expect: limitHit == wall_clock
# expect: durationMillis < 5000
# expect: container: durationMillis < 11000

# variant: a power
len(str(7 ** (10 ** 9)))

# variant: an expression
import re
re.match(r"(a|a)*b", "a" * 40)

# variant: a sum
sum(range(10 ** 12))
