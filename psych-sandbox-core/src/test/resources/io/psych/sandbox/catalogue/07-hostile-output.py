# row: 7
# threat: invalid UTF-8, NUL, terminal sequences and forged lines of a log, on both streams and wherever else a program is quoted
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet


import stat

channel = max(n for n in range(3, 64) if os.path.exists("/proc/self/fd/%d" % n) and stat.S_ISSOCK(os.fstat(n).st_mode))

import time

evil = "\x1b]0;owned\x07\x1b[2J\r\n2026-01-01 00:00:00 ERROR psych - forged\n"

# variant: on the streams
# expect: failure == null
# expect: stdout.bytes == 260
# expect: stdout.text contains "\u0000\u0001"
# expect: stdout.text contains "\u001b\u001c"
# expect: stderr.text contains "ERROR psych - forged"
os.write(1, bytes(range(256)) + b"\xf0\x9f\x98\n")
os.write(2, evil.encode())

# variant: as the name of a tool
# expect: failure.kind == program_exception
await call_tool(evil)

# variant: as the name of a tool whose answer can't be delivered
# expect: limitHit == wall_clock
# limit: wall 1s
import json
deaf = socket.socket(fileno=channel)
deaf.shutdown(socket.SHUT_RD)
os.write(channel, json.dumps({"type": "call", "id": 0, "name": evil, "arguments": {}}).encode() + b"\n")
time.sleep(60)

# variant: as an exception
# expect: failure.kind == program_exception
raise ValueError(evil)

# variant: as a frame
# expect: failure.kind == aborted
os.write(channel, evil.encode())
time.sleep(60)
