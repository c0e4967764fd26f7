# row: 14
# threat: output just under, at and over each cap, also in the middle of a character
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# limit: stream 1000
# limit: value 1000

# variant: one below
# expect: failure == null
# expect: stdout.bytes == 999
# expect: stdout.truncated == false
# expect: value.size == 0
os.write(1, b"x" * 999)
[]

# variant: at
# expect: stdout.bytes == 1000
# expect: stdout.truncated == false
os.write(1, b"x" * 1000)

# variant: one over
# expect: stdout.bytes == 1001
# expect: stdout.truncated == true
# expect: stdout.omittedBytes == 1
# expect: stderr.bytes == 1001
# expect: stderr.truncated == true
os.write(1, b"x" * 1001)
os.write(2, b"x" * 1001)

# variant: in the middle of two bytes
# expect: stdout.bytes == 1203
# expect: stdout.truncated == true
# expect: stdout.omittedBytes == 204
# expect: stdout.text lacks "\ufffd"
os.write(1, b"x" + "\u00e9".encode() * 601)

# variant: in the middle of four bytes
# expect: stdout.bytes == 1202
# expect: stdout.truncated == true
# expect: stdout.text lacks "\ufffd"
os.write(1, b"xx" + "\U0001f600".encode() * 300)

# variant: a value at the cap
# expect: value contains "xxxx"
"x" * 998

# variant: a value over the cap
# expect: limitHit == value
"x" * 999

# variant: past every cap, in what stands beside the value
# expect: failure.kind == program_exception
# expect: resultBytes < 500000
import stat
import time
channel = max(n for n in range(3, 64) if os.path.exists("/proc/self/fd/%d" % n) and stat.S_ISSOCK(os.fstat(n).st_mode))
text = '"' + "x" * 60000 + '"'
frame = '{"type":"done","value":null,"failure":{"kind":"program_exception","message":%s,"traceback":%s},"notes":[%s]}' % (
    text, text, ",".join([text] * 100))
data = memoryview(frame.encode() + bytes([10]))
while data:
    data = data[os.write(channel, data):]
time.sleep(60)
