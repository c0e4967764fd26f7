# row: 59
# threat: a busy loop that handles or blocks every signal
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E job time, not run yet
# container: E via wall/quota
# remote: V, not run yet
# guarantee: cpu
# limit: cpu 1s
# expect: failure.kind == timeout
# expect: limitHit == cpu
# expect: stdout.text contains go
# expect: durationMillis < 9000
# expect: container: durationMillis < 15000


import signal

for number in range(1, 65):
    try:
        signal.signal(number, lambda *_: None)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
print("go", flush=True)
while True:
    pass
