# row: 6
# threat: JSON with 100,000 brackets, 1e999999, a million digits, a name twice, lone surrogates, NaN, endless empty lines; frames of 15 MiB for a JVM with a heap of 256 MiB
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# scenario: small-host
# expect: survived == true
# expect: afterwards == 1


import stat

channel = max(n for n in range(3, 64) if os.path.exists("/proc/self/fd/%d" % n) and stat.S_ISSOCK(os.fstat(n).st_mode))

import time


def send(text):
    data = memoryview(text if isinstance(text, bytes) else text.encode())
    while data:
        data = data[os.write(channel, data):]
    time.sleep(60)


def result(value):
    send('{"type":"done","value":%s,"failure":null,"notes":[]}\n' % value)

# variant: a list of small lists (scenario)
result("[" + "[]," * 5000000 + "[]]")

# variant: an object of small members (scenario)
result("{" + ",".join('"%x":0' % i for i in range(1300000)) + "}")

# variant: arguments of small lists (scenario)
send('{"type":"call","id":0,"name":"nothing","arguments":{"x":[' + "[]," * 5000000 + "[]]}}\n")

# variant: brackets
# expect: failure.kind == aborted
result("[" * 100000 + "]" * 100000)

# variant: open brackets
# expect: failure.kind == aborted
send("[" * 100000 + "\n")

# variant: exponent
# expect: failure.kind == aborted
result("1e999999")

# variant: small exponent
# expect: failure.kind == aborted
result("1e-999999999")

# variant: digits
# expect: failure.kind == aborted
result("9" * 1000000)

# variant: name twice
# expect: failure.kind == aborted
result('{"a":1,"a":2}')

# variant: lone surrogate
# expect: failure == null
# expect: value == "\ufffd"
result('"\\ud800"')

# variant: NaN
# expect: failure.kind == aborted
result("NaN")

# variant: bad UTF-8
# expect: failure.kind == aborted
send(b'{"type":"done","value":"\xc0\xaf","failure":null,"notes":[]}\n')

# variant: UTF-16
# expect: failure.kind == aborted
send('{"type":"done"}\n'.encode("utf-16-be"))

# variant: no object
# expect: failure.kind == aborted
send("[1]\n")

# variant: wrong types
# expect: failure.kind == aborted
send('{"type":"call","id":0.0,"name":"echo","arguments":{}}\n')

# variant: a name of 16 MiB
# expect: failure.kind == aborted
send('{"type":"call","id":0,"name":"%s","arguments":{}}\n' % ("n" * (15 << 20)))

# variant: empty lines
# expect: failure.kind == aborted
send("\n" * 100000)

# variant: many notes
# expect: failure == null
# expect: notes.size == 100
send('{"type":"done","value":1,"failure":null,"notes":[%s"x"]}\n' % ('"x",' * 100000))
