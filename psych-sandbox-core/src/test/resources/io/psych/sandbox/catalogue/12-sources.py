# row: 12
# threat: a source with NUL, a byte order mark, half a surrogate pair, or nesting that no parser survives
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet

# variant: NUL
# source: "x = 1\u0000\nx"
# expect: failure.kind == program_exception

# variant: byte order mark
# source: "\ufeff1 + 1"
# expect: value == 2

# variant: two byte order marks
# source: "\ufeff\ufeff1 + 1"
# expect: failure.kind == program_exception

# variant: half a surrogate pair
# source: "len('\ud800')"
# expect: value == 1

# variant: a foreign encoding declared
# source: "# -*- coding: utf-7 -*-\n'+AGE-'"
# expect: value == "+AGE-"

# variant: brackets
# source: "(" x 100000
# source: ")" x 100000
# expect: failure.kind == program_exception

# variant: signs
# source: "-" x 100000
# source: "1"
# expect: failure.kind in program_exception, worker_exit

# variant: attributes
# source: "x"
# source: ".a" x 100000
# expect: failure.kind in program_exception, worker_exit

# variant: sums
# source: "1"
# source: "+1" x 100000
# expect: failure.kind in program_exception, worker_exit

# variant: blocks
# source: "if 1:\n" x 200
# expect: failure.kind == program_exception

# variant: a string without end
# source: "'''"
# source: "x" x 1000000
# expect: failure.kind == program_exception

# variant: nothing
# source: ""
# expect: value == null
# expect: failure == null
