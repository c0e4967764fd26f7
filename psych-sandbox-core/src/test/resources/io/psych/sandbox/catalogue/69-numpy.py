# row: 69
# threat: control: imports numpy and multiplies matrices under default limits
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: V, not run yet
# limit: cpu 10s
# limit: wall 30s
# expect: failure == null
# expect: value.sum == 1000000
# expect: value.solved == true
# says: A program that must succeed. Packages are not offered yet, so it adds their folder to its own path.


import sys

sys.path.append("/usr/lib/python3/dist-packages")
import numpy

ones = numpy.ones((100, 100))
solution = numpy.linalg.solve(numpy.eye(100) * 2, numpy.ones(100))
{"sum": int((ones @ ones).sum()), "solved": bool((solution == 0.5).all())}
