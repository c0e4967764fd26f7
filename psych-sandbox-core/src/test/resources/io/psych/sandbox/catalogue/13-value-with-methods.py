# row: 13
# threat: methods, handlers, threads and patches that run while the value is written
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# expect: durationMillis < 6000
# expect: container: durationMillis < 12000


import stat

channel = max(n for n in range(3, 64) if os.path.exists("/proc/self/fd/%d" % n) and stat.S_ISSOCK(os.fstat(n).st_mode))

import atexit
import sys
import threading
import time


def spin(*_):
    while True:
        pass

# variant: __reduce__
# expect: failure.kind == invalid_output
class Evil:
    def __reduce__(self):
        return os.system, ("id",)

Evil()

# variant: __repr__
# expect: failure.kind == invalid_output
class Evil:
    __repr__ = __str__ = spin

Evil()

# variant: a mapping without end
# limit: cpu 1s
# expect: failure.kind in timeout, invalid_output, output_limit, program_exception
class Evil(dict):
    def items(self):
        while True:
            yield "x", 1

    def __iter__(self):
        while True:
            yield "x"

Evil(x=1)

# variant: an int with methods
# limit: cpu 1s
# expect: failure.kind in timeout, invalid_output
class Evil(int):
    __index__ = __int__ = __repr__ = __str__ = __abs__ = bit_length = spin

[Evil(1)]

# variant: atexit
# limit: cpu 1s
# expect: limitHit == cpu
atexit.register(spin)
1

# variant: a thread that stays
# limit: wall 1s
# expect: limitHit == wall_clock
threading.Thread(target=time.sleep, args=(60,)).start()
1

# variant: a trace function
# limit: cpu 1s
# expect: value == null
# expect: failure.kind in timeout, worker_exit, program_exception
def trace(*_):
    raise KeyboardInterrupt

sys.settrace(trace)

# variant: a patched encoder
# expect: failure.kind == aborted
sys.modules["psych_values"].Encoder.text = lambda self: "{{{{"
1

# variant: patched json
# expect: value == [1]
import json
json.dumps = json.JSONEncoder.encode = spin
[1]

# variant: an exception whose text has no end
# limit: cpu 1s
# expect: failure.kind in timeout, program_exception
class Evil(Exception):
    __str__ = __repr__ = spin

raise Evil

# variant: an exception of a megabyte
# expect: failure.kind == program_exception
raise ValueError("x" * (1 << 20))

# variant: an endless chain of exceptions
# expect: failure.kind == program_exception
problem = ValueError()
for i in range(100000):
    other = ValueError()
    other.__cause__ = problem
    problem = other
raise problem
